"""One step of a procedure: how a game orders something and learns what came of it."""

from collections.abc import Generator
from typing import Any, Literal

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from evidence.events import Directive, TableDone, Verb

Step = Generator[list[Directive], list[TableDone], TableDone]
State = Literal["idle", "round", "ending", "method", "held"]


class EndsEarly(Exception):
    """Not an error: it leaves the procedure of a round from wherever it stands. The round ends with `procedure`."""

    def __init__(self, procedure: Procedure) -> None:
        super().__init__()
        self.procedure = procedure


class Steps:
    """What a procedure is written with.

    `state` is `idle` between rounds, `round` while one is played, `ending` while a voided one is cleared up, `method`
    while devices are taken off the table, and `held` once somebody has to help.
    """

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        self.facts = facts
        self.desk = desk
        self.defects = defects
        self.state: State = "idle"
        self.outcomes: list[TableDone] = []
        """What came of all directives of the last step."""

    def has(self, defect: str) -> bool:
        return defect in self.defects

    def order(self, verb: Verb, *, cause: str = "", **fields: Any) -> Directive:
        return self.desk.order(verb, cause=cause, **fields)

    def do(self, verb: Verb, *, cause: str = "", **fields: Any) -> Step:
        """One directive as a step; returns its outcome."""
        return (yield from self.do_all(self.order(verb, cause=cause, **fields)))

    def do_all(self, *directives: Directive) -> Step:
        """Several directives as one step; returns the outcome of the last one."""
        self.facts.new_step()
        self.outcomes = yield list(directives)
        # Directives may have joined the step meanwhile; those it was begun with count.
        return next(done for done in self.outcomes if done.directive == directives[-1].id)

    def hold(self, reason: str, cause: str = "") -> Procedure:
        """Stop the table until somebody helps; nothing goes on by itself from here."""
        self.state = "held"
        yield [self.order("hold", cause=cause, reason=reason)]

    def need(self, done: TableDone) -> None:
        """Go on only when a directive was carried out. Raises EndsEarly with a hold otherwise."""
        if done.outcome != "done":
            raise EndsEarly(self.hold(f"{done.verb} was not done: {done.detail[:200]}"))
