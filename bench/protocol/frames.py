"""Frames of the reference protocol: from messages' bytes to the line and back.

    STX  version kind seq(2) length payload(0-240) crc(2)  ETX

Between STX and ETX the five bytes 02 03 10 11 13 are sent as DLE (10) and the byte XOR 20. So STX and ETX never occur
inside a frame: a receiver that has lost its place finds the next frame at the next STX, whatever came before, and no
payload can be taken for a frame. XON and XOFF are spared for lines with software flow control. Numbers are big-endian.
The checksum is CRC-16/CCITT-FALSE (polynomial 1021, start FFFF) over everything from version to the end of the payload.
"""

import binascii
import re
import struct
from dataclasses import dataclass
from typing import Literal

STX, ETX, DLE = 0x02, 0x03, 0x10
VERSION = 1
MAX_PAYLOAD = 240
HEADER = struct.Struct(">BBHB")
MAX_WIRE = 2 * (HEADER.size + MAX_PAYLOAD + 2) + 2
"""Longest frame on the line in bytes: everything escaped."""

_RESERVED = re.compile(rb"[\x02\x03\x10\x11\x13]")
_ESCAPED = re.compile(rb"\x10(.)", re.DOTALL)
_ESCAPES = {bytes([byte ^ 0x20]): bytes([byte]) for byte in (0x02, 0x03, 0x10, 0x11, 0x13)}


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its kind, its sequence number (0 to 65535) and its payload (at most 240 bytes)."""

    kind: int
    seq: int
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes on the line that are no frame. `crc` when all is there but the checksum, `version` for another protocol."""

    kind: Literal["garbage", "crc", "version", "overflow"]
    size: int
    """Bytes thrown away."""


def encode(frame: Frame) -> bytes:
    """A frame as it goes over the line. ValueError when the payload is too long."""
    if len(frame.payload) > MAX_PAYLOAD:
        raise ValueError(f"payload of {len(frame.payload)} bytes; at most {MAX_PAYLOAD} fit a frame")
    body = HEADER.pack(VERSION, frame.kind, frame.seq, len(frame.payload)) + frame.payload
    body += binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "big")
    return b"\x02" + _RESERVED.sub(lambda found: bytes((DLE, found[0][0] ^ 0x20)), body) + b"\x03"


class Decoder:
    """Finds frames in a stream that comes in pieces of any size. Keeps at most one frame's bytes."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Frame | Garbage]:
        """The frames, and the garbage between them, that end in these bytes."""
        found: list[Frame | Garbage] = []
        held = self._held
        held += data
        while held:
            start = held.find(STX)
            if start:
                size = len(held) if start < 0 else start
                found.append(Garbage("garbage", size))
                del held[:size]
                continue
            end = held.find(ETX, 1)
            restart = held.find(STX, 1, end if end >= 0 else len(held))
            if restart >= 0:
                # A new frame begins inside this one: the end of this one was lost.
                found.append(Garbage("garbage", restart))
                del held[:restart]
            elif (len(held) if end < 0 else end + 1) > MAX_WIRE:
                size = len(held) if end < 0 else end + 1
                found.append(Garbage("overflow", size))
                del held[:size]
            elif end < 0:
                break
            else:
                found.append(_read(bytes(held[1:end])))
                del held[: end + 1]
        return found

    def reset(self) -> None:
        """Forget a frame that has begun."""
        self._held.clear()


def _read(body: bytes) -> Frame | Garbage:
    """A frame from what stood between STX and ETX."""
    size = len(body) + 2
    if body[-1:] == b"\x10" or 0x11 in body or 0x13 in body:
        return Garbage("garbage", size)  # escapes are a duty, so that each frame looks one way only
    if DLE in body:
        try:
            body = _ESCAPED.sub(lambda found: _ESCAPES[found[1]], body)
        except KeyError:
            return Garbage("garbage", size)
    if len(body) < HEADER.size + 2:
        return Garbage("garbage", size)
    if binascii.crc_hqx(body, 0xFFFF) != 0:
        return Garbage("crc", size)
    version, kind, seq, length = HEADER.unpack_from(body)
    if version != VERSION:
        return Garbage("version", size)
    if length != len(body) - HEADER.size - 2 or length > MAX_PAYLOAD:
        return Garbage("garbage", size)
    return Frame(kind, seq, body[HEADER.size : -2])
