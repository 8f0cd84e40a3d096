"""Two runs beside each other: what got worse, what moved beyond its noise, and what a release gate is told."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardcert.__main__ import main
from evidence import events as e
from reports.diff.compare import Change, Comparison, Side, compare
from reports.diff.told import as_data, as_markdown, gate
from reports.run_view import RunView
from tests.reports.report_runs import RunSketch, jam_scenario

CLAUSE = "LAB.A"
DEVICE = {"device": "shoe", "role": "shoe", "maker": "M", "model": "S", "firmware": "1.0", "firmware_sha256": "ab" * 32}


def a_run(folder: Path, verdict: str, dispense_s: Sequence[float] = (), **more: Any) -> RunView:
    """A run of a pack that is not installed: one clause, and a scenario for each group dispensed."""
    sketch = RunSketch(folder)
    seen = jam_scenario(sketch, "jam", "A jam")
    sketch.judge(CLAUSE, verdict, "So it was.", seen)
    for number, duration_s in enumerate(dispense_s):
        sketch.scenario = f"deal-{number}"
        sketch.add("device:shoe", e.DeviceCommanded(device="shoe", command="deal_group"))
        sketch.add("device:shoe", e.DeviceDispensed(device="shoe", unit="group", index=1, count=7), duration_s)
    return RunView.load(sketch.finish(**({"packs": [], "devices": [DEVICE], "overall": "CONFORMS"} | more)))


@pytest.mark.parametrize(
    ("was", "now", "direction", "status"),
    [
        ("PASS", "FAIL", "worse", 1),
        ("PASS", "INCONCLUSIVE", "worse", 3),
        ("PASS", "NOT_TRIGGERED", "worse", 3),
        ("INCONCLUSIVE", "FAIL", "worse", 1),
        ("FAIL", "PASS", "better", 0),
        ("NOT_TRIGGERED", "PASS", "better", 0),
        ("FAIL", "INCONCLUSIVE", "better", 0),
        ("PASS", "NOT_APPLICABLE", "other", 0),
        ("NOT_TRIGGERED", "INCONCLUSIVE", "other", 0),
        ("PASS", "passed?", "worse", 3),
    ],
)
def test_a_changed_verdict_and_what_the_gate_says(
    tmp_path: Path, was: str, now: str, direction: str, status: int
) -> None:
    found = compare(a_run(tmp_path / "a", was), a_run(tmp_path / "b", now))
    (change,) = found.changes
    assert (change.clause, change.was, change.now, change.direction) == (CLAUSE, was, now, direction)
    assert gate(found) == status


def test_a_clause_that_is_not_judged_any_more_is_worse() -> None:
    assert Change(CLAUSE, "LAB", "PASS", "ABSENT", "").direction == "worse"


def test_the_same_run_changes_nothing(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a", "FAIL", (1.0, 1.1, 1.2))
    found = compare(run, run)
    assert (found.changes, found.moved, gate(found, timing=True)) == ((), (), 0)


def test_a_time_that_moved_beyond_its_noise_is_told_and_gates_only_where_asked(tmp_path: Path) -> None:
    before = a_run(tmp_path / "a", "PASS", [1.00, 1.01, 0.99, 1.02, 0.98])
    after = a_run(tmp_path / "b", "PASS", [1.20, 1.21, 1.19, 1.22, 1.18])
    found = compare(before, after)
    (moved,) = found.moved
    assert moved.quantity.id == "shoe dispense group"
    assert moved.by_s == pytest.approx(0.2)
    assert (gate(found), gate(found, timing=True)) == (0, 1)
    assert gate(compare(after, before), timing=True) == 0, "faster is not worse"


def test_a_time_within_its_noise_did_not_move(tmp_path: Path) -> None:
    before = a_run(tmp_path / "a", "PASS", [1.0, 1.4, 0.8, 1.2, 0.9])
    after = a_run(tmp_path / "b", "PASS", [1.1, 1.5, 0.9, 1.3, 1.0])
    found = compare(before, after)
    assert found.moved == ()
    assert found.compared_times == 1


def test_of_too_few_scenarios_nothing_is_said(tmp_path: Path) -> None:
    found = compare(a_run(tmp_path / "a", "PASS", [1.0, 1.0]), a_run(tmp_path / "b", "PASS", [9.0, 9.0]))
    assert (found.moved, found.compared_times) == ((), 0)
    assert "shoe dispense group" in found.untold_times


def test_both_firmwares_are_named_in_every_form(tmp_path: Path) -> None:
    newer = DEVICE | {"firmware": "2.0", "firmware_sha256": "cd" * 32}
    found = compare(a_run(tmp_path / "a", "PASS"), a_run(tmp_path / "b", "PASS", devices=[newer]))
    text = as_markdown(found)
    assert "| device shoe ≠ | M S 1.0 (abababababab) | M S 2.0 (cdcdcdcdcdcd) |" in text
    data = as_data(found, 0)
    assert [side["devices"][0]["firmware"] for side in (data["before"], data["after"])] == ["1.0", "2.0"]


def test_what_differs_beside_the_items_is_told(tmp_path: Path) -> None:
    before = a_run(tmp_path / "a", "PASS")
    other = a_run(
        tmp_path / "b", "PASS", plan={"name": "p", "sha256": "33" * 32}, policies={"x": "y"}, defects=["software:late"]
    )
    found = compare(before, other)
    assert found.differences == ("plan", "policies", "defects of b")
    assert gate(found) == 3, "a run with defects switched on certifies nothing"


@given(st.text(max_size=40))
def test_no_foreign_text_becomes_markup_or_breaks_the_table(hostile: str) -> None:
    device = DEVICE | {"maker": hostile, "firmware": hostile}
    one = Side("f", "p", "o", "t", (device,), {"maker": hostile}, {}, {}, ())
    change = Change(hostile, "p", "PASS", "FAIL", hostile)
    text = as_markdown(Comparison(one, one, (change,), (), 0, (hostile,), (hostile,)))
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.replace("\\|", "").count("|") in (4, 6)
    assert len(text.splitlines()) < 40


def test_the_command_prints_markdown_or_json_and_returns_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(tmp_path / "a", "PASS")
    a_run(tmp_path / "b", "FAIL")
    kept = tmp_path / "changes.md"
    command = ["report", "diff", str(tmp_path / "a"), str(tmp_path / "b")]
    assert main([*command, "--markdown", str(kept)]) == 1
    printed = capsys.readouterr().out
    assert printed == kept.read_text()
    assert "| LAB.A | PASS | FAIL | worse |" in printed
    assert main([*command, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["status"], data["clauses"][0]["now"]) == (1, "FAIL")


@pytest.mark.parametrize("folders", [["diff", "a"], ["diff", "a", "b", "c"], ["a", "b"]])
def test_a_wrong_number_of_folders_is_refused(folders: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *folders]) == 2
    assert "report" in capsys.readouterr().err


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a_run(tmp_path / "a", "PASS")
    assert main(["report", "diff", str(tmp_path / "a"), str(tmp_path / "none")]) == 2
    assert "expected a run folder" in capsys.readouterr().err
