"""Seven card stud from a shoe under the poker rules of Puerto Rico: antes, two cards down, four up, the last down.

Cards go in order of the positions to the players who have put in the ante. A hand that is alone takes the pot.

Inputs of the house: `deck_check` = `every_round` has the pack checked under the camera before each deal;
`failed_preparation` = `bets_returned` gives the antes back when the pack has to be shuffled again before the deal.
"""

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.steps import EndsEarly
from bench.emulators.table_software.games.stud.books import MOUTH, RACK
from bench.emulators.table_software.games.stud.deal import CARDS, FIRST_BETTING
from bench.emulators.table_software.games.stud.irregular import StudIrregularities
from bench.emulators.table_software.games.stud.ranking import best_rank

MOST_CARDS = 60
"""Cards ordered for one hand before the table waits for somebody to help; more than a pack holds."""


class SevenCardStud(StudIrregularities):
    """One session of seven card stud."""

    def objection(self) -> str:
        seated = [place for place in self.facts.session.positions if place in self.facts.session.seated]
        if len(seated) < 2:
            return "this game needs two seated players"
        if not self.by_hand and not self.facts.device("shoe"):
            return "no dealing shoe stands on the table"
        return ""

    # --- the round ---

    def opening(self) -> Procedure:
        self.new_books()
        yield from self.do("open_round")
        yield from self.late_consequences()
        yield from self.do("post_antes")
        if len(self.live) < 2:
            raise EndsEarly(self.hold("fewer than two players have put in an ante"))

    def after_shuffle(self) -> Procedure:
        yield from self.prepare()
        if not self.by_hand:
            yield from self.load_shoe()
        for nth in range(1, CARDS + 1):
            yield from self._turn(nth)
            if nth >= FIRST_BETTING and len(self.live) > 1:
                yield from self._betting_round()
            if len(self.live) < 2:
                break
        yield from self._finish()

    def _turn(self, nth: int) -> Procedure:
        """A card to each live hand."""
        deal = self.deal
        deal.phase, deal.nth, deal.turn = "dealing", nth, list(self.live)
        while deal.turn:
            position = deal.turn.pop(0)
            if position not in deal.out:
                yield from self._deal_to(position)

    def _betting_round(self) -> Procedure:
        self.deal.phase = "betting"
        yield from self.do("betting_round")
        yield from self.lost_hands()

    def _finish(self) -> Procedure:
        if len(self.live) > 1:
            self.deal.phase = "shown"
            yield from self.do("show_hands")
        winners = self._winners()
        self.deal.phase = "over"
        share, rest = divmod(self.pot.total, max(1, len(winners)))
        for number, position in enumerate(winners):
            cents = share + (rest if number == 0 else 0)
            yield from self.do("award_pot", position=position, amount_cents=cents)
        yield from self.do("collect", place="all", to=RACK, face="down")
        yield from self.do("close_round")
        self.over()

    def _winners(self) -> list[str]:
        """Who takes the pot. Raises EndsEarly where the camera cannot read a hand that decides it."""
        if len(self.live) < 2:
            return self.live
        ranks = {}
        for position in self.live:
            look = self.facts.seen(position)
            labels = [label for label in look.face_up if label] if look is not None else []
            if look is None or look.count != len(labels) or len(labels) < 5:
                raise EndsEarly(self.hold(f"the hand at {position} could not be read"))
            ranks[position] = best_rank(labels)
        return [position for position in self.live if ranks[position] == max(ranks.values())]

    # --- a card ---

    def _deal_to(self, position: str) -> Procedure:
        yield from self._next_card()
        face = self.face_due(position)
        before = self.deal.tally.get(position, 0)
        self.deal.dropped = ""
        self.need((yield from self.do("deliver", position=position, face=face)))
        look, strays = self.facts.seen(position), self.strays()
        count = look.count if look is not None and look.count is not None else before + 1
        if self.deal.dropped:
            yield from self.fallen(position, face)
        elif count == before:
            yield from self.skipped(position)
        else:
            self.deal.tally[position] = count
            yield from self.faces_of(position, face)
            if count > before + 1 and position in self.live:
                yield from self.too_many(position, count - before - 1)
        yield from self.ineligible(strays)

    def _next_card(self) -> Procedure:
        if self.deal.waiting:
            self.deal.waiting = False
            return
        for _ in range(MOST_CARDS):
            yield from self.dispense("card")
            look = self.facts.seen(MOUTH)
            if look is None or not look.face_up or self.has("boxed_card_used"):
                return
            yield from self.boxed(len(look.face_up), self.facts.seen_by(MOUTH))
        raise EndsEarly(self.hold("no usable card came"))
