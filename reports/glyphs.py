"""Which characters the certificate's fonts hold, read from the fonts that ship with it."""

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
FACES = (
    "NotoSans-Regular.ttf",
    "NotoSansMono-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansArabic-Regular.ttf",
    "NotoSansArmenian-Regular.ttf",
    "NotoSansGeorgian-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansCJK-Regular.otf",
)
"""The regular faces. The semi-bold one holds what the regular one of its family does."""


def faces_of(character: str) -> int:
    """The faces that hold a character, as a set of bits in the order of `FACES`; 0 when none does."""
    return _faces().get(ord(character), 0)


@cache
def _faces() -> dict[int, int]:
    holders: dict[int, int] = {}
    for bit, name in enumerate(FACES):
        for code in _codes((FONTS / name).read_bytes()):
            holders[code] = holders.get(code, 0) | 1 << bit
    return holders


def _codes(font: bytes) -> Iterator[int]:
    """The characters of the `cmap` table (OpenType 1.9, subtables of format 4 and 12)."""
    tables = struct.unpack_from(">H", font, 4)[0]
    places = {font[at : at + 4]: struct.unpack_from(">I", font, at + 8)[0] for at in range(12, 12 + 16 * tables, 16)}
    cmap = places[b"cmap"]
    count = struct.unpack_from(">H", font, cmap + 2)[0]
    for at in {struct.unpack_from(">I", font, cmap + 4 + 8 * n + 4)[0] + cmap for n in range(count)}:
        kind = struct.unpack_from(">H", font, at)[0]
        if kind == 4:
            yield from _segments(font, at)
        elif kind == 12:
            yield from _groups(font, at)


def _segments(font: bytes, at: int) -> Iterator[int]:
    doubled = struct.unpack_from(">H", font, at + 6)[0]
    columns = [struct.unpack_from(f">{doubled // 2}H", font, at + 14 + n * doubled + 2 * (n > 0)) for n in range(4)]
    for index, (last, first, delta, offset) in enumerate(zip(*columns, strict=True)):
        base = at + 16 + 3 * doubled + 2 * index
        for code in range(first, last + 1):
            glyph = code
            if offset:
                glyph = struct.unpack_from(">H", font, base + offset + 2 * (code - first))[0]
            if code != 0xFFFF and (glyph + delta) & 0xFFFF and (glyph or not offset):
                yield code


def _groups(font: bytes, at: int) -> Iterator[int]:
    for n in range(struct.unpack_from(">I", font, at + 12)[0]):
        first, last, glyph = struct.unpack_from(">III", font, at + 16 + 12 * n)
        yield from range(first + (glyph == 0), last + 1)
