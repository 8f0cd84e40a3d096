"""Which faces lie open at the table at one time, and which of them lie there twice."""

from collections import Counter

from evidence.events import AnyEvent, CardsSeen, DealerDid

CLEARS_ALL = frozenset({"gather", "remove_deck", "place_deck", "shuffle_by_hand", "lay_out"})
CLEARS_MOUTH = frozenset({"deliver", "burn", "lay_board", "drop_card"})
CLEARS_PLACE = frozenset({"collect", "move_card", "take_exposed"})
MOUTH = "shoe_mouth"


class OpenFaces:
    """What the camera reads where. A card that is taken away is forgotten until it is seen where it came to."""

    def __init__(self) -> None:
        self.labels: dict[str, tuple[str, ...]] = {}
        self.backs: dict[str, tuple[str, ...]] = {}

    def note(self, event: AnyEvent) -> None:
        """Take one record's event."""
        match event:
            case CardsSeen() as seen:
                self.labels[seen.place] = tuple(label for label in seen.face_up if label)
                self.backs[seen.place] = tuple(back for back in seen.backs if back)
            case DealerDid(act=act) if act in CLEARS_ALL:
                self.labels.clear()
                self.backs.clear()
            case DealerDid(act=act) if act in CLEARS_MOUTH:
                self._clear(MOUTH)
            case DealerDid(act=act) as did if act in CLEARS_PLACE:
                for place in {did.position, did.place}:
                    self._clear(place)
            case _:
                pass

    def twice(self) -> tuple[str, ...]:
        """The faces that lie open more than once at this moment, in the order of their labels."""
        counted = Counter(label for labels in self.labels.values() for label in labels)
        return tuple(sorted(label for label, count in counted.items() if count > 1))

    def back_names(self) -> set[str]:
        """The backs that show at this moment."""
        return {back for backs in self.backs.values() for back in backs}

    def _clear(self, place: str) -> None:
        if place == "all":
            self.labels.clear()
            self.backs.clear()
        self.labels.pop(place, None)
        self.backs.pop(place, None)
