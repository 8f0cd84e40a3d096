"""Every case of a run, one for each clause in each scenario: also those that nothing was judged of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reports.run_view import RunView
from reports.shape import mappings
from reports.story import gravest, status_of

MISSING = "MISSING"


@dataclass(frozen=True)
class Case:
    """One clause in one scenario. Of several requirements judged there it carries the gravest verdict."""

    scenario: str
    pack: str
    clause: str
    verdict: str
    reason: str


def all_cases(run: RunView) -> tuple[Case, ...]:
    """The judged cases in the order of `verdicts.json`, then those without a verdict, marked `MISSING`."""
    return tuple(_judged(run, *case) for case in run.cases()) + tuple(_missing(run, *case) for case in unjudged(run))


def told_cases(run: RunView) -> tuple[tuple[str, str], ...]:
    """The cases that a page tells in full: what a scenario covers, what went wrong anywhere, and what was not judged.

    Of a scenario that `run.json` does not list every case is told.

    A clause that a scenario does not cover mostly was not triggered there; every scenario times every clause would bury
    what matters. Those stand in `verdicts.json` and `junit.xml`.
    """
    covered = {(str(s.get("id")), clause) for s in mappings(run.run.get("scenarios")) for clause in _covers(s)}
    unlisted = set(run.scenarios_judged) - {str(s.get("id")) for s in mappings(run.run.get("scenarios"))}
    told = [
        case
        for case in run.cases()
        if case in covered or case[0] in unlisted or status_of(_judged(run, *case).verdict) in ("failed", "broken")
    ]
    return (*told, *unjudged(run))


def unjudged(run: RunView) -> tuple[tuple[str, str], ...]:
    """Scenario and clause where `run.json` says that a scenario covers a clause, but no verdict stands."""
    judged = set(run.cases())
    cases: dict[tuple[str, str], None] = {}
    for scenario in mappings(run.run.get("scenarios")):
        for clause in _covers(scenario):
            case = (str(scenario.get("id", "")), clause)
            if case not in judged:
                cases[case] = None
    return tuple(cases)


def _covers(scenario: Mapping[str, Any]) -> tuple[str, ...]:
    covers = scenario.get("covers")
    return tuple(str(cover).partition(":")[0] for cover in covers) if isinstance(covers, list) else ()


def _judged(run: RunView, scenario: str, clause: str) -> Case:
    row = gravest(run.rows(scenario, clause), lambda row: row.verdict)
    return Case(scenario, row.pack, clause, row.verdict, row.reason)


def _missing(run: RunView, scenario: str, clause: str) -> Case:
    status = str(run.scenario(scenario).get("status") or "not started")
    reason = f"No verdict on this clause stands in verdicts.json; the scenario is {status}."
    return Case(scenario, str(run.scenario(scenario).get("pack") or "pack not stated"), clause, MISSING, reason)
