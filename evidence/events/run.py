"""Events: the run and its scenarios."""

from typing import Literal

from evidence.events.base import Event


class RunStarted(Event, frozen=True, tag="run.started"):
    plan: str
    rig: str
    seed: int
    clock: Literal["virtual", "wall"]
    versions: dict[str, str] = {}
    files: dict[str, str] = {}
    """SHA-256 of the files that say what was asked, by their names in the run folder."""
    defects: list[str] | None = None
    """Defects of emulators that were switched on, `ON:NAME`; null where that was not recorded."""


class RunFinished(Event, frozen=True, tag="run.finished"):
    outcome: Literal["completed", "interrupted"]
    detail: str = ""


class ScenarioStarted(Event, frozen=True, tag="scenario.started"):
    """An attempt at one scenario begins; all records of the scenario until its end belong to it."""

    title: str
    pack: str
    covers: list[str]
    """Clause alternatives this scenario is meant to trigger: `CLAUSE` or `CLAUSE:alternative`."""
    attempt: int = 1
    also: list[str] = []
    """Further packs that rule the same table, by which the scenario is judged as well."""


class ScenarioFinished(Event, frozen=True, tag="scenario.finished"):
    """An attempt at one scenario ends. Only `completed` lets a clause pass."""

    status: Literal["completed", "interrupted", "rig_fault", "error"]
    detail: str = ""


class JournalRepaired(Event, frozen=True, tag="journal.repaired"):
    bytes_cut: int
    sha256: str


class ClockStepped(Event, frozen=True, tag="clock.stepped"):
    """The wall clock was set while the run was going on. Order and distance of records do not depend on it."""

    by_s: float
    """Seconds by which it was set forward since the record before; negative when it was set back."""
