"""The shape of a pack's TOML files: `pack.toml` holds the head, other files of the folder add policies and clauses.

The limits and descriptions given here are those of the schema that editors use, too.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from rules.pack import Game

PackId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$",
        extra={"mend": "Use 1 to 60 letters, digits, '.', '-' or '_'."},
        description="Name of the pack; its folder is called the same, and every clause id begins with it and a dot.",
    ),
]
ClauseId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$",
        extra={"mend": "Use 1 to 80 letters, digits, '.', '-' or '_'."},
        description="Id of the clause: that of the pack, a dot, and the paragraph.",
    ),
]
Word = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9][a-z0-9_]{0,59}$",
        extra={"mend": "Use 1 to 60 small letters, digits or '_'."},
        description="A name of small letters, digits and underscores, once in its list.",
    ),
]
Language = Annotated[
    str,
    Meta(
        pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
        extra={"mend": 'Write a language tag such as "en", "es" or "pt-BR".'},
        description="A language tag such as en, es or pt-BR.",
    ),
]
Text = Annotated[str, Meta(max_length=4000)]
Meaning = Annotated[
    dict[Language, Text],
    Meta(description="Our own wording, in every language of the pack. Never the official text."),
]

Duty = Annotated[
    dict[Language, Text],
    Meta(description="What must be so, in every language of the pack: a clause after `the rule demands that`."),
]

Raw = dict[str, Any]
OneOrMore = Raw | list[Raw]
Steps = list[OneOrMore]
When = Annotated[
    dict[Word, Word | list[Word]],
    Meta(description="Policy switches and the values under which this counts."),
]


class RawRequirement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must be so once a fact has triggered it."""

    id: Word
    duty: Duty
    trigger: Annotated[OneOrMore, Meta(description="The fact that makes the clause apply; any of these.")]
    scope: Annotated[str, Meta(description="How long it is followed: `round`, `scenario` or `open`.")] = "round"
    when: When = {}
    holds: Annotated[Raw, Meta(description="Must be so of the trigger itself.")] = {}
    precedence: Annotated[Steps, Meta(description="Must have come before the trigger, in this order.")] = []
    since: Annotated[OneOrMore, Meta(description="Only what came after the latest of these counts as before.")] = []
    response: Annotated[Steps, Meta(description="Must follow, in this order.")] = []
    before: Annotated[OneOrMore, Meta(description="The response must be complete before any of these.")] = []
    absence: Annotated[OneOrMore, Meta(description="None of these may follow until the scope ends.")] = []
    not_succession: Annotated[
        OneOrMore, Meta(description="None of these may follow until the response is complete, or `until` has come.")
    ] = []
    until: Annotated[OneOrMore, Meta(description="Ends what `not_succession` forbids.")] = []
    existence: Annotated[OneOrMore, Meta(description="Each of these must stand somewhere in the scope.")] = []
    unless: Annotated[OneOrMore, Meta(description="Where one of these stood before it, a breach is excused.")] = []
    overrides: Annotated[list[ClauseId], Meta(description="These clauses end for the round.")] = []
    probed: Annotated[OneOrMore, Meta(description="The forbidden step that must have been tried.")] = []
    needs_input: Annotated[list[Word], Meta(description="Operator inputs without which there is no verdict.")] = []
    needs_ruling: Annotated[list[Word], Meta(description="Questions that the floor must have answered.")] = []


class RawAlternative(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the ways in which a clause can be triggered; a plan must show each."""

    id: Word
    meaning: Meaning
    where: Annotated[Raw, Meta(description="What of the trigger makes it this alternative.")] = {}
    when: When = {}


class RawClause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sub-clause of the regulation."""

    id: ClauseId
    citation: Annotated[Text, Meta(description="Where the official text stands.")]
    meaning: Meaning
    role: Annotated[
        str, Meta(description="`shuffler` or `shoe`: applies only where such a device stands; leave out for always.")
    ] = ""
    see: Annotated[list[ClauseId], Meta(description="Other clauses to read with it, of this pack or of another.")] = []
    alternative: list[RawAlternative] = []
    requirement: list[RawRequirement]


class RawValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer to an open question."""

    value: Word
    meaning: Meaning


class RawPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A switch for what the text leaves open."""

    id: Word
    meaning: Meaning
    default: Annotated[Word, Meta(description="The value that counts unless the operator chooses another.")]
    value: list[RawValue]
    clauses: Annotated[list[ClauseId], Meta(description="The clauses whose judgement it changes.")]


class RawInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An operator input that only this pack needs."""

    id: Word
    meaning: Annotated[dict[Language, Text], Meta(description="What the operator has to give.")]


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`pack.toml`."""

    id: PackId
    title: Annotated[Text, Meta(description="What the pack is about, in a few words.")]
    authority: Annotated[Text, Meta(description="Who made the regulation.")]
    citation: Annotated[Text, Meta(description="Where the official text stands.")]
    version: Annotated[
        str,
        Meta(
            pattern=r"^\d{1,6}(\.\d{1,6}){0,2}([-+][0-9A-Za-z.-]{1,40})?$",
            extra={"mend": 'Write numbers with dots, such as "1.0.0".'},
            description="Version of the pack, such as 1.0.0.",
        ),
    ]
    text_date: Annotated[Text, Meta(description="State of the regulation's text: a day as YYYY-MM-DD, or in words.")]
    pack_date: Annotated[Text, Meta(description="State of this pack, as YYYY-MM-DD.")]
    languages: Annotated[list[Language], Meta(description="English always, and that of the text.")]
    text_language: Annotated[Language, Meta(description="The language of the official text.")] = "en"
    note: Annotated[
        dict[Language, Text],
        Meta(description="What a reader must know of the pack, such as that it only follows a type of text."),
    ] = {}
    game: Game
    input: list[RawInput] = []
    policy: list[RawPolicy] = []
    clause: list[RawClause] = []


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Any other file of the pack."""

    policy: list[RawPolicy] = []
    clause: list[RawClause] = []
