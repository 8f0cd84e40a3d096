"""Faults of a plan injected by instruments: what the rig file says of how, and the moments at which it is done.

An emulated device strikes a fault at the very card; a bench in front of a real one goes by its commands and the clock.
What the instruments read back afterwards is on record, and proves the fault or fails to.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from bench.clock import Clock, Deadline
from bench.faults.catalogue import catalogue
from bench.faults.script import FaultSpec
from bench.instruments.base import Instrument
from bench.instruments.entry import InstrumentEntry, Role
from bench.instruments.loads import Load
from bench.instruments.meters import Meter
from bench.instruments.rack import Rack
from bench.instruments.supplies import PowerSupply
from bench.instruments.switches import Switch
from evidence.errors import UsageError

Action = Literal["off", "sag", "open", "close", "draw"]
ROLE_OF: dict[Action, Role] = {
    "off": "power_supply", "sag": "power_supply", "open": "switch", "close": "switch", "draw": "load",
}  # fmt: skip
CYCLES = ("load", "shuffle")
"""Commands that begin a cycle; a unit dispensed belongs to the cycle before."""


class InjectionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one fault of the catalogue is brought upon one device of this rig."""

    fault: str
    device: str
    channel: str
    """The instrument's channel that does it."""
    action: Action
    voltage_v: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0
    """`sag`: what the supply gives meanwhile, where the plan does not say it itself (`volts`)."""
    current_a: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0
    """`draw`: what the load draws meanwhile."""
    card_s: Annotated[float, msgspec.Meta(gt=0, le=60)] = 0.5
    """How long this device takes for a card: where a plan says at which card, the bench goes by the clock."""


def check_injections(
    injections: Sequence[InjectionEntry], instruments: Sequence[InstrumentEntry], devices: Collection[str], where: str
) -> None:
    """Check how faults are injected. Raises UsageError with the first mistake, its place and its remedy."""
    channels = {channel.name: (entry, channel) for entry in instruments for channel in entry.channel}
    pairs = [(entry.fault, entry.device) for entry in injections]
    for entry in injections:
        at = f"{where}: injection of {entry.fault!r} on {entry.device!r}"
        fault = catalogue().get(entry.fault)
        if fault is None or not fault.of_device:
            raise UsageError(f"{at}: there is no such fault of a device. `cardcert faults list` shows them all.")
        if entry.device not in devices:
            raise UsageError(f"{at}: there is no device of this name; there are {', '.join(devices)}.")
        if pairs.count((entry.fault, entry.device)) > 1:
            raise UsageError(f"{at}: stands there twice. Remove one.")
        if entry.channel not in channels:
            known = ", ".join(channels) or "none"
            raise UsageError(f"{at}: there is no channel {entry.channel!r}; the instruments have {known}.")
        instrument, channel = channels[entry.channel]
        if ROLE_OF[entry.action] != instrument.role:
            raise UsageError(
                f"{at}: {entry.action!r} is done by a {ROLE_OF[entry.action]}, and channel {channel.name!r} is one "
                f"of a {instrument.role}. Name another channel or action."
            )
        if channel.device != entry.device:
            raise UsageError(f"{at}: channel {channel.name!r} does not act on it. Give the channel this device.")
        if entry.action == "sag" and not entry.voltage_v <= channel.max_voltage_v:
            raise UsageError(f"{at}: voltage_v is above the channel's max_voltage_v of {channel.max_voltage_v:g}.")
        if entry.action == "draw" and not 0 < entry.current_a <= channel.max_current_a:
            raise UsageError(f"{at}: current_a must be above 0 and at most the channel's {channel.max_current_a:g}.")


@dataclass(slots=True)
class _Armed:
    spec: FaultSpec
    entry: InjectionEntry
    cycles: int
    """Cycles of the device before the one that counts as the first."""
    due: Deadline | None = None


class Injections:
    """Faults armed on instruments. Told what devices are ordered and what came out, it acts when a fault is due."""

    def __init__(self, entries: Sequence[InjectionEntry], rack: Rack, clock: Clock) -> None:
        self._entries = {(entry.fault, entry.device): entry for entry in entries}
        self._rack = rack
        self._clock = clock
        self._armed: list[_Armed] = []
        self._acting: list[tuple[_Armed, Deadline | None]] = []
        """What has been done and is to be undone, at a moment or when the work is over."""
        self._cycle: dict[str, int] = {}
        self._unit: dict[str, int] = {}
        self._cards: dict[str, int] = {}
        """Cycles, units of this one, and cards of it, by device."""

    def arm(self, spec: FaultSpec) -> bool:
        """Arm a fault if this rig injects it by an instrument; False when it does not."""
        entry = self._entries.get((spec.name, spec.target))
        if entry is None:
            return False
        self._armed.append(_Armed(spec, entry, self._cycle.get(spec.target, 0)))
        return True

    def disarm(self) -> None:
        """Forget what has not happened, and undo what has."""
        self._armed.clear()
        self._undo(lambda *_: True)

    def begun(self, device: str, command: str) -> None:
        """The device has taken on a command: faults that befall this work get their moment."""
        if command in CYCLES:
            self._cycle[device] = self._cycle.get(device, 0) + 1
            self._unit[device] = self._cards[device] = 0
        elif command.startswith("deal"):
            self._unit[device] = self._unit.get(device, 0) + 1
        else:
            return
        largest = 1 if command == "deal_card" else 1000
        for armed in self._armed:
            if armed.spec.target == device and (wait_s := self._wait_s(armed, command, largest)) is not None:
                armed.due = self._clock.deadline(wait_s)

    def _wait_s(self, armed: _Armed, command: str, largest: int) -> float | None:
        """Seconds until the fault is due within the work that has begun; None when it is not due in it."""
        device, at = armed.spec.target, armed.spec.at
        if "cycle" in at and self._cycle[device] - armed.cycles != at["cycle"]:
            return None
        if "group" in at and self._unit[device] != at["group"]:
            return None
        wait_s = float(at.get("after_s", 0.0))
        if "card" in at:
            if command == "load":
                return None  # no card comes out while the pack goes in
            before = 0 if "group" in at else self._cards.get(device, 0)
            ahead = int(at["card"]) - before
            if not 1 <= ahead <= largest:
                return None
            wait_s += (ahead - 1) * armed.entry.card_s
        return wait_s

    def dispensed(self, device: str, cards: int) -> None:
        """So many cards have come out of the device, by its own word."""
        self._cards[device] = self._cards.get(device, 0) + cards

    def due(self) -> Deadline | None:
        """The next moment at which `act` has something to do."""
        moments = [armed.due for armed in self._armed if armed.due] + [until for _, until in self._acting if until]
        return min(moments, key=lambda moment: moment.ns, default=None)

    def act(self) -> None:
        """Inject what is due, and undo what has lasted long enough."""
        now_ns = self._clock.now_ns()
        self._undo(lambda _, until: until is not None and until.passed(now_ns))
        for armed in [armed for armed in self._armed if armed.due and armed.due.passed(now_ns)]:
            self._armed.remove(armed)
            self._inject(armed)

    def over(self, device: str) -> None:
        """The work is over: what was done to the device is undone, and nothing comes due in this work any more."""
        for armed in self._armed:
            if armed.spec.target == device:
                armed.due = None
        self._undo(lambda armed, _: armed.spec.target == device)

    def _inject(self, armed: _Armed) -> None:
        hold_s = float(armed.spec.params.get("hold_s", 0) or 0)
        self._acting.append((armed, self._clock.deadline(hold_s) if hold_s else None))
        instrument, name = self._channel(armed), armed.entry.channel
        match instrument:
            case PowerSupply() if armed.entry.action == "off":
                instrument.output(name, False)
            case PowerSupply():
                instrument.set(name, float(armed.spec.params.get("volts", armed.entry.voltage_v)))
            case Switch() if armed.entry.action == "open":
                instrument.open_relay(name)
            case Switch():
                instrument.close_relay(name)
            case Load():
                instrument.draw(name, armed.entry.current_a)
        self._read_back(armed)

    def _undo(self, which: Callable[[_Armed, Deadline | None], bool]) -> None:
        ended = [acting for acting in self._acting if which(*acting)]
        self._acting = [acting for acting in self._acting if not which(*acting)]
        for armed, _ in ended:
            instrument = self._channel(armed)
            if isinstance(instrument, Load):
                instrument.draw(armed.entry.channel, 0.0)
            else:
                instrument.make_ready(instrument.channel(armed.entry.channel))
            self._read_back(armed)

    def _read_back(self, armed: _Armed) -> None:
        """Put on record what the instrument itself, and every meter on the device, now reads."""
        instrument, name = self._channel(armed), armed.entry.channel
        if isinstance(instrument, PowerSupply | Load):
            instrument.measure(name)
        elif isinstance(instrument, Switch):
            instrument.is_closed(name)
        for meter, channel in self._rack.find(Meter, armed.entry.device):
            if isinstance(meter, Meter):
                meter.measure(channel.name)

    def _channel(self, armed: _Armed) -> Instrument:
        return next(one for one in self._rack.instruments.values() if armed.entry.channel in one.channels)
