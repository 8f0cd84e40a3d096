"""Blackjack from a shoe: two cards to each hand, one of the dealer's face down; the dealer draws by the house's rule.

The first card of a freshly filled shoe is burned. Rounds are dealt from the same shoe until few cards are left in it.
Players are asked: `draw` (stand, hit), `exposed_card` (take, decline), `second_card` and `late_card` (take, dead).
"""

from collections.abc import Generator

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.blackjack.hand import BLACKJACK, DEALER, Deal, must_draw
from bench.emulators.table_software.games.blackjack.irregular import MOUTH, BlackjackIrregularities
from bench.emulators.table_software.games.steps import EndsEarly, Step
from evidence.events import Directive, TableDone

OPENING = 2
MOST_CARDS = 60
"""Cards asked for one hand before the table waits for somebody to help; more than a pack holds."""
CARDS_A_HAND = 6
"""A round is begun with so many cards left in the shoe for each hand, else all are shuffled first."""


class Blackjack(BlackjackIrregularities):
    """One session of blackjack."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        seated = facts.session.seated
        self._seats = [place for place in facts.session.positions if place in seated and place != DEALER]
        self._without_cards: set[str] = set()
        """Players who got no card in the round before."""

    def objection(self) -> str:
        positions = self.facts.session.positions
        if not self._seats or not positions or positions[-1] != DEALER:
            return "this game needs a seated player, and the dealer as the last position"
        if not self.by_hand and not self.facts.device("shoe"):
            return "no dealing shoe stands on the table"
        return ""

    # --- the round ---

    def opening(self) -> Procedure:
        left_out = self._without_cards if self.has("no_cards_left_out_again") else set()
        self.deal = Deal(order=[*(seat for seat in self._seats if seat not in left_out), DEALER])
        self._without_cards = set()
        yield from self.do("open_round")

    def shuffle(self) -> Generator[list[Directive], list[TableDone], bool]:
        enough = self.facts.claimed_inside.get(self.facts.device("shoe"), 0) >= CARDS_A_HAND * len(self.deal.order)
        if self.loaded and enough:
            return True
        self.loaded = False
        return (yield from super().shuffle())

    def after_shuffle(self) -> Procedure:
        if not self.loaded:
            yield from self._fill_shoe()
        self.loaded = not self.by_hand
        yield from self.announce_no_more_bets()
        yield from self._open()
        yield from self._complete()
        self.deal.phase = "players"
        for position in list(self.deal.players):
            yield from self._play(position)
        yield from self._late_cards()
        self.deal.phase = "dealer"
        yield from self._dealer()
        yield from self._finish()

    def _fill_shoe(self, *, cut: bool = True, burn: bool = True) -> Procedure:
        if cut:
            self.need((yield from self.do("cut")))
        if not self.by_hand:
            yield from self.load_shoe()
        if burn:
            yield from self._burn_first()

    def _burn_first(self) -> Procedure:
        """The first card that comes face down; one face up in the shoe is laid aside here as anywhere."""
        for _ in range(MOST_CARDS):
            done = yield from self.do("burn", count=1, **({"method": "hand"} if self.by_hand else {}))
            look, cause = self.facts.seen(MOUTH), self.facts.seen_by(MOUTH)
            if done.outcome == "done" or look is None or not look.face_up:
                self.need(done)
                return
            yield from self._retire_reversed(cause)

    def _open(self) -> Procedure:
        for nth in range(1, OPENING + 1):
            for position in self.deal.order:
                down = position == DEALER and nth == OPENING and self.deal.held.get(DEALER, 0) > 0
                given = yield from self._give(position, "down" if down else "up")
                if not given and position == DEALER and nth == 1 and self.has("dealer_served_at_once"):
                    yield from self._give(position, "up")

    def _complete(self) -> Procedure:
        """Hands that were passed over: none is played with fewer than two cards."""
        for position in list(self.deal.players):
            held = self.deal.held.get(position, 0)
            if held == 0:
                yield from self._no_cards(position)
            elif held < OPENING:
                yield from self._one_card(position)
        while self.deal.held.get(DEALER, 0) < OPENING and not self.has("dealer_left_short"):
            yield from self._give(DEALER, "down" if self.deal.held.get(DEALER, 0) else "up")

    def _no_cards(self, position: str) -> Procedure:
        self._without_cards.add(position)
        if self.has("no_cards_hand_filled"):
            for _ in range(OPENING):
                yield from self._give(position, "up")
            return
        yield from self.dead(position, keep="no_cards_wager_kept")

    def _one_card(self, position: str) -> Procedure:
        asked = not self.has("one_card_not_offered")
        if asked and (yield from self._ask(position, "second_card", "take", "dead")) == "take":
            if not self.has("one_card_not_completed"):
                yield from self._give_at_last(position)
        elif not self.has("one_card_played_on"):
            yield from self.dead(position, keep="one_card_wager_kept")

    # --- players ---

    def _play(self, position: str) -> Procedure:
        for _ in range(MOST_CARDS):
            points = self.deal.points(position)
            if points is None or points >= BLACKJACK or position in self.deal.dead:
                return
            if self._offers_shown():
                if not (yield from self._takes_shown(position)):
                    if not self.has("refuser_draws_on"):
                        return
                    yield from self._burn_waiting()
                    continue
            elif not self.deal.exposed:
                if (yield from self._ask(position, "draw", "stand", "hit")) == "stand":
                    return
                if self._offers_shown():
                    continue  # shown while the player was asked
            if not (yield from self._give(position, "up")):
                if not self.has("late_card_at_once"):
                    self.deal.late.append(position)
                    return
                yield from self._give(position, "up")

    def _late_cards(self) -> Procedure:
        for position in self.deal.late:
            asked = not self.has("late_card_not_offered")
            if asked and (yield from self._ask(position, "late_card", "take", "dead")) == "take":
                refused = self._offers_shown() and not (yield from self._takes_shown(position))
                if not refused and not self.has("late_card_not_given"):
                    yield from self._give_at_last(position)
            elif not self.has("late_card_played_on"):
                yield from self.dead(position, keep="late_card_wager_kept")

    def _offers_shown(self) -> bool:
        """Whether a card that was drawn in error and shown lies there for whoever accepts it."""
        return self.deal.exposed and not self.has("shown_card_forced")

    def _takes_shown(self, position: str) -> Generator[list[Directive], list[TableDone], bool]:
        """Whether the player accepts the card that was shown."""
        taken = (yield from self._ask(position, "exposed_card", "take", "decline")) == "take"
        if not taken:
            self.deal.refused.add(position)
        return taken

    def _ask(self, position: str, question: str, *choices: str) -> Generator[list[Directive], list[TableDone], str]:
        """A player's answer; the first of the choices when none comes."""
        self.answer = ""
        yield from self.do("offer_choice", position=position, question=question, choices=list(choices))
        return self.answer if self.answer in choices else choices[0]

    # --- the dealer ---

    def _dealer(self) -> Procedure:
        yield from self.do("turn_up", position=DEALER, count=OPENING)
        self._seen_at(DEALER, self.deal.held.get(DEALER, 0))
        for _ in range(MOST_CARDS):
            draws = must_draw(self.deal.faces.get(DEALER, []), self.rule)
            if draws is None:
                raise EndsEarly(self.hold("the dealer's hand could not be read"))
            if not draws or not self.deal.players:
                break
            yield from self._give(DEALER, "up")
        if self.deal.exposed and self.has("refused_card_racked"):
            yield from self.do("retire_card", place=MOUTH, to="discard_rack")
        elif self.deal.waiting:
            yield from self._burn_waiting()

    def _burn_waiting(self) -> Procedure:
        """The card at the mouth is of no use to any hand."""
        self.deal.waiting = self.deal.exposed = False
        yield from self.do("burn", count=1)

    def _finish(self) -> Procedure:
        self.deal.phase = "over"
        if self.deal.ran_out:
            # Asked by mistake it has told that it is empty, although no hand needs a card.
            yield from self._refill()
        if self.has("short_shoe_gathers_hands") and self.deal.refilled:
            yield from self.do_all(self.reshuffle(scope="all_cards"))
            self.loaded = False
        if not (self.has("short_shoe_unsettled") and self.deal.refilled):
            for position in [""] if not self.deal.dead else self.deal.players:
                yield from self.do("settle", wager="main", position=position)
        yield from self.do("collect", place="all", to="discard_rack", face="down")
        yield from self.do("close_round")
        self.over()

    # --- a card ---

    def _give(self, position: str, face: str) -> Generator[list[Directive], list[TableDone], bool]:
        """The next card to a hand; False when the camera sees none come there."""
        yield from self._next_card()
        before, exposed = self.deal.held.get(position, 0), self.deal.exposed
        # Cleared first: another card may be drawn in error while this one goes to its hand.
        self.deal.waiting = self.deal.exposed = False
        self.need((yield from self.do("deliver", position=position, face=face)))
        self._seen_at(position, before + 1)
        if self.deal.held[position] > before:
            return True
        mouth = self.facts.seen(MOUTH)
        self.deal.waiting = mouth is not None and bool(mouth.count)
        self.deal.exposed = self.deal.waiting and (exposed or self.deal.exposed)
        return False

    def _give_at_last(self, position: str) -> Procedure:
        """A card that was left out before: ordered again until the camera sees it come."""
        for _ in range(MOST_CARDS):
            if (yield from self._give(position, "up")):
                return
        raise EndsEarly(self.hold(f"no card comes to {position}"))

    def _seen_at(self, position: str, expected: int) -> None:
        look = self.facts.seen(position)
        self.deal.held[position] = expected if look is None or look.count is None else look.count
        if look is not None:
            self.deal.faces[position] = list(look.face_up)

    def _next_card(self) -> Procedure:
        if self.deal.waiting:
            return
        for _ in range(MOST_CARDS):
            yield from self._dispense()
            look, cause = self.facts.seen(MOUTH), self.facts.seen_by(MOUTH)
            if look is None or not look.face_up or self.has("reversed_card_played"):
                return
            yield from self._retire_reversed(cause)
        raise EndsEarly(self.hold("no usable card came"))

    def _retire_reversed(self, cause: str) -> Procedure:
        if self.has("reversed_card_voids_round"):
            raise EndsEarly(self.void(cause=cause, reason="a card lay face up in the shoe"))
        retired = self.order("retire_card", cause=cause, place=MOUTH, to="discard_rack")
        yield from self.do_all(retired, self.order("continue_round", cause=cause))

    def _dispense(self) -> Step:
        """A card to the mouth of the shoe. If it has run out it is filled with the discards; other failures void."""
        for _ in range(MOST_CARDS):
            if self.by_hand:
                done = yield from self.do("dispense", method="hand", unit="card")
                yield from self.remove_late("dispense")
            else:
                done = yield from self.do("dispense", device=self.facts.device("shoe"), unit="card")
            look = self.facts.seen(MOUTH)
            if done.outcome == "done" and (look is None or look.count != 0):
                return done
            if self.deal.ran_out:
                yield from self._refill()
            else:
                self.shoe_gave_nothing(done)
        raise EndsEarly(self.hold("the dealing shoe gives no card"))

    def _refill(self) -> Procedure:
        """The shoe has run out in the middle of a round: the discards are shuffled, cut and put into it."""
        self.deal.ran_out, self.deal.refilled = False, True
        if self.has("short_shoe_voids_round"):
            raise EndsEarly(self.void(reason="the shoe ran out"))
        done = yield from self.do_all(self.reshuffle(scope="discards"))
        if not (yield from self.shuffled(done, "discards")):
            raise EndsEarly(self.hold("the discards could not be shuffled"))
        yield from self._fill_shoe(cut=not self.has("short_shoe_not_cut"), burn=not self.has("short_shoe_not_burned"))
