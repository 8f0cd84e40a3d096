"""Events: what the bench injects."""

from evidence.events.base import Event


class FaultArmed(Event, frozen=True, tag="fault.armed"):
    """The bench made a fault ready. That it happened is for others to show."""

    fault: str
    target: str
    params: dict[str, int | str] = {}


class FaultProven(Event, frozen=True, tag="fault.proven"):
    """Something other than the injector shows that the fault happened."""

    fault: str
    target: str
    symptom: str
    """`jam`, `stop`, `incomplete`, or another word of the fault catalogue such as `wrong_group_size`."""
    by: list[int]
    """Journal sequence numbers of the observations that prove it."""
    means: str
    """What shows it, in English."""
    wording: str = ""
    """The same sentence with places for its values, by which a report finds it in other languages."""
    values: dict[str, int | float | str] = {}


class FaultUnproven(Event, frozen=True, tag="fault.unproven"):
    fault: str
    target: str
    reason: str
    """Why it is not shown, in English."""
    wording: str = ""
    values: dict[str, int | float | str] = {}
