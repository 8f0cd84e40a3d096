"""Proof from instruments: what a supply reads back, or a meter reads, of the rail of a device."""

from bench.faults.proof_lines import PowerWatch
from evidence.events import FaultProven, ReadingTaken, Record


class RailWatch(PowerWatch):
    """The motors' supply falls away: on its wire, or below what the catalogue says by an instrument's reading."""

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        if isinstance(event, ReadingTaken) and event.unit == "V" and record.source.startswith("instrument:"):
            device, _, _ = event.channel.partition("/")
            if device == self.spec.target and event.value < self.spec.fault.proof.below_v:
                return self.proven([record.seq], "An instrument read that the motors' supply had fallen away.")
        return super().see(record)
