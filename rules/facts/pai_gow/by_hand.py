"""Facts about seven stacks that are dealt by hand: one card at a time to each position in turn."""

from evidence.events import Directive, TableDone
from rules.pack import Game
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

PLAY = ("players_act", "show_hands", "settle", "close_round")


class ByHandTracker:
    """Follows a deal from the hand, card by card, by what the camera sees come to each position."""

    def __init__(self, game: Game) -> None:
        self._size, self._stacks = game.stack_size, game.stacks
        self._start = self._last = ""
        self._seen: dict[str, int | None] = {}
        """Cards at each position as the camera counted them last."""
        self._dealing = False

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        if not isinstance(event, TableDone) or moment.done is None:
            return []
        issued, directive = moment.done
        match directive.verb:
            case "open_round" | "reshuffle":
                self._start = self._start if directive.verb == "reshuffle" else ""
                self._last = ""
                self._seen.clear()
                self._dealing = False
            case "set_start":
                self._start = directive.position
            case "deal" if event.outcome == "done":
                self._dealing = True
                return self._card(directive, moment, table)
            case "players_act" | "show_hands" | "settle" | "close_round" if self._dealing:
                self._dealing = False
                return self._end(issued, table)
            case _:
                pass
        return []

    def _card(self, directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        position = directive.position
        due = table.next_of(self._last, table.positions) if self._last else self._start
        self._last = position
        look = table.look(position)
        before, now = self._seen.get(position, 0), look.count if look else None
        came = None if before is None or now is None else now - before
        for place in table.positions:
            if (seen := table.look(place)) is not None:
                self._seen[place] = seen.count
        at = look.seq if look else moment.seq
        if due and position != due:
            return [_wrong("order", position, at)]
        if came is None:
            return [_wrong(None, position, at)]
        return [] if came == 1 else [_wrong("order" if came == 0 else "count", position, at)]

    def _end(self, issued: int, table: Table) -> list[Draft]:
        counts = [self._seen.get(place, 0) for place in table.positions]
        if len(counts) == self._stacks and all(count == self._size for count in counts):
            return []
        how = None if None in counts else "unfinished"
        return [_wrong(how, "", issued)]


def _wrong(how: str | None, position: str, at: int) -> Draft:
    facts: dict[str, Value] = {"how": how, "position": position}
    return Draft(name="dealt_wrong_by_hand", at=at, attributes=facts)
