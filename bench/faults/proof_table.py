"""Proof at the table around devices: one that is gone or still there, a round that goes on after a jam."""

from bench.faults.facts import TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import DealerDid, DeviceFault, DeviceSeen, Directive, FaultProven, Record


class DeviceGoneWatch(Watch):
    """The camera sees a device gone that no order had removed."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._ordered: set[str] = set()

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case Directive(verb="remove_device", device=device):
                self._ordered.add(device)
            case DeviceSeen(present=False, device=device) if device not in self._ordered:
                means = "The camera does not see {device} at its place, and nobody had ordered it away."
                return self.proven([record.seq], means, device=device)
            case _:
                pass
        return None


class DeviceStaysWatch(Watch):
    """The dealer says that a device is off the table, and the camera still sees it."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._removed: dict[str, int] = {}

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="remove_device", device=device):
                self._removed[device] = record.seq
            case DeviceSeen(present=True, device=device) if device in self._removed:
                means = "The camera sees {device} at its place after the dealer had it removed."
                return self.proven([self._removed.pop(device), record.seq], means, device=device)
            case _:
                pass
        return None


class ResumedWatch(Watch):
    """After a jam in a round and before its end the table software orders more cards from the shoe."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._jam: int | None = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DeviceFault(device=device, symptom="jam", recovered=False) if self.facts.roles.get(device) == "shoe":
                self._jam = record.seq
            case Directive(verb="void_round" | "open_round" | "close_round" | "reshuffle" | "remove_cards"):
                self._jam = None
            case Directive(verb="dispense") as order if order.method != "hand" and self._jam is not None:
                return self.proven([self._jam, record.seq], "The table software orders on from the shoe that jammed.")
            case _:
                pass
        return None
