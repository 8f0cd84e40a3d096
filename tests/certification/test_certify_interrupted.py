"""A run that is stopped or killed leaves valid evidence, never a pass, and can be resumed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.certification.conftest import TIMEOUT_S, WITHOUT_PAGE, cardcert, certify
from tests.shared_runs import wait_until

SCENARIOS = ("nj-h", "nj-i1-entry", "pr-proper")
REACHED = b'"scenario":"nj-i1-entry"'


def interrupted(folder: Path, number: signal.Signals, *, page: bool = False) -> int:
    """Start a run, send it a signal in the middle of its second scenario, return its exit status."""
    chosen = [argument for name in SCENARIOS for argument in ("--scenario", name)]
    process = subprocess.Popen(
        [sys.executable, "-m", "cardcert", "certify", "--out", str(folder), *chosen],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ if page else {**os.environ, **WITHOUT_PAGE},
    )
    journal = folder / "journal" / "events.jsonl"
    wait_until(lambda: journal.exists() and REACHED in journal.read_bytes(), process)
    process.send_signal(number)
    return process.wait(timeout=TIMEOUT_S)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_is_valid_verifiable_and_inconclusive(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "run"
    page = number is signal.SIGINT  # it takes longer than the rest, and knows nothing of the signal
    assert interrupted(folder, number, page=page) == 3
    run = json.loads((folder / "run.json").read_text())
    status = {scenario["id"]: scenario["status"] for scenario in run["scenarios"]}
    assert status == {"nj-h": "completed", "nj-i1-entry": "interrupted", "pr-proper": "not run"}
    assert run["overall"] == "INCONCLUSIVE"
    verdicts = json.loads((folder / "verdicts.json").read_text())
    assert {row["verdict"] for row in verdicts if row["scenario"] == "nj-i1-entry"} == {"INCONCLUSIVE"}
    assert (folder / "allure-report.html").is_file() is page
    assert cardcert("verify", str(folder)).status == 0


def test_a_killed_run_is_resumed_and_comes_to_the_same_verdicts(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    assert interrupted(killed, signal.SIGKILL) == -signal.SIGKILL
    assert json.loads((killed / "run.json").read_text())["overall"] == "INCONCLUSIVE"
    resumed = certify(killed, SCENARIOS, "--resume")
    undisturbed = certify(tmp_path / "whole", SCENARIOS)
    assert resumed.verdicts() == undisturbed.verdicts()
    assert cardcert("verify", str(killed)).status == 0


def test_a_run_is_not_resumed_as_another_one(tmp_path: Path) -> None:
    certify(tmp_path / "run", ["pr-unapproved"])
    other = certify(tmp_path / "run", ["pr-unapproved"], "--seed", "2", "--resume")
    assert other.status == 2
    assert "begun with seed 1" in other.err


def test_a_run_is_never_written_over(tmp_path: Path) -> None:
    first = certify(tmp_path / "run", ["pr-unapproved"])
    before = (first.folder / "journal" / "events.jsonl").read_bytes()
    again = certify(tmp_path / "run", ["pr-unapproved"])
    assert again.status == 2
    assert "not empty" in again.err
    assert (first.folder / "journal" / "events.jsonl").read_bytes() == before


def test_one_changed_byte_is_found_and_named(tmp_path: Path) -> None:
    run = certify(tmp_path / "run", ["pr-unapproved"])
    for name in ("journal/events.jsonl", "verdicts.json", "run.json", "plan.json"):
        path = run.folder / name
        sound = path.read_bytes()
        path.write_bytes(sound[:200] + bytes([sound[200] ^ 1]) + sound[201:])
        verified = cardcert("verify", str(run.folder))
        assert verified.status in (1, 2, 3), name
        assert name in verified.out + verified.err
        path.write_bytes(sound)
    assert cardcert("verify", str(run.folder)).status == 0
