"""The stud game of N.J.A.C. 13:69F-33 written down by hand: two hole cards, three streets, a burn before each."""

from collections.abc import Sequence
from typing import Any

from evidence.events import PlayerDid
from tests.rules.table_script import Script

PACK = "NJ-69F-33.12"
SEATED = ["seat/1", "seat/3"]
HANDS = [*SEATED, "dealer"]


class Stud(Script):
    """Right dealing unless a step is told otherwise."""

    def __init__(self, covers: Sequence[str] = (), *, scenario: str = "s", **session: Any) -> None:
        super().__init__()
        self.open_scenario(covers, scenario=scenario, **session)

    def open_scenario(self, covers: Sequence[str] = (), *, scenario: str = "s", **session: Any) -> None:
        self.begin(scenario, PACK, [f"{PACK}.{one}" for one in covers])
        self.session(session.pop("seated", SEATED), **session)
        for seat in SEATED:
            self.wager(seat)
        self.live = list(HANDS)

    # --- a round in its parts ---

    def opening(self, button: str = "seat/1", *, shuffled: bool = False, move: bool = True) -> None:
        """Everything before the first card."""
        self.ask("next_round")
        self.just("open_round")
        self.live = list(HANDS)
        if move:
            self.button(button)
        if not shuffled:
            self.shuffle()
        self.cut()
        self.load_shoe()

    def dispense(self, *, up: bool = False) -> None:
        order = self.order("dispense", device="shoe", unit="card")
        self._out(order, up=up)
        self.done(order, "dispense")

    def _out(self, order: str, *, up: bool = False) -> None:
        self.command("shoe", "deal_card")
        self.dispensed("shoe", "card", 1)
        self.held["shoe_mouth"] = self.held.get("shoe_mouth", 0) + 1
        self.up["shoe_mouth"] = self.up.get("shoe_mouth", 0) + up
        self.look("shoe_mouth")

    def deliver(
        self, position: str, face: str = "down", *, lands: str = "", up: bool | None = None, extra: int = 0
    ) -> None:
        """Deliver what lies at the mouth. `lands`: where it really goes; `up`: the face that is really seen."""
        order = self.order("deliver", position=position, face=face)
        target = lands or position
        before = self.held.get(position, 0)
        self.held["shoe_mouth"] = self.up["shoe_mouth"] = 0
        self.held[target] = self.held.get(target, 0) + 1 + extra
        self.up[target] = self.up.get(target, 0) + (face == "up" if up is None else up)
        self.act("deliver", order, position=position)
        self.look(position)
        if self.held.get(position, 0) == before:
            for other in HANDS:
                if other != position:
                    self.look(other)
        self.done(order, "deliver")

    def card(self, position: str, face: str = "down", **how: Any) -> None:
        self.dispense()
        self.deliver(position, face, **how)

    def hole(self, **how: dict[str, Any]) -> None:
        """Two cards face down to each live hand. `seat3_2={...}` says how the second card to seat 3 is dealt."""
        for nth in (1, 2):
            for position in list(self.live):
                self.card(position, "down", **how.get(f"{position.replace('/', '')}_{nth}", {}))

    def burn(self, count: int = 1, *, comes: int | None = None) -> None:
        order = self.order("burn", count=count)
        for _ in range(count if comes is None else comes):
            self._out(order)
            self.held["shoe_mouth"] = 0
            self.held["burn"] = self.held.get("burn", 0) + 1
            self.act("burn", order, count=1)
        self.look("burn")
        self.done(order, "burn")

    def betting(self) -> None:
        order = self.order("betting_round")
        self.bet([seat for seat in SEATED if seat in self.live])
        self.done(order, "betting_round")

    def street(self, *, burns: int = 1, comes: int | None = None, face: str = "up", **faces: str) -> None:
        """A burn, a card to each live hand, and the betting after it. `seat3="down"` deals that one otherwise."""
        if burns:
            self.burn(burns, comes=comes)
        for position in list(self.live):
            self.card(position, faces.get(position.replace("/", ""), face))
        self.betting()

    def finish(self, *, collect: bool = True) -> None:
        """Show, settle, clear, close."""
        order = self.order("show_hands")
        for position in self.live:
            self.up[position] = self.held.get(position, 0)
            self.look(position)
        self.done(order, "show_hands")
        self.just("settle", wager="all")
        if collect:
            self.collect_all()
        self.just("close_round")

    def rest(self, **faces: str) -> None:
        """The three streets and the end."""
        self.street(**faces)  # type: ignore[arg-type]
        self.street()
        self.street()
        self.finish()

    def expose(self, position: str) -> None:
        """The player turns up a card during a betting round."""
        order = self.order("betting_round")
        self.put(PlayerDid(act="expose", position=position))
        self.up[position] = self.up.get(position, 0) + 1
        self.look(position)
        self.done(order, "betting_round")

    def draw(self, *, up: bool = False) -> None:
        """The dealer draws a card that nobody asked for."""
        self.command("shoe", "deal_card")
        self.dispensed("shoe", "card", 1)
        self.act("draw", device="shoe", count=1)
        self.held["shoe_mouth"] = self.held.get("shoe_mouth", 0) + 1
        self.up["shoe_mouth"] = self.up.get("shoe_mouth", 0) + up
        self.look("shoe_mouth")


def exposed_hole_card(third: str = "down", scenario: str = "s") -> Stud:
    """A round in which a player's first hole card lay face up, and the third came as `third` says."""
    s = Stud(["a.1:player_first"], scenario=scenario)
    s.opening()
    s.hole(seat3_1={"up": True})
    s.betting()
    s.rest(seat3=third)
    return s
