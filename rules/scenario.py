"""Judges one attempt at one scenario by one pack: its clauses follow the facts, and verdicts come at the end."""

from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

import msgspec

from evidence.events import ScenarioStarted
from rules.demands import PackRules
from rules.doubts import Doubts, damaged
from rules.facts.machine import FactMachine
from rules.monitor import ClauseMonitor, Result
from rules.pack import Clause
from rules.past import Past
from rules.sentences import NOTHING, SWITCHED_OFF, no_role, no_verdict
from rules.speech import Telling, reasons
from rules.verdicts import Outcome, Verdict, gravest
from rules.vocabulary import Fact
from rules.wording import clip

P = ParamSpec("P")
T = TypeVar("T")

MOST_EVIDENCE = 100


class ScenarioJudge:
    """Takes the facts of one scenario. Nothing in here may raise: what goes wrong makes clauses inconclusive."""

    def __init__(
        self,
        scenario: str,
        rules: PackRules,
        covers: Iterable[str],
        machine: FactMachine,
        past: Past,
        language: str,
    ) -> None:
        self.doubts = Doubts(covers)
        self._scenario = scenario
        self._rules = rules
        self._language = language
        self._machine = machine
        self._monitors = [ClauseMonitor(clause, past, machine.inputs) for clause in rules.clauses]
        self._by_id = {monitor.clause.id: monitor for monitor in self._monitors}
        self._damage: Telling | None = None
        self._shown_before: dict[str, Result] = {}
        """Failures that were shown before the journal was damaged, by clause; they stand."""

    def damage(self, before: int, after: int) -> None:
        """The journal does not go on where it should."""
        if not self._damage:
            self._damage = damaged(before, after)
            settled = self._machine.settled
            found = {one.clause.id: self._guarded(one.clause.id, one.firm_failure, settled) for one in self._monitors}
            self._shown_before = {clause: result for clause, result in found.items() if result}

    def take(self, fact: Fact) -> None:
        """Take the next fact, which the past already holds."""
        monitors, starting = self._monitors, self._rules.starting(fact)
        following = [place for place in self._rules.following(fact) if monitors[place].open and place not in starting]
        overridden: list[str] = []
        for place in (*starting, *following):
            monitor = monitors[place]
            try:
                overridden += monitor.feed(fact)
            except Exception as error:  # noqa: BLE001 - whatever it is, the clause is then inconclusive
                self.doubts.error(monitor.clause.id, error)
        for clause in dict.fromkeys(overridden):
            self._guarded(clause, self._by_id[clause].supersede, fact)

    def verdicts(self) -> list[Verdict]:
        """The verdicts; call it once, after the last record."""
        for monitor in self._monitors:
            if self.doubts.completed:
                self._guarded(monitor.clause.id, monitor.finish, held=self._machine.held)
        return [self._verdict(monitor) for monitor in self._monitors]

    def _guarded(self, clause: str, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return act(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whatever it is, the clause is then inconclusive
            self.doubts.error(clause, error)
            return None

    def _verdict(self, monitor: ClauseMonitor) -> Verdict:
        clause, demands = monitor.clause, monitor.rules.demands
        results = self._guarded(clause.id, monitor.results) or []
        result = _union(results) if results else Result(outcome=Outcome.NOT_TRIGGERED, telling=NOTHING)
        if clause.role and clause.role not in self._machine.roles.values():
            result = Result(outcome=Outcome.NOT_APPLICABLE, telling=no_role(clause.role))
        elif not demands:
            result = Result(outcome=Outcome.NOT_APPLICABLE, telling=SWITCHED_OFF)
        undoubted, result = result, self._with_doubts(clause, result)
        if result.outcome is Outcome.NOT_TRIGGERED:
            each = monitor.rules.untouched
        else:
            each = _each([one.id for one in demands], results, result, doubted=result is not undoubted)
        told = reasons(result.telling)
        return Verdict(
            scenario=self._scenario,
            pack=self._rules.pack.id,
            clause=clause.id,
            verdict=result.outcome,
            reason=told[self._language],
            reasons=told,
            evidence=list(result.evidence),
            policies=monitor.rules.policies,
            requirement=result.requirement,
            requirements=each,
            alternatives=self._guarded(clause.id, monitor.alternatives, result.outcome) or [],
            trigger=result.trigger,
        )

    def _with_doubts(self, clause: Clause, result: Result) -> Result:
        """What shakes the whole scenario makes every verdict inconclusive, but for breaches that stand all the same."""
        if erred := self.doubts.erred(clause.id):
            return _inconclusive(result, erred)
        if self._damage:
            return self._shown_before.get(clause.id) or _inconclusive(result, self._damage)
        doubt = self.doubts.about(clause.id, failed=result.outcome is Outcome.FAIL)
        return _inconclusive(result, doubt) if doubt else result


def _each(names: Sequence[str], results: Sequence[Result], decided: Result, *, doubted: bool) -> dict[str, Outcome]:
    """What came of each requirement. None passes or fails where a doubt or the table decided about the whole clause."""
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
