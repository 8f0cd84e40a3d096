"""The outcome of each clause over all scenarios of a run, as `rules` sums it up; nothing is weighed here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from reports.run_view import RunView, VerdictRow
from reports.shape import mappings
from reports.story import gravest
from reports.unjudged import Case, all_cases
from reports.wordbook import LANGUAGES, wordbook
from rules.summary import ClauseSummary, OpenPoint, Summary, summarise
from rules.verdicts import Verdict


@dataclass(frozen=True)
class AlternativeOutcome:
    """One of the ways in which a clause can be triggered, with the scenarios that triggered it."""

    id: str
    verdict: str
    scenarios: tuple[str, ...]


@dataclass(frozen=True)
class ClauseOutcome:
    """One clause over all scenarios."""

    pack: str
    clause: str
    verdict: str
    reason: str
    alternatives: tuple[AlternativeOutcome, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    """The reason by language, where it was written in several."""
    owed: bool = True
    """Whether the plan has to show it."""

    @property
    def untouched(self) -> bool:
        """Whether nothing that was played is a matter of this clause, which the plan does not have to show."""
        return not self.owed and self.verdict in ("NOT_TRIGGERED", "NOT_APPLICABLE")

    def sentence(self, lang: str) -> str:
        """The reason in a language; as it was written where there is none in that language."""
        return self.reasons.get(lang) or self.reason


@dataclass(frozen=True)
class Outcomes:
    """All clauses, why the result is not CONFORMS, and the overall result that follows from the verdicts.

    `overall` is empty where it cannot be followed here, because the packs judged with are not those installed.
    """

    clauses: tuple[ClauseOutcome, ...]
    open_points: tuple[OpenPoint, ...]
    overall: str


def outcomes_of(run: RunView) -> Outcomes:
    """The outcomes of a run. Clauses of a pack that is not installed are told by their gravest verdict."""
    summary = _summary(run)
    summed = {clause.clause: clause for clause in summary.clauses} if summary else {}
    clauses = [_summed(run, clause) for clause in summed.values()]
    other: dict[str, list[Case]] = {}
    for case in all_cases(run):
        if case.clause not in summed:
            other.setdefault(case.clause, []).append(case)
    clauses += [_gathered(run, cases) for cases in other.values()]
    exact = summary is not None and not other and all(text.exact for text in run.clauses.values())
    points = tuple(summary.points) if summary else ()
    return Outcomes(tuple(clauses), points, summary.overall.value if summary and exact else "")


@dataclass(frozen=True)
class _Played:
    """A scenario as `run.json` lists it."""

    id: str
    pack: str
    also: tuple[str, ...]
    covers: tuple[str, ...]


def _played(listed: Mapping[str, Any]) -> _Played:
    also, covers = (
        tuple(map(str, names)) if isinstance(names := listed.get(key), list | tuple) else ()
        for key in ("also", "covers")
    )
    return _Played(str(listed.get("id", "")), str(listed.get("pack", "")), also, covers)


def _summary(run: RunView) -> Summary | None:
    if not run.packs:
        return None
    played = [_played(scenario) for scenario in mappings(run.run.get("scenarios"))]
    try:
        verdicts = msgspec.convert([msgspec.to_builtins(row) for row in run.verdicts], list[Verdict])
    except msgspec.ValidationError:
        return None
    return summarise(verdicts, run.packs, played)


def _summed(run: RunView, clause: ClauseSummary) -> ClauseOutcome:
    rows = [row for row in run.verdicts if row.clause == clause.clause]
    alternatives = tuple(_alternative(name, rows) for name in clause.declared)
    reasons = _reasons(run, clause.scenario, clause.clause)
    verdict = clause.verdict.value
    return ClauseOutcome(clause.pack, clause.clause, verdict, clause.reason, alternatives, reasons, clause.owed)


def _reasons(run: RunView, scenario: str, clause: str) -> Mapping[str, str]:
    rows = run.rows(scenario, clause)
    if not rows and not scenario:
        return {lang: wordbook(lang).say("unjudged", "clause") for lang in LANGUAGES}
    return gravest(rows, lambda row: row.verdict).reasons if rows else {}


def _gathered(run: RunView, cases: Sequence[Case]) -> ClauseOutcome:
    case = gravest(cases, lambda case: case.verdict)
    rows = [row for row in run.verdicts if row.clause == case.clause]
    names = dict.fromkeys(name for row in rows for name in row.alternatives)
    alternatives = tuple(_alternative(name, rows) for name in names)
    reasons = _reasons(run, case.scenario, case.clause)
    return ClauseOutcome(case.pack, case.clause, case.verdict, case.reason, alternatives, reasons)


def _alternative(name: str, rows: Sequence[VerdictRow]) -> AlternativeOutcome:
    triggered = [row for row in rows if name in row.alternatives]
    verdict = gravest(triggered, lambda row: row.verdict).verdict if triggered else "NOT_TRIGGERED"
    return AlternativeOutcome(name, verdict, tuple(dict.fromkeys(row.scenario for row in triggered)))
