"""What excuses a breach: exceptions that stood in the round of the trigger or later in its scope, and not after it.

What comes after the breach was no reason for it. The proof of what caused it is made afterwards, so that it counts
wherever it is dated in the scope.
"""

from collections.abc import Hashable, Iterator

from rules.past import Past
from rules.vocabulary import Fact

PROOFS = frozenset({"injected"})
"""Facts that show what caused a breach."""
PROMPT = frozenset({"directive", "player_act", "option_taken", "floor_ruled", "hand_counted", "hole_cards_face_up"})
"""Facts that are known once the order is carried out within which they happened, and dated after the one before."""
MOST_EXCEPTIONS = 1000
"""Exceptions of one requirement in one round, told apart by their attributes, that are remembered."""
MOST_ROUNDS = 1000
"""Latest rounds of which exceptions are remembered."""


class Excuses:
    """Those of one obligation: of the exceptions that may count the earliest, and the earliest proof."""

    __slots__ = ("_proof", "_reason", "begins", "broken_at", "ends")

    def __init__(self) -> None:
        self.begins = -1
        """Record from which on exceptions count: that at which the round of the trigger opened."""
        self.ends: int | None = None
        """Record until which they do, once the scope is over."""
        self.broken_at: int | None = None
        """Record of the first thing that happened and was a breach; None for a breach by what never came."""
        self._reason: Fact | None = None
        self._proof: Fact | None = None

    @property
    def best(self) -> Fact | None:
        """What excuses a breach, if anything does."""
        if self._reason is not None and (self.broken_at is None or self._reason.at <= self.broken_at):
            return self._reason
        return self._proof

    def matter(self, fact: Fact) -> bool:
        """Whether an exception would count that has not been known before, or not of so early."""
        if fact.at < self.begins or (self.ends is not None and fact.at > self.ends):
            return False
        known = self._proof if fact.name in PROOFS else self._reason
        return known is None or fact.at < known.at

    def take(self, fact: Fact) -> None:
        """Take note of an exception that matters."""
        if fact.name in PROOFS:
            self._proof = fact
        else:
            self._reason = fact

    def broken(self, at: int) -> None:
        """Something happened that was a breach."""
        self.broken_at = at if self.broken_at is None else min(at, self.broken_at)

    def end(self, at: int) -> None:
        """The scope is over."""
        self.ends = at if self.ends is None else min(at, self.ends)

    def join(self, other: "Excuses") -> None:
        """From here on only what excuses both counts."""
        self.begins = max(self.begins, other.begins)
        self._reason = self._earliest(self._reason, other._reason)
        self._proof = self._earliest(self._proof, other._proof)
        if other.broken_at is not None:
            self.broken(other.broken_at)

    def _earliest(self, *facts: Fact | None) -> Fact | None:
        counting = [fact for fact in facts if fact is not None and fact.at >= self.begins]
        return min(counting, key=lambda fact: fact.at, default=None)


class Exceptions:
    """All of one requirement that may still count for a trigger, by the rounds in which they stand."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._rounds: dict[int, dict[Hashable, Fact]] = {}

    def note(self, fact: Fact) -> None:
        """Remember an exception; of those alike in one round the earliest. Rounds that are forgotten go."""
        past, rounds = self._past, self._rounds
        stands_in = past.round_of(fact.at)
        if stands_in not in rounds:
            oldest = past.round_of(past.forgotten_until)
            for one in [one for one in rounds if one < oldest]:
                del rounds[one]
        known = rounds.setdefault(stands_in, {})
        key: Hashable = fact.id if fact.amendable else tuple(fact.attributes.values())
        if fact.amendable or key not in known or fact.at < known[key].at:
            known[key] = fact
        if len(rounds) > MOST_ROUNDS:
            del rounds[min(rounds)]
        if len(known) > MOST_EXCEPTIONS:
            del known[next(iter(known))]

    def of_round(self, opened: int, *, later: bool) -> Iterator[Fact]:
        """The exceptions in the round that opened there, and those in later ones if they count too."""
        further = later and opened < self._past.latest_round
        for one in [one for one in self._rounds if one >= opened] if further else [opened]:
            yield from self._rounds.get(one, {}).values()
