"""Proof from a line: what its driver finds wrong with it, and what was done to a frame beside what the bench got.

Whoever spoils a line says what it did to which frame; that alone proves nothing. It counts once the bench's own bytes
agree: the frame did not come, came late, came twice, or the device's answer to it is missing.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence

from bench.clock import NS_PER_S
from bench.faults.facts import TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import FaultProven, LinkAltered, LinkBytes, LinkFault, Record

WINDOW_NS = 300_000_000
"""How long after a frame was sent it would have come on a sound line; a device repeats itself after 0.5 s."""
MOST_CHUNKS = 5000
MOST_DEEDS = 100


class LinkTroubleWatch(Watch):
    """Whoever listens finds one of these kinds of trouble on a link that nothing of the bench spoils."""

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        if not isinstance(event, LinkFault) or event.kind not in self.spec.proof.words:
            return None
        if event.link != self.spec.target:
            return None
        return self.proven([record.seq], "The link {link} shows trouble ({kind}).", link=event.link, kind=event.kind)


class AlteredWatch(Watch, ABC):
    """What was done to frames, each held against what the bench got or missed."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._deeds: deque[tuple[LinkAltered, int]] = deque(maxlen=MOST_DEEDS)
        self._got: deque[tuple[int, bytes, int]] = deque(maxlen=MOST_CHUNKS)
        """What came to the bench: moment, bytes, record."""
        self._unanswered: deque[tuple[int, bytes, int]] = deque(maxlen=MOST_CHUNKS)
        """What the driver had sent and found no answer: moment of its time-out, bytes, record."""
        self._refused: deque[tuple[int, bytes, int]] = deque(maxlen=MOST_CHUNKS)
        """What the driver had sent and the device refused as damaged: moment, bytes, record."""
        self._troubles: deque[tuple[int, str, int]] = deque(maxlen=MOST_CHUNKS)
        """What else the driver found wrong: moment, kind, record."""

    def forget(self) -> None:
        self._deeds.clear()

    def see(self, record: Record) -> FaultProven | None:
        event, link = record.event, self.spec.target
        match event:
            case LinkAltered() if event.link == link and event.kind == self._kind:
                self._deeds.append((event, record.seq))
            case LinkBytes(direction="rx") if event.link == link:
                self._got.append((record.mono_ns, bytes.fromhex(event.data), record.seq))
            case LinkFault(kind="timeout") if event.link == link and event.sent:
                self._unanswered.append((record.mono_ns, bytes.fromhex(event.sent), record.seq))
            case LinkFault(kind="nak") if event.link == link and event.sent:
                self._refused.append((record.mono_ns, bytes.fromhex(event.sent), record.seq))
            case LinkFault() if event.link == link:
                self._troubles.append((record.mono_ns, event.kind, record.seq))
        return self._judge(record.mono_ns, record.seq) if self._deeds else None

    def end(self, record: Record) -> FaultProven | None:
        return self._judge(record.mono_ns + NS_PER_S, record.seq)

    @property
    def _kind(self) -> str:
        link = self.spec.fault.hardware.link
        return link.action if link is not None else ""

    def _judge(self, now_ns: int, seq: int) -> FaultProven | None:
        for deed, by in self._deeds:
            if found := self.shown(deed, by, now_ns, seq):
                return found
        return None

    def came(self, deed: LinkAltered, until_ns: int, shape: str = "") -> list[tuple[int, int]]:
        """Every time that the frame came to the bench from then on and before that moment: moment, record.

        A frame may have been read in pieces; it then came with the piece in which it ends. With a `shape` what is
        looked for are these bytes, in hexadecimal, in place of the frame as it was sent.
        """
        frame, found, stream = bytes.fromhex(shape or deed.before), [], b""
        for at_ns, data, seq in self._got:
            if deed.at_ns <= at_ns < until_ns:
                stream += data
                while frame and (place := stream.find(frame)) >= 0:
                    stream = stream[place + len(frame) :]
                    found.append((at_ns, seq))
        return found

    def unanswered(self, deed: LinkAltered) -> int | None:
        """The record by which the driver missed the answer to this very frame."""
        sent = bytes.fromhex(deed.before)
        return next(
            (record for at_ns, frame, record in self._unanswered if at_ns >= deed.at_ns and frame in sent), None
        )

    def refused(self, deed: LinkAltered) -> int | None:
        """The record by which the device refused this very frame as damaged, soon after it was sent."""
        sent, until_ns = bytes.fromhex(deed.before), deed.at_ns + WINDOW_NS
        return next(
            (record for at_ns, frame, record in self._refused if deed.at_ns <= at_ns < until_ns and frame in sent), None
        )

    def trouble(self, kinds: Sequence[str], after: int) -> tuple[str, int] | None:
        """The first trouble of these kinds that was found after a record: kind, record."""
        return next(((kind, record) for _, kind, record in self._troubles if record > after and kind in kinds), None)

    def between(self, from_ns: int, until_ns: int) -> bool:
        """Whether anything else came to the bench between those moments."""
        return any(from_ns <= at_ns < until_ns for at_ns, _, _ in self._got)

    @abstractmethod
    def shown(self, deed: LinkAltered, by: int, now_ns: int, seq: int) -> FaultProven | None:
        """The proof, if what the bench has got until now agrees with the deed."""


class NotArrivedWatch(AlteredWatch):
    """A frame never came; one to the device is known by the answer that is missing to this very frame."""

    def shown(self, deed: LinkAltered, by: int, now_ns: int, seq: int) -> FaultProven | None:
        link, size = self.spec.target, len(deed.before) // 2
        if deed.direction == "tx":
            missed = self.unanswered(deed)
            means = "A frame of {size} bytes on {link} found no answer."
            return None if missed is None else self.proven([by, missed], means, [by], size=size, link=link)
        if now_ns < deed.at_ns + WINDOW_NS or self.came(deed, deed.at_ns + WINDOW_NS):
            return None
        means = "A frame of {size} bytes on {link} was sent and never came to the bench."
        return self.proven([by, seq], means, [by], size=size, link=link)


class SpoiledWatch(AlteredWatch):
    """A frame came spoiled and was found to be; one to the device finds no answer, or is refused at once."""

    def shown(self, deed: LinkAltered, by: int, now_ns: int, seq: int) -> FaultProven | None:
        link = self.spec.target
        if deed.direction == "tx":
            refused = self.refused(deed)
            missed = self.unanswered(deed) if refused is None else refused
            means = "A frame on {link} that was spoiled on its way was not taken."
            return None if missed is None else self.proven([by, missed], means, [by], link=link)
        came = self.came(deed, now_ns + 1, deed.after) if deed.after else []
        found = self.trouble(self.spec.proof.words, came[0][1]) if came else None
        if found is None:
            return None
        means = "A frame on {link} came to the bench spoiled, and was found to be ({kind})."
        return self.proven([by, came[0][1], found[1]], means, [by, found[1]], link=link, kind=found[0])


class LateWatch(AlteredWatch):
    """A frame came, and too late."""

    def shown(self, deed: LinkAltered, by: int, now_ns: int, seq: int) -> FaultProven | None:
        came = self.came(deed, now_ns + 1)
        late_s = (came[0][0] - deed.at_ns) / NS_PER_S if came else 0.0
        if late_s <= self.spec.proof.limit_s:
            return None
        means = "A frame on {link} came to the bench {late_s} s after it was sent."
        return self.proven([by, came[0][1]], means, [by], link=self.spec.target, late_s=round(late_s, 2))


class OutOfOrderWatch(AlteredWatch):
    """A frame came after others that were sent later."""

    def shown(self, deed: LinkAltered, by: int, now_ns: int, seq: int) -> FaultProven | None:
        came = self.came(deed, now_ns + 1)
        if not came or not self.between(deed.at_ns, came[0][0] + 1):
            return None
        frame = bytes.fromhex(deed.before)
        stream = b"".join(data for at_ns, data, _ in self._got if deed.at_ns <= at_ns <= came[0][0])
        if stream.find(frame) == 0:
            return None
        means = "A frame on {link} came to the bench behind one that was sent after it."
        return self.proven([by, came[0][1]], means, [by], link=self.spec.target)


class TwiceWatch(AlteredWatch):
    """A frame came more than once where a device would not have repeated it yet."""

    def shown(self, deed: LinkAltered, by: int, now_ns: int, seq: int) -> FaultProven | None:
        came = self.came(deed, min(now_ns + 1, deed.at_ns + WINDOW_NS))
        if len(came) < 2:
            return None
        means = "A frame on {link} that was sent once came to the bench {times} times."
        by_all = [by, *(record for _, record in came)]
        return self.proven(by_all, means, [by], link=self.spec.target, times=len(came))
