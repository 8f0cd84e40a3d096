"""Events: what instruments read."""

from evidence.events.base import Event


class LineSeen(Event, frozen=True, tag="instrument.line"):
    """An edge on a sensor or drive line, tapped independently of the device's firmware."""

    line: str
    """`device/line`, for example `shuffler/entry`."""
    level: int
    at_ns: int
    """When the edge happened, on the clock of the run."""


class ReadingTaken(Event, frozen=True, tag="instrument.reading"):
    channel: str
    """`device/channel` where the channel hangs on a device, for example `shoe/rail`."""
    value: float
    unit: str
    rail: bool = False
    """Whether that is the supply of the device's motors."""
    line: str = ""
    """The device's sensor line that a relay lies in or across."""
    fault: str = ""
    """The fault that an instrument was just bringing about when this was read; empty at any other time."""
    asked: float | None = None
    """What that instrument had been told to give, where it is of this unit."""


class ImageRead(Event, frozen=True, tag="instrument.image"):
    """A device's program memory as it was read another way than by asking the device."""

    device: str
    sha256: str


class InstrumentIdentity(Event, frozen=True, tag="instrument.identity"):
    """An instrument of the rig by its own word, which is what the rig file says of it."""

    instrument: str
    maker: str
    model: str
    serial: str
    firmware: str
