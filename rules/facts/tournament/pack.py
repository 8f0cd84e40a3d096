"""Whether the pack is that of the game: cards that do not belong to it, faces that are there twice, strange backs."""

from collections.abc import Mapping

from evidence.events import CardsSeen, DealerDid, DeviceCommanded, DeviceCycle, FloorRuled, SessionOpened
from rules.facts.duplicates import OpenFaces
from rules.inputs import fouled_conditions
from rules.pack import Game
from rules.table import BURN, CENTRE, MOUTH, Draft, Moment, Table
from rules.vocabulary import Value

JOKER, LOW_RANKS = "Jk", "2345"
FULL, SHORT = 52, 36
"""Cards of a pack without jokers, and of one that begins with the six."""
LOCAL_RULES = "fouled_deck_conditions"
"""The operator's input that names the other conditions under which a deck is fouled."""


class PackWatch:
    """Knows what lies open, whether a hand is being played, and until when the one before can be disputed."""

    def __init__(self, game: Game) -> None:
        self._faces = OpenFaces()
        self._cards = game.cards_in_deck
        self._told: set[str] = set()
        self._in_play = False
        self._over = False
        """Whether the hand is over and no other one has been opened: a card of another game spoils nothing now."""
        self._hand_before = False
        """Whether a hand has been played to its end with this pack."""
        self._next_begun = False
        self._time_over = False
        """Whether the floor has said that the time for disputes is over, as a minute after the pot before a break."""
        self._counted: int | None = 0
        """Cards counted so far in the check of the pack under way."""
        self._checking = False

    def open_session(self, event: SessionOpened) -> None:
        self._cards = event.cards_in_deck

    def new_round(self) -> None:
        """A round was opened: no card of it has been dealt yet, and what is found in it is found anew."""
        self._in_play = self._over = False
        self._told.clear()

    def card_dealt(self) -> None:
        """A card of the hand has come out."""
        self._in_play = self._next_begun = True

    def concluded(self) -> None:
        """The pot has been given away, or the round is over."""
        if self._in_play:
            self._hand_before = True
            self._next_begun = self._time_over = False
        self._in_play, self._over = False, True

    def replaced(self) -> None:
        """Another pack is in play."""
        self._told.clear()
        self._hand_before = False

    def feed(self, moment: Moment, table: Table, *, substantial: bool) -> list[Draft]:
        """What one record says of the pack."""
        event = moment.event
        self._faces.note(event)
        match event:
            case DeviceCommanded(command="shuffle") | DeviceCycle(kind="shuffle", phase="started"):
                self._next_begun = True
            case DealerDid(act="shuffle_by_hand" | "push"):
                self._next_begun = True
            case FloorRuled(question="dispute_time", ruling="over"):
                self._time_over = True
            case DealerDid(act="lay_out"):
                self._counted, self._checking = (self._counted if self._checking else 0), True
            case CardsSeen() as seen if self._checking and seen.place == CENTRE:
                known = self._counted is not None and seen.count is not None
                self._counted = (self._counted or 0) + (seen.count or 0) if known else None
            case CardsSeen() as seen:
                if table.current is not None and table.current.verb == "dispense" and seen.count:
                    self.card_dealt()  # what lies there now has come out, though the order is not done yet
                strange = self._strange(seen, moment.seq, table, substantial)
                return [*strange, *self._fouled(moment.seq, table, substantial)]
            case _:
                pass
        return []

    def checked(self, table: Table, seq: int, *, substantial: bool) -> list[Draft]:
        """A check of the whole pack is over: whether cards are missing."""
        counted, self._checking = self._counted, False
        if counted is None or counted >= self._cards or "missing_card" in self._told:
            return []
        self._told.add("missing_card")
        return [self._foul("missing_card", table, seq, substantial)]

    def _strange(self, seen: CardsSeen, seq: int, table: Table, substantial: bool) -> list[Draft]:
        drafts: list[Draft] = []
        if self._over:
            return drafts
        for label in seen.face_up:
            joker = label == JOKER and self._cards in (FULL, SHORT)
            low = bool(label) and self._cards == SHORT and str(label)[0] in LOW_RANKS
            key = f"strange {label}"
            if (joker or low) and key not in self._told:
                self._told.add(key)
                hand = seen.place in table.positions
                facts: dict[str, Value] = {
                    "label": label,
                    "kind": "joker" if joker else "low_card",
                    "where": "hand" if hand else _WHERE.get(seen.place, "other"),
                    "position": seen.place if hand else "",
                    "substantial": substantial,
                }
                drafts.append(Draft(name="nonstandard_card", attributes=facts, evidence=(seq,)))
        return drafts

    def _fouled(self, seq: int, table: Table, substantial: bool) -> list[Draft]:
        drafts: list[Draft] = []
        for label in self._faces.twice():
            if label != JOKER and label not in self._told:
                self._told.add(label)
                drafts.append(self._foul("duplicate", table, seq, substantial))
        if len(self._faces.back_names()) > 1 and "other_back" not in self._told:
            self._told.add("other_back")
            drafts.append(self._foul("other_back", table, seq, substantial))
        return drafts

    def _foul(self, condition: str, table: Table, seq: int, substantial: bool) -> Draft:
        after = self._hand_before and not self._in_play
        facts: dict[str, Value] = {
            "condition": condition,
            "local": _named(condition, table.inputs),
            "during": "hand" if self._in_play else "after_hand" if after else "no_hand",
            "next_hand": "begun" if self._next_begun else "time_over" if self._time_over else "not_begun",
            "substantial": substantial and self._in_play,
        }
        return Draft(name="deck_fouled", attributes=facts, evidence=(seq,))


_WHERE = {CENTRE: "board", MOUTH: "deck", BURN: "burn"}


def _named(condition: str, inputs: Mapping[str, str]) -> str | None:
    """Whether the operator's rules name the condition; empty when they were not given, None when nobody knows them."""
    if not (text := inputs.get(LOCAL_RULES, "")):
        return ""
    try:
        return "yes" if condition in fouled_conditions(text) else "no"
    except ValueError:
        return None
