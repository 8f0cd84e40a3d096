"""The catalogue of faults: what a plan may ask for, with parameters and their ranges. Data in catalogue.toml."""

import functools
import math
from pathlib import Path
from typing import Literal

import msgspec

from evidence.errors import UsageError
from evidence.tomlfile import load_toml

Kind = Literal["shuffler", "shoe", "pack", "dealer", "player"]
Moment = Literal[
    "card", "group", "cycle", "after_s", "position", "burn", "round", "betting_round", "act", "choice", "roll",
]  # fmt: skip
ProofKind = Literal[
    "no_card", "held", "power_lost", "idle", "unit_count", "claim", "total", "faces", "turned_up", "drawn", "too_many",
    "too_few", "not_burnt", "skipped", "button", "exposed", "identity", "misplaced", "dropped", "collected", "fouled",
    "not_shuffled", "not_cut", "same_back", "passed_over", "dealt_last", "strange_face", "twin", "strange_back",
    "ran_out", "left_at_mouth", "drawn_face", "overdrawn", "dice", "miscalled", "elsewhere", "exposed_early",
    "set_wrongly", "lifted",
]  # fmt: skip
Value = int | str
"""A setting as plans and journals hold it; a decimal stands as text, so that it reads the same everywhere."""

DEVICE_KINDS: tuple[Kind, ...] = ("shuffler", "shoe")
MOST = 1000
LATEST_S = 600.0


class Param(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter: a number within a range and with a unit, or one of some words."""

    meaning: str
    default: int | float | str
    unit: str = ""
    minimum: int | float | None = None
    maximum: int | float | None = None
    choices: list[str] = []

    def check(self, value: object) -> Value:
        """The value as it is kept. ValueError, with what was expected, when it is none of the parameter's."""
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return value
            raise ValueError(f"one of {', '.join(repr(choice) for choice in self.choices)}")
        whole = isinstance(self.default, int)
        number = _number(value, whole)
        low, high = self.minimum, self.maximum
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            raise ValueError(f"a {'whole ' if whole else ''}number from {low} to {high} ({self.unit})")
        return int(number) if whole else str(number)


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What proves the fault; limits in seconds."""

    kind: ProofKind
    lines: list[str] = []
    limit_s: float = 0.0
    entry_limit_s: float = 0.0
    """Limit for the line `entry` where it differs."""

    below_v: float = 0.0
    """A rail that an instrument reads below this proves the fault too, in volts; 0: no reading does."""

    def limit_of(self, line: str) -> float:
        """How long this line may be held before that is proof, in seconds."""
        return self.entry_limit_s if line == "entry" and self.entry_limit_s else self.limit_s


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault of the catalogue."""

    name: str
    targets: list[Kind]
    symptom: str
    description: str
    safe_behaviour: str
    proven: str
    moments: list[Moment]
    proof: Proof
    params: dict[str, Param] = {}

    @property
    def of_device(self) -> bool:
        """True when it befalls a device, which is then named as target."""
        return any(kind in DEVICE_KINDS for kind in self.targets)

    def settings(self, given: dict[str, object]) -> dict[str, Value]:
        """All parameters, those not given at their defaults. ValueError names the first that does not fit."""
        unknown = sorted(set(given) - set(self.params))
        if unknown:
            raise ValueError(f"{self.name} has no parameter {unknown[0]!r}; {_list('it has', list(self.params))}")
        checked: dict[str, Value] = {}
        for name, param in self.params.items():
            try:
                checked[name] = param.check(given.get(name, param.default))
            except ValueError as expected:
                raise ValueError(f"{name} = {given.get(name)!r}: expected {expected}") from None
        return checked

    def moment(self, given: dict[str, object]) -> dict[str, Value]:
        """When it is to happen, checked. ValueError names the first entry that does not fit."""
        checked: dict[str, Value] = {}
        for name, value in given.items():
            if name not in self.moments:
                raise ValueError(f"{self.name} cannot happen at a {name!r}; {_list('it takes', list(self.moments))}")
            if name == "position":
                if not isinstance(value, str) or not value or len(value) > 40:
                    raise ValueError(f"position = {value!r}: expected the name of a position, such as 'seat/3'")
                checked[name] = value
                continue
            whole = name != "after_s"
            number = _number(value, whole)
            low, high = (1, MOST) if whole else (0, LATEST_S)
            if number is None or not low <= number <= high:
                raise ValueError(
                    f"{name} = {value!r}: expected a {'whole ' if whole else ''}number from {low} to {high}"
                )
            checked[name] = int(number) if whole else str(number)
        return checked


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fault: list[Fault]


@functools.cache
def catalogue() -> dict[str, Fault]:
    """All faults by name, in the order of the catalogue."""
    return load_catalogue(Path(__file__).with_name("catalogue.toml"))


def load_catalogue(path: Path) -> dict[str, Fault]:
    """Read a catalogue and check that it is sound. Raises UsageError with file, entry and remedy."""
    faults: dict[str, Fault] = {}
    for fault in load_toml(path, _File, "fault catalogue").fault:
        where = f"{path}: fault {fault.name!r}"
        if fault.name in faults:
            raise UsageError(f"{where} stands there twice. Give each its own name.")
        if not fault.targets:
            raise UsageError(f"{where} has no target. Say what it befalls.")
        if set(fault.moments) & set(fault.params):
            raise UsageError(f"{where}: a parameter has the name of a moment. Rename it.")
        try:
            fault.settings({})
        except ValueError as error:
            raise UsageError(f"{where}: the default does not fit: {error}.") from None
        faults[fault.name] = fault
    return faults


def _number(value: object, whole: bool) -> int | float | None:
    """A plain finite number, or None. Decimals may come as text; a truth value is no number."""
    if isinstance(value, bool) or (whole and not isinstance(value, int)):
        return None
    try:
        number = float(value) if isinstance(value, (int, float, str)) else math.nan
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return int(number) if whole else number


def _list(lead: str, names: list[str]) -> str:
    return f"{lead} {', '.join(names)}" if names else f"{lead} none"
