"""The byte layout of a journal line and the chain of hashes that runs through it.

A line is `{"hash":"<64 hexadecimal digits>","record":<JSON>}` and a newline, with no other byte anywhere. The hash is
SHA-256 over the previous line's hash (its 64 ASCII digits; 64 zeros before the first line) and the record's bytes.
"""

import hashlib
import re
from typing import NamedTuple

PREFIX = b'{"hash":"'
MIDDLE = b'","record":'
SUFFIX = b"}\n"
RECORD_AT = len(PREFIX) + 64 + len(MIDDLE)
MAX_LINE = 1 << 20
"""Longest line in bytes, newline included. Larger things belong in attachments."""
FIRST_PREDECESSOR = "0" * 64

_HEAD = re.compile(re.escape(PREFIX) + b"([0-9a-f]{64})" + re.escape(MIDDLE))
_NOT_HEX = re.compile(rb"[^0-9a-f]")


class Head(NamedTuple):
    """Where a journal ends: the sequence number and hash of its last record; -1 and zeros when it is empty."""

    seq: int
    hash: str


EMPTY = Head(-1, FIRST_PREDECESSOR)


class LayoutError(Exception):
    """A line that is not laid out as one. `at` is the offset of the first wrong byte within it."""

    def __init__(self, at: int, expected: str) -> None:
        super().__init__(expected)
        self.at = at
        self.expected = expected


def link(previous: str, record: bytes) -> str:
    """Hash of a record that follows the record whose hash is `previous`."""
    return hashlib.sha256(previous.encode() + record).hexdigest()


def lay_out(digest: str, record: bytes) -> bytes:
    """The line of a record."""
    return b"".join((PREFIX, digest.encode(), MIDDLE, record, SUFFIX))


def take_apart(line: bytes) -> tuple[str, bytes]:
    """Hash and record bytes of a line, newline included. LayoutError at the first byte that does not belong."""
    head = _HEAD.match(line)
    if head and line.endswith(SUFFIX) and len(line) > RECORD_AT + len(SUFFIX):
        return head[1].decode(), line[RECORD_AT : -len(SUFFIX)]
    raise _misfit(line)


def _misfit(line: bytes) -> LayoutError:
    """Where a line is not laid out as one."""
    digest_end = len(PREFIX) + 64
    if wrong := _other_than(line, 0, PREFIX):
        return wrong
    digit = _NOT_HEX.search(line[len(PREFIX) : digest_end])
    if digit:
        return LayoutError(len(PREFIX) + digit.start(), "a digit 0-9 or a-f of the hash")
    if len(line) < digest_end:
        return LayoutError(len(line), "the rest of the hash")
    if wrong := _other_than(line, digest_end, MIDDLE):
        return wrong
    if line[-1:] != b"\n":
        altered = line[-2:-1] == b"}" and line[-1:] != b"}"
        return LayoutError(len(line) - altered, "a newline at the end of the line")
    return LayoutError(max(len(line) - 2, RECORD_AT), "the rest of the record and `}` before the newline")


def _other_than(line: bytes, at: int, literal: bytes) -> LayoutError | None:
    if line.startswith(literal, at):
        return None
    index = next(index for index, byte in enumerate(literal) if line[at + index : at + index + 1] != bytes([byte]))
    return LayoutError(at + index, f"`{chr(literal[index])}` of `{literal.decode()}`")
