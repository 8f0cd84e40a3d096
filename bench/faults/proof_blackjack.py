"""Proof of what goes wrong at blackjack: what the camera saw at the hand, at the shoe's mouth and in the rack."""

from bench.faults.facts import RACK, TableFacts
from bench.faults.proof_people import DrawnWatch, PlaceWatch
from bench.faults.script import FaultSpec
from bench.faults.totals import hand_total
from bench.faults.watch import Watch
from evidence.events import CardsSeen, DealerDid, Directive, FaultProven, Record, TableDone

STANDS = 17
"""A dealer with so many points draws no more, unless an ace counts 11 among them."""


class DrawnFaceWatch(DrawnWatch):
    """The dealer drew without a directive, and the camera sees the face of the card at the mouth."""

    def shown(self, look: CardsSeen, drawn: int, seq: int) -> FaultProven | None:
        if not look.face_up:
            return None
        means = "The dealer drew without a directive, and the camera sees the card's face at the shoe's mouth."
        return self.proven([drawn, seq], means, [drawn])


class OverdrawnWatch(DrawnFaceWatch):
    """The dealer drew although all cards of the own hand lay face up and their total was one to stand on."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._hand: tuple[int, int] | None = None
        """The total of the dealer's hand and the record of the look, while it is one to stand on."""

    def see(self, record: Record) -> FaultProven | None:
        look = record.event
        if isinstance(look, CardsSeen) and look.place == "dealer":
            total = hand_total(look.face_up) if look.face_up and not look.face_down else None
            stands = total is not None and total.points >= STANDS
            self._hand = (total.points, record.seq) if total is not None and stands else None
        return super().see(record)

    def shown(self, look: CardsSeen, drawn: int, seq: int) -> FaultProven | None:
        if self._hand is None or not look.face_up:
            return None
        points, seen = self._hand
        means = "The camera reads {points} in the dealer's hand, and then a further card that the dealer drew."
        return self.proven([seen, drawn, seq], means, [drawn], points=points)


class LeftAtMouthWatch(PlaceWatch):
    """A card was to go to a position; the camera counts no more cards there, and one at the mouth."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._ordered: dict[str, int] = {}
        self._under_way: Directive | None = None
        self._missed: int | None = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case TableDone(verb="open_round"):
                self._ordered.clear()
            case Directive(verb="deliver") as order:
                self._ordered[order.position] = self._ordered.get(order.position, 0) + 1
                self._under_way, self._missed = order, None
            case TableDone() as done if self._under_way is not None and done.directive == self._under_way.id:
                self._under_way = None
            case CardsSeen(place="shoe_mouth", count=int()) as look if self._missed is not None and look.count:
                missed, self._missed = self._missed, None
                means = "The camera counts no further card where one was to go, and sees it at the shoe's mouth."
                return self.proven([missed, record.seq], means)
            case _:
                return super().see(record)
        return None

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        order = self._under_way
        if order is None or order.position != look.place or not self.here(look.place):
            return None
        before = self.facts.seen.get(look.place)
        nth = self._ordered[look.place]
        lay_there = before.count if before is not None else 0
        if self.spec.at.get("card", nth) == nth and lay_there is not None and count <= lay_there:
            self._missed = seq
        return None


class RanOutWatch(Watch):
    """Cards lay in the rack before any was dealt, and later a card was asked of the shoe and none came."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._aside: int | None = None
        self._asked: int | None = None
        self._dealt = False

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case CardsSeen(place=place) as look if place == RACK and not self._dealt:
                lying = look.stacked or look.face_up or look.count
                self._aside = record.seq if lying else None
            case Directive(verb="dispense" | "burn"):
                self._asked = record.seq
            case DealerDid(act="deliver"):
                self._dealt = True
            case CardsSeen(place="shoe_mouth", count=0) if self._asked is not None and self._aside is not None:
                means = "Cards lay in the rack before the deal, and the camera sees none come when one is ordered."
                return self.proven([self._aside, self._asked, record.seq], means)
            case CardsSeen(place="shoe_mouth"):
                self._asked = None
            case _:
                pass
        return None
