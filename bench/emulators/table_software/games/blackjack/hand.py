"""One round of blackjack, as the software keeps count of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

DEALER = "dealer"
BLACKJACK = 21
RULE_INPUT = "dealer_drawing_rule"
HIT_SOFT_17 = "hit_soft_17"
"""The operator's input that says whether the dealer draws on a soft 17, and the word for it. Without: stands on all."""
_FACES = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 1}


@dataclass(slots=True)
class Deal:
    """One round. `order` is the order of dealing: the players clockwise, the dealer last."""

    order: list[str]
    phase: Literal["opening", "players", "dealer", "over"] = "opening"
    held: dict[str, int] = field(default_factory=dict)
    """Cards at each position, as last seen, or as delivered where nothing was seen."""
    faces: dict[str, list[str | None]] = field(default_factory=dict)
    """Faces last seen at each position."""
    dead: set[str] = field(default_factory=set)
    returned: set[str] = field(default_factory=set)
    """Players who have their wager of this round back."""
    refused: set[str] = field(default_factory=set)
    """Players who would not take an exposed card and get no other."""
    late: list[str] = field(default_factory=list)
    """Players who asked for a card and were passed over."""
    waiting: bool = False
    """A card lies at the mouth of the shoe; it is the next one."""
    exposed: bool = False
    """That card shows its face."""
    drawn_by: str = ""
    """Id of the message in which the dealer told of a card drawn in error, until the camera has shown it."""
    ran_out: bool = False
    """The shoe has just said that it holds no card."""
    refilled: bool = False
    """The shoe was filled with the discards in this round."""

    @property
    def players(self) -> list[str]:
        """Players whose hands are in play."""
        return [seat for seat in self.order if seat != DEALER and seat not in self.dead]

    def points(self, position: str) -> int | None:
        """The total of a hand all of whose cards were seen; None where a face is hidden or could not be read."""
        faces = self.faces.get(position, [])
        return points_of(faces) if len(faces) == self.held.get(position, 0) else None


def points_of(faces: Sequence[str | None]) -> int | None:
    """The total of these cards, an ace counting 11 where that does not go over 21; None where one is not known."""
    low = _low(faces)
    if low is None:
        return None
    return low + 10 if _has_ace(faces) and low + 10 <= BLACKJACK else low


def is_soft(faces: Sequence[str | None]) -> bool:
    """Whether an ace among these cards counts 11."""
    low = _low(faces)
    return low is not None and _has_ace(faces) and low + 10 <= BLACKJACK


def must_draw(faces: Sequence[str | None], rule: str) -> bool | None:
    """Whether the dealer draws to these cards under the house's rule; None where a card is not known."""
    points = points_of(faces)
    if points is None:
        return None
    return points < 17 or (points == 17 and is_soft(faces) and rule == HIT_SOFT_17)


def _has_ace(faces: Iterable[str | None]) -> bool:
    return any(face is not None and face.startswith("A") for face in faces)


def _low(faces: Iterable[str | None]) -> int | None:
    """The total with every ace counting 1."""
    total = 0
    for face in faces:
        if face is None or face == "Jk":
            return None
        total += _FACES.get(face[0]) or int(face[0])
    return total
