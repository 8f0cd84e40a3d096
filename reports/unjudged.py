"""Every case of a run, one for each clause in each scenario: also those that nothing was judged of."""

from dataclasses import dataclass

from reports.run_view import RunView
from reports.shape import mappings
from reports.story import GRAVEST_FIRST, status_of

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


def unjudged(run: RunView) -> tuple[tuple[str, str], ...]:
    """Scenario and clause where `run.json` says that a scenario covers a clause, but no verdict stands."""
    judged = set(run.cases())
    cases: dict[tuple[str, str], None] = {}
    for scenario in mappings(run.run.get("scenarios")):
        covers = scenario.get("covers")
        for cover in covers if isinstance(covers, list) else []:
            case = (str(scenario.get("id", "")), str(cover).partition(":")[0])
            if case not in judged:
                cases[case] = None
    return tuple(cases)


def _judged(run: RunView, scenario: str, clause: str) -> Case:
    rows = run.rows(scenario, clause)
    gravest = min(rows, key=lambda row: GRAVEST_FIRST.index(status_of(row.verdict)))
    return Case(scenario, gravest.pack, clause, gravest.verdict, gravest.reason)


def _missing(run: RunView, scenario: str, clause: str) -> Case:
    status = str(run.scenario(scenario).get("status") or "not started")
    reason = f"No verdict on this clause stands in verdicts.json; the scenario is {status}."
    return Case(scenario, str(run.scenario(scenario).get("pack") or "pack not stated"), clause, MISSING, reason)
