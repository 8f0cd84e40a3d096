"""Motors of emulated devices and the rail that feeds them, with the currents a laboratory would measure."""

import math
from collections.abc import Callable

import simpy

from bench.emulators.lines import Line, Probe

RUNNING_A = 0.4
STALLED_A = 1.8
STANDBY_A = 0.05
"""Currents of a small geared motor running, stalled, and of the electronics alone (engineering judgement)."""
NOMINAL_V = 24.0
STALL_BELOW_V = 16.0
POWER_GOOD_V = 8.0
"""The rail at which the motors are made to run, below which they no longer turn, and below which it counts as lost."""


class Rail:
    """The supply of the motors, led over the lid's switch, with the wires a laboratory watches.

    `power` is the supply itself, `lid` the switch (1 closed), `overcurrent` the comparator on the shunt,
    `driver_fault` the fault pin of the motors' driver chips.
    """

    def __init__(self, probe: Probe, env: simpy.Environment) -> None:
        self.power = Line(probe, env, "power", level=1)
        self.lid = Line(probe, env, "lid", level=1)
        self.overcurrent = Line(probe, env, "overcurrent")
        self.driver_fault = Line(probe, env, "driver_fault")
        self.sagging = False
        """True while the whole device has too little voltage, not its motors alone."""
        self.voltage_v = NOMINAL_V
        self._motors: list[Motor] = []
        self._switched = True
        self._source_v = NOMINAL_V
        self._limit_a = math.inf
        self._extra_a = 0.0
        self._wanted_a = STANDBY_A

    def add(self, motor: "Motor") -> None:
        self._motors.append(motor)

    @property
    def on(self) -> bool:
        return self.power.level == 1 and self.lid.level == 1 and not self.sagging

    def switch(self, on: bool) -> None:
        """Cut or restore the lead from the supply."""
        self._switched = on
        self.measure()

    def supply(self, voltage_v: float, limit_a: float = math.inf) -> None:
        """What the supply gives: so many volts as long as it need not give more amperes than its limit."""
        self._source_v, self._limit_a = voltage_v, limit_a
        self.measure()

    def load(self, current_a: float) -> None:
        """Something else draws so much from the same supply."""
        self._extra_a = current_a
        self.measure()

    @property
    def weak(self) -> bool:
        """There, and too low for a motor to turn."""
        return self.on and self.voltage_v < STALL_BELOW_V

    def open_lid(self, is_open: bool = True) -> None:
        """Open or close the lid's switch."""
        self.lid.set(int(not is_open))
        self.measure()

    def note_trips(self) -> None:
        """Let the drivers' fault pin follow the motors."""
        self.driver_fault.set(int(any(motor.tripped for motor in self._motors)))
        self.measure()

    def measure(self) -> None:
        """Let the voltage and the shunt's comparator follow what is drawn, and motors that can turn again do so."""
        driven = [motor for motor in self._motors if motor.driven]
        wanted_a = self._extra_a + STANDBY_A + sum([motor.wanted_a for motor in driven])
        was_weak = self.weak or not self.power.level
        self._wanted_a = wanted_a
        self.voltage_v = self._source_v * min(1.0, self._limit_a / wanted_a) if self._switched else 0.0
        self.power.set(int(self.voltage_v >= POWER_GOOD_V))
        self.overcurrent.set(int(any(motor.stalled for motor in driven)))
        if was_weak and self.on and not self.weak:
            for motor in self._motors:
                if motor.turning:
                    motor.started()

    @property
    def current_a(self) -> float:
        """What the device draws now, in amperes."""
        return STANDBY_A + (sum(motor.current_a for motor in self._motors) if self.on else 0.0)

    @property
    def supplied_a(self) -> float:
        """What the supply gives now to all that hangs on it, in amperes."""
        if self._wanted_a > self._limit_a and self.voltage_v > 0:
            return self._limit_a  # the voltage has given way, so that it need not give more
        return min(self._limit_a, self.current_a + self._extra_a) if self.voltage_v > 0 else 0.0


class Motor:
    """A motor with its driver. `driven` is what the firmware orders, `turning` what happens."""

    def __init__(self, probe: Probe, rail: Rail, name: str) -> None:
        self._probe = probe
        self._rail = rail
        self.name = name
        self.driven = False
        self.boosted = False
        self.blocked = False
        self.braked = False
        """A laboratory's brake holds the shaft."""
        self.tripped = False
        """The driver chip has switched itself off."""
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

    def brake(self, braked: bool = True) -> None:
        """Let a brake hold the shaft, or let it go: then a motor that is still driven turns again."""
        self.braked = braked
        self._rail.measure()
        if not braked and self.turning:
            self.started()

    def trip(self, tripped: bool = True) -> None:
        """Let the driver chip switch itself off, or start again."""
        self.tripped = tripped
        self._rail.note_trips()

    @property
    def turning(self) -> bool:
        return self.driven and not self.held and not self.tripped and self._rail.on and not self._rail.weak

    @property
    def held(self) -> bool:
        """Whether anything holds the shaft."""
        return self.blocked or self.braked

    @property
    def stalled(self) -> bool:
        """What the driver chip reports: driven, supplied, and drawing its stall current."""
        return self.driven and self._rail.on and (self.held or self._rail.weak)

    @property
    def wanted_a(self) -> float:
        """What it would draw from a rail at its nominal voltage, in amperes."""
        if not self.driven:
            return 0.0
        return (STALLED_A if self.held else RUNNING_A) * (1.75 if self.boosted else 1.0)

    @property
    def current_a(self) -> float:
        if not self.driven or self.tripped:
            return 0.0
        held_a = STALLED_A * self._rail.voltage_v / NOMINAL_V * (1.75 if self.boosted else 1.0)
        return held_a if self._rail.weak else self.wanted_a
