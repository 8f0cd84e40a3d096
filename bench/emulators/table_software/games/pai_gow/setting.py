"""Seven cards set into two hands: the dealer's, and those of a player who banks."""

from collections.abc import Generator

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.pai_gow.house_way import HouseWay, is_foul
from bench.emulators.table_software.games.pai_gow.table import DEALER, PaiGowTable
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import Directive, TableDone

TRIES = 10
"""How often hands are set again before somebody has to help."""
LOW_OF_DEALER, LOW_OF_BANK = "layout_centre", "burn"
"""Where the hands of two are laid, so that the camera can tell the two hands of one position apart."""


class Setting(PaiGowTable):
    """Hands are set by the house way, and set again where they were not."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self._way = HouseWay(facts.session.inputs.get("house_way", ""))

    def set_hands(self) -> Procedure:
        """First the hands of a player who banks, then the dealer's."""
        if self.bank and self.bank not in self.deal.out:
            yield from self._set_bank()
        yield from self._set_dealer()

    def _set_dealer(self) -> Procedure:
        low = yield from self._set(DEALER, LOW_OF_DEALER)
        for _ in range(TRIES):
            _, laid, cause = self._lie(DEALER, LOW_OF_DEALER)
            if not low or not laid or set(laid) == set(low) or self.has("house_way_not_reset"):
                return
            if self.has("house_way_voids_round"):
                raise EndsEarly(self.ends(cause, "the dealer set the hands otherwise"))
            if self.has("house_way_reset_late"):
                yield from self.do("settle", wager="all")
            yield from self.do("set_hands", cause=cause, position=DEALER, place=LOW_OF_DEALER, cards=low)
        raise EndsEarly(self.hold("the dealer's hands are still set otherwise than the house way"))

    def _set_bank(self) -> Procedure:
        low = yield from self._set(self.bank, LOW_OF_BANK)
        for _ in range(TRIES):
            high, laid, cause = self._lie(self.bank, LOW_OF_BANK)
            if len(laid) != 2 or not is_foul(high, laid):
                return
            if self.has("bank_foul_loses"):
                yield from self.do("settle", cause=cause, position=self.bank, wager="main", phrase="lost")
            if self.has("bank_foul_voids_round"):
                raise EndsEarly(self.ends(cause, "the bank set the hands wrongly"))
            if self.has("bank_foul_settled"):
                return
            yield from self.do("set_hands", cause=cause, position=self.bank, place=LOW_OF_BANK, cards=low)
        raise EndsEarly(self.hold("the bank's hands are still foul"))

    def _set(self, position: str, place: str) -> Generator[list[Directive], list[TableDone], list[str]]:
        yield from self.do("turn_up", position=position)
        look = self.facts.seen(position)
        seven = [label for label in look.face_up if label] if look is not None else []
        low = self._way.low(seven)
        if self.has("house_way_mistaken") and position == DEALER:
            low = [label for label in seven if label not in low][:2]
        self.need((yield from self.do("set_hands", position=position, place=place, cards=low)))
        return low

    def _lie(self, position: str, place: str) -> tuple[list[str], list[str], str]:
        """The hand of five, the hand of two, and the id of the look at it."""
        high, low = self.facts.seen(position), self.facts.seen(place)
        five = [label for label in high.face_up if label] if high is not None else []
        two = [label for label in low.face_up if label] if low is not None else []
        return five, two, self.facts.seen_by(place)
