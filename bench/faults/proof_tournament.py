"""Proof of what goes wrong in a deal of single cards: hands passed over, and cards of another pack."""

from bench.faults.facts import ALL, MOUTH, TableFacts, left_by
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import CardsSeen, DealerDid, Directive, FaultProven, Record, TableDone


class PassedOverWatch(Watch):
    """A card was ordered to a position; the camera sees no more cards there, and the card still at the mouth."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._ordered: dict[str, str] = {}
        """Position by the id of each order to deliver that is not done."""
        self._cards: dict[str, int] = {}
        """Cards ordered to each position in this deal."""
        self._missed = -1

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case TableDone(verb="open_round" | "redeal"):
                self._cards.clear()
            case Directive(verb="deliver") as order:
                self._ordered[order.id] = order.position
                self._cards[order.position] = self._cards.get(order.position, 0) + 1
            case TableDone(verb="deliver") as done:
                self._ordered.pop(done.directive, None)
                self._missed = -1
            case CardsSeen(count=int()) as look if look.place in self._ordered.values() and self.due(look.place):
                before = self.facts.seen.get(look.place)
                self._missed = record.seq if look.count == (before.count if before is not None else 0) else -1
            case CardsSeen(place="shoe_mouth", count=int()) as look if self._missed >= 0 and look.count:
                means = "A card was ordered to the position; the camera sees none come there, and one at the mouth."
                return self.missed([self._missed, record.seq], means)
            case _:
                pass
        return None

    def here(self, position: str) -> bool:
        """Whether this is the position that the plan names, or any when it names none."""
        return self.spec.at.get("position", position) == position

    def due(self, position: str) -> bool:
        """Whether the card now ordered there is the one that the plan names."""
        nth = self._cards.get(position, 0)
        return self.here(position) and self.spec.at.get("card", nth) == nth

    def missed(self, by: list[int], means: str) -> FaultProven | None:
        """The position was passed over."""
        return self.proven(by, means)


class DealtLastWatch(PassedOverWatch):
    """A position was passed over, and later the camera sees all the cards there that were ordered to it."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._by: list[int] = []

    def missed(self, by: list[int], means: str) -> FaultProven | None:
        self._by = by
        return None

    def see(self, record: Record) -> FaultProven | None:
        super().see(record)
        look = record.event
        if not isinstance(look, CardsSeen) or look.count is None or not self.here(look.place) or not self._by:
            return None
        if look.place != MOUTH and look.count > 1 and look.count == self._cards.get(look.place, 0):
            means = "The camera sees nothing come to {place} when it was due, and {count} cards at last."
            return self.proven([*self._by, record.seq], means, place=look.place, count=look.count)
        return None


class OpenWatch(Watch):
    """Base for what lies open at the table: forgets cards that were taken away."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self.open: dict[str, tuple[list[str], int]] = {}
        """Labels that lie face up by place, with the record of the look."""
        self.backs: dict[str, tuple[list[str], int]] = {}

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid() as act if place := left_by(act):
                self._forget_cards(place)
            case TableDone(verb="open_round"):
                self._forget_cards(ALL)
            case CardsSeen() as look:
                self.open[look.place] = ([label for label in look.face_up if label], record.seq)
                self.backs[look.place] = ([back for back in look.backs if back], record.seq)
                return self.seen(look, record.seq)
            case _:
                pass
        return None

    def _forget_cards(self, place: str) -> None:
        for by_place in (self.open, self.backs):
            if place == ALL:
                by_place.clear()
            else:
                by_place.pop(place, None)

    def seen(self, look: CardsSeen, seq: int) -> FaultProven | None:
        """The camera has looked."""
        return None


class StrangeFaceWatch(OpenWatch):
    """The camera reads the label that the game's pack has not."""

    def seen(self, look: CardsSeen, seq: int) -> FaultProven | None:
        label = str(self.spec.params["label"])
        if label not in look.face_up:
            return None
        return self.proven([seq], "The camera reads {label} at {place}.", label=label, place=look.place)


class TwinWatch(OpenWatch):
    """The camera reads the label on two cards that lie at the table at one time."""

    def seen(self, look: CardsSeen, seq: int) -> FaultProven | None:
        label = str(self.spec.params["label"])
        by = [at for labels, at in self.open.values() for _ in range(labels.count(label))]
        if len(by) < 2:
            return None
        return self.proven(by, "The camera reads {label} on {count} cards at one time.", label=label, count=len(by))


class StrangeBackWatch(OpenWatch):
    """The camera sees the back beside another one."""

    def seen(self, look: CardsSeen, seq: int) -> FaultProven | None:
        back = str(self.spec.params["back"])
        mine = [at for backs, at in self.backs.values() if back in backs]
        others = [at for backs, at in self.backs.values() if any(other != back for other in backs)]
        if not mine or not others:
            return None
        return self.proven([mine[0], others[0]], "The camera sees a {back} back among others at one time.", back=back)
