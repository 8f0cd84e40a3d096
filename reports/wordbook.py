"""The words of one language: what reports print, and how they say what an event says.

A text may hold slots. `{name}` is a value as it is. `{name:word}` looks it up among the words of the language,
`{name:card}` counts (`1 card`, `2 cards`), `{name:money}` is cents as a sum, `{name:#}` a list of record numbers, and
`{name:.2f}` a number. `{name?yes|no|unknown}` chooses by a value that is true, false or empty, or None. What stands
within `[` and `]` is left out where a value in it is empty. `{*}` is whatever else is not empty, as ` name=value`.
Values are put in once, at the end: nothing in them is taken for a slot.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from evidence.errors import UsageError

LANGUAGES = ("en", "es", "it")
WORDS = Path(__file__).parent / "words"
_SLOT = re.compile(r"\{(\*|\w+)(?::([^{}?]+)|\?([^{}]*))?\}")
_PART = re.compile(r"\[([^\[\]]*)\]")
_LONGEST_LIST = 60
_LONGEST_RECORDS = 20


class Wordbook:
    """One language's words: sections of texts by key."""

    def __init__(self, lang: str, sections: Mapping[str, Mapping[str, Any]]) -> None:
        self.lang = lang
        self._sections = sections

    def section(self, name: str) -> Mapping[str, Any]:
        """All texts of a section; empty when there is none."""
        return self._sections.get(name, {})

    def sections(self) -> tuple[str, ...]:
        """The names of all sections."""
        return tuple(self._sections)

    def say(self, section: str, key: str, **values: object) -> str:
        """A text with its values put in; the key itself where the language has no such text."""
        return self.fill(str(self.section(section).get(key, key)), values)

    def word(self, code: object) -> str:
        """The language's word for a code of ours, such as `jam`; the code in plain letters where it has none."""
        return str(self.section("word").get(str(code), str(code).replace("_", " ")))

    def count(self, number: int, noun: str) -> str:
        """`1 card`, `2 cards`."""
        one, many = map(str, self.section("noun").get(noun, (noun, noun)))
        return f"{number} {one if number == 1 else many}"

    def fill(self, text: str, values: Mapping[str, object]) -> str:
        """A text of a wordbook with its values put in. A slot without a value is empty."""
        named = {slot[1] for slot in _SLOT.finditer(text)}

        def part(match: re.Match[str]) -> str:
            inside = str(match[1])
            return inside if all(values.get(slot[1]) for slot in _SLOT.finditer(inside)) else ""

        return _SLOT.sub(lambda slot: self._slot(slot, values, named), _PART.sub(part, text))

    def _slot(self, slot: re.Match[str], values: Mapping[str, object], named: set[str]) -> str:
        name: str = slot[1]
        form: str | None = slot[2]
        choice: str | None = slot[3]
        if name == "*":
            rest = {key: value for key, value in values.items() if key not in named and value}
            return "".join(f" {key}={_plain(value)}" for key, value in rest.items())
        value = values.get(name)
        if choice is not None:
            texts = [*choice.split("|"), "", ""]
            return texts[0] if value else (texts[2] or texts[1]) if value is None else texts[1]
        if form is None:
            return _plain(value)
        shaped = _FORMS.get(form)
        if shaped is not None:
            return shaped(self, value)
        if isinstance(value, int) and form in self.section("noun"):
            return self.count(value, form)
        return format(value, form) if isinstance(value, int | float) and form.startswith(".") else _plain(value)


def _plain(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:g}"
        case list() | tuple():
            return " ".join("?" if item is None else str(item) for item in value[:_LONGEST_LIST])
        case dict():
            return " ".join(f"{key}={item}" for key, item in value.items())
    return str(value)


def _money(_: Wordbook, value: object) -> str:
    return f"{value / 100:.2f}" if isinstance(value, int) else _plain(value)


def _records(_: Wordbook, value: object) -> str:
    return ", ".join(f"#{item}" for item in value[:_LONGEST_RECORDS]) if isinstance(value, list | tuple) else ""


_FORMS: dict[str, Callable[[Wordbook, object], str]] = {
    "word": Wordbook.word,
    "money": _money,
    "#": _records,
}


@cache
def wordbook(lang: str) -> Wordbook:
    """The words of a language. Raises UsageError when there is none."""
    if lang not in LANGUAGES:
        raise UsageError(f"language {lang!r}: expected one of {', '.join(LANGUAGES)}")
    sections: dict[str, Mapping[str, Any]] = {}
    for path in sorted((WORDS / lang).glob("*.toml")):
        sections |= tomllib.loads(path.read_text(encoding="utf-8"))
    return Wordbook(lang, sections)
