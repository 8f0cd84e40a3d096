"""A clause pack as the judge uses it: checked, typed data."""

import hashlib
from collections.abc import Mapping
from functools import cache

import msgspec

from rules.vocabulary import Value

Meaning = dict[str, str]
"""Our own wording by language code."""


class Reference(msgspec.Struct, frozen=True, tag="reference"):
    """An operand taken from the trigger's attributes, or from the game's parameters."""

    name: str
    of_game: bool = False


class Condition(msgspec.Struct, frozen=True):
    """One demand on one attribute of a fact."""

    attribute: str
    operator: str
    """`is`, `in`, `not`, `at_least`, `at_most`, `above` or `below`."""
    operands: tuple[Value | Reference, ...]


class Pattern(msgspec.Struct, frozen=True):
    """Facts of one name whose attributes meet every condition, where the policies in `when` hold."""

    fact: str
    conditions: tuple[Condition, ...] = ()
    when: dict[str, tuple[str, ...]] = {}


class Requirement(msgspec.Struct, frozen=True, kw_only=True):
    """One obligation. The field names are those of the DECLARE templates where one fits."""

    id: str
    duty: Meaning
    """What must be so, by language: a clause that follows `the rule demands that`."""
    trigger: tuple[Pattern, ...]
    """The activation: any of these."""
    scope: str = "round"
    """How long an obligation lasts: `round` or `scenario`."""
    when: dict[str, tuple[str, ...]] = {}
    holds: tuple[Condition, ...] = ()
    """Conditions that the trigger itself must meet."""
    precedence: tuple[tuple[Pattern, ...], ...] = ()
    """Facts that must have come before the trigger, in this order; each item is any of its patterns."""
    since: tuple[Pattern, ...] = ()
    """Only facts after the latest of these count for `precedence`."""
    response: tuple[tuple[Pattern, ...], ...] = ()
    """Facts that must follow, in this order; each item is any of its patterns."""
    before: tuple[Pattern, ...] = ()
    """Deadlines: the response must be complete before any of these."""
    absence: tuple[Pattern, ...] = ()
    """Facts that must not follow until the scope ends."""
    not_succession: tuple[Pattern, ...] = ()
    """Facts that must not follow until the response is complete, or one of `until` has come."""
    until: tuple[Pattern, ...] = ()
    existence: tuple[Pattern, ...] = ()
    """Facts of which each must stand somewhere in the scope, before or after the trigger."""
    unless: tuple[Pattern, ...] = ()
    """Exceptions: where one of these stands from the trigger's round on, and not after the breach, it is excused."""
    overrides: tuple[str, ...] = ()
    """Clauses whose obligations end in this round once this requirement is triggered."""
    probed: tuple[Pattern, ...] = ()
    """The forbidden step that must have been tried after the trigger; otherwise there is no verdict."""
    needs_input: tuple[str, ...] = ()
    """Operator inputs without which there is no verdict."""
    needs_ruling: tuple[str, ...] = ()
    """Questions that the floor must have answered after the trigger; without an answer there is no verdict."""

    def patterns(self) -> list[Pattern]:
        """Every pattern of the requirement."""
        flat = (self.trigger, self.since, self.before, self.absence, self.not_succession, self.until)
        groups = (*flat, self.existence, self.unless, self.probed, *self.precedence, *self.response)
        return [pattern for group in groups for pattern in group]


class Alternative(msgspec.Struct, frozen=True):
    """One of the ways in which a clause can be triggered; a plan must show them all."""

    id: str
    meaning: Meaning
    where: tuple[Condition, ...] = ()
    when: dict[str, tuple[str, ...]] = {}


class Clause(msgspec.Struct, frozen=True):
    """One sub-clause of a regulation."""

    id: str
    citation: str
    meaning: Meaning
    requirements: tuple[Requirement, ...]
    alternatives: tuple[Alternative, ...] = ()
    policies: tuple[str, ...] = ()
    """The policy switches that change how this clause is judged."""
    role: str = ""
    """A device of this role must stand at the table for the clause to apply; empty: it always applies."""
    see: tuple[str, ...] = ()
    """Other clauses to read with it, of this pack or of another."""


class PolicyValue(msgspec.Struct, frozen=True):
    value: str
    meaning: Meaning


class Policy(msgspec.Struct, frozen=True):
    """One open question of the text, and the answers to choose from."""

    id: str
    meaning: Meaning
    default: str
    values: tuple[PolicyValue, ...]
    clauses: tuple[str, ...]


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the game. What a game does not have is 0."""

    name: str
    cards_in_deck: int
    stack_size: int = 0
    """Cards in a stack; 0 where cards are dealt one by one."""
    stacks: int = 0
    remainder: int = 0
    """Cards left in the shoe after a right deal of stacks."""
    hole_cards: int = 0
    """The first cards of a hand, dealt face down."""
    hand_size: int = 0
    dice: int = 0
    substantial_acts: int = 0
    """Acts of players in turn that make substantial action by themselves; 0 in a game that does not know it."""
    substantial_acts_with_chips: int = 0
    """Acts in turn that make it where chips go into the pot with one of them."""
    draw_game: str = ""
    """Name of the draw game that the same rules speak of; empty for none."""
    draw_cards: int = 0
    """Cards that each hand is dealt in it."""
    draw_to: int = 0
    """The total up to which hands are drawn, such as 21; 0 in a game without."""


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """One set of clauses of one authority."""

    id: str
    title: str
    authority: str
    citation: str
    version: str
    text_date: str
    """Date or state of the regulation's text that the pack follows."""
    pack_date: str
    languages: tuple[str, ...]
    text_language: str = "en"
    """The language of the regulation's text."""
    note: Meaning = {}
    """What a reader must know of the pack, such as that it only follows a type of text; empty for nothing."""
    inputs: dict[str, Meaning] = {}
    """Operator inputs that only this pack needs, and what they are."""
    game: Game
    policies: tuple[Policy, ...]
    clauses: tuple[Clause, ...]
    path: str = ""
    """Folder it was read from."""


def pack_digest(pack: Pack) -> str:
    """SHA-256 over everything the pack says, wherever it was read from and whatever later versions can say besides."""
    said = _said(msgspec.structs.replace(pack, path=""))
    return hashlib.sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()


def _said(value: object) -> object:
    """A value without the entries that stand at their defaults, so that an entry that is new here changes no digest."""
    if isinstance(value, msgspec.Struct):
        fields = _fields_of(type(value))
        return {field.name: _said(getattr(value, field.name)) for field in fields if _differs(value, field)}
    if isinstance(value, Mapping):
        return {key: _said(one) for key, one in value.items()}
    return [_said(one) for one in value] if isinstance(value, tuple) else value


@cache
def _fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Its fields; msgspec works their types out anew each time it is asked."""
    return msgspec.structs.fields(kind)


def _differs(value: msgspec.Struct, field: msgspec.structs.FieldInfo) -> bool:
    default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
    return bool(getattr(value, field.name) != default)


def chosen(when: Mapping[str, tuple[str, ...]], policies: Mapping[str, str]) -> bool:
    """Whether every policy that `when` names has one of the values it allows."""
    return all(policies[policy] in values for policy, values in when.items())
