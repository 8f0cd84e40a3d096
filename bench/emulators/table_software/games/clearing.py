"""Shuffling and clearing up: what every game does with its cards before a round and after one that was voided."""

from collections.abc import Callable, Generator
from typing import Literal

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.steps import Step, Steps
from evidence.events import Directive, TableDone

Symptom = Literal["jam", "stop", "incomplete"]
Consequence = Callable[[str], list[Directive]]
"""Orders directives for the cause that it is given."""

MOST_RESHUFFLES = 3
"""How often a shuffle that failed is ordered again before the table waits for somebody to help."""


class Clearing(Steps):
    """The part of a game that shuffles, voids and refunds."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.by_hand = False
        """True once the devices have left the table for dealing and shuffling by hand."""
        self.removed_late: dict[str, list[str]] = {"shuffle": [], "dispense": []}
        """Devices that a defect leaves standing until the first act by hand of this kind."""
        self.answered: dict[str, Symptom] = {}
        """Directives of a device that failed, and how: each failure is answered once."""
        self.cause_of: dict[str, str] = {}
        self.shuffle_failed = False
        self.voided = False
        """True once a round has been voided, until the next one is opened."""

    # --- shuffling ---

    def shuffle(self) -> Generator[list[Directive], list[TableDone], bool]:
        """Shuffle the pack; False when it was not to be done and the table is held."""
        shuffler = "" if self.by_hand else self.facts.device("shuffler")
        if not shuffler:
            yield from self.shuffle_by_hand()
            return True
        done = yield from self.do("shuffle", method="device", device=shuffler)
        return (yield from self.shuffled(done))

    def shuffle_by_hand(self) -> Procedure:
        yield from self.do("shuffle", method="hand")
        yield from self.remove_late("shuffle")

    def remove_late(self, act: str) -> Procedure:
        while self.removed_late[act]:
            yield from self.remove(self.removed_late[act].pop(0))

    def shuffled(self, done: TableDone, scope: str = "all_cards") -> Generator[list[Directive], list[TableDone], bool]:
        """See a shuffle through: one that failed is ordered again, a limited number of times."""
        for again in range(MOST_RESHUFFLES + 1):
            symptom = self.answered.get(done.directive)
            if symptom is None and (done.outcome != "done" or done.directive in self.cause_of):
                symptom = "incomplete"
            if symptom is None:
                return True
            if self.has(f"no_reshuffle_after_{symptom}"):
                yield from self.do("remove_cards", device=self.facts.device("shuffler"))
                return True
            if again < MOST_RESHUFFLES:
                done = yield from self.do_all(self.reshuffle(self.cause_of.get(done.directive, ""), scope))
        self.shuffle_failed = True
        yield from self.hold("the shuffler does not complete a shuffle")
        return False

    def reshuffle(self, cause: str = "", scope: str = "all_cards") -> Directive:
        """The order to shuffle again, by the shuffler as long as one stands here."""
        method = "device" if not self.by_hand and self.facts.device("shuffler") else "hand"
        return self.order("reshuffle", cause=cause, scope=scope, method=method)

    # --- a round that ends before its time ---

    def void(self, *also: Consequence, cause: str = "", reason: str = "", reshuffle: bool = True) -> Procedure:
        """Void the round, return the wagers, order what else is given, reshuffle all cards."""
        self.state = "ending"
        directives = [
            self.order("void_round", cause=cause, reason=reason),
            *self.refund(cause),
            *[directive for orders in also for directive in orders(cause)],
            *([self.reshuffle(cause)] if reshuffle else []),
        ]
        yield from self.clear_up(directives)

    def refund(self, cause: str) -> list[Directive]:
        """Return all wagers of the round."""
        times = 2 if self.has("refund_twice") else 1
        return [self.order("return_wagers", cause=cause, scope="round", wager="all") for _ in range(times)]

    def clear_up(self, directives: list[Directive]) -> Procedure:
        """Issue the consequences at once, see the reshuffle among them through, and close the round's books."""
        self.state = "ending"
        self.voided = True
        done = yield from self.do_all(*directives)
        undone = [other for other in self.outcomes if other.outcome != "done" and other.verb != "reshuffle"]
        if undone:
            yield from self.hold(f"{undone[0].verb} was not done: {undone[0].detail[:200]}")
            return
        if done.verb == "reshuffle" and not (yield from self.shuffled(done)):
            return
        self.over()

    def over(self) -> None:
        """The round is behind us."""
        self.state = "idle"
        self.facts.new_round()

    def remove(self, device: str) -> Step:
        """Take a device off the table; the look afterwards tells whether it is gone."""
        done = yield from self.do("remove_device", device=device)
        if done.outcome == "done" and device not in self.facts.absent:
            done = yield from self.do("remove_device", device=device)
        return done
