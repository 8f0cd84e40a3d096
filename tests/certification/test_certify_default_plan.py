"""The main job: the default plan on the emulated rig conforms, and every defect is caught on its own clause."""

import hashlib
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from bench.plan import load_plan
from cardcert.shipped import find_plan
from evidence.events import CardsSeen, DeviceIdentity, LinkBytes
from evidence.journal import read_journal
from rules.loader import load_packs
from tests.certification.conftest import Finished, cardcert


def test_the_emulated_rig_conforms_to_all_sub_clauses(full_run: Finished) -> None:
    assert full_run.status == 0, full_run.err
    assert "CONFORMS: 133 of 133 clauses shown in full" in full_run.out
    assert full_run.json("run.json")["overall"] == "CONFORMS"


def test_every_covered_alternative_was_triggered_and_passed_in_its_own_scenario(full_run: Finished) -> None:
    rows = {(row["scenario"], row["clause"]): row for row in full_run.json("verdicts.json")}
    for scenario in load_plan(find_plan("default")).scenarios:
        for cover in scenario.covers:
            clause, _, alternative = cover.partition(":")
            row = rows[scenario.id, clause]
            assert row["verdict"] == "PASS", row
            assert not alternative or alternative in row["alternatives"], row


def test_every_defect_fails_its_requirement_and_only_what_is_declared_to_follow(full_run: Finished) -> None:
    matrix = full_run.json("sensitivity.json")
    assert [(row["clause"], row["requirement"]) for row in matrix] == [
        (clause.id, requirement.id)
        for pack in load_packs(load_plan(find_plan("default")).packs)
        for clause in pack.clauses
        for requirement in clause.requirements
    ]
    for row in matrix:
        assert row["defects"], row["clause"]
        assert row["compliant"] == "PASS", row["clause"]
        for defect in row["defects"]:
            assert defect["verdict"] == "FAIL", (row["clause"], defect)
            assert defect["undeclared"] == [], (row["clause"], defect)


def test_every_verdict_names_evidence_that_stands_in_the_journal(full_run: Finished) -> None:
    known = {record.seq: record for record in read_journal(full_run.folder)}
    for row in full_run.json("verdicts.json"):
        if row["verdict"] == "PASS":
            assert row["evidence"], row
        for number in row["evidence"]:
            assert known[number].scenario == row["scenario"]


def test_what_the_camera_saw_rests_on_stored_pictures(full_run: Finished) -> None:
    seen = [record.event for record in read_journal(full_run.folder) if isinstance(record.event, CardsSeen)]
    assert len(seen) > 1000
    for event in seen:
        picture = full_run.folder / "journal" / "attachments" / f"{event.frame}.jpg"
        assert hashlib.sha256(picture.read_bytes()).hexdigest() == event.frame


def test_devices_were_driven_over_bytes_and_identified(full_run: Finished) -> None:
    kinds = Counter(type(record.event) for record in read_journal(full_run.folder))
    scenarios = len(load_plan(find_plan("default")).scenarios)
    assert kinds[LinkBytes] > 50 * scenarios
    assert kinds[DeviceIdentity] == 2 * scenarios
    run = full_run.json("run.json")
    assert {device["role"] for device in run["devices"]} == {"shuffler", "shoe"}
    assert all(len(device["firmware_sha256"]) == 64 for device in run["devices"])


def test_junit_counts_what_the_verdicts_say(full_run: Finished) -> None:
    suites = ET.parse(full_run.folder / "junit.xml").getroot()
    cases = list(suites.iter("testcase"))
    rows = full_run.json("verdicts.json")
    assert len(cases) == len(rows)
    assert sum(case.find("failure") is not None for case in cases) == 0
    passed = [case for case in cases if case.find("skipped") is None and case.find("error") is None]
    assert len(passed) == sum(row["verdict"] == "PASS" for row in rows)


def test_reports_are_there_and_the_page_asks_nobody_for_anything(full_run: Finished) -> None:
    assert (full_run.folder / "certificate.pdf").read_bytes().startswith(b"%PDF-")
    page = (full_run.folder / "allure-report.html").read_text()
    assert "Content-Security-Policy" in page
    assert "googletagmanager" not in page
    results = [json.loads(path.read_text()) for path in (full_run.folder / "allure-results").glob("*-result.json")]
    told = {label["value"] for result in results for label in result["labels"] if label["name"] == "epic"}
    assert told == {pack.authority for pack in load_packs(None)}


def test_the_run_verifies_and_judges_the_same_again(full_run: Finished) -> None:
    verified = cardcert("verify", str(full_run.folder))
    assert (verified.status, verified.err) == (0, "")
    again = cardcert("judge", str(full_run.folder), "--json")
    assert again.status == 0
    assert json.loads(again.out)["changes"] == []


def test_another_policy_is_judged_on_the_same_evidence(full_run: Finished, tmp_path: Path) -> None:
    before = (full_run.folder / "verdicts.json").read_bytes()
    changed = cardcert("judge", str(full_run.folder), "--json", "--policy", "NJ-69F-33.12/next_from=physical")
    assert json.loads(changed.out)["judged"] == len(json.loads(before))
    assert (full_run.folder / "verdicts.json").read_bytes() == before
