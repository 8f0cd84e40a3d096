"""The shape of a pack's TOML files: `pack.toml` holds the head, other files of the folder add policies and clauses."""

from typing import Any

import msgspec

from rules.pack import Game

Raw = dict[str, Any]
OneOrMore = Raw | list[Raw]
Steps = list[OneOrMore]
When = dict[str, str | list[str]]


class RawRequirement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    duty: str
    trigger: OneOrMore
    scope: str = "round"
    when: When = {}
    holds: Raw = {}
    precedence: Steps = []
    since: OneOrMore = []
    response: Steps = []
    before: OneOrMore = []
    absence: OneOrMore = []
    not_succession: OneOrMore = []
    until: OneOrMore = []
    existence: OneOrMore = []
    unless: OneOrMore = []
    overrides: list[str] = []
    probed: OneOrMore = []
    needs_input: list[str] = []
    needs_ruling: list[str] = []


class RawAlternative(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    meaning: dict[str, str]
    where: Raw = {}
    when: When = {}


class RawClause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    citation: str
    meaning: dict[str, str]
    role: str = ""
    alternative: list[RawAlternative] = []
    requirement: list[RawRequirement]


class RawValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    value: str
    meaning: dict[str, str]


class RawPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    meaning: dict[str, str]
    default: str
    value: list[RawValue]
    clauses: list[str]


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`pack.toml`."""

    id: str
    title: str
    authority: str
    citation: str
    version: str
    text_date: str
    pack_date: str
    languages: list[str]
    game: Game
    policy: list[RawPolicy] = []
    clause: list[RawClause] = []


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Any other file of the pack."""

    policy: list[RawPolicy] = []
    clause: list[RawClause] = []
