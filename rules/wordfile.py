"""Reads the word catalogues: how each language says the facts, and the frames that a verdict's sentence has for them.

A text may hold slots. `{name}` is what the table `name` of the same fact, or else of the language, says for the value
of that attribute; the value itself where there is no such table. `{name:table}` asks another table, `{?name:table}` is
left out with its blank where the attribute is empty. The texts of tables may hold slots themselves; `{value}` is there
the value, and `{rest}` what stood where the key has `*`.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter

import msgspec

from evidence.errors import UsageError
from evidence.tomlfile import load_toml

LANGUAGES = ("en", "es", "it")
WORDS = Path(__file__).parent / "words"
WHAT = "word catalogue"


class Slot(msgspec.Struct, frozen=True):
    """A place in a text that a value fills."""

    name: str
    table: str
    optional: bool = False


Text = tuple[str | Slot, ...]
Table = dict[str, Text]
"""Texts by value: `true`, `false`, a number, a text, a text that ends in `*`, `*` for all others, `unknown`."""


class Variant(msgspec.Struct, frozen=True):
    """One way to say a fact, where its attributes have these values (any, for an attribute that is not named)."""

    when: dict[str, tuple[str, ...]]
    says: Text


class Entry(msgspec.Struct, frozen=True):
    """How to say one kind of fact: the first variant that fits, and words of its own."""

    variants: tuple[Variant, ...]
    tables: dict[str, Table] = {}


class Words(msgspec.Struct, frozen=True):
    """The catalogue of one language."""

    language: str
    facts: dict[str, Entry]
    frames: dict[str, Text]
    tables: dict[str, Table]


class RawVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    says: str
    when: dict[str, str | list[str]] = {}


class RawFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a catalogue."""

    fact: dict[str, dict[str, str | list[RawVariant] | dict[str, str]]] = {}
    frame: dict[str, str] = {}
    table: dict[str, dict[str, str]] = {}


@cache
def words_digest() -> str:
    """SHA-256 over the catalogues of all languages: by it a run tells how its sentences were worded."""
    digest = hashlib.sha256()
    for path in sorted(WORDS.glob("*/*.toml")):
        digest.update(f"{path.parent.name}/{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


@cache
def load_words(language: str) -> Words:
    """The shipped catalogue of a language. Raises UsageError for one that there is none of."""
    if language not in LANGUAGES:
        raise UsageError(f"there are no sentences in {language!r}. Choose one of: {', '.join(LANGUAGES)}.")
    return read_words(WORDS / language, language)


def read_words(folder: Path, language: str) -> Words:
    """The catalogue in the files of a folder. Raises UsageError naming file and entry where one is wrong."""
    facts: dict[str, Entry] = {}
    frames: dict[str, Text] = {}
    tables: dict[str, Table] = {}
    for path in sorted(folder.glob("*.toml")):
        raw = load_toml(path, RawFile, WHAT)
        for name, entry in raw.fact.items():
            _once(path, f"fact.{name}", name in facts)
            facts[name] = _entry(path, name, entry)
        for name, text in raw.frame.items():
            _once(path, f"frame.{name}", name in frames)
            frames[name] = compile_text(text)
        for name, texts in raw.table.items():
            for key, text in texts.items():
                _once(path, f"table.{name}.{key}", key in tables.setdefault(name, {}))
                tables[name][key] = compile_text(text)
    return Words(language, facts, frames, tables)


def compile_text(text: str) -> Text:
    """A text cut into its literal pieces and its slots. Raises ValueError for a brace without its partner."""
    pieces: list[str | Slot] = []
    for literal, field, table, _ in Formatter().parse(text):
        if literal:
            pieces.append(literal)
        if field is not None:
            name = field.removeprefix("?")
            pieces.append(Slot(name, table or name, optional=field.startswith("?")))
    return tuple(pieces)


def _entry(path: Path, name: str, raw: Mapping[str, str | list[RawVariant] | dict[str, str]]) -> Entry:
    says = raw.get("says")
    if isinstance(says, str):
        variants: tuple[Variant, ...] = (Variant({}, compile_text(says)),)
    elif isinstance(says, list):
        variants = tuple(Variant(_when(one.when), compile_text(one.says)) for one in says)
    else:
        raise UsageError(f"{path}: {WHAT}, fact.{name}: `says` is missing. Write one sentence, or a list of variants.")
    return Entry(variants, {key: _table(texts) for key, texts in raw.items() if isinstance(texts, dict)})


def _when(raw: Mapping[str, str | list[str]]) -> dict[str, tuple[str, ...]]:
    return {name: (values,) if isinstance(values, str) else tuple(values) for name, values in raw.items()}


def _table(texts: Mapping[str, str]) -> Table:
    return {key: compile_text(text) for key, text in texts.items()}


def _once(path: Path, name: str, known: bool) -> None:
    if known:
        raise UsageError(f"{path}: {WHAT}: {name} stands twice in this language. Remove one.")
