"""How often a question is lost to a line that is dead for a while, where it is put again only if the bench asks again.

A bench that waits longer for an answer than usual, because devices are slow or the machine is busy, asks less often.
A line dead for two seconds would cost a patient bench one try and another one four of them, and so would let the one
outlast what makes the other give its device up. So a dead time counts in tries: a question, or the answer to one, that
was lost in it is lost as often as it would have been put in it at the usual pace, and no oftener than it is put.
"""

from typing import Literal

from bench.clock import NS_PER_S

Way = Literal["tx", "rx"]
"""As in `link.bytes`: `tx` goes from the bench to the far side, `rx` comes to the bench."""

TRY_NS = NS_PER_S // 2
TRIES = 4
"""The usual pace: how long an answer is waited for, and how often a question is put, where a rig file says nothing."""


class MissedTries:
    """The question at hand by its number, and how often it, or its answer, is still to be lost.

    One question is put after the other: with another one this one is over.
    """

    def __init__(self) -> None:
        self._question: int | None = None
        self._way: Way = "tx"
        self._left = 0

    def __bool__(self) -> bool:
        return self._left > 0

    def lost(self, way: Way, question: int, dead_ns: int) -> None:
        """A try was lost to a line that stays dead for so long; the first says how many will be."""
        if question == self._question:
            self._left = max(0, self._left - 1)
        else:
            self._question, self._way = question, way
            self._left = min(-(-dead_ns // TRY_NS), TRIES) - 1

    def lose(self, way: Way, question: int | None) -> bool:
        """Whether what goes this way for a question is to be lost once more, which is counted."""
        if question is None:
            return False
        if question != self._question:
            self._left = 0
        if way != self._way or self._left == 0:
            return False
        self._left -= 1
        return True
