"""Facts about the number of cards in each hand, and about hands that are mended."""

from evidence.events import CardsSeen, Directive, TableDone
from rules.facts.pai_gow.hand import whose
from rules.pack import Game
from rules.table import RACK, Draft, Moment, Table
from rules.vocabulary import Value

MOVES = ("collect", "move_card", "recover_card")


class CountTracker:
    """Counts each stack at the mouth of the shoe, and again when it is spread at its position."""

    def __init__(self, game: Game) -> None:
        self._size = game.stack_size
        self._at_mouth: tuple[int | None, int] = (None, -1)
        """What the camera counted at the mouth last, with its record."""
        self._delivered: set[str] = set()

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case CardsSeen(place="shoe_mouth") if table.current is None or table.current.verb != "deliver":
                look = table.recent[-1]
                if look.count is not None or look.present is None:
                    self._at_mouth = (look.count, look.seq)
            case TableDone(outcome="done") if moment.done is not None:
                return self._done(moment.done[1], moment, table)
            case _:
                pass
        return []

    def _done(self, directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        match directive.verb:
            case "open_round":
                self._delivered.clear()
                self._at_mouth = (None, -1)
            case "deliver":
                return self._delivery(directive.position, moment, table)
            case "check_stacks":
                looks = [look for place in sorted(self._delivered) if (look := table.look(place)) is not None]
                return [
                    self._stack(look.place, look.count, look.seq, table) for look in looks if look.count is not None
                ]
            case "collect" | "move_card" | "recover_card":
                return self._mended(directive, moment, table)
            case _:
                pass
        return []

    def _delivery(self, position: str, moment: Moment, table: Table) -> list[Draft]:
        (count, seq), self._at_mouth = self._at_mouth, (None, -1)
        if position in self._delivered:
            return [_mend(position, moment)]
        self._delivered.add(position)
        look = table.look(position)
        if look is not None and look.present is False:
            return []
        return [self._stack(position, count, seq if seq >= 0 else moment.seq, table)]

    def _stack(self, position: str, count: int | None, seq: int, table: Table) -> Draft:
        relation = (
            None if count is None else "same" if count == self._size else "fewer" if count < self._size else "more"
        )
        facts: dict[str, Value] = {
            "position": position,
            "who": whose(position, table),
            "count": count,
            "relation": relation,
        }
        key = f"stack {table.round} {position}"
        return Draft(name="stack_dealt", at=seq, attributes=facts, evidence=(seq,), key=key)

    def _mended(self, directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        """Cards that go from one hand to another, or from the mouth of the shoe to a hand."""
        source = directive.position if directive.verb == "collect" else ""
        source = source or directive.place
        target = directive.to if directive.verb == "collect" else directive.position or directive.to
        if target in table.positions and target not in ("", RACK) and source != target:
            return [_mend(target, moment)]
        return []


def _mend(position: str, moment: Moment) -> Draft:
    issued = moment.done[0] if moment.done else moment.seq
    return Draft(name="hand_mended", at=issued, attributes={"position": position}, evidence=(moment.seq,))
