"""What the observations of a scenario say so far about the table: who was dealt what, and what the camera counted.

Only records go in. Where the camera could not count, a number stays unknown rather than guessed.
"""

from dataclasses import dataclass

from evidence.events import (
    CardsSeen,
    DealerDid,
    DeviceIdentity,
    Directive,
    Record,
    SessionOpened,
    TableDone,
)

MOUTH = "shoe_mouth"
CENTRE = "layout_centre"
RACK = "discard_rack"
BURN = "burn"
ALL = "all"
TAKEN_AWAY = frozenset({"gather", "remove_deck", "place_deck", "shuffle_by_hand"})
"""Acts after which no card lies where it lay."""


def left_by(act: DealerDid) -> str:
    """The place whose cards an act has taken elsewhere, `ALL` for every place, empty for none.

    A face that was seen there is no second card when it shows at another place.
    """
    if act.act in TAKEN_AWAY:
        return ALL
    if act.act == "collect":
        return act.position or act.place
    return MOUTH if act.act in {"deliver", "burn"} else ""


@dataclass(frozen=True, slots=True)
class Known:
    """A number of cards with the records it rests on; None where it is not known."""

    count: int | None
    by: tuple[int, ...] = ()

    def plus(self, other: "Known") -> "Known":
        if self.count is None or other.count is None:
            return Known(None)
        return Known(self.count + other.count, (*self.by, *other.by))


NOTHING = Known(0)
UNKNOWN = Known(None)


class TableFacts:
    """Follows the records of one scenario. Watches read it before it takes in the record at hand."""

    def __init__(self) -> None:
        self.deck = 0
        self.positions: list[str] = []
        self.roles: dict[str, str] = {}
        self.group_size: dict[str, int] = {}
        self.directives: dict[str, Directive] = {}
        self.seen: dict[str, CardsSeen] = {}
        """The camera's last look at each place."""
        self.lying: dict[str, Known] = {}
        """Cards at each place: as the camera counted them last, or as they were delivered since."""
        self.dealt: dict[str, Known] = {}
        """Cards that each position was dealt this round, by the camera's counts at the shoe's mouth."""
        self.deliveries: dict[str, int] = {}
        self.faces_due: dict[str, int] = {}
        """Cards that each position was dealt face up on purpose."""
        self.last_delivery: Directive | None = None
        """The directive of a delivery that has not been looked at yet."""
        self.remainder_out = False
        self.laid_out: Known | None = None
        """Cards laid out so far in the check of the pack under way; None outside of one."""
        self.part = 0
        """Cards that a full part of that check holds."""

    @property
    def mouth(self) -> Known:
        return self.lying.get(MOUTH, NOTHING)

    def total_at(self, look: CardsSeen, seq: int) -> Known:
        """All cards of the pack with this look, once those left in the shoe lie on the layout; unknown before."""
        if not self.remainder_out or not self.positions:
            return UNKNOWN
        total = NOTHING
        for place in (*self.positions, MOUTH, CENTRE, RACK, BURN):
            if place == look.place and look.count is not None:
                total = total.plus(Known(look.count, (seq,)))
            else:
                total = total.plus(self.lying.get(place, UNKNOWN if place in self.positions else NOTHING))
        return total

    def checked_at(self, look: CardsSeen, seq: int) -> Known:
        """All cards of a check of the pack with this look, if it shows the last part; unknown before."""
        if self.laid_out is None or look.place != CENTRE or look.count is None or look.count >= self.part:
            return UNKNOWN
        return self.laid_out.plus(Known(look.count, (seq,)))

    def take(self, record: Record) -> None:
        """Take in one record."""
        match record.event:
            case SessionOpened() as event:
                self.deck, self.positions, self.roles = event.cards_in_deck, event.positions, event.devices
            case DeviceIdentity() as event:
                self.group_size[event.device] = event.group_size
            case Directive() as event:
                self.directives[event.id] = event
            case CardsSeen() as event:
                self._look(event, record.seq)
            case DealerDid() as event:
                self._act(event, record.seq)
            case TableDone(verb="open_round"):
                self._clear()
            case _:
                pass

    def _look(self, event: CardsSeen, seq: int) -> None:
        self.seen[event.place] = event
        if self.laid_out is not None and event.place == CENTRE:
            self.laid_out = self.laid_out.plus(Known(event.count, (seq,)))
        if event.count is not None:
            self.lying[event.place] = Known(event.count, (seq,))
        elif event.place not in self.positions:
            self.lying[event.place] = UNKNOWN
        if self.last_delivery and event.place == self.last_delivery.position:
            self.last_delivery = None

    def _act(self, event: DealerDid, seq: int) -> None:
        self.last_delivery = None
        if event.act == "deliver":
            position = event.position
            mouth = self.mouth
            arrived = Known(mouth.count, (*mouth.by, seq))
            self.dealt[position] = self.dealt.get(position, NOTHING).plus(arrived)
            self.lying[position] = self.lying.get(position, NOTHING).plus(arrived)
            self.lying[MOUTH] = NOTHING
            self.deliveries[position] = self.deliveries.get(position, 0) + 1
            self.last_delivery = self.directives.get(event.directive)
            if self.last_delivery is not None and self.last_delivery.face == "up":
                self.faces_due[position] = self.faces_due.get(position, 0) + (mouth.count or 0)
        elif event.act == "deal_by_hand" and event.position:
            self._dealt_by_hand(event, seq)
        elif event.act == "burn":
            self.lying[MOUTH] = NOTHING
        elif event.act == "lay_out":
            self.laid_out, self.part = self.laid_out or NOTHING, event.count
        elif event.act == "unload" and event.place == CENTRE:
            self.remainder_out = True
            self.lying[CENTRE] = UNKNOWN
        elif event.act in {"gather", "remove_deck"} or (event.act == "collect" and event.place == "all"):
            self._clear()
        elif event.act == "collect":
            place = event.position or event.place
            # They come to the rack, and are counted there until somebody looks.
            self.lying[RACK] = self.lying.get(RACK, NOTHING).plus(self.lying.get(place, UNKNOWN))
            self.lying[place] = NOTHING
            self.dealt.pop(place, None)
        elif event.act == "set_hands":
            # The hand lies in two parts from now on: that no place holds all of it means nothing.
            self.dealt[event.position] = UNKNOWN

    def _dealt_by_hand(self, event: DealerDid, seq: int) -> None:
        """One card from the pack in hand straight to a position."""
        card = Known(1, (seq,))
        self.dealt[event.position] = self.dealt.get(event.position, NOTHING).plus(card)
        self.lying[event.position] = self.lying.get(event.position, NOTHING).plus(card)
        self.deliveries[event.position] = self.deliveries.get(event.position, 0) + 1
        self.last_delivery = self.directives.get(event.directive)

    def _clear(self) -> None:
        self.remainder_out = False
        self.laid_out = None
        for by_place in (self.lying, self.dealt, self.deliveries, self.faces_due, self.seen):
            by_place.clear()
