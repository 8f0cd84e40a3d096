"""Sensor lines of emulated devices, and the probe on their wires.

Nothing here knows what a device is for. Firmware reads the lines, and faults change what they show. Edges are recorded
where a laboratory would clip its probe on: at the line, whatever the firmware makes of it.
"""

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

import simpy

from bench.clock import NS_PER_S

MAX_EDGES = 100_000
"""Edges a probe keeps until they are fetched; the oldest are lost beyond that."""


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
        self.lines = set(lines)
        self._at_first = frozenset(lines)
        self._edges: deque[LineEdge] = deque(maxlen=MAX_EDGES)

    def clip_on(self, lines: Collection[str]) -> None:
        """Watch further lines from now on."""
        self.lines.update(lines)

    def unclip(self) -> None:
        """Watch no more lines than at first."""
        self.lines = set(self._at_first)

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
        self.rose: Callable[[], None] = lambda: None
        """Called when the wire goes high, before any debouncing."""
        self.sensed = level
        """What the sensor says, whatever is on the wire."""
        self.sensor_name = f"{name}_sensor"
        self._held: int | None = None
        self._pulses = 0
        self._stable = level
        self._since = -debounce_s
        self._waiting: list[tuple[int, simpy.Event]] = []

    def set(self, level: int) -> None:
        """What the sensor says. It is on the wire too, unless the wire is held; the same level again is no edge."""
        if level != self.sensed:
            self.sensed = level
            self._probe.record(self.sensor_name, level)
        if level != self.level and self._held is None:
            self._put(level)

    def hold(self, level: int | None) -> None:
        """Let the wire stand at a level whatever the sensor says: it is broken or shorted. None: it follows again."""
        self._held = level
        self._put(self.sensed if level is None else level)

    def join(self, joined: bool = True) -> None:
        """Close the wire, or open it: then the firmware's end is low, whatever the sensor says."""
        self.hold(None if joined else 0)

    def bridge(self, bridged: bool = True) -> None:
        """Bridge the contacts, so that the firmware's end is high whatever the sensor says, or let go."""
        self.hold(1 if bridged else None)

    def _put(self, level: int) -> None:
        if level == self.level:
            return
        # Most of what an emulated device does ends here, thousands of times in a shuffle.
        self._note()
        self.level = level
        self._since = self._env.now
        self._probe.record(self.name, level)
        self._watch()
        if level:
            self.rose()

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
        if self._waiting and any(level == self.level for level, _ in self._waiting):
            after(self._env, max(0.0, self._since + self.debounce_s - self._env.now), self._settle)

    def _settle(self) -> None:
        level = self.seen
        reached = [event for wanted, event in self._waiting if wanted == level]
        self._waiting = [entry for entry in self._waiting if entry[0] != level]
        for event in reached:
            if not event.triggered:  # whoever waited for it may have been broken off meanwhile
                event.succeed(True)
