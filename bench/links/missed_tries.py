"""How often a frame is lost to a line that is dead for a while, where it comes again only if the bench asks again.

A bench that waits longer for an answer than usual, because devices are slow or the machine is busy, asks less often.
A line dead for two seconds would cost a patient bench one try and another one four of them, and so would let the one
outlast what makes the other give its device up. So a dead time counts in tries: a question, or the answer to one, that
was lost in it is lost as often as it would have been put in it at the usual pace.
"""

from typing import Literal

from bench.clock import NS_PER_S

Way = Literal["tx", "rx"]
"""As in `link.bytes`: `tx` goes from the bench to the far side, `rx` comes to the bench."""

TRY_NS = NS_PER_S // 2
"""The usual pace: how long an answer is waited for where a rig file says nothing else."""
MOST = 16


class MissedTries:
    """Questions by their numbers, and how often each, or its answer, is still to be lost; `way` says which of both."""

    def __init__(self) -> None:
        self._left: dict[int, tuple[Way, int]] = {}

    def __bool__(self) -> bool:
        return bool(self._left)

    def lost(self, way: Way, question: int, dead_ns: int) -> None:
        """A try was lost to a line that stays dead for so long; the first says how many will be."""
        if question in self._left:
            self.takes(self._left[question][0], question)
        elif len(self._left) < MOST and (more := -(-dead_ns // TRY_NS) - 1) > 0:
            self._left[question] = (way, more)

    def takes(self, way: Way, question: int | None) -> bool:
        """Whether what goes this way for a question is to be lost once more, which is counted."""
        lost_at, left = self._left.get(question, (None, 0)) if question is not None else (None, 0)
        if question is None or lost_at != way:
            return False
        if left > 1:
            self._left[question] = (way, left - 1)
        else:
            del self._left[question]
        return True
