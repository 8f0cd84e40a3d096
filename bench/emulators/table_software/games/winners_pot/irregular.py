"""Irregularities of Winner's Pot: what N.J.A.C. 13:69F-33.12 orders when something goes wrong at the table.

Where the rule leaves room: wagers against a dead hand of the dealer are those of all players, and their bonus wagers
stand; a wrong number of cards in the dealer's own hand is a misdeal; a bonus wager whose cards cannot be read is left
for somebody to decide.
"""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts, Told
from bench.emulators.table_software.games.base import Game
from bench.emulators.table_software.games.clearing import Symptom
from bench.emulators.table_software.games.steps import EndsEarly
from bench.emulators.table_software.games.winners_pot.deal import Deal, pair_of_jacks_or_better
from evidence.events import CardsSeen, DealerDid, Directive, PlayerDid

RESUMED: dict[Symptom, str] = {
    "jam": "shoe_jam_resumed",
    "stop": "shoe_stop_resumed",
    "incomplete": "shoe_no_deal_resumed",
}


class WinnersIrregularities(Game):
    """The irregular half of the game."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.deal = Deal(order=[])
        self._resuming = False

    # --- what is noticed at any time ---

    def noticed(self, told: Told) -> None:
        match told.event:
            case DealerDid(act="draw", directive="") if self.deal.dealing:
                self.deal.drawn_by = told.id
            case CardsSeen(place="shoe_mouth") as look if self.deal.drawn_by:
                self._drawn_in_error(look, told.id)
            case CardsSeen(place="shoe_mouth" | "layout_centre") as look if look.face_up:
                self._face_up_at_any_time(look, told.id)
            case PlayerDid(act="expose", position=position) if position in self.deal.players:
                self._exposed(position, told.id)
            case PlayerDid(act="fold", position=position) if position in self.deal.players:
                self.deal.folded.add(position)
            case _:
                pass

    def _drawn_in_error(self, look: CardsSeen, cause: str) -> None:
        drawn, self.deal.drawn_by = self.deal.drawn_by, ""
        if look.face_up:
            self._found_while_at_it(len(look.face_up), cause)
        elif self.has("drawn_card_voids_round"):
            self.desk.start(self.void(cause=drawn, reason="a card was drawn in error"))
        elif self.has("drawn_card_discarded"):
            self.desk.also(self.order("retire_card", cause=drawn, place="shoe_mouth"))
        else:
            self.deal.waiting = True
            self.desk.also(self.order("use_as_next_card", cause=drawn, place="shoe_mouth"))

    def _face_up_at_any_time(self, look: CardsSeen, cause: str) -> None:
        now = self.desk.under_way
        if self.state != "round" or now is None:
            return
        if self.deal.phase in {"dealt", "shown"}:
            self._found_late(cause)
        elif (
            self.deal.dealing and look.place == "shoe_mouth" and now.verb in {"deliver", "betting_round", "load_device"}
        ):
            self._found_while_at_it(len(look.face_up), cause)

    def _found_late(self, cause: str) -> None:
        """A card face up in the shoe once all are dealt changes nothing: the wagers are settled."""
        if self.has("late_face_up_voids_round"):
            self.desk.start(self.void(cause=cause, reason="a card lay face up in the shoe"))
        else:
            self.deal.unsettled = self.deal.unsettled or self.has("late_face_up_not_settled")
            self.desk.also(self.order("continue_round", cause=cause))

    def _found_while_at_it(self, cards: int, cause: str) -> None:
        """A card face up at the mouth while another directive is carried out."""
        if self._is_last_straw(cards):
            self.desk.start(self._void_for_face_up(cause))
        elif not self.has("face_up_card_used"):
            self.desk.also(*self._retire(cause))

    def _exposed(self, position: str, cause: str) -> None:
        if self.deal.phase == "shown":
            return
        if self.has("exposed_card_kills_hand"):
            self.deal.out.add(position)
            self.desk.also(
                self.order("dead_hand", cause=cause, position=position),
                self.order("void_wagers", cause=cause, scope="hand", position=position, wager="all"),
            )
            return
        if self.has("exposed_hand_not_settled"):
            self.deal.unpaid.add(position)
        self.desk.also(
            self.order("hand_active", cause=cause, position=position), self.order("continue_round", cause=cause)
        )

    # --- a card face up in the shoe ---

    def face_up_found(self, cards: int, cause: str) -> Procedure:
        """The card just dispensed lies face up: it is not used. Raises EndsEarly when it is not the first one."""
        if self._is_last_straw(cards):
            raise EndsEarly(self._void_for_face_up(cause))
        yield from self.do_all(*self._retire(cause))

    def _is_last_straw(self, cards: int) -> bool:
        self.deal.face_up_found += cards
        if self.has("face_up_card_voids_round"):
            return True
        return self.deal.face_up_found > 1 and not self.has("two_face_up_played_on")

    def _retire(self, cause: str) -> list[Directive]:
        retired = self.order("retire_card", cause=cause, place="shoe_mouth", to="discard_rack")
        return [retired, self.order("continue_round", cause=cause)]

    def _void_for_face_up(self, cause: str) -> Procedure:
        again = not (self.has("two_face_up_not_reshuffled") and self.deal.face_up_found > 1)
        return self.void(cause=cause, reason="cards lay face up in the shoe", reshuffle=again)

    # --- hands ---

    def hole_cards(self, position: str) -> Procedure:
        """Hole cards that came to lie face up: one changes the third card, both make the hand dead."""
        look = self.facts.seen(position)
        if look is None or not look.face_up:
            return
        cause = self.facts.seen_by(position)
        self.deal.hole_up[position] = len(look.face_up)
        if len(look.face_up) == 1:
            if self.has("one_up_kills_hand"):
                yield from self._dead_hand(position, look.face_up, cause)
        elif self.has("both_up_voids_round"):
            raise EndsEarly(self.void(cause=cause, reason=f"both hole cards face up at {position}"))
        elif not self.has("both_up_played_on"):
            yield from self._dead_hand(position, look.face_up, cause)

    def _dead_hand(self, position: str, labels: list[str | None], cause: str) -> Procedure:
        orders = [] if self.has("both_up_not_announced") else [self.order("announce", cause=cause, phrase="dead")]
        if not self.has("both_up_not_recorded"):
            orders.append(self.order("dead_hand", cause=cause, position=position))
        orders += self._wagers_of_dead(position, labels, cause)
        if not self.has("both_up_not_collected"):
            orders.append(self.order("collect", cause=cause, position=position, to="discard_rack"))
        if self.has("both_up_voids_all_wagers"):
            orders.append(self.order("void_wagers", cause=cause, scope="round", wager="main"))
        self.deal.out.add(position)
        yield from self.do_all(*orders)

    def _wagers_of_dead(self, position: str, labels: list[str | None], cause: str) -> list[Directive]:
        if position == "dealer":
            self.deal.main_void = True
            voided = self.order("void_wagers", cause=cause, scope="round", wager="main")
            return [] if self.has("both_up_wager_kept") else [voided]
        bonus = self.facts.wagered(position, "jacks_plus") and not self.has("bonus_voided_with_dead_hand")
        won = bonus and pair_of_jacks_or_better(labels)
        unread = bonus and not won and None in labels
        scope = "main" if (won or unread) and not self.has("bonus_voided_and_settled") else "all"
        orders = []
        if not self.has("both_up_wager_kept"):
            orders.append(self.order("void_wagers", cause=cause, scope="hand", position=position, wager=scope))
        if won and not self.has("bonus_of_dead_hand_forgotten"):
            orders.append(self.order("settle", cause=cause, position=position, wager="jacks_plus"))
        if unread:
            reason = f"the bonus wager at {position} stands until its cards have been read"
            orders.append(self.order("hold", cause=cause, position=position, reason=reason))
        return orders

    def wrong_count(self, position: str, cause: str) -> Procedure:
        """A hand with a card too many, or too few as found later: that hand alone is void."""
        if self.has("wrong_count_played_on"):
            return
        if self.has("wrong_count_voids_round"):
            raise EndsEarly(self.void(cause=cause, reason=f"wrong number of cards at {position}"))
        if position == "dealer":
            raise EndsEarly(self.misdeal(cause))
        self.deal.out.add(position)
        yield from self.do_all(
            self.order("void_hand", cause=cause, position=position),
            self.order("void_wagers", cause=cause, scope="hand", position=position, wager="all"),
        )

    def misdeal(self, cause: str) -> Procedure:
        """A hand was not dealt its card: all wagers are void and all cards shuffled again."""
        orders = [self.order("misdeal", cause=cause)]
        if not self.has("misdeal_wagers_kept"):
            orders.append(self.order("void_wagers", cause=cause, scope="round", wager="all"))
        if self.has("misdeal_wagers_settled"):
            orders.append(self.order("settle", cause=cause, wager="main"))
        if not self.has("misdeal_cards_left"):
            orders.append(self.reshuffle(cause))
        yield from self.clear_up(orders)

    # --- burning ---

    def burn_missed(self, cards: int, cause: str) -> Procedure:
        """Dealing goes on; the card is burned together with the next one, after the betting round."""
        if self.has("missed_burn_voids_round"):
            raise EndsEarly(self.void(cause=cause, reason="no card was burned"))
        if self.has("missed_burn_made_good_at_once"):
            yield from self.do("burn", cause=cause, count=cards)
            return
        self.deal.burn_owed = 0 if self.has("missed_burn_single_later") else cards
        yield from self.do("continue_round", cause=cause)

    # --- devices ---

    def plays_on(self, symptom: Symptom) -> bool:
        self._resuming = self._resuming or self.has(RESUMED[symptom])
        return self._resuming

    def void_after_shoe(self, symptom: Symptom, cause: str = "") -> Procedure:
        orders: list[Directive] = []
        if not self.has("round_not_voided"):
            orders = [self.order("void_round", cause=cause, reason=f"dealing shoe: {symptom}"), *self.refund(cause)]
        if not self.has("cards_left_in_shoe"):
            orders += self.empty_shoe(cause)
        scope = "device_cards" if self.has("dealt_cards_left_out") else "all_cards"
        return self.clear_up([*orders, self.reshuffle(cause, scope=scope)])

    def keeps(self, device: str, request: str) -> bool:
        role = self.facts.session.devices[device]
        if self.has(f"{role}_removed_too_late"):
            act = "dispense" if role == "shoe" and request == "deal_by_hand" else "shuffle"
            self.removed_late[act].append(device)
            return True
        return self.has(f"{role}_kept_for_hand_{'deal' if request == 'deal_by_hand' else 'shuffle'}")
