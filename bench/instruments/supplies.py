"""Power supplies: Keysight E36300, Rigol DP832, Rohde & Schwarz HMP and NGE."""

from abc import abstractmethod

from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry
from bench.instruments.scpi import NUMBERS, WORD


class PowerSupply(Instrument):
    """Outputs with a voltage and a current limit. Volts and amperes."""

    role = "power_supply"

    def set(self, name: str, voltage_v: float) -> None:
        """Set an output's voltage, and the current limit of the rig file with it."""
        channel = self.channel(name)
        self.within(channel, voltage_v, channel.max_voltage_v, "V")
        self.apply(channel.address, voltage_v, channel.max_current_a)

    def output(self, name: str, on: bool) -> None:
        """Switch an output and see that it is switched."""
        channel = self.channel(name)
        self.switch(channel.address, on)
        if self.is_on(channel.address) != on:
            raise self.failed(channel, "on" if on else "off", "off" if on else "on")

    def measure(self, name: str) -> tuple[float, float]:
        """Volts and amperes at an output, as the supply reads them back; both go on record."""
        channel = self.channel(name)
        voltage_v, current_a = self.measured(channel.address)
        return self.reading(channel, voltage_v, "V"), self.reading(channel, current_a, "A")

    def make_safe(self, channel: ChannelEntry) -> None:
        if channel.safe != "on":
            self.output(channel.name, False)

    def make_ready(self, channel: ChannelEntry) -> None:
        if channel.voltage_v:
            self.set(channel.name, channel.voltage_v)
            self.output(channel.name, True)

    @abstractmethod
    def apply(self, output: int, voltage_v: float, current_a: float) -> None: ...

    @abstractmethod
    def switch(self, output: int, on: bool) -> None: ...

    @abstractmethod
    def is_on(self, output: int) -> bool: ...

    @abstractmethod
    def measured(self, output: int) -> tuple[float, float]: ...


class KeysightE36300(PowerSupply):
    """Three outputs, named by a channel list."""

    addresses = range(1, 4)

    def apply(self, output: int, voltage_v: float, current_a: float) -> None:
        self.scpi.act(f"VOLT {voltage_v:.4f},(@{output})")
        self.scpi.act(f"CURR {current_a:.4f},(@{output})")

    def switch(self, output: int, on: bool) -> None:
        self.scpi.act(f"OUTP {int(on)},(@{output})")

    def is_on(self, output: int) -> bool:
        return self.scpi.number(f"OUTP? (@{output})") == 1

    def measured(self, output: int) -> tuple[float, float]:
        return self.scpi.number(f"MEAS:VOLT? (@{output})"), self.scpi.number(f"MEAS:CURR? (@{output})")


class RigolDP832(PowerSupply):
    """Three outputs, `CH1` to `CH3`; whether one is on is told in a word."""

    addresses = range(1, 4)

    def apply(self, output: int, voltage_v: float, current_a: float) -> None:
        self.scpi.act(f":APPL CH{output},{voltage_v:.3f},{current_a:.3f}")

    def switch(self, output: int, on: bool) -> None:
        self.scpi.act(f":OUTP CH{output},{'ON' if on else 'OFF'}")

    def is_on(self, output: int) -> bool:
        return self.scpi.ask(f":OUTP? CH{output}", WORD)[0].upper() == "ON"

    def measured(self, output: int) -> tuple[float, float]:
        voltage_v, current_a, *_ = map(float, self.scpi.ask(f":MEAS:ALL? CH{output}", NUMBERS)[0].split(","))
        return voltage_v, current_a


class RohdeSchwarzHMP(PowerSupply):
    """Up to four outputs, one of them chosen at a time, behind a switch for all. Also speaks for the NGE series."""

    addresses = range(1, 5)

    def apply(self, output: int, voltage_v: float, current_a: float) -> None:
        self._choose(output)
        self.scpi.act(f"VOLT {voltage_v:.3f}")
        self.scpi.act(f"CURR {current_a:.4f}")

    def switch(self, output: int, on: bool) -> None:
        self._choose(output)
        self.scpi.act(f"OUTP:SEL {int(on)}")
        if on:
            self.scpi.act("OUTP:GEN 1")

    def is_on(self, output: int) -> bool:
        self._choose(output)
        return self.scpi.number("OUTP:SEL?") == 1 and self.scpi.number("OUTP:GEN?") == 1

    def measured(self, output: int) -> tuple[float, float]:
        self._choose(output)
        return self.scpi.number("MEAS:VOLT?"), self.scpi.number("MEAS:CURR?")

    def _choose(self, output: int) -> None:
        self.scpi.act(f"INST:NSEL {output}")
