"""The sentences of verdicts: plain English, naming what happened and the number of its record."""

from collections.abc import Sequence

from rules.vocabulary import Fact


def cite(fact: Fact) -> str:
    """What happened with its record number: `the shoe jammed during a round (record 117)`."""
    return f"{fact.says} (record {fact.at})"


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def passed(trigger: Fact, duty: str, met: Sequence[Fact], times: int, *, held: bool) -> str:
    """A requirement that was met, for the first of `times` triggers; `held` if the trigger itself met it."""
    shown = ", then ".join(cite(fact) for fact in met) or ("so it was" if held else "nothing against it was seen")
    again = f" ({times} times in this scenario, this is the first)" if times > 1 else ""
    return sentence(f"{cite(trigger)}; the rule demands that {duty}: {shown}{again}.")


def breach(trigger: Fact, against: Fact | None, duty: str) -> str:
    """Something happened that the rule forbids; without `against` it is the trigger itself."""
    what = "that is against the rule" if against is None else f"but {cite(against)}"
    return sentence(f"{cite(trigger)}; the rule demands that {duty}: {what}.")


def late(trigger: Fact, overdue: Fact, duty: str) -> str:
    """The deadline passed before the response was complete."""
    return sentence(f"{cite(trigger)}; the rule demands that {duty}: this had not been done when {cite(overdue)}.")


def missing(trigger: Fact, duty: str, until: str) -> str:
    """Something required never came. `until` says how far was looked, such as `when the round ended`."""
    return sentence(f"{cite(trigger)}; the rule demands that {duty}: this had not been done {until}.")


def doubt(trigger: Fact, duty: str, fact: Fact | None = None) -> str:
    """The evidence cannot tell."""
    what = "" if fact is None or fact.id == trigger.id else f", as {cite(fact)}"
    return sentence(f"{cite(trigger)}; the rule demands that {duty}: the evidence cannot tell whether it is so{what}.")


def unsure_trigger(fact: Fact) -> str:
    """The evidence cannot tell whether the clause was triggered at all."""
    return sentence(f"{cite(fact)}; the evidence cannot tell whether this is what the clause speaks of.")


def unprobed(trigger: Fact, duty: str) -> str:
    """The forbidden step was never tried."""
    return sentence(f"{cite(trigger)}; the rule demands that {duty}: the forbidden step was never tried afterwards.")


def unruled(trigger: Fact, question: str) -> str:
    """The floor has not decided what the rule leaves to it."""
    asked = question.replace("_", " ")
    return sentence(f"{cite(trigger)}; to judge this the floor has to rule on {asked!r}, and no ruling was given.")


def lacking(trigger: Fact, name: str) -> str:
    """The operator has not given an input that is needed."""
    return sentence(f"{cite(trigger)}; to judge this the operator has to give the input {name!r}.")
