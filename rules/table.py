"""The judge's own picture of the table, kept from journal records alone."""

from collections import deque
from collections.abc import Iterable, Mapping

import msgspec

from evidence.events import AnyEvent, CardsSeen, Directive, Record, SessionOpened, WagerPlaced
from rules.vocabulary import Value

MOUTH = "shoe_mouth"
RACK = "discard_rack"
CENTRE = "layout_centre"
BURN = "burn"
DEALER = "dealer"
STANDING_LINES = ("power", "lid", "overcurrent")
"""Lines of a device that tell how it stands and not that it moves."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """One look at one place, in terms a clause can use; None is what the camera could not tell."""

    place: str
    seq: int
    count: int | None
    present: bool | None
    face_up: int | None
    labels: tuple[str | None, ...] = ()
    backs: tuple[str | None, ...] = ()

    @classmethod
    def from_event(cls, seen: CardsSeen, seq: int) -> "Look":
        """A squared stack has cards though they cannot be counted; anything else uncounted is an abstention.

        Of one that was told in part it is not known how many faces show.
        """
        told = (seen.count is not None or seen.stacked) and not seen.in_part
        present = seen.count > 0 if seen.count is not None else (True if seen.stacked or seen.face_up else None)
        face_up = len(seen.face_up) if told or (seen.face_up and not seen.in_part) else None
        labels, backs = tuple(seen.face_up), tuple(seen.backs)
        return cls(
            place=seen.place,
            seq=seq,
            count=seen.count,
            present=present,
            face_up=face_up,
            labels=labels,
            backs=backs,
        )


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A record as the trackers get it; `done` is the order that it says was carried out, with its record."""

    event: AnyEvent
    seq: int
    mono_ns: int = 0
    """The run's clock."""
    done: tuple[int, Directive] | None = None


class Table:
    """What every tracker needs to know: the session, the round, the order being carried out, and the latest looks."""

    def __init__(self) -> None:
        self.roles: dict[str, str] = {}
        self.positions: list[str] = []
        self.seated: list[str] = []
        self.cards_in_deck = 0
        self.bank = ""
        """Position of the player who banks; empty where the house does."""
        self.inputs: dict[str, str] = {}
        self.additional_offered = False
        self.wagers: dict[tuple[str, str], int] = {}
        """Cents by position and wager; those of a round are known until others are placed, or the next round opens."""
        self._wagers_over = False
        self.round = 0
        self.in_round = False
        self.voided = False
        self.held = False
        """Whether the table software has stopped the table until somebody helps, and nothing has gone on since."""
        self.looks: dict[str, Look] = {}
        """The latest look at each place that did not abstain, in this round."""
        self.recent: list[Look] = []
        """The looks since the last order was carried out."""
        self.began = -1
        """Record of the dealer's first act for the order being carried out; -1 before it."""
        self.edges: Mapping[str, int] = {}
        """Record of the latest edge on each line that is tapped, by `device/line`."""
        self._orders: deque[tuple[int, Directive]] = deque(maxlen=1000)

    def open_session(self, event: SessionOpened) -> None:
        """The table as it is set."""
        self.roles.update(event.devices)
        self.positions = list(event.positions)
        self.seated = list(event.seated)
        self.cards_in_deck = event.cards_in_deck
        self.bank = event.bank
        self.inputs.update(event.inputs)
        self.additional_offered = event.additional_wager_offered

    def place_wager(self, event: WagerPlaced) -> None:
        """A wager is placed: it joins the others of its round, and not those of a round that is over."""
        self.forget_wagers()
        self.wagers[event.position, event.wager] = event.amount_cents

    def end_wagers(self) -> None:
        """The round is over or void: what was wagered in it is settled or returned."""
        self._wagers_over = True

    def forget_wagers(self) -> None:
        """Nothing of a round that is over is known any longer."""
        if self._wagers_over:
            self.wagers.clear()
            self._wagers_over = False

    def issued(self, record: Record, directive: Directive) -> None:
        """An order came; it is carried out when those before it are."""
        self._orders.append((record.seq, directive))
        if directive.verb != "refuse":
            self.held = directive.verb == "hold" and not directive.request

    def done(self, directive_id: str) -> tuple[int, Directive] | None:
        """Takes the order that was carried out, with the record at which it was issued."""
        for entry in self._orders:
            if entry[1].id == directive_id:
                self._orders.remove(entry)
                return entry
        return None

    @property
    def current(self) -> Directive | None:
        """The order being carried out: the oldest that is not done."""
        return self._orders[0][1] if self._orders else None

    def settle(self) -> None:
        """An order has been carried out; what is seen from here on belongs to the next."""
        self.recent = []
        self.began = -1

    def look(self, place: str) -> Look | None:
        """The best look at a place since the last order was carried out: the latest that tells something."""
        found = [look for look in self.recent if look.place == place]
        telling = [look for look in found if look.present is not None] or found
        return telling[-1] if telling else None

    def role(self, device: str) -> str:
        """The role of a device, whether it is named by its own name or by its role."""
        return self.roles.get(device, device if device in ("shuffler", "shoe") else "")

    def stood_still(self, device: str, since: int) -> bool:
        """Whether lines are tapped on which a device shows that it moves, and none of them has since record `since`."""
        named = {device} if device else {name for name, role in self.roles.items() if role == "shuffler"}
        parts = [(line.partition("/"), seq) for line, seq in self.edges.items()]
        latest = [seq for (name, _, line), seq in parts if name in named and line not in STANDING_LINES]
        return bool(latest) and max(latest) < since

    def who(self, position: str) -> str:
        """`dealer` or `player`; empty for no position."""
        return "" if not position else "dealer" if position == DEALER else "player"

    def wagered(self, position: str) -> bool:
        """Whether the main wager was placed there, or its player banks and stands against those of the others."""
        return (position, "main") in self.wagers or (position != "" and position == self.bank)

    def next_of(self, position: str, among: Iterable[str]) -> str:
        """The next of `among` clockwise after `position`; empty when there is none."""
        order = [place for place in self.positions if place in set(among) or place == position]
        return order[(order.index(position) + 1) % len(order)] if position in order else ""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A fact as a tracker states it; the machine numbers it."""

    name: str
    at: int | None = None
    """When it happened, if that was before the record that made it known."""
    attributes: dict[str, Value] = {}
    evidence: tuple[int, ...] = ()
    key: str = ""
    """Facts of one tracker with the same key are one fact, corrected; empty: never corrected."""
