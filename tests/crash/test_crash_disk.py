"""A disk that is full or may not be written to: one sentence says so, nothing is lost, and the run is gone on with."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.sigkill import lines
from cardcert.__main__ import main
from tests.certification.conftest import Finished, certify

SCENARIOS = ("pr-unapproved", "nj-h")
LIMITED = (
    "import resource, signal, sys\n"
    "from cardcert.__main__ import main\n"
    "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    "limit = int(sys.argv.pop(1))\n"
    # Where a file may not grow, Python would leave broken bytecode behind for the tests that follow.
    "sys.dont_write_bytecode = True\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
    "sys.exit(main(sys.argv[1:]))\n"
)
"""A limit on the size of a file stands for the end of the disk."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return certify(tmp_path_factory.mktemp("undisturbed") / "run", SCENARIOS, "--no-sensitivity")


@pytest.mark.parametrize("limit", [100, 100_000])
def test_a_full_disk_is_told_in_one_line_and_the_run_gone_on_with(
    undisturbed: Finished, tmp_path: Path, limit: int
) -> None:
    folder = tmp_path / "run"
    options = ["certify", "--no-sensitivity", "--out", str(folder), *(f"--scenario={name}" for name in SCENARIOS)]
    command = [sys.executable, "-c", LIMITED, str(limit), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=400)
    assert done.returncode == 3
    told = done.stderr or done.stdout
    assert "no room for" in told
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1
    before = lines(folder)
    resumed = certify(folder, SCENARIOS, "--resume", "--no-sensitivity")
    assert lines(folder)[: len(before)] == before
    assert resumed.verdicts() == undisturbed.verdicts()
    assert not list(folder.rglob("*.tmp"))
    assert main(["verify", str(folder)]) == 0


def test_a_bundle_that_finds_no_room_leaves_no_part_of_it(undisturbed: Finished, tmp_path: Path) -> None:
    target = tmp_path / "run.zip"
    command = [sys.executable, "-c", LIMITED, "100000", "bundle", str(undisturbed.folder), "-o", str(target)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout) == (3, "")
    assert "no room for writing a bundle" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("out", ["/proc/run", "/dev/null/run", "/sys/run"])
def test_a_place_that_may_not_be_written_to_is_refused_before_anything_runs(out: str) -> None:
    refused = certify(Path(out), SCENARIOS, "--no-sensitivity")
    assert refused.status == 2
    assert refused.err.startswith(f"cardcert: {out}")
    assert refused.err.count("\n") == 1
    assert refused.out == ""


def in_own_mounts(script: str) -> subprocess.CompletedProcess[str]:
    """A shell script that may mount what it likes, without anybody else seeing it."""
    command = ["unshare", "--map-root-user", "--mount", "bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=400)


RUN = f"{sys.executable} -m cardcert certify --no-sensitivity " + " ".join(f"--scenario={name}" for name in SCENARIOS)


@pytest.mark.machine
@pytest.mark.parametrize("size_kb", [40, 300, 900, 1500])
def test_a_small_disk_that_is_full_and_then_larger(undisturbed: Finished, tmp_path: Path, size_kb: int) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    done = in_own_mounts(
        f"mount -t tmpfs -o size={size_kb}k none {disk}\n"
        f"{RUN} --out {disk}/run && exit 9 || test $? -eq 3\n"
        f"test ! -e {disk}/run/journal/events.jsonl || cp {disk}/run/journal/events.jsonl {kept}.before\n"
        f"mount -o remount,size=64m {disk}\n"
        f"{RUN} --resume --out {disk}/run || test $? -eq 3\n"
        f"{sys.executable} -m cardcert verify {disk}/run\n"
        f"cp -r {disk}/run {kept}\n"
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert "no room for" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    before = kept.with_name("kept.before")
    whole = before.read_bytes().rpartition(b"\n")[0] if before.exists() else b""
    assert (kept / "journal" / "events.jsonl").read_bytes().startswith(whole)
    assert Finished(0, "", "", kept).verdicts() == undisturbed.verdicts()


@pytest.mark.machine
def test_a_disk_that_can_no_longer_be_written_to(undisturbed: Finished, tmp_path: Path) -> None:
    """Made read-only while the run is on it; a writer that holds a file open keeps it, so a new file is what fails."""
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    done = in_own_mounts(
        f"mount -t tmpfs -o size=64m none {disk}\n"
        f"mkdir {disk}/run {tmp_path}/seen\n"
        f"mount --bind {disk}/run {tmp_path}/seen\n"
        f"mount -o remount,bind,ro {tmp_path}/seen\n"
        f"{RUN} --out {tmp_path}/seen && exit 9 || test $? -eq 2\n"
        f"mount -o remount,bind,rw {tmp_path}/seen\n"
        f"{RUN} --out {tmp_path}/seen || test $? -eq 3\n"
        f"cp -r {disk}/run {kept}\n"
        f"mount -o remount,bind,ro {tmp_path}/seen\n"
        f"{sys.executable} -m cardcert verify {tmp_path}/seen\n"
        f"{sys.executable} -m cardcert report {tmp_path}/seen && exit 9 || test $? -eq 2\n"
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert "Traceback" not in done.stderr
    assert "not allowed to do" in done.stderr
    assert Finished(0, "", "", kept).verdicts() == undisturbed.verdicts()
