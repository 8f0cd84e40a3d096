"""`junit.xml` says of every case what the judge said, in the words that build servers know."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from reports.junit import build_junit
from tests.reports.report_runs import RunSketch, jam_scenario, small_run


def outcomes(folder: Path) -> dict[tuple[str, str], tuple[str, str]]:
    root = ET.parse(build_junit(folder)).getroot()
    found = {}
    for case in root.iter("testcase"):
        outcome = case[0] if len(case) else ET.Element("passed", {"message": ""})
        found[case.attrib["name"], case.attrib["classname"]] = (outcome.tag, outcome.attrib["message"])
    return found


def test_every_verdict_becomes_its_outcome(tmp_path: Path) -> None:
    found = outcomes(small_run(tmp_path / "run"))
    assert {case: tag for case, (tag, _) in found.items()} == {
        ("shoe-jam-voids", "PR-PGP-SHOE.A.1"): "passed",
        ("shoe-jam-voids", "PR-PGP-SHOE.C"): "skipped",
        ("shoe-jam-ignored", "PR-PGP-SHOE.A.1"): "failure",
        ("shoe-jam-unproven", "PR-PGP-SHOE.A.1"): "error",
        ("shoe-jam-unproven", "PR-PGP-SHOE.B"): "error",
    }
    assert found["shoe-jam-voids", "PR-PGP-SHOE.C"][1] == "NOT_TRIGGERED: No card lay face up."
    assert found["shoe-jam-unproven", "PR-PGP-SHOE.B"][1].startswith("NEEDS_OPERATOR_INPUT: ")


def test_the_counts_are_those_of_the_cases(tmp_path: Path) -> None:
    root = ET.parse(build_junit(small_run(tmp_path / "run"))).getroot()
    counts = {name: root.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "5", "failures": "1", "errors": "2", "skipped": "1"}
    assert root.attrib["time"] == "21.500"


def test_a_scenario_that_was_never_judged_is_an_error(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    sketch.scenarios.append({"id": "s", "pack": "P", "covers": ["P.A:jam", "P.A:stop"], "status": "not run"})
    found = outcomes(sketch.finish())
    assert list(found) == [("s", "P.A")]
    assert found["s", "P.A"][0] == "error"
    assert "the scenario is not run" in found["s", "P.A"][1]


@pytest.mark.parametrize("word", ["PASS\u200b", "pass", "SOMETHING_NEW"])
def test_an_unknown_verdict_is_an_error(tmp_path: Path, word: str) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge("PR-PGP-SHOE.A.1", word, "")
    assert outcomes(sketch.finish())["s", "PR-PGP-SHOE.A.1"][0] == "error"


def test_characters_that_xml_cannot_hold_do_not_break_the_file(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge("PR-PGP-SHOE.A.1", "FAIL", "\x00\x0b\ufffe]]>&<b>\U000e0041")
    message = outcomes(sketch.finish())["s", "PR-PGP-SHOE.A.1"][1]
    assert message == "FAIL: <U+0000><U+000B><U+FFFE>]]>&<b><U+E0041>"
