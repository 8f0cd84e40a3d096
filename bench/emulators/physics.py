"""Parts that every emulated device is built of: sensor lines, motors, the drive rail, and the probe on their wires.

Nothing here knows what a device is for. Parts act by SimPy callbacks and times in seconds; firmware reads the sensors
and drives the motors, and faults change what the parts do. Edges are recorded where a laboratory would clip its probe
on: at the line, whatever the firmware makes of it.
"""

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

import simpy

from bench.clock import NS_PER_S

MAX_EDGES = 100_000
"""Edges a probe keeps until they are fetched; the oldest are lost beyond that."""
RUNNING_A = 0.4
STALLED_A = 1.8
STANDBY_A = 0.05
"""Currents of a small geared motor running, stalled, and of the electronics alone (engineering judgement)."""


@dataclass(frozen=True, slots=True)
class LineEdge:
    """An edge on a wire: `level` from `at_ns` on, nanoseconds of the clock that the device runs on."""

    line: str
    level: int
    at_ns: int


def after(env: simpy.Environment, delay_s: float, action: Callable[[], None]) -> None:
    """Let `action` happen `delay_s` from now."""
    env.timeout(delay_s).callbacks.append(lambda _: action())


class Probe:
    """A logic analyser clipped on some of a device's lines."""

    def __init__(self, env: simpy.Environment, lines: Collection[str]) -> None:
        self._env = env
        self.lines = frozenset(lines)
        self._edges: deque[LineEdge] = deque(maxlen=MAX_EDGES)

    def record(self, line: str, level: int) -> None:
        if line in self.lines:
            self._edges.append(LineEdge(line, level, round(self._env.now * NS_PER_S)))

    def drain(self) -> list[LineEdge]:
        """The edges since the last call, oldest first."""
        edges = list(self._edges)
        self._edges.clear()
        return edges


class Line:
    """A sensor line: `level` is on the wire, `seen` is what the firmware reads once the debounce time is over."""

    def __init__(
        self, probe: Probe, env: simpy.Environment, name: str, debounce_s: float = 0.0, level: int = 0
    ) -> None:
        self._probe = probe
        self._env = env
        self.name = name
        self.debounce_s = debounce_s
        self.level = level
        self._pulses = 0
        self._stable = level
        self._since = -debounce_s
        self._waiting: list[tuple[int, simpy.Event]] = []

    def set(self, level: int) -> None:
        """Put a level on the wire; the same level again is no edge."""
        if level == self.level:
            return
        self._note()
        self.level = level
        self._since = self._env.now
        self._probe.record(self.name, level)
        self._watch()

    @property
    def seen(self) -> int:
        """The debounced level."""
        settled = self._env.now - self._since >= self.debounce_s - 1e-9
        return self.level if settled else self._stable

    @property
    def pulses(self) -> int:
        """Pulses that a counter on the line has counted; it ignores highs and lows shorter than the debounce time."""
        self._note()
        return self._pulses

    def _note(self) -> None:
        settled = self.seen
        self._pulses += self._stable > settled
        self._stable = settled

    def reaches(self, level: int) -> simpy.Event:
        """An event that happens, with value True, as soon as the debounced level is `level`."""
        event = self._env.event()
        if self.seen == level:
            event.succeed(True)
        else:
            self._waiting.append((level, event))
            self._watch()
        return event

    def forget(self, event: simpy.Event) -> None:
        """Nobody waits for this event any more."""
        self._waiting = [entry for entry in self._waiting if entry[1] is not event]

    def _watch(self) -> None:
        if any(level == self.level for level, _ in self._waiting):
            after(self._env, max(0.0, self._since + self.debounce_s - self._env.now), self._settle)

    def _settle(self) -> None:
        level = self.seen
        reached = [event for wanted, event in self._waiting if wanted == level]
        self._waiting = [entry for entry in self._waiting if entry[0] != level]
        for event in reached:
            event.succeed(True)


class Rail:
    """The supply of the motors, led over the lid's switch, with the wires a laboratory watches.

    `power` is the supply itself, `lid` the switch (1 closed), `overcurrent` the comparator on the shunt.
    """

    def __init__(self, probe: Probe, env: simpy.Environment) -> None:
        self.power = Line(probe, env, "power", level=1)
        self.lid = Line(probe, env, "lid", level=1)
        self.overcurrent = Line(probe, env, "overcurrent")
        self._motors: list[Motor] = []

    def add(self, motor: "Motor") -> None:
        self._motors.append(motor)

    @property
    def on(self) -> bool:
        return self.power.level == 1 and self.lid.level == 1

    def switch(self, on: bool) -> None:
        """Cut or restore the supply."""
        self.power.set(int(on))
        self.measure()

    def open_lid(self, is_open: bool = True) -> None:
        """Open or close the lid's switch."""
        self.lid.set(int(not is_open))
        self.measure()

    def measure(self) -> None:
        """Let the shunt's comparator follow the motors."""
        self.overcurrent.set(int(self.on and any(motor.driven and motor.blocked for motor in self._motors)))

    @property
    def current_a(self) -> float:
        """What the device draws now, in amperes."""
        return STANDBY_A + (sum(motor.current_a for motor in self._motors) if self.on else 0.0)


class Motor:
    """A motor with its driver. `driven` is what the firmware orders, `turning` what happens."""

    def __init__(self, probe: Probe, rail: Rail, name: str) -> None:
        self._probe = probe
        self._rail = rail
        self.name = name
        self.driven = False
        self.boosted = False
        self.blocked = False
        self.started: Callable[[], None] = lambda: None
        """What the mechanics do when the motor begins to turn."""
        rail.add(self)

    def start(self, boosted: bool = False) -> None:
        """Drive the motor, with more power when `boosted`."""
        self.boosted = boosted
        if not self.driven:
            self.driven = True
            self._probe.record(self.name, 1)
        self._rail.measure()
        if self.turning:
            self.started()

    def stop(self) -> None:
        if self.driven:
            self.driven = False
            self._probe.record(self.name, 0)
        self._rail.measure()

    def block(self, blocked: bool = True) -> None:
        """Hold the shaft, or let it go."""
        self.blocked = blocked
        self._rail.measure()

    @property
    def turning(self) -> bool:
        return self.driven and not self.blocked and self._rail.on

    @property
    def stalled(self) -> bool:
        """What the driver chip reports: driven, supplied, and drawing its stall current."""
        return self.driven and self.blocked and self._rail.on

    @property
    def current_a(self) -> float:
        if not self.driven:
            return 0.0
        return (STALLED_A if self.blocked else RUNNING_A) * (1.75 if self.boosted else 1.0)
