"""Proof of what people did: the camera at the place where it happened, beside what was ordered and said."""

from abc import ABC, abstractmethod

from bench.faults.facts import BURN, TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import ButtonSeen, CardsSeen, DealerDid, Directive, FaultProven, PlayerDid, Record, TableDone


class PlaceWatch(Watch, ABC):
    """Base: looks at the position that the plan names, or at any when it names none."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._last: tuple[str, int] = ("", 0)
        self._accounted: set[tuple[str, int]] = set()
        """Places with counts there that proved another fault of this name in this round."""

    def forget(self) -> None:
        self._accounted.add(self._last)

    def here(self, position: str) -> bool:
        return self.spec.at.get("position", position) == position

    def see(self, record: Record) -> FaultProven | None:
        look = record.event
        if isinstance(look, TableDone) and look.verb == "open_round":
            self._accounted.clear()
        if isinstance(look, CardsSeen) and look.count is not None and look.place in self.facts.positions:
            self._last = (look.place, look.count)
            return None if self._last in self._accounted else self.looked(look, look.count, record.seq)
        return None

    @abstractmethod
    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        """The camera has counted the cards at a position."""


class TurnedUpWatch(PlaceWatch):
    """Right after a card was dealt face down, the camera sees one face more than was dealt face up."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._showing: dict[str, int] = {}

    def see(self, record: Record) -> FaultProven | None:
        if isinstance(record.event, TableDone) and record.event.verb == "open_round":
            self._showing.clear()
        look = record.event
        if not isinstance(look, CardsSeen) or look.place not in self.facts.positions:
            return None
        before = self._showing.get(look.place, 0)
        over = len(look.face_up) - self.facts.faces_due.get(look.place, 0)
        self._showing[look.place] = over
        delivery = self.facts.last_delivery
        if delivery is None or delivery.position != look.place or delivery.face == "up" or over <= before:
            return None
        nth = self.facts.deliveries.get(look.place, 0)
        if not self.here(look.place) or self.spec.at.get("card", nth) != nth:
            return None
        means = "The camera sees a face at {place} right after card {nth} was dealt there face down."
        return self.proven([record.seq], means, place=look.place, nth=nth)

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        return None


class DrawnWatch(Watch):
    """The dealer drew without a directive, and the camera sees the card at the mouth."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._drawn: int | None = None

    def forget(self) -> None:
        self._drawn = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="draw", directive=""):
                self._drawn = record.seq
            case DealerDid():
                self._drawn = None
            case CardsSeen(place="shoe_mouth") as look if self._drawn is not None:
                return self.shown(look, self._drawn, record.seq)
            case _:
                pass
        return None

    def shown(self, look: CardsSeen, drawn: int, seq: int) -> FaultProven | None:
        """The proof, if the look at the mouth shows the card that was drawn."""
        if not look.count:
            return None
        means = "The dealer drew without a directive, and the camera sees the card at the shoe's mouth."
        return self.proven([drawn, seq], means, [drawn])


class TooManyWatch(PlaceWatch):
    """The camera counts more cards at a position than were to be dealt to it."""

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        due = self.facts.dealt.get(look.place)
        if due is None or due.count is None or count <= due.count or not self.here(look.place):
            return None
        means = "The camera counts {count} cards at {place}, where {due} were to be dealt."
        return self.proven([*due.by[-20:], seq], means, count=count, place=look.place, due=due.count)


class TooFewWatch(PlaceWatch):
    """The camera counts fewer cards at a position than it counted there before."""

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        before = self.facts.seen.get(look.place)
        due = self.facts.dealt.get(look.place)
        if before is None or before.count is None or due is None or not self.here(look.place):
            return None
        if due.count is None or before.count < due.count or count >= due.count:
            return None
        means = "The camera counts {count} cards at {place}, where {due} were dealt and seen before."
        return self.proven([*due.by[-20:], seq], means, count=count, place=look.place, due=due.count)


class NotBurntWatch(Watch):
    """A burn was ordered, and the camera sees no further card at the burn place."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._waiting: list[tuple[int, int, str]] = []
        """Cards to burn, record of the directive, its id: of the burns that are ordered and not done."""

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case Directive(verb="burn") as order:
                self._waiting.append((max(1, order.count), record.seq, order.id))
            case TableDone(verb="burn") as done:
                self._waiting = [waiting for waiting in self._waiting if waiting[2] != done.directive]
            case CardsSeen(place="burn", count=int()) as look if self._waiting and look.count is not None:
                before = self.facts.lying.get(BURN)
                lying = before.count if before is not None else 0
                wanted, ordered, _ = self._waiting[0]
                if lying is not None and look.count < lying + wanted:
                    means = "{wanted} card(s) were to be burnt; the camera sees {more} more at burn."
                    return self.proven([ordered, record.seq], means, wanted=wanted, more=look.count - lying)
            case _:
                pass
        return None


class SkippedWatch(PlaceWatch):
    """A position was dealt a card that the camera does not see there, but at another one."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._missing: tuple[str, int] | None = None

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        due = self.facts.dealt.get(look.place)
        dealt = due.count if due is not None else 0
        if dealt is None:
            return None
        if count < dealt and self.here(look.place) and self._is_the_card(look.place):
            self._missing = (look.place, seq)
        elif count > dealt and self._missing is not None:
            passed_over, missed = self._missing
            means = "The camera misses a card at {passed_over} and sees one too many at {place}."
            return self.proven([missed, seq], means, passed_over=passed_over, place=look.place)
        return None

    def _is_the_card(self, position: str) -> bool:
        nth = self.facts.deliveries.get(position, 0)
        return self.spec.at.get("card", nth) == nth


class ButtonWatch(Watch):
    """The button was ordered to a position and the camera sees it at another."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._ordered: tuple[str, int] | None = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="move_button") as act:
                self._ordered = (act.position, record.seq)
            case ButtonSeen(position=str(place)) if self._ordered is not None:
                (position, ordered), self._ordered = self._ordered, None
                if place != position:
                    means = "The button was to stand at {position}; the camera sees it at {place}."
                    return self.proven([ordered, record.seq], means, position=position, place=place)
            case _:
                pass
        return None


class ExposedWatch(PlaceWatch):
    """A player was seen to turn a card up, and the camera sees one face more at the position."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._exposed: dict[str, int] = {}

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case PlayerDid(act="expose") as act if self.here(act.position):
                self._exposed[act.position] = record.seq
            case CardsSeen() as look if look.place in self._exposed:
                before = self.facts.seen.get(look.place)
                said = self._exposed.pop(look.place)
                if len(look.face_up) > (len(before.face_up) if before is not None else 0):
                    means = "The player at {place} turned a card up, and the camera sees its face."
                    return self.proven([said, record.seq], means, place=look.place)
            case _:
                pass
        return None

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        return None
