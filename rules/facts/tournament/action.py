"""Substantial action, from what players were seen to do: acts in turn with chips among them, or more of them."""

from collections.abc import Sequence

from evidence.events import PlayerDid
from rules.pack import Game

ACTS = frozenset({"check", "bet", "call", "raise", "fold"})
CHIPS = frozenset({"bet", "call", "raise"})


class Action:
    """The acts of one deal. A blind is put in by force and is no act; an act out of turn does not count."""

    def __init__(self, game: Game) -> None:
        self._enough = game.substantial_acts
        self._enough_with_chips = game.substantial_acts_with_chips
        self.order: Sequence[str] = ()
        self.acted: set[str] = set()
        """Players who have acted in this deal, in turn or not."""
        self.substantial = False
        self.count = 0
        self.chips = False
        self.how = ""
        """By which of the two measures the action became substantial; empty before it did."""
        self._out: set[str] = set()
        self._last = ""
        self._streets = 0

    def new_deal(self, order: Sequence[str]) -> None:
        """A deal of the hand begins: nothing has been done in it."""
        self.order = order
        self.acted, self._out = set(), set()
        self.substantial = self.chips = False
        self.count = self._streets = 0
        self._last = self.how = ""

    def street(self) -> None:
        """A betting round is ordered. The first begins after the blinds, the others to the left of the button."""
        self._streets += 1
        if self._streets > 1 or not self._last:
            self._last = self.order[-1] if self.order else ""

    def dead(self, place: str) -> None:
        """A hand is called dead: its player acts no more."""
        self._out.add(place)

    def note(self, event: PlayerDid) -> bool:
        """Take one act; true when there is substantial action from here on and was none before."""
        place = event.position
        if event.act == "post":
            self._last = place
            return False
        if event.act not in ACTS:
            return False
        self.acted.add(place)
        in_turn = not self.order or place == self._due()
        if event.act == "fold":
            self._out.add(place)
        if not in_turn:
            return False
        self._last = place
        self.count += 1
        self.chips = self.chips or event.act in CHIPS
        before = self.substantial
        with_chips = self.chips and self.count >= self._enough_with_chips
        self.substantial = before or with_chips or self.count >= self._enough
        if self.substantial and not before:
            self.how = "with_chips" if with_chips else "acts_alone"
        return self.substantial and not before

    def _due(self) -> str:
        at = self.order.index(self._last) + 1 if self._last in self.order else 0
        return next((place for place in (*self.order[at:], *self.order[:at]) if place not in self._out), "")
