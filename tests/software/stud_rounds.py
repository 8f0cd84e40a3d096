"""Rounds of seven card stud against the reference software: a small table with a pot, a pack that is cut, and slips."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bench.emulators.table_software import InProcessSoftware
from bench.software.link import SoftwareLink
from evidence.events import CardsSeen, DealerDid, Directive, FloorRuled, PlayerDid, SessionOpened
from tests.software.scripted_table import PACK_52, Card, ScriptedTable, Slip, journaled

SEATED = ["seat/1", "seat/2", "seat/3"]
POSITIONS = [f"seat/{number}" for number in range(1, 7)]
ANTE, BET = 500, 1000
Slips = Sequence[tuple[str, int, Slip]]
FOLDS: Mapping[tuple[str, int], str] = {("seat/1", 1): "fold", ("seat/2", 1): "fold"}
"""What players do other than to bet, by seat and betting round."""


class StudTable(ScriptedTable):
    """Carries out what the stud game orders, faithfully but for the slips."""

    def __init__(self, link: SoftwareLink, cards: Sequence[str]) -> None:
        super().__init__(link, "seven_card_stud", cards)
        self.back = "red"
        self.sits_out: set[str] = set()
        self.play: Mapping[tuple[str, int], str] = FOLDS
        self.rulings: dict[str, str] = {}
        self.seated = SEATED
        self.gone: set[str] = set()
        self._betting = 0

    def sit(self, seated: Sequence[str] = SEATED, **inputs: str) -> "StudTable":
        self.seated = list(seated)
        self.tell(
            SessionOpened(
                game=self.game,
                cards_in_deck=52,
                positions=POSITIONS,
                seated=self.seated,
                devices={"shuffler": "shuffler", "shoe": "shoe"},
                inputs=inputs,
            )
        )
        return self

    def look(self, place: str, *, abstain: bool = False) -> None:
        pile = self.piles.get(place, [])
        up = [card.label for card in pile if card.up]
        down = len(pile) - len(up)
        count = None if abstain else len(pile)
        self.tell(
            CardsSeen(place=place, count=count, face_up=list(up), face_down=down, backs=[self.back] * down),
            "camera:main",
        )

    def stacked(self, place: str, back: str | None) -> None:
        self.tell(CardsSeen(place=place, count=None, face_down=1, stacked=True, backs=[back]), "camera:main")

    # --- what people do ---

    def _open_round(self, directive: Directive) -> None:
        self._betting = 0
        self.gone = set()

    def _post_antes(self, directive: Directive) -> None:
        for seat in self.seated:
            if seat not in self.sits_out:
                self.tell(PlayerDid(act="ante", position=seat, amount_cents=ANTE))

    def _betting_round(self, directive: Directive) -> None:
        self.bet()

    def bet(self) -> None:
        self._betting += 1
        for seat in [seat for seat in self.seated if seat not in self.gone and seat not in self.sits_out]:
            act = self.play.get((seat, self._betting), "bet")
            cents = 0 if act in ("fold", "check") else BET
            self.tell(PlayerDid(act=act, position=seat, amount_cents=cents))  # type: ignore[arg-type]
            if act == "fold":
                self.gone.add(seat)

    def _dead_hand(self, directive: Directive) -> None:
        self.gone.add(directive.position)

    def _call_floor(self, directive: Directive) -> str | None:
        ruling = self.rulings.get(directive.question)
        if ruling is None:
            return "failed"
        self.tell(FloorRuled(question=directive.question, ruling=ruling, by="Anna", position=directive.position))
        return None

    # --- what the dealer does with the pack ---

    def _cut(self, directive: Directive) -> None:
        self.cut_in_sight(directive)

    def cut_in_sight(self, directive: Directive, *, seen: bool = True) -> None:
        for place in (directive.place, "burn"):
            if seen:
                self.stacked(place, self.back)
            else:
                self.tell(CardsSeen(place=place, count=0), "camera:main")
        self.tell(DealerDid(act="cut", directive=directive.id, place=directive.place))

    def _check_deck(self, directive: Directive) -> None:
        self.lay_out(directive, self.cards)

    def lay_out(self, directive: Directive, cards: Sequence[str | None]) -> None:
        self.piles = {"hand_deck": [Card(label) for label in self.cards]}
        for first in range(0, len(cards) + 1, 12):
            laid = list(cards[first : first + 12])
            self.tell(DealerDid(act="lay_out", directive=directive.id, place="layout_centre", count=12))
            self.tell(CardsSeen(place="layout_centre", count=len(laid), face_up=laid))
        self.tell(CardsSeen(place="layout_centre", count=0))

    def _remove_deck(self, directive: Directive) -> None:
        self.stacked("layout_centre", self.back)
        self.tell(DealerDid(act="remove_deck", directive=directive.id))
        self.tell(CardsSeen(place="layout_centre", count=0))

    def _place_deck(self, directive: Directive) -> None:
        self.place("blue" if self.back == "red" else "red", directive)

    def place(self, back: str, directive: Directive) -> None:
        self.back, self.cards = back, list(PACK_52)
        self.stacked("layout_centre", back)
        self.tell(DealerDid(act="place_deck", directive=directive.id, place="layout_centre"))
        self.tell(CardsSeen(place="layout_centre", count=0))

    # --- what the dealer does with cards ---

    def deliver(self, position: str, *, up: bool = False, to: str = "", count: int | None = None) -> None:
        self.move("shoe_mouth", to or position, count or 1, up=up)
        self.tell(DealerDid(act="deliver", position=position))
        self.look(position)

    def unasked(self, position: str, *, up: bool = False) -> None:
        """The dealer deals on to a position without an order."""
        self.dispense(1)
        self.move("shoe_mouth", position, 1, up=up)
        self.tell(DealerDid(act="deliver", position=position))
        self.look(position)

    def _move_card(self, directive: Directive) -> None:
        to = directive.position or directive.to
        card = self.piles[directive.place].pop()
        card.up = directive.face == "up" if directive.face else card.up
        self.piles.setdefault(to, []).append(card)
        self.tell(DealerDid(act="move_card", directive=directive.id, place=directive.place, position=to))
        self.look(directive.place)
        self.look(to)

    def _recover_card(self, directive: Directive) -> None:
        self.move("floor", directive.position, 1, up=directive.face == "up")
        self.tell(DealerDid(act="recover_card", directive=directive.id, position=directive.position))
        self.look(directive.position)


@contextmanager
def stud(*defects: str, cards: Sequence[str] = PACK_52) -> Iterator[StudTable]:
    """A table connected to the reference software in this process, over a real WebSocket."""
    with InProcessSoftware(frozenset(defects)) as software:
        link = SoftwareLink(software.url, 10.0, journaled)
        link.connect()
        try:
            yield StudTable(link, cards)
        finally:
            link.close()


def play(
    *defects: str,
    slips: Slips = (),
    cards: Sequence[str] = PACK_52,
    seated: Sequence[str] = SEATED,
    asks: Sequence[str] = ("next_round",),
    moves: Mapping[tuple[str, int], str] = FOLDS,
    rulings: Mapping[str, str] | None = None,
    sits_out: Sequence[str] = (),
    **inputs: Any,
) -> list[str]:
    """What the software orders, in short form, without the dealing of cards where all goes well."""
    with stud(*defects, cards=cards) as table:
        table.play, table.rulings, table.sits_out = moves, dict(rulings or {}), set(sits_out)
        for verb, nth, slip in slips:
            table.slip(verb, nth, slip)
        table.sit(seated, **inputs)
        return [line for request in asks for line in table.ask(request)]


def told(lines: Sequence[str]) -> list[str]:
    """Only what is not the plain dealing of a card."""
    return [line for line in lines if not line.startswith(("dispense", "deliver"))]


def dealt(lines: Sequence[str]) -> list[str]:
    """Only the deliveries: to whom and how."""
    return [line.removeprefix("deliver ") for line in lines if line.startswith("deliver")]
