"""A table of Pai Gow Poker for tests of the reference software: hands turned up and set, stacks dealt from the hand."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bench.emulators.table_software import InProcessSoftware
from bench.software.link import SoftwareLink
from cardcert.shipped import RIGS
from evidence.events import DealerDid, Directive, PlayerDid
from tests.software.scripted_table import PACK_53, Card, ScriptedTable, journaled

HOUSE_WAY = (RIGS / "inputs" / "pai-gow-house-way.toml").read_text(encoding="utf-8")


class PaiGowTable(ScriptedTable):
    """Carries out the orders of Pai Gow Poker. Players play their hands unless `choices` has another answer."""

    def __init__(self, link: SoftwareLink, game: str, cards: Sequence[str], **options: Any) -> None:
        super().__init__(link, game, cards, **options)
        self.choices: dict[str, str] = {}

    def open(self, *args: Any, **session: Any) -> "PaiGowTable":
        inputs = {"house_way": HOUSE_WAY, **session.pop("inputs", {})}
        super().open(*args, inputs=inputs, **session)
        return self

    # --- slips ---

    def to(self, position: str) -> "PaiGowTable":
        """The first stack or card goes to this position in truth; the camera looks at all of them."""

        def elsewhere(bench: ScriptedTable, directive: Directive) -> None:
            source = "hand_deck" if directive.verb == "deal" else "shoe_mouth"
            bench.move(source, position, 1 if directive.verb == "deal" else None)
            for place in (directive.position, position):
                bench.look(place)

        return self._slip(elsewhere)

    def exposing(self, nth: int = 1) -> "PaiGowTable":
        """The nth card or stack dealt shows a face."""

        def shown(bench: ScriptedTable, directive: Directive) -> None:
            bench.carry_out(directive)
            bench.piles[directive.position][-1].up = True
            bench.look(directive.position)

        return self._slip(shown, nth)

    def _slip(self, slip: Any, nth: int = 1) -> "PaiGowTable":
        self.slip("deliver", nth, slip).slip("deal", nth, slip)
        return self

    def turns_up(self, position: str) -> None:
        """A player turns up a card unasked."""
        self.piles[position][0].up = True
        self.tell(PlayerDid(act="expose", position=position))
        self.look(position)

    def face_up_at(self, *numbers: int) -> "PaiGowTable":
        """These cards, counted as they come from the shoe, lie face up in it."""

        def turned(bench: ScriptedTable, directive: Directive) -> None:
            bench.carry_out(directive)
            for number in numbers:
                bench.piles["shoe"][number - 1].up = True

        self.slip("load_device", 1, turned)
        return self

    def sized(self, **sizes: int) -> "PaiGowTable":
        """Groups of these sizes: `g2=8` is the second."""
        for name, size in sizes.items():

            def odd(bench: ScriptedTable, _: Directive, size: int = size) -> None:
                bench.dispense(size)
                bench.look("shoe_mouth")

            self.slip("dispense", int(name[1:]), odd)
        return self

    def sets(self, nth: int, *low: str) -> "PaiGowTable":
        """The nth hands to be set are set with these two cards as the hand of two."""

        def otherwise(bench: ScriptedTable, directive: Directive) -> None:
            assert isinstance(bench, PaiGowTable)
            bench.set_hands(directive, low)

        self.slip("set_hands", nth, otherwise)
        return self

    # --- what the dealer does ---

    def dispense(self, count: int, method: str = "device") -> None:
        up = {id(card) for card in self.piles.get("shoe", []) if card.up}
        super().dispense(count, method)
        for card in self.piles["shoe_mouth"]:
            card.up = card.up or id(card) in up

    def _deliver(self, directive: Directive) -> None:
        self.move("shoe_mouth", directive.position, up=None if directive.face == "down" else True)
        self.tell(DealerDid(act="deliver", position=directive.position, directive=directive.id))
        self.look(directive.position)

    def _deal(self, directive: Directive) -> None:
        self.move("hand_deck", directive.position, 1)
        self.tell(DealerDid(act="deal_by_hand", position=directive.position, directive=directive.id))
        self.look(directive.position)

    def _retire_card(self, directive: Directive) -> None:
        mouth = self.piles["shoe_mouth"]
        gone = [card for card in mouth if card.label in directive.cards] or mouth[:]
        self.piles["shoe_mouth"] = [card for card in mouth if card not in gone]
        self.piles.setdefault(directive.to or "discard_rack", []).extend(Card(card.label) for card in gone)
        self.look("shoe_mouth")
        self.look(directive.to or "discard_rack")

    def _use_as_next_card(self, directive: Directive) -> None:
        self.look("shoe_mouth")

    def _offer_choice(self, directive: Directive) -> None:
        choice: Any = self.choices.get(directive.position, "play")
        self.tell(PlayerDid(act="choose", position=directive.position, choice=choice))

    def _turn_up(self, directive: Directive) -> None:
        for card in self.piles[directive.position]:
            card.up = True
        self.look(directive.position)

    def _set_hands(self, directive: Directive) -> None:
        self.set_hands(directive, directive.cards)

    def set_hands(self, directive: Directive, low: Sequence[str]) -> None:
        """Lay these cards of a position aside as its hand of two, and show both hands."""
        all_seven = [*self.piles.get(directive.position, []), *self.piles.pop(directive.place, [])]
        self.piles[directive.place] = [card for card in all_seven if card.label in low]
        self.piles[directive.position] = [card for card in all_seven if card.label not in low]
        self.tell(DealerDid(act="set_hands", position=directive.position, place=directive.place))
        self.look(directive.position)
        self.look(directive.place)


@contextmanager
def table(*defects: str, cards: Sequence[str] = PACK_53, **options: Any) -> Iterator[PaiGowTable]:
    """A table connected to the reference software in this process, over a real WebSocket."""
    with InProcessSoftware(frozenset(defects)) as software:
        link = SoftwareLink(software.url, 10.0, journaled)
        link.connect()
        try:
            yield PaiGowTable(link, "pai_gow_poker", cards, **options)
        finally:
            link.close()
