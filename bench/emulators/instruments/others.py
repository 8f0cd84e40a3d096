"""Emulated relays, meter and load."""

import re
from collections.abc import Mapping

from bench.emulators.instruments.scpi import OUT_OF_RANGE, Refused, ScpiInstrument
from bench.emulators.instruments.ties import ACROSS, FEEDS, Nothing, Tie


class EmulatedSwitch(ScpiInstrument):
    """Relays, each perhaps in the wire of a device's sensor line, across its contacts (`ACROSS` before its name), or
    in the lead of an actuator (`FEEDS` before its name).

    Without power, and after a reset, all are open.
    """

    addresses = range(101, 400)
    model = "HEWLETT-PACKARD,34970A,EM00000004,13-2-2"

    def __init__(self, ties: Mapping[int, Tie], lines: Mapping[int, str]) -> None:
        super().__init__(self.model)
        self._ties = ties
        self._lines = lines
        self._closed: set[int] = set()
        self.reset()
        self._add(r"ROUT:CLOS \(@(\d+)\)", lambda m: self._set(m, True))
        self._add(r"ROUT:OPEN \(@(\d+)\)", lambda m: self._set(m, False))
        self._add(r"ROUT:CLOS\? \(@(\d+)\)", lambda m: str(int(self._address(m) in self._closed)))

    def reset(self) -> None:
        self._closed.clear()
        for address in self._ties:
            self._join(address, False)

    def _address(self, found: re.Match[str]) -> int:
        address = int(found[1])
        if address not in self.addresses:
            raise Refused(*OUT_OF_RANGE)
        return address

    def _set(self, found: re.Match[str], closed: bool) -> None:
        address = self._address(found)
        (self._closed.add if closed else self._closed.discard)(address)
        self._join(address, closed)

    def _join(self, address: int, closed: bool) -> None:
        if address in self._ties and address in self._lines:
            tie, line = self._ties[address], self._lines[address]
            if line.startswith(ACROSS):
                tie.bridge_line(line.removeprefix(ACROSS), closed)
            elif line.startswith(FEEDS):
                tie.actuate(line.removeprefix(FEEDS), closed)
            else:
                tie.join_line(line, closed)


class Emulated34980A(EmulatedSwitch):
    addresses = range(1001, 9000)
    model = "Agilent Technologies,34980A,EM00000005,2.43-2.43-0.00-0.00"

    def __init__(self, ties: Mapping[int, Tie], lines: Mapping[int, str]) -> None:
        super().__init__(ties, lines)
        self._add(r"ROUT:OPEN:ALL", lambda _: self.reset())


class EmulatedMeter(ScpiInstrument):
    """Measures the rail that it is clipped on: its voltage, or what its supply gives."""

    def __init__(self, ties: Mapping[int, Tie]) -> None:
        super().__init__("Keysight Technologies,34465A,EM00000006,A.03.02-02.40")
        self._tie = ties.get(1, Nothing())
        self._function = 0
        self._taken = 0.0
        self._add(r"CONF:(VOLT|CURR):DC", self._configure)
        self._add(r"READ\?", lambda _: f"{self._measured():+.8E}")
        self._add(r"INIT", self._take)
        self._add(r"FETC\?", lambda _: f"{self._taken:+.8E}")

    def _configure(self, found: re.Match[str]) -> None:
        self._function = 0 if found[1].upper() == "VOLT" else 1

    def _measured(self) -> float:
        return self._tie.rail[self._function]

    def _take(self, _: re.Match[str]) -> None:
        self._taken = self._measured()


class EmulatedLoad(ScpiInstrument):
    """Draws a steady current from a rail while its input is on. Its answers carry units."""

    def __init__(self, ties: Mapping[int, Tie]) -> None:
        super().__init__("THURLBY THANDAR,LD400P,EM00000007,1.02")
        self._tie = ties.get(1, Nothing())
        self._level_a = 0.0
        self._on = False
        self._add(r"MODE (C)", lambda _: None)
        self._add(r"A (\d+(?:\.\d*)?)", self._set_level)
        self._add(r"INP (0|1)", self._switch)
        self._add(r"INP\?", lambda _: f"INP {int(self._on)}")
        self._add(r"V\?", lambda _: f"{self._tie.rail[0]:.3f}V")
        self._add(r"I\?", lambda _: f"{self._level_a if self._on else 0.0:.3f}A")

    def reset(self) -> None:
        self._level_a, self._on = 0.0, False
        self._tie.load(0.0)

    def _set_level(self, found: re.Match[str]) -> None:
        if float(found[1]) > 80:
            raise Refused(*OUT_OF_RANGE)
        self._level_a = float(found[1])
        self._apply()

    def _switch(self, found: re.Match[str]) -> None:
        self._on = found[1] == "1"
        self._apply()

    def _apply(self) -> None:
        self._tie.load(self._level_a if self._on else 0.0)
