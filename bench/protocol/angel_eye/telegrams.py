"""Telegrams of the ANGEL EYE II-EX shoe: from bytes on the line to what is in them, and back.

    shoe to host    ENQ  seq  type data(0-16)  ETX  bcc(2)        sent three times with the same seq
    host to shoe    STX  'O' 'P'  type(2) data(2)  ETX  bcc(2)
    either          ACK, or NAK and a code of two hexadecimal digits

The check is the XOR of bytes, as two hexadecimal digits. It catches little: a second copy is the better check.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from typing import Literal, TypeVar

Piece = TypeVar("Piece")

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
FIXED = {ord("D"): 2, ord("d"): 2, ord("G"): 1, ord("E"): 1, ord("e"): 1}
"""Data bytes that follow these types. They may hold an ETX, so that only their number tells where they end."""
MOST_DATA = 16
"""Data bytes of the other types, whose layout is not public, at most."""
COMMAND_BYTES = 10
NAK_CODES = {
    0x01: "overrun, framing or parity error",
    0x02: "wrong BCC",
    0x03: "no ETX",
    0x11: "wrong length of telegram",
    0x12: "wrong address",
    0x13: "unknown command",
    0x14: "unknown type",
    0x21: "busy",
    0x22: "writing",
    0xFF: "another error",
}
BAD_BCC, NO_ETX, BAD_LENGTH, BAD_COMMAND, BAD_TYPE, BUSY, OTHER = 0x02, 0x03, 0x11, 0x13, 0x14, 0x21, 0xFF

_HEX = b"0123456789ABCDEFabcdef"


@dataclass(frozen=True, slots=True)
class Telegram:
    """What a shoe says: its sequence byte, and type and data together. `raw` is all of it as it came."""

    seq: int
    data: bytes
    raw: bytes = field(default=b"", compare=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """ACK (`code` None), or NAK with its code."""

    code: int | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What a host says: type and data, two characters each."""

    kind: str
    data: str


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes on the line that are no telegram. `nak` is the code that says so, 0 for mere noise."""

    kind: Literal["garbage", "crc"]
    size: int
    nak: int = 0


def check_digits(data: bytes) -> bytes:
    """The check over these bytes: their XOR as two upper-case hexadecimal digits."""
    return b"%02X" % reduce(xor, data, 0)


def encode_telegram(telegram: Telegram) -> bytes:
    """One copy of what a shoe says. ValueError when the data does not fit its type."""
    data = telegram.data
    rest = FIXED.get(data[0]) if data else None
    if not data or (rest is not None and len(data) != 1 + rest) or (rest is None and len(data) > 1 + MOST_DATA):
        raise ValueError(f"data {data.hex(' ') or 'missing'}: not as long as its type has it")
    if rest is None and ETX in data:
        raise ValueError(f"data {data.hex(' ')}: 03 would end the telegram")
    body = bytes([telegram.seq]) + data + bytes([ETX])
    return bytes([ENQ]) + body + check_digits(body)


def encode_order(order: Order, *, with_stx: bool = True) -> bytes:
    """What a host says. `with_stx`: the check takes in the STX. ValueError when it does not fit its fields."""
    words = (order.kind + order.data).encode("ascii")
    if len(words) != 4 or not words.isalnum():
        raise ValueError(f"order {order.kind!r} {order.data!r}: expected two letters or digits each")
    body = b"OP" + words + bytes([ETX])
    return bytes([STX]) + body + check_digits((bytes([STX]) if with_stx else b"") + body)


def encode_reply(reply: Reply) -> bytes:
    """ACK, or NAK and its code."""
    return bytes([ACK]) if reply.code is None else bytes([NAK]) + b"%02X" % reply.code


def _taken(held: bytearray, first: Callable[[], tuple[Piece, int]]) -> list[Piece]:
    """All that `first` finds at the beginning of `held`, piece by piece with its size, taken out of it."""
    found: list[Piece] = []
    while held:
        piece, size = first()
        if not size:
            break
        found.append(piece)
        del held[:size]
    return found


class ShoeDecoder:
    """Finds what a shoe says in a stream that comes in pieces of any size. Keeps at most one telegram's bytes."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Telegram | Reply | Damage]:
        """What ends in these bytes, in order."""
        self._held += data
        return _taken(self._held, self._first)

    def reset(self) -> None:
        """Forget a telegram that has begun."""
        self._held.clear()

    def _first(self) -> tuple[Telegram | Reply | Damage, int]:
        """What the held bytes begin with and how many bytes it takes; 0 when more must come."""
        held = self._held
        if held[0] == ENQ:
            return self._telegram()
        if held[0] == ACK:
            return Reply(), 1
        if held[0] == NAK:
            return _refusal(held)
        start = min((at for byte in (ENQ, ACK, NAK) if (at := held.find(byte)) >= 0), default=len(held))
        return Damage("garbage", start), start

    def _telegram(self) -> tuple[Telegram | Damage, int]:
        held, more = self._held, (Damage("garbage", 0), 0)
        if len(held) < 3:
            return more
        rest = FIXED.get(held[2])
        if rest is not None:
            end = 3 + rest
            if end >= len(held):
                return more
            found = held[end] == ETX
        else:
            end = held.find(ETX, 3, 3 + MOST_DATA + 1)
            found = end > 0
            if end < 0 and len(held) < 3 + MOST_DATA + 1:
                return more
        if not found:
            # What follows the ENQ may hold the next telegram: only the ENQ itself is thrown away.
            return Damage("garbage", 1, NO_ETX), 1
        if end + 3 > len(held):
            return more
        digits, body = bytes(held[end + 1 : end + 3]), bytes(held[1 : end + 1])
        if not all(digit in _HEX for digit in digits) or digits.upper() != check_digits(body):
            return Damage("crc", 1, BAD_BCC), 1
        return Telegram(held[1], bytes(held[2:end]), bytes(held[: end + 3])), end + 3


def _refusal(held: Sequence[int]) -> tuple[Reply | Damage, int]:
    """A NAK with its code: two digits, or the code as one byte. No source says which, and they cannot be confused."""
    if len(held) < 2:
        return Damage("garbage", 0), 0
    if held[1] in _HEX:
        if len(held) < 3:
            return Damage("garbage", 0), 0
        if held[2] in _HEX and (code := int(bytes(held[1:3]), 16)) in NAK_CODES:
            return Reply(code), 3
    elif held[1] in NAK_CODES:
        return Reply(held[1]), 2
    return Damage("garbage", 1), 1


class HostDecoder:
    """Finds what a host says: orders, and replies to what the shoe said. Keeps at most one order's bytes."""

    def __init__(self, *, with_stx: bool = True) -> None:
        self._held = bytearray()
        self._with_stx = with_stx

    def feed(self, data: bytes) -> list[Order | Reply | Damage]:
        """What ends in these bytes, in order."""
        self._held += data
        return _taken(self._held, self._first)

    def _first(self) -> tuple[Order | Reply | Damage, int]:
        held = self._held
        if held[0] == ACK:
            return Reply(), 1
        if held[0] == NAK:
            return _refusal(held)
        if held[0] != STX:
            start = min((at for byte in (STX, ACK, NAK) if (at := held.find(byte)) >= 0), default=len(held))
            return Damage("garbage", start), start
        if held.find(STX, 1, COMMAND_BYTES) > 0:
            # An order holds no other STX: the end of this one was lost.
            return Damage("garbage", 1, NO_ETX), 1
        if len(held) < COMMAND_BYTES:
            return Damage("garbage", 0), 0
        whole = bytes(held[:COMMAND_BYTES])
        if whole[1:3] != b"OP" or whole[7] != ETX:
            return Damage("garbage", 1, NO_ETX if whole[1:3] == b"OP" else BAD_LENGTH), 1
        checked = whole[0 if self._with_stx else 1 : 8]
        if whole[8:].upper() != check_digits(checked) or not whole[3:7].isalnum():
            return Damage("crc", 1, BAD_BCC), 1
        return Order(whole[3:5].decode("ascii"), whole[5:7].decode("ascii")), COMMAND_BYTES
