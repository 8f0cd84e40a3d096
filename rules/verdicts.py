"""What judging results in: one verdict for each clause in each scenario."""

import enum
from collections.abc import Iterable

import msgspec


class Outcome(enum.StrEnum):
    """What a verdict can be."""

    PASS = "PASS"
    """Triggered, and everything required was shown to hold."""
    FAIL = "FAIL"
    """Triggered, and shown to be broken."""
    NOT_TRIGGERED = "NOT_TRIGGERED"
    """Nothing happened that the clause speaks of."""
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """The clause does not concern this table, or an exception excused it."""
    INCONCLUSIVE = "INCONCLUSIVE"
    """Evidence is missing, or the camera abstained."""
    NEEDS_OPERATOR_INPUT = "NEEDS_OPERATOR_INPUT"
    """The operator has not given something that the judgement depends on."""


GRAVITY = (
    Outcome.FAIL,
    Outcome.INCONCLUSIVE,
    Outcome.NEEDS_OPERATOR_INPUT,
    Outcome.PASS,
    Outcome.NOT_APPLICABLE,
    Outcome.NOT_TRIGGERED,
)
"""The graver outcome decides where several meet."""


def gravest(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that decides; NOT_TRIGGERED for none at all."""
    return min(outcomes, key=GRAVITY.index, default=Outcome.NOT_TRIGGERED)


class Verdict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The verdict on one clause in one scenario."""

    scenario: str
    pack: str
    clause: str
    verdict: Outcome
    reason: str
    """One plain sentence that names the events and their record numbers, in the language that was asked for."""
    reasons: dict[str, str] = {}
    """The same sentence in every language, by its code."""
    evidence: list[int] = []
    """Journal sequence numbers."""
    policies: dict[str, str] = {}
    """The policy switches that this verdict depends on, with their values."""
    requirement: str = ""
    """The requirement that decided."""
    requirements: dict[str, Outcome] = {}
    """What came of each requirement in force, in the order of the pack."""
    alternatives: list[str] = []
    """The alternatives of the clause that were triggered."""
    trigger: int | None = None
    """Sequence number of the earliest evidence of the trigger that decided; None when nothing triggered."""

    @property
    def failed(self) -> list[str]:
        """The requirements that were shown to be broken; none unless the clause failed."""
        return [name for name, outcome in self.requirements.items() if outcome is Outcome.FAIL]
