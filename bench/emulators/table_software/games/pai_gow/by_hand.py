"""Seven stacks dealt from the hand: one card at a time to each position in turn, seven times around.

A card that is exposed meanwhile, or a stack that does not get what is its own, has the cards shuffled again and the
deal begun anew; the wagers stand.
"""

from collections.abc import Generator

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.pai_gow.exposure import Exposure
from bench.emulators.table_software.games.pai_gow.start import Start
from bench.emulators.table_software.games.pai_gow.table import CARDS_IN_STACK
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import Directive, TableDone

MOST_DEALS = 3
"""How often a deal is begun before the table waits for somebody to help."""


class ByHand(Start, Exposure):
    """The deal from the hand."""

    def deal_from_hand(self, order: list[str]) -> Procedure:
        for _ in range(MOST_DEALS):
            cause = yield from self._seven_stacks(order)
            if not cause:
                return
            self.deal.shown.clear()
            done = yield from self.do_all(self.reshuffle(cause))
            if not (yield from self.shuffled(done)):
                raise EndsEarly(self.hold("the cards were not shuffled again"))
            self.need((yield from self.do("cut")))
        raise EndsEarly(self.hold("the stacks could not be dealt"))

    def _seven_stacks(self, order: list[str]) -> Generator[list[Directive], list[TableDone], str]:
        """Deal; returns the id of the look that showed that the deal must be begun anew, empty when it need not."""
        late = ""
        for card in range(1, CARDS_IN_STACK + 1):
            for position in order:
                self.need((yield from self.do("deal", position=position, face="down")))
                if (card, position) == (1, order[0]):
                    yield from self.first_went(position)
                cause = yield from self._mistake(position, card)
                if cause and self.has("by_hand_reshuffled_late"):
                    late = late or cause
                elif cause:
                    return cause
        return late

    def _mistake(self, position: str, card: int) -> Generator[list[Directive], list[TableDone], str]:
        look, cause = self.facts.seen(position), self.facts.seen_by(position)
        if look is None:
            return ""
        if look.face_up and position not in self.deal.shown:
            self.deal.shown.add(position)
            if self.has("shown_card_voids_round"):
                raise EndsEarly(self.ends(cause, "a card was exposed while the stacks were dealt"))
            if self.has("shown_card_taken_back"):
                yield from self.do("collect", cause=cause, position=position, to="discard_rack", count=1)
                return ""
            return "" if self.has("shown_card_played_on") else cause
        if look.count in (None, card):
            return ""
        if self.has("passed_stack_dealt_late") and look.count == card - 1:
            yield from self.do("deal", cause=cause, position=position, face="down")
            return ""
        return "" if self.has("wrong_stack_played_on") else cause
