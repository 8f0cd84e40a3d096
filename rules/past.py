"""The facts of a scenario, the latest of them in full; enough to judge a trigger that becomes known late."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator

from rules.vocabulary import Fact


class Past:
    """Remembers the latest facts. Bounded: older ones are forgotten, and what would need them has no verdict."""

    LIMIT = 5000

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        """In the order in which they became known."""
        self._opened: list[int] = []
        self._ends: list[int] = []
        """Records at which rounds opened, and at which they opened or closed, in order."""
        self.forgotten_until = -1
        """Facts that happened up to this record may have been forgotten."""

    def add(self, fact: Fact) -> None:
        """Remember a fact; of more than `LIMIT` the older half is forgotten."""
        self.facts.append(fact)
        if fact.name == "round_opened":
            _keep(self._opened, fact.at)
            _keep(self._ends, fact.at)
        elif fact.name == "round_closed":
            _keep(self._ends, fact.at)
        if len(self.facts) > self.LIMIT:
            half = self.LIMIT // 2
            self.forgotten_until = max(one.seq for one in self.facts[:half])
            del self.facts[:half]

    @property
    def latest_round(self) -> int:
        """Record at which the latest round opened; -1 before the first."""
        return self._opened[-1] if self._opened else -1

    def round_of(self, at: int) -> int:
        """Record at which the round opened that `at` falls into; -1 before the first."""
        nth = bisect_right(self._opened, at)
        return self._opened[nth - 1] if nth else -1

    def round_end(self, at: int) -> int | None:
        """Record at which a round ended or began after `at`, the first of them; None while there is none."""
        nth = bisect_right(self._ends, at)
        return self._ends[nth] if nth < len(self._ends) else None

    def known_after(self, at: int) -> list[Fact]:
        """The facts that became known after record `at`; whatever happened after it is among them."""
        return self.facts[bisect_right(self.facts, at, key=_known) :]

    def before(self, at: int) -> Iterator[Fact]:
        """The facts that happened before record `at`, the latest known first."""
        return (fact for fact in reversed(self.facts) if fact.at < at)

    def within(self, start: int, end: int | None) -> Iterator[Fact]:
        """The facts that happened from record `start` on, up to `end` where it is given."""
        first = bisect_left(self.facts, start, key=_known)
        return (fact for fact in self.facts[first:] if fact.at >= start and (end is None or fact.at <= end))


def _known(fact: Fact) -> int:
    return fact.seq


def _keep(records: list[int], at: int) -> None:
    if not records or at > records[-1]:
        records.append(at)
    else:
        insort(records, at)
    del records[: -Past.LIMIT]
