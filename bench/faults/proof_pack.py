"""Proof about the pack as a whole: a card that is there twice, a shuffle or cut left out, a pack that came back."""

from bench.faults.facts import TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import (
    CardsSeen,
    DealerDid,
    DeviceCycle,
    Directive,
    FaultProven,
    Record,
    TableDone,
)


class IdentityWatch(Watch):
    """The camera reads one label on two cards: at the table at one time, or in a check of a pack of the right size."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._lying: dict[str, tuple[list[str], int]] = {}
        """Labels that lie face up by place, with the record of the look."""
        self._checked: dict[str, int] = {}
        """Labels read in the check under way, with the record of the look."""
        self._in_check: dict[str, tuple[int, int]] = {}
        self._twice: dict[str, tuple[int, int]] = {}

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DealerDid(act="gather" | "remove_deck") | TableDone(verb="open_round"):
                self._lying.clear()
                self._checked.clear()
                self._in_check.clear()
            case CardsSeen(place="layout_centre") as look if self.facts.laid_out is not None:
                self._part(look, record.seq)
            case CardsSeen() as look:
                self._at_table(look, record.seq)
            case _:
                return None
        if len(self._twice) < int(self.spec.params["count"]):
            return None
        label, (first, second) = next(iter(self._twice.items()))
        means = f"The camera reads {label} on two cards (records {first} and {second})."
        return self.proven((seq for pair in self._twice.values() for seq in pair), means)

    def _part(self, look: CardsSeen, seq: int) -> None:
        for label in [label for label in look.face_up if label]:
            if label in self._checked:
                self._in_check.setdefault(label, (self._checked[label], seq))
            self._checked[label] = seq
        if self.facts.checked_at(look, seq).count == self.facts.deck:
            self._twice.update(self._in_check)

    def _at_table(self, look: CardsSeen, seq: int) -> None:
        labels = [label for label in look.face_up if label]
        self._lying[look.place] = (labels, seq)
        for label in labels:
            earlier = [at for place, (others, at) in self._lying.items() if place != look.place and label in others]
            if earlier or labels.count(label) > 1:
                self._twice.setdefault(label, (earlier[0] if earlier else seq, seq))


class _OrderWatch(Watch):
    """Base: follows one kind of order from its being given to its end."""

    verbs: frozenset[str] = frozenset()

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._orders: dict[str, Directive] = {}
        self._ordered = 0

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case Directive() as order if order.verb in self.verbs:
                self._orders[order.id] = order
                self._ordered = record.seq
                self.begun()
            case TableDone(directive=name, outcome="done") if name in self._orders:
                return self.over(self._orders.pop(name), record.seq)
            case _:
                if self._orders:
                    self.meanwhile(record)
        return None

    def begun(self) -> None:
        """The order has been given."""

    def meanwhile(self, record: Record) -> None:
        """A record while the order is carried out."""

    def over(self, order: Directive, seq: int) -> FaultProven | None:
        """The order is called done."""
        return None


class NotShuffledWatch(_OrderWatch):
    """A shuffle is called done, and neither a device nor the dealer told of one."""

    verbs = frozenset({"shuffle"})
    _told = False

    def begun(self) -> None:
        self._told = False

    def meanwhile(self, record: Record) -> None:
        match record.event:
            case DeviceCycle(kind="shuffle") | DealerDid(act="shuffle_by_hand"):
                self._told = True
            case _:
                pass

    def over(self, order: Directive, seq: int) -> FaultProven | None:
        if self._told:
            return None
        return self.proven([self._ordered, seq], "The shuffle is called done; no device and nobody told of one.")


class NotCutWatch(_OrderWatch):
    """A cut in sight is called done, and the camera saw no two parts of the pack."""

    verbs = frozenset({"cut"})

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._looks: dict[str, tuple[bool | None, int]] = {}

    def begun(self) -> None:
        self._looks.clear()

    def meanwhile(self, record: Record) -> None:
        if isinstance(record.event, CardsSeen):
            look = record.event
            lies = look.stacked or bool(look.face_up) if look.count is None else look.count > 0
            known = look.count is not None or look.stacked
            self._looks[look.place] = (lies if known else None, record.seq)

    def over(self, order: Directive, seq: int) -> FaultProven | None:
        empty = [at for lies, at in self._looks.values() if lies is False]
        if len(self._looks) < 2 or not empty:
            return None
        return self.proven(
            [self._ordered, *empty, seq], "The pack was to be cut in sight; the camera sees no two parts."
        )


class SameBackWatch(_OrderWatch):
    """The pack that was placed has the back of the one that was seen before it was taken away."""

    verbs = frozenset({"place_deck"})

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._before: tuple[str, int] | None = None
        self._now: tuple[str, int] | None = None

    def see(self, record: Record) -> FaultProven | None:
        if isinstance(record.event, CardsSeen) and record.event.backs and record.event.backs[0] is not None:
            seen = (record.event.backs[0], record.seq)
            if self._orders:
                self._now = self._now or seen
            else:
                self._before = seen
        return super().see(record)

    def begun(self) -> None:
        self._now = None

    def over(self, order: Directive, seq: int) -> FaultProven | None:
        if self._before is None or self._now is None or self._before[0] != self._now[0]:
            return None
        means = f"The camera sees {self._now[0]} backs on the pack that came, as on the one that was taken away."
        return self.proven([self._before[1], self._now[1], seq], means)
