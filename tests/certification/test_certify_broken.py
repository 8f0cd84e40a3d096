"""What breaks around the tests is told as such: the result that stands in the folder is not taken for this run's."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evidence.journal import Journal
from tests.certification.conftest import Finished, cardcert, certify


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return certify(tmp_path_factory.mktemp("finished") / "run", ["pr-unapproved"])


def copy(run: Finished, tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    shutil.copytree(run.folder, folder)
    return folder


def test_damaged_evidence_is_not_gone_on_with(finished_run: Finished, tmp_path: Path) -> None:
    folder = copy(finished_run, tmp_path)
    journal = folder / "journal" / "events.jsonl"
    content = journal.read_bytes()
    at = content.index(b'"utc":"', content.index(b"\n")) + 10  # a digit of the year in the second record
    journal.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    manifest = (folder / "manifest.json").read_bytes()
    resumed = certify(folder, ["pr-unapproved"], "--resume")
    assert resumed.status == 3
    assert "was altered" in resumed.err
    assert resumed.out == ""
    assert (folder / "manifest.json").read_bytes() == manifest
    assert cardcert("verify", str(folder)).status == 1


def test_a_run_that_another_is_writing_is_left_alone(finished_run: Finished, tmp_path: Path) -> None:
    folder = copy(finished_run, tmp_path)
    with Journal.open(folder, lambda: 1 << 60):
        resumed = certify(folder, ["pr-unapproved"], "--resume")
    assert resumed.status == 2
    assert "another run is writing this journal" in resumed.err
    assert resumed.out == ""


def test_a_full_disk_is_a_fault_of_the_rig_and_told_in_words(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk; the journal outgrows it, or what pytest writes beside it."""
    program = (
        "import resource, signal, sys\n"
        "from cardcert.__main__ import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        # Where a file may not grow, Python would leave broken bytecode behind for the tests that follow.
        "sys.dont_write_bytecode = True\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    folder = tmp_path / "run"
    command = [sys.executable, "-c", program, "certify", "--out", str(folder), "--scenario", "pr-unapproved"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=400)
    assert done.returncode == 3
    assert "no room for" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
