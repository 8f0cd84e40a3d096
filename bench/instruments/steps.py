"""What an instrument is told to do for a fault, one step after the other; each is seen done and read back.

A ramp, a pulse and a chatter are made of steps of the bench's own: so they need nothing of an instrument but what
every one of its kind can do, and each part of them is on record. Their number is bounded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bench.faults.catalogue import Value
from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry, Role
from bench.instruments.loads import Load
from bench.instruments.supplies import TRIPS_AT, PowerSupply
from bench.instruments.switches import Switch

Action = Literal["off", "sag", "ramp", "trip", "limit_current", "open", "close", "pulse", "chatter", "draw"]
ROLES_OF: dict[Action, tuple[Role, ...]] = {
    "off": ("power_supply",), "sag": ("power_supply",), "ramp": ("power_supply",), "trip": ("power_supply",),
    "limit_current": ("power_supply",), "open": ("switch",), "close": ("switch",), "pulse": ("switch", "load"),
    "chatter": ("switch",), "draw": ("load",),
}  # fmt: skip
"""Which kinds of instruments can do it."""
MOST_STEPS = 20
"""Steps of one ramp, or pulses of one chatter, however long it lasts."""
SHORTEST_STEP_S = 0.05
"""No step of a ramp is shorter: an instrument needs its time to set a voltage and to read it back."""
PULSE_EVERY_S = 0.04
LOOK_AGAIN_S = 0.2
"""How long after a limit was lowered it is read back once more: by then a motor draws what it draws."""
PULSE_S = 0.1
"""How long a relay or a load pulses where neither the plan nor the rig file says it."""

Verb = Literal["volts", "output", "limit", "protect", "relay", "draw", "look"]
UNITS: dict[Verb, str] = {"volts": "V", "limit": "A", "relay": "closed", "draw": "A"}
"""What a reading after such a step should show, where it can be told beforehand."""


@dataclass(frozen=True, slots=True)
class Step:
    """One order to a channel, so many seconds after the fault is due. Volts, amperes, or 1 and 0 for on and off."""

    after_s: float
    verb: Verb
    value: float

    @property
    def asked(self) -> dict[str, float]:
        """By unit, what whoever measures should read now."""
        if self.verb == "output" and not self.value:
            return {"V": 0.0}
        return {UNITS[self.verb]: self.value} if self.verb in UNITS else {}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the rig file says of how a fault is brought about, where the plan does not say it itself."""

    voltage_v: float = 0.0
    current_a: float = 0.0
    pulse_s: float = PULSE_S


def steps_of(action: Action, asked: Asked, params: Mapping[str, Value], channel: ChannelEntry) -> list[Step]:
    """The steps of a fault, in order. What follows when it has lasted long enough is for the instrument's own rest."""
    hold_s = _seconds(params, "hold_s")
    at_work = 0.0 if channel.at_rest_open else 1.0
    match action:
        case "off":
            return [Step(0.0, "output", 0)]
        case "sag":
            share = float(params["percent"]) / 100 if "percent" in params else 0.0
            volts = float(params.get("volts", share * channel.voltage_v or asked.voltage_v))
            return _ramp(channel.voltage_v, volts, _seconds(params, "ramp_s"))
        case "ramp":
            ramp_s = _seconds(params, "ramp_s")
            return [Step(0.0, "volts", 0.0), *_ramp(0.0, channel.voltage_v, ramp_s)]
        case "trip":
            return [Step(0.0, "protect", round(TRIPS_AT * channel.voltage_v, 3)), Step(LOOK_AGAIN_S, "look", 0)]
        case "limit_current":
            return [Step(0.0, "limit", asked.current_a), Step(LOOK_AGAIN_S, "look", 0)]
        case "open" | "close":
            return [Step(0.0, "relay", float(action == "close"))]
        case "draw":
            return [Step(0.0, "draw", asked.current_a)]
        case "pulse" if asked.current_a:
            return [Step(0.0, "draw", asked.current_a), Step(hold_s or asked.pulse_s, "draw", 0.0)]
        case "pulse":
            return [Step(0.0, "relay", 1 - at_work), Step(hold_s or asked.pulse_s, "relay", at_work)]
        case "chatter":
            pulse_s = _seconds(params, "pulse_s") or asked.pulse_s
            every_s = max(PULSE_EVERY_S, 2 * pulse_s, hold_s / MOST_STEPS)
            starts = [every_s * n for n in range(max(1, min(MOST_STEPS, round(hold_s / every_s))))]
            return [
                Step(round(start + late, 6), "relay", level)
                for start in starts for late, level in ((0.0, 1 - at_work), (pulse_s, at_work))
            ]  # fmt: skip


def lasts_s(action: Action, steps: list[Step], params: Mapping[str, Value]) -> float | None:
    """How long it is before the channel is brought back to how it stands at work; None: until the work is over."""
    hold_s = _seconds(params, "hold_s")
    if action in ("ramp", "pulse", "chatter"):
        return steps[-1].after_s
    return steps[-1].after_s + hold_s if hold_s else None


def carry_out(instrument: Instrument, channel: str, step: Step) -> None:
    """Do one step. RigFault when the instrument does not, UsageError for what the rig file does not allow."""
    match instrument, step.verb:
        case PowerSupply(), "volts":
            instrument.set(channel, step.value)
        case PowerSupply(), "output":
            instrument.output(channel, bool(step.value))
        case PowerSupply(), "limit":
            instrument.limit_current(channel, step.value)
        case PowerSupply(), "protect":
            instrument.protect(channel, step.value)
        case Switch(), "relay" if step.value:
            instrument.close_relay(channel)
        case Switch(), "relay":
            instrument.open_relay(channel)
        case Load(), "draw":
            instrument.draw(channel, step.value)
        case _:
            pass


def beyond(channel: ChannelEntry, steps: list[Step]) -> str:
    """What steps ask of a channel that the rig file does not allow; empty when they ask nothing of the kind."""
    for step in steps:
        if step.verb in ("volts", "protect") and not 0 <= step.value <= channel.max_voltage_v:
            return f"{step.value:g} V, and the channel's max_voltage_v is {channel.max_voltage_v:g}"
        if step.verb in ("limit", "draw") and not 0 <= step.value <= channel.max_current_a:
            return f"{step.value:g} A, and the channel's max_current_a is {channel.max_current_a:g}"
    return ""


def _ramp(from_v: float, to_v: float, ramp_s: float) -> list[Step]:
    """Equal steps from one voltage to another; one step where it takes no time."""
    count = max(1, min(MOST_STEPS, round(ramp_s / SHORTEST_STEP_S)))
    return [
        Step(round(ramp_s * n / count, 6), "volts", round(from_v + (to_v - from_v) * n / count, 3))
        for n in range(1, count + 1)
    ]


def _seconds(params: Mapping[str, Value], name: str) -> float:
    return float(params.get(name, 0) or 0)
