"""Injected faults, each with what became of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from evidence import events as e
from evidence.events import Record


@dataclass
class Injected:
    """One fault: armed, and then proven, reported as not proven, or never spoken of again."""

    scenario: str
    fault: str
    target: str
    armed: Record | None = None
    outcome: Record | None = None

    @property
    def proven(self) -> bool:
        """Whether something other than the injector showed that the fault happened."""
        return self.outcome is not None and isinstance(self.outcome.event, e.FaultProven)

    @property
    def params(self) -> dict[str, int | str]:
        """What the fault was armed with."""
        return self.armed.event.params if self.armed and isinstance(self.armed.event, e.FaultArmed) else {}


def injected_faults(records: Iterable[Record]) -> list[Injected]:
    """Faults in the order of their arming. The same fault armed twice needs two proofs; the first goes to the first.

    A proof or report beyond what was armed stands as a fault of its own: nothing the journal says is left out.
    """
    faults: list[Injected] = []
    waiting: dict[tuple[str, str, str], list[Injected]] = {}
    for record in records:
        event = record.event
        if not isinstance(event, e.FaultArmed | e.FaultProven | e.FaultUnproven):
            continue
        queue = waiting.setdefault((record.scenario, event.fault, event.target), [])
        if isinstance(event, e.FaultArmed):
            queue.append(Injected(record.scenario, event.fault, event.target, armed=record))
            faults.append(queue[-1])
        elif queue:
            queue.pop(0).outcome = record
        else:
            faults.append(Injected(record.scenario, event.fault, event.target, outcome=record))
    return faults
