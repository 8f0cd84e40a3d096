"""Output that cannot be written ends a command with one line or none, never with a traceback or as if all were well."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_output_to_a_full_disk_is_one_line_and_inconclusive(more: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "cardcert", "rules", "list", *more],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 3
    assert len(ended.stderr.splitlines()) == 1
    assert "the output: cannot be written in whole: No space left on device" in ended.stderr


def test_output_that_nobody_reads_to_its_end_is_no_success() -> None:
    words = [sys.executable, "-m", "cardcert", "rules", "list", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
    assert (process.returncode, told) == (3, b"")


@pytest.mark.parametrize("words", [["rules", "list"], ["--help"], ["camera", "preview", "--snapshots", "seen"], ["no"]])
def test_a_closed_standard_output_is_refused_in_one_line_before_anything_is_done(
    words: list[str], tmp_path: Path
) -> None:
    ended = closed(">&-", words, tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "cardcert: standard output is closed, and what is found would go unseen; send it to a file, or to /dev/null\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_closed_input_and_error_streams_change_nothing_else(tmp_path: Path) -> None:
    whole = closed("", ["faults", "list"], tmp_path)
    ended = closed("<&- 2>&-", ["faults", "list"], tmp_path)
    assert (ended.returncode, ended.stdout) == (whole.returncode, whole.stdout) == (0, whole.stdout)
    wrong = closed("2>&-", ["read", "absent.png"], tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, ""), "errors do not go among the results"


def closed(streams: str, words: list[str], where: Path) -> "subprocess.CompletedProcess[str]":
    """A command of which the shell has closed these streams."""
    line = f'exec "$@" {streams}'
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = ["sh", "-c", line, "sh", sys.executable, "-m", "cardcert", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=there, cwd=where)


def test_a_thread_left_within_the_camera_library_does_not_abort_the_command(tmp_path: Path) -> None:
    """The interpreter alone would end with -6: "terminate called without an active exception"."""
    code = (
        "import sys, threading, numpy as np, cv2\n"
        "from cardcert.process import Leaving\n"
        "leaving = Leaving()\n"
        "picture = np.zeros((400, 600, 3), np.uint8)\n"
        "begun = threading.Event()\n"
        "def look():\n"
        "    while True:\n"
        "        cv2.GaussianBlur(picture, (5, 5), 1.0)\n"
        "        begun.set()\n"
        "threading.Thread(target=look, daemon=True).start()\n"
        "begun.wait()\n"
        "print('said')\n"
        "leaving.status = 3\n"
        "sys.exit(3)\n"
    )
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=there)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "said\n", "")


def test_an_interrupt_within_code_made_from_text_does_not_end_the_command_by_that_signal(
    tmp_path: Path,
) -> None:
    """The interpreter alone, as started by -m, would end with -2, though the interrupt was dealt with."""
    code = (
        "import sys\n"
        "from cardcert.process import Leaving\n"
        "leaving = Leaving()\n"
        "try:\n"
        "    exec('raise KeyboardInterrupt')\n"
        "except KeyboardInterrupt:\n"
        "    leaving.status, leaving.interrupted = 3, True\n"
        "sys.exit(3)\n"
    )
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    (tmp_path / "interrupted.py").write_text(code)
    assert subprocess.run([sys.executable, "-m", "interrupted"], check=False, env=there, cwd=tmp_path).returncode == 3
