"""Proof of what goes wrong at a table of Pai Gow Poker: dice, where a deal begins, cards shown, hands set."""

from bench.faults.facts import TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import CardsSeen, DealerDid, DiceSeen, Directive, FaultProven, PlayerDid, Record

DEALS = ("deliver", "deal_by_hand")


class DiceWatch(Watch):
    """The camera sees dice that lean, or that lie outside."""

    def see(self, record: Record) -> FaultProven | None:
        dice = record.event
        if not isinstance(dice, DiceSeen):
            return None
        seen = dice.leaning if self.spec.name == "dice_leaning" else dice.outside
        if seen < int(self.spec.params["count"]):
            return None
        if self.spec.name == "dice_leaning":
            return self.proven([record.seq], "The camera sees {seen} of the dice leaning in the shaker.", seen=seen)
        return self.proven([record.seq], "The camera sees {seen} of the dice outside the shaker.", seen=seen)


class MiscalledWatch(Watch):
    """The dealer calls another total than the pips that the camera has just seen."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._pips: tuple[int, int] | None = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DiceSeen(total=total):
                self._pips = None if total is None else (total, record.seq)
            case DealerDid(act="call_total", count=called) if self._pips is not None:
                total, seen = self._pips
                if called != total:
                    means = "The camera sees {total} pips; the dealer calls {called}."
                    return self.proven([seen, record.seq], means, total=total, called=called)
            case _:
                pass
        return None


class ElsewhereWatch(Watch):
    """Right after a delivery the camera sees nothing at the ordered position, and something new at another."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._ordered: Directive | None = None
        self._empty: int | None = None

    def forget(self) -> None:
        self._ordered = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid() as act:
                order = self.facts.directives.get(act.directive)
                here = order is not None and self.spec.at.get("position", order.position) == order.position
                self._ordered = order if act.act in DEALS and here else None
                self._empty = None
            case CardsSeen() as look if self._ordered is not None:
                return self._looked(look, self._ordered.position, record.seq)
            case _:
                pass
        return None

    def _looked(self, look: CardsSeen, ordered: str, seq: int) -> FaultProven | None:
        if look.place == ordered:
            self._empty = seq if look.count == 0 else None
        elif self._empty is not None and look.place in self.facts.positions and look.count != 0:
            before = self.facts.seen.get(look.place)
            if before is None or before.count == 0:
                means = "The camera sees nothing at {ordered}, and cards at {place} instead."
                return self.proven([self._empty, seq], means, ordered=ordered, place=look.place)
        return None


class ExposedEarlyWatch(Watch):
    """Somebody was seen to turn a card up unasked, and the camera sees a face more at the position."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._turned: tuple[str, int] | None = None

    def forget(self) -> None:
        self._turned = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="turn_up", directive="", position=position) if self.spec.target == "dealer":
                self._turned = (position, record.seq)
            case PlayerDid(act="expose", position=position) if self.spec.target == "player":
                self._turned = (position, record.seq)
            case CardsSeen() as look if self._turned is not None and look.place == self._turned[0]:
                position, said = self._turned
                before = self.facts.seen.get(position)
                here = self.spec.at.get("position", position) == position
                if here and len(look.face_up) > (len(before.face_up) if before is not None else 0):
                    means = "A card at {position} was turned up unasked, and the camera sees its face."
                    return self.proven([said, record.seq], means, position=position)
            case _:
                pass
        return None


class SetWronglyWatch(Watch):
    """The camera reads other cards in the hand of two than those that the order names."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._order: Directive | None = None
        self._said = 0

    def forget(self) -> None:
        self._order = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="set_hands") as act:
                order = self.facts.directives.get(act.directive)
                here = order is not None and self.spec.at.get("position", order.position) == order.position
                self._order, self._said = order if here else None, record.seq
            case CardsSeen(face_up=labels) as look if self._order is not None and look.place == self._order.place:
                order, self._order = self._order, None
                if None not in labels and len(labels) == 2 and set(labels) != set(order.cards):
                    read, wanted = " ".join(str(label) for label in labels), " ".join(order.cards)
                    means = "The camera reads {read} in the hand of two of {position}, which was to be {wanted}."
                    return self.proven(
                        [self._said, record.seq], means, read=read, position=order.position, wanted=wanted
                    )
            case _:
                pass
        return None


class LiftedWatch(Watch):
    """The player is said to look, and the camera sees the cards gone from the position."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._looks: tuple[str, int] | None = None

    def forget(self) -> None:
        self._looks = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case PlayerDid(act=act, position=position):
                here = act == "look" and self.spec.at.get("position", position) == position
                self._looks = (position, record.seq) if here else None
            case CardsSeen(count=0) as look if self._looks is not None and look.place == self._looks[0]:
                means = "The player at {place} takes the cards up, and the camera sees none there."
                return self.proven([self._looks[1], record.seq], means, place=look.place)
            case _:
                pass
        return None
