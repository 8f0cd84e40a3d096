"""Facts about what comes out of the shoe or the deck: units, cards lying face up, cards drawn in error."""

from collections import Counter

from evidence.events import CardsSeen, DealerDid, DeviceDispensed, Directive, PlayerDid, TableDone
from rules.pack import Game
from rules.table import CENTRE, MOUTH, Draft, Moment, Table
from rules.vocabulary import Value

EMPTIES_MOUTH = ("deliver", "burn", "collect", "retire_card", "reshuffle", "remove_cards", "remove_deck")
ALL_DEALT = ("show_hands", "remove_remainder", "settle", "close_round")


class DispensingTracker:
    """Watches the mouth of the shoe and the remainder."""

    watches = (DeviceDispensed, DealerDid, Directive, CardsSeen, PlayerDid, TableDone)

    def __init__(self, game: Game) -> None:
        self._game = game
        self._stacks = 0
        self._cards = 0
        self._face_up = {"dealing": 0, "all_dealt": 0}
        """Cards found face up in the source in this round, by phase."""
        self._at_mouth = 0
        """Faces known to lie at the mouth already."""
        self._told = False
        """Whether a device or a person has said that something came, since the last order was done."""
        self._mouth_empty = True
        self._dealt: Counter[str] = Counter()
        self._out: set[str] = set()
        """Hands that get no more cards in this round."""
        self._all_dealt = False
        self._drawn = -1
        """Record of a draw that nobody ordered and that the camera has not yet looked at."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DeviceDispensed():
                self._told = True
                return [self._unit(event, table)]
            case DealerDid(act="deal_by_hand"):
                self._told = True
                return [self._card("hand", table)]
            case DealerDid(act="draw") if not event.directive:
                self._drawn = moment.seq
                self._all_dealt = self._all_dealt or self._each_has_all(table, table.current)
            case Directive() if event.verb in ALL_DEALT and table.in_round and event.wager in ("", "main", "all"):
                self._all_dealt = True
            case Directive(verb="void_hand" | "dead_hand", position=out) | PlayerDid(act="fold", position=out):
                self._out.add(out)
            case CardsSeen() if event.place in (MOUTH, CENTRE) and not _laid_out(event.place, table):
                return self._look(moment, table)
            case TableDone() if moment.done is not None:
                return self._done(moment.done[1], event.outcome, table)
            case _:
                pass
        return []

    def _unit(self, event: DeviceDispensed, table: Table) -> Draft:
        if event.unit == "card":
            return self._card("device", table)
        self._stacks += 1
        right = event.count == self._game.stack_size
        asked = table.current is not None and table.current.verb == "dispense"
        facts: dict[str, Value] = {"index": self._stacks, "count": event.count, "right": right, "asked": asked}
        return Draft(name="stack_dispensed", attributes=facts)

    def _card(self, method: str, table: Table) -> Draft:
        self._cards += 1
        facts: dict[str, Value] = {"number": self._cards, "method": method, "in_round": table.in_round}
        return Draft(name="card_dispensed", attributes=facts)

    def _look(self, moment: Moment, table: Table) -> list[Draft]:
        look = table.recent[-1]
        drafts: list[Draft] = []
        if look.place == MOUTH:
            drafts += self._untold(look.present, table)
            drawn = self._drawn >= 0
            if drawn:
                drafts.append(self._drawn_in_error(look.face_up, look.seq))
            known, self._at_mouth = self._at_mouth, look.face_up if look.face_up is not None else self._at_mouth
        else:
            known, drawn = 0, False
        found = None if look.face_up is None else look.face_up - known
        if self._game.stack_size == 0 and found != 0 and (found is None or found > 0):
            drafts.append(self._face_up_found(found, look.place, moment.seq, drawn=drawn))
        return drafts

    def _untold(self, present: bool | None, table: Table) -> list[Draft]:
        """Cards seen at the mouth that no device said it had dispensed."""
        came = bool(present) and self._mouth_empty and not self._told
        if present is not None:
            self._mouth_empty = not present
        if not came:
            return []
        if self._game.stack_size == 0:
            return [self._card("device", table)]
        self._stacks += 1
        facts: dict[str, Value] = {"index": self._stacks, "count": None, "right": None, "asked": False}
        return [Draft(name="stack_dispensed", attributes=facts)]

    def _drawn_in_error(self, faces: int | None, seq: int) -> Draft:
        exposed = None if faces is None else faces > 0
        at, self._drawn = self._drawn, -1
        facts: dict[str, Value] = {"exposed": exposed, "phase": "all_dealt" if self._all_dealt else "dealing"}
        return Draft(name="card_drawn_in_error", at=at, attributes=facts, evidence=(seq,))

    def _face_up_found(self, found: int | None, place: str, seq: int, *, drawn: bool) -> Draft:
        phase = "all_dealt" if self._all_dealt or place == CENTRE else "dealing"
        earlier = self._face_up["dealing"]
        self._face_up[phase] += found or 0
        nth = None if found is None else self._face_up[phase]
        facts: dict[str, Value] = {
            "nth": nth,
            "phase": phase,
            "several": None if nth is None else nth > 1,
            "earlier": earlier,
            "drawn": drawn,
            "place": place,
        }
        return Draft(name="face_up_in_source", attributes=facts, evidence=(seq,))

    def _done(self, directive: Directive, outcome: str, table: Table) -> list[Draft]:
        self._told = False
        verb = directive.verb
        if verb == "open_round":
            self._stacks = 0
            self._face_up = {"dealing": 0, "all_dealt": 0}
            self._dealt.clear()
            self._out.clear()
            self._all_dealt = False
        elif verb == "deliver" and outcome == "done":
            self._all_dealt = self._all_dealt or self._each_has_all(table, directive)
            self._dealt[directive.position] += 1
        if verb in EMPTIES_MOUTH and outcome == "done":
            look = table.look(MOUTH)
            left = look if look and verb != "burn" and look.seq > table.began else None
            self._at_mouth = (left.face_up or 0) if left else 0
            self._mouth_empty = not (left and left.present)
            if left is None:
                table.looks.pop(MOUTH, None)
        drafts: list[Draft] = []
        if self._drawn >= 0:
            drafts.append(self._drawn_in_error(None, self._drawn))
        return drafts

    def _each_has_all(self, table: Table, order: Directive | None) -> bool:
        """Whether every hand in play has all its cards, with the one that this order delivers."""
        coming = order.position if order is not None and order.verb == "deliver" else None
        live = [place for place in (*table.seated, "dealer") if place not in self._out]
        fewest = min((self._dealt[place] + (place == coming) for place in live), default=0)
        return 0 < self._game.hand_size <= fewest


def _laid_out(place: str, table: Table) -> bool:
    """Cards that a check of the pack lays out lie face up on purpose."""
    return place == CENTRE and table.current is not None and table.current.verb == "check_deck"
