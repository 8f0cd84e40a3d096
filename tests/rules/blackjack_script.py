"""Blackjack of the South Dakota type written down by hand: two cards to each hand, then players and dealer draw."""

from collections.abc import Sequence
from typing import Any

from evidence.events import PlayerDid
from tests.rules.table_script import Script

PACK = "SD-BJ-28"
SEATED = ["seat/1", "seat/3"]
RULE = {"dealer_drawing_rule": "stand_on_all_17"}
HANDS = {"seat/1": ["Tc", "8c"], "seat/3": ["5d", "7d"], "dealer": ["Th", "9h"]}
"""The first two cards of each hand; the dealer's second lies face down until it is turned up."""


class Blackjack(Script):
    """Right dealing unless a step is told otherwise."""

    def __init__(
        self, covers: Sequence[str] = (), *, hands: dict[str, list[str]] | None = None, **session: Any
    ) -> None:
        super().__init__()
        self.begin("s", PACK, [f"{PACK}.{one}" for one in covers])
        seated = session.pop("seated", SEATED)
        self.session(seated, game="blackjack", inputs=session.pop("inputs", RULE), **session)
        self._seated, self._first = seated, True
        self._place_wagers()
        self.order_of_dealing = [*seated, "dealer"]
        self.hands = {place: list(cards) for place, cards in (hands or HANDS).items()}
        self.left: set[tuple[str, int]] = set()
        """Hand and card that the dealer forgets."""
        self.nth: dict[str, int] = {}

    def _place_wagers(self) -> None:
        for seat in self._seated:
            self.wager(seat)

    # --- a round in its parts ---

    def opening(self) -> None:
        """Everything up to the last of the first two cards."""
        self.begin_round()
        for _ in range(2):
            self.turn()

    def begin_round(self) -> None:
        self.ask("next_round")
        if not self._first:
            self._place_wagers()
        self._first = False
        self.just("open_round")
        self.nth = {}
        self.shuffle()
        self.cut()
        self.load_shoe()
        self.burn()
        self.announce("no_more_bets")

    def turn(self) -> None:
        """A card to each hand."""
        for place in self.order_of_dealing:
            self.card(place)

    def card(self, place: str, label: str = "") -> None:
        """The next card to a hand, out of the shoe if none lies at its mouth."""
        if not self.held.get("shoe_mouth"):
            self.dispense()
        self.deliver(place, label)

    def dispense(self, *, up: bool = False, comes: bool = True) -> None:
        order = self.order("dispense", device="shoe", unit="card")
        if comes:
            self._out(up=up)
            self.done(order, "dispense")
        else:
            self.command("shoe", "deal_card")
            self.fault("shoe", "empty")
            self.look("shoe_mouth")
            self.done(order, "dispense", "failed")

    def _out(self, *, up: bool = False) -> None:
        self.command("shoe", "deal_card")
        self.dispensed("shoe", "card", 1)
        self.held["shoe_mouth"] = self.held.get("shoe_mouth", 0) + 1
        self.up["shoe_mouth"] = self.up.get("shoe_mouth", 0) + up
        self.look("shoe_mouth")

    def deliver(self, place: str, label: str = "") -> None:
        self.nth[place] = nth = self.nth.get(place, 0) + 1
        down = place == "dealer" and self.held.get(place, 0) == 1 and not self.is_turned()
        order = self.order("deliver", position=place, face="down" if down else "up")
        if (place, nth) in self.left:
            self.look(place)
            self.look("shoe_mouth")
        else:
            known = self.hands.setdefault(place, [])
            held = self.held.get(place, 0)
            if held >= len(known):
                known.append(label or "2s")
            self.held["shoe_mouth"] = self.up["shoe_mouth"] = 0
            self.held[place] = held + 1
            self.up[place] = self.up.get(place, 0) + (not down)
            self.labels[place] = known
            self.act("deliver", order, position=place)
            self.look(place)
        self.done(order, "deliver")

    def is_turned(self) -> bool:
        return self.held.get("dealer", 0) >= 2 and self.up.get("dealer", 0) == self.held["dealer"]

    def burn(self) -> None:
        """A card to the burn place, that at the mouth if one lies there."""
        order = self.order("burn", count=1)
        if not self.held.get("shoe_mouth"):
            self._out()
        self.held["shoe_mouth"] = self.up["shoe_mouth"] = 0
        self.held["burn"] = self.held.get("burn", 0) + 1
        self.act("burn", order, count=1)
        self.look("burn")
        self.done(order, "burn")

    def offer(self, seat: str, question: str, choice: str) -> None:
        order = self.order("offer_choice", position=seat, question=question, choices=[choice])
        self.put(PlayerDid(act="choose", position=seat, choice=choice))
        self.done(order, "offer_choice")

    def stand(self, *seats: str) -> None:
        for seat in seats or [place for place in self.order_of_dealing if place != "dealer"]:
            self.offer(seat, "draw", "stand")

    def draw(self, *, up: bool) -> None:
        """The dealer draws a card that nobody asked for."""
        self.command("shoe", "deal_card")
        self.dispensed("shoe", "card", 1)
        self.act("draw", device="shoe", count=1)
        self.held["shoe_mouth"] = self.held.get("shoe_mouth", 0) + 1
        self.up["shoe_mouth"] = self.up.get("shoe_mouth", 0) + up
        self.look("shoe_mouth")

    def turn_up(self, *, then_draws: bool = False) -> None:
        """The dealer's second card is turned up; `then_draws`: at once the dealer draws a further one, face up."""
        order = self.order("turn_up", position="dealer", count=2)
        self.up["dealer"] = self.held.get("dealer", 0)
        self.labels["dealer"] = self.hands["dealer"]
        self.act("turn_up", order, position="dealer", count=2)
        self.look("dealer")
        if then_draws:
            self.draw(up=True)
        self.done(order, "turn_up")

    def next_card(self) -> None:
        self.just("use_as_next_card", place="shoe_mouth")

    def dead(self, seat: str, *, returned: bool = True) -> None:
        self.just("dead_hand", position=seat)
        if returned:
            self.just("return_wagers", position=seat, scope="hand", wager="all")

    def discards(self, *, left: bool = False) -> None:
        """The discards are shuffled; `left`: they stay in the rack all the same."""
        order = self.order("reshuffle", scope="discards", method="device")
        self.act("gather", order, place="discards")
        self.held["discard_rack"] = 40 if left else 0
        self.look("discard_rack")
        self._shuffle(order, "device")
        self.done(order, "reshuffle")

    def finish(self, *, settle: bool = True) -> None:
        if settle:
            self.just("settle", wager="main")
        self.collect_all()
        self.labels = {}
        self.just("close_round")

    def rest(self) -> None:
        """All players stand, and so does the dealer."""
        self.stand()
        self.turn_up()
        self.finish()
