"""Derives facts from journal records, one record at a time. This is the judge's own view of the table."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from evidence.events import (
    CameraHealth,
    CardsSeen,
    DealerDid,
    DeviceIdentity,
    Directive,
    InstrumentIdentity,
    LineSeen,
    LinkAltered,
    LinkBytes,
    ReadingTaken,
    Record,
    SessionOpened,
    SoftwareAcknowledged,
    TableDone,
    WagerPlaced,
)
from rules.facts.blackjack import BlackjackTracker
from rules.facts.burns import BurnTracker
from rules.facts.button import ButtonTracker
from rules.facts.card_shoe import CardShoeTracker
from rules.facts.devices import DeviceTracker
from rules.facts.dispensing import DispensingTracker
from rules.facts.floor import FloorTracker
from rules.facts.hands import HandTracker
from rules.facts.identity import IdentityTracker
from rules.facts.methods import MethodTracker
from rules.facts.money import MoneyTracker
from rules.facts.orders import OrderTracker
from rules.facts.pai_gow.tracker import PaiGowTracker
from rules.facts.preparation import PreparationTracker
from rules.facts.rack import RackTracker
from rules.facts.security import SecurityTracker
from rules.facts.stacks import StackTracker
from rules.facts.stud.tracker import StudTracker
from rules.facts.tournament.tracker import TournamentTracker
from rules.facts.use import UseTracker
from rules.pack import Game
from rules.table import Draft, Look, Moment, Table
from rules.vocabulary import FACTS, Fact

SILENT = frozenset(
    {InstrumentIdentity, LinkAltered, LinkBytes, LineSeen, ReadingTaken, SoftwareAcknowledged, CameraHealth}
)
"""Events from which no fact follows by themselves; proofs refer to them. Only a tracker that names them sees them."""


Feed = Callable[[Moment, Table], list[Draft]]
Stated = tuple[Game | None, Fact]
"""A fact with the game that it is stated for; None for all games."""


class Tracker(Protocol):
    """Watches one side of the table and states facts about it.

    One that has `watches`, a tuple of event types, is given events of these types only. One that has `states`, the
    names of its facts, is left out where none of them is wanted; one with `plays` where that says no to the game.
    """

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        """The facts that follow from one record. The table holds this record already."""
        ...


EARLY: tuple[type[Any], ...] = (TournamentTracker,)
"""Trackers of a game that must see a record before the orders in it change the picture of the round."""
COMMON: tuple[type[Any], ...] = (
    OrderTracker,
    FloorTracker,
    UseTracker,
    DeviceTracker,
    MethodTracker,
    BurnTracker,
    ButtonTracker,
    MoneyTracker,
    PreparationTracker,
    CardShoeTracker,
    SecurityTracker,
)
"""Trackers for which all games are one."""
OF_GAME: tuple[type[Any], ...] = (
    DispensingTracker,
    StackTracker,
    HandTracker,
    RackTracker,
    IdentityTracker,
    StudTracker,
    BlackjackTracker,
    PaiGowTracker,
)


class FactMachine:
    """Turns the records of one scenario into facts, for every game by whose rules the table is judged.

    Bounded memory: the state of the table and of the current round.
    """

    def __init__(
        self,
        *games: Game,
        wanted: Mapping[Game, Collection[str]] | None = None,
        edges: Mapping[str, int] | None = None,
    ) -> None:
        """`wanted` are the names of the facts that are asked for, by game; without it all are.

        `edges` has the record of the latest edge on each line; whoever reads the journal keeps it.
        """
        self._wanted: dict[Game | None, frozenset[str]] = {}
        for game in games:
            self._wanted[game] = frozenset((wanted or {}).get(game, FACTS))
        self._wanted[None] = frozenset(name for names in self._wanted.values() for name in names)
        self._table = Table()
        self._table.edges = edges if edges is not None else {}
        self._ids: dict[tuple[Game | None, str], tuple[int, int, int]] = {}
        """Id, revision and record of every fact that can be corrected, by its game and key."""
        self.settled = -1
        """Record at which an order was last carried out."""
        self._next_id = 1
        self._forgotten = -1
        self._trackers: list[tuple[Game | None, Tracker]] = [
            *((game, kind(game)) for game in games for kind in EARLY if self._takes_part(kind, game)),
            *((None, kind()) for kind in COMMON if self._takes_part(kind, None)),
            *((game, kind(game)) for game in games for kind in OF_GAME if self._takes_part(kind, game)),
        ]
        watched = {kind for _, one in self._trackers for kind in getattr(one, "watches", ())}
        self.listens = SILENT & watched
        """Silent events that somebody asks for all the same."""
        self._lines: dict[type, list[tuple[Game | None, Feed]]] = {}
        """Who is to see events of a type, in order."""

    @property
    def inputs(self) -> dict[str, str]:
        """The operator's inputs, as the session gave them."""
        return self._table.inputs

    @property
    def held(self) -> bool:
        """Whether the table software is waiting for somebody to help."""
        return self._table.held

    @property
    def roles(self) -> dict[str, str]:
        """The roles of the devices at the table, by their names."""
        return self._table.roles

    def feed(self, record: Record) -> list[Stated]:
        """The facts that this record makes known, in order."""
        kind = type(record.event)
        if kind in SILENT and kind not in self.listens:
            return []
        moment, table = self._note(record), self._table
        line = self._lines[kind] if kind in self._lines else self._line_of(kind)
        drafts = [(game, draft) for game, feed in line for draft in feed(moment, table)]
        if kind is TableDone:
            table.settle()
            self.settled = record.seq
        wanted, seq = self._wanted, record.seq
        return [(game, self._number(game, draft, seq)) for game, draft in drafts if draft.name in wanted[game]]

    def forget(self, until: int) -> None:
        """Facts that happened up to this record are corrected no more; what corrects one is a fact of its own."""
        if until > self._forgotten:
            self._forgotten = until
            self._ids = {key: one for key, one in self._ids.items() if one[2] > until}

    def _takes_part(self, kind: type[Any], game: Game | None) -> bool:
        wanted = self._wanted[game]
        idle = hasattr(kind, "states") and wanted.isdisjoint(kind.states)
        return not idle and (game is None or not hasattr(kind, "plays") or kind.plays(game))

    def _line_of(self, kind: type) -> list[tuple[Game | None, Feed]]:
        line: list[tuple[Game | None, Feed]] = [
            (game, one.feed) for game, one in self._trackers if kind in getattr(one, "watches", (kind,))
        ]
        self._lines[kind] = line
        return line

    def _note(self, record: Record) -> Moment:
        """Bring the picture of the table up to date before the trackers look at it."""
        table, event = self._table, record.event
        done: tuple[int, Directive] | None = None
        match event:
            case SessionOpened():
                table.open_session(event)
            case DeviceIdentity():
                table.roles.setdefault(event.device, event.role)
            case WagerPlaced():
                table.place_wager(event)
            case Directive():
                table.issued(record, event)
            case DealerDid() if event.directive and table.began < 0:
                table.began = record.seq
            case CardsSeen():
                look = Look.from_event(event, record.seq)
                table.recent.append(look)
                if look.present is not None:
                    table.looks[look.place] = look
            case TableDone():
                done = table.done(event.directive)
            case _:
                pass
        return Moment(event=event, seq=record.seq, mono_ns=record.mono_ns, done=done)

    def _number(self, game: Game | None, draft: Draft, seq: int) -> Fact:
        kind = FACTS[draft.name]
        if draft.attributes.keys() != kind.attributes.keys():
            wrong = sorted(draft.attributes.keys() ^ kind.attributes.keys())
            raise ValueError(f"fact {draft.name!r} was stated with other attributes than it has: {wrong}")
        at = seq if draft.at is None else draft.at
        if draft.key:
            key = (game, draft.key)
            ident, revision, _ = self._ids.get(key, (self._next_id, -1, 0))
            self._ids[key] = (ident, revision + 1, at)
        else:
            ident, revision = self._next_id, -1
        self._next_id += ident == self._next_id
        return Fact(
            name=draft.name,
            attributes=draft.attributes,
            at=at,
            seq=seq,
            evidence=tuple(sorted({at, *draft.evidence})) if draft.evidence else (at,),
            id=ident,
            revision=revision + 1,
            amendable=bool(draft.key),
        )
