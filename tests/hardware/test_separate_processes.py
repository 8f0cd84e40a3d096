"""A bench of separate processes, known to the run by port names and addresses alone, gives the same verdicts."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cardcert.shipped import RIGS
from tests.certification.conftest import certify
from tests.shared_runs import performed

SCALE = "10"
PATIENT = "options = { answer_timeout_s = 10 }"
"""Emulated seconds: a busy machine needs its real time however fast emulated time runs."""
SCENARIOS = ("nj-i1-entry", "nj-k-deal", "pr-e2a-short")
"""The second has both devices taken off the table, and the third finds them there again."""
START_TIMEOUT_S = 60


@contextmanager
def emulator(*arguments: str) -> Iterator[dict[str, Any]]:
    """One `cardcert emulate` process; yields the line it prints when ready."""
    command = [sys.executable, "-m", "cardcert", "emulate", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready: dict[str, Any] = json.loads(process.stdout.readline())
            yield ready
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=START_TIMEOUT_S) == 0


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A rig file that names a pty, a TCP port, a WebSocket and an HTTP stream of four processes."""
    tmp_path = tmp_path_factory.mktemp("bench")
    with emulator("camera", "--seed", "3") as camera, emulator("table") as table:
        world = ["--world", camera["world"], "--scale", SCALE]
        with (
            emulator("shuffler", "--link", str(tmp_path / "ttyShuffler"), *world) as shuffler,
            emulator("shoe", "--port", "tcp:0", *world) as shoe,
        ):
            text = (RIGS / "hardware-example.toml").read_text()
            for example, real in (
                (
                    'url = "/dev/ttyUSB0"',
                    f'{PATIENT}\ncontrol = "{shuffler["control"]}"\nurl = "{tmp_path / "ttyShuffler"}"',
                ),
                (
                    'url = "socket://127.0.0.1:8002"',
                    f'{PATIENT}\ncontrol = "{shoe["control"]}"\nurl = "{shoe["port"]}"',
                ),
                ("ws://127.0.0.1:8003", table["url"]),
                ("http://127.0.0.1:8004/stream.mjpg", camera["stream"]),
                ('kind = "person"', f'kind = "remote"\nurl = "{camera["world"]}"'),
                ("latency_s = 0.3", "latency_s = 0.05"),
                ("time_scale = 1.0", f"time_scale = {SCALE}.0"),
            ):
                assert example in text
                text = text.replace(example, real)
            path = tmp_path / "rig.toml"
            path.write_text(text)
            yield path


def played(out: Path, *arguments: str) -> dict[tuple[str, str], tuple[str, tuple[str, ...]]]:
    """Verdict and alternatives by scenario and clause."""
    certify(out, SCENARIOS, *arguments)
    run = json.loads((out / "run.json").read_text())
    assert {scenario["status"] for scenario in run["scenarios"]} == {"completed"}
    rows = json.loads((out / "verdicts.json").read_text())
    return {(row["scenario"], row["clause"]): (row["verdict"], tuple(row["alternatives"])) for row in rows}


def test_separate_processes_give_the_verdicts_of_the_virtual_run(rig: Path, tmp_path: Path) -> None:
    real = played(tmp_path / "real", "--rig", str(rig))
    virtual = played(tmp_path / "virtual")
    assert real == virtual
    # The fault of each device did its work and was judged.
    assert real["nj-i1-entry", "NJ-69F-33.12.i.1"] == ("PASS", ())
    assert real["pr-e2a-short", "PR-PGP-SHOE.E.2.a"] == ("PASS", ("more",))


def test_doctor_finds_the_bench_well(rig: Path) -> None:
    done = performed("doctor", "--rig", str(rig), "--json", folder=rig.parent)
    checks = json.loads(done.out)
    assert [check["seen"] for check in checks if not check["well"]] == []
    assert done.status == 0
    assert {check["name"] for check in checks} >= {"device shuffler", "device shoe", "camera", "table software"}
