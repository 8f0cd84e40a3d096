"""Ctrl-C ends a run in good order; a second one ends it at once, in one line and with nothing lost."""

import json
import os
import select
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.sigkill import lines
from cardcert.__main__ import main
from tests.certification.conftest import TIMEOUT_S, certify
from tests.shared_runs import wait_until

SCENARIOS = ("pr-unapproved", "nj-h")
REACHED = b'"scenario":"nj-h"'


def stopped_twice(folder: Path, number: signal.Signals) -> subprocess.CompletedProcess[str]:
    """A run that gets a signal in its second scenario, and again as soon as the first has been recorded."""
    command = [sys.executable, "-m", "cardcert", "certify", "--no-sensitivity", "--out", str(folder)]
    command += [f"--scenario={name}" for name in SCENARIOS]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    journal = folder / "journal" / "events.jsonl"

    def recorded(awaited: bytes) -> bool:
        return journal.exists() and awaited in journal.read_bytes()

    for awaited in (REACHED, b'"status":"interrupted"'):
        wait_until(partial(recorded, awaited), process)
        process.send_signal(number)
    out, err = process.communicate(timeout=TIMEOUT_S)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def test_asked_twice_it_ends_at_once_and_can_be_gone_on_with(tmp_path: Path) -> None:
    """By SIGTERM as by SIGINT: both have the same handler, and what SIGINT does once is tested beside certification."""
    folder = tmp_path / "run"
    done = stopped_twice(folder, signal.SIGTERM)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "stopped at once; what was recorded stands" in done.stderr
    assert json.loads((folder / "run.json").read_text())["overall"] == "INCONCLUSIVE"
    before = lines(folder)
    resumed = certify(folder, SCENARIOS, "--resume", "--no-sensitivity")
    assert lines(folder)[: len(before)] == before
    assert resumed.verdicts() == certify(tmp_path / "whole", SCENARIOS, "--no-sensitivity").verdicts()
    assert main(["verify", str(folder)]) == 0


def test_the_matrix_ends_with_the_run_it_was_made_for(tmp_path: Path) -> None:
    """A killed run leaves no process at work behind it."""
    program = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-m', 'cardcert', 'sensitivity', '--quiet', '--out',\n"
        "    sys.argv[1], '--jobs', '1', '--parent', str(os.getpid())])\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "made.json")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        watch = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        parent.wait()
    try:
        poller = select.poll()
        poller.register(watch, select.POLLIN)
        assert poller.poll(TIMEOUT_S * 1000), "the matrix lives on"
    finally:
        os.close(watch)
    assert not (tmp_path / "made.json").exists()
