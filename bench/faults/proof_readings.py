"""Proof that the supply of a device's motors fell away while it was at work: on the wire, or as instruments read it."""

from bench.faults.facts import TableFacts
from bench.faults.proof_lines import WORKING
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


class RailWatch(Watch):
    """The rail goes low, and the work at hand does not come to its end.

    A supply that is switched off a moment too late, when the device was done, has stopped nothing.
    """

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._low: int | None = None
        """The record that showed the rail low, as long as the device has not ended its work since."""
        self._means = ""
        self._values: dict[str, str] = {}

    def see(self, record: Record) -> FaultProven | None:
        target = self.spec.target
        match record.event:
            case LineSeen(level=0) as event if event.line == f"{target}/power":
                self._note(record, "The probe on {line} saw the motors' supply fall away.", line=event.line)
            case ReadingTaken(unit="V") as event if record.source.startswith("instrument:"):
                device, _, _ = event.channel.partition("/")
                if device == target and event.value < self.spec.fault.proof.below_v:
                    self._note(record, "An instrument read that the motors' supply had fallen away.")
            case DeviceCycle(phase="completed") | DeviceDispensed() as event if event.device == target:
                self._low = None
            case DeviceFault(recovered=False) | DeviceCycle(phase="aborted") as event if event.device == target:
                return self._stopped(record)
            case TableDone(outcome="failed") as event if event.verb in WORKING:
                return self._stopped(record)
            case _:
                pass
        return None

    def forget(self) -> None:
        self._low = None

    def _note(self, record: Record, means: str, **values: str) -> None:
        if self._low is None:
            self._low, self._means, self._values = record.seq, means, values

    def _stopped(self, record: Record) -> FaultProven | None:
        return None if self._low is None else self.proven([self._low, record.seq], self._means, **self._values)
