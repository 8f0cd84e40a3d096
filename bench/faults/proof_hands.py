"""Proof of what befalls hands: cards that nobody ordered, cards that fall, hands taken away or mixed with others."""

from bench.faults.facts import MOUTH, NOTHING, TableFacts
from bench.faults.proof_people import PlaceWatch
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import CardsSeen, DealerDid, Directive, FaultProven, Record, TableDone

CLEARING = frozenset({"collect", "retire_card", "reshuffle", "remove_deck", "check_deck", "shuffle", "move_card"})
"""Orders after which a position may be found empty."""


class MisplacedWatch(PlaceWatch):
    """The camera counts cards at a position to which none was ordered."""

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        due = self.facts.dealt.get(look.place, NOTHING).count
        if due is None or count <= due or not self.here(look.place):
            return None
        means = "The camera counts {count} card(s) at {place}; {due} had been ordered there."
        return self.proven([seq], means, count=count, place=look.place, due=due)


class DroppedWatch(Watch):
    """The dealer told of a card that fell; the camera sees nothing at the mouth, and nothing more at the position."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._told: tuple[str, int] | None = None
        self._missed = 0
        self._before: int | None = 0

    def forget(self) -> None:
        self._told = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="drop_card", position=position) if self.spec.at.get("position", position) == position:
                self._told, self._missed = (position, record.seq), 0
                self._before = self.facts.lying.get(position, NOTHING).count
            case DealerDid():
                self._told = None
            case CardsSeen(count=int()) as look if self._told is not None and look.count is not None:
                return self._looked(look, look.count, record.seq)
            case _:
                pass
        return None

    def _looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        if self._told is None:
            return None
        position, told = self._told
        if look.place == position and count == self._before:
            self._missed = seq
        elif look.place == MOUTH and count == 0 and self._missed:
            means = (
                "The dealer told that the card for {position} fell; the camera sees it neither there nor at the mouth."
            )
            return self.proven([told, self._missed, seq], means, position=position)
        return None


class _OrderedWatch(PlaceWatch):
    """Base: knows which order is being carried out."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._waiting: dict[str, Directive] = {}

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case Directive() as order:
                self._waiting[order.id] = order
            case TableDone(directive=name):
                self._waiting.pop(name, None)
            case _:
                pass
        return super().see(record)

    def _before(self, place: str) -> CardsSeen | None:
        return self.facts.seen.get(place)

    @property
    def _clearing(self) -> bool:
        under_way = next(iter(self._waiting.values()), None)
        return under_way is not None and under_way.verb in CLEARING


class CollectedWatch(_OrderedWatch):
    """The camera saw cards at a position and sees none now, while no order had it cleared."""

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        before = self._before(look.place)
        if count or before is None or not before.count or self._clearing or not self.here(look.place):
            return None
        means = "The camera sees no card at {place}, where it saw {before}; no order had them taken away."
        return self.proven([seq], means, place=look.place, before=before.count)


class FouledWatch(_OrderedWatch):
    """The camera counts more cards at a position than were dealt to it, and none where the folded hand lay."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._emptied = 0

    def looked(self, look: CardsSeen, count: int, seq: int) -> FaultProven | None:
        thrown = f"seat/{self.spec.params['seat']}"
        before = self._before(look.place)
        if look.place == thrown:
            self._emptied = seq if not count and before is not None and before.count else 0
            return None
        if not self._emptied or before is None or before.count is None or self._clearing or not self.here(look.place):
            return None
        if count <= before.count:
            return None
        means = "The camera counts {count} cards at {place}, where it saw {before}, and none at {thrown}."
        return self.proven(
            [self._emptied, seq], means, count=count, place=look.place, before=before.count, thrown=thrown
        )
