"""Asks a device over the GAT protocol for a digest that nobody could foresee, and compares it with an image at hand."""

import hashlib
import random

from bench.clock import Clock, Deadline
from bench.drivers.base import Emit
from bench.drivers.line import Line
from bench.links import Link
from bench.protocol.gat import frames as f
from bench.protocol.gat import messages as m
from evidence.errors import RigFault
from evidence.events import DeviceChecked

SALT_BYTES = 16
MOST_ASKED = 600
"""How often the device is asked whether it is done."""


class GatCheck:
    """One device's identity line.

    RigFault when the device does not answer; an answer that is wrong, or none that the protocol has, is no fault of
    the rig but the finding.
    """

    def __init__(
        self,
        name: str,
        link: Link,
        clock: Clock,
        emit: Emit,
        *,
        checksum: str = f.DEFAULT_CHECKSUM,
        answer_timeout_s: float = 1.0,
        poll_s: float = 0.5,
        tries: int = 3,
    ) -> None:
        self.name = name
        self._line = Line(f"{name}-identity", link, clock, emit)
        self._clock = clock
        self._checksum = f.CHECKSUMS[checksum]
        self._decoder = f.Decoder(frozenset(m.REPLIES), self._checksum)
        self._answer_timeout_s = answer_timeout_s
        self._poll_s = poll_s
        self._tries = tries
        self._frames: list[f.Frame] = []

    def check(self, image: bytes, component: str, algorithm: str, rng: random.Random) -> list[DeviceChecked]:
        """Ask for every byte of the component, and say what was answered beside what had to be."""
        return [self._check(asked, image) for asked in questions(len(image), component, algorithm, rng)]

    def _check(self, asked: m.Verification, image: bytes) -> DeviceChecked:
        answered, detail = "", ""
        try:
            answered = self._answer(asked)
        except m.MalformedReply as error:
            detail = str(error)
        expected = asked.digest(image)
        return DeviceChecked(
            device=self.name,
            component=asked.component,
            algorithm=asked.algorithm,
            salt=asked.salt.hex(),
            start=asked.start,
            end=asked.end,
            answered=answered,
            expected=expected,
            sha256=hashlib.sha256(image).hexdigest(),
            matches=answered == expected,
            detail=detail,
        )

    def listen(self) -> None:
        """Record what the device has said unasked. RigFault when it is gone."""
        self._line.read(self._clock.deadline(0.0))

    def close(self) -> None:
        """Release the line. May be called twice."""
        self._line.close()

    def _answer(self, asked: m.Verification) -> str:
        # Replies bear no number: whatever is still on its way from before must not be taken for this one's.
        self._quiet()
        ready = self._ask(f.Frame(m.STATUS)).data
        if ready != bytes([m.READY]):
            raise m.MalformedReply(f"status {ready[:20].hex(' ') or 'missing'}: expected 00, ready")
        began = self._ask(m.ask(asked), once=True).data
        if began != bytes([m.SPECIAL, m.RUNNING]):
            raise m.MalformedReply(f"the calculation was not begun: {began[:20].hex(' ') or 'no data'}")
        for _ in range(MOST_ASKED):
            state = m.state_of(self._ask(f.Frame(m.LAST_STATUS)).data)
            if state == m.COMPLETE:
                return m.result_of(self._ask(f.Frame(m.LAST_RESULT)).data, asked.algorithm)
            if state != m.RUNNING:
                raise m.MalformedReply(f"the calculation is {m.STATES[state]}")
            self._clock.pause(self._poll_s)
        raise m.MalformedReply(f"the calculation was not complete after {MOST_ASKED} questions")

    def _ask(self, frame: f.Frame, *, once: bool = False) -> f.Frame:
        """Put one question until it is answered. What begins a calculation is put once only."""
        wanted = frame.command | 0x80
        tries = 1 if once else self._tries
        for again in range(tries):
            self._line.write(f.encode(frame, self._checksum))
            deadline = self._clock.deadline(self._answer_timeout_s)
            while True:
                reply = self._take(wanted)
                if reply is not None:
                    return reply
                if deadline.passed(self._clock.now_ns()):
                    break
                self._receive(deadline)
            more = "given up" if again + 1 == tries else "asked again"
            self._line.fault("timeout", f"no answer to {frame.command:02X} in {self._answer_timeout_s} s; {more}")
            self._quiet()
        raise RigFault(
            f"{self.name}: asked {frame.command:02X} {tries} times over its identity line, no answer. "
            "Check the line of [device.identity], its speed, and crc."
        )

    def _take(self, wanted: int) -> f.Frame | None:
        while self._frames:
            frame = self._frames.pop(0)
            if frame.command == wanted:
                return frame
            self._line.fault("sequence", f"reply {frame.command:02X} where {wanted:02X} was due; dropped")
        return None

    def _receive(self, deadline: Deadline) -> None:
        for chunk in self._line.read(deadline):
            items = self._decoder.feed(chunk)
            self._frames += [item for item in items if isinstance(item, f.Frame)]
            thrown = [(item.kind, f"{item.size} bytes thrown away") for item in items if isinstance(item, f.Garbage)]
            self._line.faults(thrown)

    def _quiet(self) -> None:
        """Throw away what comes late, for as long as an answer may take."""
        deadline = self._clock.deadline(self._answer_timeout_s)
        while not deadline.passed(self._clock.now_ns()):
            self._receive(deadline)
        left = self._decoder.reset()
        if self._frames or left:
            self._line.fault("sequence", f"{len(self._frames)} late replies and {left} bytes dropped")
            self._frames.clear()


def questions(size: int, component: str, algorithm: str, rng: random.Random) -> list[m.Verification]:
    """Two questions about an image of so many bytes, each with a salt of its own, that together take in all of it.

    The first goes from the beginning to somewhere in the second half, the other from somewhere in the first half to the
    end: a byte that was changed cannot lie outside both.
    """
    half = size // 2
    parts = ((0, rng.randint(max(1, half), size)), (rng.randint(0, half), size))
    return [m.Verification(component, algorithm, rng.randbytes(SALT_BYTES), start, end) for start, end in parts]
