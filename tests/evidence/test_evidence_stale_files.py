"""What a killed writer left half written goes with the next write of the same file; nothing else does."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import pytest

from evidence.files import write_atomic
from vision.whole_file import write_whole

Write = Callable[[Path, bytes], None]


def whole(path: Path, data: bytes) -> None:
    write_whole(path, data, "the file")


def short(name: str) -> str:
    return blake2b(name.encode(), digest_size=8).hexdigest()


@pytest.fixture(scope="module")
def gone() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        return process.pid


@pytest.mark.parametrize(
    ("write", "named"),
    [(write_atomic, lambda name, pid: f".{name}.{pid}-0.tmp"), (whole, lambda name, pid: f".{short(name)}.{pid}.tmp")],
)
def test_only_its_own_stale_files_go(write: Write, named: Callable[[str, int], str], gone: int, tmp_path: Path) -> None:
    long_ago = time.time() - 7200
    stale = tmp_path / named("deck.npz", gone)
    living, fresh = tmp_path / named("deck.npz", os.getppid()), tmp_path / named("deck.npz", gone + 1)
    others = [tmp_path / named("other.npz", gone), tmp_path / ".deck.npz.tmp", tmp_path / "deck.npz.1-0.tmp"]
    for path in (stale, living, *others):
        path.write_bytes(b"half")
        os.utime(path, (long_ago, long_ago))
    fresh.write_bytes(b"half")
    write(tmp_path / "deck.npz", b"new")
    assert (tmp_path / "deck.npz").read_bytes() == b"new"
    assert not stale.exists()
    assert all(path.exists() for path in (living, fresh, *others))


@pytest.mark.parametrize("write", [write_atomic, whole])
def test_a_stale_name_that_is_a_folder_is_left_and_does_not_hinder(write: Write, gone: int, tmp_path: Path) -> None:
    for name in (f".a.{gone}-0.tmp", f".{short('a')}.{gone}.tmp"):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (0, 0))
    write(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 3
