"""Where the deal begins: the dice, and what follows when the first card or stack went elsewhere.

The starting position is counted from the dice total: the dealer is 1, the position at the dealer's left 2, and on
clockwise. The camera's pips decide, not what the dealer makes of them.
"""

from collections.abc import Generator

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.pai_gow.table import PaiGowTable
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import DiceSeen, Directive, TableDone

DICE = 3
SHAKES = 3
MOST_ROLLS = 5


class Start(PaiGowTable):
    """The dice, and the first card or stack."""

    def starting_position(self) -> Generator[list[Directive], list[TableDone], str]:
        if self.has("start_without_dice"):
            return self.positions[0]
        late = False
        for roll in range(MOST_ROLLS):
            self.deal.called = None
            self.need((yield from self.do("roll_dice", count=1 if self.has("shaken_once") else SHAKES)))
            dice = self.facts.dice
            if late:
                yield from self.do("announce", phrase="no_roll")
                late = False
            if dice is not None and (dice.flat, dice.leaning, dice.outside) != (DICE, 0, 0) and _seen(dice):
                late = self.has("no_roll_announced_late")
                if not (late or self.has("no_roll_not_announced")):
                    yield from self.do("announce", phrase="no_roll")
                if self.has("spoiled_roll_used") or (roll and self.has("second_spoiled_roll_used")):
                    return self.positions[0]
            elif dice is not None and dice.total is not None and DICE <= dice.total <= 6 * DICE:
                self.deal.total = dice.total
                called = self.deal.called if self.has("dealer_total_trusted") else None
                return self._counted(called or dice.total)
            else:
                yield from self.do("hold", reason="the dice could not be read; they are shaken again")
        raise EndsEarly(self.hold(f"no roll that counts in {MOST_ROLLS}"))

    def _counted(self, total: int) -> str:
        counted = (self.positions[-1], *self.positions[:-1])
        return counted[(total - 1) % len(counted)]

    def order_from(self, start: str) -> list[str]:
        """All positions in the order in which they are dealt to."""
        first = self.positions.index(start)
        clockwise = [*self.positions[first:], *self.positions[:first]]
        if self.has("first_stack_elsewhere"):
            return [*clockwise[1:], clockwise[0]]
        if self.has("delivery_reversed"):
            return [clockwise[0], *reversed(clockwise[1:])]
        return clockwise

    def first_went(self, position: str) -> Procedure:
        """See where the first card or stack lies. Raises EndsEarly when it is not where it was to go."""
        if self.saw(position) or self.facts.seen(position) is None or self.has("dealer_total_trusted"):
            return
        there = next((other for other in self.positions if self.saw(other)), "")
        wrong = self.deal.called is not None and self.deal.called != self.deal.total
        cause = self.deal.called_by if wrong else self.facts.seen_by(position)
        if not there or self.has("misplaced_played_on"):
            return
        if self.has("misplaced_moved"):
            yield from self.do("collect", cause=cause, position=there, to=position)
            return
        dead = self.order("announce", cause=cause, phrase="dead")
        if self.has("misplaced_hand_only"):
            yield from self.do_all(dead, self.order("dead_hand", cause=cause, position=there))
            return
        said = [] if self.has("dead_not_pronounced") else [dead]
        raise EndsEarly(self.ends(cause, "the first card or stack went to the wrong position", *said))


def _seen(dice: DiceSeen) -> bool:
    """Whether the camera made anything of the dice."""
    return dice.flat + dice.leaning + dice.outside > 0
