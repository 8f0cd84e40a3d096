"""Stories handed to allure-pytest in a real test run, as a certification does it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.run_view import RunView
from tests.reports.report_runs import small_run

PROJECT = Path(__file__).parents[2]
MODULE = """
import os, pytest
from pathlib import Path
from reports.allure_content import describe_clause, emit
from reports.run_view import RunView

RUN = RunView.load(Path(os.environ["RUN_FOLDER"]))

@pytest.mark.parametrize(("scenario", "clause"), RUN.cases())
def test_clause(scenario, clause):
    story = describe_clause(RUN, scenario, clause)
    emit(story)
    if story.status == "failed":
        pytest.fail(story.reason, pytrace=False)
    assert story.status == "passed"
"""


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunView, Path, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("emit")
    run = small_run(folder / "run")
    (folder / "test_emit_stories.py").write_text(MODULE)
    arguments = ["-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "--alluredir", str(folder / "results")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, "-c", "/dev/null", str(folder / "test_emit_stories.py")],
        env={"PYTHONPATH": str(PROJECT), "RUN_FOLDER": str(run), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr  # the run holds a non-conformity
    results = [json.loads(path.read_text()) for path in (folder / "results").glob("*-result.json")]
    return RunView.load(run), folder / "results", results


def labels(result: dict[str, Any]) -> dict[str, str]:
    return {label["name"]: label["value"] for label in result["labels"]}


def one(results: list[dict[str, Any]], scenario: str, clause: str) -> dict[str, Any]:
    (found,) = [r for r in results if (labels(r)["scenario"], labels(r)["clause"]) == (scenario, clause)]
    return found


def test_there_is_one_result_for_each_case_with_a_history_of_its_own(emitted: Any) -> None:
    run, _, results = emitted
    assert {(labels(r)["scenario"], labels(r)["clause"]) for r in results} == set(run.cases())
    assert len({result["historyId"] for result in results}) == len(results) == len(run.cases())


def test_behaviours_are_authority_pack_and_clause(emitted: Any) -> None:
    found = labels(one(emitted[2], "shoe-jam-ignored", "PR-PGP-SHOE.A.1"))
    assert found["epic"] == "Puerto Rico Gaming Commission"
    assert found["feature"] == "PR-PGP-SHOE"
    assert found["story"].startswith("PR-PGP-SHOE.A.1")
    assert found["verdict"] == "FAIL"


def test_steps_carry_their_status_and_no_stack_of_this_machine(emitted: Any) -> None:
    result = one(emitted[2], "shoe-jam-ignored", "PR-PGP-SHOE.A.1")
    steps = {step["name"].partition(":")[0]: step for step in result["steps"]}
    assert {name: step["status"] for name, step in steps.items()} == {
        "Inject": "passed",
        "Observe": "passed",
        "Obligation": "failed",
        "Verdict": "failed",
    }
    assert {line["status"] for line in steps["Obligation"].get("steps", [])} == {"failed"}
    assert str(PROJECT) not in json.dumps(result["steps"])
    unproven = one(emitted[2], "shoe-jam-unproven", "PR-PGP-SHOE.A.1")
    assert unproven["steps"][0]["status"] == "broken"


def test_pictures_drawing_and_transcript_are_stored_beside_the_result(emitted: Any) -> None:
    _, folder, results = emitted
    result = one(results, "shoe-jam-voids", "PR-PGP-SHOE.A.1")
    papers = [paper for step in result["steps"] for paper in step.get("attachments", [])]
    assert [paper["type"] for paper in papers] == ["image/jpeg", "image/svg+xml", "text/plain"]
    assert (folder / papers[0]["source"]).read_bytes().startswith(b"\xff\xd8")
    assert (folder / papers[1]["source"]).read_bytes().startswith(b"<svg")
