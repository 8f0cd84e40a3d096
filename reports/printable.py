"""Text made safe to print: only characters, and only marks upon them, that one of the certificate's fonts holds.

Typst refuses a PDF/A with a character that no font holds, and sets a letter with its marks in one font or not at all.
Whatever it could not set is spelt out, like an invisible character.
"""

import re
import unicodedata
from typing import Any

from reports.glyphs import faces_of
from reports.text import END_OF_ISOLATE, ISOLATE, spelt_out, visible

LIMIT = 4000
LONGEST_WORD = 24

NAMES = frozenset({
    "accreditation", "agreed_by", "alternatives", "authorised_by", "clause", "component", "coverage", "defect",
    "defects", "device", "fault", "firmware", "function", "id", "inventory_number", "maker", "missing", "model", "name",
    "number", "pack", "params", "plan", "product", "quantity", "reference", "requirement", "rig", "role", "scenario",
    "scenarios", "serial", "short", "source", "target", "title", "value", "verdict", "version",
})  # fmt: skip
"""Entries that name something. They stand in narrow columns, so they are shorter and may be broken sooner."""
NAME_LIMIT = 160
NAME_WORD = 14
_DIGEST = re.compile(r"[0-9a-f]{64}")
_BREAK = "\u200b"
_PARTS = re.compile(r"[^_./:-]*[_./:-]+|[^_./:-]+")


def printable(text: str, limit: int = LIMIT, *, plain: bool = False) -> str:
    """The text with every character that cannot be set spelt out, at most `limit` characters of the original.

    `plain` leaves nothing but ASCII: for a text that Typst would not set otherwise.
    """
    composed = unicodedata.normalize("NFC", text[: limit * 4])
    shown = visible(composed[:limit], limit)
    if len(composed) > limit:
        shown += f"… (+{len(text) - limit} characters)"
    if shown.isascii():
        return shown
    printed, faces = [], 0
    for character in shown:
        if character in (ISOLATE, END_OF_ISOLATE) and not plain:
            faces = 0
        elif unicodedata.category(character) in ("Mn", "Mc", "Me"):
            faces &= faces_of(character)
        else:
            faces = faces_of(character)
        settable = character.isascii() if plain else faces or character in (ISOLATE, END_OF_ISOLATE)
        printed.append(character if settable else spelt_out(character))
    return "".join(printed)


def breakable(text: str, longest: int = LONGEST_WORD) -> str:
    """A printable text in which a word without end may be broken rather than run off the page. A digest stays whole.

    It is broken after punctuation, and elsewhere only where the part in between is too long itself.
    """
    if len(text) <= longest or _DIGEST.fullmatch(text):
        return text
    return re.sub(rf"\S{{{longest + 1},}}", lambda word: _BREAK.join(_pieces(word[0], longest)), text)


def _pieces(word: str, longest: int) -> list[str]:
    return [part[at : at + longest] for part in _PARTS.findall(word) for at in range(0, len(part), longest)]


def printable_tree(value: Any, *, plain: bool = False, named: bool = False) -> Any:
    """`printable` for every string in JSON data, keys too, with long words made breakable; `named` for a name."""
    if isinstance(value, str):
        limit, longest = (NAME_LIMIT, NAME_WORD) if named else (LIMIT, LONGEST_WORD)
        return breakable(printable(value, limit, plain=plain), longest)
    if isinstance(value, dict):
        return {
            printable(str(key), NAME_LIMIT, plain=plain): printable_tree(item, plain=plain, named=named or key in NAMES)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [printable_tree(item, plain=plain, named=named) for item in value]
    return value
