"""Faults armed on an emulated device, and the moment at which each befalls its mechanics.

The mechanics ask at every occasion ("a card is about to be picked") whether a fault is due; the firmware never does.
A fault happens once. One that never becomes due stays armed, and nothing else shows it: that is for the proof to find.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import simpy

from bench.faults.catalogue import Kind, Value, catalogue
from evidence.errors import UsageError

MAX_ARMED = 100


@dataclass(frozen=True, slots=True)
class Due:
    """A fault that happens now, with its parameters."""

    name: str
    params: Mapping[str, Value]

    def seconds(self, param: str) -> float:
        return float(self.params[param])

    def whole(self, param: str) -> int:
        return int(self.params[param])

    def word(self, param: str) -> str:
        return str(self.params[param])


@dataclass(frozen=True, slots=True)
class _Armed:
    due: Due
    at: Mapping[str, Value]
    cycle_base: int
    """Number of cycles before the one that counts as the first."""


class Injector:
    """Keeps the armed faults of one device and counts its cycles, units and cards as they physically happen."""

    def __init__(self, env: simpy.Environment, kind: Kind) -> None:
        self._env = env
        self._kind = kind
        self._armed: list[_Armed] = []
        self._cycle = 0
        self._unit = 0
        self._unit_base = 0
        self._started_s = 0.0
        self._working = False

    def arm(self, name: str, settings: Mapping[str, object]) -> None:
        """Arm a fault of the catalogue. `settings` holds its parameters and its moment together, as journals do.

        Raises UsageError: not a fault of this device, an unknown setting or one out of range.
        """
        faults = {
            fault.name: fault
            for fault in catalogue().values()
            if (self._kind in fault.targets and not fault.of_link) or fault.name == "card_face_up"
        }
        if name not in faults:
            raise UsageError(f"{self._kind}: there is no fault {name!r} to arm; there are {', '.join(faults)}.")
        if len(self._armed) >= MAX_ARMED:
            raise UsageError(f"{self._kind}: {MAX_ARMED} faults are armed already.")
        fault = faults[name]
        given = dict(settings)
        at: dict[str, object] = {key: given.pop(key) for key in list(given) if key in fault.moments}
        try:
            due = Due(name, fault.settings(given))
            moment = fault.moment(at)
        except ValueError as error:
            raise UsageError(f"{self._kind}: {error}.") from None
        self._armed.append(_Armed(due, moment, self._cycle - 1 if self._working else self._cycle))

    def disarm(self) -> None:
        """Forget every fault that has not befallen the device yet."""
        self._armed.clear()

    @property
    def pending(self) -> list[str]:
        """Names of the faults that have not happened yet."""
        return [armed.due.name for armed in self._armed]

    def begin_cycle(self) -> None:
        """A shuffle, or the dealing of a newly loaded pack, begins."""
        self._cycle += 1
        self._unit = 0
        self._working = True
        self._started_s = self._env.now

    def begin_unit(self, card: int) -> None:
        """A card or a group is about to be dispensed; `card` cards came out since loading."""
        self._unit += 1
        self._unit_base = card
        self._started_s = self._env.now

    def end_cycle(self) -> None:
        """The pack is done with: a fault armed from now on counts cycles from the next."""
        self._working = False

    def take(self, name: str, card: int = 0) -> Due | None:
        """The fault `name` if it is due now, taken off the list. `card` numbers the card at hand within its cycle."""
        for armed in self._armed:
            if armed.due.name == name and self._is_due(armed, card):
                self._armed.remove(armed)
                return armed.due
        return None

    def take_at(self, line: str, card: int) -> Due | None:
        """A silent jam at this sensor line, if one is due now."""
        for armed in self._armed:
            if armed.due.name == "silent_jam_recovery" and self._line(armed.due) == line and self._is_due(armed, card):
                self._armed.remove(armed)
                return armed.due
        return None

    def _line(self, due: Due) -> str:
        return str(due.params["line"]) or ("entry" if self._kind == "shuffler" else "exit")

    def _is_due(self, armed: _Armed, card: int) -> bool:
        at = armed.at
        if "cycle" in at and self._cycle - armed.cycle_base != at["cycle"]:
            return False
        if "group" in at:
            if self._unit != at["group"]:
                return False
            card -= self._unit_base
        if "card" in at and card != at["card"]:
            return False
        return "after_s" not in at or self._env.now - self._started_s >= float(at["after_s"]) - 1e-9
