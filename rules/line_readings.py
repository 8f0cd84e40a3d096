"""What a line of a device carried, read as rows of numbers: each way in which cards could be written in it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_STRIDE = 48
"""Bytes from one number to the next at most: longer than a frame about one card."""
MOST_COLUMNS = 24
MOST_BYTES = 128 * 1024
"""Bytes of one line in one shuffle that are looked through."""

Row = NDArray[np.uint8]
RANKS, SUITS = "23456789TJQKA", "cdhs"

_LABELS = (
    re.compile(rb"(?P<rank>10|[2-9TJQKA])[ -]?(?P<suit>[cdhs])", re.IGNORECASE),
    re.compile(rb"(?P<suit>[cdhs])[ -]?(?P<rank>10|[2-9TJQKA])", re.IGNORECASE),
)
_SIGNS = {"♣": b"c", "♦": b"d", "♥": b"h", "♠": b"s"}
_NUMBER = re.compile(rb"\d{1,3}")
_HEX = re.compile(rb"(?:[0-9A-Fa-f]{2}[ :,-]?){8,}")
_ESCAPES = (re.compile(rb"\x10(.)", re.DOTALL), re.compile(rb"\x7d(.)", re.DOTALL))


class Reading(NamedTuple):
    """One reading of a line. What is `strided` is read with every distance from one number to the next."""

    name: str
    """The same for the same reading of another shuffle."""
    row: Row
    strided: bool = False

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Its rows, each number beside the next."""
        strides = range(1, MOST_STRIDE + 1) if self.strided else range(1, 2)
        for stride in strides:
            for start in range(stride):
                yield f"{self.name}/{stride}", self.row[start::stride]


def readings(pieces: Sequence[bytes]) -> Iterator[Reading]:
    """Every reading of what came over a line, piece by piece."""
    data = b"".join(pieces)[:MOST_BYTES]
    plain = {"": data}
    plain |= {f"escaped{n}": text for n, one in enumerate(_ESCAPES) if (text := one.sub(_unescaped, data)) != data}
    digits = b"".join(bytes.fromhex(re.sub(r"[ :,-]", "", one.decode())) for one in _HEX.findall(data))
    plain |= {"hex": digits} if digits else {}
    for name, text in plain.items():
        yield Reading(name, _row(text), strided=True)
    written = {"numbers": bytes(number for one in _NUMBER.findall(data) if (number := int(one)) < 256)}
    written |= {f"labels{n}": _labels(data, one) for n, one in enumerate(_LABELS)}
    written |= {f"{order}{n}": bits for order in ("big", "little") for n, bits in enumerate(_six_bits(data, order))}
    for column in range(MOST_COLUMNS):
        written[f"+{column}"] = bytes(piece[column] for piece in pieces if len(piece) > column)
        written[f"-{column}"] = bytes(piece[-1 - column] for piece in pieces if len(piece) > column)
    yield from (Reading(name, _row(text)) for name, text in written.items())


def _row(data: bytes) -> Row:
    return np.frombuffer(data[:MOST_BYTES], np.uint8)


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes([found[1][0] ^ 0x20])


def _labels(data: bytes, written: re.Pattern[bytes]) -> bytes:
    text = data
    for sign, letter in _SIGNS.items():
        text = text.replace(sign.encode(), letter)
    found = []
    for label in written.finditer(text):
        face = label["rank"].upper().replace(b"10", b"T").decode()
        found.append(SUITS.index(label["suit"].lower().decode()) * 13 + RANKS.index(face))
    return bytes(found)


def _six_bits(data: bytes, order: str) -> Iterator[bytes]:
    """Six bits for a card, three bytes for four cards, from each of three beginnings."""
    places = (2, 1, 0) if order == "big" else (0, 1, 2)
    shifts = (18, 12, 6, 0) if order == "big" else (0, 6, 12, 18)
    for start in range(3):
        whole = np.frombuffer(data[start : start + (len(data) - start) // 3 * 3], np.uint8).reshape(-1, 3)
        words = sum(whole[:, byte].astype(np.uint32) << (8 * place) for byte, place in enumerate(places))
        yield np.stack([words >> shift & 63 for shift in shifts], axis=1).astype(np.uint8).tobytes()
