"""What every watch has: it looks at records one by one until one of them proves its fault."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from bench.faults.facts import TableFacts
from bench.faults.script import FaultSpec
from evidence.events import FaultProven, Record


class Watch(ABC):
    """Watches for one armed fault. Sees what instruments, camera, devices and people told, never what was injected."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        self.spec = spec
        self.facts = facts
        self.own: frozenset[tuple[int, str]] = frozenset()
        """What the last proof found here cannot share with that of another fault: records, each by itself or as
        looked at in one way."""

    @abstractmethod
    def see(self, record: Record) -> FaultProven | None:
        """The proof, when this record completes it. The facts do not hold this record yet."""

    def end(self, record: Record) -> FaultProven | None:
        """A last chance when the scenario is over; `record` is its last one."""
        return None

    def forget(self) -> None:
        """What this watch has just found proved another fault already: it must find its own."""
        return  # most watches find what they need in one record, and that one is gone

    def proven(
        self, by: Iterable[int], wording: str, own: Iterable[int] = (), **values: int | float | str
    ) -> FaultProven:
        """The proof: its records, and the sentence that says what they show, with places for the values.

        `own` are those among them that show what this fault did and no other can have done as well: where a wire was
        held from, what was done to a frame. Where none are named it is the last record, for proofs of the same kind: a
        look may show that a card is too many and that another lies face up.
        """
        records = sorted(set(by))
        self.own = frozenset((seq, "") for seq in own) or frozenset((seq, self.spec.proof.kind) for seq in records[-1:])
        return FaultProven(
            fault=self.spec.name,
            target=self.spec.target,
            symptom=self.spec.fault.symptom,
            by=records,
            means=wording.format(**values),
            wording=wording,
            values=values,
        )
