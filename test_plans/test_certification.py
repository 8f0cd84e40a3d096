"""A certification as pytest tests: every scenario is run on the rig, then every clause that it covers is judged.

`cardcert certify` runs this module; it can also be run with pytest alone:
`pytest --plan PLAN --rig RIG --out DIR test_plans/test_certification.py`.
"""

import pytest

from bench.plan import Scenario
from fixtures.playing import Play
from fixtures.progress import Progress
from reports.allure_content import describe_clause, emit
from reports.run_view import RunView


def test_scenario(cardcert_play: Play, cardcert_progress: Progress, cardcert_scenario: Scenario) -> None:
    """The scenario can be played to its end on this rig."""
    status = cardcert_play(cardcert_scenario)
    cardcert_progress.step(cardcert_scenario.id)
    if status != "completed":
        pytest.fail(f"INCONCLUSIVE: {cardcert_scenario.id} could not be played to its end: {status}", pytrace=False)


def test_clause(cardcert_run: RunView, cardcert_scenario: Scenario, cardcert_clause: str) -> None:
    """The clause holds in this scenario."""
    story = describe_clause(cardcert_run, cardcert_scenario.id, cardcert_clause)
    emit(story)
    if story.verdict != "PASS":
        pytest.fail(f"{story.verdict}: {story.reason}", pytrace=False)


def test_other_clauses(cardcert_run: RunView, cardcert_scenario: Scenario) -> None:
    """No clause beyond those covered is broken or left open by this scenario."""
    covered = {cover.partition(":")[0] for cover in cardcert_scenario.covers}
    findings = [
        f"{row.verdict}: {row.clause}: {row.reason}"
        for row in cardcert_run.verdicts
        if row.scenario == cardcert_scenario.id and row.clause not in covered
        and row.verdict not in ("PASS", "NOT_TRIGGERED", "NOT_APPLICABLE")
    ]  # fmt: skip
    if findings:
        pytest.fail("\n".join(sorted(findings)), pytrace=False)
