"""The one layout a bundle has: a ZIP file that any tool opens, with nothing in it left to choose.

Entries are stored, not compressed, so that a bundle has the same bytes whatever library wrote it and unpacks to no more
than its own length. Every byte follows from names and contents; a reader demands exactly that layout.
"""

import struct
from collections.abc import Iterable
from typing import NamedTuple

from reports.manifest import FILE_NAME as MANIFEST
from reports.manifest import SIGNED_BY_THEMSELVES

FIRST = "bundle.json"
"""Name of the first entry, which says what the rest is."""
FOLDER = "run/"
"""All other entries are below this: the run folder."""
_FIRST_FILES = (MANIFEST, *sorted(SIGNED_BY_THEMSELVES - {MANIFEST}))
MOST_ENTRIES = 65_534
MOST_BYTES = 0xFFFF_FFFE
"""Limits of ZIP without its 64-bit extension."""
LONGEST_NAME = 1024
LONGEST_PART = 255

LOCAL_MAGIC = b"PK\x03\x04"
CENTRAL_MAGIC = b"PK\x01\x02"
END_MAGIC = b"PK\x05\x06"
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
LOCAL_BYTES, END_BYTES = _LOCAL.size, _END.size
_VERSION, _UTF8, _STORED, _TIME, _DATE = 10, 0x0800, 0, 0, 0x0021
_MADE_BY_UNIX = 3 << 8 | _VERSION
_ORDINARY_FILE = 0o100644 << 16


class Entry(NamedTuple):
    """One file of a bundle."""

    name: str
    crc: int
    size: int
    offset: int
    """Where its local header begins."""


def local_header(entry: Entry) -> bytes:
    """What stands before the entry's content."""
    name = entry.name.encode()
    fixed = (_VERSION, _flags(entry), _STORED, _TIME, _DATE, entry.crc, entry.size, entry.size, len(name), 0)
    return _LOCAL.pack(LOCAL_MAGIC, *fixed) + name


def read_local(header: bytes) -> tuple[int, int, int]:
    """CRC, size and length of the name that a local header states. struct.error when it is too short."""
    fields = _LOCAL.unpack(header)
    return fields[6], fields[8], fields[9]


def read_count(end: bytes) -> int:
    """The number of entries that the end of a file states; 0 when it is no such end, and thus a file that was cut."""
    return int(_END.unpack(end)[4]) if len(end) == END_BYTES and end.startswith(END_MAGIC) else 0


def directory(entries: list[Entry], offset: int) -> bytes:
    """The end of the file: the list of its entries, which begins at `offset`, and where to find it."""
    listed = b"".join(_central(entry) for entry in entries)
    end = _END.pack(END_MAGIC, 0, 0, len(entries), len(entries), len(listed), offset, 0)
    return listed + end


def _central(entry: Entry) -> bytes:
    name = entry.name.encode()
    fixed = (_MADE_BY_UNIX, _VERSION, _flags(entry), _STORED, _TIME, _DATE, entry.crc, entry.size, entry.size)
    return _CENTRAL.pack(CENTRAL_MAGIC, *fixed, len(name), 0, 0, 0, 0, _ORDINARY_FILE, entry.offset) + name


def in_order(names: Iterable[str]) -> list[str]:
    """The order of entries: what the bundle is, the manifest and what signs it, then all others by name."""
    first = {name: place for place, name in enumerate((FIRST, *(FOLDER + name for name in _FIRST_FILES)))}
    return sorted(names, key=lambda name: (first.get(name, len(first)), name))


def _flags(entry: Entry) -> int:
    """A name beyond ASCII is marked as UTF-8."""
    return 0 if entry.name.isascii() else _UTF8


def why_no_name(name: str) -> str:
    """Why this is no name for an entry; empty when it is one. A name leads nowhere but below the run folder."""
    if len(name.encode("utf-8", "replace")) > LONGEST_NAME:
        return f"a name of over {LONGEST_NAME} bytes"
    if not name.isprintable() or "\\" in name or "\0" in name:
        return "a name with characters that are not printed, or a backslash"
    parts = name.split("/")
    if any(part in ("", ".", "..") or len(part.encode()) > LONGEST_PART for part in parts):
        return "a name that leads out of the folder, or has an empty or overlong part"
    return "" if name == FIRST or (name.startswith(FOLDER) and len(parts) > 1) else f"a name outside {FOLDER}"
