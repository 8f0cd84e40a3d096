"""The host's books: the shoe names no shoe and no round, so the host numbers them from what the shoe says.

A round opens with the player's first card, unless that card is one sent again; connecting opens none. A result counts
once the player's and the banker's first two cards have been told; it is held until then, and comes to stand aside
(`quarantined`) when the shoe was changed meanwhile.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from bench.protocol.angel_eye.messages import Card, Error, Message, Result, Told

Standing = Literal["final", "held", "quarantined"]
MANDATORY = frozenset({("player", 1), ("player", 2), ("banker", 1), ("banker", 2)})


@dataclass(frozen=True, slots=True)
class Booked:
    """A message with its place in the books. Numbers count from 1; 0 is none."""

    message: Message
    shoe: int = 0
    round: int = 0
    again: bool = False
    """The card was told before, or may not count as a new one."""
    standing: Standing | None = None
    """Of a result only."""


@dataclass(slots=True)
class Rounds:
    """One shoe's books. `shoe` and `round` are the numbers at hand."""

    shoe: int = 0
    round: int = 0
    _open: bool = False
    _cards: dict[tuple[str, int], str] = field(default_factory=dict)
    _again: bool = False
    """The shoe has said that it sends again."""
    _cut: bool = False
    _changed: bool = False
    """The shoe was changed while a round was open."""
    _held: Result | None = None

    def take(self, message: Message) -> Iterable[Booked]:
        """Enter one message; what comes out is in the order in which it counts."""
        match message:
            case Card() if message.in_game:
                return self._card(message)
            case Card() | Error():
                return [self._booked(message)]
            case Result():
                return [self._result(message)]
            case Told(notice="start"):
                self._new_shoe()
            case Told(notice="cut_card"):
                self._cut = True
            case Told(notice="retransmission"):
                self._again = True
            case Told():
                pass
        return [self._booked(message)]

    def _booked(self, message: Message, *, again: bool = False, standing: Standing | None = None) -> Booked:
        return Booked(message, self.shoe, self.round if self._open else 0, again, standing)

    def _card(self, card: Card) -> list[Booked]:
        if card.hand not in ("player", "banker"):
            return [self._booked(card)]
        key = (card.hand, card.index)
        known = self._cards.get(key)
        if known is not None and (self._again or known == card.label):
            return [self._booked(card, again=True)]
        if key == ("player", 1) and self._again:
            return [self._booked(card, again=True)]
        if key == ("player", 1):
            self.round += 1
            self._open, self._changed, self._held = True, False, None
            self._cards.clear()
        if not self._open or known is not None:
            # A card of a round that nobody saw begin, or a second one at the same place.
            return [self._booked(card, again=True)]
        self._cards[key] = card.label
        booked = [self._booked(card)]
        if self._held is not None and self._cards.keys() >= MANDATORY:
            held, self._held = self._held, None
            booked.append(self._result(held))
        return booked

    def _result(self, result: Result) -> Booked:
        self._again = False
        if not self._open or self._changed:
            return self._booked(result, standing="quarantined")
        if result.winner != "void" and not self._cards.keys() >= MANDATORY:
            self._held = result
            return self._booked(result, standing="held")
        booked = self._booked(result, standing="final")
        self._open = False
        self._cards.clear()
        return booked

    def _new_shoe(self) -> None:
        """A start after the cutting card, or the first one heard, is a new shoe; any other is the same shoe again."""
        self._again = False
        if self._cut or not self.shoe:
            self.shoe += 1
            self._changed = self._open
            self._cut = False
