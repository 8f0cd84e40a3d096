"""Proof from the wires of a device: lines that are held too long, rollers that move no card, a rail that falls away.

Edges carry the moment at which they happened on the device's clock. Where an edge is missing, time is told by the
bench's own records; how the two clocks stand to each other is learnt from the edges themselves, on the safe side.
"""

from abc import ABC, abstractmethod

from bench.clock import NS_PER_S
from bench.faults.facts import TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import (
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    Directive,
    FaultProven,
    LineSeen,
    Record,
    TableDone,
)

PICK_LINES = ("pick", "feed")
"""Drive lines of the roller that draws cards: of a shuffler, of a shoe."""
WORKING = {
    "shuffle": "shuffler",
    "reshuffle": "shuffler",
    "load_device": "shoe",
    "dispense": "shoe",
    "deliver": "shoe",
    "burn": "shoe",
}
"""Directives that set a device to work, with its role where they do not name it."""


def works_for(facts: TableFacts, device: str, directive: str) -> bool:
    """Whether this directive, by its id, set the device to work."""
    order = facts.directives.get(directive)
    if order is None or order.verb not in WORKING or order.method == "hand":
        return False
    return order.device == device or (not order.device and facts.roles.get(device) == WORKING[order.verb])


class LineWatch(Watch, ABC):
    """Base: the lines of the target with their level, last edge and the record of it."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self.proof = spec.proof
        self.level: dict[str, int] = {}
        self.edge: dict[str, tuple[int, int]] = {}
        """Line to the moment of its last edge (ns, device clock) and the record's sequence number."""
        self._ahead_ns: int | None = None

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        if isinstance(event, LineSeen):
            device, _, line = event.line.rpartition("/")
            if device != self.spec.target:
                return None
            ahead_ns = event.at_ns - record.mono_ns
            self._ahead_ns = ahead_ns if self._ahead_ns is None else max(self._ahead_ns, ahead_ns)
            finding = self.check(event.at_ns, record.seq)
            self.level[line] = event.level
            self.edge[line] = (event.at_ns, record.seq)
            self.moved(line, event.level, event.at_ns, record.seq)
            return finding
        if isinstance(event, TableDone) and event.outcome == "failed":
            return self.gave_up(event, record)
        return None

    def end(self, record: Record) -> FaultProven | None:
        now_ns = self.device_ns(record)
        return None if now_ns is None else self.check(now_ns, record.seq)

    def device_ns(self, record: Record) -> int | None:
        """The device's clock at this record, rather too early than too late; None before its first edge."""
        return None if self._ahead_ns is None else record.mono_ns + self._ahead_ns

    @abstractmethod
    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        """The proof, if at `now_ns` the lines stand as they have stood since their last edges."""

    def moved(self, line: str, level: int, at_ns: int, seq: int) -> None:
        """A line has had an edge."""

    def gave_up(self, event: TableDone, record: Record) -> FaultProven | None:
        """The bench gave a directive up; all edges until now have been read."""
        return self.end(record)


class HeldWatch(LineWatch):
    """A line stays high longer than its limit."""

    def forget(self) -> None:
        self.level.clear()

    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        for line in self.proof.lines:
            if not self.level.get(line):
                continue
            since_ns, risen = self.edge[line]
            held_s = (now_ns - since_ns) / NS_PER_S
            limit_s = self.proof.limit_of(line)
            if held_s > limit_s:
                means = (
                    "The probe on {device}/{line} saw the line held for {held_s} s; more than {limit_s} s "
                    "does not happen in sound work."
                )
                return self.proven(
                    [risen, seq], means, [risen],
                    device=self.spec.target, line=line, held_s=round(held_s, 2), limit_s=limit_s,
                )  # fmt: skip
        return None


class NoCardWatch(LineWatch):
    """The picking roller is driven over cards, the way is free, and none reaches the entry sensor."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._since: tuple[int, int] | None = None
        """When the roller last began to turn or a card last moved, while it has been driven."""

    def forget(self) -> None:
        self._since = None

    def moved(self, line: str, level: int, at_ns: int, seq: int) -> None:
        if line in PICK_LINES:
            self._since = (at_ns, seq) if level else None
        elif line == "entry" and self._since is not None:
            self._since = (at_ns, seq)

    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        cards_there = self.level.get("tray", 1) and not self.level.get("entry") and not self.level.get("exit")
        roller_sound = self.level.get("power", 1) and self.level.get("lid", 1) and not self.level.get("overcurrent")
        if self._since is None or not cards_there or not roller_sound:
            return None
        waited_s = (now_ns - self._since[0]) / NS_PER_S
        if waited_s <= self.proof.limit_s:
            return None
        means = (
            "The probe saw {device}'s roller driven over cards for {waited_s} s and no card at its "
            "entry; one takes less than {limit_s} s."
        )
        return self.proven(
            [self._since[1], seq],
            means,
            [self._since[1]],
            device=self.spec.target,
            waited_s=round(waited_s, 2),
            limit_s=self.proof.limit_s,
        )


class IdleWatch(LineWatch):
    """A directive that needs the device was given up while it said nothing of an end and all its lines were still."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._last: tuple[int, int] | None = None
        self._issued_ns: dict[str, int] = {}
        self._free_ns = 0
        """When the bench was done with the directive before."""
        self._explained = False
        """The device has said how the work at hand ended."""

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DeviceCycle(device=self.spec.target, phase="completed") | DeviceDispensed(device=self.spec.target):
                self._explained = True
            case DeviceFault(device=self.spec.target) as fault if not fault.recovered and fault.symptom != "incomplete":
                self._explained = True
            case _:
                pass
        finding = super().see(record)
        if isinstance(record.event, Directive):
            self._issued_ns[record.event.id] = record.mono_ns
        elif isinstance(record.event, TableDone):
            self._free_ns = record.mono_ns
            self._explained = False
        return finding

    def moved(self, line: str, level: int, at_ns: int, seq: int) -> None:
        self._last = (at_ns, seq)

    def check(self, now_ns: int, seq: int) -> FaultProven | None:
        return None

    def gave_up(self, event: TableDone, record: Record) -> FaultProven | None:
        if self._explained or not works_for(self.facts, self.spec.target, event.directive):
            return None
        begun_ns = max(self._free_ns, self._issued_ns.get(event.directive, 0))
        still_s = (record.mono_ns - begun_ns) / NS_PER_S
        by = [record.seq]
        now_ns = self.device_ns(record)
        if self._last is not None and now_ns is not None:
            still_s = min(still_s, (now_ns - self._last[0]) / NS_PER_S)
            by.append(self._last[1])
        if still_s < self.proof.limit_s:
            return None
        means = (
            "The bench gave {verb} up: {device} claimed no end, and the probe saw all its lines "
            "still for the last {still_s} s."
        )
        return self.proven(by, means, verb=event.verb, device=self.spec.target, still_s=round(still_s, 1))
