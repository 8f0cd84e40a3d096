"""Faults of a plan injected by instruments: what the rig file says of how, and the moments at which it is done.

An emulated device strikes a fault at the very card; a bench in front of a real one goes by its commands and the clock.
What the instruments read back afterwards is on record, and proves the fault or fails to.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from bench.clock import Clock, Deadline
from bench.faults.catalogue import catalogue
from bench.faults.script import FaultSpec
from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry, InstrumentEntry
from bench.instruments.loads import Load
from bench.instruments.meters import Meter
from bench.instruments.rack import Rack
from bench.instruments.steps import PULSE_S, ROLES_OF, Action, Asked, Step, beyond, carry_out, lasts_s, steps_of
from bench.instruments.supplies import PowerSupply
from bench.instruments.switches import Switch
from evidence.errors import UsageError

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
    """`draw`, `pulse` of a load: what it draws meanwhile; `limit_current`: the limit that the supply goes into."""
    pulse_s: Annotated[float, msgspec.Meta(ge=0.001, le=10)] = PULSE_S
    """`pulse`, `chatter`: how long one lasts, where the plan does not say it itself (`hold_s`, `pulse_s`)."""
    card_s: Annotated[float, msgspec.Meta(gt=0, le=60)] = 0.5
    """How long this device takes for a card: where a plan says at which card, the bench goes by the clock."""

    def steps(self, spec: FaultSpec, channel: ChannelEntry) -> list[Step]:
        """What the instrument is told to do for this fault."""
        asked = Asked(self.voltage_v, self.current_a, self.pulse_s)
        return steps_of(self.action, asked, spec.params, channel)


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
        roles = ROLES_OF[entry.action]
        if instrument.role not in roles:
            raise UsageError(
                f"{at}: {entry.action!r} is done by a {' or a '.join(roles)}, and channel {channel.name!r} is one "
                f"of a {instrument.role}. Name another channel or action."
            )
        if channel.device != entry.device:
            raise UsageError(f"{at}: channel {channel.name!r} does not act on it. Give the channel this device.")
        if entry.action == "sag" and not entry.voltage_v <= channel.max_voltage_v:
            raise UsageError(f"{at}: voltage_v is above the channel's max_voltage_v of {channel.max_voltage_v:g}.")
        if entry.action in ("ramp", "trip", "limit_current") and not channel.voltage_v:
            raise UsageError(
                f"{at}: {entry.action!r} starts from the channel's voltage_v, and it has none. Give it one."
            )
        draws = entry.action in ("draw", "limit_current") or (entry.action == "pulse" and instrument.role == "load")
        if draws and not 0 < entry.current_a <= channel.max_current_a:
            raise UsageError(f"{at}: current_a must be above 0 and at most the channel's {channel.max_current_a:g}.")


def check_faults(
    faults: Sequence[FaultSpec],
    injections: Sequence[InjectionEntry],
    instruments: Sequence[InstrumentEntry],
    where: str,
) -> None:
    """Check that the instruments of a rig may and can do what faults of a plan ask of them, before any is switched.

    Raises UsageError with the first fault that asks too much, and the remedy; `where` names plan and scenario.
    """
    channels = {channel.name: channel for entry in instruments for channel in entry.channel}
    entries = {(entry.fault, entry.device): entry for entry in injections}
    for spec in faults:
        entry = entries.get((spec.name, spec.target))
        if entry is None:
            continue
        channel = channels[entry.channel]
        at = f"{where}: fault {spec.name!r} on {spec.target!r}"
        if asked := beyond(channel, entry.steps(spec, channel)):
            raise UsageError(
                f"{at}: channel {channel.name!r} of the rig would be told to give {asked}. Change the plan, or the rig "
                f"file if the device bears it."
            )
        line = str(spec.params.get("line", ""))
        if line and channel.line and line != channel.line:
            raise UsageError(
                f"{at}: it befalls line {line!r}, and channel {channel.name!r} of the rig lies in {channel.line!r}. "
                "Change the plan, or name another channel in [[injection]]."
            )
        level = spec.params.get("level")
        if level is not None and entry.action in ("open", "close") and level != int(entry.action == "close"):
            raise UsageError(
                f"{at}: a line that stands at level {level} cannot be had by {entry.action!r} of channel "
                f"{channel.name!r}: an open wire is low, bridged contacts are high. Change the plan, or [[injection]]."
            )


@dataclass(slots=True)
class _Armed:
    spec: FaultSpec
    entry: InjectionEntry
    cycles: int
    """Cycles of the device before the one that counts as the first."""
    due: Deadline | None = None


@dataclass(slots=True)
class _Acting:
    """A fault that is being brought about: steps that are still to come, and when it is over."""

    armed: _Armed
    steps: deque[tuple[Deadline, Step]]
    until: Deadline | None
    done: Step | None = None
    """The step that stands."""

    def next(self) -> Deadline | None:
        return self.steps[0][0] if self.steps else self.until


class Injections:
    """Faults armed on instruments. Told what devices are ordered and what came out, it acts when a fault is due."""

    def __init__(self, entries: Sequence[InjectionEntry], rack: Rack, clock: Clock) -> None:
        self._entries = {(entry.fault, entry.device): entry for entry in entries}
        self._rack = rack
        self._clock = clock
        self._armed: list[_Armed] = []
        self._acting: list[_Acting] = []
        """What has been begun and is to be undone, at a moment or when the work is over."""
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
        moments = [armed.due for armed in self._armed if armed.due]
        moments += [moment for acting in self._acting if (moment := acting.next()) is not None]
        return min(moments, key=lambda moment: moment.ns, default=None)

    def act(self) -> None:
        """Inject what is due, do what comes next of what has begun, and undo what has lasted long enough."""
        now_ns = self._clock.now_ns()
        for acting in list(self._acting):
            self._proceed(acting, now_ns)
        self._undo(lambda acting: not acting.steps and acting.until is not None and acting.until.passed(now_ns))
        for armed in [armed for armed in self._armed if armed.due and armed.due.passed(now_ns)]:
            self._armed.remove(armed)
            # By the clock as it is now: the first step is due already, and a card is on its way.
            self._proceed(self._begun(armed), self._clock.now_ns())

    def over(self, device: str) -> None:
        """The work that faults befell is over: what was done to the device is undone, what was due then is not."""
        for armed in self._armed:
            if armed.spec.target == device:
                armed.due = None
        self._undo(lambda acting: acting.armed.spec.target == device)

    def _begun(self, armed: _Armed) -> _Acting:
        """A fault whose moment has come, with all that is to be done for it."""
        _, channel = self._channel(armed)
        steps = armed.entry.steps(armed.spec, channel)
        lasts = lasts_s(armed.entry.action, steps, armed.spec.params)
        acting = _Acting(
            armed,
            deque((self._clock.deadline(step.after_s), step) for step in steps),
            None if lasts is None else self._clock.deadline(lasts),
        )
        self._acting.append(acting)
        return acting

    def _proceed(self, acting: _Acting, now_ns: int) -> None:
        """Do the steps that are due, and read back what came of each."""
        instrument, channel = self._channel(acting.armed)
        while acting.steps and acting.steps[0][0].passed(now_ns):
            _, step = acting.steps.popleft()
            if step.verb != "look":
                acting.done = step
                carry_out(instrument, channel.name, step)
            if acting.done is not None:
                with self._rack.during(acting.armed.spec.name, acting.done.asked):
                    self._read_back(acting.armed)

    def _undo(self, which: Callable[[_Acting], bool]) -> None:
        ended = [acting for acting in self._acting if which(acting)]
        self._acting = [acting for acting in self._acting if not which(acting)]
        for acting in ended:
            instrument, channel = self._channel(acting.armed)
            if isinstance(instrument, PowerSupply) and acting.armed.entry.action == "trip":
                instrument.reset_protection(channel.name)
            if isinstance(instrument, Load):
                instrument.draw(channel.name, 0.0)
            else:
                instrument.make_ready(channel)
            # Another fault that uses the same channel goes on.
            for other in self._acting:
                if other.armed.entry.channel == channel.name and other.done is not None:
                    carry_out(instrument, channel.name, other.done)
            self._read_back(acting.armed)

    def _read_back(self, armed: _Armed) -> None:
        """Put on record what the instrument itself, and every meter on the device, now reads."""
        instrument, channel = self._channel(armed)
        if isinstance(instrument, PowerSupply | Load):
            instrument.measure(channel.name)
        elif isinstance(instrument, Switch):
            instrument.is_closed(channel.name)
        if isinstance(instrument, PowerSupply) and armed.entry.action == "trip":
            instrument.is_tripped(channel.name)
        for meter, clip in self._rack.find(Meter, armed.entry.device):
            if isinstance(meter, Meter):
                meter.measure(clip.name)

    def _channel(self, armed: _Armed) -> tuple[Instrument, ChannelEntry]:
        name = armed.entry.channel
        return next((one, one.channels[name]) for one in self._rack.instruments.values() if name in one.channels)
