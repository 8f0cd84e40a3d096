"""What a tournament does when something is wrong with the deal, the pack or a hand.

Before substantial action most errors of the deal are a misdeal: the same hand is dealt again. After it the hand goes
on. A pack with a card twice is fouled, whatever has happened: play stops, and all bets go back to the players.
"""

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.facts import Told
from bench.emulators.table_software.games.holdem.fouled import HoldemFouled
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import (
    CardsSeen,
    DealerDid,
    FloorRuled,
    LevelAnnounced,
    PlayerDid,
    SeatStatus,
)

MOST_DEALS = 4
"""How often one hand is dealt before the table waits for somebody to help."""
UNLISTED, SCRAP = "unlisted_dealing_error", "scrap_in_hand"
"""What the floor is asked."""
CENTRE = "layout_centre"


class HoldemIrregularities(HoldemFouled):
    """The irregular half of the game."""

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
            case FloorRuled(question=question, ruling=ruling) as ruled:
                self.rulings[question] = ruling
                self.dispute_told(ruled, told.id)
            case DealerDid(act="push" | "shuffle_by_hand") | DealerDid(act="load", device="shuffler"):
                self.hand_begins()
            case _:
                pass
        super().react(told)
        if self.state == "idle":
            self.noticed_after(told)

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
                self.noticed_after(told)
            case CardsSeen() as look if self.fouled_now(look):
                self.desk.start(self.run(self.fouled(told.id)))
            case CardsSeen() as look if self.faces.foreign(look.face_up) and look.place in self.hand.order:
                self._foreign_in_hand(look, told.id)
            case CardsSeen(place=place, count=int()) as look if (
                now is not None and now.verb == "betting_round" and place in self.hand.order
            ):
                self._counted_late(place, look.count or 0, told.id)
            case CardsSeen(place=place, count=int() as count) if (
                now is not None and now.verb == "deliver" and now.position == place == self.hand.deal.completed
            ):
                if count < self.hand.deal.each:
                    self.desk.start(self.run(self.hold(f"the card that {place} lacked did not come", told.id)))
            case _:
                pass

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
                self.hand.deal.completed = place
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
