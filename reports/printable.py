"""Text made safe to print: only characters, and only marks upon them, that one of the certificate's fonts holds.

Typst refuses a PDF/A with a character that no font holds, and sets a letter with its marks in one font or not at all.
Whatever it could not set is spelt out, like an invisible character.
"""

import re
import unicodedata
from typing import Any

from reports.glyphs import faces_of
from reports.text import END_OF_ISOLATE, ISOLATE, spelt_out, visible

LIMIT = 2000
LONGEST_WORD = 24
_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_BREAK = "\u200b"


def printable(text: str, limit: int = LIMIT, *, plain: bool = False) -> str:
    """The text with every character that cannot be set spelt out, at most `limit` characters of the original.

    `plain` leaves nothing but ASCII: for a text that Typst would not set otherwise.
    """
    shown = visible(unicodedata.normalize("NFC", text[: limit * 4]), limit)
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


def breakable(text: str) -> str:
    """A printable text in which a word without end may be broken rather than run off the page. A digest stays whole."""
    if _DIGEST.fullmatch(text):
        return text
    return _WORD.sub(lambda word: _BREAK.join(_pieces(word[0])), text)


def _pieces(word: str) -> list[str]:
    return [word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD)]


def printable_tree(value: Any, *, plain: bool = False) -> Any:
    """`printable` for every string in JSON data, keys too, with long words made breakable."""
    if isinstance(value, str):
        return breakable(printable(value, plain=plain))
    if isinstance(value, dict):
        return {printable(str(key), 200, plain=plain): printable_tree(item, plain=plain) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [printable_tree(item, plain=plain) for item in value]
    return value
