"""What verdicts have to say, in no language yet: what happened, with what the rule demands of it."""

from collections.abc import Sequence

from rules.pack import Meaning
from rules.speech import Telling
from rules.vocabulary import Fact

NOTHING = Telling("nothing")
"""Nothing happened in the scenario that the clause speaks of."""
SWITCHED_OFF = Telling("switched_off")
"""The chosen policies leave the clause nothing to require."""


def passed(trigger: Fact, duty: Meaning, met: Sequence[Fact], times: int, *, held: bool) -> Telling:
    """A requirement that was met, for the first of `times` triggers; `held` if the trigger itself met it."""
    frame = "met_shown" if met else "met_held" if held else "met_unharmed"
    shown = {"shown": tuple(cited(fact) for fact in met)}
    return Telling(frame, {"trigger": trigger}, {"times": times}, shown, duty)


def cited(fact: Fact) -> Telling:
    """What happened, with its record number."""
    return Telling("fact", {"fact": fact})


def breach(trigger: Fact, against: Fact | None, duty: Meaning) -> Telling:
    """Something happened that the rule forbids; without `against` it is the trigger itself."""
    if against is None:
        return Telling("breach_itself", {"trigger": trigger}, duty=duty)
    return Telling("breach", {"trigger": trigger, "fact": against}, duty=duty)


def late(trigger: Fact, overdue: Fact, duty: Meaning) -> Telling:
    """The deadline passed before the response was complete."""
    return Telling("late", {"trigger": trigger, "fact": overdue}, duty=duty)


def missing(trigger: Fact, duty: Meaning, until: str) -> Telling:
    """Something required never came. `until` says how far was looked: `before`, `round` or `scenario`."""
    return Telling(f"missing_{until}", {"trigger": trigger}, duty=duty)


def not_yet(trigger: Fact, duty: Meaning, why: str) -> Telling:
    """Something required had not come, and could still. `why`: the table was `held`, or the play was still `open`."""
    return Telling(f"not_yet_{why}", {"trigger": trigger}, duty=duty)


def doubt(trigger: Fact, duty: Meaning, fact: Fact | None = None) -> Telling:
    """The evidence cannot tell."""
    if fact is None or fact.id == trigger.id:
        return Telling("doubt", {"trigger": trigger}, duty=duty)
    return Telling("doubt_of", {"trigger": trigger, "fact": fact}, duty=duty)


def unsure_trigger(fact: Fact) -> Telling:
    """The evidence cannot tell whether the clause was triggered at all."""
    return Telling("unsure_trigger", {"fact": fact})


def unprobed(trigger: Fact, duty: Meaning) -> Telling:
    """The forbidden step was never tried."""
    return Telling("unprobed", {"trigger": trigger}, duty=duty)


def unruled(trigger: Fact, question: str) -> Telling:
    """The floor has not decided what the rule leaves to it."""
    return Telling("unruled", {"trigger": trigger}, {"question": question})


def lacking(trigger: Fact, name: str) -> Telling:
    """The operator has not given an input that is needed."""
    return Telling("lacking", {"trigger": trigger}, {"input": name})


def excused(trigger: Fact, exception: Fact) -> Telling:
    """A breach to which an exception applies."""
    return Telling("excused", {"trigger": trigger, "fact": exception})


def superseded(trigger: Fact) -> Telling:
    """A clause that goes before this one took over."""
    return Telling("superseded", {"trigger": trigger})


def no_verdict(why: Telling) -> Telling:
    """Something keeps the judge from saying anything."""
    return Telling("no_verdict", parts={"why": (why,)})


def no_role(role: str) -> Telling:
    """The device that the clause speaks of does not stand at the table."""
    return Telling("no_role", values={"role": role})
