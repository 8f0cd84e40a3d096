"""Text made safe to print: only characters that the certificate's fonts hold.

Typst refuses a PDF/A with a character that no font holds, and may abort on odd sequences of combining marks. Whatever
is outside the set is spelt out, like an invisible character.
"""

import unicodedata
from typing import Any

from reports.text import visible

LIMIT = 2000

# Held by both Libertinus Serif and DejaVu Sans Mono; the tests print every one of them.
_RANGES = (
    (0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x1C3), (0x1CD, 0x1E3), (0x1E6, 0x1F0), (0x1F8, 0x217), (0x386, 0x386),
    (0x388, 0x38A), (0x38C, 0x38C), (0x38E, 0x3A1), (0x3A3, 0x3CE), (0x400, 0x45F), (0x490, 0x491), (0x1E00, 0x1E99),
    (0x2010, 0x2015), (0x2018, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026), (0x2030, 0x2030), (0x2032, 0x2033),
    (0x2039, 0x203A), (0x20AC, 0x20AC), (0x2116, 0x2116), (0x2122, 0x2122), (0x2190, 0x2193), (0x2212, 0x2212),
    (0x2260, 0x2260), (0x2264, 0x2265),
)  # fmt: skip
PRINTABLE = frozenset(chr(code) for first, last in _RANGES for code in range(first, last + 1))


def printable(text: str, limit: int = LIMIT) -> str:
    """The text with every character outside the set spelt out, at most `limit` characters of the original."""
    shown = visible(unicodedata.normalize("NFC", text[: limit * 4]), limit)
    return "".join(letter if letter in PRINTABLE else f"<U+{ord(letter):04X}>" for letter in shown)


def printable_tree(value: Any) -> Any:
    """`printable` for every string in JSON data, keys too."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable(str(key), 200): printable_tree(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [printable_tree(item) for item in value]
    return value
