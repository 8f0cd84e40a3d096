"""Meters: Keysight 34465A."""

from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry

FUNCTIONS = {"voltage": ("CONF:VOLT:DC", "V"), "current": ("CONF:CURR:DC", "A")}


class Meter(Instrument):
    """Measures one thing at a time."""

    role = "meter"
    addresses = range(1, 2)
    _set_to = ""

    def measure(self, name: str) -> float:
        """One reading, in volts or amperes; it goes on record."""
        channel = self.channel(name)
        order, unit = FUNCTIONS[channel.quantity or "voltage"]
        if self._set_to != order:
            self.scpi.act(order)
            self._set_to = order
        return self.reading(channel, self.scpi.number("READ?"), unit)

    def make_safe(self, channel: ChannelEntry) -> None:
        """A meter drives nothing."""


class Keysight34465A(Meter):
    """A bench meter of six and a half digits."""
