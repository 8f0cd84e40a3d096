"""Proof by counting cards and seeing faces: units of a wrong size, packs not whole, reversed cards, false claims."""

from bench.faults.facts import CENTRE, MOUTH, UNKNOWN, Known, TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import CardsSeen, DealerDid, DeviceCycle, DeviceDispensed, FaultProven, Record


class UnitCountWatch(Watch):
    """A unit of the device holds another number of cards than it should, by the camera."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._unit: tuple[int, int, Known] | None = None
        """Record of the last unit, the cards it should hold, and what lay at the mouth before."""
        self._groups: dict[str, tuple[int, int]] = {}
        """Positions that got a group as their only delivery: its record, and the cards that it should hold."""

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DeviceDispensed(device=self.spec.target) as unit:
                due = self.facts.group_size.get(unit.device, 0) if unit.unit == "group" else 1
                self._unit = (record.seq, due, self.facts.mouth) if due else None
            case DealerDid(act="deliver") as delivery if self._unit and self._unit[1] > 1:
                if self.facts.deliveries.get(delivery.position, 0) == 0:
                    self._groups[delivery.position] = self._unit[:2]
            case CardsSeen(count=int()) as look:
                return self._counted(look, record.seq)
            case _:
                pass
        return None

    def _counted(self, look: CardsSeen, seq: int) -> FaultProven | None:
        if look.count is None:
            return None
        if look.place == MOUTH and self._unit is not None:
            dispensed, due, before = self._unit
            self._unit = (dispensed, due, UNKNOWN) if due > 1 else None
            if before.count is not None and self._is_it(look.count - before.count, due):
                means = "The camera counts {count} cards in a unit that should hold {due}."
                return self.proven([dispensed, seq], means, [dispensed], count=look.count - before.count, due=due)
        elif look.place in self._groups and self.facts.deliveries.get(look.place) == 1:
            dispensed, due = self._groups.pop(look.place)
            if self._is_it(look.count, due):
                means = "The camera counts {count} cards in the group at {place}, which should hold {due}."
                return self.proven([dispensed, seq], means, [dispensed], count=look.count, place=look.place, due=due)
        return None

    def _is_it(self, count: int, due: int) -> bool:
        if self.spec.name == "wrong_group_size":
            return count == self.spec.params["size"] and count != due
        return count > due


class TotalWatch(Watch):
    """All places together, or all parts of a check of the pack, hold fewer or more cards than the game's pack."""

    def see(self, record: Record) -> FaultProven | None:
        if not isinstance(record.event, CardsSeen):
            return None
        total = self.facts.total_at(record.event, record.seq)
        if total.count is None:
            total = self.facts.checked_at(record.event, record.seq)
        missing = int(self.spec.params["count"]) * (1 if self.spec.name == "missing_card" else -1)
        if total.count is None or self.facts.deck - total.count != missing:
            return None
        means = "The camera's counts of all places add up to {count} cards; the game's pack has {deck}."
        return self.proven(total.by, means, count=total.count, deck=self.facts.deck)


class FacesWatch(Watch):
    """Faces show at the shoe's mouth, or among the cards left in the shoe."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._showing = {MOUTH: 0, CENTRE: 0}
        self._found: list[int] = []
        self._remainder = False
        """What lies at the layout's centre came out of the shoe."""

    def forget(self) -> None:
        self._found.clear()

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="deliver" | "burn" | "collect" | "gather" | "set_hands" | "unload") as act:
                self._showing = {MOUTH: 0, CENTRE: 0}
                self._remainder = (
                    act.place == CENTRE if act.act == "unload" else self._remainder and act.place != CENTRE
                )
            case CardsSeen(place="layout_centre") if not self._remainder:
                return None
            case CardsSeen(place="shoe_mouth" | "layout_centre") as look:
                more = len(look.face_up) - self._showing[look.place]
                self._showing[look.place] = len(look.face_up)
                self._found += [record.seq] * max(0, more)
            case _:
                return None
        wanted = int(self.spec.params["count"])
        if len(self._found) < wanted:
            return None
        return self.proven(self._found, "The camera sees {wanted} card(s) come out of the shoe face up.", wanted=wanted)


class ClaimWatch(Watch):
    """The device claims a number of cards in all that the camera contradicts."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._claim: tuple[int, int] | None = None

    def forget(self) -> None:
        self._claim = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DeviceCycle(device=self.spec.target, phase="completed") as cycle if cycle.kind != "unload":
                self._claim = (cycle.count, record.seq)
            case CardsSeen() as look if self._claim is not None:
                claimed, by = self._claim
                total = self.facts.total_at(look, record.seq)
                if total.count is None:
                    total = self.facts.checked_at(look, record.seq)
                if total.count is not None and total.count != claimed:
                    target = self.spec.target
                    means = "{device} claims {claimed} cards in all; the camera's counts add up to {count}."
                    return self.proven([by, *total.by], means, [by], device=target, claimed=claimed, count=total.count)
            case _:
                pass
        return None
