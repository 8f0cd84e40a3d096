"""One obligation: a requirement that a trigger has activated, followed until its scope ends."""

import enum
from collections.abc import Iterable

from rules.pack import Game, Pattern, Requirement
from rules.patterns import any_matches, matches, meets
from rules.sentences import breach, doubt, excused, late, missing, passed, superseded, unprobed, unruled
from rules.speech import Telling
from rules.verdicts import Outcome
from rules.vocabulary import Fact


class End(enum.Enum):
    """How the scope of an obligation ended."""

    ROUND = "round"
    SCENARIO = "scenario"
    OVERRIDDEN = "overridden"
    """Another clause took over."""


class Obligation:
    """Follows the facts around a trigger. `close` is called when the scope ends; exceptions may still come later."""

    def __init__(self, requirement: Requirement, trigger: Fact, game: Game) -> None:
        self.requirement = requirement
        self.trigger = trigger
        self.closed = False
        self.round_over = False
        """Whether the round of the trigger has ended, after which no other clause can go before this one."""
        self.evidence = list(trigger.evidence)
        self._game = game
        self._step = 0
        self._shown: list[Fact] = []
        self._against: Telling | None = None
        """A breach that happened."""
        self._missing: Telling | None = None
        """A breach by something that did not happen."""
        self._doubt: Telling | None = None
        self._open_doubt: Telling | None = None
        """A doubt that a clear response will still settle."""
        self._lack: Telling | None = None
        self._unruled = list(requirement.needs_ruling)
        self._excuse: Fact | None = None
        self._superseded = False
        self._free = False
        self._probed = not requirement.probed
        self._existing = list(requirement.existence)
        holds = meets(requirement.holds, trigger, trigger, game)
        if holds is False:
            self._against = breach(trigger, None, requirement.duty)
        elif holds is None:
            self._doubt = doubt(trigger, requirement.duty)

    @property
    def responded(self) -> bool:
        """Whether every required response has come."""
        return self._step >= len(self.requirement.response)

    @property
    def failed(self) -> bool:
        """Whether a breach has been shown."""
        return bool(self._against or self._missing)

    def look_back(self, earlier: Iterable[Fact], *, complete: bool) -> None:
        """Check the precedence against the facts known before, oldest first; `complete` if none has been forgotten."""
        steps = self.requirement.precedence
        reach = 0
        unsure = not complete
        for fact in earlier:
            if reach == len(steps) or fact.at >= self.trigger.at:
                continue
            answer = self._match(steps[reach], fact)
            if answer:
                reach += 1
                self._show(fact)
            elif answer is None:
                unsure = True
        if reach < len(steps):
            if unsure:
                self._doubt = self._doubt or doubt(self.trigger, self.requirement.duty)
            else:
                self._missing = self._missing or missing(self.trigger, self.requirement.duty, "before")

    def feed(self, fact: Fact, *, in_scope: bool = True) -> None:
        """Take note of a fact; one that happened before the trigger counts only for exceptions and existence."""
        if in_scope:
            self._note_existence(fact)
        if self.requirement.unless and self._match(self.requirement.unless, fact):
            self._excuse = fact
        if self.closed or fact.at <= self.trigger.at or fact.id == self.trigger.id:
            return
        self._note_ruling(fact)
        if not self._probed and self._match(self.requirement.probed, fact):
            self._probed = True
            self._show(fact)
        stepped = self._respond(fact)
        if not stepped:
            self._forbid(fact)
        if self.requirement.until:
            self._free = self._free or bool(self._match(self.requirement.until, fact))
        elif self.responded:
            self._free = True

    def close(self, end: End) -> None:
        """The scope is over: what has not come by now has not come."""
        if self.closed:
            return
        self.closed = True
        if end is End.OVERRIDDEN:
            self._superseded = not self.responded
        elif not self.responded or self._existing:
            self._missing = self._missing or missing(self.trigger, self.requirement.duty, end.value)

    def supersede(self) -> None:
        """Another clause had already taken over when this was triggered."""
        self.closed = self._superseded = True

    def needs(self, lack: Telling) -> None:
        """The operator has not given an input, as `lack` says."""
        self._lack = self._lack or lack

    def forgotten(self) -> None:
        """Facts after the trigger are no longer remembered, so nothing can be shown to hold."""
        self._doubt = self._doubt or doubt(self.trigger, self.requirement.duty)

    def result(self) -> tuple[Outcome, Telling]:
        """The outcome and what is to be said of it, as far as this obligation goes."""
        trigger, duty = self.trigger, self.requirement.duty
        if self.failed and self._excuse is not None:
            return Outcome.NOT_APPLICABLE, excused(trigger, self._excuse)
        if self._against:
            return Outcome.FAIL, self._against
        if self._superseded:
            return Outcome.NOT_APPLICABLE, superseded(trigger)
        if self._lack:
            return Outcome.NEEDS_OPERATOR_INPUT, self._lack
        if self._unruled:
            return Outcome.NEEDS_OPERATOR_INPUT, unruled(trigger, self._unruled[0])
        open_doubt = self._open_doubt if self._existing or not self.responded else None
        if unclear := self._doubt or open_doubt:
            return Outcome.INCONCLUSIVE, unclear
        if self._missing:
            return Outcome.FAIL, self._missing
        if not self._probed:
            return Outcome.INCONCLUSIVE, unprobed(trigger, duty)
        return Outcome.PASS, self.passed(1)

    def settled(self) -> Outcome | None:
        """The outcome, if nothing that may still come can change it; otherwise None."""
        if self.trigger.amendable:
            return None
        needs = self.requirement
        complete = self.responded and self._probed and not (self._existing or self._open_doubt or self._unruled)
        unwatched = not needs.absence and (self._free or not needs.not_succession)
        if complete and unwatched and not self.failed:
            self.closed = True
        if not (self.closed or (self.failed and self.round_over)):
            return None
        outcome = self.result()[0]
        excusable = bool(needs.unless) and self.failed
        return None if excusable or outcome is Outcome.NOT_APPLICABLE else outcome

    def passed(self, times: int) -> Telling:
        """What is to be said of a requirement that was met at each of `times` triggers."""
        held = bool(self.requirement.holds)
        return passed(self.trigger, self.requirement.duty, self._shown, times, held=held)

    def _respond(self, fact: Fact) -> bool:
        if self.responded:
            return False
        answer = self._match(self.requirement.response[self._step], fact)
        if answer:
            self._step += 1
            self._open_doubt = None
            if not self._missing:
                self._show(fact)
            return True
        if answer is None:
            self._open_doubt = self._open_doubt or doubt(self.trigger, self.requirement.duty, fact)
            return False
        overdue = self._match(self.requirement.before, fact)
        if overdue is None or (overdue and self._open_doubt):
            self._doubt = self._doubt or self._open_doubt or doubt(self.trigger, self.requirement.duty, fact)
        elif overdue and not self._missing:
            self._missing = late(self.trigger, fact, self.requirement.duty)
            self._take(fact)
        return False

    def _forbid(self, fact: Fact) -> None:
        forbidden = self.requirement.absence
        if not self._free:
            forbidden += self.requirement.not_succession
        answer = self._match(forbidden, fact)
        if answer:
            self._against = self._against or breach(self.trigger, fact, self.requirement.duty)
            self._take(fact)
        elif answer is None:
            self._doubt = self._doubt or doubt(self.trigger, self.requirement.duty, fact)

    def _note_ruling(self, fact: Fact) -> None:
        if fact.name == "floor_ruled" and fact.attributes["question"] in self._unruled:
            about = fact.attributes["position"]
            if about in ("", self.trigger.attributes.get("position", about)):
                self._unruled = [question for question in self._unruled if question != fact.attributes["question"]]
                self._take(fact)

    def _note_existence(self, fact: Fact) -> None:
        for pattern in list(self._existing):
            answer = matches(pattern, fact, self.trigger, self._game)
            if answer:
                self._existing.remove(pattern)
                self._show(fact)
            elif answer is None:
                self._open_doubt = self._open_doubt or doubt(self.trigger, self.requirement.duty, fact)

    def _match(self, patterns: tuple[Pattern, ...], fact: Fact) -> bool | None:
        return any_matches(patterns, fact, self.trigger, self._game)

    def _show(self, fact: Fact) -> None:
        self._shown.append(fact)
        self._take(fact)

    def _take(self, fact: Fact) -> None:
        self.evidence.extend(seq for seq in fact.evidence if seq not in self.evidence)
