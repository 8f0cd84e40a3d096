"""Who is in the round, and what the camera saw come to and leave each position in one act."""

from collections.abc import Iterable

import msgspec

from evidence.events import DealerDid, Directive, PlayerDid
from rules.table import Look, Table

DEALING = ("deliver", "dispense", "burn", "recover_card", "move_card", "turn_up")
"""Orders in which cards may come to positions."""
CLEARING = ("collect", "retire_card", "reshuffle", "remove_cards", "remove_deck", "check_deck", "shuffle")
"""Orders after which positions may be found empty."""
GATHERING = ("reshuffle", "remove_deck", "check_deck", "shuffle")
"""Orders that take all cards off the table."""


class Seat(msgspec.Struct):
    """One position in one round."""

    base: int = 0
    """Cards that lay there when the round began."""
    held: int | None = 0
    """Cards seen there at the latest look."""
    faces: int | None = 0
    up: set[int] = msgspec.field(default_factory=set)
    """Which of its cards, counted from 1, came to lie face up in the deal."""
    turned: set[int] = msgspec.field(default_factory=set)
    """Those of them that were not ordered to."""
    doubtful: set[int] = msgspec.field(default_factory=set)
    """Which of its cards came with a face that could not be seen."""

    @property
    def cards(self) -> int | None:
        """Cards of this round."""
        return None if self.held is None else self.held - self.base

    def forget_gone(self) -> None:
        """What was known of cards that do not lie here any more."""
        if self.cards is not None:
            left = range(1, self.cards + 1)
            for known in (self.up, self.turned, self.doubtful):
                known.intersection_update(left)


class Arrival(msgspec.Struct, frozen=True):
    """A card that came to a position."""

    position: str
    nth: int
    face: str | None
    seq: int


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """One order that has been carried out, and what the camera saw of it at the positions."""

    directive: Directive
    outcome: str
    issued: int
    seq: int
    arrivals: tuple[Arrival, ...] = ()
    lost: tuple[tuple[str, int], ...] = ()
    """Positions that lie empty now, with the look."""
    grown: tuple[tuple[str, int], ...] = ()
    """Positions with more cards though none was being dealt, with the look."""
    dropped: tuple[DealerDid, int] | None = None
    """What the dealer told of a card that fell."""

    def arrived_at(self, position: str) -> list[Arrival]:
        return [arrival for arrival in self.arrivals if arrival.position == position]


class Seats:
    """The players and the cards of a round."""

    def __init__(self) -> None:
        self.seat: dict[str, Seat] = {}
        self.put_in: set[str] = set()
        """Players with money in the pot of this round."""
        self.out: set[str] = set()
        """Hands that are folded, dead or void."""
        self.capped: set[str] = set()
        self.exposed: set[str] = set()
        """Players who have shown a card of their own."""

    def at(self, position: str) -> Seat:
        return self.seat.setdefault(position, Seat())

    def eligible(self, table: Table) -> list[str]:
        """Players who are in the round, in dealing order. Where nobody puts anything in, whoever sits there is."""
        seated = [place for place in table.positions if place in table.seated]
        return [place for place in seated if not self.put_in or place in self.put_in]

    def live(self, table: Table) -> list[str]:
        """Those of them whose hands are in play."""
        return [place for place in self.eligible(table) if place not in self.out]

    def new_round(self) -> None:
        self.seat = {place: Seat(base=seat.held or 0, held=seat.held) for place, seat in self.seat.items()}
        for names in (self.put_in, self.out, self.capped, self.exposed):
            names.clear()

    def player(self, event: PlayerDid) -> None:
        """Take note of what a player does."""
        if event.amount_cents > 0:
            self.put_in.add(event.position)
        match event.act:
            case "fold":
                self.out.add(event.position)
            case "protect":
                self.capped.add(event.position)
            case "expose":
                self.exposed.add(event.position)
            case _:
                pass

    def carried_out(
        self,
        directive: Directive,
        outcome: str,
        issued: int,
        seq: int,
        dropped: tuple[DealerDid, int] | None,
        table: Table,
    ) -> Act:
        """Bring the positions up to date with the looks of one act."""
        arrivals: list[Arrival] = []
        lost: list[tuple[str, int]] = []
        grown: list[tuple[str, int]] = []
        for look in self._looks(table):
            seat = self.at(look.place)
            more = None if look.count is None or seat.held is None else look.count - seat.held
            dealing = directive.verb in DEALING
            if look.count is None and look.place == directive.position and directive.verb == "deliver":
                more = 1 if outcome == "done" else 0
            if more is not None and more > 0:
                if dealing:
                    arrivals += self._came(look, seat, more)
                else:
                    grown.append((look.place, look.seq))
            elif more is not None and more < 0 and look.count == 0:
                lost.append((look.place, look.seq))
            self._note(look, seat, more, "" if directive.verb == "recover_card" else directive.face)
        self._cleared(directive, table)
        return Act(
            directive=directive, outcome=outcome, issued=issued, seq=seq,
            arrivals=tuple(sorted(arrivals, key=lambda one: (one.position != directive.position, one.seq))),
            lost=tuple(lost), grown=tuple(grown), dropped=dropped,
        )  # fmt: skip

    def _looks(self, table: Table) -> Iterable[Look]:
        """The best look at each position since the last order was carried out."""
        places = dict.fromkeys(look.place for look in table.recent if look.place in table.positions)
        return [look for place in places if (look := table.look(place)) is not None]

    @staticmethod
    def _came(look: Look, seat: Seat, more: int) -> list[Arrival]:
        faces = None if look.face_up is None or seat.faces is None else look.face_up - seat.faces
        first = (seat.cards or 0) + 1
        face = {None: None, 0: "down", more: "up"}.get(faces)
        return [Arrival(look.place, first + n, face, look.seq) for n in range(more)]

    @staticmethod
    def _note(look: Look, seat: Seat, more: int | None, ordered: str) -> None:
        faces = None if look.face_up is None or seat.faces is None else look.face_up - seat.faces
        came = range((seat.cards or 0) + 1, (seat.cards or 0) + (more or 0) + 1)
        if more and more > 0 and faces == more:
            seat.up.update(came)
            seat.turned.update(came if ordered != "up" else ())
        elif more and more > 0 and faces != 0:
            seat.doubtful.update(came)
        if look.count is not None:
            seat.held = look.count
            if look.count == 0:
                seat.base = 0
        elif more and seat.held is not None:
            seat.held += more
        seat.faces = look.face_up if look.face_up is not None else seat.faces
        seat.forget_gone()

    def _cleared(self, directive: Directive, table: Table) -> None:
        """Cards that went with all others lie there no more, unless they were seen to."""
        everything = directive.verb in GATHERING or (directive.position or directive.place) == "all"
        seen = {look.place for look in table.recent}
        for place in [place for place in self.seat if everything and place not in seen]:
            self.seat[place] = Seat()
