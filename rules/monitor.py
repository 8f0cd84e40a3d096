"""Judges one clause in one scenario: opens obligations on its triggers and keeps what came of them."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from rules.obligation import End, Obligation
from rules.pack import Clause, Game, Pattern, Requirement, chosen
from rules.patterns import any_matches, meets
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


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one or more obligations of one requirement."""

    outcome: Outcome
    telling: Telling
    requirement: str = ""
    evidence: tuple[int, ...] = ()
    trigger: int | None = None


class Past:
    """The facts of a scenario, the latest of them in full; enough to judge a trigger that becomes known late."""

    LIMIT = 5000

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        """In the order in which they became known."""
        self._rounds: list[int] = []
        self.forgotten_until = -1
        """Facts that happened up to this record may have been forgotten."""

    def add(self, fact: Fact) -> None:
        """Remember a fact; of more than `LIMIT` the older half is forgotten."""
        self.facts.append(fact)
        if fact.name == "round_opened":
            insort(self._rounds, fact.at)
            del self._rounds[: -self.LIMIT]
        if len(self.facts) > self.LIMIT:
            half = self.LIMIT // 2
            self.forgotten_until = max(one.seq for one in self.facts[:half])
            del self.facts[:half]

    def round_of(self, at: int) -> int:
        """Record at which the round opened that `at` falls into; -1 before the first."""
        nth = bisect_right(self._rounds, at)
        return self._rounds[nth - 1] if nth else -1

    def known_after(self, at: int) -> list[Fact]:
        """The facts that became known after record `at`; whatever happened after it is among them."""
        return self.facts[bisect_right(self.facts, at, key=lambda fact: fact.seq) :]


class ClauseMonitor:
    """Follows one clause. `feed` takes facts in the order in which they become known."""

    def __init__(
        self, clause: Clause, game: Game, policies: Mapping[str, str], past: Past, inputs: Mapping[str, str]
    ) -> None:
        self.clause = clause
        self._triggered: dict[int, set[str]] = {}
        """Alternatives triggered, by the id of the trigger."""
        self.requirements = [one for one in (_in_force(raw, policies) for raw in clause.requirements) if one]
        self.watched = {"round_opened", "round_closed"}
        """Names of the facts that can change anything here."""
        for requirement in self.requirements:
            self.watched |= {pattern.fact for pattern in requirement.patterns()}
            self.watched |= {"floor_ruled"} if requirement.needs_ruling else set()
        self._alternatives = [one for one in clause.alternatives if chosen(one.when, policies)]
        self._game = game
        self._past = past
        self._inputs = inputs
        self._live: list[Obligation] = []
        self._kept: dict[tuple[str, Outcome], tuple[Obligation, int]] = {}
        """Of the obligations that can no longer change: the first, and how many, by requirement and outcome."""
        self._unsure: dict[int, Fact] = {}
        self._superseded: dict[int, int] = {}
        """Rounds (by the record they opened at) in which another clause took over, and when."""

    def feed(self, fact: Fact) -> list[str]:
        """Take note of a fact, which the past already holds. Returns the clauses that are overridden from here on."""
        if fact.revision:
            self._retract(fact.id)
        for obligation in self._live:
            self._follow(obligation, fact)
        overridden: list[str] = []
        for requirement in self.requirements:
            answer = any_matches(requirement.trigger, fact, None, self._game)
            if answer is None and (fact.amendable or len(self._unsure) < FEW):
                self._unsure[fact.id] = fact
            elif answer:
                self._open(requirement, fact)
                overridden.extend(requirement.overrides)
        self._fold()
        return overridden

    def supersede(self, fact: Fact) -> None:
        """Another clause, triggered by `fact`, goes before this one for the rest of the round."""
        opened = self._past.round_of(fact.at)
        self._superseded[opened] = min(fact.at, self._superseded.get(opened, fact.at))
        touched = [one for one in self._live if self._past.round_of(one.trigger.at) == opened]
        self._live = [one for one in self._live if one not in touched]
        for one in touched:
            self._open(one.requirement, one.trigger)
        self._fold()

    def finish(self) -> None:
        """The scenario is over."""
        for obligation in self._live:
            obligation.close(End.SCENARIO)

    def results(self) -> list[Result]:
        """What came of everything so far, the deciding result first.

        An excused requirement keeps the clause from passing unless it was also met at another trigger: nothing counts
        as passed that was not shown to hold.
        """
        found = [self._result(one, 1) for one in self._live]
        found += [self._result(one, times) for one, times in self._kept.values()]
        found += [
            Result(outcome=Outcome.INCONCLUSIVE, telling=unsure_trigger(fact), evidence=fact.evidence, trigger=fact.at)
            for fact in self._unsure.values()
        ]
        met = {one.requirement for one in found if one.outcome is Outcome.PASS}
        found = [one for one in found if one.outcome is not Outcome.NOT_APPLICABLE or one.requirement not in met]
        order = {one.id: n for n, one in enumerate(self.requirements)}
        return sorted(found, key=lambda one: (WEIGHT.index(one.outcome), order.get(one.requirement, -1)))

    def firm_failure(self) -> Result | None:
        """A failure that no record still to come could excuse or correct."""
        kept = [one for one, _ in self._kept.values()]
        failed = [one for one in (*kept, *self._live) if one.failed and one.result()[0] is Outcome.FAIL]
        firm = [one for one in failed if not (one.requirement.unless or one.trigger.amendable)]
        return self._result(firm[0], 1) if firm else None

    def alternatives(self, outcome: Outcome) -> list[str]:
        """The alternatives triggered, in the order of the pack; for a pass, without triggers that were excused."""
        excused = {one.trigger.id for one in self._live if one.result()[0] is Outcome.NOT_APPLICABLE}
        left_out = excused if outcome is Outcome.PASS else frozenset()
        seen = {name for trigger, names in self._triggered.items() if trigger not in left_out for name in names}
        return [one.id for one in self._alternatives if one.id in seen]

    def _open(self, requirement: Requirement, trigger: Fact) -> None:
        past = self._past
        self._note_alternatives(trigger)
        obligation = Obligation(requirement, trigger, self._game)
        for name in requirement.needs_input:
            if not self._inputs.get(name):
                obligation.needs(lacking(trigger, name))
        self._live.append(obligation)
        opened = past.round_of(trigger.at)
        if requirement.precedence:
            earlier, complete = _since(requirement, trigger, past, self._game)
            obligation.look_back(earlier, complete=complete)
        superseded = self._superseded.get(opened)
        if superseded is not None and superseded <= trigger.at:
            obligation.supersede()
        if past.forgotten_until >= trigger.at:
            obligation.forgotten()
        # What came before the trigger can matter only as an exception or for existence.
        whole = requirement.unless or requirement.existence
        for fact in past.facts if whole else past.known_after(trigger.at):
            if superseded is not None and fact.at > superseded:
                obligation.close(End.OVERRIDDEN)
            in_scope = requirement.scope == "scenario" or fact.at >= opened
            self._follow(obligation, fact, in_scope=in_scope)
        if superseded is not None:
            obligation.close(End.OVERRIDDEN)

    def _follow(self, obligation: Obligation, fact: Fact, *, in_scope: bool = True) -> None:
        obligation.feed(fact, in_scope=in_scope)
        ends = fact.name in ("round_closed", "round_opened") and fact.at > obligation.trigger.at
        if ends:
            obligation.round_over = True
            if obligation.requirement.scope == "round":
                obligation.close(End.ROUND)

    def _note_alternatives(self, trigger: Fact) -> None:
        names = self._triggered.setdefault(trigger.id, set())
        for one in self._alternatives:
            known = all(condition.attribute in trigger.attributes for condition in one.where)
            if known and meets(one.where, trigger, trigger, self._game):
                names.add(one.id)

    def _retract(self, trigger: int) -> None:
        self._live = [one for one in self._live if one.trigger.id != trigger]
        self._unsure.pop(trigger, None)
        self._triggered.pop(trigger, None)

    def _fold(self) -> None:
        """Forget obligations that can no longer change; the first of a kind stands for all of it."""
        live: list[Obligation] = []
        for one in self._live:
            outcome = one.settled()
            if outcome is None:
                live.append(one)
            else:
                key = (one.requirement.id, outcome)
                first, times = self._kept.get(key, (one, 0))
                self._kept[key] = (first, times + 1)
        self._live = live
        if len(self._triggered) > Past.LIMIT:
            self._triggered = {-1: {name for names in self._triggered.values() for name in names}}

    def _result(self, one: Obligation, times: int) -> Result:
        outcome, telling = one.result()
        return Result(
            outcome=outcome,
            telling=one.passed(times) if outcome is Outcome.PASS else telling,
            requirement=one.requirement.id,
            evidence=tuple(sorted(one.evidence)),
            trigger=one.trigger.at,
        )


def _in_force(raw: Requirement, policies: Mapping[str, str]) -> Requirement | None:
    """The requirement with the patterns that the policies leave in force, or None when it is switched off."""

    def keep(patterns: Iterable[Pattern]) -> tuple[Pattern, ...]:
        return tuple(one for one in patterns if chosen(one.when, policies))

    if not chosen(raw.when, policies) or not (trigger := keep(raw.trigger)):
        return None
    return msgspec.structs.replace(
        raw,
        trigger=trigger,
        precedence=tuple(step for step in map(keep, raw.precedence) if step),
        since=keep(raw.since),
        response=tuple(step for step in map(keep, raw.response) if step),
        before=keep(raw.before),
        absence=keep(raw.absence),
        not_succession=keep(raw.not_succession),
        until=keep(raw.until),
        existence=keep(raw.existence),
        unless=keep(raw.unless),
        probed=keep(raw.probed),
    )


def _since(requirement: Requirement, trigger: Fact, past: Past, game: Game) -> tuple[Sequence[Fact], bool]:
    """The facts that count for the precedence, oldest first, and whether they are all there."""
    counting: list[Fact] = []
    for fact in reversed(past.facts):
        if fact.at < trigger.at:
            if any_matches(requirement.since, fact, trigger, game):
                return counting[::-1], True
            counting.append(fact)
    return counting[::-1], past.forgotten_until < 0
