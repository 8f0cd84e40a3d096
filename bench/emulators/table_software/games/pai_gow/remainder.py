"""The cards that remain in the shoe after the deal: four, or the round is void."""

from collections.abc import Generator

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.base import MOST_LOOKS
from bench.emulators.table_software.games.pai_gow.stacks import Stacks
from bench.emulators.table_software.games.pai_gow.table import CARDS_IN_STACK, DEALER
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import Directive, TableDone

REMAINDER = 4
CENTRE = "layout_centre"


class Remainder(Stacks):
    """The check of the deal."""

    def check_deal(self) -> Procedure:
        """Four cards must remain and every hand have seven. Raises EndsEarly when the round cannot be played."""
        if self.has("remainder_left_in_shoe"):
            yield from self.collect_empty()
            return
        shoe = self.facts.device("shoe")
        due = REMAINDER - self.deal.replaced
        claimed = self.facts.claimed_inside.get(shoe, due)
        self.need((yield from self.do("remove_remainder", device=shoe)))
        remain = due if self.has("remainder_not_counted") else (yield from self._spread())
        if self.has("trust_device_count"):
            remain = claimed
        if remain != due:
            yield from self._not_four(remain)
        if not self.has("remainder_not_racked"):
            face = "up" if self.has("remainder_exposed") else "down"
            self.need((yield from self.do("collect", place=CENTRE, to="discard_rack", face=face)))
        yield from self.count_hands()
        yield from self.collect_empty()

    def _spread(self) -> Generator[list[Directive], list[TableDone], int]:
        for _ in range(MOST_LOOKS):
            self.need((yield from self.do("spread", place=CENTRE)))
            look = self.facts.seen(CENTRE)
            if look is not None and look.count is not None:
                self.faces_in_remainder(look, self.facts.seen_by(CENTRE))
                return look.count
            yield from self.do("hold", reason="the remaining cards could not be counted; they are spread again")
        raise EndsEarly(self.hold("the remaining cards could not be counted"))

    def _not_four(self, remain: int) -> Procedure:
        """Stacks that were dealt wrong are shuffled again, a pack that is not whole leaves the table."""
        cause = self.facts.seen_by(CENTRE)
        reason = f"{remain} cards remain"
        misdealt = True if self.has("stacks_not_checked") else (yield from self._misdealt(remain))
        if self.has("misdeal_played_on" if misdealt else "short_deck_played_on"):
            self.deal.counts.clear()
        elif self.has("misdeal_removes_deck") if misdealt else not self.has("short_deck_reshuffled"):
            raise EndsEarly(self.void(self._fresh_deck, cause=cause, reason=reason, reshuffle=False))
        else:
            again = not (misdealt and self.has("misdeal_not_reshuffled"))
            raise EndsEarly(self.void(cause=cause, reason=reason, reshuffle=again))

    def _fresh_deck(self, cause: str) -> list[Directive]:
        return [self.order("remove_deck", cause=cause), self.order("place_deck", cause=cause)]

    def _misdealt(self, remain: int) -> Generator[list[Directive], list[TableDone], bool]:
        """Whether the dealing alone was wrong: a pack that is not whole is not to be shuffled and used again."""
        for _ in range(MOST_LOOKS):
            self.need((yield from self.do("check_stacks")))
            looks = [self.facts.seen(position) for position in self.positions]
            counts = [look.count if look is not None else None for look in looks]
            told = [count for count in counts if count is not None]
            if len(told) == len(counts):
                whole = sum(told) + remain + self.deal.replaced == self.facts.session.cards_in_deck
                return whole and any(count != CARDS_IN_STACK for count in told)
            yield from self.do("hold", reason="a stack could not be counted; the stacks are spread again")
        raise EndsEarly(self.hold("a stack could not be counted"))

    def collect_empty(self) -> Procedure:
        """Stacks at positions without a wager go to the discard rack."""
        empty = [position for position in self.positions if self.empty(position) and position not in self.deal.out]
        if self.has("empty_stack_left"):
            empty = []
        if self.has("wagered_stack_collected"):
            empty += [position for position in self.positions if position != DEALER and not self.empty(position)][:1]
        for position in empty:
            face = "up" if self.has("empty_stack_exposed") else "down"
            self.need((yield from self.do("collect", position=position, to="discard_rack", face=face)))
