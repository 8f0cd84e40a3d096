"""Events: what a device claims."""

from typing import Literal

from evidence.events.base import CardLabel, Event


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


class DeviceCard(Event, frozen=True, tag="device.card"):
    """A shoe that reads cards says which one a hand has drawn from it. Shoe and round are the bench's numbers."""

    device: str
    hand: Literal["player", "banker", "burn", "first", "burn_count", "locked", "error", "setting"]
    """Whose card it is; the last three are states of the shoe in which a card is outside any game."""
    index: int = 0
    label: CardLabel = ""
    """Empty where the shoe could not read it; the rank alone where it told no suit."""
    shoe: int = 0
    round: int = 0
    again: bool = False
    """It was told before, or may not count as a new card."""


class DeviceResult(Event, frozen=True, tag="device.result"):
    """A shoe that reads cards says how the game ended."""

    device: str
    winner: Literal["player", "tie", "banker", "void"]
    player_pair: bool = False
    banker_pair: bool = False
    shoe: int = 0
    round: int = 0
    standing: Literal["final", "held", "quarantined"] = "final"
    """`held` until the four cards that every game has were told, `quarantined` when it belongs to no open round."""


class DeviceNotice(Event, frozen=True, tag="device.notice"):
    """What else a shoe says of itself; `detail` is its own word."""

    device: str
    notice: Literal["start", "standby", "cut_card", "locked", "unlocked", "preset", "retransmission", "error_cancelled"]
    detail: str = ""


class DeviceChecked(Event, frozen=True, tag="device.checked"):
    """A device was asked for a digest over a part of its own memory that nobody could foresee, and answered.

    `expected` is the same digest over the image that the operator holds; `sha256` is that of the whole image.
    """

    device: str
    component: str
    algorithm: str
    salt: str
    """Random bytes that go before the image, in hexadecimal."""
    start: int
    end: int
    """First byte of the part, and the one after its last."""
    answered: str
    """Empty when the device did not answer as the protocol has it; `detail` says how."""
    expected: str
    sha256: str
    matches: bool
    detail: str = ""
