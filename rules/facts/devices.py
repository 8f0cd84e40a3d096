"""Facts about devices that jam, stop or fail to complete: claims and proofs of one cycle are one irregularity."""

from typing import Literal

import msgspec

from evidence.events import (
    DeviceAnswered,
    DeviceCommanded,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    FaultProven,
    TableDone,
)
from rules.facts.use import WORK
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

HALTS = ("jam", "stop", "incomplete")
"""The symptoms that clauses on devices speak of."""
REMEMBERED = 50
"""Latest pieces of work of one device to which a late proof can still belong."""


class Work(msgspec.Struct):
    """One piece of work of a device, from its command on, and the irregularity in it if there was one."""

    began: int
    during: Literal["shuffle", "round", "idle"]
    started: bool = False
    ended: bool = False
    refused: bool = False
    symptom: str = ""
    weight: int = 0
    """How far the symptom can be trusted: 1 inferred from an end, 2 claimed as a fault, 3 proven."""
    at: int = 0
    claimed: bool = False
    recovered: bool = False
    evidence: tuple[int, ...] = ()


class DeviceTracker:
    """Follows every device's work and states its irregularities."""

    watches = (DeviceCommanded, DeviceAnswered, DeviceCycle, DeviceDispensed, DeviceFault, FaultProven, TableDone)
    states = ("device_irregularity",)

    def __init__(self) -> None:
        self._works: dict[str, list[Work]] = {}

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DeviceCommanded() if event.command in WORK:
                self._begin(event.device, moment.seq, event.command == "shuffle", table)
            case DeviceAnswered(accepted=False) if event.command in WORK:
                self._latest(event.device, moment.seq, table).refused = True
            case DeviceCycle():
                return self._cycle(event, moment, table)
            case DeviceDispensed():
                self._latest(event.device, moment.seq, table).ended = True
            case DeviceFault():
                symptom = event.symptom
                return self._claim(event.device, symptom, 2, moment, table, recovered=event.recovered)
            case FaultProven() if event.symptom in HALTS:
                return self._proof(event, moment, table)
            case TableDone(outcome="failed") if moment.done is not None:
                return self._nothing_came(moment.done[0], moment.seq, table)
            case _:
                pass
        return []

    def _begin(self, device: str, seq: int, shuffling: bool, table: Table) -> Work:
        in_round: Literal["round", "idle"] = "round" if table.in_round else "idle"
        work = Work(began=seq, during="shuffle" if shuffling and table.role(device) == "shuffler" else in_round)
        works = self._works.setdefault(device, [])
        works.append(work)
        del works[:-REMEMBERED]
        return work

    def _latest(self, device: str, seq: int, table: Table) -> Work:
        works = self._works.get(device)
        return works[-1] if works else self._begin(device, seq, False, table)

    def _cycle(self, event: DeviceCycle, moment: Moment, table: Table) -> list[Draft]:
        work = self._latest(event.device, moment.seq, table)
        if event.phase == "started":
            if work.started or work.ended:
                work = self._begin(event.device, moment.seq, event.kind == "shuffle", table)
            work.started = True
            if event.kind == "shuffle" and table.role(event.device) == "shuffler":
                work.during = "shuffle"
            return []
        work.ended = True
        if event.phase == "aborted":
            return self._claim(event.device, "incomplete", 1, moment, table, recovered=False)
        return []

    def _claim(
        self, device: str, symptom: str, weight: int, moment: Moment, table: Table, *, recovered: bool
    ) -> list[Draft]:
        if not table.role(device):
            return []
        work = self._latest(device, moment.seq, table)
        work.claimed = True
        work.recovered = work.recovered or recovered
        return self._mark(device, work, symptom, weight, moment.seq, (moment.seq,), table)

    def _proof(self, event: FaultProven, moment: Moment, table: Table) -> list[Draft]:
        device = event.target
        if device not in self._works:
            device = next((name for name, role in table.roles.items() if role == event.target), device)
        if not table.role(device):
            return []
        proofs = sorted(event.by) or [moment.seq]
        works = self._works.get(device) or [self._begin(device, proofs[0], False, table)]
        reached = [work for work, end in _spans(works) if any(work.began <= seq < end for seq in proofs)]
        marked = [work for work in reached if work.symptom]
        work = (marked or reached or works[-1:])[0]
        end = {one.began: until for one, until in _spans(works)}[work.began]
        at = next((seq for seq in proofs if work.began <= seq < end), proofs[0])
        return self._mark(device, work, event.symptom, 3, at, (*proofs[:20], moment.seq), table)

    def _nothing_came(self, issued: int, seq: int, table: Table) -> list[Draft]:
        """An order to a device failed and the device gave no reason: it did not complete its work."""
        drafts: list[Draft] = []
        for device, works in self._works.items():
            work = works[-1]
            if work.began > issued and not (work.ended or work.refused or work.symptom):
                work.ended = True
                drafts += self._mark(device, work, "incomplete", 1, seq, (seq,), table)
        return drafts

    def _mark(
        self, device: str, work: Work, symptom: str, weight: int, at: int, evidence: tuple[int, ...], table: Table
    ) -> list[Draft]:
        """Note an irregularity in a piece of work; a weightier witness corrects what a lighter one said."""
        first = not work.symptom
        graver = symptom in HALTS and work.symptom not in HALTS
        if first or graver or (weight > work.weight and symptom in HALTS):
            work.symptom = symptom
        work.weight = max(work.weight, weight)
        work.at = at if first else min(work.at, at)
        work.evidence = tuple(sorted({*work.evidence, *evidence}))[:40]
        return [self._draft(device, work, table)]

    def _draft(self, device: str, work: Work, table: Table) -> Draft:
        role = table.role(device)
        basis = "proven" if work.weight == 3 else "claimed" if work.claimed else "observed"
        facts: dict[str, Value] = {
            "device": device,
            "role": role,
            "symptom": work.symptom,
            "during": work.during,
            "basis": basis,
            "silent": not work.claimed,
            "recovered": work.recovered,
        }
        key = f"irregularity {device} {work.began}"
        return Draft(name="device_irregularity", attributes=facts, at=work.at, evidence=work.evidence, key=key)


def _spans(works: list[Work]) -> list[tuple[Work, int]]:
    """Each piece of work with the record at which the next begins."""
    ends = [work.began for work in works[1:]] + [1 << 62]
    return list(zip(works, ends, strict=True))
