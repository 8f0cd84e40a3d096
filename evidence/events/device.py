"""Events: what a device claims."""

from typing import Literal

from evidence.events.base import Event


class DeviceIdentity(Event, frozen=True, tag="device.identity"):
    device: str
    role: Literal["shuffler", "shoe"]
    maker: str
    model: str
    serial: str
    firmware: str
    firmware_sha256: str
    group_size: int = 0
    """Cards the device is set to dispense in one group; 0 for a device that does not form groups."""


class DeviceStatus(Event, frozen=True, tag="device.status"):
    """How a device says it stands. Counts are its own."""

    device: str
    state: Literal["idle", "loading", "ready", "shuffling", "dealing", "unloading", "fault"]
    code: str = ""
    cards_inside: int = 0
    dispensed: int = 0
    cycles: int = 0


class DeviceCycle(Event, frozen=True, tag="device.cycle"):
    """A device says that a cycle began, ended or was broken off; `count` is how many cards it has counted in it."""

    device: str
    kind: Literal["load", "shuffle", "unload"]
    phase: Literal["started", "completed", "aborted"]
    count: int = 0


class DeviceDispensed(Event, frozen=True, tag="device.dispensed"):
    device: str
    unit: Literal["card", "group"]
    index: int
    """1 for the first unit since the device was loaded."""
    count: int
    """Cards in the unit, as the device counted them."""


class DeviceFault(Event, frozen=True, tag="device.fault"):
    """A device says that something is wrong with it; `code` is its own word, `symptom` ours."""

    device: str
    code: str
    symptom: Literal["jam", "stop", "incomplete", "count", "empty", "other"]
    recovered: bool = False
    """True when the device says that it cleared the fault by itself."""


class DeviceCommanded(Event, frozen=True, tag="device.commanded"):
    """The bench gave a device an order."""

    device: str
    command: str
    args: dict[str, int] = {}


class DeviceAnswered(Event, frozen=True, tag="device.answered"):
    device: str
    command: str
    accepted: bool
    code: str = ""
