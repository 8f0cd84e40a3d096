"""A tournament table for tests of the reference software: three seats, the button moving from seat 2 to seat 3."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bench.emulators.table_software import InProcessSoftware
from bench.software.link import SoftwareLink
from evidence.events import (
    AnyEvent,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    Directive,
    FloorRuled,
    LevelAnnounced,
    PlayerAct,
    PlayerDid,
)
from tests.software.scripted_table import PACK_52, ScriptedTable, Slip, journaled, short

SEATS = ["seat/1", "seat/2", "seat/3"]
Act = tuple[str, PlayerAct, int]


class TournamentTable(ScriptedTable):
    """Carries out a tournament's orders. Players fold around unless `acts` tells them what to do on a street."""

    def __init__(self, link: SoftwareLink, game: str, cards: Sequence[str]) -> None:
        super().__init__(link, game, cards)
        self.acts: list[list[Act]] = []
        self.rulings: dict[str, str] = {}
        self.folded: set[str] = set()

    def deliver(self, position: str, *, up: bool = False, to: str = "", count: int | None = None) -> None:
        super().deliver(position, up=up, to=to, count=count or 1)

    def misdirect(self, directive: Directive, to: str) -> None:
        """The card goes to another seat, and the camera looks everywhere."""
        super().deliver(directive.position, to=to, count=1)
        for place in self.piles:
            if place.startswith("seat/"):
                self.look(place)

    def keep(self, directive: Directive) -> None:
        """The dealer overlooks the hand: the card stays at the mouth."""
        self.look(directive.position)
        self.look("shoe_mouth")

    def show(self, place: str, *labels: str) -> None:
        """A player turns up these cards."""
        for card, label in zip(self.piles[place], labels, strict=True):
            card.label, card.up = label, True
        self.tell(PlayerDid(act="expose", position=place))
        self.look(place)

    def lose(self, place: str) -> None:
        """A hand is found to be a card short."""
        self.piles[place].pop()
        self.look(place)

    def bet(self, act: Act) -> None:
        self.tell(PlayerDid(act=act[1], position=act[0], amount_cents=act[2]))

    def _post_blind(self, directive: Directive) -> None:
        self.bet((directive.position, "post", directive.amount_cents))

    def _betting_round(self, directive: Directive) -> None:
        folds: list[Act] = [("seat/3", "fold", 0), ("seat/1", "fold", 0)]
        for act in self.acts.pop(0) if self.acts else folds:
            self.bet(act)

    def _lay_board(self, directive: Directive) -> None:
        self.move("shoe_mouth", "layout_centre", up=True)
        self.tell(DealerDid(act="lay_board", place="layout_centre", directive=directive.id))
        self.look("layout_centre")

    def _retire_card(self, directive: Directive) -> None:
        pile = self.piles[directive.place]
        self.piles.setdefault("discard_rack", []).append(pile.pop())
        self.tell(DealerDid(act="collect", place=directive.place, directive=directive.id))
        self.look(directive.place)

    def _take_exposed(self, directive: Directive) -> None:
        place = directive.position
        self.piles[place] = [card for card in self.piles[place] if not card.up]
        self.tell(DealerDid(act="take_exposed", position=place, directive=directive.id))
        self.look(place)

    def _redeal(self, directive: Directive) -> None:
        self.tell(ButtonSeen(position=self.button))

    def _call_floor(self, directive: Directive) -> str | None:
        ruling = self.rulings.get(directive.question)
        if ruling is None:
            return "failed"
        self.tell(FloorRuled(question=directive.question, ruling=ruling, by="floor", position=directive.position))
        return None

    def _remove_deck(self, directive: Directive) -> None:
        self.piles.clear()
        self.tell(DealerDid(act="remove_deck", directive=directive.id))

    def _place_deck(self, directive: Directive) -> None:
        self.tell(DealerDid(act="place_deck", directive=directive.id))

    def _check_deck(self, directive: Directive) -> None:
        self.tell(DealerDid(act="gather", place="all_cards", directive=directive.id))
        left = len(self.cards)
        while True:
            part = min(12, left)
            self.tell(DealerDid(act="lay_out", place="layout_centre", count=12, directive=directive.id))
            self.tell(CardsSeen(place="layout_centre", count=part))
            left -= part
            if part < 12:
                return


@contextmanager
def table(
    *defects: str,
    game: str = "tournament_holdem",
    cards: Sequence[str] = PACK_52,
    seated: Sequence[str] = SEATS,
    told: Iterable[AnyEvent] = (),
    inputs: dict[str, str] | None = None,
) -> Iterator[TournamentTable]:
    """A table connected to the reference software in this process, over a real WebSocket."""
    with InProcessSoftware(frozenset(defects)) as software:
        link = SoftwareLink(software.url, 10.0, journaled)
        link.connect()
        try:
            bench = TournamentTable(link, game, cards)
            bench.button = seated[-2]
            level = LevelAnnounced(small_blind_cents=100, big_blind_cents=200)
            bench.open(seated, told=(level, ButtonSeen(position=bench.button), *told), inputs=inputs or {})
            yield bench
        finally:
            link.close()


def hand(
    *defects: str,
    slips: Iterable[tuple[str, int, Slip]] = (),
    acts: Iterable[list[Act]] = (),
    rulings: dict[str, str] | None = None,
    **options: Any,
) -> list[str]:
    """What the software orders in one hand, in short form."""
    with table(*defects, **options) as bench:
        bench.acts += acts
        bench.rulings |= rulings or {}
        for verb, nth, slip in slips:
            bench.slip(verb, nth, slip)
        return bench.ask("next_round")


def verbs(said: Iterable[str]) -> list[str]:
    """Only the verbs of orders, each run of one verb once."""
    found: list[str] = []
    for line in said:
        verb = line.partition(" ")[0]
        if not found or found[-1] != verb:
            found.append(verb)
    return found


__all__ = ["SEATS", "Act", "TournamentTable", "hand", "short", "table", "verbs"]
