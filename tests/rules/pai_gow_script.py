"""Pai Gow Poker from an automatic shoe, written down by hand: seven stacks of seven, four cards left."""

from collections.abc import Sequence
from typing import Any

from tests.rules.table_script import SEATS, Script

PACK = "PR-PGP-SHOE"
SEATED = ["seat/1", "seat/2", "seat/4"]
START = "seat/3"


def clockwise(start: str = START) -> list[str]:
    """All positions, from `start` on."""
    first = SEATS.index(start)
    return SEATS[first:] + SEATS[:first]


class PaiGow(Script):
    """Right dealing unless a step is told otherwise."""

    def __init__(
        self, covers: Sequence[str] = (), *, scenario: str = "s", wagers: Sequence[str] = SEATED,
        additional: str = "", **session: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.begin(scenario, PACK, [f"{PACK}.{one}" for one in covers])
        setting: dict[str, Any] = {
            "game": "pai_gow_poker",
            "cards": 53,
            "group_size": 7,
            "additional": bool(additional),
        }
        self.session(SEATED, **{**setting, **session})
        self._placed = [*((seat, "main") for seat in wagers), *([(additional, "additional")] if additional else [])]
        self._first = True
        self._place_wagers()
        self.left = 53

    def _place_wagers(self) -> None:
        for seat, wager in self._placed:
            self.wager(seat, wager)

    def opening(self) -> None:
        """Everything before the first stack."""
        self.ready()
        self.announce("no_more_bets")
        self.dice()
        self.just("set_start", position=START)

    def ready(self, *, shuffle: bool = True, cut: bool = True, load: bool = True) -> None:
        """The pack is shuffled, cut and in the shoe."""
        self.ask("next_round")
        if not self._first:
            self._place_wagers()
        self._first = False
        self.just("open_round")
        self.left = 53
        if shuffle:
            self.shuffle()
        if cut:
            self.cut()
        if load:
            self.load_shoe()

    def dispense(self, cards: int = 7, *, claims: int = 7, squared: bool = False) -> None:
        order = self.order("dispense", device="shoe", unit="group")
        self.command("shoe", "deal_group")
        self.dispensed("shoe", "group", claims)
        self.held["shoe_mouth"] = cards
        self.left -= cards
        self.look("shoe_mouth", stacked=squared)
        self.done(order, "dispense")

    def deliver(self, position: str, *, up: int = 0, arrives: bool = True) -> None:
        order = self.order("deliver", position=position, face="up" if up else "down")
        self.held[position] = self.held["shoe_mouth"] if arrives else 0
        self.held["shoe_mouth"] = 0
        self.up[position] = up
        self.act("deliver", order, position=position)
        self.look(position, stacked=True)
        self.done(order, "deliver")

    def deal(self, order: Sequence[str] = (), *, sizes: dict[int, int] | None = None, up: str = "") -> None:
        """Dispense and deliver one stack to each position. `sizes`: cards really in the n-th stack."""
        for nth, position in enumerate(order or clockwise(), 1):
            self.dispense((sizes or {}).get(nth, 7))
            self.deliver(position, up=1 if position == up else 0)

    def remainder(self, *, remove: bool = True, spread: bool = True, up: int = 0) -> None:
        if remove:
            order = self.order("remove_remainder", device="shoe")
            self.held["layout_centre"] = self.left
            self.up["layout_centre"] = up
            self.act("unload", order, device="shoe", place="layout_centre")
            self.done(order, "remove_remainder")
        if spread:
            order = self.order("spread", place="layout_centre")
            self.act("spread", order, place="layout_centre")
            self.look("layout_centre")
            self.done(order, "spread")

    def check_stacks(self) -> None:
        order = self.order("check_stacks")
        for position in SEATS:
            self.act("spread", order, place=position)
            self.look(position)
        self.done(order, "check_stacks")

    def unwagered(self, *, but: Sequence[str] = (), face: str = "down") -> None:
        for position in SEATS:
            if position not in (*SEATED, *but, "dealer"):
                self.collect(position, face=face)

    def finish(self) -> None:
        self.just("players_act")
        order = self.order("show_hands")
        for position in (*SEATED, "dealer"):
            self.up[position] = self.held.get(position, 0)
            self.look(position)
        self.done(order, "show_hands")
        self.just("settle", wager="main")
        self.collect_all()
        self.just("close_round")

    def remove_deck(self) -> None:
        order = self.order("remove_deck")
        self.act("remove_deck", order)
        for place in [place for place, held in self.held.items() if held]:
            self.held[place] = 0
            self.look(place)
        self.done(order, "remove_deck")

    def proper(self) -> None:
        """A whole round without fault."""
        self.opening()
        self.deal()
        self.after()

    def after(self) -> None:
        """What follows a right deal."""
        self.remainder()
        self.collect("layout_centre")
        self.unwagered()
        self.finish()


def with_remainder(**how: Any) -> PaiGow:
    s = PaiGow()
    s.opening()
    s.deal()
    s.remainder(**how)
    return s


def wrong_stack(size: int, *, fault: str = "wrong_group_size", deck: int = 53) -> PaiGow:
    """The third stack has the wrong size, and the software does right until the stacks are checked."""
    s = PaiGow()
    s.armed(fault, "shoe")
    s.opening()
    s.left = deck
    s.deal(sizes={3: size})
    s.proven(fault, "shoe", "wrong_group_size", [s.records[-1].seq])
    s.remainder()
    s.check_stacks()
    return s


def wrong_pack(cards: int) -> PaiGow:
    fault = "missing_card" if cards < 53 else "extra_card"
    s = PaiGow()
    s.armed(fault, "pack")
    s.opening()
    s.left = cards
    s.deal()
    s.remainder()
    s.check_stacks()
    s.proven(fault, "pack", fault, [s.records[-2].seq])
    return s


def only(s: PaiGow, *steps: str) -> PaiGow:
    for step in steps:
        match step:
            case "void":
                s.just("void_round")
            case "reshuffle":
                s.reshuffle()
            case "part":
                s.reshuffle("device_cards")
            case "remove":
                s.remove_deck()
            case "play":
                s.just("players_act")
    s.just("close_round")
    return s
