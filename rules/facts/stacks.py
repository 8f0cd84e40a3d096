"""Facts about games dealt in stacks: deliveries, counts, and the cards that remain."""

from evidence.events import CardsSeen, DealerDid, Directive, TableDone
from rules.pack import Game
from rules.table import CENTRE, DEALER, MOUTH, Draft, Look, Moment, Table
from rules.vocabulary import Value


class StackTracker:
    """Follows the stacks of a round from delivery to the check of the remainder."""

    watches = (CardsSeen, DealerDid, TableDone)
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
        self._singles = self._retired = 0
        """Single cards that came out in this round, and cards that went from the mouth to the discard rack unused."""
        self._at_mouth: int | None = None
        self._set: set[str] = set()
        """Positions whose cards have been set into two hands, and lie no more as one stack."""
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
            return self._counted(table.recent[-1], table)
        if isinstance(event, DealerDid):
            self._singles += event.act == "draw" and not event.directive
        if not isinstance(event, TableDone) or moment.done is None or event.outcome != "done":
            return []
        directive = moment.done[1]
        match directive.verb:
            case "dispense":
                return self._came(directive, table)
            case "retire_card" if directive.place == MOUTH:
                self._retired += self._fewer_at_mouth(table)
            case "set_hands":
                self._set.add(directive.position)
            case "open_round":
                self._new_round()
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

    def _new_round(self) -> None:
        self._start = self._last = ""
        self._delivered = []
        self._deliveries = self._stacks = self._singles = self._retired = 0
        self._at_mouth = None
        self._set.clear()
        self._removed = False
        self._remainder = self._relation = None

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

    def _counted(self, look: Look, table: Table) -> list[Draft]:
        """A look at a stack whose cards lie apart."""
        setting = table.current is not None and table.current.verb == "set_hands"
        if look.count is None or look.count == 0 or look.place not in self._delivered:
            return []
        return [] if setting or look.place in self._set else [self._count(look)]

    def _fewer_at_mouth(self, table: Table) -> int:
        """How many cards fewer lie at the mouth than before."""
        look, before = table.look(MOUTH), self._at_mouth
        if look is None or look.count is None or before is None:
            return 0
        self._at_mouth = look.count
        return max(0, before - look.count)

    def _came(self, directive: Directive, table: Table) -> list[Draft]:
        """A stack at the mouth of the shoe, counted there or not; a single card is no stack."""
        look = table.look(MOUTH)
        self._at_mouth = look.count if look else None
        if look is None or look.present is False:
            return []
        if directive.unit == "card":
            self._singles += 1
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
        # Where the next card took the place of one found face up, that one is of those that remain, though in the rack.
        came = self._stacks * self._game.stack_size + self._singles
        replaced = min(self._retired, max(0, came - self._game.stacks * self._game.stack_size))
        right = self._game.remainder - replaced
        relation = None if count is None else "same" if count == right else "fewer" if count < right else "more"
        self._relation = relation
        fitting = self._game.cards_in_deck - came
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
            total = sum(known) + self._remainder + self._retired
        evidence = tuple(look.seq for look in looks if look)
        facts: dict[str, Value] = {
            "any_wrong": wrong,
            "total": total,
            "total_right": None if total is None else total == self._game.cards_in_deck,
            "relation": self._relation,
        }
        at = evidence[0] if evidence else moment.seq
        return Draft(name="stacks_checked", at=at, attributes=facts, evidence=evidence)
