"""The part of a rig file that describes instruments: what they are, where, and how far each may ever be driven."""

from typing import Annotated, Literal

import msgspec

Role = Literal["power_supply", "switch", "meter", "load"]
Safe = Literal["", "off", "on", "open", "closed"]
Actuator = Literal["", "entry_pin", "exit_pin", "brake", "flap_stop"]
"""A pin in the way of the cards at the entry or exit sensor; a brake on the main drive; a stop in the way of
the flap."""
Volts = Annotated[float, msgspec.Meta(ge=0, le=1000)]
Amperes = Annotated[float, msgspec.Meta(ge=0, le=1000)]
Seconds = Annotated[float, msgspec.Meta(ge=0.05, le=60)]


class ChannelEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One output, relay or input of an instrument."""

    name: str
    """What the journal calls it, such as `shoe-rail`."""
    address: int
    """The number that the instrument knows it by: an output, or a relay such as 101."""
    device: str = ""
    """The device that it feeds, loads, measures or cuts a wire of."""
    line: str = ""
    """The device's sensor line that a relay lies in, such as `exit`."""
    rail: bool = False
    """It is what feeds the device's motors, or measures that: only such a reading shows that they lost their supply."""
    quantity: Literal["", "voltage", "current"] = ""
    """What a meter measures there."""
    voltage_v: Volts = 0.0
    """What a supply is set to while the rig is at work."""
    max_voltage_v: Volts = 0.0
    """What a supply is never set above."""
    max_current_a: Amperes = 0.0
    """Current limit of a supply; what a load never draws more than."""
    ready_s: Annotated[float, msgspec.Meta(ge=0, le=600)] = 0.0
    """How long what a supply feeds needs after it is switched on, until it can be spoken to."""
    across: bool = False
    """The relay bridges the contacts of the line, as a finger on a key does, in place of lying in its wire."""
    actuator: Actuator = ""
    """The relay feeds this solenoid or brake, which the laboratory has put on the device."""
    work: Literal["", "open", "closed"] = ""
    """How a relay stands while the rig is at work; closed unless told otherwise, open where it lies across contacts or
    feeds an actuator."""
    safe: Safe = ""
    """How it is left: off or on, of a relay open or closed; off and open unless told otherwise."""

    @property
    def at_rest_open(self) -> bool:
        """True for a relay that is open while the rig is at work."""
        return self.work == "open" or ((self.across or self.actuator != "") and not self.work)


class InstrumentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One instrument of a rig."""

    name: str
    role: Role
    driver: str
    channel: list[ChannelEntry] = []
    resource: str = ""
    """VISA resource; empty: the instrument is emulated in this process."""
    identity: str = ""
    """Maker and model as `*IDN?` tells them, such as `Keysight Technologies,E36312A`."""
    serial: str = ""
    """Its serial number, where it matters which one of two it is."""
    timeout_s: Seconds = 2.0
