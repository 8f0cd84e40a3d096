"""Irregularities of seven card stud: what the poker rules of Puerto Rico order when something goes wrong.

Where the rules leave room: failing at the shuffle or at the cut alone is a failure, the antes then stay in the pot; two
cards face up in the deck end the round and every bet goes back; a pack is another one when its back is; whether a hand
was protected, and whether its player contributed to the error, is for the floor to say.
"""

from collections.abc import Mapping

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.steps import EndsEarly
from bench.emulators.table_software.games.stud.books import MOUTH, RACK
from bench.emulators.table_software.games.stud.deal import CARDS, DOWN_CARDS, Lost
from bench.emulators.table_software.games.stud.pack import StudPack
from evidence.events import Directive

FACES_BEFORE_LAST = CARDS - 1 - DOWN_CARDS
"""Faces of a hand before its last card, also where an exposed down card made the third one come down."""
SUBSTANTIAL = 2
"""Players who have received a card after a mistake, from which on it stands."""


class StudIrregularities(StudPack):
    """The irregular half of the game."""

    # --- cards face up in the deck ---

    def boxed(self, cards: int, cause: str) -> Procedure:
        """A card lies face up at the mouth: one goes to the discards unused, with a second one all go back."""
        self.deal.face_up_found += cards
        if self.has("boxed_card_voids_round"):
            raise EndsEarly(self.void(cause=cause, reason="a card lay face up in the deck"))
        if self.deal.face_up_found > 1 and not self.has("two_boxed_played_on"):
            raise EndsEarly(self._two_boxed(cause))
        to = "burn" if self.has("boxed_card_burned") else RACK
        yield from self.do_all(
            self.order("retire_card", cause=cause, place=MOUTH, to=to),
            self.order("continue_round", cause=cause),
        )

    def _two_boxed(self, cause: str) -> Procedure:
        refund = [] if self.has("two_boxed_pot_kept") else self.refund(cause)
        scope = "device_cards" if self.has("two_boxed_stub_only") else "all_cards"
        shuffled = [self.reshuffle(cause, scope=scope)]
        void = self.order("void_round", cause=cause, reason="cards lay face up in the deck")
        yield from self.clear_up([void, *refund, *shuffled])

    # --- the first three cards and the last one ---

    def faces_of(self, position: str, face: str) -> Procedure:
        """Look at how the card that just came to a hand lies."""
        look, cause = self.facts.seen(position), self.facts.seen_by(position)
        nth, up = self.deal.tally.get(position, 0), len(look.face_up) if look is not None else 0
        if nth <= DOWN_CARDS:
            self.deal.holes_up[position] = up
            if up == DOWN_CARDS or (up and self.has("one_up_kills_stud_hand")):
                yield from self._two_up(position, cause)
        elif nth == DOWN_CARDS + 1 and self.deal.holes_up.get(position) == 1 and up > 1:
            yield from self._two_up(position, cause)
        elif nth == CARDS and face == "down" and up > FACES_BEFORE_LAST and not self.deal.last_up:
            self.deal.last_up = not self.has("rest_of_last_cards_down")
            yield from self.do("continue_round", cause=cause)

    def _two_up(self, position: str, cause: str) -> Procedure:
        """Two of the first three cards face up: the hand is dead and its initial bet goes back."""
        if self.has("two_up_played_on"):
            return
        bet = self.pot.initial.get(position, 0)
        times = 0 if self.has("two_up_bet_kept") else 2 if self.has("two_up_bet_returned_twice") else 1
        receiver = self._neighbour(position) if self.has("two_up_bet_to_neighbour") else position
        returned = [order for _ in range(times) for order in self.give_back(receiver, bet, cause)]
        yield from self.do_all(*self._dead(position, cause), *returned)
        if self.has("two_up_voids_round"):
            raise EndsEarly(self.void(cause=cause, reason=f"two cards face up at {position}"))

    def _dead(self, position: str, cause: str) -> list[Directive]:
        self.deal.out.add(position)
        return [
            self.order("dead_hand", cause=cause, position=position),
            self.order("collect", cause=cause, position=position, to=RACK),
        ]

    def _neighbour(self, position: str) -> str:
        others = [place for place in self.players if place != position]
        return others[0] if others else position

    # --- mistakes of dealing ---

    def strays(self) -> dict[str, str]:
        """Positions that are not in the round and hold cards now, and by what that is known."""
        looks = {place: self.facts.seen(place) for place in self.facts.session.positions}
        return {
            place: self.facts.seen_by(place)
            for place, look in looks.items()
            if place not in self.live and place != "dealer" and look is not None and look.count
        }

    def ineligible(self, strays: Mapping[str, str]) -> Procedure:
        """Cards that came to a position which is not in the round: they go, and nothing else changes."""
        for place, cause in strays.items():
            gone = self.order("collect", cause=cause, position=place, to=RACK)
            if self.has("ineligible_cards_left"):
                continue
            if self.has("ineligible_cards_discarded_late"):
                self.discarded_late.append(place)
                continue
            if self.has("ineligible_cards_passed_on") and self.deal.turn:
                taken = self.deal.turn.pop(0)
                self.deal.tally[taken] = self.deal.tally.get(taken, 0) + 1
                yield from self.do("move_card", cause=cause, place=place, position=taken)
                continue
            yield from self.do_all(gone, self.order("continue_round", cause=cause))
            if self.has("ineligible_deal_kills_neighbour"):
                yield from self.do_all(*self._dead(self.live[0], cause))
            if self.has("ineligible_deal_voids_round"):
                raise EndsEarly(self.void(cause=cause, reason=f"cards were dealt to {place}"))

    def skipped(self, position: str) -> Procedure:
        """A hand was passed over. Fewer than two others served: it is put right, else the hand is served last."""
        cause, face = self.facts.seen_by(position), self.face_due(position)
        served = self._served_meanwhile(position)
        early = len(served) < SUBSTANTIAL
        if early and served and not self.has("early_mistake_left"):
            if self.has("early_mistake_is_misdeal"):
                raise EndsEarly(self.void(cause=cause, reason=f"{position} was passed over"))
            wrong = served[0]
            yield from self.do("move_card", cause=cause, place=wrong, position=position, face=face)
            self.deal.tally[position] = self.deal.tally.get(position, 0) + 1
            self.deal.tally[wrong] -= 1
            yield from self.faces_of(position, face)
            return
        self.deal.turn = [place for place in self.deal.turn if place not in served]
        if not early and self.has("late_mistake_is_misdeal"):
            raise EndsEarly(self.void(cause=cause, reason=f"{position} was passed over"))
        if early or not self.has("late_skip_never_served"):
            first = not early and self.has("late_skip_served_at_once")
            self.deal.turn.insert(0 if first else len(self.deal.turn), position)
        yield from self.do("continue_round", cause=cause)

    def _served_meanwhile(self, position: str) -> list[str]:
        """Hands that got a card in the step in which another one was to get it, in dealing order."""
        served = []
        for place in self.live:
            look = self.facts.seen(place)
            if place != position and look is not None and (look.count or 0) > self.deal.tally.get(place, 0):
                self.deal.tally[place] = look.count or 0
                served.append(place)
        return served

    def too_many(self, position: str, cards: int) -> Procedure:
        """A hand got more than its card: what is too much goes back to be the next card."""
        cause = self.facts.seen_by(position)
        if self.has("early_mistake_is_misdeal"):
            raise EndsEarly(self.void(cause=cause, reason=f"a card too many at {position}"))
        if self.has("early_mistake_left"):
            return
        for _ in range(cards):
            yield from self.do("move_card", cause=cause, place=position, to=MOUTH, face="down")
            self.deal.tally[position] -= 1
            self.deal.waiting = True

    def fallen(self, position: str, face: str) -> Procedure:
        """A card fell off the table: it stays in play and goes to the hand that it was dealt to."""
        cause = self.facts.seen_by(position)
        face = "up" if self.deal.dropped == "up" else face
        if self.has("fallen_card_voids_round"):
            raise EndsEarly(self.void(cause=cause, reason="a card fell off the table"))
        if self.has("fallen_card_replaced"):
            yield from self.do("continue_round", cause=cause)
            self.deal.turn.insert(0, position)
            return
        if self.has("fallen_card_brought_late"):
            self.brought_late.append((position, face))
            return
        receiver = self._neighbour(position) if self.has("fallen_card_to_neighbour") else position
        yield from self.do("recover_card", cause=cause, position=receiver, face=face)
        self.deal.tally[receiver] = self.deal.tally.get(receiver, 0) + 1
        yield from self.faces_of(position, face)

    # --- hands taken away or fouled ---

    def lost_hands(self) -> Procedure:
        """Hands that were lost in this betting round: the floor says whether anybody gets anything back."""
        yield from self._late()
        yield from self._folded()
        for lost in [one for one in self.deal.lost.values() if one.position not in self.deal.out]:
            yield from self._lost_hand(lost)

    def _late(self) -> Procedure:
        while self.discarded_late:
            yield from self.do("collect", position=self.discarded_late.pop(0), to=RACK)
        while self.brought_late:
            position, face = self.brought_late.pop(0)
            yield from self.do("recover_card", position=position, face=face)

    def _folded(self) -> Procedure:
        """Folded hands go to the discards before the deal goes on."""
        for position in [place for place in self.players if place in self.deal.out and len(self.live) > 1]:
            if self.deal.tally.pop(position, 0):
                yield from self.do("collect", position=position, to=RACK)

    def _lost_hand(self, lost: Lost) -> Procedure:
        position = lost.position
        if not self.has("floor_not_asked"):
            yield from self._ask(lost, "hand_protected")
        protected = lost.said.get("hand_protected") == "protected"
        if protected and not self.has("contribution_not_asked"):
            yield from self._ask(lost, "player_contributed")
        victim = protected and lost.said.get("player_contributed") != "contributor"
        orders = self._refund_of_victim(position, lost.cause) if victim else self._no_refund(position, protected, lost)
        if self.has("lost_hand_played_on"):
            yield from self.do_all(self.order("continue_round", cause=lost.cause), *orders)
            return
        dead = self._dead(position, lost.cause)
        yield from self.do_all(*(dead if lost.how == "fouled" else dead[:1]), *orders)

    def _ask(self, lost: Lost, question: str) -> Procedure:
        done = yield from self.do("call_floor", cause=lost.cause, position=lost.position, question=question)
        if done.outcome != "done":
            raise EndsEarly(self.hold(f"the floor has not ruled on {question}", lost.cause))

    def _refund_of_victim(self, position: str, cause: str) -> list[Directive]:
        """All that the victim of an error has put into this pot."""
        share = self.pot.owed(position)
        if self.has("victim_not_refunded"):
            return []
        if self.has("victim_refunded_last_bet"):
            share = self.pot.last.get(position, 0)
        receiver = self._neighbour(position) if self.has("victim_refund_misdirected") else position
        orders = self.give_back(receiver, share, cause)
        if self.has("victim_refunded_twice"):
            orders += self.give_back(receiver, share, cause)
        if self.has("all_refunded_with_victim"):
            orders += [one for place in self.live if place != position for one in self.give_back(place, share, cause)]
        return orders

    def _no_refund(self, position: str, protected: bool, lost: Lost) -> list[Directive]:
        """Without protection, or with a part in the error, the money stays in the pot."""
        wrongly = self.has("contributor_refunded") if protected else self.has("unprotected_hand_refunded")
        return self.give_back(position, self.pot.owed(position), lost.cause) if wrongly else []
