"""What table software is told, and what of it: the events that happen in plain sight at the table."""

from typing import Any

from bench.software.cloudevents import fields_of
from evidence.events import (
    ApprovalRecord,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    DeviceCard,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceNotice,
    DeviceResult,
    DeviceSeen,
    DeviceStatus,
    DiceSeen,
    Event,
    FloorRuled,
    LevelAnnounced,
    PlayerDid,
    SeatStatus,
    SessionOpened,
    TableDone,
    TableRequested,
    WagerPlaced,
)

TOLD: tuple[type[Event], ...] = (
    SessionOpened,
    WagerPlaced,
    ApprovalRecord,
    DeviceIdentity,
    DeviceStatus,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceCard,
    DeviceResult,
    DeviceNotice,
    CardsSeen,
    DiceSeen,
    DeviceSeen,
    ButtonSeen,
    DealerDid,
    PlayerDid,
    TableRequested,
    TableDone,
    FloorRuled,
    SeatStatus,
    LevelAnnounced,
)
"""Never what the bench injects, what its instruments read or what passes on its links."""

WITHHELD: dict[type[Event], frozenset[str]] = {TableRequested: frozenset({"probe"})}
"""Fields kept back: software that knew which request is a probe could behave for the bench and not for the table."""


def forwarded(event: Event) -> bool:
    """True when table software is told of events of this type."""
    return type(event) in TOLD


def told_fields(event: Event) -> dict[str, Any]:
    """The fields of an event as they are told."""
    fields = fields_of(event)
    for name in WITHHELD.get(type(event), ()):
        fields.pop(name, None)
    return fields
