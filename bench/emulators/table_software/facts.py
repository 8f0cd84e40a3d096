"""What the reference table software knows of its table, from what camera, dealer and operator have told it."""

from dataclasses import dataclass, field

from evidence.events import (
    AnyEvent,
    ApprovalRecord,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    DeviceCycle,
    DeviceDispensed,
    DeviceIdentity,
    DeviceSeen,
    DiceSeen,
    SessionOpened,
    WagerPlaced,
)

MOST_POSITIONS = 12
MOST_DEVICES = 8
MOST_RECORDS = 100


@dataclass(frozen=True, slots=True)
class Told:
    """One message as the software takes it: its id and its event."""

    id: str
    event: AnyEvent


@dataclass(slots=True)
class Facts:
    """The table as told. `looks`, `burned`, `dice` and `button` hold only what came during the step under way."""

    session: SessionOpened
    identities: dict[str, DeviceIdentity] = field(default_factory=dict)
    approvals: list[ApprovalRecord] = field(default_factory=list)
    wagers: dict[str, set[str]] = field(default_factory=dict)
    """Position to the wagers that stand there."""
    bets_closed: bool = False
    absent: set[str] = field(default_factory=set)
    """Devices that do not stand on the table."""
    holding: set[str] = field(default_factory=set)
    """Devices with cards of the pack inside, as the dealer put them in and took them out."""
    looks: dict[str, Told] = field(default_factory=dict)
    burned: int = 0
    """Cards that the dealer says to have burned."""
    dice: DiceSeen | None = None
    button: Told | None = None
    button_at: str = ""
    """Where the camera saw the button last."""
    claimed_inside: dict[str, int] = field(default_factory=dict)
    """What a device has claimed to have taken in, less what it has claimed to have given out since."""

    def note(self, told: Told) -> None:
        """Take one message to the facts."""
        match told.event:
            case CardsSeen() as seen if seen.place in self.places:
                self.looks[seen.place] = told
            case DiceSeen() as seen:
                self.dice = seen
            case ButtonSeen(position=position):
                self.button = told
                self.button_at = position or self.button_at
            case DealerDid(act="burn", count=count):
                self.burned += count
            case DealerDid(act="gather", place=place) if place != "device_cards":
                self.holding.clear()
            case ApprovalRecord() as approval if len(self.approvals) < MOST_RECORDS:
                self.approvals.append(approval)
            case WagerPlaced() as wager if wager.position in self.session.positions and not self.bets_closed:
                self.wagers.setdefault(wager.position, set()).add(wager.wager)
            case _:
                device = getattr(told.event, "device", "")
                if device in self.session.devices:
                    self._note_device(device, told.event)

    def _note_device(self, device: str, event: AnyEvent) -> None:
        match event:
            case DeviceSeen(present=present) if present is not None:
                self._stands(device, present)
            case DealerDid(act="load"):
                self.holding.add(device)
            case DealerDid(act="unload") | DeviceCycle(kind="shuffle", phase="completed"):
                self.holding.discard(device)
            case DealerDid(act="remove_device"):
                self._stands(device, present=False)
            case DealerDid(act="place_device"):
                self._stands(device, present=True)
            case DeviceIdentity() as identity:
                self.identities[device] = identity
            case DeviceCycle(kind="load", phase="completed", count=count):
                self.claimed_inside[device] = count
            case DeviceDispensed(count=count) if device in self.claimed_inside:
                self.claimed_inside[device] -= count
            case _:
                pass

    def new_step(self) -> None:
        """Forget what was seen: the next step looks for itself."""
        self.looks.clear()
        self.burned = 0
        self.dice = None
        self.button = None

    def new_round(self) -> None:
        """A round is over, and its wagers are gone."""
        self.wagers.clear()
        self.bets_closed = False

    @property
    def places(self) -> frozenset[str]:
        """Every place that the software follows."""
        return frozenset((*self.session.positions, "burn", "discard_rack", "shoe_mouth", "layout_centre"))

    def seen(self, place: str) -> CardsSeen | None:
        """The last look at a place during the step under way."""
        told = self.looks.get(place)
        return told.event if told is not None and isinstance(told.event, CardsSeen) else None

    def seen_by(self, place: str) -> str:
        """Id of the message with the last look at a place, empty without one."""
        told = self.looks.get(place)
        return told.id if told is not None else ""

    def device(self, role: str) -> str:
        """Name of the first device of this role that stands on the table, else empty."""
        return next((name for name in self.standing if self.session.devices[name] == role), "")

    @property
    def standing(self) -> list[str]:
        """Names of the devices that stand on the table."""
        return [name for name in self.session.devices if name not in self.absent]

    def wagered(self, position: str, wager: str = "main") -> bool:
        return wager in self.wagers.get(position, ())

    def _stands(self, device: str, present: bool) -> None:
        if present:
            self.absent.discard(device)
        else:
            self.absent.add(device)


def usable(session: SessionOpened) -> bool:
    """True when a session is of a size that a table can have."""
    return len(session.positions) <= MOST_POSITIONS and len(session.devices) <= MOST_DEVICES
