"""Power supplies: Keysight E36300, Rigol DP832, Rohde & Schwarz HMP and NGE."""

from abc import abstractmethod
from typing import ClassVar

from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry
from bench.instruments.scpi import NUMBERS, WORD
from evidence.errors import RigFault

SPARE = 1.1
"""A protection that was lowered is set so far above what the rig file allows at most."""


TRIPS_AT = 0.8
"""Share of the voltage at work to which a protection is lowered so that it trips."""
SAME_V = 0.05
"""So near to another a protection is the same one: supplies round what they are told, in volts."""


class PowerSupply(Instrument):
    """Outputs with a voltage and a current limit. Volts and amperes."""

    role = "power_supply"
    protection_v: ClassVar[float] = 27.5
    """The highest voltage to which the protection of any of its outputs can be set."""

    def set(self, name: str, voltage_v: float) -> None:
        """Set an output's voltage, and the current limit of the rig file with it."""
        channel = self.channel(name)
        self.within(channel, voltage_v, channel.max_voltage_v, "V")
        self.apply(channel.address, voltage_v, channel.max_current_a)

    def limit_current(self, name: str, current_a: float) -> None:
        """Lower an output's current limit; its voltage stays set as it is while the rig is at work."""
        channel = self.channel(name)
        self.within(channel, current_a, channel.max_current_a, "A")
        self.apply(channel.address, channel.voltage_v, current_a)

    def protect(self, name: str, voltage_v: float) -> None:
        """Set the voltage beyond which the output's protection switches it off. It goes on record whether it has."""
        channel = self.channel(name)
        self.within(channel, voltage_v, channel.max_voltage_v, "V")
        self.set_protection(channel.address, voltage_v)

    def reset_protection(self, name: str) -> None:
        """Raise an output's protection above all that the rig file allows, and let the output be switched on again."""
        channel = self.channel(name)
        self.set_protection(channel.address, min(self.protection_v, SPARE * channel.max_voltage_v))
        self.clear_protection(channel.address)

    def is_tripped(self, name: str) -> bool:
        """Whether an output's protection has switched it off, by the supply's own word; it goes on record."""
        channel = self.channel(name)
        return self.reading(channel, float(self.tripped(channel.address)), "tripped") == 1

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
            try:
                self.output(channel.name, True)
            except RigFault:
                if not self.tripped(channel.address):
                    raise
                self._check_protection(channel)
                self.reset_protection(channel.name)
                self.output(channel.name, True)

    def _check_protection(self, channel: ChannelEntry) -> None:
        """RigFault where a protection has tripped that is not set as for a fault, perhaps by a bench killed then."""
        volts, lowered = self.protection(channel.address), TRIPS_AT * channel.voltage_v
        if abs(volts - lowered) > SAME_V:
            raise RigFault(
                f"{self.name}: channel {channel.name}: its protection against too much voltage has tripped, and stands "
                f"at {volts:g} V, which is not what the bench sets for a fault ({lowered:g} V). Find out what drove "
                "the voltage up; then clear the trip at the supply's front panel."
            )

    @abstractmethod
    def apply(self, output: int, voltage_v: float, current_a: float) -> None: ...

    @abstractmethod
    def switch(self, output: int, on: bool) -> None: ...

    @abstractmethod
    def is_on(self, output: int) -> bool: ...

    @abstractmethod
    def measured(self, output: int) -> tuple[float, float]: ...

    @abstractmethod
    def set_protection(self, output: int, voltage_v: float) -> None: ...

    @abstractmethod
    def protection(self, output: int) -> float:
        """The voltage beyond which an output's protection switches it off, as the supply tells it."""

    @abstractmethod
    def tripped(self, output: int) -> bool: ...

    @abstractmethod
    def clear_protection(self, output: int) -> None: ...


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

    def set_protection(self, output: int, voltage_v: float) -> None:
        self.scpi.act(f"VOLT:PROT {voltage_v:.3f},(@{output})")

    def protection(self, output: int) -> float:
        return self.scpi.number(f"VOLT:PROT? (@{output})")

    def tripped(self, output: int) -> bool:
        return self.scpi.number(f"VOLT:PROT:TRIP? (@{output})") == 1

    def clear_protection(self, output: int) -> None:
        self.scpi.act(f"OUTP:PROT:CLE (@{output})")


class RigolDP832(PowerSupply):
    """Three outputs, `CH1` to `CH3`; whether one is on is told in a word."""

    addresses = range(1, 4)
    protection_v = 33.0

    def apply(self, output: int, voltage_v: float, current_a: float) -> None:
        self.scpi.act(f":APPL CH{output},{voltage_v:.3f},{current_a:.3f}")

    def switch(self, output: int, on: bool) -> None:
        self.scpi.act(f":OUTP CH{output},{'ON' if on else 'OFF'}")

    def is_on(self, output: int) -> bool:
        return self.scpi.ask(f":OUTP? CH{output}", WORD)[0].upper() == "ON"

    def measured(self, output: int) -> tuple[float, float]:
        voltage_v, current_a, *_ = map(float, self.scpi.ask(f":MEAS:ALL? CH{output}", NUMBERS)[0].split(","))
        return voltage_v, current_a

    def set_protection(self, output: int, voltage_v: float) -> None:
        self.scpi.act(f":OUTP:OVP:VAL CH{output},{voltage_v:.3f}")
        self.scpi.act(f":OUTP:OVP CH{output},ON")

    def protection(self, output: int) -> float:
        return self.scpi.number(f":OUTP:OVP:VAL? CH{output}")

    def tripped(self, output: int) -> bool:
        return self.scpi.ask(f":OUTP:OVP:QUES? CH{output}", WORD)[0].upper() == "YES"

    def clear_protection(self, output: int) -> None:
        self.scpi.act(f":OUTP:OVP:CLEAR CH{output}")


class RohdeSchwarzHMP(PowerSupply):
    """Up to four outputs, one of them chosen at a time, behind a switch for all. Also speaks for the NGE series."""

    addresses = range(1, 5)
    protection_v = 32.5

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

    def set_protection(self, output: int, voltage_v: float) -> None:
        self._choose(output)
        self.scpi.act(f"VOLT:PROT {voltage_v:.3f}")

    def protection(self, output: int) -> float:
        self._choose(output)
        return self.scpi.number("VOLT:PROT?")

    def tripped(self, output: int) -> bool:
        self._choose(output)
        return self.scpi.number("VOLT:PROT:TRIP?") == 1

    def clear_protection(self, output: int) -> None:
        self._choose(output)
        self.scpi.act("VOLT:PROT:CLE")

    def _choose(self, output: int) -> None:
        self.scpi.act(f"INST:NSEL {output}")
