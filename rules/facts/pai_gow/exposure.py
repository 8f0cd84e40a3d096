"""Facts about hands of which a face is seen too early, and about what their players choose."""

from evidence.events import DealerDid, Directive, PlayerDid, TableDone
from rules.facts.pai_gow.hand import whose
from rules.pack import Game
from rules.table import MOUTH, Draft, Look, Moment, Table
from rules.vocabulary import Value

TURNS_UP = ("show_hands", "turn_up", "set_hands")
CLEARS = ("reshuffle", "remove_deck", "collect", "retire_card")
QUESTION = "void_hand"


class ExposureTracker:
    """Knows which faces of which hands may be seen, and states those that may not."""

    def __init__(self, game: Game) -> None:
        self._stacks = game.stacks
        self._faces: dict[str, int] = {}
        """Faces known to show at each position."""
        self._delivered = 0
        self._by_hand = False
        self._void = False
        """Whether the round has been voided, so that faces do no more harm."""
        self._turned: tuple[str, str] = ("", "")
        """Who turned up a card unasked while the order at hand was carried out, and at which position."""
        self._face_at_mouth = False
        self._looked: set[str] = set()
        self._choices: dict[str, str] = {}

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case PlayerDid(act="expose", position=position):
                self._turned = ("player", position)
            case DealerDid(act="turn_up", directive="", position=position):
                self._turned = ("dealer", position)
            case PlayerDid(act="look", position=position):
                self._looked.add(position)
            case PlayerDid(act="choose", choice="play" | "void", position=position):
                self._choices[position] = event.choice
                facts: dict[str, Value] = {
                    "position": position,
                    "choice": event.choice,
                    "looked": position in self._looked,
                }
                return [Draft(name="option_chosen", attributes=facts)]
            case Directive(verb="void_hand" | "dead_hand", position=position):
                choice = self._choices.get(position, "none")
                facts = {"position": position, "who": whose(position, table), "choice": choice}
                return [Draft(name="hand_voided", attributes=facts)]
            case TableDone() if moment.done is not None:
                return self._done(moment.done[1], table)
            case _:
                pass
        return []

    def _done(self, directive: Directive, table: Table) -> list[Draft]:
        verb = directive.verb
        if verb == "open_round":
            self._faces.clear()
            self._looked.clear()
            self._choices.clear()
            self._delivered = 0
            self._by_hand = self._void = False
        self._by_hand = verb == "deal" or (self._by_hand and verb in ("reshuffle", "cut", "announce"))
        drafts = [
            draft
            for place in table.positions
            if (look := table.look(place)) is not None and (draft := self._look(look, directive, table)) is not None
        ]
        if verb == "reshuffle":
            self._faces.clear()
        self._void = self._void or verb in ("void_round", "misdeal")
        self._delivered += verb == "deliver"
        mouth = table.look(MOUTH)
        self._face_at_mouth = bool(mouth.face_up) if mouth else self._face_at_mouth and verb not in ("deliver", *CLEARS)
        self._turned = ("", "")
        return drafts

    def _look(self, look: Look, directive: Directive, table: Table) -> Draft | None:
        known = self._faces.get(look.place, 0)
        if look.face_up is not None:
            self._faces[look.place] = look.face_up
        more = look.face_up is None or look.face_up > known
        if self._void or not more or directive.verb in TURNS_UP or (look.face_up is None and directive.verb in CLEARS):
            return None
        here = directive.position == look.place
        dealt_here = directive.verb in ("deliver", "deal") and here
        by = self._turned[0] if self._turned[1] == look.place else "dealer" if dealt_here else "unknown"
        if dealt_here and directive.face == "up":
            return None
        stage = "by_hand" if self._by_hand else "stacks" if self._delivered < self._stacks else "dealt"
        facts: dict[str, Value] = {
            "position": look.place,
            "who": whose(look.place, table),
            "by": by,
            "stage": stage,
            "origin": "shoe" if dealt_here and self._face_at_mouth else "slip",
            "seen": None if look.face_up is None else True,
        }
        return Draft(name="card_exposed", at=look.seq, attributes=facts)
