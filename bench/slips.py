"""Slips of people and prepared packs: the bench's hands deviate from a directive where a scenario says so."""

from collections.abc import Sequence

from bench.faults.script import FaultSpec


class Slips:
    """The slips of one scenario that are still to happen, in the order of its faults."""

    def __init__(self, faults: Sequence[FaultSpec]) -> None:
        self._pending = [fault for fault in faults if fault.fault.of_people]

    def add(self, fault: FaultSpec) -> None:
        """One more slip, or preparation, is to happen from now on."""
        self._pending.append(fault)

    def take(self, name: str, **moment: int | str) -> FaultSpec | None:
        """The pending slip `name` that is due at this moment, taken off the list; None when there is none.

        It is due when all that it states about its moment (`card`, `burn`, `round`, `betting_round`, `position`) is
        equal to what is given here.
        """
        for fault in self._pending:
            if fault.name == name and all(moment.get(key) == value for key, value in fault.at.items()):
                self._pending.remove(fault)
                return fault
        return None

    def prepare(self, name: str) -> list[FaultSpec]:
        """All pending faults `name` of the pack, whose moment is a place in the pack; taken off the list."""
        prepared = [fault for fault in self._pending if fault.name == name]
        self._pending = [fault for fault in self._pending if fault.name != name]
        return prepared
