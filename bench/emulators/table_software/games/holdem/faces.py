"""The cards whose faces lie open: cards that do not belong to the game, cards that are there twice, strange backs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from evidence.events import AnyEvent, CardsSeen, DealerDid

JOKER = "Jk"
LOW_RANKS = "2345"
GATHERS = frozenset({"gather", "remove_deck", "place_deck", "shuffle_by_hand"})


@dataclass(slots=True)
class Faces:
    """What lies open at each place now. A card that is moved is forgotten until it is seen where it came to."""

    short: bool = False
    """True where the game is played without the cards from two to five."""
    open: dict[str, list[str]] = field(default_factory=dict)
    backs: dict[str, list[str]] = field(default_factory=dict)

    def note(self, event: AnyEvent) -> None:
        match event:
            case CardsSeen(place=place, face_up=labels, backs=backs):
                self.open[place] = [label for label in labels if label]
                self.backs[place] = [back for back in backs if back]
            case DealerDid(act=act) if act in GATHERS:
                self.open.clear()
                self.backs.clear()
            case DealerDid(act="deliver" | "burn" | "lay_board"):
                self._forget("shoe_mouth")
            case DealerDid(act="collect" | "move_card" | "take_exposed", position=position, place=place):
                if "all" in (position, place):
                    self.open.clear()
                for moved in (position, place):
                    self._forget(moved)
            case _:
                pass

    def foreign(self, labels: Sequence[str | None]) -> bool:
        """True when one of these cards does not belong to the game."""
        return any(label and (label == JOKER or (self.short and label[0] in LOW_RANKS)) for label in labels)

    @property
    def twice(self) -> bool:
        """True when two open cards have the same rank and suit."""
        labels = [label for place in self.open.values() for label in place if label != JOKER]
        return len(set(labels)) < len(labels)

    @property
    def strange_back(self) -> bool:
        """True when not all cards that lie face down have the same back."""
        return len({back for place in self.backs.values() for back in place}) > 1

    def _forget(self, place: str) -> None:
        self.open.pop(place, None)
        self.backs.pop(place, None)
