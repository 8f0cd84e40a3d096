"""Proof from what instruments read back of a fault that they bring about, and of a supply that fell away at work.

A reading counts for the fault for which it was taken, and only where it is what that fault asks for: the same rail at
nothing is no dip to 16 volts, and a dip of another fault is none of this one.
"""

import msgspec

from bench.clock import NS_PER_S
from bench.faults.facts import TableFacts
from bench.faults.proof_lines import works_for
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import (
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    FaultProven,
    LineSeen,
    ReadingTaken,
    Record,
    TableDone,
)

TOLD_NS = 500_000_000
"""So long after its work a device may take to say that it has ended, in nanoseconds."""


def of_rail(spec: FaultSpec, record: Record) -> ReadingTaken | None:
    """The volts of the target's motor rail, if that is what an instrument has just read."""
    event = record.event
    if not isinstance(event, ReadingTaken) or not record.source.startswith("instrument:"):
        return None
    return event if event.rail and event.unit == "V" and event.channel.startswith(f"{spec.target}/") else None


def read_for(spec: FaultSpec, record: Record) -> ReadingTaken | None:
    """A reading that was taken for this fault and is of its kind; whether it shows the fault is for `shows`."""
    event, wanted = record.event, spec.proof.reading
    if wanted is None or not isinstance(event, ReadingTaken) or not record.source.startswith("instrument:"):
        return None
    if event.fault != spec.name or event.unit != wanted.unit or not event.channel.startswith(f"{spec.target}/"):
        return None
    if wanted.unit in ("V", "A") and not event.rail:
        return None
    own_lines = [str(spec.params["line"])] if "line" in spec.params else spec.proof.lines
    return event if wanted.unit != "closed" or event.line in own_lines else None


def shows(spec: FaultSpec, reading: ReadingTaken) -> bool:
    """Whether a reading taken for this fault is within what it asks for."""
    wanted, value, asked = spec.proof.reading, reading.value, reading.asked
    if wanted is None or not wanted.above < value < wanted.below:
        return False
    if wanted.near and abs(value - float(spec.params[wanted.near])) > wanted.within:
        return False
    if wanted.of_asked:
        return asked is not None and asked > 0 and value >= wanted.of_asked * asked
    return wanted.unit != "closed" or value == asked


class ReadingWatch(Watch):
    """The instruments that bring the fault about read back what it asks for, as often and as long as it takes.

    How a relay stands says nothing of the wire behind it, or whether it is the right one. Where probes sit on the
    device's wires they must have seen it there, which another watch finds; so this one waits until the end for them.
    """

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._seen: list[tuple[int, int]] = []
        """Readings that show it: moment, record."""
        self._strayed = False
        """On the way there an instrument gave something else than it was told to."""
        self._relay: tuple[str, float] | None = None
        """The channel and the state of a relay that has done all that the fault asks for."""
        self._probed = False

    def forget(self) -> None:
        self._seen.clear()
        self._relay = None

    def end(self, record: Record) -> FaultProven | None:
        if self._relay is None or self._probed:
            return None
        (channel, value), by = self._relay, [seq for _, seq in self._seen]
        means = "Only the relay that brings it about was read back, nothing on the device: {channel} at {value} closed."
        return self.proven(by, means, by, channel=channel, value=value)

    def see(self, record: Record) -> FaultProven | None:
        if isinstance(record.event, LineSeen) and record.event.line.startswith(f"{self.spec.target}/"):
            self._probed = True
        reading, wanted = read_for(self.spec, record), self.spec.proof.reading
        if reading is None or wanted is None:
            return None
        if wanted.within and reading.asked is not None and abs(reading.value - reading.asked) > wanted.within:
            self._strayed = True
        if self._strayed or not shows(self.spec, reading):
            return None
        self._seen.append((record.mono_ns, record.seq))
        lasted_ns = record.mono_ns - self._seen[0][0]
        if len(self._seen) < wanted.times or lasted_ns < wanted.for_s * NS_PER_S:
            return None
        if reading.unit == "closed":
            self._relay = (reading.channel, reading.value)
            return None
        by = [seq for _, seq in self._seen]
        means = "Instruments read back what brings it about: {channel} at {value} {unit}."
        return self.proven(by, means, by, channel=reading.channel, value=round(reading.value, 3), unit=reading.unit)


class EitherWatch(Watch):
    """Two ways to prove the same fault; the one that does it first is enough."""

    def __init__(self, first: Watch, second: Watch) -> None:
        super().__init__(first.spec, first.facts)
        self._both = (first, second)

    def see(self, record: Record) -> FaultProven | None:
        return self._first([(watch, watch.see(record)) for watch in self._both])

    def end(self, record: Record) -> FaultProven | None:
        return self._first([(watch, watch.end(record)) for watch in self._both])

    def forget(self) -> None:
        for watch in self._both:
            watch.forget()

    def _first(self, found: list[tuple[Watch, FaultProven | None]]) -> FaultProven | None:
        for watch, proof in found:
            if proof is not None:
                self.own = watch.own
                return proof
        return None


class RailWatch(Watch):
    """The rail goes low, and the work at hand does not come to its end.

    A supply that is switched off a moment too late, when the device was done, has stopped nothing. But no card moves
    without a motor: a device that calls its work completed long after the rail fell is not believed. Where the rail
    has come back meanwhile, the motors may have done that work, and nothing is proven.
    """

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._low: FaultProven | None = None
        """What would prove the fault, as long as the device has not ended its work since the rail went low."""
        self._since_ns = 0
        self._seen_on = ""
        """The line or the instrument's channel that showed it."""
        self._back = False

    def see(self, record: Record) -> FaultProven | None:
        target = self.spec.target
        match record.event:
            case LineSeen() as event if event.line == f"{target}/power":
                means = "The probe on {line} saw the motors' supply fall away."
                proof = self.proven([record.seq], means, [record.seq], line=event.line)
                self._rail(event.line, event.at_ns, None if event.level else proof)
            case ReadingTaken() as event if of_rail(self.spec, record) is not None:
                if read_for(self.spec, record) is not None and shows(self.spec, event):
                    means = "An instrument read that the motors' supply had fallen away."
                    self._rail(event.channel, record.mono_ns, self.proven([record.seq], means, [record.seq]))
                elif self.spec.proof.reading is not None and event.value >= self.spec.proof.reading.below:
                    self._rail(event.channel, record.mono_ns, None)
            case DeviceCycle(phase="completed") | DeviceDispensed() as event if event.device == target:
                if not self._back and record.mono_ns - self._since_ns > TOLD_NS:
                    return self._stopped(record)
                self._low = None
            case DeviceFault(recovered=False) | DeviceCycle(phase="aborted") as event if event.device == target:
                return self._stopped(record)
            case TableDone(outcome="failed") as event if works_for(self.facts, target, event.directive):
                return self._stopped(record)
            case _:
                pass
        return None

    def forget(self) -> None:
        self._low = None

    def _rail(self, seen_on: str, at_ns: int, would_prove: FaultProven | None) -> None:
        """The rail as a line or a channel shows it now; `would_prove` where it is low."""
        again = self._back and seen_on == self._seen_on
        if would_prove is not None and (self._low is None or again):
            self._low, self._since_ns, self._seen_on = would_prove, at_ns, seen_on
        if seen_on == self._seen_on:
            self._back = would_prove is None

    def _stopped(self, record: Record) -> FaultProven | None:
        """The rail was low and now the work has broken off: the records of both."""
        low = self._low
        if low is None:
            return None
        self.own = frozenset((seq, "") for seq in low.by)
        return msgspec.structs.replace(low, by=[*low.by, record.seq])
