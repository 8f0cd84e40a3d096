"""Facts about cards that go to the discard rack."""

from evidence.events import Directive, TableDone
from rules.pack import Game
from rules.table import CENTRE, RACK, Draft, Moment, Table
from rules.vocabulary import Value


class RackTracker:
    """States each move to the rack as the camera saw it: the place empty, cards in the rack, faces visible or not."""

    watches = (TableDone,)

    def __init__(self, game: Game) -> None:
        self._stacked = game.stack_size > 0

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        if not isinstance(event, TableDone) or moment.done is None:
            return []
        directive = moment.done[1]
        if directive.verb not in ("collect", "retire_card"):
            return []
        place = directive.position or directive.place or "all"
        self._forget(place, table)
        if event.outcome != "done" or directive.to not in ("", RACK):
            return []
        return [self._moved(place, directive, moment, table)]

    def _forget(self, place: str, table: Table) -> None:
        """What was known of places that were cleared without a look is known no longer."""
        seen = {look.place for look in table.recent}
        for known in list(table.looks):
            if known not in seen and place in ("all", known):
                del table.looks[known]

    def _moved(self, place: str, directive: Directive, moment: Moment, table: Table) -> Draft:
        source, rack = table.look(place), table.look(RACK)
        gone = None if source is None or source.present is None else not source.present
        shown = None if rack is None else rack.face_up
        facts: dict[str, Value] = {
            "place": place,
            "wagered": table.wagered(place),
            "remainder": self._stacked and place == CENTRE,
            "gone": gone,
            "arrived": rack.present if rack else None,
            "face_up": shown,
        }
        at = table.began if table.began >= 0 else moment.seq
        evidence = tuple(look.seq for look in (source, rack) if look)
        return Draft(name="moved_to_rack", at=at, attributes=facts, evidence=(*evidence, moment.seq))
