"""What a fact is: its name, its attributes, and the values that these can take."""

from typing import Literal

import msgspec

Value = str | int | bool | None


class Attribute(msgspec.Struct, frozen=True):
    """One attribute of a fact. `values` lists all that a closed text attribute can hold; empty means any text."""

    kind: Literal["text", "number", "flag"]
    values: tuple[str, ...] = ()


class FactKind(msgspec.Struct, frozen=True):
    """One kind of fact: what it states, and with which attributes."""

    states: str
    attributes: dict[str, Attribute] = {}


def text(*values: str) -> Attribute:
    """A text attribute that takes only these values; any text when none is given."""
    return Attribute("text", values)


NUMBER = Attribute("number")
FLAG = Attribute("flag")
TEXT = Attribute("text")
ROLE = text("shuffler", "shoe")
WHO = text("player", "dealer")


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened at the table, as the judge understands it from the journal."""

    name: str
    attributes: dict[str, Value]
    at: int
    """Journal sequence number of the earliest evidence: when it happened."""
    seq: int
    """Sequence number of the record that made it known."""
    evidence: tuple[int, ...]
    id: int = 0
    revision: int = 0
    """Above 0 when a fact with the same id was known before and is hereby corrected."""
    amendable: bool = False
    """True when later evidence may still correct this fact."""
