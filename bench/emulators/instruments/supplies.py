"""Emulated power supplies, one for each dialect that the bench speaks."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from bench.emulators.instruments.scpi import OUT_OF_RANGE, Refused, ScpiInstrument
from bench.emulators.instruments.ties import Nothing, Tie

NUMBER = r"(\d+(?:\.\d*)?)"
SPARE = 1.1
"""How far above what an output gives its protection can be set."""


@dataclass(slots=True)
class Output:
    """One output: what it is set to, up to what, and what hangs on it."""

    tie: Tie
    most_v: float
    most_a: float
    voltage_v: float = 0.0
    current_a: float = 0.1
    on: bool = False
    protection_v: float = math.inf
    """Beyond this the output's protection switches it off, and it stays off until that is cleared."""
    tripped: bool = False

    def set(self, voltage_v: float | None = None, current_a: float | None = None) -> None:
        if (voltage_v or 0) > self.most_v or (current_a or 0) > self.most_a:
            raise Refused(*OUT_OF_RANGE)
        self.voltage_v = self.voltage_v if voltage_v is None else voltage_v
        self.current_a = self.current_a if current_a is None else current_a
        self.apply()

    def switch(self, on: bool) -> None:
        self.on = on
        self.apply()

    def protect(self, voltage_v: float) -> None:
        if voltage_v > SPARE * self.most_v:
            raise Refused(*OUT_OF_RANGE)
        self.protection_v = voltage_v
        self.apply()

    def clear(self) -> None:
        self.tripped = False
        self.apply()

    def apply(self) -> None:
        if self.on and self.voltage_v > self.protection_v:
            self.tripped = True
        self.on = self.on and not self.tripped
        self.tie.supply(self.voltage_v if self.on else 0.0, self.current_a)

    def measured(self) -> tuple[float, float]:
        return self.tie.rail if self.on else (0.0, 0.0)


class EmulatedSupply(ScpiInstrument):
    """Base: outputs by number. All are off when it is switched on, and so is the rail of whatever hangs on one."""

    limits: tuple[tuple[float, float], ...]
    """Volts and amperes that each output can give."""
    identity: str

    def __init__(self, ties: Mapping[int, Tie]) -> None:
        super().__init__(self.identity)
        self.outputs = {
            number: Output(ties.get(number, Nothing()), *limit) for number, limit in enumerate(self.limits, 1)
        }
        self.reset()
        self.commands()

    def reset(self) -> None:
        for output in self.outputs.values():
            output.on = output.tripped = False
            output.voltage_v, output.protection_v = 0.0, math.inf
            output.apply()

    def commands(self) -> None:
        """Add the commands of this model."""

    def output(self, number: str) -> Output:
        found = self.outputs.get(int(number))
        if found is None:
            raise Refused(*OUT_OF_RANGE)
        return found


class EmulatedE36300(EmulatedSupply):
    identity = "Keysight Technologies,E36313A,EM00000001,1.0.0-1.00"
    limits = ((6.0, 10.0), (25.0, 2.0), (25.0, 2.0))

    def commands(self) -> None:
        which = r",?\s*\(@(\d)\)"
        self._add(rf"VOLT {NUMBER}{which}", lambda m: self.output(m[2]).set(voltage_v=float(m[1])))
        self._add(rf"CURR {NUMBER}{which}", lambda m: self.output(m[2]).set(current_a=float(m[1])))
        self._add(rf"OUTP (0|1|ON|OFF){which}", lambda m: self.output(m[2]).switch(m[1].upper() in {"1", "ON"}))
        self._add(rf"OUTP\? {which.lstrip(',?')}", lambda m: str(int(self.output(m[1]).on)))
        self._add(rf"MEAS:VOLT\? {which.lstrip(',?')}", lambda m: f"{self.output(m[1]).measured()[0]:+.8E}")
        self._add(rf"MEAS:CURR\? {which.lstrip(',?')}", lambda m: f"{self.output(m[1]).measured()[1]:+.8E}")
        self._add(rf"VOLT:PROT {NUMBER}{which}", lambda m: self.output(m[2]).protect(float(m[1])))
        self._add(rf"VOLT:PROT\? {which.lstrip(',?')}", lambda m: f"{self.output(m[1]).protection_v:+.8E}")
        self._add(rf"VOLT:PROT:TRIP\? {which.lstrip(',?')}", lambda m: str(int(self.output(m[1]).tripped)))
        self._add(rf"OUTP:PROT:CLE {which.lstrip(',?')}", lambda m: self.output(m[1]).clear())


class EmulatedDP832(EmulatedSupply):
    identity = "RIGOL TECHNOLOGIES,DP832,EM00000002,00.01.16"
    limits = ((30.0, 3.0), (30.0, 3.0), (5.0, 3.0))

    def commands(self) -> None:
        self._add(rf"APPL CH(\d),{NUMBER},{NUMBER}", lambda m: self.output(m[1]).set(float(m[2]), float(m[3])))
        self._add(r"OUTP CH(\d),(ON|OFF)", lambda m: self.output(m[1]).switch(m[2].upper() == "ON"))
        self._add(r"OUTP\? CH(\d)", lambda m: "ON" if self.output(m[1]).on else "OFF")
        self._add(r"MEAS:ALL\? CH(\d)", self._measure)
        self._add(rf"OUTP:OVP:VAL CH(\d),{NUMBER}", lambda m: self.output(m[1]).protect(float(m[2])))
        self._add(r"OUTP:OVP:VAL\? CH(\d)", lambda m: f"{self.output(m[1]).protection_v:.3f}")
        self._add(r"OUTP:OVP CH(\d),ON", lambda m: self.output(m[1]).apply())
        self._add(r"OUTP:OVP:QUES\? CH(\d)", lambda m: "YES" if self.output(m[1]).tripped else "NO")
        self._add(r"OUTP:OVP:CLEAR CH(\d)", lambda m: self.output(m[1]).clear())

    def _measure(self, found: re.Match[str]) -> str:
        voltage_v, current_a = self.output(found[1]).measured()
        return f"{voltage_v:.4f},{current_a:.4f},{voltage_v * current_a:.3f}"


class EmulatedHMP(EmulatedSupply):
    identity = "ROHDE&SCHWARZ,HMP4040,EM00000003,HW50020001/SW2.62"
    limits = ((32.0, 10.0),) * 4

    def commands(self) -> None:
        self._chosen = "1"
        self._general = False
        self._selected: set[str] = set()
        self._add(r"INST:NSEL (\d)", self._choose)
        self._add(rf"VOLT {NUMBER}", lambda m: self.output(self._chosen).set(voltage_v=float(m[1])))
        self._add(rf"CURR {NUMBER}", lambda m: self.output(self._chosen).set(current_a=float(m[1])))
        self._add(r"OUTP:SEL (0|1)", self._select)
        self._add(r"OUTP:GEN (0|1)", self._switch)
        self._add(r"OUTP:SEL\?", self._is_selected)
        self._add(r"OUTP:GEN\?", lambda _: str(int(self._general)))
        self._add(r"MEAS:VOLT\?", lambda _: f"{self.output(self._chosen).measured()[0]:.3f}")
        self._add(r"MEAS:CURR\?", lambda _: f"{self.output(self._chosen).measured()[1]:.4f}")
        self._add(rf"VOLT:PROT {NUMBER}", lambda m: self.output(self._chosen).protect(float(m[1])))
        self._add(r"VOLT:PROT\?", lambda _: f"{self.output(self._chosen).protection_v:.3f}")
        self._add(r"VOLT:PROT:TRIP\?", lambda _: str(int(self.output(self._chosen).tripped)))
        self._add(r"VOLT:PROT:CLE", self._clear)

    def _choose(self, found: re.Match[str]) -> None:
        self.output(found[1])
        self._chosen = found[1]

    def _is_selected(self, _: re.Match[str]) -> str:
        return str(int(self._chosen in self._selected and not self.output(self._chosen).tripped))

    def _select(self, found: re.Match[str]) -> None:
        (self._selected.add if found[1] == "1" else self._selected.discard)(self._chosen)
        self._apply()

    def _switch(self, found: re.Match[str]) -> None:
        self._general = found[1] == "1"
        self._apply()

    def _clear(self, _: re.Match[str]) -> None:
        self._selected.discard(self._chosen)
        self.output(self._chosen).clear()

    def _apply(self) -> None:
        for number, output in self.outputs.items():
            output.switch(self._general and str(number) in self._selected)
