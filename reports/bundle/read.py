"""Opens a bundle, which may come from anybody: whatever is not exactly as this software writes it is refused."""

import struct
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from evidence.errors import UsageError
from evidence.files import sha256_file, storage_error
from reports.bundle.about import About, lay_out, read_about
from reports.bundle.layout import (
    CENTRAL_MAGIC,
    END_BYTES,
    FIRST,
    FOLDER,
    LOCAL_BYTES,
    LOCAL_MAGIC,
    LONGEST_NAME,
    MOST_BYTES,
    MOST_ENTRIES,
    Entry,
    directory,
    in_order,
    local_header,
    read_count,
    read_local,
    why_no_name,
)
from reports.manifest import FILE_NAME
from reports.text import visible

_CHUNK = 1 << 20
_LONGEST_ABOUT = 1 << 16


class _Broken(Exception):
    """The bundle is not as it was written."""


@contextmanager
def opened(path: Path) -> Iterator[tuple[Path, str]]:
    """The run folder of a bundle, unpacked for as long as it is looked at, and what is wrong with the bundle itself.

    Where something is, the folder is not to be looked at. Raises UsageError when the file is no bundle at all, RigFault
    when there is no room to unpack it.
    """
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise UsageError(f"{path}: expected a run folder or a bundle, found neither. Name one of them.")
        with path.open("rb") as file, tempfile.TemporaryDirectory(prefix="cardcert-") as temporary:
            about = _about(file, path, size)
            try:
                _unpack(file, size, about, Path(temporary))
                finding = ""
            except _Broken as error:
                finding = f"{path.name}: {error}"
            yield Path(temporary) / FOLDER.rstrip("/"), finding
    except OSError as error:
        raise storage_error("opening a bundle", path, error) from None


def _about(file: BinaryIO, path: Path, size: int) -> About:
    """The first entry, by which a bundle is known."""
    expected = local_header(Entry(FIRST, 0, 0, 0))[LOCAL_BYTES:]
    header = file.read(LOCAL_BYTES + len(expected))
    if size > MOST_BYTES or header[:4] != LOCAL_MAGIC or header[LOCAL_BYTES:] != expected:
        raise UsageError(f"{path}: this is no evidence bundle: expected a ZIP file that begins with {FIRST}.")
    length = read_local(header[:LOCAL_BYTES])[1]
    if length > _LONGEST_ABOUT:
        raise UsageError(f"{path}: its {FIRST} is too long for one. This is no evidence bundle.")
    return read_about(file.read(length), path)


def _unpack(file: BinaryIO, size: int, about: About, out: Path) -> None:
    file.seek(-min(size, END_BYTES), 2)
    stated = read_count(file.read())
    if not stated:
        raise _Broken(
            f"byte {max(0, size - END_BYTES)}: the file does not end as a bundle does: cut off, or altered there"
        )
    if stated > MOST_ENTRIES:
        raise _Broken(f"it is said to hold over {MOST_ENTRIES} entries")
    file.seek(0)
    entries: list[Entry] = []
    seen: set[str] = set()
    while (magic := file.read(4)) == LOCAL_MAGIC:
        offset = file.tell() - 4
        if len(entries) > stated:
            raise _Broken(f"byte {offset}: more entries than the {stated} that are listed at its end")
        entry = _header(file, offset)
        if entry.size > size - file.tell():
            raise _Broken(f"byte {offset}: {visible(entry.name)} is said to be longer than what is left of the file")
        if entry.name in seen or _clashes(entry.name, seen):
            raise _Broken(f"byte {offset}: {visible(entry.name)} stands twice")
        seen.add(entry.name)
        _extract(file, entry, out)
        entries.append(entry)
    if magic != CENTRAL_MAGIC:
        raise _Broken(f"byte {file.tell() - len(magic)}: expected another entry or the list of entries; cut off?")
    _check_end(file, entries, file.tell() - 4)
    _check_about(about, entries, out)


def _header(file: BinaryIO, offset: int) -> Entry:
    fixed = LOCAL_MAGIC + file.read(LOCAL_BYTES - 4)
    try:
        crc, size, length = read_local(fixed)
    except struct.error:
        raise _Broken(f"byte {offset}: the file ends within an entry: it was cut off") from None
    raw = file.read(min(length, LONGEST_NAME + 1))
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        raise _Broken(f"byte {offset + LOCAL_BYTES}: a name that is not UTF-8") from None
    if why := why_no_name(name):
        raise _Broken(f"byte {offset + LOCAL_BYTES}: {why}: {visible(name)!r}")
    entry = Entry(name, crc, size, offset)
    if fixed + raw != local_header(entry):
        expected = local_header(entry)
        at = next((i for i, (a, b) in enumerate(zip(fixed + raw, expected, strict=False)) if a != b), len(raw))
        raise _Broken(
            f"byte {offset + at}: the head of {visible(name)} is not as it was written (compressed? altered?)"
        )
    return entry


def _clashes(name: str, seen: set[str]) -> bool:
    """Whether a file would have to be a folder too."""
    parts = name.split("/")
    return any("/".join(parts[:count]) in seen for count in range(1, len(parts)))


def _extract(file: BinaryIO, entry: Entry, out: Path) -> None:
    target, crc, left = out / entry.name, 0, entry.size
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = target.open("xb")
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise _Broken(f"byte {entry.offset}: {visible(entry.name)} has the name of another file or folder") from None
    with copy:
        while left:
            chunk = file.read(min(left, _CHUNK))
            if not chunk:
                raise _Broken(f"byte {entry.offset}: the file ends within {visible(entry.name)}: it was cut off")
            crc, left = zlib.crc32(chunk, crc), left - len(chunk)
            copy.write(chunk)
    if crc != entry.crc:
        raise _Broken(f"byte {entry.offset}: {visible(entry.name)} was altered: its content does not fit its checksum")


def _check_end(file: BinaryIO, entries: list[Entry], offset: int) -> None:
    expected = directory(entries, offset)
    file.seek(offset)
    found = file.read(len(expected) + 1)
    if found == expected:
        return
    if expected.startswith(found):
        raise _Broken(f"byte {offset + len(found)}: the list of entries is cut off")
    at = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), len(expected))
    raise _Broken(f"byte {offset + at}: the list of entries is not that of the entries before it")


def _check_about(about: About, entries: list[Entry], out: Path) -> None:
    files = entries[1:]
    manifest = out / FOLDER / FILE_NAME
    if not entries or entries[0].name != FIRST or not manifest.is_file():
        raise _Broken(f"it does not hold {FOLDER}{FILE_NAME}, or does not begin with {FIRST}")
    expected = About(
        files=len(files), bytes=sum(entry.size for entry in files), manifest_sha256=sha256_file(manifest)
    )  # fmt: skip
    names = [entry.name for entry in entries]
    if names != in_order(names):
        at = next(i for i, (a, b) in enumerate(zip(names, in_order(names), strict=True)) if a != b)
        raise _Broken(f"byte {entries[at].offset}: {visible(names[at])} does not stand in its place")
    if about != expected or lay_out(about) != (out / FIRST).read_bytes():
        raise _Broken(f"{FIRST} does not say what the bundle holds")
