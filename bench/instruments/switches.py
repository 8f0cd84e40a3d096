"""Relay matrices: Keysight 34970A and 34980A."""

from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry


class Switch(Instrument):
    """Relays that lie in sensor lines and leads, each opened and closed by itself."""

    role = "switch"
    addresses = range(101, 400)

    def close_relay(self, name: str) -> None:
        self._set(self.channel(name), True)

    def open_relay(self, name: str) -> None:
        self._set(self.channel(name), False)

    def is_closed(self, name: str) -> bool:
        """How a relay stands, by the instrument's own word; it goes on record."""
        channel = self.channel(name)
        closed = self.scpi.number(f"ROUT:CLOS? (@{channel.address})") == 1
        return self.reading(channel, float(closed), "closed") == 1

    def make_safe(self, channel: ChannelEntry) -> None:
        self._set(channel, channel.safe == "closed")

    def make_ready(self, channel: ChannelEntry) -> None:
        self._set(channel, not channel.at_rest_open)

    def _set(self, channel: ChannelEntry, closed: bool) -> None:
        self.scpi.act(f"ROUT:{'CLOS' if closed else 'OPEN'} (@{channel.address})")
        if (self.scpi.number(f"ROUT:CLOS? (@{channel.address})") == 1) != closed:
            raise self.failed(channel, "closed" if closed else "open", "open" if closed else "closed")


class Keysight34970A(Switch):
    """A mainframe of three slots: relays 101 to 399."""


class Keysight34980A(Switch):
    """A mainframe of eight slots, with relays of four digits."""

    addresses = range(1001, 9000)
