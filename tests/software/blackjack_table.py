"""Rounds of blackjack against the reference software: prepared cards, answers of players, and slips of the dealer."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from bench.emulators.table_software import InProcessSoftware
from bench.software.link import SoftwareLink
from evidence.events import DealerDid, Directive, PlayerDid
from tests.software.scripted_table import PACK_52, Card, ScriptedTable, journaled

SEATED = ["seat/1", "seat/3"]
DEALT = ["2h", "Tc", "5d", "Th", "8c", "7d", "9h", "4s", "2s", "3s"]
"""The first cards out of the shoe: one to burn, 18 for seat 1, 12 for seat 3, 19 for the dealer, and what follows."""


class BlackjackTable(ScriptedTable):
    """Players answer what `answers` holds for a seat and a question, one after the other, then the first choice."""

    def __init__(self, link: SoftwareLink, cards: Sequence[str]) -> None:
        super().__init__(link, "blackjack", cards)
        self.answers: dict[tuple[str, str], list[str]] = {}
        self.left: set[tuple[str, int]] = set()
        """Hand and card that the dealer forgets to give."""
        self.overdraws = False
        self.draws_after: dict[int, bool] = {}
        """After which answer the dealer draws unasked, and whether the card's face shows."""
        self.in_shoe = len(cards)
        self._nth: dict[str, int] = {}
        self._asked = 0

    def _open_round(self, directive: Directive) -> None:
        self._nth = {}

    def _load_device(self, directive: Directive) -> None:
        pack = self.piles["hand_deck"]
        self.piles["hand_deck"], aside = pack[: self.in_shoe], pack[self.in_shoe :]
        self.piles.setdefault("discard_rack", []).extend(aside)
        self.in_shoe = len(self.cards)
        super()._load_device(directive)

    def _dispense(self, directive: Directive) -> str | None:  # type: ignore[override]
        if not self.piles["shoe"]:
            self.fault("shoe", "empty")
            self.look("shoe_mouth")
            return "failed"
        super()._dispense(directive)
        return None

    def _deliver(self, directive: Directive) -> None:
        nth = self._nth[directive.position] = self._nth.get(directive.position, 0) + 1
        if (directive.position, nth) in self.left:
            self.look(directive.position)
            self.look("shoe_mouth")
        else:
            super()._deliver(directive)

    def _offer_choice(self, directive: Directive) -> None:
        answers = self.answers.get((directive.position, directive.question), [])
        choice = answers.pop(0) if answers else directive.choices[0]
        self.tell(PlayerDid(act="choose", position=directive.position, choice=choice))
        self._asked += 1
        if self._asked in self.draws_after:
            self.draw(up=self.draws_after[self._asked])

    def draw(self, *, up: bool) -> None:
        self.dispense(1)
        self.piles["shoe_mouth"][-1].up = up
        self.tell(DealerDid(act="draw", device="shoe", count=1))
        self.look("shoe_mouth")

    def _turn_up(self, directive: Directive) -> None:
        for card in self.piles.get(directive.position, []):
            card.up = True
        self.look(directive.position)
        if self.overdraws:
            self.draw(up=True)

    def _reshuffle(self, directive: Directive) -> None:
        if directive.scope != "discards":
            super()._reshuffle(directive)
            return
        self.tell(DealerDid(act="gather", place=directive.scope, directive=directive.id))
        self.piles["hand_deck"] = [Card(card.label) for card in self.piles.pop("discard_rack", [])]


@contextmanager
def blackjack(*defects: str, dealt: Sequence[str] = DEALT) -> Iterator[BlackjackTable]:
    """A table whose shoe deals these cards first, at the reference software in this process."""
    cards = [*dealt, *(card for card in PACK_52 if card not in dealt)]
    with InProcessSoftware(frozenset(defects)) as software:
        link = SoftwareLink(software.url, 10.0, journaled)
        link.connect()
        try:
            yield BlackjackTable(link, cards)
        finally:
            link.close()


def play(
    *defects: str,
    dealt: Sequence[str] = DEALT,
    seated: Sequence[str] = SEATED,
    answers: Mapping[tuple[str, str], Sequence[str]] | None = None,
    left: Sequence[tuple[str, int]] = (),
    draws_after: Mapping[int, bool] | None = None,
    overdraws: bool = False,
    in_shoe: int = 52,
    reversed_card: int = 0,
    rule: str = "",
    rounds: int = 1,
) -> list[str]:
    """What the software orders in these rounds; `reversed_card` is the card of the pack that lies face up."""
    with blackjack(*defects, dealt=dealt) as bench:
        bench.answers = {key: list(choices) for key, choices in (answers or {}).items()}
        bench.left, bench.draws_after = set(left), dict(draws_after or {})
        bench.overdraws, bench.in_shoe = overdraws, in_shoe
        if reversed_card:

            def load(table: ScriptedTable, directive: Directive) -> None:
                table.carry_out(directive)
                table.piles["shoe"][reversed_card - 1].up = True

            bench.slip("load_device", 1, load)
        bench.open(seated=seated, told=(), inputs={"dealer_drawing_rule": rule} if rule else {})
        return [line for _ in range(rounds) for line in bench.ask("next_round")]


def card(position: str, face: str = "up") -> list[str]:
    return ["dispense card", f"deliver {position} {face}"]


def ask(position: str, question: str, *choices: str) -> str:
    return f"offer_choice {position} {question} {list(choices)}"


def stand(*seats: str) -> list[str]:
    return [ask(seat, "draw", "stand", "hit") for seat in seats]


SHOE = ["cut", "load_device", "burn 1"]
BEFORE = ["open_round", "shuffle shuffler device", *SHOE, "announce no_more_bets"]
FIRST = [*card("seat/1"), *card("seat/3"), *card("dealer")]
SECOND = [*card("seat/1"), *card("seat/3"), *card("dealer", "down")]
TURN_UP = "turn_up dealer 2"
END = ["settle main", "collect all discard_rack down", "close_round"]
VOID = ["void_round", "return_wagers round all", "reshuffle device all_cards"]
