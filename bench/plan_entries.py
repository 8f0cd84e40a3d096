"""What a scenario of a plan file can hold beside its faults: the table, wagers, requests, rulings, moves, defects."""

from typing import Annotated, Literal

import msgspec

from bench.inputs import Given
from evidence.events import WagerPlaced

MOST_CENTS = 100_000_000
SEATS = ("seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer")


class Defect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A switch of an emulator that breaks the rule on purpose, to show that this scenario can fail."""

    name: str
    on: Literal["software", "shuffler", "shoe"]
    fails: str
    """The clause that must fail, or `CLAUSE/requirement`, the requirement of it that must."""
    follows: list[str] = []
    """What else fails as a consequence: clauses, or single requirements as `CLAUSE/requirement`."""
    policies: dict[str, str] = {}
    """Policy switches under which this defect and the compliant run beside it are judged."""

    @property
    def clause(self) -> str:
        """The clause that must fail."""
        return self.fails.partition("/")[0]

    @property
    def requirement(self) -> str:
        """The requirement that must fail; empty when any of the clause may."""
        return self.fails.partition("/")[2]


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A generic defect that does not break a requirement, whatever that requirement's patterns let one expect."""

    requirement: str
    """`CLAUSE/requirement`."""
    defect: str
    """Name of the generic defect, such as `after=settle>collect`."""
    reason: Annotated[str, msgspec.Meta(min_length=10)]


class Wager(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    position: str
    wager: Literal["main", "additional", "jacks_plus"] = "main"
    amount_cents: int = 1000

    def event(self) -> WagerPlaced:
        return WagerPlaced(position=self.position, wager=self.wager, amount_cents=self.amount_cents)


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to the table software after the rounds have been played."""

    request: Literal["next_round", "resume", "deal_by_hand", "shuffle_by_hand", "check_deck"]
    probe: bool = False
    """True when the request is one that must be refused."""


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person of the house answers when the table software calls the floor with this question."""

    question: str
    ruling: str
    by: str = "floor"
    position: str = ""
    """Only for a question about this hand; empty for any."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player answers to an offer, where it is not the first of the answers that are offered."""

    position: str
    question: str
    choice: str
    round: int = 0
    """Only in this round; 0 for any."""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player does in turn, where it is not what players do by themselves: bet, or call what is owed."""

    position: str
    act: Literal["bet", "call", "raise", "check", "fold", "protect", "expose"]
    betting_round: int = 1
    amount_cents: int = 0
    """What the player puts into the pot; 0 for what the act needs."""


class Arranged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prepared deck: the card that the shoe will deal as its `card`-th."""

    card: int
    label: str


Pips = Annotated[int, msgspec.Meta(ge=1, le=6)]
Throw = tuple[Pips, Pips, Pips]
"""Prepared dice: what they show when they are next uncovered."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the table is set; a scenario may replace any entry of its plan's table."""

    game: str
    cards_in_deck: int
    seated: list[str]
    positions: list[str] = msgspec.field(default_factory=lambda: list(SEATS))
    button: str = ""
    """Where the dealer button lies at first; empty for a game without one."""
    bank: str = ""
    """The position of the player who banks the rounds; empty where the house does."""
    additional_wager_offered: bool = False
    ante_cents: int = 0
    """What each player puts into the pot before the deal; 0 in a game against the house, which has wagers instead."""
    bet_cents: int = 0
    """What the first player bets in each betting round of a game with a pot."""
    blinds: list[int] = []
    """Small and big blind in cents of a tournament's first level; empty elsewhere."""
    inputs: dict[str, Given] = {}
    """What the operator has given; a rig file may give others in their place."""
