"""Judges one clause in one scenario: opens obligations on its triggers and keeps what came of them."""

from collections.abc import Hashable, Iterator, Mapping

import msgspec

from rules.demands import ALWAYS, ClauseRules, Demand
from rules.excuses import Exceptions
from rules.obligation import End, Obligation
from rules.past import Past
from rules.sentences import lacking, unsure_trigger
from rules.speech import Telling
from rules.verdicts import Outcome
from rules.vocabulary import Fact

WEIGHT = (
    Outcome.FAIL,
    Outcome.INCONCLUSIVE,
    Outcome.NEEDS_OPERATOR_INPUT,
    Outcome.NOT_APPLICABLE,
    Outcome.PASS,
)
"""Which result decides where the requirements of one clause differ."""

FEW = 10
"""Triggers in doubt that are kept; one is enough for there to be no verdict."""
MOST_ROUNDS = 1000
"""Latest rounds of which it is remembered that another clause took over."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one or more obligations of one requirement."""

    outcome: Outcome
    telling: Telling
    requirement: str = ""
    evidence: tuple[int, ...] = ()
    trigger: int | None = None


class ClauseMonitor:
    """Follows one clause. `feed` takes facts in the order in which they become known.

    Holds the obligations that are still open. Those that can no longer change are folded into the first of their kind.
    """

    def __init__(self, rules: ClauseRules, past: Past, inputs: Mapping[str, str]) -> None:
        self.rules = rules
        self.clause = rules.clause
        self._past = past
        self._inputs = inputs
        self.open: list[Obligation] = []
        """The obligations to which something may still come."""
        self._held: list[Obligation] = []
        """Those that are closed and may still be excused, overridden or corrected."""
        self._kept: dict[tuple[str, Outcome], Obligation] = {}
        """Of the obligations that can no longer change the first, by requirement and outcome."""
        self._unsure: dict[int, Fact] = {}
        self._triggers: dict[frozenset[str], int] = {}
        """How many triggers there were, by the alternatives that they are."""
        self._correctable: dict[int, tuple[int, frozenset[str]]] = {}
        """Record and alternatives of each trigger that may still be corrected, by its id."""
        self._exceptions = {one.id: Exceptions(past) for one in rules.demands if one.unless}
        self._superseded: dict[int, int] = {}
        """Rounds (by the record they opened at) in which another clause took over, and when."""
        self._horizon = past.forgotten_until

    def feed(self, fact: Fact) -> list[str]:
        """Take note of a fact, which the past already holds. Returns the clauses that are overridden from here on."""
        name, rules = fact.name, self.rules
        if fact.revision:
            self._retract(fact.id)
        for demand in rules.excused[name]:
            self._exceptions[demand.id].note(fact)
        moved = name in ALWAYS
        for one in self.open:
            if moved or name in one.demand.watched:
                self._follow(one, fact)
                moved = moved or one.touched
        for one in self._held if rules.excused[name] else ():
            one.excuse(fact)
            moved = moved or one.touched
        overridden: list[str] = []
        names: frozenset[str] | None = None
        for demand in rules.triggered[name]:
            answer = demand.trigger(fact)
            if answer:
                names = self._note_trigger(fact) if names is None else names
                self._open(demand, fact, names)
                overridden.extend(demand.requirement.overrides)
                moved = True
            elif answer is None and (fact.amendable or len(self._unsure) < FEW):
                self._unsure[fact.id] = fact
        if moved:
            self._fold()
        return overridden

    def supersede(self, fact: Fact) -> None:
        """Another clause, triggered by `fact`, goes before this one for the rest of the round."""
        opened = self._past.round_of(fact.at)
        self._superseded[opened] = min(fact.at, self._superseded.get(opened, fact.at))
        if len(self._superseded) > MOST_ROUNDS:
            del self._superseded[min(self._superseded)]
        touched = [one for one in self._live if self._past.round_of(one.trigger.at) == opened]
        self.open = [one for one in self.open if one not in touched]
        self._held = [one for one in self._held if one not in touched]
        for one in touched:
            self._open(one.demand, one.trigger, one.names, one.times)
        self._fold()

    @property
    def _live(self) -> list[Obligation]:
        """All that are not folded yet, the earliest trigger first."""
        return sorted([*self._held, *self.open], key=_began) if self._held else self.open

    def finish(self, *, held: bool = False) -> None:
        """The scenario is over; `held` if the table software was waiting for somebody to help."""
        for obligation in self.open:
            obligation.close(End.HELD if held else End.SCENARIO)

    def results(self) -> list[Result]:
        """What came of everything so far, the deciding result first.

        An excused requirement keeps the clause from passing unless it was also met at another trigger: nothing counts
        as passed that was not shown to hold.
        """
        if not (self._live or self._kept or self._unsure):
            return []
        found = [_result(*one) for one in self._outcomes()]
        found += [
            Result(outcome=Outcome.INCONCLUSIVE, telling=unsure_trigger(fact), evidence=fact.evidence, trigger=fact.at)
            for fact in self._unsure.values()
        ]
        met = {one.requirement for one in found if one.outcome is Outcome.PASS}
        found = [one for one in found if one.outcome is not Outcome.NOT_APPLICABLE or one.requirement not in met]
        order = {one.id: n for n, one in enumerate(self.rules.demands)}
        return sorted(found, key=lambda one: (WEIGHT.index(one.outcome), order.get(one.requirement, -1)))

    def firm_failure(self, settled: int) -> Result | None:
        """A failure that no record still to come could excuse or correct.

        `settled` is the record at which the latest order had been carried out.
        """
        for one in (*self._kept.values(), *self._live):
            firm = one.stands(settled) and not self._may_be_corrected(one.trigger)
            if firm and one.result()[0] is Outcome.FAIL:
                return _result(one, Outcome.FAIL, 1)
        return None

    def alternatives(self, outcome: Outcome) -> list[str]:
        """The alternatives triggered, in the order of the pack; for a pass, without triggers that were excused."""
        triggers = dict(self._triggers)
        if outcome is Outcome.PASS:
            excused = {one.trigger.id: one for one in self._live if one.result()[0] is Outcome.NOT_APPLICABLE}
            for one in excused.values():
                triggers[one.names] -= one.times
        seen = {name for names, count in triggers.items() if count > 0 for name in names}
        return [name for name, _, _ in self.rules.alternatives if name in seen]

    def _outcomes(self) -> Iterator[tuple[Obligation, Outcome, int]]:
        """For each requirement and outcome the obligation of the earliest trigger, and for how many it stands."""
        found: dict[tuple[str, Outcome], list[Obligation]] = {}
        for one in self._live:
            found.setdefault((one.demand.id, one.result()[0]), []).append(one)
        for key, one in self._kept.items():
            found.setdefault(key, []).append(one)
        for (_, outcome), group in found.items():
            yield min(group, key=_began), outcome, sum(one.times for one in group)

    def _open(self, demand: Demand, trigger: Fact, names: frozenset[str], times: int = 1) -> None:
        past = self._past
        obligation = Obligation(demand, trigger, names)
        obligation.times = times
        self.open.append(obligation)
        for name in demand.requirement.needs_input:
            if not self._inputs.get(name):
                obligation.needs(lacking(trigger, name))
        opened, end = past.round_of(trigger.at), past.round_end(trigger.at)
        if demand.unless:
            obligation.excuses.begins = opened
            obligation.excuses.ends = None if demand.whole_scenario else end
            for fact in self._exceptions[demand.id].of_round(opened, later=demand.whole_scenario):
                obligation.excuse(fact)
        if demand.precedence:
            earlier, complete = _since(demand, trigger, past)
            obligation.look_back(earlier, complete=complete)
        if past.forgotten_until >= trigger.at:
            obligation.forgotten()
        obligation.round_over = end is not None
        superseded = self._superseded.get(opened)
        until = None if demand.whole_scenario else end
        if superseded is not None and superseded <= trigger.at:
            obligation.supersede()
        elif superseded is not None:
            until = superseded if until is None else min(until, superseded)
        if demand.existence:
            start = 0 if demand.whole_scenario else opened
            obligation.scope_forgotten = past.forgotten_until >= start
            for fact in past.within(start, until):
                obligation.exists(fact)
        for fact in past.known_after(trigger.at):
            if until is None or fact.at <= until:
                obligation.feed(fact)
        if superseded is not None and superseded == until:
            obligation.close(End.OVERRIDDEN)
        elif until is not None:
            obligation.close(End.ROUND)

    def _follow(self, obligation: Obligation, fact: Fact) -> None:
        demand = obligation.demand
        if demand.unless:
            obligation.excuse(fact)
        if demand.existence:
            obligation.exists(fact)
        obligation.feed(fact)
        if fact.name in ALWAYS and fact.at > obligation.trigger.at:
            obligation.round_over = obligation.touched = True
            if not demand.whole_scenario:
                obligation.excuses.end(fact.at)
                obligation.close(End.ROUND)

    def _note_trigger(self, fact: Fact) -> frozenset[str]:
        names = self.rules.alternatives_of(fact)
        self._triggers[names] = self._triggers.get(names, 0) + 1
        if fact.amendable:
            self._correctable[fact.id] = (fact.at, names)
        return names

    def _retract(self, trigger: int) -> None:
        self.open = [one for one in self.open if one.trigger.id != trigger]
        self._held = [one for one in self._held if one.trigger.id != trigger]
        self._unsure.pop(trigger, None)
        _, names = self._correctable.pop(trigger, (0, None))
        if names is not None:
            self._triggers[names] -= 1

    def _fold(self) -> None:
        """Forget obligations that can no longer change, or for which an earlier one stands."""
        moved = self._horizon != self._past.forgotten_until
        if moved:
            self._move_horizon()
        kept: dict[int, Obligation] = {}
        alike: dict[tuple[str, Hashable], list[Obligation]] = {}
        current = self._past.latest_round
        for one in self._live:
            if not (one.touched or moved):
                kept[id(one)] = one
                if one.key is not None:
                    alike.setdefault((one.demand.id, one.key), []).append(one)
                continue
            one.touched = False
            one.round_over = one.round_over or self._past.round_end(one.trigger.at) is not None
            ends = one.excuses.ends
            one.excusable = bool(one.demand.unless) and (ends is None or ends > self._past.forgotten_until)
            outcome = one.settled()
            may_change = self._may_be_corrected(one.trigger)
            if (
                outcome is not None
                and not may_change
                and not (outcome is Outcome.FAIL and self._may_be_overridden(one))
            ):
                key = (one.demand.id, outcome)
                first = self._kept.setdefault(key, one)
                first.times += one.times if first is not one else 0
                continue
            one.key = None if may_change or not (one.round_over or not self.rules.overridable) else one.alike()
            kept[id(one)] = one
            if one.key is None:
                continue
            waits = one.key[0] == "waiting"
            if waits and one.trigger.at >= current:
                one.key = None  # what is dated before it may still become known
                continue
            others = alike.setdefault((one.demand.id, one.key), [])
            others.append(one)
            if len(others) > 1 + waits:
                gone = others.pop(1)
                others[0].join(gone)
                del kept[id(gone)]
        self.open = [one for one in kept.values() if not one.closed]
        self._held = [one for one in kept.values() if one.closed]

    def _may_be_corrected(self, trigger: Fact) -> bool:
        return trigger.amendable and trigger.at > self._past.forgotten_until

    def _may_be_overridden(self, one: Obligation) -> bool:
        """Whether it may still become known that another clause had taken over before this one was broken."""
        return self.rules.overridable and one.trigger.at > self._past.forgotten_until

    def _move_horizon(self) -> None:
        """What happened before the facts that are remembered is corrected no more."""
        self._horizon = self._past.forgotten_until
        self._correctable = {name: one for name, one in self._correctable.items() if one[0] > self._horizon}
        settled = [name for name, fact in self._unsure.items() if fact.at <= self._horizon]
        for name in settled[FEW:]:
            del self._unsure[name]


def _began(one: Obligation) -> int:
    return one.trigger.at


def _result(one: Obligation, outcome: Outcome, times: int) -> Result:
    return Result(
        outcome=outcome,
        telling=one.passed(times) if outcome is Outcome.PASS else one.result()[1],
        requirement=one.demand.id,
        evidence=tuple(sorted(one.evidence)),
        trigger=one.trigger.at,
    )


def _since(demand: Demand, trigger: Fact, past: Past) -> tuple[list[Fact], bool]:
    """The facts that count for the precedence, oldest first, and whether they are all there."""
    wanted = demand.since.names.union(*(step.names for step in demand.precedence))
    counting: list[Fact] = []
    for fact in past.before(trigger.at):
        if fact.name not in wanted:
            continue
        if demand.since(fact, trigger):
            return counting[::-1], True
        counting.append(fact)
    return counting[::-1], past.forgotten_until < 0
