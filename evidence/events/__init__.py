"""The event vocabulary: everything that can stand in a journal.

An event says what happened; its record says who saw it (`source`), when (`mono_ns`, `utc`) and in which scenario.
Kinds of source: `bench`, `device`, `camera`, `instrument`, `software`, `dealer`, `player`, `operator`, written as
`kind:name`, for example `device:shoe`. A device *claims*, camera, instruments and operator *observe*, the bench *knows*
what it injected, the table software *directs*.

Names of places: `seat/1` .. `seat/6`, `dealer`, `burn`, `discard_rack`, `shoe_mouth`, `layout_centre`, `hand_deck`.
Card labels: rank `2`-`9` `T` `J` `Q` `K` `A` and suit `c` `d` `h` `s`; `Jk` is the joker. Money is in whole cents.
"""

import msgspec

from evidence.events.base import CardLabel, Event
from evidence.events.camera import ButtonSeen, CameraHealth, CardsSeen, DeviceSeen, DiceSeen
from evidence.events.device import (
    DeviceAnswered,
    DeviceCard,
    DeviceChecked,
    DeviceCommanded,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceNotice,
    DeviceResult,
    DeviceStatus,
)
from evidence.events.fault import FaultArmed, FaultProven, FaultUnproven
from evidence.events.floor import FloorRuled
from evidence.events.inputs import OperatorInput
from evidence.events.instrument import ImageRead, InstrumentIdentity, LineSeen, ReadingTaken
from evidence.events.link import LinkAltered, LinkBytes, LinkFault
from evidence.events.people import (
    DealerAct,
    DealerDid,
    OperatorAnswered,
    PlayerAct,
    PlayerDid,
    TableDone,
    TableRequested,
)
from evidence.events.run import (
    ClockStepped,
    JournalRepaired,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
)
from evidence.events.security import CheckBegan, CheckEnded, LoginTried, PortsTried
from evidence.events.software import Directive, SoftwareAcknowledged, SoftwareIdentity, Verb
from evidence.events.table import ApprovalRecord, SessionOpened, WagerPlaced
from evidence.events.tournament import LevelAnnounced, SeatState, SeatStatus

__all__ = [
    "AnyEvent", "ApprovalRecord", "ButtonSeen", "CameraHealth", "CardLabel", "CardsSeen", "CheckBegan", "CheckEnded",
    "ClockStepped", "DealerAct", "DealerDid", "DeviceAnswered", "DeviceCard", "DeviceChecked", "DeviceCommanded",
    "DeviceCycle", "DeviceDispensed", "DeviceFault", "DeviceIdentity", "DeviceNotice", "DeviceResult", "DeviceSeen",
    "DeviceStatus", "DiceSeen", "Directive", "Event", "FaultArmed", "FaultProven", "FaultUnproven", "FloorRuled",
    "ImageRead", "InstrumentIdentity", "JournalRepaired", "LevelAnnounced", "LineSeen", "LinkAltered", "LinkBytes",
    "LinkFault", "LoginTried", "OperatorAnswered", "OperatorInput", "PlayerAct", "PlayerDid", "PortsTried",
    "ReadingTaken", "Record", "RunFinished", "RunStarted", "ScenarioFinished", "ScenarioStarted", "SeatState",
    "SeatStatus", "SessionOpened", "SoftwareAcknowledged", "SoftwareIdentity", "TableDone", "TableRequested", "Verb",
    "WagerPlaced",
]  # fmt: skip

AnyEvent = (
    RunStarted | RunFinished | ScenarioStarted | ScenarioFinished | JournalRepaired | ClockStepped | SessionOpened
    | WagerPlaced | ApprovalRecord | LinkBytes | LinkFault | LinkAltered | DeviceIdentity | DeviceStatus | DeviceCycle
    | DeviceDispensed | DeviceFault | DeviceCard | DeviceResult | DeviceNotice | DeviceChecked
    | DeviceCommanded | DeviceAnswered | CameraHealth | CardsSeen | DiceSeen | DeviceSeen | ButtonSeen
    | CheckBegan | CheckEnded | PortsTried | LoginTried
    | InstrumentIdentity | LineSeen | ReadingTaken | ImageRead | FaultArmed | FaultProven | FaultUnproven
    | DealerDid | PlayerDid
    | TableRequested | TableDone | FloorRuled | OperatorAnswered | OperatorInput | SeatStatus | LevelAnnounced
    | Directive | SoftwareAcknowledged | SoftwareIdentity
)  # fmt: skip


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a journal: an event with its source, its times and its scenario."""

    seq: int
    """Position in the journal, from 0 without gaps."""
    mono_ns: int
    """The run's clock in nanoseconds: virtual on the emulated rig, monotonic on a real one."""
    utc: str
    """Wall-clock time, ISO 8601 with microseconds and `Z`."""
    source: str
    scenario: str
    """Scenario id; empty for events of the run itself."""
    event: AnyEvent
