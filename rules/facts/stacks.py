"""Facts about games dealt in stacks: deliveries, counts, and the cards that remain."""

from evidence.events import CardsSeen, Directive, TableDone
from rules.pack import Game
from rules.table import CENTRE, DEALER, MOUTH, Draft, Look, Moment, Table
from rules.vocabulary import Value


class StackTracker:
    """Follows the stacks of a round from delivery to the check of the remainder."""

    watches = (CardsSeen, TableDone)
    states = (
        "stack_delivered",
        "all_stacks_delivered",
        "stack_counted",
        "remainder_removed",
        "remainder_counted",
        "unwagered_stack",
        "stacks_checked",
    )

    def __init__(self, game: Game) -> None:
        self._game = game
        self._start = ""
        self._last = ""
        self._delivered: list[str] = []
        self._deliveries = 0
        self._stacks = 0
        """Stacks that the camera saw come out in this round."""
        self._removed = False
        self._remainder: int | None = None
        self._relation: str | None = None

    @staticmethod
    def plays(game: Game) -> bool:
        """Whether this game has what is followed here."""
        return game.stack_size > 0

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        if isinstance(event, CardsSeen):
            return self._counted(table.recent[-1])
        if not isinstance(event, TableDone) or moment.done is None:
            return []
        directive = moment.done[1]
        if event.outcome != "done":
            return []
        match directive.verb:
            case "dispense":
                return self._came(table)
            case "open_round":
                self._start = self._last = ""
                self._delivered = []
                self._deliveries = self._stacks = 0
                self._removed = False
                self._remainder = self._relation = None
            case "set_start":
                self._start = directive.position
            case "deliver":
                return self._delivery(directive, moment, table)
            case "remove_remainder":
                self._removed = True
                return [Draft(name="remainder_removed", attributes={"device": directive.device})]
            case "spread" if self._removed and directive.place in ("", CENTRE):
                return self._remaining(moment, table)
            case "check_stacks":
                return [self._checked(moment, table)]
            case _:
                pass
        return []

    def _delivery(self, directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        position = directive.position
        look = table.look(position)
        self._deliveries += 1
        index = self._deliveries
        expected = table.next_of(self._last, table.positions) if self._last else ""
        self._last = position
        if position not in self._delivered:
            self._delivered.append(position)
        facts: dict[str, Value] = {
            "index": index,
            "position": position,
            "who": table.who(position) or None,
            "at_start": position == self._start if self._start else None,
            "in_order": position == expected if expected else None,
            "arrived": look.present if look else None,
            "face_up": look.face_up if look else None,
            "wagered": table.wagered(position),
        }
        at = table.began if table.began >= 0 else moment.seq
        seen = (look.seq,) if look else ()
        drafts = [Draft(name="stack_delivered", at=at, attributes=facts, evidence=(*seen, moment.seq))]
        if len(self._delivered) == self._game.stacks and index == self._game.stacks:
            drafts.append(Draft(name="all_stacks_delivered", attributes={"count": index}))
        return drafts

    def _counted(self, look: Look) -> list[Draft]:
        """A look at a stack whose cards lie apart."""
        if look.count is None or look.count == 0 or look.place not in self._delivered:
            return []
        return [self._count(look)]

    def _came(self, table: Table) -> list[Draft]:
        """A stack at the mouth of the shoe, counted there or not."""
        look = table.look(MOUTH)
        if look is None or look.present is False:
            return []
        self._stacks += 1
        return [self._count(look)]

    def _count(self, look: Look) -> Draft:
        right = None if look.count is None else look.count == self._game.stack_size
        facts: dict[str, Value] = {
            "place": look.place,
            "count": look.count,
            "right": right,
            "counted": look.count is not None,
        }
        return Draft(name="stack_counted", at=look.seq, attributes=facts, evidence=(look.seq,))

    def _remaining(self, moment: Moment, table: Table) -> list[Draft]:
        look = table.look(CENTRE)
        count = look.count if look else None
        self._remainder = count
        right = self._game.remainder
        relation = None if count is None else "same" if count == right else "fewer" if count < right else "more"
        self._relation = relation
        fitting = self._game.cards_in_deck - self._stacks * self._game.stack_size
        facts: dict[str, Value] = {
            "count": count,
            "relation": relation,
            "face_up": look.face_up if look else None,
            "complete": len(self._delivered) == self._game.stacks,
            "agrees": None if count is None else count == fitting,
        }
        evidence = (look.seq,) if look else ()
        at = look.seq if look else moment.seq
        drafts = [Draft(name="remainder_counted", at=at, attributes=facts, evidence=evidence)]
        drafts += [
            Draft(name="unwagered_stack", at=at, attributes={"position": position})
            for position in self._delivered
            if relation == "same" and position != DEALER and not table.wagered(position)
        ]
        return drafts

    def _checked(self, moment: Moment, table: Table) -> Draft:
        looks = [table.look(position) for position in self._delivered]
        counts = [look.count if look else None for look in looks]
        known = [count for count in counts if count is not None]
        wrong: bool | None = any(count != self._game.stack_size for count in known)
        if not wrong and len(known) < len(counts):
            wrong = None
        total = None
        if len(known) == len(counts) and self._remainder is not None:
            total = sum(known) + self._remainder
        evidence = tuple(look.seq for look in looks if look)
        facts: dict[str, Value] = {
            "any_wrong": wrong,
            "total": total,
            "total_right": None if total is None else total == self._game.cards_in_deck,
            "relation": self._relation,
        }
        at = evidence[0] if evidence else moment.seq
        return Draft(name="stacks_checked", at=at, attributes=facts, evidence=evidence)
