"""Fault scripts: which faults, on what, when, for how long, how often. In a plan, or in a file of their own.

fault = [
    { name = "card_stuck_on_exit", target = "shoe", at = { group = 3, card = 2 }, for_s = 0.5 },
    { name = "brown_out", target = "shoe", at = { event = "device.fault:jam" }, params = { volts = 12.0 } },
    { name = "message_dropped", target = "shoe", at = { message = 5 }, repeat = { times = 3, step = 10 } },
]
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec

from bench.faults.catalogue import AWAITED, DEVICE_KINDS, Fault, Proof, Value, catalogue
from evidence.errors import UsageError
from evidence.tomlfile import find_line, load_toml, read_text

LASTING = ("hold_s", "seconds")
"""Parameters that say how long a fault lasts; `for_s` sets the one that a fault has."""
MOST_REPEATS = 100
_NAMED_KINDS = frozenset({"pack", "dealer", "player", "camera", "software", *DEVICE_KINDS})


class Repeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fault comes several times, each one to be proven by itself."""

    times: Annotated[int, msgspec.Meta(ge=1, le=MOST_REPEATS)]
    """How often in all."""
    step: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0
    """By how much the moment moves on each time: cards, groups, cycles, seconds. 0: at the next occasion again."""


class FaultEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault as a plan or a script asks for it."""

    name: str
    """A name of the catalogue; `cardcert faults list` shows them."""
    target: str
    """A device by its name in the rig file, or pack, dealer, player, camera or software."""
    at: dict[str, int | float | str] = {}
    """When: card, group, cycle, after_s, message and what else the catalogue names; event or state to wait for."""
    for_s: Annotated[float, msgspec.Meta(ge=0, le=600)] | None = None
    """How long it lasts, in seconds, for a fault that lasts; 0 for good."""
    ramp_s: Annotated[float, msgspec.Meta(ge=0, le=600)] | None = None
    """How long it takes to come to its height, in seconds, for a fault that can creep."""
    repeat: Repeat | None = None
    params: dict[str, int | float | str] = {}
    """Parameters of the catalogue's entry."""


class FaultScript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of faults that belong together; a scenario names it as its `script`."""

    name: str
    fault: list[FaultEntry]
    title: str = ""


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """A fault as it is armed.

    `target` is a device's name, or `pack`, `dealer`, `player`, `camera` or `software`. `at` says when: the k-th `card`
    of the cycle (or of the `group`), the g-th `group` since loading, the n-th `cycle` from arming on, `after_s`
    seconds after the start; empty: at the next occasion. With `event` or `state` it is armed once that was told.
    `params` holds every parameter of the catalogue. Decimals stand as text.
    """

    name: str
    target: str
    at: Mapping[str, Value] = field(default_factory=dict)
    params: Mapping[str, Value] = field(default_factory=dict)

    @property
    def fault(self) -> Fault:
        """The catalogue's entry."""
        return catalogue()[self.name]

    @property
    def proof(self) -> Proof:
        """What proves it."""
        return self.fault.proof

    @property
    def awaits(self) -> Mapping[str, Value]:
        """What must be told before it is armed."""
        return {key: value for key, value in self.at.items() if key in AWAITED}

    def armed_now(self) -> "FaultSpec":
        """The same fault once that has been told."""
        return replace(self, at={key: value for key, value in self.at.items() if key not in AWAITED})


class Wrong(ValueError):
    """What is wrong with an entry, and at which of its keys."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(problem)
        self.key = key


def parse_fault(table: Mapping[str, object], where: str) -> FaultSpec:
    """Check one fault that comes once. Raises UsageError with its place and the remedy."""
    return parse_faults(table, lambda _: where)[0]


def parse_faults(table: Mapping[str, object], locate: Callable[[str], str]) -> list[FaultSpec]:
    """Check one entry; the faults that it asks for, each repetition by itself.

    `locate` tells the place of a key of the entry (empty: of the entry) for messages. Raises UsageError.
    """
    try:
        return _repeated(_once(table), table.get("repeat"))
    except Wrong as error:
        raise UsageError(f"{locate(error.key)}: {error}") from None


def load_script(path: Path) -> list[FaultSpec]:
    """The faults of a script that stands alone. Raises UsageError with file, line and remedy."""
    script = load_toml(path, FaultScript, "fault script")
    if not script.fault:
        raise UsageError(f"{path}: this script has no fault. Add a [[fault]].")
    text = read_text(path, "fault script")
    faults: list[FaultSpec] = []
    for n, entry in enumerate(script.fault):
        table = {key: value for key, value in msgspec.to_builtins(entry).items() if value is not None}
        faults += parse_faults(table, locator(path, text, f"$.fault[{n}]", f"fault {n + 1}"))
    return faults


def locator(path: Path, text: str, root: str, what: str) -> Callable[[str], str]:
    """Tells the place of a key below `root` in the text of a TOML file, as `file:line: what`."""

    def locate(key: str) -> str:
        line = find_line(text, f"{root}.{key}" if key else root)
        return f"{path}:{line}: {what}" if line else f"{path}: {what}"

    return locate


def _once(table: Mapping[str, object]) -> FaultSpec:
    """The entry without its repetitions. Raises Wrong."""
    keys = FaultEntry.__struct_fields__
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise Wrong(unknown[0], f"{unknown[0]!r} is not an entry of a fault; use {_either(keys)}.")
    name, target = table.get("name"), table.get("target")
    known = catalogue()
    if not isinstance(name, str) or name not in known:
        close = difflib.get_close_matches(str(name), known, 1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise Wrong("name", f"there is no fault {name!r}. {hint}`cardcert faults list` shows them all.")
    fault = known[name]
    if not isinstance(target, str) or not target:
        raise Wrong("", f"{name} needs a target: {_targets(fault)}.")
    kind_named = target in _NAMED_KINDS
    if (kind_named and target not in fault.targets) or (not kind_named and not fault.of_device):
        raise Wrong("target", f"{name} cannot befall {target!r}. Name as its target {_targets(fault)}.")
    for key in ("at", "params"):
        if not isinstance(table.get(key, {}), dict):
            raise Wrong(key, f"{key} must be a table, such as {key} = {{ card = 17 }}.")
    tells = f"`cardcert faults show {name}` tells what it takes."
    try:
        at = fault.moment(cast("dict[str, object]", table.get("at", {})))
    except ValueError as error:
        raise Wrong("at", f"{error}. {tells}") from None
    given = _lasting(fault, table)
    try:
        params = fault.settings(given)
    except ValueError as error:
        raise Wrong("params", f"{error}. {tells}") from None
    return FaultSpec(name=name, target=target, at=at, params=params)


def _lasting(fault: Fault, table: Mapping[str, object]) -> dict[str, object]:
    """The parameters with `for_s` and `ramp_s` at their places. Raises Wrong for a fault that has no such place."""
    params = dict(cast("dict[str, object]", table.get("params", {})))
    for key, places in (("for_s", LASTING), ("ramp_s", ("ramp_s",))):
        if key not in table:
            continue
        place = next((place for place in places if place in fault.params), None)
        if place is None:
            raise Wrong(key, f"{fault.name} takes no {key}: it comes at once and is over. Remove it.")
        if place in params:
            raise Wrong(key, f"{key} and the parameter {place} say the same. Remove one of them.")
        params[place] = table[key]
    return params


def _repeated(fault: FaultSpec, given: object) -> list[FaultSpec]:
    if given is None:
        return [fault]
    try:
        repeat = msgspec.convert(given, Repeat)
    except msgspec.ValidationError as error:
        raise Wrong("repeat", f"repeat: {error}. Write it as {{ times = 3, step = 5 }}.") from None
    if not repeat.step:
        return [fault] * repeat.times
    numbers = [key for key, value in fault.at.items() if key == "after_s" or isinstance(value, int)]
    if not numbers:
        raise Wrong("repeat", "a step needs a moment that it can move on, such as at = { card = 17 }. Add one.")
    # The finest moment moves on: the card within the group, not the group.
    key = next((key for key in ("card", "message", "look", "after_s") if key in numbers), numbers[-1])
    if key != "after_s" and repeat.step != int(repeat.step):
        raise Wrong("repeat", f"step = {repeat.step}: expected a whole number, as {key} is one.")
    faults = []
    for n in range(repeat.times):
        moved = float(fault.at[key]) + n * repeat.step
        try:
            at = fault.fault.moment({**fault.at, key: moved if key == "after_s" else int(moved)})
        except ValueError as error:
            raise Wrong("repeat", f"repetition {n + 1}: {error}. Repeat it less often.") from None
        faults.append(replace(fault, at=at))
    return faults


def _either(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _targets(fault: Fault) -> str:
    if fault.of_device:
        return f"a device ({' or '.join(kind for kind in fault.targets)}), by its name in the rig file"
    return " or ".join(fault.targets)


def script_schema() -> dict[str, Any]:
    """The JSON schema of a fault script, from the structs."""
    schema: dict[str, Any] = msgspec.json.schema(FaultScript)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Fault script of cardcert", **schema}
