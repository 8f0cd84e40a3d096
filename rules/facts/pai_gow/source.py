"""Facts about cards that come out of the shoe as they should not: face up, or unasked."""

from evidence.events import CardsSeen, DealerDid, Directive, TableDone
from rules.inputs import problem
from rules.pack import Game
from rules.table import CENTRE, MOUTH, RACK, Draft, Moment, Table
from rules.vocabulary import Value

TAKES = ("retire_card", "collect", "burn")
PROCEDURE = "face_up_procedure"


class SourceTracker:
    """Watches the mouth of the shoe and what remained in it."""

    def __init__(self, game: Game) -> None:
        self._size = game.stack_size
        self._round = self._load = 0
        """Cards found face up in this round, and since the shoe was loaded."""
        self._known = {MOUTH: 0, CENTRE: 0}
        """Faces known to show at each place."""
        self._drawing = -1
        """Record of a draw without an order that has not been looked at yet."""
        self._drawn: list[tuple[int, bool]] = []
        """Draws without an order whose cards lie at the mouth: the record, and whether the card's face was hidden."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DealerDid(act="load"):
                self._load = 0
            case DealerDid(act="draw", directive=""):
                self._drawing = moment.seq
            case CardsSeen(place="shoe_mouth"):
                return [*self._seen_drawn(table), *self._faces(MOUTH, table)]
            case CardsSeen(place="layout_centre") if table.current is not None and table.current.verb == "spread":
                return self._faces(CENTRE, table)
            case TableDone() if moment.done is not None:
                return self._done(moment.done[1], event.outcome, moment, table)
            case _:
                pass
        return []

    def _faces(self, place: str, table: Table) -> list[Draft]:
        faces = table.recent[-1].face_up
        if faces is None or faces <= self._known[place]:
            self._known[place] = self._known[place] if faces is None else faces
            return []
        found, self._known[place] = faces - self._known[place], faces
        self._round += found
        self._load += found
        facts: dict[str, Value] = {
            "nth": self._round,
            "nth_load": self._load,
            "found": found,
            "place": place,
            "approved": _approved(table.inputs),
        }
        return [Draft(name="face_up_found", attributes=facts)]

    def _seen_drawn(self, table: Table) -> list[Draft]:
        if self._drawing < 0:
            return []
        faces = table.recent[-1].face_up
        at, self._drawing = self._drawing, -1
        exposed = None if faces is None else faces > self._known[MOUTH]
        self._drawn.append((at, exposed is not True))
        facts: dict[str, Value] = {"nth": len(self._drawn), "exposed": exposed}
        return [Draft(name="drawn_early", at=at, attributes=facts, evidence=(table.recent[-1].seq,))]

    def _done(self, directive: Directive, outcome: str, moment: Moment, table: Table) -> list[Draft]:
        verb = directive.verb
        drafts: list[Draft] = []
        from_mouth = verb in TAKES and MOUTH in (directive.place, "all" if verb == "collect" else "")
        if verb == "open_round":
            self._round = 0
            self._drawn.clear()
            self._known = {MOUTH: 0, CENTRE: 0}
        elif verb == "dispense" and directive.unit == "card" and outcome == "done":
            drafts = self._joined(moment, table)
        elif verb in TAKES and directive.place == MOUTH and outcome == "done":
            drafts = self._taken(directive, moment, table)
        if self._drawn and outcome == "done":
            drafts += self._went(directive, from_mouth=from_mouth, moment=moment, table=table)
        if verb in ("deliver", "reshuffle", "remove_cards", "remove_deck"):
            self._known[MOUTH] = 0
        if verb in ("collect", "reshuffle", "remove_deck", "remove_remainder"):
            self._known[CENTRE] = 0
        return drafts

    def _joined(self, moment: Moment, table: Table) -> list[Draft]:
        look = table.look(MOUTH)
        count = look.count if look else None
        facts: dict[str, Value] = {"count": count, "whole": None if count is None else count == self._size}
        at = look.seq if look else moment.seq
        return [Draft(name="stack_completed", at=at, attributes=facts, evidence=(moment.seq,))]

    def _taken(self, directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        left, rack = table.look(MOUTH), table.look(directive.to or RACK)
        racked = None if rack is None or rack.present is None else rack.present and directive.to in ("", RACK)
        facts: dict[str, Value] = {
            "clear": None if left is None or left.face_up is None else left.face_up == 0,
            "racked": racked,
        }
        at = table.began if table.began >= 0 else moment.seq
        looks = tuple(look.seq for look in (left, rack) if look)
        return [Draft(name="face_up_taken", at=at, attributes=facts, evidence=(*looks, moment.seq))]

    def _went(self, directive: Directive, *, from_mouth: bool, moment: Moment, table: Table) -> list[Draft]:
        """What became of cards that had been drawn before this order was begun."""
        issued = moment.done[0] if moment.done else moment.seq
        if directive.verb == "deliver" and self._drawn[0][0] < table.began:
            self._drawn = [one for one in self._drawn if one[0] >= table.began]
            return [Draft(name="drawn_used", at=issued, attributes={"position": directive.position})]
        if not from_mouth and directive.verb not in ("reshuffle", "remove_deck"):
            return []
        left = self._left(directive, table)
        if left is False:
            self._drawn = [one for one in self._drawn if one[1]]
            return []
        if left:
            self._drawn.clear()
        return [Draft(name="drawn_wasted", at=issued, attributes={"verb": directive.verb, "left": left})]

    def _left(self, directive: Directive, table: Table) -> bool | None:
        """Whether a card drawn with its face hidden went with what was taken; None if the camera could not tell.

        An order that names cards takes those that showed their faces. The others stay if as many lie face down after.
        """
        if directive.verb != "retire_card" or not directive.cards:
            return True
        look = table.look(MOUTH)
        if look is None or look.count is None or look.face_up is None:
            return None
        return look.count - look.face_up < sum(hidden for _, hidden in self._drawn)


def _approved(inputs: dict[str, str]) -> str | None:
    """What the operator's approved procedure says of a card face up in a stack; None for one that cannot be used."""
    if PROCEDURE not in inputs:
        return "missing"
    return None if problem(PROCEDURE, inputs[PROCEDURE]) else inputs[PROCEDURE].strip()
