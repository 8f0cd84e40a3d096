"""Facts about dice that do not count, and about where a deal begins by those that do."""

from evidence.events import DealerDid, DiceSeen, Directive, TableDone
from rules.pack import Game
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

SURE = 0.9
"""From this certainty on the camera is sure of what it saw."""
DEALS = ("deliver", "deal")


class DiceTracker:
    """Reads each throw of the dice once it has been looked at, and sees where the first card or stack goes."""

    def __init__(self, game: Game) -> None:
        self._dice = game.dice
        self._looks: list[tuple[int, DiceSeen]] = []
        self._pips: tuple[int, int | None] | None = None
        """Record of the last throw in this round with its total; None before a throw."""
        self._called: int | None = None
        self._start = ""
        self._begun = False

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DiceSeen():
                self._looks.append((moment.seq, event))
            case DealerDid(act="call_total", count=count):
                self._called = count
            case TableDone() if moment.done is not None:
                return self._done(moment.done[1], event.outcome, moment, table)
            case _:
                pass
        return []

    def _done(self, directive: Directive, outcome: str, moment: Moment, table: Table) -> list[Draft]:
        if self._looks:
            return self._thrown()
        match directive.verb:
            case "open_round":
                self._pips = self._called = None
                self._start = ""
                self._begun = False
            case "set_start":
                self._start = directive.position
            case "reshuffle":
                self._begun = False
            case "deliver" | "deal" if outcome == "done" and not self._begun:
                self._begun = True
                return self._first(self._pips, directive, moment, table) if self._pips is not None else []
            case _:
                pass
        return []

    def _thrown(self) -> list[Draft]:
        """What the looks at one throw come to: the latest that tells something."""
        telling = [look for look in self._looks if look[1].flat + look[1].leaning + look[1].outside] or self._looks
        seq, seen = telling[-1]
        self._looks = []
        self._pips = (seq, seen.total)
        visible = seen.flat + seen.leaning + seen.outside
        drafts: list[Draft] = []
        for how, count in (("leaning", seen.leaning), ("outside", seen.outside)):
            if count or not visible:
                facts: dict[str, Value] = {
                    "how": how,
                    "stage": ("uncovered" if visible == self._dice else "shaking") if visible else None,
                    "count": count if visible else None,
                    "certain": seen.certainty >= SURE if visible else None,
                }
                drafts.append(Draft(name="dice_spoiled", at=seq, attributes=facts))
        return drafts

    def _first(self, pips: tuple[int, int | None], directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        thrown, total = pips
        points_to = _counted(table.positions, total)
        where, looks = _seen_at(directive.position, table)
        called = self._called is None or self._called == total
        set_by_it = not self._start or self._start == points_to
        facts: dict[str, Value] = {
            "unit": "card" if directive.verb == "deal" else "stack",
            "position": where,
            "total_right": None if total is None else called and set_by_it,
            "place_right": None if points_to is None or where is None else where == points_to,
        }
        at = table.began if table.began >= 0 else moment.seq
        return [Draft(name="first_delivery", at=at, attributes=facts, evidence=(thrown, *looks, moment.seq))]


def _counted(positions: list[str], total: int | None) -> str | None:
    """The position that a total points to: the dealer is 1, the others follow clockwise."""
    if total is None or total < 1 or not positions:
        return None
    counted = [positions[-1], *positions[:-1]]
    return counted[(total - 1) % len(counted)]


def _seen_at(ordered: str, table: Table) -> tuple[str | None, tuple[int, ...]]:
    """Where the camera saw what was dealt, with the looks that show it; None where it could not tell."""
    here = table.look(ordered)
    if here is None or here.present is None:
        return None, ()
    if here.present:
        return ordered, (here.seq,)
    others = [look for place in table.positions if place != ordered and (look := table.look(place)) is not None]
    there = [look for look in others if look.present]
    if len(there) != 1:
        return None, (here.seq,)
    return there[0].place, (here.seq, there[0].seq)
