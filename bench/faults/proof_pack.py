"""Proof about the pack as a whole: a card that is there twice, a shuffle or cut left out, a pack that came back."""

from bench.faults.facts import ALL, TableFacts, left_by
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
            case DealerDid() as act if place := left_by(act):
                if place == ALL:
                    self._lying.clear()
                else:
                    self._lying.pop(place, None)
                return None
            case CardsSeen(place="layout_centre") as look if self.facts.laid_out is not None:
                self._part(look, record.seq)
            case CardsSeen() as look:
                self._at_table(look, record.seq)
            case _:
                return None
        if len(self._twice) < int(self.spec.params["count"]):
            return None
        label, (first, second) = next(iter(self._twice.items()))
        means = "The camera reads {label} on two cards (records {first} and {second})."
        return self.proven(
            (seq for pair in self._twice.values() for seq in pair), means, label=label, first=first, second=second
        )

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
    """Base: follows one kind of order while it is the one that is being carried out."""

    verb = ""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._waiting: dict[str, tuple[Directive, int]] = {}
        """Orders that are not done, the oldest first, with their records."""
        self._current = ""

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case Directive() as order:
                self._waiting[order.id] = (order, record.seq)
            case TableDone(directive=name, outcome=outcome) if name in self._waiting:
                order, ordered = self._waiting.pop(name)
                if order.verb == self.verb and outcome == "done":
                    return self.over(ordered, record.seq)
            case _:
                self._meanwhile(record)
        return None

    def _meanwhile(self, record: Record) -> None:
        order = next((order for order, _ in self._waiting.values()), None)
        if order is None or order.verb != self.verb:
            self.otherwise(record)
            return
        if order.id != self._current:
            self._current = order.id
            self.begun()
        self.meanwhile(record)

    def begun(self) -> None:
        """The order begins to be carried out."""

    def meanwhile(self, record: Record) -> None:
        """A record while the order is carried out."""

    def otherwise(self, record: Record) -> None:
        """A record at another time."""

    def over(self, ordered: int, seq: int) -> FaultProven | None:
        """The order is called done; `ordered` is its record."""
        return None


class NotShuffledWatch(_OrderWatch):
    """A shuffle is called done, and neither a device nor the dealer told of one."""

    verb = "shuffle"
    _told = False

    def meanwhile(self, record: Record) -> None:
        match record.event:
            case DeviceCycle(kind="shuffle") | DealerDid(act="shuffle_by_hand"):
                self._told = True
            case _:
                pass

    def over(self, ordered: int, seq: int) -> FaultProven | None:
        told, self._told = self._told, False
        if told:
            return None
        return self.proven([ordered, seq], "The shuffle is called done; no device and nobody told of one.")


class NotCutWatch(_OrderWatch):
    """A cut in sight is called done, and the camera saw no two parts of the pack."""

    verb = "cut"

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

    def over(self, ordered: int, seq: int) -> FaultProven | None:
        empty = [at for lies, at in self._looks.values() if lies is False]
        if len(self._looks) < 2 or not empty:
            return None
        return self.proven([ordered, *empty, seq], "The pack was to be cut in sight; the camera sees no two parts.")


class SameBackWatch(_OrderWatch):
    """The pack that was placed has the back of the one that was seen before it was taken away."""

    verb = "place_deck"

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._before: tuple[str, int] | None = None
        self._now: tuple[str, int] | None = None

    def begun(self) -> None:
        self._now = None

    def meanwhile(self, record: Record) -> None:
        self._now = self._now or _back(record)

    def otherwise(self, record: Record) -> None:
        self._before = _back(record) or self._before

    def over(self, ordered: int, seq: int) -> FaultProven | None:
        if self._before is None or self._now is None or self._before[0] != self._now[0]:
            return None
        means = "The camera sees {back} backs on the pack that came, as on the one that was taken away."
        return self.proven([self._before[1], self._now[1], seq], means, back=self._now[0])


def _back(record: Record) -> tuple[str, int] | None:
    """The back that a look shows, with its record."""
    look = record.event
    if not isinstance(look, CardsSeen) or not look.backs or look.backs[0] is None:
        return None
    return look.backs[0], record.seq
