"""How what runs until somebody stops it is stopped: by Ctrl-C or SIGTERM, between two steps and never within one."""

import os
import select
import signal
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType

_Handler = Callable[[int, FrameType | None], object] | int | None


class Stopping:
    """Within `with`, the first SIGINT or SIGTERM only sets `asked` and ends `wait`; another does what it did before.

    An exception out of a signal handler may come within a callback, from which it is not passed on, and then nothing
    ends; a `threading.Event` set by a handler may wait for a lock that its own thread holds.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, _Handler] = {}

    def wait(self, timeout_s: float | None, other: Sequence[int] = ()) -> bool:
        """Whether to stop, after so many seconds (None: without end), or once there is something to read in `other`."""
        if not self.asked:
            select.select([self._read, *other], [], [], timeout_s)
        return self.asked

    def __enter__(self) -> "Stopping":
        self._read, self._write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.getsignal(number)
            signal.signal(number, self._ask)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self._read)
        os.close(self._write)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        before = self._before.get(number)
        if self.asked and callable(before):
            before(number, frame)
        self.asked = True
        os.write(self._write, b".")
