"""Facts about seven cards that were set into two hands."""

from evidence.events import Directive, TableDone
from rules.facts.pai_gow.hand import whose
from rules.house_way import HouseWay, parse_house_way
from rules.pack import Game
from rules.poker_hands import is_foul
from rules.table import CENTRE, Draft, Look, Moment, Table
from rules.vocabulary import Value

HIGH, LOW = 5, 2
INPUT = "house_way"


class SettingTracker:
    """Reads the two hands of a position and compares them with the operator's house way."""

    def __init__(self, game: Game) -> None:
        self._times: dict[str, int] = {}
        self._way: HouseWay | None = None
        self._state: str | None = ""
        """Whether there is a house way, None for one that cannot be used; empty before the first hands were set."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        if not isinstance(event, TableDone) or moment.done is None or event.outcome != "done":
            return []
        directive = moment.done[1]
        if directive.verb == "open_round":
            self._times.clear()
        return [self._set(directive, moment, table)] if directive.verb == "set_hands" else []

    def _set(self, directive: Directive, moment: Moment, table: Table) -> Draft:
        position, place = directive.position, directive.place or CENTRE
        if self._state == "":
            self._take_way(table)
        high, low = _labels(table.look(position), HIGH), _labels(table.look(place), LOW)
        self._times[position] = self._times.get(position, 0) + 1
        facts: dict[str, Value] = {
            "position": position,
            "who": whose(position, table),
            "nth": self._times[position],
            "agrees": self._agrees(high, low),
            "foul": is_foul(high, low) if high and low else None,
            "way": self._state,
        }
        looks = tuple(look.seq for look in (table.look(position), table.look(place)) if look)
        return Draft(name="hands_set", at=looks[-1] if looks else moment.seq, attributes=facts, evidence=looks)

    def _take_way(self, table: Table) -> None:
        if INPUT not in table.inputs:
            self._state = "missing"
            return
        try:
            self._way, self._state = parse_house_way(table.inputs[INPUT]), "given"
        except ValueError:
            self._state = None

    def _agrees(self, high: list[str], low: list[str]) -> bool | None:
        if self._way is None or not high or not low:
            return None
        return self._way.agrees(high, low)


def _labels(look: Look | None, count: int) -> list[str]:
    """The faces that lie there, when they are so many and all could be read; else none."""
    labels = [label for label in look.labels if label] if look else []
    return labels if len(labels) == count and look is not None and look.count == count else []
