"""The history log of a Deck Mate 1: read strictly, and held against what the bench has on record."""

import datetime
import json
from pathlib import Path

import pytest

from bench.histories import Seen, compare
from bench.protocol.deckmate_log import read_log
from cardcert.__main__ import main
from evidence.events import DeviceFault, FaultProven, LineSeen
from evidence.journal import Journal

GOOD = "Jam Recovery: Time:21:04:33,Date:11-30-26,P:118,G:40,Cyc:1057"


def write(folder: Path, *lines: str) -> Path:
    path = folder / "history.log"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_every_event_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["Powered Up", "Auto Setups", "Extra Card", "Missing Card", "Jam Recovery", "Door Opened"]
    lines = [GOOD.replace("Jam Recovery", name) for name in names]
    assert main(["import", "deckmate-log", str(write(tmp_path, "# banner", "", *lines)), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["kind"] for row in rows] == [
        "powered_up", "auto_setup", "extra_card", "missing_card", "jam_recovery", "door_opened",
    ]  # fmt: skip
    assert rows[0] == {
        "line": 3, "kind": "powered_up", "at": "2026-11-30T21:04:33", "platform": 118, "gripper": 40, "cycle": 1057,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("DECK MATE v1.2", "Take a banner out"),
        (GOOD + " ", "is no entry"),
        (GOOD.replace("P:118", "P:x"), "is no entry"),
        (GOOD.replace("Cyc:1057", "Cyc:1234567890"), "is no entry"),
        (GOOD.replace("Jam Recovery", "Fire"), "'Fire' is not known"),
        (GOOD.replace("11-30-26", "02-30-26"), "expected MM-DD-YY"),
        (GOOD.replace("21:04:33", "25:04:33"), "expected MM-DD-YY"),
        ("x" * 300, "Is a line end missing"),
        ("Jam\x00: Time", "is no entry"),
        ("\u00e9" + GOOD, "is no entry"),
    ],
)
def test_a_line_of_another_form_is_told_with_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    assert main(["import", "deckmate-log", str(write(tmp_path, GOOD, line))]) == 2
    error = capsys.readouterr().err
    assert "line 2" in error
    assert told in error


def test_an_empty_an_endless_and_a_missing_log_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "deckmate-log", str(write(tmp_path, "# nothing"))]) == 2
    assert "holds no entry" in capsys.readouterr().err
    (tmp_path / "history.log").write_bytes(b"x" * (4 * 1024 * 1024 + 1))
    assert main(["import", "deckmate-log", str(tmp_path / "history.log")]) == 2
    assert "Give only the log" in capsys.readouterr().err
    assert main(["import", "deckmate-log", str(tmp_path / "no.log")]) == 2


def run_folder(folder: Path) -> tuple[Path, list[str]]:
    """A journal with a jam, told by the shuffler and proven, and an open lid; and their times as the log has them."""
    with Journal.create(folder / "run", lambda: 0) as journal:
        records = [
            journal.append(
                DeviceFault(device="shuffler", code="CARD_STUCK_ON_EXIT", symptom="jam"), source="device:shuffler"
            ),
            journal.append(
                FaultProven(fault="card_stuck_on_exit", target="shuffler", symptom="jam", by=[0], means="line"),
                source="bench:prover",
            ),
            journal.append(LineSeen(line="shuffler/lid", level=0, at_ns=1), source="instrument:probe"),
        ]
    stamps = [record.utc for record in records]
    return folder / "run", [f"Time:{utc[11:19]},Date:{utc[5:10]}-{utc[2:4]},P:1,G:2,Cyc:3" for utc in stamps]


def compared(
    log: Path, run: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, dict[str, list[object]]]:
    status = main(["import", "deckmate-log", str(log), "--run", str(run), "--json", *more])
    return status, json.loads(capsys.readouterr().out)


def test_what_both_have_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, times = run_folder(tmp_path)
    log = write(tmp_path, f"Auto Setup: {times[0]}", f"Jam Recovery: {times[0]}", f"Door Opened: {times[2]}")
    status, found = compared(log, run, capsys)
    assert status == 0
    assert len(found["both"]) == 2
    assert found["device_only"] == found["bench_only"] == []


def test_what_one_side_alone_has_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, times = run_folder(tmp_path)
    log = write(tmp_path, f"Missing Card: {times[0]}", f"Door Opened: {times[2]}", f"Door Opened: {times[2]}")
    status, found = compared(log, run, capsys)
    assert status == 1
    assert [(one["kind"], one["line"]) for one in found["device_only"]] == [  # type: ignore[index]
        ("missing_card", 1), ("door_opened", 3),
    ]  # fmt: skip
    assert [(one["kind"], one["seq"]) for one in found["bench_only"]] == [("jam_recovery", 0)]  # type: ignore[index]


def test_entries_of_another_day_say_nothing_of_this_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, times = run_folder(tmp_path)
    old = "Missing Card: Time:10:00:00,Date:01-01-20,P:1,G:2,Cyc:3"
    log = write(tmp_path, old, f"Jam Recovery: {times[0]}", f"Door Opened: {times[2]}")
    status, found = compared(log, run, capsys)
    assert status == 0
    assert json.dumps(found["outside"]) == "1"


def test_a_clock_that_is_ahead_is_set_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, times = run_folder(tmp_path)
    log = write(tmp_path, f"Jam Recovery: {times[0]}", f"Door Opened: {times[2]}")
    assert compared(log, run, capsys, "--clock-ahead", "7200")[0] == 1
    assert compared(log, run, capsys, "--clock-ahead", "20")[0] == 0
    assert main(["import", "deckmate-log", str(log), "--run", str(run), "--within", "-1"]) == 2


def test_two_of_a_kind_that_lie_too_far_apart_are_not_one(tmp_path: Path) -> None:
    (entry,) = read_log(write(tmp_path, GOOD))
    later = Seen(7, "jam_recovery", entry.at + datetime.timedelta(seconds=61))
    span = (entry.at - datetime.timedelta(seconds=5), entry.at + datetime.timedelta(seconds=300))
    assert compare([entry], [later], span, within_s=61).both == [(entry, later)]
    apart = compare([entry], [later], span, within_s=60)
    assert (apart.both, apart.device_only, apart.bench_only) == ([], [entry], [later])


def test_the_nearest_are_paired_first(tmp_path: Path) -> None:
    first, second = read_log(write(tmp_path, GOOD, GOOD.replace("21:04:33", "21:04:53")))
    seen = Seen(7, "jam_recovery", second.at + datetime.timedelta(seconds=1))
    span = (first.at, second.at)
    assert compare([first, second], [seen], span, within_s=60).both == [(second, seen)]
