"""The event vocabulary: everything that can stand in a journal.

An event says what happened; its record says who saw it (`source`), when (`mono_ns`, `utc`) and in which scenario.
Kinds of source: `bench`, `device`, `camera`, `instrument`, `software`, `dealer`, `player`, `operator`, written as
`kind:name`, for example `device:shoe`. A device *claims*, camera, instruments and operator *observe*, the bench *knows*
what it injected, the table software *directs*.

Names of places: `seat/1` .. `seat/6`, `dealer`, `burn`, `discard_rack`, `shoe_mouth`, `layout_centre`, `hand_deck`.
Card labels: rank `2`-`9` `T` `J` `Q` `K` `A` and suit `c` `d` `h` `s`; `Jk` is the joker. Money is in whole cents.
"""

from typing import Literal

import msgspec

CardLabel = str


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """Base of all events. The tag is the event's type on disk and on the wire."""


# --- the run -------------------------------------------------------------------------------------------------------


class RunStarted(Event, frozen=True, tag="run.started"):
    plan: str
    rig: str
    seed: int
    clock: Literal["virtual", "wall"]
    versions: dict[str, str] = {}


class RunFinished(Event, frozen=True, tag="run.finished"):
    outcome: Literal["completed", "interrupted"]
    detail: str = ""


class ScenarioStarted(Event, frozen=True, tag="scenario.started"):
    """An attempt at one scenario begins; all records of the scenario until its end belong to it."""

    title: str
    pack: str
    covers: list[str]
    """Clause alternatives this scenario is meant to trigger: `CLAUSE` or `CLAUSE:alternative`."""
    attempt: int = 1


class ScenarioFinished(Event, frozen=True, tag="scenario.finished"):
    """An attempt at one scenario ends. Only `completed` lets a clause pass."""

    status: Literal["completed", "interrupted", "rig_fault", "error"]
    detail: str = ""


class JournalRepaired(Event, frozen=True, tag="journal.repaired"):
    bytes_cut: int
    sha256: str


class SessionOpened(Event, frozen=True, tag="session.opened"):
    """The table as it is set before the first round. Told to the table software."""

    game: str
    cards_in_deck: int
    positions: list[str]
    """Every position that receives cards, in dealing order: clockwise from the dealer's left, the dealer last."""
    seated: list[str]
    """The positions where somebody plays."""
    devices: dict[str, str]
    """Device name to role (`shuffler` or `shoe`)."""
    additional_wager_offered: bool = False
    inputs: dict[str, str] = {}
    """Operator inputs the game needs, such as a file with payout odds."""


class WagerPlaced(Event, frozen=True, tag="wager.placed"):
    position: str
    wager: Literal["main", "additional", "jacks_plus"]
    amount_cents: int


class ApprovalRecord(Event, frozen=True, tag="approval.record"):
    """The authority's prior approval, as the operator's file states it."""

    device: str
    maker: str
    model: str
    firmware_sha256: str
    location: str
    procedure: str


# --- links ---------------------------------------------------------------------------------------------------------


class LinkBytes(Event, frozen=True, tag="link.bytes"):
    link: str
    direction: Literal["tx", "rx"]
    data: str
    """Raw bytes in hexadecimal, recorded before anything is decoded."""


class LinkFault(Event, frozen=True, tag="link.fault"):
    """Trouble on a link. `garbage` is what follows no protocol, `sequence` what came out of turn."""

    link: str
    kind: Literal["timeout", "garbage", "crc", "sequence", "nak", "closed", "overflow"]
    detail: str = ""


# --- what a device claims -------------------------------------------------------------------------------------------


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


# --- what the camera sees -------------------------------------------------------------------------------------------


class CameraHealth(Event, frozen=True, tag="camera.health"):
    """Whether the camera can be believed; anything but `ok` cannot be evidence."""

    state: Literal["ok", "no_frame", "frozen", "dark", "bright", "blurred", "moved"]
    detail: str = ""


class CardsSeen(Event, frozen=True, tag="camera.cards"):
    """One look at one place. `count` is None when the camera abstains, or cannot count (a squared stack)."""

    place: str
    count: int | None
    face_up: list[CardLabel | None] = []
    """Labels of the cards whose face is visible; None where the face could not be read."""
    face_down: int | None = None
    stacked: bool = False
    """True when cards lie squared upon each other, so that only the top one is visible."""
    certainty: float = 0.0
    frame: str = ""
    """SHA-256 of the stored picture this was read from."""


class DiceSeen(Event, frozen=True, tag="camera.dice"):
    """The dice after they were uncovered. `total` is None when the camera abstains or not all lie flat."""

    flat: int
    leaning: int
    outside: int
    total: int | None
    certainty: float = 0.0
    frame: str = ""


class DeviceSeen(Event, frozen=True, tag="camera.device"):
    """Whether a device stands on the table. `present` is None when the camera abstains."""

    device: str
    present: bool | None
    frame: str = ""


class ButtonSeen(Event, frozen=True, tag="camera.button"):
    """Where the dealer button lies. None with certainty above 0: at no position; with 0 the camera abstains."""

    position: str | None
    certainty: float = 0.0
    frame: str = ""


# --- what instruments read ------------------------------------------------------------------------------------------


class LineSeen(Event, frozen=True, tag="instrument.line"):
    """An edge on a sensor or drive line, tapped independently of the device's firmware."""

    line: str
    """`device/line`, for example `shuffler/entry`."""
    level: int
    at_ns: int
    """When the edge happened, on the clock of the run."""


class ReadingTaken(Event, frozen=True, tag="instrument.reading"):
    channel: str
    value: float
    unit: str


# --- what the bench injects -----------------------------------------------------------------------------------------


class FaultArmed(Event, frozen=True, tag="fault.armed"):
    """The bench made a fault ready. That it happened is for others to show."""

    fault: str
    target: str
    params: dict[str, int | str] = {}


class FaultProven(Event, frozen=True, tag="fault.proven"):
    """Something other than the injector shows that the fault happened."""

    fault: str
    target: str
    symptom: str
    """`jam`, `stop`, `incomplete`, or another word of the fault catalogue such as `wrong_group_size`."""
    by: list[int]
    """Journal sequence numbers of the observations that prove it."""
    means: str


class FaultUnproven(Event, frozen=True, tag="fault.unproven"):
    fault: str
    target: str
    reason: str


# --- what people do at the table --------------------------------------------------------------------------------------

DealerAct = Literal[
    "announce", "load", "unload", "shuffle_by_hand", "cut", "deliver", "draw", "deal_by_hand", "burn", "shake_dice",
    "move_button", "spread", "collect", "remove_device", "place_device", "remove_deck", "place_deck", "gather",
]  # fmt: skip


class DealerDid(Event, frozen=True, tag="dealer.did"):
    """A dealer's act as told by the one who did it; what came of it is for the camera to say."""

    act: DealerAct
    directive: str = ""
    """Id of the directive being carried out; empty when the dealer acted unasked."""
    position: str = ""
    place: str = ""
    device: str = ""
    phrase: str = ""
    count: int = 0


class PlayerDid(Event, frozen=True, tag="player.did"):
    act: Literal["bet", "expose", "fold"]
    position: str


class TableRequested(Event, frozen=True, tag="table.requested"):
    """The dealer asks the table software for something. A probe asks for what must be refused."""

    request: Literal["next_round", "resume", "deal_by_hand", "shuffle_by_hand", "use_device"]
    device: str = ""
    probe: bool = False


class TableDone(Event, frozen=True, tag="table.done"):
    """A directive has been carried out, or could not be."""

    directive: str
    verb: str
    outcome: Literal["done", "failed", "impossible"]
    detail: str = ""


# --- what the table software says -------------------------------------------------------------------------------------

Verb = Literal[
    # procedure
    "open_round", "close_round", "announce", "shuffle", "cut", "load_device", "roll_dice", "set_start", "settle",
    "dispense", "deliver", "burn", "betting_round", "show_hands", "players_act", "move_button", "remove_remainder",
    "spread", "check_stacks", "collect", "retire_card", "use_as_next_card",
    # irregularities
    "void_round", "void_hand", "dead_hand", "hand_active", "misdeal", "void_wagers", "return_wagers", "continue_round",
    "reshuffle", "remove_cards", "remove_device", "remove_deck", "place_deck",
    # answers to a request
    "refuse", "proceed", "hold",
]  # fmt: skip


class Directive(Event, frozen=True, tag="software.directive"):
    """An order of the table software. Fields that a verb does not use stay at their defaults."""

    id: str
    """Unique within the connection; chosen by the table software."""
    verb: Verb
    cause: str = ""
    """Id of the message that caused it: `e` and its journal sequence number, for example `e117`."""
    position: str = ""
    place: str = ""
    to: str = ""
    device: str = ""
    method: Literal["", "device", "hand"] = ""
    unit: Literal["", "card", "group"] = ""
    face: Literal["", "down", "up"] = ""
    count: int = 0
    scope: Literal["", "hand", "round", "device_cards", "all_cards"] = ""
    wager: Literal["", "main", "additional", "jacks_plus", "all"] = ""
    phrase: str = ""
    request: str = ""
    reason: str = ""


class SoftwareAcknowledged(Event, frozen=True, tag="software.acknowledged"):
    """Table software has reacted to a message; `directives` counts what it ordered until then."""

    message: str
    """Id of the message to which the software has finished reacting."""
    directives: int


class SoftwareIdentity(Event, frozen=True, tag="software.identity"):
    maker: str
    product: str
    version: str
    sha256: str


AnyEvent = (
    RunStarted | RunFinished | ScenarioStarted | ScenarioFinished | JournalRepaired | SessionOpened | WagerPlaced
    | ApprovalRecord | LinkBytes | LinkFault | DeviceIdentity | DeviceStatus | DeviceCycle | DeviceDispensed
    | DeviceFault | DeviceCommanded | DeviceAnswered | CameraHealth | CardsSeen | DiceSeen | DeviceSeen | ButtonSeen
    | LineSeen | ReadingTaken | FaultArmed | FaultProven | FaultUnproven | DealerDid | PlayerDid | TableRequested
    | TableDone | Directive | SoftwareAcknowledged | SoftwareIdentity
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
