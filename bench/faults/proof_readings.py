"""Proof that the supply of a device's motors fell away while it was at work: on the wire, or as instruments read it."""

import msgspec

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
                proof = self.proven([record.seq], means, line=event.line)
                self._rail(event.line, event.at_ns, None if event.level else proof)
            case ReadingTaken(unit="V", rail=True) as event if record.source.startswith("instrument:"):
                device, _, _ = event.channel.partition("/")
                if device == target:
                    low = event.value < self.spec.fault.proof.below_v
                    proof = self.proven([record.seq], "An instrument read that the motors' supply had fallen away.")
                    self._rail(event.channel, record.mono_ns, proof if low else None)
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
        return None if low is None else msgspec.structs.replace(low, by=[*low.by, record.seq])
