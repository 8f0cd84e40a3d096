"""What all instruments have in common: channels with limits, readings on record, a safe state."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

from bench.instruments.entry import ChannelEntry, InstrumentEntry, Role
from bench.instruments.scpi import Scpi
from evidence.errors import RigFault, UsageError
from evidence.events import InstrumentIdentity, ReadingTaken

Report = Callable[[str, ReadingTaken], object]
"""Takes a reading and the name of the instrument that gave it."""


class Instrument(ABC):
    """One instrument. Channels are named as in the rig file; nothing is ever set beyond what stands there.

    UsageError for a channel that is not there or a value out of its limits, RigFault when the instrument does not do
    what it is told.
    """

    role: ClassVar[Role]
    addresses: ClassVar[range]
    """The channels that this kind of instrument has."""
    error_query: ClassVar[str] = "SYST:ERR?"

    def __init__(self, entry: InstrumentEntry, scpi: Scpi, report: Report) -> None:
        self.entry = entry
        self.name = entry.name
        self.scpi = scpi
        self._report = report
        self.channels: Mapping[str, ChannelEntry] = {channel.name: channel for channel in entry.channel}

    def identify(self) -> InstrumentIdentity:
        """Who the instrument says it is, once it is the one of the rig file. RigFault when it is another."""
        maker, model, serial, firmware = (part.strip() for part in self.scpi.name_itself().split(",", 3))
        wanted = [part.strip() for part in self.entry.identity.split(",")]
        if self.entry.identity and [maker.casefold(), model.casefold()] != [part.casefold() for part in wanted]:
            raise RigFault(
                f"{self.name}: {maker} {model} answers, the rig file expects {' '.join(wanted)}. "
                "Check its address; nothing was switched."
            )
        if self.entry.serial and serial != self.entry.serial:
            raise RigFault(
                f"{self.name}: it has serial number {serial}, the rig file expects {self.entry.serial}. "
                "Check its address; nothing was switched."
            )
        return InstrumentIdentity(instrument=self.name, maker=maker, model=model, serial=serial, firmware=firmware)

    def safe(self) -> None:
        """Leave every channel as the rig file says it is to be left, and see that it is so."""
        for channel in self.channels.values():
            self.make_safe(channel)

    def begin_work(self) -> None:
        """Bring every channel to how it stands while the rig is at work."""
        for channel in self.channels.values():
            self.make_ready(channel)

    @abstractmethod
    def make_safe(self, channel: ChannelEntry) -> None: ...

    def make_ready(self, channel: ChannelEntry) -> None:
        """Nothing, where a channel does nothing by itself."""
        return

    def close(self) -> None:
        """Let go of the instrument, as it stands."""
        self.scpi.close()

    def channel(self, name: str) -> ChannelEntry:
        if name not in self.channels:
            raise UsageError(f"{self.name}: there is no channel {name!r}; there are {', '.join(self.channels)}.")
        return self.channels[name]

    def reading(self, channel: ChannelEntry, value: float, unit: str) -> float:
        """Put a reading on record, under the name of the device that the channel hangs on."""
        name = f"{channel.device}/{channel.name}" if channel.device else channel.name
        taken = ReadingTaken(channel=name, value=value, unit=unit, rail=channel.rail, line=channel.line)
        self._report(self.name, taken)
        return value

    def within(self, channel: ChannelEntry, value: float, most: float, unit: str) -> float:
        """The value, if it is a number from 0 to the rig file's limit."""
        if not (math.isfinite(value) and 0 <= value <= most):
            raise UsageError(
                f"{self.name}, channel {channel.name}: {value:g} {unit} asked for; the rig file allows 0 to {most:g}."
            )
        return value

    def failed(self, channel: ChannelEntry, wanted: str, seen: str) -> RigFault:
        return RigFault(
            f"{self.name}, channel {channel.name}: was told to be {wanted}, says that it is {seen}. "
            "Check for a tripped protection, a lock of its front panel and its wiring."
        )
