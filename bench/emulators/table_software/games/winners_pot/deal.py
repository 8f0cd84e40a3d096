"""The deal of one round of Winner's Pot, as the software keeps count of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

HIGH_RANKS = "JQKA"


@dataclass(slots=True)
class Deal:
    """One round. `order` is the order of dealing: clockwise from the button, the dealer last."""

    order: list[str]
    phase: Literal["opening", "holes", "streets", "dealt", "shown"] = "opening"
    tally: dict[str, int] = field(default_factory=dict)
    """Cards at each position, as last seen, or as delivered where nothing was seen."""
    hole_up: dict[str, int] = field(default_factory=dict)
    """Hole cards that lie face up at each position."""
    out: set[str] = field(default_factory=set)
    """Hands that are dead or void."""
    folded: set[str] = field(default_factory=set)
    served: set[str] = field(default_factory=set)
    """Hands that have had their card of the present turn already."""
    face_up_found: int = 0
    waiting: bool = False
    """A card drawn before its time lies at the mouth; it is the next one."""
    drawn_by: str = ""
    """Id of the message in which the dealer told of a card drawn in error, until the camera has shown it."""
    burned: int = 0
    burn_owed: int = 0
    main_void: bool = False
    """The dealer's hand is dead, and with it every wager against it."""
    unsettled: bool = False
    """No wager of the round is to be settled, by a defect."""
    unpaid: set[str] = field(default_factory=set)
    """Hands whose wagers are not to be settled, by a defect."""

    @property
    def dealing(self) -> bool:
        return self.phase in {"holes", "streets"}

    def live(self, position: str) -> bool:
        """True for a hand that still gets cards."""
        return position not in self.out and position not in self.folded

    @property
    def players(self) -> list[str]:
        """Players whose hands still get cards, in the order of dealing."""
        return [position for position in self.order if position != "dealer" and self.live(position)]


def next_place(places: Sequence[str], among: Sequence[str], after: str) -> str:
    """The next of `among` clockwise after a place; `places` lists all places clockwise. Unknown places come first."""
    start = places.index(after) + 1 if after in places else 0
    clockwise = [*places[start:], *places[:start]]
    return next(place for place in clockwise if place in among)


def clockwise_from(places: Sequence[str], among: Sequence[str], after: str) -> list[str]:
    """All of `among` in clockwise order, beginning with the next one after a place."""
    start = places.index(after) + 1 if after in places else 0
    return [place for place in (*places[start:], *places[:start]) if place in among]


def pair_of_jacks_or_better(labels: Sequence[str | None]) -> bool:
    """True when two of the cards are jacks, queens, kings or aces of one rank."""
    ranks = [label[0] for label in labels if label and label != "Jk"]
    return any(ranks.count(rank) >= 2 for rank in HIGH_RANKS)
