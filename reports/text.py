"""Text from devices, software and files, made safe to show. Every output of cardcert shows foreign text through here.

A name or a reason may hold markup, control characters, invisible characters or marks that reverse the direction of
reading. They are shown for what they are, `<U+202E>`, so that a reader sees that something is there, and every text
is bounded. Words of a script that is written from right to left stand isolated, so that they cannot reorder what is
written around them.
"""

import html
import re
import unicodedata
from typing import Any

import msgspec

LINE_LIMIT = 300
TEXT_LIMIT = 4000

# Unicode categories that draw nothing, change the direction, or are not characters at all.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS_IN_A_ROW = 3

ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
# The blocks that Unicode sets aside for scripts written from right to left (UAX 9, default classes R and AL).
_LEFTWARDS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
_LEFTWARD_WORDS = re.compile(f"[{_LEFTWARDS}]+(?: [{_LEFTWARDS}]+)*")
_ISOLATED = re.compile(f"{ISOLATE}({_LEFTWARD_WORDS.pattern}){END_OF_ISOLATE}")


def visible(text: object, limit: int = LINE_LIMIT) -> str:
    """The text with every invisible character spelt out, at most `limit` characters of the original.

    Stacked combining marks are cut after three, since they paint over the neighbouring lines. What is visible already
    stays as it is.
    """
    raw = str(text)
    if len(raw) <= limit and raw.isascii() and raw.isprintable():
        return raw
    kept = _ISOLATED.sub(r"\1", raw[:limit])
    shown, marks = [], 0
    for character in kept:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category not in _INVISIBLE and marks <= _MARKS_IN_A_ROW:
            shown.append(character)
        elif category in _INVISIBLE:
            shown.append(spelt_out(character))
    if len(raw) > limit:
        shown.append(f"… (+{len(raw) - limit} characters)")
    return _LEFTWARD_WORDS.sub(lambda words: f"{ISOLATE}{words[0]}{END_OF_ISOLATE}", "".join(shown))


def spelt_out(character: str) -> str:
    """A character by its number, `<U+202E>`."""
    return f"<U+{ord(character):04X}>"


def html_text(text: object, limit: int = LINE_LIMIT) -> str:
    """`visible`, escaped for HTML and XML text and attribute values."""
    return html.escape(visible(text, limit), quote=True)


_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&$])")


def markdown_text(text: object, limit: int = LINE_LIMIT) -> str:
    """`visible`, with everything that Markdown takes for markup escaped."""
    return _MARKDOWN.sub(r"\\\1", visible(text, limit)).replace("://", ":\\//").replace("@", "&#64;")


def json_bytes(value: Any, indent: int = 1) -> bytes:
    """The value as JSON that can be looked at: characters that draw nothing or turn the line stand as `\\uXXXX`.

    A program that reads it gets the very texts that were given.
    """
    text = msgspec.json.format(msgspec.json.encode(value), indent=indent).decode()
    return _UNUSUAL.sub(lambda found: _json_character(found.group()), text).encode() + b"\n"


_UNUSUAL = re.compile(r"[^\n -~]")


def _json_character(character: str) -> str:
    if unicodedata.category(character) not in _INVISIBLE:
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def plural(count: int, one: str, many: str = "") -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {one if count == 1 else many or one + 's'}"
