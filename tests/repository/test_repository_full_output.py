"""Output that cannot be written ends a command with one line or none, never with a traceback or as if all were well."""

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
