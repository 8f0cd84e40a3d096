"""A connection to an instrument that carries lines of text, whatever carries it: VISA, or a link of the bench."""

from typing import Protocol

from bench.clock import Clock
from bench.links.link import StreamLink
from evidence.errors import RigFault

MAX_LINE = 65_536
"""Longest answer taken in, in bytes; an instrument of this bench says a number, a few words or its name."""


class NoAnswer(RigFault):
    """Nothing came in time. An answer may still come, and then belongs to no question."""


class AnswerTooLong(RigFault):
    """The instrument does not stop talking."""


class Session(Protocol):
    """The bench's end. RigFault when the instrument is gone."""

    def write(self, *lines: bytes) -> None:
        """Send lines; their ends are added. Several go out together, so that none waits for an answer to the other."""
        ...

    def read(self, timeout_s: float) -> bytes:
        """The next line without its end. NoAnswer when none ends in time, AnswerTooLong after 64 KiB."""
        ...

    def drain(self) -> int:
        """Throw away what has come; how many bytes it was, as far as can be told."""
        ...

    def close(self) -> None:
        """Release the connection. May be called twice."""
        ...


class LinkSession:
    """A session over a link, on the bench's clock: for instruments emulated in virtual time."""

    def __init__(self, link: StreamLink, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._held = bytearray()

    def write(self, *lines: bytes) -> None:
        self._link.write(b"\n".join(lines) + b"\n")

    def read(self, timeout_s: float) -> bytes:
        deadline = self._clock.deadline(timeout_s)
        while (end := self._held.find(b"\n")) < 0:
            if len(self._held) > MAX_LINE:
                raise AnswerTooLong(f"an answer of more than {MAX_LINE} bytes")
            if not self._clock.wait([self._link], deadline):
                raise NoAnswer(f"no answer within {timeout_s:g} s")
            self._held += self._link.read()
            if deadline.passed(self._clock.now_ns()) and b"\n" not in self._held:
                raise NoAnswer(f"no whole answer within {timeout_s:g} s")
        line = bytes(self._held[:end])
        del self._held[: end + 1]
        return line.rstrip(b"\r")

    def drain(self) -> int:
        self._held += self._link.read()
        size = len(self._held)
        self._held.clear()
        return size

    def close(self) -> None:
        self._link.close()
