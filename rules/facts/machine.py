"""Derives facts from journal records, one record at a time. This is the judge's own view of the table."""

from collections.abc import Callable
from typing import Protocol

from evidence.events import (
    CameraHealth,
    CardsSeen,
    DealerDid,
    DeviceIdentity,
    Directive,
    LineSeen,
    LinkBytes,
    LinkFault,
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
from rules.facts.devices import DeviceTracker
from rules.facts.dispensing import DispensingTracker
from rules.facts.floor import FloorTracker
from rules.facts.hands import HandTracker
from rules.facts.identity import IdentityTracker
from rules.facts.methods import MethodTracker
from rules.facts.money import MoneyTracker
from rules.facts.orders import OrderTracker
from rules.facts.preparation import PreparationTracker
from rules.facts.rack import RackTracker
from rules.facts.stacks import StackTracker
from rules.facts.stud.tracker import StudTracker
from rules.facts.tournament.tracker import TournamentTracker
from rules.facts.use import UseTracker
from rules.pack import Game
from rules.table import Draft, Look, Moment, Table
from rules.vocabulary import FACTS, Fact

SILENT = frozenset({LinkBytes, LinkFault, LineSeen, ReadingTaken, SoftwareAcknowledged, CameraHealth})
"""Events from which no fact follows by themselves; proofs refer to them."""


Feed = Callable[[Moment, Table], list[Draft]]


class Tracker(Protocol):
    """Watches one side of the table and states facts about it.

    One that has `watches`, a tuple of event types, is given events of these types only.
    """

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        """The facts that follow from one record. The table holds this record already."""
        ...


class FactMachine:
    """Turns the records of one scenario into facts. Bounded memory: the state of the table and of the current round."""

    def __init__(self, game: Game) -> None:
        self._table = Table()
        self._ids: dict[str, tuple[int, int, int]] = {}
        """Id, revision and record of every fact that can be corrected, by its key."""
        self._forgotten = -1
        self._feeds: dict[type, tuple[Feed, ...]] = {}
        self._next_id = 1
        self._trackers: tuple[Tracker, ...] = (
            TournamentTracker(game),
            OrderTracker(),
            FloorTracker(),
            UseTracker(),
            DeviceTracker(),
            MethodTracker(),
            DispensingTracker(game),
            StackTracker(game),
            HandTracker(game),
            BurnTracker(),
            ButtonTracker(),
            RackTracker(game),
            MoneyTracker(),
            IdentityTracker(game),
            PreparationTracker(),
            StudTracker(game),
            BlackjackTracker(game),
        )

    @property
    def inputs(self) -> dict[str, str]:
        """The operator's inputs, as the session gave them."""
        return self._table.inputs

    @property
    def roles(self) -> dict[str, str]:
        """The roles of the devices at the table, by their names."""
        return self._table.roles

    def feed(self, record: Record) -> list[Fact]:
        """The facts that this record makes known, in order."""
        kind = type(record.event)
        if kind in SILENT:
            return []
        moment, table = self._note(record), self._table
        feeds = self._feeds.get(kind) or self._feeds_of(kind)
        drafts = [draft for feed in feeds for draft in feed(moment, table)]
        if kind is TableDone:
            table.settle()
        return [self._number(draft, record) for draft in drafts]

    def forget(self, until: int) -> None:
        """Facts that happened up to this record are corrected no more; what corrects one is a fact of its own."""
        if until > self._forgotten:
            self._forgotten = until
            self._ids = {key: one for key, one in self._ids.items() if one[2] > until}

    def _feeds_of(self, kind: type) -> tuple[Feed, ...]:
        """The trackers that want to see events of this type, in order."""
        feeds = tuple(one.feed for one in self._trackers if kind in getattr(one, "watches", (kind,)))
        self._feeds[kind] = feeds
        return feeds

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
                table.wagers.add((event.position, event.wager))
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
        return Moment(event=event, seq=record.seq, done=done)

    def _number(self, draft: Draft, record: Record) -> Fact:
        kind = FACTS[draft.name]
        if draft.attributes.keys() != kind.attributes.keys():
            wrong = sorted(draft.attributes.keys() ^ kind.attributes.keys())
            raise ValueError(f"fact {draft.name!r} was stated with other attributes than it has: {wrong}")
        at = record.seq if draft.at is None else draft.at
        if draft.key:
            ident, revision, _ = self._ids.get(draft.key, (self._next_id, -1, 0))
            self._ids[draft.key] = (ident, revision + 1, at)
        else:
            ident, revision = self._next_id, -1
        self._next_id += ident == self._next_id
        return Fact(
            name=draft.name,
            attributes=draft.attributes,
            at=at,
            seq=record.seq,
            evidence=tuple(sorted({at, *draft.evidence})) if draft.evidence else (at,),
            says=draft.says,
            id=ident,
            revision=revision + 1,
            amendable=bool(draft.key),
        )
