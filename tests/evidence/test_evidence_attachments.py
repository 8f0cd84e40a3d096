"""Attachments are stored under their digest, once, and any change of them is found; files are written whole or not."""

import hashlib
import os
from pathlib import Path

import pytest

from evidence.errors import UsageError
from evidence.events import DeviceSeen, LinkFault
from evidence.files import sha256_file, write_atomic
from evidence.journal import Journal, verify_journal

PICTURE = b"\x89PNG not really"
DIGEST = hashlib.sha256(PICTURE).hexdigest()


def journal_with_picture(folder: Path) -> Path:
    with Journal.create(folder, lambda: 0) as journal:
        assert journal.attach(PICTURE, "png") == DIGEST
        assert journal.attach(PICTURE, "png") == DIGEST
        journal.append(DeviceSeen(device="shoe", present=True, frame=DIGEST), source="camera:top")
    return folder / "journal" / "attachments" / f"{DIGEST}.png"


def test_the_same_content_is_stored_once_also_after_reopening(tmp_path: Path) -> None:
    stored = journal_with_picture(tmp_path)
    assert stored.read_bytes() == PICTURE
    before = stored.stat().st_ino
    with Journal.open(tmp_path, lambda: 0) as journal:
        assert journal.attach(PICTURE, "png") == DIGEST
    assert stored.stat().st_ino == before
    assert os.listdir(stored.parent) == [stored.name]
    assert verify_journal(tmp_path) == []


def test_an_altered_attachment_is_found(tmp_path: Path) -> None:
    stored = journal_with_picture(tmp_path)
    for at in range(len(PICTURE)):
        stored.write_bytes(PICTURE[:at] + bytes([PICTURE[at] ^ 4]) + PICTURE[at + 1 :])
        (damage,) = verify_journal(tmp_path)
        assert damage.file == str(stored)
        assert "altered" in damage.problem


def test_a_missing_attachment_is_found_with_the_line_that_names_it(tmp_path: Path) -> None:
    stored = journal_with_picture(tmp_path)
    stored.unlink()
    (damage,) = verify_journal(tmp_path)
    assert damage.line == 1
    assert DIGEST in damage.problem
    assert "missing" in damage.problem


def test_bytes_that_were_sent_are_no_attachment(tmp_path: Path) -> None:
    with Journal.create(tmp_path, lambda: 0) as journal:
        journal.append(LinkFault(link="shoe", kind="timeout", sent="02a1"), source="driver:shoe")
    assert verify_journal(tmp_path) == []


def test_a_pipe_in_the_place_of_an_attachment_does_not_hang(tmp_path: Path) -> None:
    stored = journal_with_picture(tmp_path)
    stored.unlink()
    os.mkfifo(stored)
    (damage,) = verify_journal(tmp_path)
    assert "ordinary file" in damage.problem


@pytest.mark.parametrize("suffix", ["", ".png", "../x", "PNG", "a/b", "toolongsuffix", "p\n"])
def test_a_suffix_that_is_no_suffix_is_refused(tmp_path: Path, suffix: str) -> None:
    with Journal.create(tmp_path, lambda: 0) as journal, pytest.raises(UsageError, match="suffix"):
        journal.attach(PICTURE, suffix)


def test_write_atomic_replaces_a_file_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_atomic(path, b"old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["run.json"]
    assert sha256_file(path) == hashlib.sha256(b"new").hexdigest()


def test_write_atomic_says_what_is_wrong_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        write_atomic(tmp_path / "nowhere" / "run.json", b"x")
    (tmp_path / "taken").mkdir()
    with pytest.raises(UsageError, match="taken"):
        write_atomic(tmp_path / "taken", b"x")
    assert os.listdir(tmp_path) == ["taken"]


def test_sha256_of_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="absent"):
        sha256_file(tmp_path / "absent")
    with pytest.raises(UsageError):
        sha256_file(tmp_path)
