"""What is done with a run folder afterwards: judged again, reported again, verified."""

import json
from pathlib import Path
from typing import Any

import pytest

from reports.manifest import write_manifest
from tests.certification.conftest import Finished, cardcert, certify


@pytest.fixture(scope="module")
def defective_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("defective") / "run"
    return certify(folder, ["pr-unapproved"], "--defect", "use_unapproved_device")


def alter(folder: Path, **changes: Any) -> None:
    """Change entries of `run.json`, and the manifest with it as somebody would who wants to hide that."""
    path = folder / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    write_manifest(folder)


def test_a_run_judged_again_still_says_which_defects_were_switched_on(defective_run: Finished) -> None:
    assert cardcert("judge", str(defective_run.folder), "--write").status == 1
    assert defective_run.json("run.json")["defects"] == ["software:use_unapproved_device"]
    assert cardcert("verify", str(defective_run.folder)).status == 0


def test_an_overall_result_that_the_journal_does_not_bear_out_is_found(defective_run: Finished) -> None:
    assert defective_run.json("run.json")["overall"] == "NON_CONFORMITY"
    alter(defective_run.folder, overall="CONFORMS")
    verified = cardcert("verify", str(defective_run.folder))
    alter(defective_run.folder, overall="NON_CONFORMITY")
    assert verified.status == 1
    assert "run.json: states CONFORMS, but NON_CONFORMITY follows from the journal" in verified.out


def test_a_run_file_that_says_nothing_of_the_journal_is_a_finding(defective_run: Finished) -> None:
    journal = defective_run.json("run.json")["journal"]
    alter(defective_run.folder, journal=None)
    verified = cardcert("verify", str(defective_run.folder))
    alter(defective_run.folder, journal=journal)
    assert verified.status == 1
    assert "does not hold: run.json: " in verified.out


def test_a_scenario_that_could_not_be_played_is_not_told_as_played_when_reported_again(
    defective_run: Finished,
) -> None:
    scenarios = defective_run.json("run.json")["scenarios"]
    alter(defective_run.folder, scenarios=[{**row, "status": "rig_fault"} for row in scenarios])
    cardcert("report", str(defective_run.folder))
    results = [json.loads(path.read_text()) for path in (defective_run.folder / "allure-results").glob("*-result.json")]
    alter(defective_run.folder, scenarios=scenarios)
    played = [result for result in results if result["name"].startswith("test_scenario")]
    assert [result["status"] for result in played] == ["failed"]
