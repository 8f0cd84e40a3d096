"""Who holds which seat, who is away or on penalty, and what has been put in by force."""

from collections.abc import Iterable

from evidence.events import LevelAnnounced, SeatStatus, SessionOpened

Blinds = tuple[tuple[str, int], ...]


class People:
    """The players as the session and the people of the house tell of them."""

    def __init__(self) -> None:
        self._places: list[str] = []
        self._state: dict[str, str] = {}
        self.entitled: tuple[str, ...] = ()
        """Seats that held a player when the hand was opened, clockwise."""
        self.arrived: set[str] = set()
        """Seats that somebody has taken since then."""
        self.level_called = False
        """Whether the clock has called another level since then."""

    def open_session(self, event: SessionOpened) -> None:
        self._places = [place for place in event.positions if place != "dealer"]
        self._state = {place: "present" for place in self._places if place in event.seated}

    def note(self, event: SeatStatus | LevelAnnounced) -> None:
        """Take one message."""
        if isinstance(event, LevelAnnounced):
            self.level_called = True
            return
        if event.position in self._places:
            if event.position not in self.entitled and event.state != "empty":
                self.arrived.add(event.position)
            self._state[event.position] = event.state

    def new_hand(self) -> None:
        """Who holds a seat now has a hand."""
        self.entitled = tuple(place for place in self._places if self._state.get(place, "empty") != "empty")
        self.arrived = set()
        self.level_called = False

    def state(self, place: str) -> str:
        """How a seat stands."""
        return self._state.get(place, "empty")

    def in_state(self, state: str, among: Iterable[str]) -> tuple[str, ...]:
        """Those of the seats that are in this state."""
        return tuple(place for place in among if self.state(place) == state)

    def from_left_of(self, button: str) -> tuple[str, ...]:
        """The hands in the order of dealing, the button last; empty when nobody knows where the button lies."""
        if button not in self._places:
            return ()
        at = self._places.index(button) + 1
        return tuple(place for place in (*self._places[at:], *self._places[:at]) if place in self.entitled)
