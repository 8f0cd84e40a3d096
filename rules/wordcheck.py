"""Finds what a word catalogue lacks or has too much: facts without a sentence, values without words, loops."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from rules.speech import DEEPEST, find_text, key_of
from rules.vocabulary import Attribute, FactKind, Value
from rules.wordfile import Entry, Slot, Table, Text, Words

NUMBERS = (0, 1, 2, 7)
FREE = ("", "dealer", "seat/3", "anything else")
OWN = ("value", "spaced", "rest")
"""Slots that only the texts of tables have."""


def sample(attribute: Attribute) -> tuple[Value, ...]:
    """Values of an attribute: all of a closed one, a few of an open one, and what could not be seen."""
    if attribute.values:
        return (*attribute.values, None)
    match attribute.kind:
        case "flag":
            return (True, False, None)
        case "number":
            return (*NUMBERS, None)
    return (*FREE, None)


def combinations(kind: FactKind, entry: Entry) -> Iterator[dict[str, Value]]:
    """Attributes of a fact: every combination of those that choose a variant, with each value of each other."""
    choosing = sorted({name for variant in entry.variants for name in variant.when if name in kind.attributes})
    others = [name for name in kind.attributes if name not in choosing]
    for chosen in product(*(sample(kind.attributes[name]) for name in choosing)):
        fixed: dict[str, Value] = dict(zip(choosing, chosen, strict=True))
        first = {name: sample(kind.attributes[name])[0] for name in others}
        yield {**first, **fixed}
        for name in others:
            for value in sample(kind.attributes[name])[1:]:
                yield {**first, **fixed, name: value}


def find_problems(words: Words, facts: Mapping[str, FactKind]) -> list[str]:
    """What is wrong with the sentences of facts in one language, each with what to add or to mend."""
    problems = [_no_entry(words.language, name, kind) for name, kind in facts.items() if name not in words.facts]
    for name, entry in words.facts.items():
        where = f"rules/words/{words.language}: [fact.{name}]"
        if name in facts:
            problems += [f"{where}: {problem}" for problem in _entry_problems(words, entry, facts[name])]
        else:
            problems.append(f"{where}: there is no such fact. Remove the entry, or add the fact to rules/vocabulary/.")
    return problems


def frame_slots(text: Text) -> set[str]:
    """The names that a text speaks of."""
    return {piece.name for piece in text if isinstance(piece, Slot)}


def _no_entry(language: str, name: str, kind: FactKind) -> str:
    known = ", ".join(kind.attributes) or "none"
    return (
        f"rules/words/{language}/: the fact {name!r} has no sentence. Add to a file there:\n"
        f'[fact.{name}]\nsays = "..."\n'
        f"It states: {kind.states} Its attributes, each of which may stand in braces: {known}."
    )


def _entry_problems(words: Words, entry: Entry, kind: FactKind) -> list[str]:
    problems: list[str] = []
    if entry.variants[-1].when:
        problems.append("the last variant has a `when`, so there may be nothing to say. End with one without.")
    for variant in entry.variants:
        for name, values in variant.when.items():
            if name not in kind.attributes:
                problems.append(
                    f"`when` asks for {name!r}, which is no attribute. It has: {', '.join(kind.attributes)}."
                )
            else:
                known = {key_of(value) for value in sample(kind.attributes[name])}
                closed = kind.attributes[name].kind == "flag" or bool(kind.attributes[name].values)
                problems += [
                    f"`when` asks for {name} = {one!r}, which cannot be."
                    for one in values
                    if closed and one not in known
                ]
        problems += _text_problems(words, entry.tables, variant.says, kind, ())
    used = {slot.table for slot in _slots(words, entry)}
    problems += [f"nothing uses its table {name!r}. Remove it." for name in entry.tables if name not in used]
    return list(dict.fromkeys(problems))


def _slots(words: Words, entry: Entry) -> Iterator[Slot]:
    """Every slot that a fact's sentence can come to."""
    waiting = [piece for variant in entry.variants for piece in variant.says if isinstance(piece, Slot)]
    seen: set[Slot] = set()
    while waiting:
        slot = waiting.pop()
        if slot not in seen:
            seen.add(slot)
            yield slot
            table = entry.tables.get(slot.table) or words.tables.get(slot.table) or {}
            waiting += [piece for text in table.values() for piece in text if isinstance(piece, Slot)]


def _text_problems(
    words: Words, own: Mapping[str, Table], text: Text, kind: FactKind, within: tuple[str, ...]
) -> list[str]:
    problems: list[str] = []
    for slot in (piece for piece in text if isinstance(piece, Slot)):
        if slot.name in OWN and within:
            continue
        if slot.name not in kind.attributes:
            problems.append(f"{{{slot.name}}} is no attribute. It has: {', '.join(kind.attributes) or 'none'}.")
            continue
        attribute = kind.attributes[slot.name]
        table = own.get(slot.table) or words.tables.get(slot.table)
        if table is None:
            if slot.table != slot.name:
                problems.append(f"there is no table {slot.table!r} for {slot.name}. Add [table.{slot.table}].")
            elif attribute.values or attribute.kind == "flag":
                problems.append(
                    f"{slot.name} needs words for its values. Add a table {slot.name!r} with {_listed(attribute)}."
                )
            continue
        lacking = [key_of(value) for value in _needed(attribute, slot) if find_text(table, value) is None]
        if lacking:
            problems.append(
                f"the table {slot.table!r} has no words for {', '.join(map(repr, lacking))} of {slot.name}. Add them."
            )
        if slot.table in within or len(within) >= DEEPEST - 1:
            problems.append(f"the table {slot.table!r} comes back to itself. Write it out.")
            continue
        for inner in dict.fromkeys(found[0] for value in sample(attribute) if (found := find_text(table, value))):
            problems += _text_problems(words, own, inner, kind, (*within, slot.table))
    return problems


def _needed(attribute: Attribute, slot: Slot) -> Iterable[Value]:
    """The values for which a table must have words; what could not be seen has words of its own everywhere."""
    values = [value for value in sample(attribute) if value is not None or attribute.kind == "flag"]
    return [value for value in values if not (slot.optional and value == "")]


def _listed(attribute: Attribute) -> str:
    return ", ".join(attribute.values or ("true", "false", "unknown"))
