"""What the mechanics of both emulated devices have in common: a jammed card, and a person who opens the device."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import simpy

from bench.emulators.drives import Motor, Rail
from bench.emulators.injector import Due, Injector
from bench.emulators.lines import Line, Probe, after
from bench.emulators.strikes import STRIKES, Occasion
from bench.emulators.timings import SensorTimings
from bench.emulators.world import Cards
from evidence.errors import UsageError

PINS = {"entry_pin": "entry", "exit_pin": "exit"}
"""Solenoids of a laboratory, and the sensor at which each pushes a pin into the way of the cards."""
HOLE_S = 0.01
"""How long the sensor sees through a torn card."""


class Obstacle:
    """What holds a card: for good, for a while, or until a reverse run of the rollers shakes it loose."""

    def __init__(self) -> None:
        self._freed: Callable[[], None] | None = None
        self._held = 0
        self.pin = ""
        """The laboratory's pin that holds it: only its withdrawal frees the card; empty for anything else."""

    def __bool__(self) -> bool:
        return self._freed is not None

    def hold(self, env: simpy.Environment, hold_s: float, freed: Callable[[], None], pin: str = "") -> None:
        """Hold a card; `freed` is how it moves on. `hold_s` 0 holds it for good."""
        self._freed, self.pin = freed, pin
        self._held += 1
        mine = self._held
        if hold_s > 0:
            after(env, hold_s, lambda: self.free() if mine == self._held else None)

    def free(self) -> None:
        """Let the card go on."""
        freed, self._freed, self.pin = self._freed, None, ""
        if freed is not None:
            freed()

    def remove(self) -> None:
        """Take the card away; it goes nowhere by itself any more."""
        self._freed, self.pin = None, ""
        self._held += 1


class Mechanics(ABC):
    """Tray, rail and sensors that every device has. Places in the world are `name/part`."""

    def __init__(
        self,
        env: simpy.Environment,
        world: Cards,
        name: str,
        probe: Probe,
        faults: Injector,
        sensors: SensorTimings,
        seed: int | str,
    ) -> None:
        self.env = env
        self.world = world
        self.name = name
        self.probe = probe
        self.faults = faults
        self.rng = random.Random(f"{seed}:{name}:mechanics")
        self.rail = Rail(probe, env)
        self.tray = Line(probe, env, "tray", sensors.debounce_s)
        self.entry = Line(probe, env, "entry", sensors.entry_debounce_s)
        self.exit = Line(probe, env, "exit", sensors.debounce_s)
        self.supply = Line(probe, env, "supply", level=1)
        self.undervoltage = Line(probe, env, "undervoltage")
        self.protection = Line(probe, env, "protection")
        """The supply's own protection against too much voltage has tripped."""
        self.reset = Line(probe, env, "reset")
        self.service = Line(probe, env, "service")
        """Something is sent on the connector for service."""
        self.off_index = Line(probe, env, "off_index")
        """A laboratory's encoder on the main shaft: it stands beside the place where it should be."""
        self.button = Line(probe, env, "button")
        self.stop_button = Line(probe, env, "stop_button")
        self.vibrator = self.motor("vibrator")
        self.obstacle = Obstacle()
        self.pins: set[str] = set()
        """Sensors at which a laboratory's pin stands in the way: `entry`, `exit`."""
        self.sticky, self.drag = 0, 1.0
        """Cards still to come that pass so many times more slowly."""
        self.torn = False
        self.leaks = False
        self.spoofed: Callable[[int], None] = lambda _: None
        """Called when a fault says that the firmware claims this number of cards whatever it counts."""
        self.forgot_history: Callable[[], None] = lambda: None
        self.went_dark: Callable[[float, str], None] = lambda _dark_s, _code: None
        """Called when the electronics stop: for so many seconds (0: for good), and as what they start again."""
        self.went_silent: Callable[[], None] = lambda: None
        """Called when a fault says that the firmware keeps quiet about the jam that it causes."""
        self._opened = world.opened(name)

    @property
    def lines(self) -> dict[str, Line]:
        """Its sensor lines by name, the lid's switch among them."""
        return {part.name: part for part in (*vars(self).values(), self.rail.lid) if isinstance(part, Line)}

    def motor(self, name: str) -> Motor:
        return Motor(self.probe, self.rail, name)

    def place(self, part: str) -> str:
        return f"{self.name}/{part}"

    def transit_s(self, shortest_s: float, longest_s: float) -> float:
        """How long the next card takes to pass a sensor."""
        transit_s = self.rng.uniform(shortest_s, longest_s)
        if self.sticky:
            self.sticky -= 1
            return transit_s * self.drag
        return transit_s

    def line(self, name: str) -> Line:
        """A sensor line by its name: tray, entry or exit."""
        return {"tray": self.tray, "entry": self.entry, "exit": self.exit}[name]

    @property
    @abstractmethod
    def main_drive(self) -> Motor:
        """The motor that the device cannot work without."""

    @property
    def brakes(self) -> dict[str, Motor]:
        """A laboratory's brakes by name, each with the motor whose shaft it holds."""
        return {"brake": self.main_drive}

    def actuate(self, actuator: str, on: bool) -> None:
        """Feed what a laboratory has put on the device, or no longer. UsageError when it has nothing of that name."""
        if actuator in self.brakes:
            self.brakes[actuator].brake(on)
        elif actuator not in PINS:
            known = ", ".join([*PINS, *self.brakes])
            raise UsageError(f"{self.name}: there is no actuator {actuator[:40]!r}; there are {known}.")
        elif on:
            self.pins.add(PINS[actuator])
        else:
            self.pins.discard(PINS[actuator])
            if self.obstacle.pin == PINS[actuator]:
                self.obstacle.free()

    def strike(self, occasion: Occasion, card: int = 0) -> None:
        """Let every fault happen that is due at this occasion."""
        if not self.faults.pending:
            return
        for name, strike in {**STRIKES[occasion], **self.own_strikes(occasion)}.items():
            if (due := self.faults.take(name, card)) is not None:
                strike(self, due)

    def own_strikes(self, occasion: Occasion) -> dict[str, Callable[[Any, Due], None]]:
        """Faults of this kind of device alone."""
        return {}

    def sag(self, sagging: bool) -> None:
        """The voltage falls below what the motors need, or is back."""
        self.rail.sagging = sagging
        self.rail.measure()

    def tear(self, line: Line, transit_s: float) -> None:
        """A torn card shows the sensor a hole, shorter than the firmware notices, in the middle of its passage."""
        if self.torn:
            self.torn = False
            after(self.env, transit_s / 2, lambda: line.set(0))
            after(self.env, transit_s / 2 + HOLE_S, lambda: line.set(1))

    def leak(self) -> None:
        """A device that leaks the order of its cards says each one on its connector for service."""
        if self.leaks:
            self.service.set(1)
            self.service.set(0)

    def refresh(self) -> bool:
        """Let the mechanics notice what hands did; True when somebody has opened the device and emptied it."""
        opened = self.world.opened(self.name)
        emptied = opened != self._opened
        self._opened = opened
        if emptied:
            self.obstacle.remove()
            self.rail.switch(True)
            self.rail.open_lid(False)
            self.sag(False)
            self.protection.set(0)
            for line in (self.tray, self.entry, self.exit):
                line.hold(None)
            self.main_drive.trip(False)
            self.emptied()
        self.sense()
        return emptied

    def put_right(self) -> None:
        """Whatever is bent, torn, sticky or taps its own wires is exchanged for something sound."""
        self.sticky, self.drag = 0, 1.0
        self.torn = self.leaks = False

    @abstractmethod
    def emptied(self) -> None:
        """All cards were taken out and whatever blocked the mechanics was freed."""

    @abstractmethod
    def sense(self) -> None:
        """Let the sensors follow what lies on them."""

    def reverse(self) -> None:
        """Run the rollers backwards for a moment: a card that is held comes loose, but not from a pin."""
        if self.rail.on and not self.obstacle.pin:
            self.obstacle.free()

    def jam(self, name: str, line: str, card: int, limits: tuple[float, float], freed: Callable[[], None]) -> bool:
        """Hold the card at hand if a fault says so: `name` itself, or a silent jam at this `line`.

        `limits` are the seconds after which the firmware gives up waiting the first and the last time. True when held.
        """
        if line in self.pins:
            self.obstacle.hold(self.env, 0.0, freed, line)
            return True
        due: Due | None = self.faults.take(name, card)
        if due is not None:
            self.obstacle.hold(self.env, due.seconds("hold_s"), freed)
            return True
        due = self.faults.take_at(line, card)
        if due is not None:
            self.went_silent()
            self.obstacle.hold(self.env, due.seconds("hold_s") or sum(limits) / 2, freed)
            return True
        return False
