"""What a tournament does when something is wrong with the deal, the pack or a hand.

Before substantial action most errors of the deal are a misdeal: the same hand is dealt again. After it the hand goes
on. A pack with a card twice is fouled, whatever has happened: play stops, and all bets go back to the players.
"""

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.facts import Told
from bench.emulators.table_software.games.holdem.dealing import HoldemDealing
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import (
    CardsSeen,
    DealerDid,
    Directive,
    FloorRuled,
    LevelAnnounced,
    PlayerDid,
    SeatStatus,
    TableRequested,
)

MOST_DEALS = 4
"""How often one hand is dealt before the table waits for somebody to help."""
UNLISTED, SCRAP, DISPUTE = "unlisted_dealing_error", "scrap_in_hand", "fouled_deck_dispute"
"""What the floor is asked."""
LOCAL = "fouled_deck_conditions"
"""The house's other conditions under which a deck is fouled: `missing_card`, `other_back`, both, or `none`."""
OTHER_BACK, MISSING = "other_back", "missing_card"
CENTRE = "layout_centre"


class HoldemIrregularities(HoldemDealing):
    """The irregular half of the game."""

    fouled_pack = False
    """True when the pack on the table is known to be fouled and has to be replaced before another hand."""
    checking = False
    checked = 0
    """Cards seen so far in the check under way."""

    # --- what is noticed at any time ---

    def react(self, told: Told) -> None:
        """Take what belongs to a tournament, then react as every game does."""
        event = told.event
        self.faces.note(event)
        match event:
            case CardsSeen(place="layout_centre", count=int()) as look if self.checking:
                self.checked += look.count or 0
            case SeatStatus() | LevelAnnounced():
                self.seats.note(event)
            case FloorRuled(question=question, ruling=ruling):
                self.rulings[question] = ruling
                if question == DISPUTE:
                    self._dispute_ruled(ruling, told.id)
            case DealerDid(act="push" | "shuffle_by_hand") | DealerDid(act="load", device="shuffler"):
                self.hand_begins()
            case _:
                pass
        super().react(told)
        if self.state == "idle":
            self._noticed_after(told)

    def hand_begins(self) -> None:
        """The next hand has begun, and with it ends the right to dispute the one before."""
        raise NotImplementedError

    def noticed(self, told: Told) -> None:
        betting, now = self.hand.betting, self.desk.under_way
        match told.event:
            case PlayerDid(act="post", position=position, amount_cents=cents):
                betting.post(position, cents)
            case PlayerDid(act=act, position=position, amount_cents=cents):
                betting.move(position, act, cents)
            case FloorRuled(question=question, ruling=ruling, position=position) if question == SCRAP:
                self._scrap_ruled(ruling, position, told.id)
            case CardsSeen() if not self.hand.begun:
                self._noticed_after(told)
            case CardsSeen() as look if self._fouled_now(look):
                self.desk.start(self.run(self.fouled(told.id)))
            case CardsSeen() as look if self.faces.foreign(look.face_up) and look.place in self.hand.order:
                self._foreign_in_hand(look, told.id)
            case CardsSeen(place=place, count=int()) as look if (
                now is not None and now.verb == "betting_round" and place in self.hand.order
            ):
                self._counted_late(place, look.count or 0, told.id)
            case _:
                pass

    def _fouled_now(self, look: CardsSeen) -> bool:
        if self.faces.twice:
            return not self.has("duplicate_ignored")
        return OTHER_BACK in self._local and self.faces.strange_back and bool(look.backs)

    @property
    def _local(self) -> str:
        return "" if self.has("local_conditions_ignored") else self.facts.session.inputs.get(LOCAL, "")

    # --- a misdeal ---

    def misdealt(self, cause: str, reason: str) -> Procedure:
        return self._deal_again(cause, reason, fresh=False)

    def _deal_again(self, cause: str, reason: str, *, fresh: bool) -> Procedure:
        """A misdeal, and the exact replay: what was put in goes back, the same seats are dealt the same hand again."""
        if self.hand.deals >= MOST_DEALS:
            yield from self.hold("this hand has been dealt too often", cause)
            return
        if self.has("misdeal_called_late") and self.hand.deals == 1:
            yield from self.do("betting_round")
        called = self.order("misdeal", cause=cause, reason=reason)
        yield from self.do_all(called, self.order("announce", cause=cause, phrase="misdeal"), *self.returns(cause))
        yield from self.replay(cause, fresh=fresh)

    def replay(self, cause: str, *, fresh: bool) -> Procedure:
        """The same hand is dealt again, from a fresh pack where the old one is not as it should be."""
        raise NotImplementedError

    def unlisted_error(self) -> Procedure:
        if self.has("unlisted_error_passed_over"):
            return
        if self.has("unlisted_error_misdeal"):
            raise EndsEarly(self.misdealt("", "cards were dealt out of turn"))
        yield from self.do("call_floor", question=UNLISTED)
        ruling = self.rulings.pop(UNLISTED, "")
        if self.has("ruling_turned_round"):
            ruling = {"misdeal": "play_on", "play_on": "misdeal"}.get(ruling, ruling)
        match ruling:
            case "misdeal":
                raise EndsEarly(self.misdealt("", "the floor ruled a misdeal"))
            case "play_on":
                yield from self.do("continue_round")
            case _:
                raise EndsEarly(self.hold("the floor has not ruled on an error of dealing"))

    # --- hands found wrong while players act ---

    def _counted_late(self, place: str, count: int, cause: str) -> None:
        deal, betting = self.hand.deal, self.hand.betting
        held = deal.held.get(place, 0)
        deal.held[place] = count
        if count == held or place not in betting.live:
            return
        if place == self.hand.button and count < deal.each:
            self._button_short(place, cause)
        elif betting.substantial:
            self._too_late_for_misdeal(cause)
        elif not self.has("late_count_played_on"):
            self.desk.start(self.run(self.misdealt(cause, f"{place} holds a wrong number of cards")))

    def _button_short(self, place: str, cause: str) -> None:
        """A button that has not acted yet gets its card, also after substantial action; one that has is dead."""
        if self.has("button_short_misdeal"):
            self.desk.start(self.run(self.misdealt(cause, f"{place} holds too few cards")))
        elif place not in self.hand.betting.acted:
            if not self.has("button_left_short"):
                unit = self.order("dispense", cause=cause, device=self.facts.device("shoe"), unit="card")
                self.hand.deal.held[place] += 1
                self.desk.also(unit, self.order("deliver", cause=cause, position=place, face="down"))
        elif not self.has("short_button_plays_on"):
            self.hand.betting.dead.add(place)
            self.desk.also(self.order("dead_hand", cause=cause, position=place))

    def _too_late_for_misdeal(self, cause: str) -> None:
        if self.has("misdeal_after_action"):
            self.desk.start(self.run(self.misdealt(cause, "an error of dealing")))
        elif self.has("late_error_voids_hand"):
            self.desk.start(self.run(self.give_up(cause)))
        else:
            self.desk.also(self.order("continue_round", cause=cause))

    # --- cards that do not belong to the game ---

    def _foreign_in_hand(self, look: CardsSeen, cause: str) -> None:
        if self.has("foreign_card_played_on"):
            return
        if not self.hand.betting.substantial or self.has("foreign_card_always_misdeal"):
            self.desk.start(self.run(self._deal_again(cause, "a card of another game", fresh=True)))
        elif self.has("scrap_in_hand_decided"):
            self.desk.also(self.order("dead_hand", cause=cause, position=look.place))
        elif not self.has("scrap_in_hand_passed_over"):
            self.desk.also(self.order("call_floor", cause=cause, question=SCRAP, position=look.place))

    def _scrap_ruled(self, ruling: str, place: str, cause: str) -> None:
        if self.has("scrap_ruling_ignored"):
            return
        if ruling == "dead_hand":
            self.hand.betting.dead.add(place)
            self.desk.also(self.order("dead_hand", cause=cause, position=place))
        else:
            self.desk.also(self.order("continue_round", cause=cause))

    def to_board(self) -> Procedure:
        """One card to the board. What does not belong to the game is scrap after substantial action."""
        while True:
            yield from self.next_card()
            yield from self.do("lay_board")
            self.at_mouth = 0
            look = self.facts.seen("layout_centre")
            cause = self.facts.seen_by("layout_centre")
            if look is None or not self.faces.foreign(look.face_up) or self.has("scrap_on_board_kept"):
                break
            if not self.hand.betting.substantial or self.has("foreign_card_always_misdeal"):
                raise EndsEarly(self._deal_again(cause, "a card of another game", fresh=True))
            yield from self.do("retire_card", cause=cause, place="layout_centre", count=1)
            if self.has("scrap_not_replaced"):
                break
        self.hand.board += 1

    # --- a fouled deck ---

    def returns(self, cause: str) -> list[Directive]:
        """Every player gets back what was put into the pot in this deal."""
        pot = dict(self.hand.betting.pot)
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

    def _noticed_after(self, told: Told) -> None:
        event = told.event
        if isinstance(event, CardsSeen) and not self.fouled_pack and self._fouled_now(event):
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
