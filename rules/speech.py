"""Says in one language what the judge found: facts as plain clauses, verdicts as one sentence."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from rules.pack import Meaning
from rules.vocabulary import Fact, Value
from rules.wordfile import LANGUAGES, Slot, Table, Text, Words, load_words
from rules.wording import clip

DEEPEST = 6
"""How far texts may stand within texts."""


class Telling(msgspec.Struct, frozen=True):
    """What a verdict has to say, in no language yet: a frame of the catalogues and what it speaks of."""

    frame: str
    facts: dict[str, Fact] = {}
    values: dict[str, Value] = {}
    parts: "dict[str, tuple[Telling, ...]]" = {}
    """Tellings within this one; several are joined as things that came one after the other."""
    duty: Meaning = {}
    """What the rule demands."""


class _Scope(NamedTuple):
    """Where the slots of a text find their values."""

    values: Mapping[str, Value]
    tables: Mapping[str, Table]


def reasons(telling: Telling) -> dict[str, str]:
    """The sentence of a telling in every language."""
    if telling.facts or telling.parts:
        return {language: Speech(load_words(language)).sentence(telling) for language in LANGUAGES}
    return _plain_reasons(telling.frame, tuple(telling.values.items()))


@lru_cache(maxsize=100)
def _plain_reasons(frame: str, values: tuple[tuple[str, Value], ...]) -> dict[str, str]:
    """The sentences of a telling that names no facts; most verdicts of a run are such."""
    telling = Telling(frame, values=dict(values))
    return {language: Speech(load_words(language)).sentence(telling) for language in LANGUAGES}


class Speech:
    """Speaks one language. Nothing in here raises for want of a word: what has none is shown as it is."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def fact(self, fact: Fact) -> str:
        """What happened, as a clause that can stand within a sentence: `the shoe jammed during a round of play`."""
        entry = self._words.facts.get(fact.name)
        if entry is None:
            return self._frame("unnamed", {"name": fact.name})
        for variant in entry.variants:
            if all(key_of(fact.attributes.get(name)) in values for name, values in variant.when.items()):
                return self._text(variant.says, _Scope(fact.attributes, entry.tables))
        return self._frame("unnamed", {"name": fact.name})

    def cite(self, fact: Fact) -> str:
        """What happened with its record number."""
        return self._filled("cite", {"fact": self.fact(fact), "record": str(fact.at)})

    def sentence(self, telling: Telling) -> str:
        """The whole sentence of a verdict."""
        said = self.telling(telling)
        return said[:1].upper() + said[1:]

    def telling(self, telling: Telling) -> str:
        """A telling in words; one within a sentence begins with a small letter and has no full stop."""
        given = {name: str(value) for name, value in telling.values.items()}
        given |= {name: self.cite(fact) for name, fact in telling.facts.items()}
        if telling.frame == "fact":
            return given["fact"]
        joint = self._filled("then", {})
        given |= {name: joint.join(map(self.telling, parts)) for name, parts in telling.parts.items()}
        if telling.duty:
            given["duty"] = telling.duty.get(self._words.language) or telling.duty["en"]
        return self._frame(telling.frame, telling.values, given)

    def _frame(self, name: str, values: Mapping[str, Value], given: Mapping[str, str] | None = None) -> str:
        return self._text(self._words.frames.get(name, (name,)), _Scope(values, {}), given or {})

    def _filled(self, name: str, given: Mapping[str, str]) -> str:
        return self._frame(name, {}, given)

    def _text(self, text: Text, scope: _Scope, given: Mapping[str, str] | None = None, depth: int = 0) -> str:
        given = given or {}
        said: list[str] = []
        for piece in text:
            if isinstance(piece, str):
                said.append(piece)
            elif piece.name in given and piece.table == piece.name:
                said.append(given[piece.name])
            else:
                said.append(self._slot(piece, scope, depth))
        return "".join(said)

    def _slot(self, slot: Slot, scope: _Scope, depth: int) -> str:
        value = scope.values.get(slot.name)
        if slot.optional and value == "":
            return ""
        found = self.entry_for(slot, value, scope.tables)
        if found is None or depth >= DEEPEST:
            said = self._plain(value)
        else:
            text, rest = found
            plain = "" if value is None else clip(str(value))
            # What a foreign party wrote is filled in and never looked into for slots.
            given = {"value": plain, "spaced": plain.replace("_", " "), "rest": clip(rest)}
            said = self._text(text, scope, given, depth + 1)
        return f" {said}" if slot.optional else said

    def entry_for(self, slot: Slot, value: Value, tables: Mapping[str, Table]) -> tuple[Text, str] | None:
        """The text of the slot's table for a value, with what its `*` stands for; None when it has none for it."""
        table = tables.get(slot.table) or self._words.tables.get(slot.table)
        return find_text(table, value) if table else None

    def _plain(self, value: Value) -> str:
        return self._filled("unknown", {}) if value is None else clip(str(value))


def key_of(value: Value) -> str:
    """The key under which a table holds a value."""
    if value is None:
        return "unknown"
    return str(value).lower() if isinstance(value, bool) else str(value)


def find_text(table: Table, value: Value) -> tuple[Text, str] | None:
    """The entry of a table for a value and what `*` stood for in its key; None without one."""
    key = key_of(value)
    if key in table:
        return table[key], ""
    if value is None:
        return None
    for known, text in table.items():
        stem = known.removesuffix("*")
        if stem and stem != known and key.startswith(stem):
            return text, key[len(stem) :]
    return (table["*"], key) if "*" in table else None
