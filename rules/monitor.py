"""Judges one clause in one scenario: opens obligations on its triggers and keeps what came of them."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from rules.obligation import End, Obligation
from rules.pack import Clause, Game, Pattern, Requirement, chosen
from rules.patterns import any_matches, meets
from rules.sentences import lacking, unsure_trigger
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


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one or more obligations of one requirement."""

    outcome: Outcome
    reason: str
    requirement: str = ""
    evidence: tuple[int, ...] = ()
    trigger: int | None = None
    happened: bool = False
    """A breach that happened, as opposed to something that never came."""


class Past:
    """The facts of a scenario, the latest of them in full; enough to judge a trigger that becomes known late."""

    LIMIT = 5000

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.forgotten_until = -1
        """Facts that happened up to this record may have been forgotten."""

    def add(self, fact: Fact) -> None:
        self.facts.append(fact)
        if len(self.facts) > self.LIMIT:
            half = self.LIMIT // 2
            self.forgotten_until = max(one.seq for one in self.facts[:half])
            del self.facts[:half]

    def round_of(self, at: int) -> int:
        """Record at which the round opened that `at` falls into; -1 before the first."""
        return max((fact.at for fact in self.facts if fact.name == "round_opened" and fact.at <= at), default=-1)


class ClauseMonitor:
    """Follows one clause. `feed` takes facts in the order in which they become known."""

    def __init__(
        self, clause: Clause, game: Game, policies: Mapping[str, str], past: Past, inputs: Mapping[str, str]
    ) -> None:
        self.clause = clause
        self.triggered: dict[int, set[str]] = {}
        """Alternatives triggered, by the id of the trigger."""
        self.requirements = [one for one in (_in_force(raw, policies) for raw in clause.requirements) if one]
        self._alternatives = [one for one in clause.alternatives if chosen(one.when, policies)]
        self._game = game
        self._past = past
        self._inputs = inputs
        self._live: list[Obligation] = []
        self._kept: dict[str, tuple[Obligation, int]] = {}
        """The first obligation met, with how many were, by requirement."""
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
            if answer is None:
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
            Result(outcome=Outcome.INCONCLUSIVE, reason=unsure_trigger(fact), evidence=fact.evidence, trigger=fact.at)
            for fact in self._unsure.values()
        ]
        met = {one.requirement for one in found if one.outcome is Outcome.PASS}
        found = [one for one in found if one.outcome is not Outcome.NOT_APPLICABLE or one.requirement not in met]
        order = {one.id: n for n, one in enumerate(self.requirements)}
        return sorted(
            found, key=lambda one: (WEIGHT.index(one.outcome), not one.happened, order.get(one.requirement, -1))
        )

    def alternatives(self) -> list[str]:
        """The alternatives triggered, in the order of the pack."""
        seen = {name for names in self.triggered.values() for name in names}
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
        for fact in past.facts:
            if superseded is not None and fact.at > superseded:
                obligation.close(End.OVERRIDDEN)
            in_scope = requirement.scope == "scenario" or fact.at >= opened
            self._follow(obligation, fact, in_scope=in_scope)
        if superseded is not None:
            obligation.close(End.OVERRIDDEN)

    def _follow(self, obligation: Obligation, fact: Fact, *, in_scope: bool = True) -> None:
        obligation.feed(fact, in_scope=in_scope)
        ends = fact.name in ("round_closed", "round_opened") and fact.at > obligation.trigger.at
        if ends and obligation.requirement.scope == "round":
            obligation.close(End.ROUND)

    def _note_alternatives(self, trigger: Fact) -> None:
        names = self.triggered.setdefault(trigger.id, set())
        for one in self._alternatives:
            known = all(condition.attribute in trigger.attributes for condition in one.where)
            if known and meets(one.where, trigger, trigger, self._game):
                names.add(one.id)

    def _retract(self, trigger: int) -> None:
        self._live = [one for one in self._live if one.trigger.id != trigger]
        self._unsure.pop(trigger, None)
        self.triggered.pop(trigger, None)

    def _fold(self) -> None:
        """Forget obligations that are met and can no longer change; of them the first stands for all."""
        live: list[Obligation] = []
        for one in self._live:
            settled = one.closed and not one.trigger.amendable
            if settled and one.result()[0] is Outcome.PASS:
                first, times = self._kept.get(one.requirement.id, (one, 0))
                self._kept[one.requirement.id] = (first, times + 1)
            else:
                live.append(one)
        self._live = live
        if len(self.triggered) > Past.LIMIT:
            self.triggered = {-1: {name for names in self.triggered.values() for name in names}}

    def _result(self, one: Obligation, times: int) -> Result:
        outcome, reason = one.result()
        return Result(
            outcome=outcome,
            reason=one.passed(times) if outcome is Outcome.PASS else reason,
            requirement=one.requirement.id,
            evidence=tuple(sorted(one.evidence)),
            trigger=one.trigger.at,
            happened=one.happened,
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
    """The facts that count for the precedence, and whether they are all there."""
    earlier = [fact for fact in past.facts if fact.at < trigger.at]
    for n in range(len(earlier) - 1, -1, -1):
        if any_matches(requirement.since, earlier[n], trigger, game):
            return earlier[n + 1 :], True
    return earlier, past.forgotten_until < 0
