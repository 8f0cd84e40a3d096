"""Frames of the GAT protocol: from bytes on the line to commands, and back.

    command  length(of the whole frame)  data(0-251)  crc(2)

Nothing marks where a frame begins. A receiver that has lost its place tries at each byte: a frame is one whose command
is known, whose length can be and whose check holds.
"""

import binascii
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Literal

MAX_DATA = 251
OVERHEAD = 4
MAX_FRAME = MAX_DATA + OVERHEAD

Checksum = Callable[[bytes], int]


def _arc(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


CHECKSUMS: dict[str, Checksum] = {
    "ccitt-0000": lambda data: binascii.crc_hqx(data, 0),
    "ccitt-ffff": lambda data: binascii.crc_hqx(data, 0xFFFF),
    "arc": _arc,
}
"""CRC-16 is all that is public; which one a device means is set in the rig file."""
DEFAULT_CHECKSUM = "ccitt-0000"


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its command and its data (at most 251 bytes)."""

    command: int
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes on the line that are no frame. `crc` where all but the check would fit."""

    kind: Literal["garbage", "crc"]
    size: int


def encode(frame: Frame, checksum: Checksum) -> bytes:
    """A frame as it goes over the line. ValueError when the data is too long."""
    if len(frame.data) > MAX_DATA:
        raise ValueError(f"data of {len(frame.data)} bytes; at most {MAX_DATA} fit a frame")
    body = bytes([frame.command, len(frame.data) + OVERHEAD]) + frame.data
    return body + checksum(body).to_bytes(2, "big")


class Decoder:
    """Finds frames of the `known` commands in a stream that comes in pieces of any size. Keeps one frame's bytes."""

    def __init__(self, known: Container[int], checksum: Checksum) -> None:
        self._known = known
        self._checksum = checksum
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Frame | Garbage]:
        """The frames, and the garbage between them, that end in these bytes."""
        self._held += data
        held, skipped, at = self._held, 0, 0
        found: list[Frame | Garbage] = []
        broken = False
        while len(held) - at >= 2:
            size = held[at + 1]
            if held[at] not in self._known or size < OVERHEAD or size > MAX_FRAME:
                at, skipped = at + 1, skipped + 1
                continue
            if len(held) - at < size:
                break
            body, check = bytes(held[at : at + size - 2]), int.from_bytes(held[at + size - 2 : at + size], "big")
            if self._checksum(body) != check:
                at, skipped, broken = at + 1, skipped + 1, True
                continue
            if skipped:
                found.append(Garbage("crc" if broken else "garbage", skipped))
                skipped, broken = 0, False
            found.append(Frame(body[0], body[2:]))
            at += size
        if skipped:
            found.append(Garbage("crc" if broken else "garbage", skipped))
        del held[:at]
        return found

    def reset(self) -> int:
        """Forget a frame that has begun; how many bytes of it there were."""
        size = len(self._held)
        self._held.clear()
        return size
