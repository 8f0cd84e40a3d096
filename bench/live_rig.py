"""The rig as it stands for one scenario: its devices, hands, camera and all that reaches them."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Protocol

from bench.aftermath import Aftermath
from bench.clock import Clock
from bench.drivers.base import Driver, Role
from bench.drivers.line import Line
from bench.eye import Eye
from bench.faults.script import FaultSpec
from bench.hands.protocol import Hands
from bench.injection import Injection
from bench.inputs import Input
from bench.instruments.injection import Injections
from bench.instruments.rack import Rack
from bench.security.access import SecurityAccess
from bench.software.link import SoftwareLink
from bench.taps import Control, LineControl
from evidence.events import ApprovalRecord, DeviceChecked


class Identity(Protocol):
    """The line over which a device is asked for its firmware. RigFault when nobody answers there."""

    def ask(self) -> Sequence[DeviceChecked]:
        """Ask for digests that could not be foreseen, and say what was answered."""
        ...

    def listen(self) -> None:
        """Record what the device has said unasked."""
        ...


@dataclass(slots=True)
class Rig:
    """A rig set up for one scenario. Close it with the stack that built it."""

    clock: Clock
    devices: dict[str, Driver]
    controls: dict[str, Control]
    hands: Hands
    eye: Eye
    software: SoftwareLink
    approvals: Sequence[ApprovalRecord]
    silence: dict[str, float]
    inputs: Mapping[str, Input] = field(default_factory=dict)
    identities: Mapping[str, Identity] = field(default_factory=dict)
    """By device: the line over which it is asked for its firmware."""
    security: Mapping[str, SecurityAccess] = field(default_factory=dict)
    """By device: the network on which it is tried, and the lists."""
    listeners: Sequence[Line] = ()
    """Further connectors of devices, of which the bench only listens."""
    lines: dict[str, LineControl] = field(default_factory=dict)
    """What can spoil the line to a device, by the device's name."""
    rack: Rack | None = None
    """The instruments; None where the rig has none."""
    injections: Injections | None = None
    """The faults that those bring about."""
    injection: Injection | None = None
    """How faults reach what they befall."""
    aftermath: Aftermath | None = None
    """What earlier scenarios left at its devices; None where these are new."""
    stack: ExitStack = field(default_factory=ExitStack)

    def silence_s(self, device: str) -> float:
        """How long the device may say nothing while it works, in seconds."""
        return self.silence[device]

    def first(self, role: Role) -> str | None:
        """Name of the first device of this role, or None."""
        return next((name for name, driver in self.devices.items() if driver.role == role), None)

    def arm(self, fault: FaultSpec) -> None:
        """Arm a fault by the means this rig has. Without a means nothing is armed and the proof will fail."""
        if self.injection is not None:
            self.injection.arm(fault)

    def __enter__(self) -> "Rig":
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()
