"""Electronic loads: LD400P."""

import re

from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry
from bench.instruments.scpi import NUMBER

WITH_UNIT = re.compile(rf"([A-Z]+\s+)?(?P<number>{NUMBER.pattern})\s*(V|A|W|OHM|SIE)?")


class Load(Instrument):
    """Draws a steady current. Amperes."""

    role = "load"
    addresses = range(1, 2)

    def draw(self, name: str, current_a: float) -> None:
        """Draw so much from now on; 0 switches the input off."""
        channel = self.channel(name)
        self.within(channel, current_a, channel.max_current_a, "A")
        self.scpi.act("MODE C")
        self.scpi.act(f"A {current_a:.4f}")
        self._input(channel, current_a > 0)

    def measure(self, name: str) -> tuple[float, float]:
        """Volts and amperes at its input; both go on record."""
        channel = self.channel(name)
        return self.reading(channel, self._value("V?"), "V"), self.reading(channel, self._value("I?"), "A")

    def make_safe(self, channel: ChannelEntry) -> None:
        self._input(channel, False)

    def _input(self, channel: ChannelEntry, on: bool) -> None:
        self.scpi.act(f"INP {int(on)}")
        if (self._value("INP?") == 1) != on:
            raise self.failed(channel, "on" if on else "off", "off" if on else "on")

    def _value(self, query: str) -> float:
        """A number whose unit comes with it, or a state that is told after the name of its setting."""
        return float(self.scpi.ask(query, WITH_UNIT)["number"])


class LD400P(Load):
    """A 400 W load, one input."""
