"""A bad line at work: bytes carried both ways through it on a real or virtual clock."""

from collections.abc import Callable

from bench.clock import NS_PER_S, Cancel, Schedule
from bench.links.faulty import FaultyLine
from bench.links.missed_tries import Way


class FaultyPath:
    """Carries bytes both ways through a `FaultyLine`: to `deliver` at once, or on `schedule` when they are late."""

    def __init__(
        self, line: FaultyLine, now_ns: Callable[[], int], schedule: Schedule, deliver: Callable[[Way, bytes], None]
    ) -> None:
        self.line = line
        self._now_ns = now_ns
        self._schedule = schedule
        self._deliver = deliver
        self._timer: Cancel | None = None
        self._due_ns: int | None = None

    def carry(self, way: Way, data: bytes) -> None:
        """Bytes have come to one end of the line."""
        out = self.line.carry(way, data, self._now_ns())
        if out:
            self._deliver(way, out)
        self._wind()

    @property
    def hangs_up(self) -> bool:
        """As of the line, now."""
        return self.line.hangs_up(self._now_ns())

    def _wind(self) -> None:
        due_ns = self.line.due_ns()
        if due_ns == self._due_ns:
            return
        if self._timer is not None:
            self._timer()
        self._due_ns = due_ns
        self._timer = None
        if due_ns is not None:
            self._timer = self._schedule(max(0, due_ns - self._now_ns()) / NS_PER_S, self._ring)

    def _ring(self) -> None:
        self._due_ns = self._timer = None
        for way, data in self.line.release(self._now_ns()):
            self._deliver(way, data)
        self._wind()
