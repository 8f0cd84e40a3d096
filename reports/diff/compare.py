"""What changed between two runs: clauses whose verdict is another one, and times that moved beyond their noise."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reports.outcomes import ClauseOutcome, outcomes_of
from reports.run_view import RunView
from reports.shape import mapping, mappings
from reports.timings import RESOLUTION_S, Measured, Quantity, timings
from rules.verdicts import Outcome

ABSENT = "ABSENT"
"""Stands for a verdict where a run knows nothing of a clause."""

FACTOR = 3.0
"""A median moved when it moved by more than this many standard uncertainties: by chance once in some 370 times."""
SCENARIOS_MIN = 3
"""Scenarios on either side below which nothing is said about a time: its noise cannot be told from so few."""

Direction = Literal["better", "worse", "other"]
# How well a verdict stands; what is not shown is no better than what was never triggered.
_STANDING = {Outcome.PASS: 2, Outcome.NOT_APPLICABLE: 2, Outcome.FAIL: 0}


@dataclass(frozen=True)
class Change:
    """One clause whose verdict is another one."""

    clause: str
    pack: str
    was: str
    now: str
    reason: str
    """Of the verdict that it has now; of the one that it had where it has none any more."""

    @property
    def direction(self) -> Direction:
        """Whether that is better or worse; `other` where neither can be said, such as PASS and NOT_APPLICABLE."""
        before, after = _standing(self.was), _standing(self.now)
        return "other" if before == after else "better" if after > before else "worse"


@dataclass(frozen=True)
class Moved:
    """One time that moved beyond its noise."""

    quantity: Quantity
    was: Measured
    now: Measured

    @property
    def by_s(self) -> float:
        """Seconds by which the median moved; positive when it takes longer now."""
        return self.now.median_s - self.was.median_s

    @property
    def limit_s(self) -> float:
        """How much it may move by noise alone."""
        return limit_s(self.was, self.now)


@dataclass(frozen=True)
class Side:
    """One of the two runs: what was tested, and with what result."""

    folder: str
    plan: str
    overall: str
    finished_utc: str
    devices: tuple[Mapping[str, Any], ...]
    software: Mapping[str, Any]
    packs: Mapping[str, str]
    policies: Mapping[str, str]
    defects: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """Two runs beside each other. `differences` is what else differs than the items: verdicts may differ by it."""

    before: Side
    after: Side
    changes: tuple[Change, ...]
    moved: tuple[Moved, ...]
    compared_times: int
    untold_times: tuple[str, ...]
    """Times of which there are too few samples, or that only one run has."""
    differences: tuple[str, ...]

    @property
    def worse(self) -> tuple[Change, ...]:
        """The changes for the worse."""
        return tuple(change for change in self.changes if change.direction == "worse")

    @property
    def slower(self) -> tuple[Moved, ...]:
        """The times that take longer now."""
        return tuple(moved for moved in self.moved if moved.by_s > 0)


def compare(before: RunView, after: RunView) -> Comparison:
    """Compare two runs. Nothing is judged: verdicts are those stored, times are those in the journals."""
    one, other = _side(before), _side(after)
    was, now = timings(before.records), timings(after.records)
    shared = [quantity for quantity in was if quantity in now and _enough(was[quantity], now[quantity])]
    moved = [Moved(quantity, was[quantity], now[quantity]) for quantity in shared]
    return Comparison(
        before=one,
        after=other,
        changes=tuple(_changes(before, after)),
        moved=tuple(sorted((m for m in moved if abs(m.by_s) > m.limit_s), key=lambda m: m.limit_s / abs(m.by_s))),
        compared_times=len(shared),
        untold_times=tuple(quantity.id for quantity in {**was, **now} if quantity not in shared),
        differences=tuple(_differences(one, other)),
    )


def limit_s(was: Measured, now: Measured) -> float:
    """The largest distance of two medians that noise alone explains: `FACTOR` standard uncertainties of it."""
    return FACTOR * math.hypot(was.uncertainty_s, now.uncertainty_s) + RESOLUTION_S


def _enough(was: Measured, now: Measured) -> bool:
    return min(was.scenarios, now.scenarios) >= SCENARIOS_MIN


def _standing(verdict: str) -> int:
    try:
        return _STANDING.get(Outcome(verdict), 1)
    except ValueError:
        return 1


def _changes(before: RunView, after: RunView) -> list[Change]:
    was = {outcome.clause: outcome for outcome in outcomes_of(before).clauses}
    now = {outcome.clause: outcome for outcome in outcomes_of(after).clauses}
    return [
        Change(clause, told.pack, _word(was, clause), _word(now, clause), told.reason)
        for clause, told in {**was, **now}.items()
        if _word(was, clause) != _word(now, clause)
    ]


def _word(outcomes: Mapping[str, ClauseOutcome], clause: str) -> str:
    return outcomes[clause].verdict if clause in outcomes else ABSENT


def _side(run: RunView) -> Side:
    defects = run.run.get("defects")
    return Side(
        folder=run.folder.name,
        plan=str(mapping(run.run.get("plan")).get("sha256") or ""),
        overall=str(run.run.get("overall") or ""),
        finished_utc=str(run.run.get("finished_utc") or ""),
        devices=mappings(run.run.get("devices")),
        software=mapping(run.run.get("software")),
        packs={str(pack.get("id")): str(pack.get("sha256")) for pack in mappings(run.run.get("packs"))},
        policies={str(name): str(value) for name, value in mapping(run.run.get("policies")).items()},
        defects=tuple(map(str, defects)) if isinstance(defects, list | tuple) else (),
    )


def _differences(one: Side, other: Side) -> list[str]:
    found = [name for name in ("plan", "policies") if getattr(one, name) != getattr(other, name)]
    found += [f"pack {pack}" for pack in {**one.packs, **other.packs} if one.packs.get(pack) != other.packs.get(pack)]
    return found + [f"defects of {side.folder}" for side in (one, other) if side.defects]
