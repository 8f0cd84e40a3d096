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


class FaultUnproven(Event, frozen=True, tag="fault.unproven"):
    fault: str
    target: str
    reason: str
