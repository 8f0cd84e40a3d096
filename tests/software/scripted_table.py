"""A small table for tests: real cards in piles, a real WebSocket to the software, and slips that a test scripts."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from bench.emulators.table_software import InProcessSoftware
from bench.software.link import SoftwareLink, forwarded
from evidence.events import (
    AnyEvent,
    ApprovalRecord,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceSeen,
    DiceSeen,
    Directive,
    Event,
    Record,
    SessionOpened,
    TableDone,
    TableRequested,
    WagerPlaced,
)

SEATS = ["seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6"]
POSITIONS = [*SEATS, "dealer"]
PACK_52 = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
PACK_53 = [*PACK_52, "Jk"]
SHOE = DeviceIdentity(
    device="shoe",
    role="shoe",
    maker="M",
    model="S7",
    serial="1",
    firmware="1.0",
    firmware_sha256="ab" * 32,
    group_size=7,
)
APPROVAL = ApprovalRecord(
    device="shoe", maker="M", model="S7", firmware_sha256="ab" * 32, location="table 1", procedure="P1"
)


@dataclass
class Card:
    label: str
    up: bool = False


Slip = Callable[["ScriptedTable", Directive], str | None]
"""Carries out a directive in its own way; returns the outcome, None for `done`."""


class ScriptedTable:
    """Carries out every directive faithfully but for the slips, and tells the software what is done and seen."""

    def __init__(self, link: SoftwareLink, game: str, cards: Sequence[str], dice: Sequence[DiceSeen] = ()) -> None:
        self.link = link
        self.game = game
        self.cards = list(cards)
        self.dice = deque(dice)
        self.button = ""
        self.piles: dict[str, list[Card]] = {}
        self.said: list[Directive] = []
        self.events: dict[str, AnyEvent] = {}
        self._queue: deque[Directive] = deque()
        self._slips: dict[tuple[str, int], Slip] = {}
        self._calls: dict[str, int] = {}

    # --- for tests ---

    def open(
        self,
        seated: Sequence[str] = SEATS,
        wagers: Sequence[tuple[str, str]] = (),
        told: Sequence[AnyEvent] = (SHOE, APPROVAL),
        **session: Any,
    ) -> "ScriptedTable":
        self.tell(
            SessionOpened(
                game=self.game,
                cards_in_deck=len(self.cards),
                positions=POSITIONS,
                seated=list(seated),
                devices={"shuffler": "shuffler", "shoe": "shoe"},
                **session,
            )
        )
        for event in told:
            self.tell(event)
        for position, wager in wagers:
            self.tell(WagerPlaced(position=position, wager=wager, amount_cents=1000))  # type: ignore[arg-type]
        return self

    def slip(self, verb: str, nth: int, slip: Slip) -> "ScriptedTable":
        """Let the nth directive of a verb be carried out by `slip`."""
        self._slips[verb, nth] = slip
        return self

    def ask(self, request: str) -> list[str]:
        """Ask for something and carry out all that follows; returns it in short form."""
        before = len(self.said)
        self.tell_request(request)
        while self._queue:
            directive = self._queue.popleft()
            nth = self._calls[directive.verb] = self._calls.get(directive.verb, 0) + 1
            act = self._slips.get((directive.verb, nth), ScriptedTable.carry_out)
            outcome = act(self, directive) or "done"
            self.tell(TableDone(directive=directive.id, verb=directive.verb, outcome=outcome))  # type: ignore[arg-type]
        return [short(directive) for directive in self.said[before:]]

    def tell(self, event: AnyEvent, source: str = "bench:table") -> None:
        assert forwarded(event)
        seq = len(self.events)
        self.events[f"e{seq}"] = event
        record = Record(
            seq=seq, mono_ns=0, utc="2024-05-01T10:00:00.000000Z", source=source, scenario="test", event=event
        )
        directives = self.link.tell(record)
        self.said += directives
        self._queue += directives

    def tell_request(self, request: str) -> None:
        self.tell(TableRequested(request=request))  # type: ignore[arg-type]

    def cause(self, verb: str, nth: int = 1) -> AnyEvent:
        """The event that the nth directive of a verb names as its cause."""
        return self.events[[directive for directive in self.said if directive.verb == verb][nth - 1].cause]

    def look(self, place: str, *, abstain: bool = False) -> None:
        pile = self.piles.get(place, [])
        up = [card.label for card in pile if card.up]
        count = None if abstain else len(pile)
        self.tell(CardsSeen(place=place, count=count, face_up=list(up), face_down=len(pile) - len(up)), "camera:main")

    def move(self, source: str, to: str, count: int | None = None, *, up: bool | None = False) -> None:
        pile = self.piles.setdefault(source, [])
        moved, self.piles[source] = pile[:count], pile[len(pile[:count]) :]
        for card in moved:
            card.up = card.up if up is None else up
        self.piles.setdefault(to, []).extend(moved)

    def see_device(self, device: str) -> None:
        self.tell(DeviceSeen(device=device, present=True), "camera:main")

    def fault(self, device: str, symptom: str, *, recovered: bool = False) -> None:
        self.tell(DeviceFault(device=device, code="E1", symptom=symptom, recovered=recovered))  # type: ignore[arg-type]

    # --- what the dealer does ---

    def carry_out(self, directive: Directive) -> str | None:
        act: Callable[[Directive], str | None] | None = getattr(self, f"_{directive.verb}", None)
        return act(directive) if act else None

    def _shuffle(self, directive: Directive) -> None:
        if directive.method == "device":
            self.tell(DealerDid(act="load", device="shuffler", directive=directive.id))
            self.tell(DeviceCycle(device="shuffler", kind="shuffle", phase="completed", count=len(self.cards)))
        else:
            self.tell(DealerDid(act="shuffle_by_hand", directive=directive.id))
        self.piles = {"hand_deck": [Card(label) for label in self.cards]}

    def _reshuffle(self, directive: Directive) -> None:
        self.tell(DealerDid(act="gather", place=directive.scope, directive=directive.id))
        self._shuffle(directive)

    def _load_device(self, directive: Directive) -> None:
        self.piles["shoe"] = self.piles.pop("hand_deck")
        self.tell(DeviceCycle(device="shoe", kind="load", phase="completed", count=len(self.piles["shoe"])))
        self.look("shoe_mouth")

    def _roll_dice(self, directive: Directive) -> None:
        self.tell(DealerDid(act="shake_dice", directive=directive.id))
        self.tell(self.dice.popleft() if self.dice else DiceSeen(flat=3, leaning=0, outside=0, total=9))

    def _dispense(self, directive: Directive) -> None:
        self.dispense(7 if directive.unit == "group" else 1, directive.method)
        self.look("shoe_mouth")

    def dispense(self, count: int, method: str = "device") -> None:
        source = "hand_deck" if method == "hand" else "shoe"
        mouth = self.piles.setdefault("shoe_mouth", [])
        for _ in range(min(count, len(self.piles[source]))):
            mouth.append(self.piles[source].pop(0))
        if source == "shoe":
            unit = "group" if count > 1 else "card"
            self.tell(DeviceDispensed(device="shoe", unit=unit, index=1, count=count))  # type: ignore[arg-type]

    def _deliver(self, directive: Directive) -> None:
        self.deliver(directive.position, up=directive.face == "up")

    def deliver(self, position: str, *, up: bool = False, to: str = "", count: int | None = None) -> None:
        """Move a card (the whole stack in Pai Gow Poker) to `position`, or in truth to `to`, and look there."""
        self.move("shoe_mouth", to or position, count or (1 if self.game == "winners_pot" else None), up=False)
        if up:
            self.piles[to or position][-1].up = True
        self.tell(DealerDid(act="deliver", position=position))
        self.look(position)

    def _burn(self, directive: Directive) -> None:
        for _ in range(directive.count or 1):
            if not self.piles.get("shoe_mouth"):
                self.dispense(1, directive.method)
            self.move("shoe_mouth", "burn", 1)
            self.tell(DealerDid(act="burn", count=1, directive=directive.id))
        self.look("burn")

    def _show_hands(self, directive: Directive) -> None:
        for position in POSITIONS:
            if self.piles.get(position):
                for card in self.piles[position]:
                    card.up = True
                self.look(position)

    def _move_button(self, directive: Directive) -> None:
        self.button = directive.position
        self.see_button()

    def see_button(self) -> None:
        self.tell(DealerDid(act="move_button"))
        self.tell(ButtonSeen(position=self.button or None))

    def _remove_remainder(self, directive: Directive) -> None:
        self.move("shoe", "layout_centre", up=None)
        self.tell(DealerDid(act="unload", device="shoe", directive=directive.id))

    def _spread(self, directive: Directive) -> None:
        self.look(directive.place)

    def _check_stacks(self, directive: Directive) -> None:
        for position in POSITIONS:
            self.look(position)

    def _collect(self, directive: Directive) -> None:
        wanted = directive.position or directive.place
        for place in list(self.piles) if wanted == "all" else [wanted]:
            self.move(place, directive.to or "discard_rack", up=directive.face == "up")
        if wanted != "all":
            self.look(wanted)
        self.look("discard_rack")

    def _retire_card(self, directive: Directive) -> None:
        self._collect(directive)

    def _remove_cards(self, directive: Directive) -> None:
        self.tell(DealerDid(act="unload", device=directive.device, directive=directive.id))
        self.piles.setdefault("hand_deck", [Card(label) for label in self.cards])

    def _remove_device(self, directive: Directive) -> None:
        self.tell(DealerDid(act="remove_device", device=directive.device, directive=directive.id))
        self.tell(DeviceSeen(device=directive.device, present=False))


@contextmanager
def table(game: str, *defects: str, cards: Sequence[str] = (), **options: Any) -> Iterator[ScriptedTable]:
    """A scripted table connected to the reference software in this process, over a real WebSocket."""
    pack = cards or (PACK_53 if game == "pai_gow_poker" else PACK_52)
    with InProcessSoftware(frozenset(defects)) as software:
        link = SoftwareLink(software.url, 10.0, journaled)
        link.connect()
        try:
            yield ScriptedTable(link, game, pack, **options)
        finally:
            link.close()


def journaled(event: Event) -> Record:
    return Record(seq=0, mono_ns=0, utc="", source="software:table", scenario="", event=event)  # type: ignore[arg-type]


def short(directive: Directive) -> str:
    """A directive in one line: its verb and the fields that it uses."""
    fields = msgspec.structs.asdict(directive)
    return " ".join(
        [
            directive.verb,
            *[str(value) for name, value in fields.items() if value and name not in SILENT and value != "shoe"],
        ]
    )


SILENT = {"id", "verb", "cause", "reason"}
