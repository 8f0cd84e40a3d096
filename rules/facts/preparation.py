"""Facts about shuffles and cuts that were due and did not come about."""

from evidence.events import DealerDid, DeviceCycle, Directive, TableDone
from rules.table import BURN, Draft, Look, Moment, Table
from rules.vocabulary import Value


class PreparationTracker:
    """Compares each shuffle and cut that is called done with what devices, people and the camera told of it."""

    watches = (DeviceCycle, DealerDid, TableDone)
    states = ("preparation_failed",)

    def __init__(self) -> None:
        self._told = False
        """Whether a shuffle or a cut has been told of since the last order was done."""
        self._unshuffled = False

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DeviceCycle(kind="shuffle", phase="completed") | DealerDid(act="shuffle_by_hand" | "cut"):
                self._told = True
            case TableDone() if moment.done is not None:
                told, self._told = self._told, False
                directive = moment.done[1]
                if directive.verb in ("shuffle", "reshuffle") and event.outcome != "impossible":
                    self._unshuffled = not (told and event.outcome == "done")
                    return self._failed("shuffle", self._unshuffled, moment, ())
                if directive.verb == "cut" and event.outcome != "impossible":
                    failed, looks = self._uncut(directive, told and event.outcome == "done", table)
                    return self._failed("cut", failed, moment, looks)
            case _:
                pass
        return []

    @staticmethod
    def _uncut(directive: Directive, told: bool, table: Table) -> tuple[bool | None, tuple[int, ...]]:
        """A cut in sight leaves two parts of the pack to be seen; one out of sight has to be told of."""
        looks: list[Look] = [look for place in (directive.place, BURN) if (look := table.look(place)) is not None]
        if not directive.place or len(looks) < 2:
            return not told, ()
        present = [look.present for look in looks]
        failed = True if False in present else None if None in present else not told
        return failed, tuple(look.seq for look in looks)

    def _failed(self, what: str, failed: bool | None, moment: Moment, looks: tuple[int, ...]) -> list[Draft]:
        if failed is False:
            return []
        both: bool | None = False if not self._unshuffled or what == "shuffle" else failed
        facts: dict[str, Value] = {"what": what, "failed": failed, "both": both}
        return [Draft(name="preparation_failed", attributes=facts, evidence=(*looks, moment.seq))]
