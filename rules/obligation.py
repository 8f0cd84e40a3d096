"""One obligation: a requirement that a trigger has activated, followed until its scope ends."""

import enum
from collections.abc import Hashable, Iterable

from rules.demands import Demand
from rules.excuses import PROMPT, Excuses
from rules.patterns import Matcher
from rules.sentences import breach, doubt, excused, late, missing, not_yet, passed, superseded, unprobed, unruled
from rules.speech import Telling
from rules.verdicts import Outcome
from rules.vocabulary import Fact

MOST_EVIDENCE = 100


class End(enum.Enum):
    """How the scope of an obligation ended."""

    ROUND = "round"
    SCENARIO = "scenario"
    HELD = "held"
    """The scenario ended while the table software held the table for somebody to help."""
    OVERRIDDEN = "overridden"
    """Another clause took over."""


class Obligation:
    """Follows the facts around a trigger. `close` is called when the scope ends; exceptions may still come later."""

    def __init__(self, demand: Demand, trigger: Fact, names: frozenset[str] = frozenset()) -> None:
        self.demand = demand
        self.trigger = trigger
        self.names = names
        """The alternatives of the clause that the trigger is."""
        self.times = 1
        """Triggers for which this obligation stands."""
        self.closed = False
        self.touched = True
        """Whether something has changed since it was last looked at."""
        self.key: tuple[Hashable, ...] | None = None
        """What `alike` said when it was last looked at."""
        self.round_over = False
        """Whether the round of the trigger has ended, after which no other clause can go before this one."""
        self.scope_forgotten = False
        """Whether facts from the beginning of the scope on are no longer remembered."""
        self.excuses = Excuses()
        self.excusable = bool(demand.unless)
        """Whether an exception may still become known."""
        self.evidence = list(trigger.evidence)
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
        self._unruled = list(demand.requirement.needs_ruling)
        self._superseded = False
        """Whether another clause took over while a response was waited for."""
        self._idle = False
        """Whether another clause had taken over before the trigger."""
        self._free = False
        self._probed = not demand.probed
        self._existing: list[Matcher] = list(demand.existence)
        if demand.holds:
            holds = demand.holds(trigger.attributes, trigger.attributes)
            if holds is False:
                self._against = breach(trigger, None, demand.duty)
            elif holds is None:
                self._doubt = doubt(trigger, demand.duty)

    @property
    def responded(self) -> bool:
        """Whether every required response has come."""
        return self._step >= len(self.demand.response)

    @property
    def failed(self) -> bool:
        """Whether a breach has been shown."""
        return self._against is not None or self._missing is not None

    def look_back(self, earlier: Iterable[Fact], *, complete: bool) -> None:
        """Check the precedence against the facts known before, oldest first; `complete` if none has been forgotten."""
        steps = self.demand.precedence
        reach = 0
        unsure = not complete
        for fact in earlier:
            if reach == len(steps):
                break
            answer = steps[reach](fact, self.trigger)
            if answer:
                reach += 1
                self._show(fact)
            elif answer is None:
                unsure = True
        if reach < len(steps):
            if unsure:
                self._doubt = self._doubt or doubt(self.trigger, self.demand.duty)
            else:
                self._missing = self._missing or missing(self.trigger, self.demand.duty, "before")

    def excuse(self, fact: Fact) -> None:
        """Take note of an exception, if the fact is one for this trigger and may count."""
        if self.excuses.matter(fact) and self.demand.unless(fact, self.trigger):
            self.excuses.take(fact)
            self.touched = True

    def join(self, other: "Obligation") -> None:
        """Stand for another one like it from here on. Where both are excused already, each is by its own exception."""
        self.times += other.times
        if not (self.failed and self.excuses.best is not None):
            self.excuses.join(other.excuses)

    def stands(self, settled: int) -> bool:
        """Whether a breach can be excused by nothing that may still become known, all being known until `settled`."""
        broken_at, unless = self.excuses.broken_at, self.demand.unless
        told = broken_at is not None and broken_at <= settled and unless.names <= PROMPT
        return self.failed and (told or not unless)

    def exists(self, fact: Fact) -> None:
        """Take note of a fact within the scope, before or after the trigger, for what must stand there."""
        for matcher in list(self._existing):
            answer = matcher(fact, self.trigger)
            if answer:
                self._existing.remove(matcher)
                self._show(fact)
            elif answer is None:
                self._open_doubt = self._open_doubt or doubt(self.trigger, self.demand.duty, fact)
            self.touched = self.touched or answer is not False

    def feed(self, fact: Fact) -> None:
        """Take note of a fact that happened after the trigger."""
        if self.closed or fact.at <= self.trigger.at or fact.id == self.trigger.id:
            return
        demand, trigger = self.demand, self.trigger
        if self._unruled:
            self._note_ruling(fact)
        if not self._probed and demand.probed(fact, trigger):
            self._probed = True
            self._show(fact)
        if not (self._step < len(demand.response) and self._respond(fact)):
            self._forbid(fact)
        if not self._free and (demand.until(fact, trigger) if demand.until else self.responded):
            self._free = self.touched = True

    def close(self, end: End) -> None:
        """The scope is over: what has not come by now has not come."""
        if self.closed:
            return
        self.closed = self.touched = True
        if end is End.OVERRIDDEN:
            self._superseded = not self.responded
        elif self.responded and self._existing and self.scope_forgotten:
            self.forgotten()
        elif (waits := end is End.HELD) or (end is End.SCENARIO and self.demand.requirement.scope == "open"):
            # Its moment had not come yet: neither was it done nor can it be said that it never would have been.
            if not (self.responded or self._missing):
                self._doubt = self._doubt or not_yet(self.trigger, self.demand.duty, "held" if waits else "open")
        elif not self.responded or self._existing:
            self._missing = self._missing or missing(self.trigger, self.demand.duty, end.value)

    def supersede(self) -> None:
        """Another clause had already taken over when this was triggered."""
        self.closed = self._idle = True

    def needs(self, lack: Telling) -> None:
        """The operator has not given an input, as `lack` says."""
        self._lack = self._lack or lack

    def forgotten(self) -> None:
        """Facts that matter are no longer remembered, so nothing can be shown to hold."""
        self._doubt = self._doubt or doubt(self.trigger, self.demand.duty)

    def result(self) -> tuple[Outcome, Telling]:
        """The outcome and what is to be said of it, as far as this obligation goes."""
        trigger, duty = self.trigger, self.demand.duty
        if self._idle:
            return Outcome.NOT_APPLICABLE, superseded(trigger)
        if self.failed and (exception := self.excuses.best) is not None:
            return Outcome.NOT_APPLICABLE, excused(trigger, exception)
        if self._against:
            return Outcome.FAIL, self._against
        if self._superseded and not self._missing:
            return Outcome.NOT_APPLICABLE, superseded(trigger)
        if self._lack:
            return Outcome.NEEDS_OPERATOR_INPUT, self._lack
        if self._unruled and self._missing is None:
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
        """The outcome, if nothing that may still come can change it, short of a corrected trigger; otherwise None."""
        needs = self.demand
        complete = self.responded and self._probed and not (self._existing or self._open_doubt or self._unruled)
        unwatched = not needs.absence and (self._free or not needs.requirement.not_succession)
        if complete and unwatched and not self.failed:
            self.closed = True
        if not (self.closed or (self.failed and self.round_over)):
            return None
        outcome = self.result()[0]
        return None if (self.excusable and self.failed) or outcome is Outcome.NOT_APPLICABLE else outcome

    def alike(self) -> tuple[Hashable, ...] | None:
        """A key that this obligation shares with earlier ones of its requirement which stand for it from here on.

        None while something may still come that tells them apart. What is only watched for, being forbidden, breaks
        the earliest of them if it breaks any; what excuses those of one scope is known to all of them. Of those that
        wait for the same (their key begins with `waiting`) the latest has to stay too: what answers it answers all.
        """
        bound = tuple(self.trigger.attributes[name] for name in self.demand.bound)
        if self._idle or (self._superseded and not self.failed):
            return ("superseded", self.names) if self.round_over else None
        if self.failed:
            ended = self.closed or self.round_over
            scope = (-1 if self.demand.whole_scenario else self.excuses.begins, self.excuses.broken_at is None)
            return ("failed", self.result()[0], bound, self.names, *scope) if ended and self.demand.unless else None
        if self.closed:
            return None
        doubts = (self._doubt is None, self._open_doubt is None, self._lack is None)
        state = (self._step, self._free, self._probed, doubts, bound, self.names)
        if not self.responded or self._existing or self._unruled or not self._probed:
            return ("waiting", *state, tuple(self._unruled), tuple(map(id, self._existing)))
        return ("watching", *state)

    def passed(self, times: int) -> Telling:
        """What is to be said of a requirement that was met at each of `times` triggers."""
        return passed(self.trigger, self.demand.duty, self._shown, times, held=bool(self.demand.holds))

    def _respond(self, fact: Fact) -> bool:
        demand, trigger = self.demand, self.trigger
        answer = demand.response[self._step](fact, trigger)
        if answer is not False:
            self.touched = True
        if answer:
            self._step += 1
            self._open_doubt = None
            if not self._missing:
                self._show(fact)
            return True
        if answer is None:
            self._open_doubt = self._open_doubt or doubt(trigger, demand.duty, fact)
            return False
        overdue = demand.before(fact, trigger)
        if overdue is not False:
            self.touched = True
        if overdue is None or (overdue and self._open_doubt):
            self._doubt = self._doubt or self._open_doubt or doubt(trigger, demand.duty, fact)
        elif overdue and not self._missing:
            self._missing = late(trigger, fact, demand.duty)
            self.excuses.broken(fact.at)
            self._take(fact)
        return False

    def _forbid(self, fact: Fact) -> None:
        demand = self.demand
        answer = (demand.absence if self._free else demand.forbidden)(fact, self.trigger)
        if answer is not False:
            self.touched = True
        if answer:
            self.excuses.broken(fact.at)
        if answer and self._against is None:
            self._against = breach(self.trigger, fact, demand.duty)
            self._take(fact)
        elif answer is None:
            self._doubt = self._doubt or doubt(self.trigger, demand.duty, fact)

    def _note_ruling(self, fact: Fact) -> None:
        if fact.name == "floor_ruled" and fact.attributes["question"] in self._unruled:
            about = fact.attributes["position"]
            if about in ("", self.trigger.attributes.get("position", about)):
                self._unruled = [question for question in self._unruled if question != fact.attributes["question"]]
                self.touched = True
                self._take(fact)

    def _show(self, fact: Fact) -> None:
        self.touched = True
        self._shown.append(fact)
        self._take(fact)

    def _take(self, fact: Fact) -> None:
        room = MOST_EVIDENCE - len(self.evidence)
        self.evidence.extend([seq for seq in fact.evidence if seq not in self.evidence][:room])
