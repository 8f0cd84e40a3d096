"""The seats of a tournament table: who holds one, who is away, who serves a penalty, and the level of the blinds."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from evidence.events import LevelAnnounced, SeatStatus
from evidence.events.tournament import SeatState


@dataclass(slots=True)
class Seats:
    """What people of the house have told of the seats so far. `places` are those that a player can hold, clockwise."""

    places: Sequence[str]
    state: dict[str, SeatState] = field(default_factory=dict)
    level: tuple[int, int] = (0, 0)
    """Blinds in cents, as the clock called them last."""
    served: dict[str, int] = field(default_factory=dict)
    """Hands of a penalty served so far."""

    def note(self, event: SeatStatus | LevelAnnounced) -> None:
        """Take one message."""
        match event:
            case SeatStatus(position=position, state=state) if position in self.places:
                self.state[position] = state
            case LevelAnnounced(small_blind_cents=small, big_blind_cents=big):
                self.level = (small, big)
            case _:
                pass

    @property
    def held(self) -> list[str]:
        """Seats with a player who is entitled to a hand, whether at the seat or not."""
        return [place for place in self.places if self.state.get(place, "empty") != "empty"]

    def after(self, place: str, among: Sequence[str]) -> list[str]:
        """All of `among` in clockwise order, beginning with the next one after a place."""
        places = list(self.places)
        start = places.index(place) + 1 if place in places else 0
        return [other for other in (*places[start:], *places[:start]) if other in among]

    def in_state(self, state: SeatState) -> list[str]:
        """The seats in this state."""
        return [place for place in self.held if self.state[place] == state]
