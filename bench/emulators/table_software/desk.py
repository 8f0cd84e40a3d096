"""The desk of the reference table software: numbers directives, runs the procedure, and keeps the two in step.

A procedure is a generator: it yields the directives of one step and is resumed with their outcomes once all of them
have been carried out. An irregularity may add directives to the step that is under way, or replace the procedure.
"""

from collections.abc import Generator
from typing import Any

from evidence.events import Directive, TableDone, Verb

Procedure = Generator[list[Directive], list[TableDone], None]


class Desk:
    """One connection's directives: the running procedure and what it waits for."""

    def __init__(self) -> None:
        self.cause = ""
        """Id of the message that is being reacted to."""
        self._issued = 0
        self._out: list[Directive] = []
        self._awaited: dict[str, Directive] = {}
        self._outcomes: list[TableDone] = []
        self._procedure: Procedure | None = None

    def order(self, verb: Verb, *, cause: str = "", **fields: Any) -> Directive:
        """Make a directive with an id of its own. Without `cause` the message at hand is its cause."""
        self._issued += 1
        return Directive(id=f"d{self._issued}", verb=verb, cause=cause or self.cause, **fields)

    def say(self, *directives: Directive) -> None:
        """Issue directives that no procedure waits for, such as the answer to a request."""
        self._out.extend(directives)

    def also(self, *directives: Directive) -> None:
        """Issue directives as a part of the step under way: the procedure goes on when they too are done."""
        self._awaited.update({directive.id: directive for directive in directives})
        self._out.extend(directives)

    def start(self, procedure: Procedure) -> None:
        """Run a procedure from its beginning, in place of the one that ran before."""
        if self._procedure is not None:
            self._procedure.close()
        self._procedure = procedure
        self._awaited.clear()
        self._outcomes = []
        self._resume(None)

    def stop(self) -> None:
        """Forget the running procedure; what it ordered may still be carried out and is passed over."""
        if self._procedure is not None:
            self._procedure.close()
        self._procedure = None
        self._awaited.clear()
        self._outcomes = []

    @property
    def under_way(self) -> Directive | None:
        """The directive of the procedure that is being carried out now: the first that is not done."""
        return next(iter(self._awaited.values()), None)

    def done(self, done: TableDone) -> None:
        """Take note of an outcome; the procedure goes on when nothing of its step is left."""
        if self._awaited.pop(done.directive, None) is None:
            return
        self._outcomes.append(done)
        if not self._awaited:
            outcomes, self._outcomes = self._outcomes, []
            self._resume(outcomes)

    def take(self) -> list[Directive]:
        """The directives issued since the last time."""
        out, self._out = self._out, []
        return out

    def _resume(self, outcomes: list[TableDone] | None) -> None:
        procedure = self._procedure
        if procedure is None:
            return
        try:
            step = next(procedure) if outcomes is None else procedure.send(outcomes)
        except StopIteration:
            if self._procedure is procedure:
                self._procedure = None
            return
        if self._procedure is procedure:
            self.also(*step)
