"""What the players of one hand have done, as the software counts it: whose turn it is, chips, substantial action."""

from collections.abc import Sequence
from dataclasses import dataclass, field

MOVES = frozenset({"check", "bet", "call", "raise", "fold"})
"""What a player can do in turn. A blind is posted and no move."""
PAYING = frozenset({"bet", "call", "raise"})


@dataclass(slots=True)
class Betting:
    """`seats` are the hands of this deal clockwise from the left of the button, which is the last of them."""

    seats: Sequence[str]
    folded: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)
    acted: set[str] = field(default_factory=set)
    """Hands that have made a move since they were dealt, in turn or not."""
    pot: dict[str, int] = field(default_factory=dict)
    """Cents that each player has put in."""
    last: str = ""
    """Who moved last in turn, or posted the last blind."""
    moves: int = 0
    chips: bool = False

    @property
    def live(self) -> list[str]:
        """Hands that can still win the pot."""
        return [seat for seat in self.seats if seat not in self.folded and seat not in self.dead]

    @property
    def substantial(self) -> bool:
        """Two moves in turn, chips among them, or any three."""
        return self.moves > 2 or (self.moves == 2 and self.chips)

    def post(self, seat: str, cents: int) -> None:
        """A blind goes into the pot."""
        self.last = seat
        self._pay(seat, cents)

    def street(self) -> None:
        """Another betting round: the first live hand to the left of the button begins."""
        self.last = self.seats[-1] if self.seats else ""

    def move(self, seat: str, act: str, cents: int) -> None:
        """A player moves. Out of turn the chips count and the move does not."""
        if seat not in self.seats or act not in MOVES:
            return
        if seat == self._next():
            self.moves += 1
            self.chips = self.chips or act in PAYING
            self.last = seat
        self.acted.add(seat)
        self._pay(seat, cents)
        if act == "fold":
            self.folded.add(seat)

    def take_back(self) -> dict[str, int]:
        """What each seat has in the pot, in cents, which is empty from here on."""
        pot, self.pot = self.pot, {}
        return pot

    def _pay(self, seat: str, cents: int) -> None:
        if cents > 0:
            self.pot[seat] = self.pot.get(seat, 0) + cents

    def _next(self) -> str:
        seats = list(self.seats)
        start = seats.index(self.last) + 1 if self.last in seats else 0
        live = self.live
        return next((seat for seat in (*seats[start:], *seats[:start]) if seat in live), "")
