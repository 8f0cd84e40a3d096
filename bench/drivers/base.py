"""What every driver of a device offers, and how one is made.

A driver journals what it does through `emit`: raw bytes before they are decoded (`LinkBytes`), trouble on the line
(`LinkFault`), commands and answers. What the device claims is returned, and journalled by the caller.
"""

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from bench.clock import Clock, Deadline
from bench.links import Link
from evidence.errors import UsageError
from evidence.events import (
    AnyEvent,
    DeviceAnswered,
    DeviceCard,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceNotice,
    DeviceResult,
    DeviceStatus,
)

Role = Literal["shuffler", "shoe"]
Claim = DeviceCycle | DeviceDispensed | DeviceFault | DeviceStatus | DeviceCard | DeviceResult | DeviceNotice
Emit = Callable[[AnyEvent], object]
Options = Mapping[str, object]


def refuse_unknown(name: str, options: Options, known: set[str]) -> None:
    """UsageError when a rig file gives a driver an option that it does not have."""
    unknown = sorted(set(options) - known)
    if unknown:
        raise UsageError(f"device {name}: no option {', '.join(unknown)}; this driver has {', '.join(sorted(known))}")


def number_option(name: str, options: Options, option: str, default: float, least: float, most: float) -> float:
    """A number from a driver's options. UsageError when it is none or out of range."""
    value = options.get(option, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise UsageError(f"device {name}: option {option} is {value!r}; expected a number from {least} to {most}")
    return value


def whole_number_option(name: str, options: Options, option: str, default: int, least: int, most: int) -> int:
    """A whole number from a driver's options. UsageError when it is none or out of range."""
    value = number_option(name, options, option, default, least, most)
    if value != int(value):
        raise UsageError(f"device {name}: option {option} is {value!r}; expected a whole number")
    return int(value)


class Driver(Protocol):
    """A device under test. It can be waited for: `clock.wait([driver], deadline)` ends when a claim may be there."""

    @property
    def name(self) -> str: ...
    @property
    def role(self) -> Role: ...
    @property
    def hand_drawn(self) -> bool:
        """True for a shoe from which hands draw the cards; it dispenses none by itself."""
        ...

    def identify(self) -> DeviceIdentity:
        """Ask the device who it is. RigFault when it does not answer."""
        ...

    def status(self) -> DeviceStatus:
        """Ask the device how it stands. RigFault when it does not answer."""
        ...

    def command(self, name: str, **args: int) -> DeviceAnswered:
        """Give an order: load, shuffle, deal_group, deal_card, stop, unload, clear_fault, or one of the device's own.

        Returns as soon as the device has accepted or refused it. UsageError for an order this device does not know,
        RigFault when it does not answer.
        """
        ...

    def next_claim(self, deadline: Deadline) -> Claim | None:
        """The next thing the device says by itself, in the order it was said; None when the deadline passes first."""
        ...

    def fileno(self) -> int:
        """Descriptor that becomes readable when the device says something."""
        ...

    def ready(self) -> bool:
        """True when a claim, or bytes that may hold one, have already been read."""
        ...

    def close(self) -> None:
        """Release the link. May be called twice."""
        ...


class DriverFactory(Protocol):
    """How a driver is made; a driver class is one. UsageError for an option it does not know."""

    def __call__(self, name: str, role: Role, link: Link, clock: Clock, emit: Emit, options: Options, /) -> Driver: ...
