"""Fouled decks: a card that is there twice, or what else the house calls so, found in a hand or when it is over."""

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.facts import Told
from bench.emulators.table_software.games.holdem.dealing import HoldemDealing
from evidence.events import CardsSeen, Directive, FloorRuled, TableRequested

DISPUTE, DISPUTE_TIME = "fouled_deck_dispute", "dispute_time"
"""What the floor is asked about a hand that is over, and of what it says that its time has run out."""
LOCAL = "fouled_deck_conditions"
"""The house's other conditions under which a deck is fouled: `missing_card`, `other_back`, both, or `none`."""
OTHER_BACK, MISSING = "other_back", "missing_card"
CENTRE = "layout_centre"


class HoldemFouled(HoldemDealing):
    """The part of the game that knows whether the deck is fouled, and what is done then."""

    fouled_pack = False
    """True when the pack on the table is known to be fouled and has to be replaced before another hand."""
    checking = False
    checked = 0
    """Cards seen so far in the check under way."""

    def fouled_now(self, look: CardsSeen) -> bool:
        if self.faces.twice:
            return not self.has("duplicate_ignored")
        return OTHER_BACK in self._local and self.faces.strange_back and bool(look.backs)

    @property
    def _local(self) -> str:
        return "" if self.has("local_conditions_ignored") else self.facts.session.inputs.get(LOCAL, "")

    # --- in a hand ---

    def returns(self, cause: str) -> list[Directive]:
        """Every player gets back what was put into the pot in this deal, and has not gone back yet."""
        pot = self.hand.betting.take_back()
        if self.has("bets_returned_short"):
            pot = {seat: cents // 2 for seat, cents in pot.items()}
        if self.has("bets_returned_to_one"):
            pot = dict(list(pot.items())[:1])
        times = 2 if self.has("refund_twice") else 1
        return [
            self.order("return_wagers", cause=cause, scope="round", wager="all", position=seat, amount_cents=cents)
            for seat, cents in pot.items()
            for _ in range(times)
            if cents
        ]

    def fouled(self, cause: str) -> Procedure:
        """Play stops, all bets go back, and another pack comes."""
        self.state = "ending"
        self.voided = True
        orders: list[Directive] = []
        if not self.has("fouled_not_declared"):
            orders.append(self.order("announce", cause=cause, phrase="fouled_deck"))
        if not self.has("fouled_hand_not_stopped"):
            orders.append(self.order("void_round", cause=cause, reason="the deck is fouled"))
        if not self.has("fouled_bets_kept"):
            orders += self.returns(cause)
        if self.has("fouled_hand_finished"):
            yield from self.do("betting_round")
        yield from self.do_all(*orders)
        if not self.has("fouled_deck_kept"):
            yield from self.other_pack(cause)
        yield from self.do("close_round")
        self.over()

    def other_pack(self, cause: str = "") -> Procedure:
        yield from self.do("remove_deck", cause=cause)
        yield from self.do("place_deck", cause=cause)
        self.fouled_pack = False

    def give_up(self, cause: str) -> Procedure:
        """The hand is void and the bets go back: what software does whose defect is to do so."""
        self.state = "ending"
        yield from self.do_all(self.order("void_round", cause=cause), *self.returns(cause))
        yield from self.do("close_round")
        self.over()

    # --- found when the hand is over ---

    def noticed_after(self, told: Told) -> None:
        event = told.event
        if isinstance(event, CardsSeen) and not self.fouled_pack and self.fouled_now(event):
            self.fouled_pack = True
            self.disputed(told.id)

    def disputed(self, cause: str) -> None:
        raise NotImplementedError

    def _dispute_ruled(self, ruling: str, cause: str) -> None:
        back = ruling == "return_bets" and not self.has("dispute_ruling_ignored")
        if back or self.has("standing_result_undone"):
            self.desk.say(*self.returns(cause))
        else:
            self.desk.say(self.order("continue_round", cause=cause))

    # --- a check of the pack between hands ---

    def asked_for_check(self, asked: TableRequested) -> None:
        if self.state != "idle":
            reason = "the pack is checked between hands"
            self.desk.say(self.order("refuse", request=asked.request, reason=reason))
            return
        self.state = "ending"
        self.desk.start(self._check())

    def _check(self) -> Procedure:
        """The whole pack laid out in parts; fewer cards than the game has may foul it by the house's rules."""
        yield [self.order("proceed", request="check_deck")]
        self.checked, self.checking = 0, True
        done = yield from self.do("check_deck")
        self.checking = False
        cause = self.facts.seen_by(CENTRE)
        self.state = "idle"
        short = 0 < self.checked < self.facts.session.cards_in_deck
        if done.outcome == "done" and short and MISSING in self._local:
            self.fouled_pack = True
            self.desk.say(self.order("announce", cause=cause, phrase="fouled_deck"))
            self.disputed(cause)

    def hand_begins(self) -> None:
        """The next hand has begun, and with it ends the right to dispute the one before."""
        raise NotImplementedError

    def dispute_told(self, told: FloorRuled, cause: str) -> None:
        """The floor has ruled on a hand that is over, or says that nothing of it can be disputed any more."""
        if told.question == DISPUTE:
            self._dispute_ruled(told.ruling, cause)
        elif told.question == DISPUTE_TIME and told.ruling == "over":
            self.hand_begins()
