"""The newest pictures of a live camera, as a reader thread hands them on, and the wait for one that is new enough.

A picture that arrives after a moment may have been taken before it: the camera needs time to deliver, and buffers on
the way hold pictures back. So what arrives within the camera's latency after the moment is passed over, and one picture
more. And what was held up and then comes in a burst is stamped no later than when it was due.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")

PASSED_OVER = 1
"""Pictures that arrive after the asked moment and are not used. Cameras that buffer more need more."""
_WATCHED = 32
"""So many intervals between pictures tell how many get lost."""
_LEAST_WATCHED = 8
_LATE = 3.0
"""An interval longer than so many usual ones is a gap in which pictures were lost."""
_EARLY = 0.5
"""After a gap, a picture that follows sooner than this share of the usual interval was held up with the others."""
_MOST_LOST_AT_ONCE = 10
"""One long pause, of a busy machine perhaps, must not look like a camera that loses most of its pictures."""


@dataclass(frozen=True, slots=True)
class Arrival(Generic[T]):
    """One picture as it came. `lost` is the share of the pictures due lately that did not come."""

    data: T
    stamp_ns: int
    index: int
    lost: float


class NewestFrames(Generic[T]):
    """Filled by one thread with `keep`, asked by another with `wait`. `now_ns` is the run's clock."""

    def __init__(self, now_ns: Callable[[], int], latency_ns: int = 0, passed_over: int = PASSED_OVER) -> None:
        self._now_ns = now_ns
        self._latency_ns = latency_ns
        self._passed_over = passed_over
        self._changed = threading.Condition()
        self._recent: list[Arrival[T]] = []
        self._intervals: deque[int] = deque(maxlen=_WATCHED)
        self._last_ns: int | None = None
        self._held_up = False
        self._arrived = 0
        self._trouble = "no frame has arrived yet"
        self._ended = False

    def keep(self, data: T) -> None:
        """A picture has just arrived; it is stamped here."""
        with self._changed:
            stamp_ns = self._stamp(self._now_ns())
            arrival = Arrival(data, stamp_ns, self._arrived, lost_share(self._intervals))
            self._recent = [*self._recent, arrival][-(self._passed_over + 2) :]
            self._arrived += 1
            self._trouble = ""
            self._changed.notify_all()

    def _stamp(self, now_ns: int) -> int:
        if self._last_ns is None or not self._recent:
            self._last_ns = now_ns
            return now_ns
        interval, usual = now_ns - self._last_ns, usual_interval(self._intervals)
        self._last_ns = now_ns
        late = usual > 0 and interval > _LATE * usual
        self._held_up = late or (self._held_up and interval < _EARLY * usual)
        self._intervals.append(interval)
        return min(now_ns, self._recent[-1].stamp_ns + round(usual)) if self._held_up else now_ns

    def note(self, trouble: str) -> None:
        """Why no picture comes. What follows it does not count as a gap."""
        with self._changed:
            self._trouble = trouble[:200]
            self._last_ns = None

    def end(self) -> None:
        """Nothing more will come; whoever waits is let go."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    @property
    def trouble(self) -> str:
        """Why there is no picture, for messages; empty while pictures arrive."""
        with self._changed:
            return self._trouble

    def wait(self, after_ns: int, timeout_s: float) -> Arrival[T] | None:
        """The newest picture that cannot have been begun before `after_ns`; None if none comes within `timeout_s`."""
        deadline = monotonic() + timeout_s
        after_ns += self._latency_ns
        with self._changed:
            first = self._first_after(after_ns)
            while True:
                newest = self._recent[-1] if self._recent else None
                if newest is not None and first is not None and newest.index >= first + self._passed_over:
                    return newest
                remaining = deadline - monotonic()
                if remaining <= 0 or self._ended:
                    return None
                self._changed.wait(remaining)
                first = self._first_after(after_ns) if first is None else first

    def _first_after(self, after_ns: int) -> int | None:
        """Number of the first picture known to have arrived at or after a moment."""
        return next((arrival.index for arrival in self._recent if arrival.stamp_ns >= after_ns), None)


def usual_interval(intervals: Sequence[float]) -> float:
    """What usually lies between two pictures; 0 while too few are known."""
    return median(intervals) if len(intervals) >= _LEAST_WATCHED else 0.0


def lost_share(intervals: Sequence[float]) -> float:
    """The share of pictures that did not come, from the intervals between those that did; 0 while too few are known."""
    usual = usual_interval(intervals)
    if usual <= 0:
        return 0.0
    lost = sum(min(round(each / usual) - 1, _MOST_LOST_AT_ONCE) for each in intervals if each > _LATE * usual)
    return lost / (lost + len(intervals))
