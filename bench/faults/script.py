"""An entry of a plan that asks for a fault: which, on what, when, and with which parameters.

{ name = "card_stuck_on_exit", target = "shoe", at = { group = 3, card = 2 }, params = { hold_s = 0.5 } }
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from bench.faults.catalogue import Fault, Value, catalogue
from evidence.errors import UsageError

PEOPLE_AND_PACKS = ("pack", "dealer", "player")
_KEYS = {"name", "target", "at", "params"}


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """A fault as a plan asks for it.

    `target` is a device's name, or `pack`, `dealer` or `player`. `at` says when: the k-th `card` of the cycle (or of
    the `group`), the g-th `group` since loading, the n-th `cycle` from arming on, `after_s` seconds after the start;
    empty: at the next occasion. `params` holds every parameter of the catalogue. Decimals stand as text.
    """

    name: str
    target: str
    at: Mapping[str, Value] = field(default_factory=dict)
    params: Mapping[str, Value] = field(default_factory=dict)

    @property
    def fault(self) -> Fault:
        """The catalogue's entry."""
        return catalogue()[self.name]


def parse_fault(table: Mapping[str, object], where: str) -> FaultSpec:
    """Check one fault of a plan. `where` names its place in messages. Raises UsageError with place and remedy."""
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        raise UsageError(f"{where}: {unknown[0]!r} is not an entry of a fault; use name, target, at and params.")
    name, target = table.get("name"), table.get("target")
    known = catalogue()
    if not isinstance(name, str) or name not in known:
        close = difflib.get_close_matches(str(name), known, 1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise UsageError(f"{where}: there is no fault {name!r}. {hint}`cardcert faults list` shows them all.")
    fault = known[name]
    if not isinstance(target, str) or not target:
        raise UsageError(f"{where}: {name} needs a target: {_targets(fault)}.")
    kind_named = target in {*PEOPLE_AND_PACKS, "shuffler", "shoe"}
    if (kind_named and target not in fault.targets) or (not kind_named and not fault.of_device):
        raise UsageError(f"{where}: {name} cannot befall {target!r}. Name as its target {_targets(fault)}.")
    for key in ("at", "params"):
        if not isinstance(table.get(key, {}), dict):
            raise UsageError(f"{where}: {key} must be a table, such as {key} = {{ card = 17 }}.")
    try:
        at = fault.moment(cast("dict[str, object]", table.get("at", {})))
        params = fault.settings(cast("dict[str, object]", table.get("params", {})))
    except ValueError as error:
        raise UsageError(f"{where}: {error}. `cardcert faults show {name}` tells what it takes.") from None
    return FaultSpec(name=name, target=target, at=at, params=params)


def _targets(fault: Fault) -> str:
    if fault.of_device:
        return f"a device ({' or '.join(fault.targets)}), by its name in the rig file"
    return " or ".join(fault.targets)
