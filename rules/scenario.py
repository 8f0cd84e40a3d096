"""Judges one attempt at one scenario: records become facts, the clauses follow the facts, verdicts come at the end."""

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

import msgspec

from evidence.events import (
    DeviceIdentity,
    FaultArmed,
    FaultProven,
    FaultUnproven,
    Record,
    ScenarioFinished,
    ScenarioStarted,
)
from rules.facts.machine import FactMachine
from rules.monitor import ClauseMonitor, Past, Result
from rules.pack import Clause, Pack
from rules.verdicts import Outcome, Verdict, gravest
from rules.vocabulary import Fact
from rules.wording import clip

P = ParamSpec("P")
T = TypeVar("T")

MOST_EVIDENCE = 100
MAX_DETAIL = 400
"""Characters of a rig's own words that a reason repeats."""
NOTHING = "Nothing happened in this scenario that the clause speaks of."


class ScenarioJudge:
    """Takes the records of one scenario. Nothing in here may raise: what goes wrong makes clauses inconclusive."""

    def __init__(self, scenario: str, pack: Pack, policies: dict[str, str], covers: Sequence[str]) -> None:
        self._scenario = scenario
        self._pack = pack
        self._policies = policies
        self._covers = {name.partition(":")[0] for name in covers}
        self._machine = FactMachine(pack.game)
        self._past = Past()
        self._monitors = {
            clause.id: ClauseMonitor(clause, pack.game, policies, self._past, self._machine.inputs)
            for clause in pack.clauses
        }
        self._armed: dict[tuple[str, str], int] = {}
        self._unproven = ""
        self._doubt = ""
        self._damage = ""
        self._shown_before: dict[str, Result] = {}
        """Failures that were shown before the journal was damaged, by clause; they stand."""
        self._finished: ScenarioFinished | None = None
        self._trouble: dict[str, str] = {}
        """Clauses that could not be judged, with what went wrong; the key `` stands for all."""

    def damage(self, before: int, after: int) -> None:
        """The journal does not go on where it should."""
        if not self._damage:
            self._damage = f"the journal does not hold together between records {before} and {after}"
            found = {clause: self._guarded(clause, one.firm_failure) for clause, one in self._monitors.items()}
            self._shown_before = {clause: result for clause, result in found.items() if result}

    def doubt(self, why: str) -> None:
        """Something outside this scenario keeps it from showing that anything holds; what it shows broken is broken."""
        self._doubt = self._doubt or why

    def feed(self, record: Record) -> None:
        """Take the next record."""
        event = record.event
        match event:
            case ScenarioFinished():
                self._finished = event
            case FaultArmed():
                key = (event.fault, event.target)
                self._armed[key] = self._armed.get(key, 0) + 1
            case FaultProven():
                self._disarm(event.fault, event.target)
            case FaultUnproven():
                self._disarm(event.fault, event.target)
                self._unproven = self._unproven or (
                    f"the fault {event.fault} was not shown to have happened (record {record.seq}): {event.reason}"
                )
            case _:
                pass
        facts = self._guarded("", lambda: self._machine.feed(record)) or []
        for fact in facts:
            self._past.add(fact)
            self._spread(fact)

    def verdicts(self) -> list[Verdict]:
        """The verdicts; call it once, after the last record."""
        for monitor in self._monitors.values():
            if self._finished is not None and self._finished.status == "completed":
                self._guarded(monitor.clause.id, monitor.finish)
        return [self._verdict(monitor) for monitor in self._monitors.values()]

    def _disarm(self, fault: str, target: str) -> None:
        left = self._armed.get((fault, target), 0) - 1
        if left > 0:
            self._armed[fault, target] = left
        else:
            self._armed.pop((fault, target), None)

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
            self._trouble.setdefault(clause, f"{type(error).__name__}: {error}")
            return None

    def _verdict(self, monitor: ClauseMonitor) -> Verdict:
        clause = monitor.clause
        results = self._guarded(clause.id, monitor.results) or []
        result = _union(results) if results else Result(outcome=Outcome.NOT_TRIGGERED, reason=NOTHING)
        if clause.role and clause.role not in self._machine.roles.values():
            why = f"No {clause.role} stands at this table, so the clause does not concern it."
            result = Result(outcome=Outcome.NOT_APPLICABLE, reason=why)
        elif not monitor.requirements:
            why = "The chosen policies leave this clause nothing to require."
            result = Result(outcome=Outcome.NOT_APPLICABLE, reason=why)
        undoubted, result = result, self._with_doubts(clause, result)
        each = _each(monitor, results, result, doubted=result is not undoubted)
        return Verdict(
            scenario=self._scenario,
            pack=self._pack.id,
            clause=clause.id,
            verdict=result.outcome,
            reason=result.reason,
            evidence=list(result.evidence),
            policies={policy: self._policies[policy] for policy in clause.policies},
            requirement=result.requirement,
            requirements=each,
            alternatives=self._guarded(clause.id, monitor.alternatives, result.outcome) or [],
            trigger=result.trigger,
        )

    def _with_doubts(self, clause: Clause, result: Result) -> Result:
        """What shakes the whole scenario makes every verdict inconclusive, but for breaches that stand all the same."""
        failed = result.outcome is Outcome.FAIL
        for key in ("", clause.id):
            if key in self._trouble:
                return _inconclusive(result, f"judging met an error: {self._trouble[key]}")
        if self._damage:
            return self._shown_before.get(clause.id) or _inconclusive(result, self._damage)
        if self._doubt and not failed:
            return _inconclusive(result, self._doubt)
        unproven = self._unproven or "".join(
            f"the fault {fault} was armed and never shown to have happened" for fault, _ in list(self._armed)[:1]
        )
        if unproven and (clause.id in self._covers or not failed):
            return _inconclusive(result, unproven)
        if not failed and (self._finished is None or self._finished.status != "completed"):
            why = "it has no end in the journal" if self._finished is None else f"it ended as {self._finished.status}"
            if self._finished is not None and self._finished.detail:
                why += f" ({self._finished.detail[:MAX_DETAIL]})"
            return _inconclusive(result, f"the scenario was not completed: {why}")
        return result


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


def another_device(before: DeviceIdentity, now: DeviceIdentity, seq: int) -> str:
    """Why a scenario shows nothing when its device is not the one that the run began with; empty when it is.

    How a device is set, such as the size of its groups, may differ from game to game.
    """
    parts = ("maker", "model", "serial", "firmware", "firmware_sha256")
    changed = [part for part in parts if getattr(before, part) != getattr(now, part)]
    if not changed:
        return ""
    was, says = (clip(str(getattr(one, changed[0]))) for one in (before, now))
    return (
        f"one run certifies one device, and {clip(now.device)!r} is not the one that it began with: "
        f"its {changed[0]} was {was!r} and is {says!r} (record {seq})"
    )


def unknown_pack(scenario: str, event: ScenarioStarted, pack: str, seq: int) -> list[Verdict]:
    """Verdicts for a scenario of which this pack was not given to the judge."""
    why = f"The clause pack {pack!r}, which record {seq} names, was not given to the judge."
    others = tuple(f"{other}." for other in event.also if other != pack)
    mine = (f"{pack}.",) if pack != event.pack else ("",)
    named = [name for name in event.covers if name.startswith(mine) and not name.startswith(others)]
    clauses = list(dict.fromkeys(name.partition(":")[0] for name in named)) or [""]
    return [
        Verdict(scenario=scenario, pack=pack, clause=clause, verdict=Outcome.INCONCLUSIVE, reason=why, evidence=[seq])
        for clause in clauses
    ]


def _inconclusive(result: Result, why: str) -> Result:
    reason = f"No verdict, because {why.rstrip('.')}."
    return msgspec.structs.replace(result, outcome=Outcome.INCONCLUSIVE, reason=reason)
