"""The deal of one round of seven card stud, as the software keeps count of it."""

from dataclasses import dataclass, field
from typing import Literal

from evidence.events import CardsSeen

DOWN_CARDS = 2
FIRST_BETTING = 3
"""Betting begins with the third card."""
CARDS = 7


@dataclass(slots=True)
class Lost:
    """A hand that was taken away or fouled, and what the floor said of it."""

    position: str
    how: Literal["collected", "fouled"]
    cause: str
    said: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Deal:
    """One round."""

    phase: Literal["opening", "dealing", "betting", "shown", "over"] = "opening"
    tally: dict[str, int] = field(default_factory=dict)
    """Cards at each position."""
    holes_up: dict[str, int] = field(default_factory=dict)
    """Down cards that lie face up at each position."""
    out: set[str] = field(default_factory=set)
    """Hands that are folded or dead."""
    turn: list[str] = field(default_factory=list)
    """Hands that still get their card of the present turn, in order."""
    nth: int = 0
    """Which card of each hand is being dealt."""
    protected: set[str] = field(default_factory=set)
    lost: dict[str, Lost] = field(default_factory=dict)
    face_up_found: int = 0
    last_up: bool = False
    """A last card was exposed, so the others come face up too."""
    waiting: bool = False
    """A card lies at the mouth as the next one."""
    dropped: str = ""
    """How the card lies that fell off the table, as the dealer told; empty when none did."""
    checked: list[CardsSeen] = field(default_factory=list)
    """Looks at the parts of the check under way."""
    shuffled: bool = False
    """A device or the dealer has told of the shuffle that was ordered last."""
    claimed: int | None = None
    """Cards that the shuffler says it has counted."""
