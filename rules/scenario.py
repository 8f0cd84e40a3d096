"""Judges one attempt at one scenario: records become facts, the clauses follow the facts, verdicts come at the end."""

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

import msgspec

from evidence.events import Record, ScenarioStarted
from rules.doubts import Doubts, damaged
from rules.facts.machine import FactMachine
from rules.monitor import ClauseMonitor, Past, Result
from rules.pack import Clause, Pack
from rules.sentences import NOTHING, SWITCHED_OFF, no_role, no_verdict
from rules.speech import Telling, reasons
from rules.verdicts import Outcome, Verdict, gravest
from rules.vocabulary import Fact
from rules.wording import clip

P = ParamSpec("P")
T = TypeVar("T")

MOST_EVIDENCE = 100


class ScenarioJudge:
    """Takes the records of one scenario. Nothing in here may raise: what goes wrong makes clauses inconclusive."""

    def __init__(
        self, scenario: str, pack: Pack, policies: dict[str, str], covers: Sequence[str], language: str
    ) -> None:
        self._scenario = scenario
        self._language = language
        self._pack = pack
        self._policies = policies
        self._doubts = Doubts(covers)
        self._machine = FactMachine(pack.game)
        self._past = Past()
        self._monitors = {
            clause.id: ClauseMonitor(clause, pack.game, policies, self._past, self._machine.inputs)
            for clause in pack.clauses
        }
        self._damage: Telling | None = None
        self._shown_before: dict[str, Result] = {}
        """Failures that were shown before the journal was damaged, by clause; they stand."""

    def damage(self, before: int, after: int) -> None:
        """The journal does not go on where it should."""
        if not self._damage:
            self._damage = damaged(before, after)
            found = {clause: self._guarded(clause, one.firm_failure) for clause, one in self._monitors.items()}
            self._shown_before = {clause: result for clause, result in found.items() if result}

    def doubt(self, why: Telling | None) -> None:
        """Something outside this scenario keeps it from showing that anything holds; what it shows broken is broken."""
        self._doubts.outside(why)

    def feed(self, record: Record) -> None:
        """Take the next record."""
        self._doubts.note(record)
        facts = self._guarded("", lambda: self._machine.feed(record)) or []
        for fact in facts:
            self._past.add(fact)
            self._spread(fact)

    def verdicts(self) -> list[Verdict]:
        """The verdicts; call it once, after the last record."""
        for monitor in self._monitors.values():
            if self._doubts.completed:
                self._guarded(monitor.clause.id, monitor.finish)
        return [self._verdict(monitor) for monitor in self._monitors.values()]

    def _spread(self, fact: Fact) -> None:
        overridden: list[str] = []
        for clause, monitor in self._monitors.items():
            if fact.name not in monitor.watched:
                continue
            overridden += self._guarded(clause, monitor.feed, fact) or []
        for clause in dict.fromkeys(overridden):
            self._guarded(clause, self._monitors[clause].supersede, fact)

    def _guarded(self, clause: str, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return act(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whatever it is, the clause is then inconclusive
            self._doubts.error(clause, error)
            return None

    def _verdict(self, monitor: ClauseMonitor) -> Verdict:
        clause = monitor.clause
        results = self._guarded(clause.id, monitor.results) or []
        result = _union(results) if results else Result(outcome=Outcome.NOT_TRIGGERED, telling=NOTHING)
        if clause.role and clause.role not in self._machine.roles.values():
            result = Result(outcome=Outcome.NOT_APPLICABLE, telling=no_role(clause.role))
        elif not monitor.requirements:
            result = Result(outcome=Outcome.NOT_APPLICABLE, telling=SWITCHED_OFF)
        undoubted, result = result, self._with_doubts(clause, result)
        each = _each(monitor, results, result, doubted=result is not undoubted)
        told = reasons(result.telling)
        return Verdict(
            scenario=self._scenario,
            pack=self._pack.id,
            clause=clause.id,
            verdict=result.outcome,
            reason=told[self._language],
            reasons=told,
            evidence=list(result.evidence),
            policies={policy: self._policies[policy] for policy in clause.policies},
            requirement=result.requirement,
            requirements=each,
            alternatives=self._guarded(clause.id, monitor.alternatives, result.outcome) or [],
            trigger=result.trigger,
        )

    def _with_doubts(self, clause: Clause, result: Result) -> Result:
        """What shakes the whole scenario makes every verdict inconclusive, but for breaches that stand all the same."""
        if erred := self._doubts.erred(clause.id):
            return _inconclusive(result, erred)
        if self._damage:
            return self._shown_before.get(clause.id) or _inconclusive(result, self._damage)
        doubt = self._doubts.about(clause.id, failed=result.outcome is Outcome.FAIL)
        return _inconclusive(result, doubt) if doubt else result


def _each(monitor: ClauseMonitor, results: Sequence[Result], decided: Result, *, doubted: bool) -> dict[str, Outcome]:
    """What came of each requirement. None passes or fails where a doubt or the table decided about the whole clause."""
    names = [one.id for one in monitor.requirements]
    if decided.outcome is Outcome.NOT_APPLICABLE and not decided.requirement:
        return dict.fromkeys(names, Outcome.NOT_APPLICABLE)
    if doubted:
        return {name: Outcome.INCONCLUSIVE if name != decided.requirement else decided.outcome for name in names}
    # A trigger that may have happened belongs to any of them.
    unsure = [one.outcome for one in results if not one.requirement]
    return {name: gravest([*unsure, *(one.outcome for one in results if one.requirement == name)]) for name in names}


def _union(results: Sequence[Result]) -> Result:
    """The first result; a pass rests on the evidence of all requirements that passed."""
    first = results[0]
    if first.outcome is not Outcome.PASS:
        return first
    evidence = sorted({seq for one in results if one.outcome is Outcome.PASS for seq in one.evidence})
    return msgspec.structs.replace(first, evidence=tuple(evidence[:MOST_EVIDENCE]))


def unknown_pack(scenario: str, event: ScenarioStarted, pack: str, seq: int, language: str) -> list[Verdict]:
    """Verdicts for a scenario of which this pack was not given to the judge."""
    told = reasons(Telling("unknown_pack", values={"pack": clip(pack), "record": seq}))
    others = tuple(f"{other}." for other in event.also if other != pack)
    mine = (f"{pack}.",) if pack != event.pack else ("",)
    named = [name for name in event.covers if name.startswith(mine) and not name.startswith(others)]
    clauses = list(dict.fromkeys(name.partition(":")[0] for name in named)) or [""]
    return [
        Verdict(
            scenario=scenario,
            pack=pack,
            clause=clause,
            verdict=Outcome.INCONCLUSIVE,
            reason=told[language],
            reasons=told,
            evidence=[seq],
        )
        for clause in clauses
    ]


def _inconclusive(result: Result, why: Telling) -> Result:
    return msgspec.structs.replace(result, outcome=Outcome.INCONCLUSIVE, telling=no_verdict(why))
