"""One hand of a tournament as the software keeps count of it, from its first deal to the last replay of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.emulators.table_software.games.holdem.betting import Betting
from evidence.events import CardsSeen


@dataclass(slots=True)
class Deal:
    """The initial deal of a hand, by what the camera saw of it."""

    order: Sequence[str]
    """Hands in the order of dealing: clockwise from the left of the button, which is the last of them."""
    each: int
    """Cards that each hand is dealt."""
    held: dict[str, int] = field(default_factory=dict)
    open: dict[str, int] = field(default_factory=dict)
    landed: list[str] = field(default_factory=list)
    """Where each card went, in the order in which they came."""
    exposed: list[str] = field(default_factory=list)
    """Hands with a card that the dealer turned up, the first two cards of the deal left out."""
    reversed: int = 0
    """Cards found face up in the pack."""
    under_way: bool = True
    completed: str = ""
    """The hand that was found short when the deal was over, and was ordered the card that it lacked."""

    def saw(self, looks: Mapping[str, CardsSeen]) -> tuple[list[str], list[str]]:
        """Take the looks after one delivery. Returns where cards arrived, and where one was turned up with it."""
        arrived: list[str] = []
        turned: list[str] = []
        for place, look in looks.items():
            if look.count is None:
                continue
            more = look.count - self.held.get(place, 0)
            arrived += [place] * max(0, more)
            if more > 0 and len(look.face_up) > self.open.get(place, 0):
                turned.append(place)
            self.held[place], self.open[place] = look.count, len(look.face_up)
        self.landed += arrived
        return arrived, turned

    @property
    def due(self) -> list[str]:
        """Where each card of the deal should go."""
        return [*self.order] * self.each

    @property
    def came(self) -> list[str]:
        """Where each card of the deal went, of those that went to a hand of the deal."""
        return [place for place in self.landed if place in self.order]

    @property
    def empty(self) -> list[str]:
        """Hands that were not dealt a card."""
        return [place for place in self.order if not self.held.get(place, 0)]

    @property
    def wrong(self) -> list[str]:
        """Hands that do not hold what they should."""
        return [place for place in self.order if self.held.get(place, 0) != self.each]

    @property
    def in_order(self) -> bool:
        """True when the cards came in turn, or all but the button's, which came one after the other at the end."""
        button = self.order[-1]
        others = [place for place in self.came if place != button]
        together = self.came[-self.each :] == [button] * self.each
        return self.came == self.due or (together and others == [place for place in self.due if place != button])


@dataclass(slots=True)
class Hand:
    """One hand. A misdeal deals it again: button, players and blinds stay what they are here."""

    order: Sequence[str]
    blinds: tuple[int, int]
    each: int
    deal: Deal = field(init=False)
    betting: Betting = field(init=False)
    deals: int = 0
    board: int = 0
    begun: bool = False
    """True once the pack is being shuffled for this hand, or its dealer has sat down."""

    def __post_init__(self) -> None:
        self.again()

    def again(self) -> None:
        """Begin a deal of this hand."""
        self.deals += 1
        self.board = 0
        self.deal = Deal(order=self.order, each=self.each)
        self.betting = Betting(seats=self.order)

    @property
    def button(self) -> str:
        return self.order[-1]
