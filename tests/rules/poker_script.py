"""A stud round with a pot written down by hand: antes, a cut in sight, cards one by one, bets, and what goes wrong."""

from collections.abc import Sequence
from typing import Any

from evidence.events import CardsSeen, FloorRuled, PlayerDid
from rules.verdicts import Outcome, Verdict
from tests.rules.table_script import Script

PACK = "PR-POKER-IRR"
SEATED = ("seat/1", "seat/2", "seat/3")
WHOLE = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
ANTE, BET = 500, 1000
CENTRE, BURN = "layout_centre", "burn"


class Poker(Script):
    """Right dealing unless a step is told otherwise. Every face that shows is another one."""

    def __init__(self, *covers: str, seated: Sequence[str] = SEATED, **session: Any) -> None:
        super().__init__()
        self.begin("s", PACK, [f"{PACK}.{one}" for one in covers])
        self.session(seated, game="seven_card_stud", **session)
        self.seated = list(seated)
        self.live = list(seated)
        self.back = "red"
        self._faces = iter(WHOLE)

    # --- before the deal ---

    def opening(
        self, *, antes: Sequence[str] | None = None, shuffled: bool = True, cut: bool | None = True, load: bool = True
    ) -> "Poker":
        """Everything before the first card. `cut`: what the camera sees of it."""
        self.ask("next_round")
        self.just("open_round")
        self.live = list(self.seated)
        self.antes(self.seated if antes is None else antes)
        if shuffled:
            self.shuffle()
        else:
            self.just("shuffle", method="device", device="shuffler")
        self.cut_in_sight(seen=cut)
        if load:
            self.load_shoe()
        return self

    def antes(self, seats: Sequence[str]) -> None:
        order = self.order("post_antes")
        for seat in seats:
            self.put(PlayerDid(act="ante", position=seat, amount_cents=ANTE))
        self.done(order, "post_antes")

    def cut_in_sight(self, *, seen: bool | None = True) -> None:
        order = self.order("cut", place=CENTRE)
        for place in (CENTRE, BURN):
            stacked = seen is True
            down = 1 if stacked else None if seen is None else 0
            count = None if seen is not False else 0
            self.put(CardsSeen(place=place, count=count, face_down=down, stacked=stacked, backs=[self.back] * stacked))
            # Nobody looks again when the pack is taken up, so a reshuffle has to.
            self.held[place] = 1
        self.act("cut", order, place=CENTRE)
        self.done(order, "cut")

    # --- cards ---

    def look(self, place: str, *, stacked: bool = False) -> int:
        if place in self.blind or stacked:
            return super().look(place, stacked=stacked)
        held, up = self.held.get(place, 0), self.up.get(place, 0)
        labels = self.labels.setdefault(place, [])
        while len(labels) < up:
            labels.append(next(self._faces))
        down = held - up
        return self.put(
            CardsSeen(place=place, count=held, face_up=list(labels[:up]), face_down=down, backs=[self.back] * down)
        )

    def dispense(self, *, up: bool = False) -> None:
        order = self.order("dispense", device="shoe", unit="card")
        self.command("shoe", "deal_card")
        self.dispensed("shoe", "card", 1)
        self.held["shoe_mouth"] = self.held.get("shoe_mouth", 0) + 1
        self.up["shoe_mouth"] = int(up)
        self.look("shoe_mouth")
        self.done(order, "dispense")

    def deliver(
        self, position: str, face: str = "down", *, lands: Sequence[str] = (), up: bool | None = None, cards: int = 1
    ) -> None:
        """`lands`: positions that really get a card; `up`: the face that is really seen; `cards`: how many come."""
        order = self.order("deliver", position=position, face=face)
        self.held["shoe_mouth"] = self.up["shoe_mouth"] = 0
        self.labels.pop("shoe_mouth", None)
        for target in lands or [position]:
            self.held[target] = self.held.get(target, 0) + cards
            self.up[target] = self.up.get(target, 0) + cards * (face == "up" if up is None else up)
        self.act("deliver", order, position=position)
        for seen in dict.fromkeys([position, *lands]):
            self.look(seen)
        self.done(order, "deliver")

    def card(self, position: str, face: str = "down", **how: Any) -> None:
        self.dispense()
        self.deliver(position, face, **how)

    def turn(self, face: str = "down", *, skip: Sequence[str] = (), **how: dict[str, Any]) -> None:
        """A card to each live hand. `seat2={...}` says how that one is dealt."""
        for position in [place for place in self.live if place not in skip]:
            self.card(position, **{"face": face, **how.get(position.replace("/", ""), {})})

    def dealt(self, turns: int = 3) -> "Poker":
        """So many right turns."""
        for nth in range(1, turns + 1):
            self.turn("down" if nth in (1, 2, 7) else "up")
        return self

    def move_card(self, place: str, to: str) -> None:
        order = self.order("move_card", place=place, position=to)
        for where, more in ((place, -1), (to, 1)):
            self.held[where] = self.held.get(where, 0) + more
        self.act("move_card", order, place=place, position=to)
        self.look(place)
        self.look(to)
        self.done(order, "move_card")

    def drop(self, position: str, face: str = "down") -> None:
        """The card for a position falls to the floor on its way."""
        self.dispense()
        order = self.order("deliver", position=position, face="down")
        self.held["shoe_mouth"] = 0
        self.act("drop_card", order, position=position, place="floor", face=face)
        self.look(position)
        self.look("shoe_mouth")
        self.done(order, "deliver")

    def recover(self, position: str, *, face: str = "down", arrives: bool = True) -> None:
        order = self.order("recover_card", position=position, face=face)
        if arrives:
            self.held[position] = self.held.get(position, 0) + 1
            self.up[position] = self.up.get(position, 0) + (face == "up")
        self.act("recover_card", order, position=position)
        self.look(position)
        self.done(order, "recover_card")

    # --- players ---

    def bets(self, cents: int = BET, *, folds: Sequence[str] = (), protects: Sequence[str] = ()) -> str:
        """The players act; returns the order, for what happens meanwhile. End it with `over`."""
        order = self.order("betting_round")
        for position in list(self.live):
            if position in protects:
                self.put(PlayerDid(act="protect", position=position))
            if position in folds:
                self.put(PlayerDid(act="fold", position=position))
                self.live.remove(position)
            else:
                self.put(PlayerDid(act="call", position=position, amount_cents=cents))
        return order

    def over(self, order: str) -> None:
        self.done(order, "betting_round")

    def betting(self, **how: Any) -> None:
        self.over(self.bets(**how))

    def pay_back(self, position: str, cents: int) -> None:
        self.just("return_wagers", scope="hand", position=position, wager="all", amount_cents=cents)

    def award(self, position: str, cents: int = 0) -> None:
        self.just("award_pot", position=position, amount_cents=cents)

    def kill(self, position: str) -> None:
        self.just("dead_hand", position=position)
        if position in self.live:
            self.live.remove(position)

    def finish(self, winner: str = "seat/3") -> "Poker":
        """All but one fold, who takes the pot."""
        self.betting(folds=[place for place in self.live if place != winner])
        self.award(winner, 1)
        self.collect_all()
        self.just("close_round")
        return self

    # --- the house ---

    def asks_floor(self, question: str, position: str, ruling: str = "") -> None:
        order = self.order("call_floor", question=question, position=position)
        if ruling:
            self.put(FloorRuled(question=question, ruling=ruling, by="Anna", position=position))
        self.done(order, "call_floor", "done" if ruling else "failed")

    # --- the pack ---

    def check_deck(self, cards: Sequence[str | None], *, part: int = 12, blind: bool = False) -> None:
        """The pack laid out in parts of twelve; a part that is not full is the last."""
        order = self.order("check_deck")
        self.act("gather", order, place="all_cards")
        self.held, self.up, self.labels = {}, {}, {}
        for first in range(0, len(cards) + 1, part):
            laid = list(cards[first : first + part])
            self.act("lay_out", order, place=CENTRE, count=part)
            self.put(CardsSeen(place=CENTRE, count=None if blind and not first else len(laid), face_up=laid))
        self.act("gather", order, place="all_cards")
        self.put(CardsSeen(place=CENTRE, count=0))
        self.done(order, "check_deck")

    def replace_deck(self, after: str | None = "blue") -> None:
        """The pack leaves and another one comes; `after` is the back that the camera sees on it."""
        for verb, back in (("remove_deck", self.back), ("place_deck", after)):
            order = self.order(verb)
            self.put(CardsSeen(place=CENTRE, count=None, face_down=1, stacked=True, backs=[back]))
            self.act(verb, order, place=CENTRE)
            self.put(CardsSeen(place=CENTRE, count=0))
            self.done(order, verb)
        self.back = after or self.back
        self.held, self.up, self.labels = {}, {}, {}


def broken(verdicts: dict[str, Verdict]) -> set[str]:
    """The requirements that were shown to be broken, as `CLAUSE/requirement`."""
    return {
        f"{clause}/{requirement}"
        for clause, verdict in verdicts.items()
        if verdict.verdict is Outcome.FAIL
        for requirement in verdict.failed
    }
