"""Proof from wires that do what they never do in sound work: edges, pairs that do not agree, holes, a plain rhythm."""

from abc import ABC, abstractmethod

from bench.clock import NS_PER_S
from bench.faults.facts import TableFacts
from bench.faults.proof_lines import LineWatch
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import DeviceCycle, FaultProven, LineSeen, Record, TableDone


class EdgeWatch(Watch):
    """A line goes where it never goes in sound work."""

    def see(self, record: Record) -> FaultProven | None:
        event, proof = record.event, self.spec.proof
        if not isinstance(event, LineSeen) or event.level != proof.level:
            return None
        if event.line not in {f"{self.spec.target}/{line}" for line in proof.lines}:
            return None
        if event.level:
            return self.proven([record.seq], "The probe saw {line} go high.", [record.seq], line=event.line)
        return self.proven([record.seq], "The probe saw {line} go low.", [record.seq], line=event.line)


class EdgeAtWorkWatch(EdgeWatch):
    """A line goes where it never goes while a cycle is under way; before and after it that means nothing."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._at_work = False

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DeviceCycle(device=self.spec.target, phase=phase):
                self._at_work = phase == "started"
            case TableDone():
                self._at_work = False
            case _ if self._at_work:
                return super().see(record)
        return None


class PairWatch(LineWatch, ABC):
    """Two lines stand to each other, for longer than the limit, as they do not in sound work."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        line = str(spec.params.get("line", ""))
        self.pair = spec.proof.lines or [line, f"{line}_sensor"]
        self._since: tuple[int, int] | None = None
        """When they began to stand so."""

    def forget(self) -> None:
        self._since = None

    @abstractmethod
    def odd(self, first: int, second: int) -> bool:
        """Whether levels like these are not sound."""

    @abstractmethod
    def told(self, by: list[int], first: str, second: str, lasted_s: float) -> FaultProven:
        """The proof, for lines by their names."""

    def moved(self, line: str, level: int, at_ns: int, seq: int) -> None:
        first, second = (self.level.get(name, 0) for name in self.pair)
        if not self.odd(first, second):
            self._since = None
        elif self._since is None:
            self._since = (at_ns, seq)

    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        if self._since is None:
            return None
        lasted_s = (now_ns - self._since[0]) / NS_PER_S
        if lasted_s <= self.proof.limit_s or (self.proof.most_s and lasted_s > self.proof.most_s):
            return None
        first, second = (f"{self.spec.target}/{name}" for name in self.pair)
        return self.told([self._since[1], seq], first, second, round(lasted_s, 3))


class DisagreeWatch(PairWatch):
    """The controller's end of a wire does not follow the sensor's end, where a probe is known to be clipped on both."""

    def odd(self, first: int, second: int) -> bool:
        return first != second and self.pair[1] in self.edge

    def told(self, by: list[int], first: str, second: str, lasted_s: float) -> FaultProven:
        means = "The probes saw {first} and {second} differ for {lasted_s} s."
        return self.proven(by, means, by[:1], first=first, second=second, lasted_s=lasted_s)


class UnansweredWatch(PairWatch):
    """The first line is high, and the second, which should follow it, is not."""

    def odd(self, first: int, second: int) -> bool:
        return bool(first) and not second

    def told(self, by: list[int], first: str, second: str, lasted_s: float) -> FaultProven:
        means = "The probes saw {first} high for {lasted_s} s while {second} stayed low."
        return self.proven(by, means, by[:1], first=first, second=second, lasted_s=lasted_s)


TRAY = "tray"
"""A device that draws cards by itself has a sensor there, and has shown it; one without may have no drive at all."""


class UnpoweredWatch(LineWatch):
    """The first line goes high although the drive of the second has been off for longer than the limit."""

    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        return None

    def moved(self, line: str, level: int, at_ns: int, seq: int) -> None:
        """Edges are looked at as they come; see `see`."""

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        sensor, drive = self.proof.lines
        found = None
        if isinstance(event, LineSeen) and event.line == f"{self.spec.target}/{sensor}" and event.level:
            stopped = self.edge.get(drive)
            if stopped is None and TRAY in self.edge:
                means = "The probe saw {line} go high before {drive} was ever driven."
                found = self.proven([record.seq], means, [record.seq], line=event.line, drive=drive)
            elif stopped is not None and not self.level.get(drive):
                still_s = (event.at_ns - stopped[0]) / NS_PER_S
                if still_s > self.proof.limit_s:
                    means = "The probe saw {line} go high {still_s} s after {drive} had stopped."
                    by = [stopped[1], record.seq]
                    found = self.proven(by, means, by[1:], line=event.line, drive=drive, still_s=round(still_s, 2))
        super().see(record)
        return found


class GapWatch(LineWatch):
    """A line is low between two highs for a shorter time than there is between two cards."""

    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        return None

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        found = None
        if isinstance(event, LineSeen) and event.level:
            device, _, line = event.line.rpartition("/")
            fell = self.edge.get(line)
            if device == self.spec.target and line in self.proof.lines and fell and not self.level.get(line, 1):
                low_s = (event.at_ns - fell[0]) / NS_PER_S
                if low_s < self.proof.limit_s:
                    means = "The probe saw {line} low for {low_s} s in the middle of a card."
                    by = [fell[1], record.seq]
                    found = self.proven(by, means, by, line=event.line, low_s=round(low_s, 3))
        super().see(record)
        return found


REGULAR = 20
"""Equal steps in a row that chance does not bring about: there are 54 of them to choose from for every card."""
SAME_STEP_NS = 1_000_000


class RegularWatch(LineWatch):
    """The first drive runs for one and the same time before each of many cards that the second draws."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._step_ns = 0
        self._steps: list[tuple[int, int]] = []

    def forget(self) -> None:
        self._steps.clear()

    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        return None

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        if isinstance(event, LineSeen) and event.line.startswith(f"{self.spec.target}/"):
            turning, drawing = self.proof.lines
            line = event.line.rpartition("/")[2]
            if line == turning and not event.level and turning in self.edge:
                self._step_ns = event.at_ns - self.edge[turning][0]
            elif line == drawing and event.level:
                self._steps = [*self._steps[-REGULAR + 1 :], (self._step_ns, record.seq)]
        super().see(record)
        lengths = [length for length, _ in self._steps]
        if len(lengths) < REGULAR or max(lengths) - min(lengths) > SAME_STEP_NS:
            return None
        means = "The probe saw {cards} cards in a row drawn after one and the same step of {step_s} s."
        by = [seq for _, seq in self._steps]
        return self.proven(by, means, by, cards=REGULAR, step_s=round(lengths[0] / NS_PER_S, 3))
