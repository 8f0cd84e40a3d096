"""Sums verdicts up: one outcome for each clause, and one for the whole plan."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from rules.judge import choose_policies
from rules.pack import Clause, Pack, chosen
from rules.verdicts import GRAVITY, Outcome, Verdict, gravest


class Overall(enum.StrEnum):
    """The result of a plan."""

    CONFORMS = "CONFORMS"
    """Every applicable clause that is owed passed, in each of its alternatives, and every scenario was conclusive."""
    NON_CONFORMITY = "NON_CONFORMITY"
    """At least one clause failed."""
    INCONCLUSIVE = "INCONCLUSIVE"
    """No failure, and not all was shown that a conformity needs."""


class Planned(Protocol):
    """A scenario of a plan, as far as a summary needs it."""

    @property
    def id(self) -> str: ...

    @property
    def pack(self) -> str: ...

    @property
    def also(self) -> Sequence[str]:
        """Further packs that judge it."""
        ...

    @property
    def covers(self) -> Sequence[str]:
        """What it is there to trigger: clauses, or `CLAUSE:ALTERNATIVE`."""
        ...


SAID = {
    "clause": "{clause} is {verdict}: {reason}",
    "alternatives": "{clause} was not shown to hold in every alternative: {lacking} is missing.",
    "pack": "No clause of {pack} was shown to hold.",
    "unjudged": "Scenario {scenario} has no verdict.",
    "empty": "The plan has no scenario.",
    "doubtful": "Scenario {scenario} is not conclusive.",
    "idle": "Scenario {scenario} is there to trigger {cover} and did not.",
    "nothing": "There is no verdict.",
}
"""How each kind of open point is said in English; reports say them in other languages."""


class OpenPoint(msgspec.Struct, frozen=True):
    """One reason why a result is not CONFORMS: its kind and what it speaks of."""

    kind: str
    values: dict[str, str] = {}

    def __str__(self) -> str:
        return SAID[self.kind].format_map(self.values)


class ClauseSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One clause over all scenarios."""

    pack: str
    clause: str
    verdict: Outcome
    reason: str
    """The reason of the verdict that decided."""
    scenario: str
    """Where it was decided; empty when there is no verdict."""
    declared: list[str]
    """The alternatives that a plan has to show; empty for a clause without."""
    triggered: list[str]
    passed: list[str]
    owed: bool = True
    """Whether the plan has to show it: not if its pack only judges what scenarios play for other packs."""

    @property
    def untouched(self) -> bool:
        """Whether nothing that the plan played is a matter of this clause, which it does not have to show."""
        return not self.owed and self.verdict in (Outcome.NOT_TRIGGERED, Outcome.NOT_APPLICABLE)

    @property
    def complete(self) -> bool:
        """Whether all that there is to show of this clause was shown."""
        if self.verdict is Outcome.NOT_APPLICABLE:
            return True
        return self.verdict is Outcome.PASS and set(self.declared) <= set(self.passed)


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A plan's result with what it rests on."""

    overall: Overall
    clauses: list[ClauseSummary]
    open_points: list[str]
    """Why the result is not CONFORMS, one plain sentence each; empty when it is."""
    points: list[OpenPoint] = []
    """The same, in no language yet."""


def summarise(verdicts: Sequence[Verdict], packs: Sequence[Pack], scenarios: Iterable[str | Planned]) -> Summary:
    """Sum up the verdicts of a plan's `scenarios` (ids, or all that is planned of them) under `packs`.

    A plan has to show every clause of the packs that its scenarios are there for. Of one that only judges them too a
    failure or a doubt counts, and what was not triggered does not. Given ids alone, every pack has to be shown.
    """
    scenarios = list(scenarios)
    owed = _owed(packs, scenarios)
    clauses = [_clause(pack, clause, verdicts, pack.id in owed) for pack in packs for clause in pack.clauses]
    points = [point for clause in clauses for point in _clause_points(clause)]
    points += _pack_points(owed, clauses)
    points += _scenario_points(verdicts, scenarios)
    failed = any(verdict.verdict is Outcome.FAIL for verdict in verdicts)
    if failed:
        overall = Overall.NON_CONFORMITY
    elif points or not verdicts:
        overall = Overall.INCONCLUSIVE
        points = points or [OpenPoint("nothing")]
    else:
        overall = Overall.CONFORMS
    return Summary(overall=overall, clauses=clauses, open_points=[str(point) for point in points], points=points)


def _owed(packs: Sequence[Pack], scenarios: Sequence[str | Planned]) -> list[str]:
    """The packs that have to be shown in full: all but those that scenarios only name as further ones."""
    planned = [one for one in scenarios if not isinstance(one, str)]
    own = [one.pack for one in planned]
    beside = {name for one in planned for name in one.also} if len(planned) == len(scenarios) else set()
    return list(dict.fromkeys([*own, *(pack.id for pack in packs if pack.id not in beside)]))


def _clause(pack: Pack, clause: Clause, verdicts: Sequence[Verdict], owed: bool) -> ClauseSummary:
    mine = [verdict for verdict in verdicts if verdict.clause == clause.id]
    excused = [one for one in mine if one.verdict is Outcome.NOT_APPLICABLE and one.trigger is not None]
    decisive = min(mine, key=lambda one: GRAVITY.index(one.verdict), default=None)
    outcome = gravest(one.verdict for one in mine)
    if outcome is Outcome.NOT_APPLICABLE and (excused or any(one.verdict is Outcome.NOT_TRIGGERED for one in mine)):
        outcome = Outcome.NOT_TRIGGERED
    triggered = {name for one in mine for name in one.alternatives}
    passed = {name for one in mine if one.verdict is Outcome.PASS for name in one.alternatives}
    declared = _declared(pack, clause, mine)
    return ClauseSummary(
        pack=pack.id,
        clause=clause.id,
        verdict=outcome,
        reason=decisive.reason if decisive else "No scenario was judged under this clause.",
        scenario=decisive.scenario if decisive else "",
        declared=declared,
        triggered=[name for name in declared if name in triggered],
        passed=[name for name in declared if name in passed],
        owed=owed,
    )


def _declared(pack: Pack, clause: Clause, verdicts: Sequence[Verdict]) -> list[str]:
    """The alternatives that the policies of the verdicts leave in force."""
    policies: Mapping[str, str] = choose_policies(pack, {}, [pack])
    for verdict in verdicts:
        policies = {**policies, **verdict.policies}
    return [one.id for one in clause.alternatives if chosen(one.when, policies)]


def _clause_points(one: ClauseSummary) -> list[OpenPoint]:
    if one.complete or one.untouched or (one.verdict is Outcome.PASS and not one.owed):
        return []
    if one.verdict is not Outcome.PASS:
        told = {"clause": one.clause, "verdict": one.verdict.value, "reason": one.reason, "scenario": one.scenario}
        return [OpenPoint("clause", told)]
    lacking = [name for name in one.declared if name not in one.passed]
    return [OpenPoint("alternatives", {"clause": one.clause, "lacking": ", ".join(lacking)})]


def _pack_points(owed: Sequence[str], clauses: Sequence[ClauseSummary]) -> list[OpenPoint]:
    """A pack of which nothing concerns the table was not tested at all, and a rule that was not tested is not kept."""
    shown = {one.pack for one in clauses if one.verdict is Outcome.PASS}
    return [OpenPoint("pack", {"pack": pack}) for pack in owed if pack not in shown]


def _scenario_points(verdicts: Sequence[Verdict], scenarios: Sequence[str | Planned]) -> list[OpenPoint]:
    judged = {verdict.scenario for verdict in verdicts}
    names = [one if isinstance(one, str) else one.id for one in scenarios]
    points = [OpenPoint("unjudged", {"scenario": name}) for name in names if name not in judged]
    if not names:
        points.append(OpenPoint("empty"))
    unsettled = (Outcome.INCONCLUSIVE, Outcome.NEEDS_OPERATOR_INPUT)
    doubtful = dict.fromkeys(verdict.scenario for verdict in verdicts if verdict.verdict in unsettled)
    points += [OpenPoint("doubtful", {"scenario": name}) for name in doubtful]
    rows = {(verdict.scenario, verdict.clause): verdict for verdict in verdicts}
    for one in scenarios:
        if isinstance(one, str):
            continue
        for cover in one.covers:
            clause, _, alternative = cover.partition(":")
            row = rows.get((one.id, clause))
            idle = row is None or row.verdict in (Outcome.NOT_TRIGGERED, Outcome.NOT_APPLICABLE)
            if idle or (row is not None and alternative and alternative not in row.alternatives):
                points.append(OpenPoint("idle", {"scenario": one.id, "cover": cover}))
    return points
