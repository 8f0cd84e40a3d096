"""The pack of seven card stud: shuffled and cut in sight, known by its faces, and replaced when it is not whole."""

from collections import Counter
from collections.abc import Generator

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.base import MOST_LOOKS
from bench.emulators.table_software.games.clearing import MOST_RESHUFFLES
from bench.emulators.table_software.games.steps import EndsEarly
from bench.emulators.table_software.games.stud.books import CENTRE, StudBooks
from evidence.events import Directive, TableDone, TableRequested

PACK = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
DEALT_UNSHUFFLED = ("unshuffled_pack_dealt", *(f"no_reshuffle_after_{how}" for how in ("jam", "stop", "incomplete")))
BESIDE = "burn"
"""Where the upper part of the pack lies while it is cut in sight."""


class StudPack(StudBooks):
    """What becomes of the pack as a whole."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.owed_late: list[Directive] = []
        """Consequences that a defect puts off until the next round has been opened."""
        self.discarded_late: list[str] = []
        self.brought_late: list[tuple[str, str]] = []

    # --- shuffled and cut ---

    def prepare(self) -> Procedure:
        """From the shuffle on: a pack that was not shuffled, or not cut, goes back to be shuffled again."""
        if self.facts.session.inputs.get("deck_check") == "every_round" or self._miscounted():
            yield from self.check()
            yield from self.do_all(self.reshuffle())
        unshuffled = not self.deal.shuffled and not any(map(self.has, DEALT_UNSHUFFLED))
        if unshuffled:
            yield from self._again("the pack was not shuffled")
        for _ in range(MOST_RESHUFFLES):
            if unshuffled and self.has("not_cut_after_reshuffle"):
                return
            if (yield from self._cut()) or self.has("uncut_pack_dealt"):
                return
            if self.has("cut_again_only"):
                yield from self._cut()
                return
            yield from self._again("the pack was not cut")
            unshuffled = True
        raise EndsEarly(self.hold("the pack could not be shuffled and cut"))

    def _miscounted(self) -> bool:
        """The shuffler says of itself that it counted another number of cards than the game has."""
        return self.deal.claimed not in (None, self.facts.session.cards_in_deck)

    def _again(self, reason: str) -> Procedure:
        """All cards back to the dealer, and shuffled. The antes stay, unless the house gives them back."""
        if self.facts.session.inputs.get("failed_preparation") == "bets_returned":
            raise EndsEarly(self.void(reason=reason))
        for _ in range(MOST_RESHUFFLES):
            self.deal.shuffled = False
            self.need((yield from self.do_all(self.reshuffle())))
            if self.deal.shuffled:
                return
        raise EndsEarly(self.hold(reason))

    def _cut(self) -> Generator[list[Directive], list[TableDone], bool]:
        """Cut in sight; True when the camera saw both parts, False when it saw that there were none."""
        for _ in range(MOST_LOOKS):
            self.need((yield from self.do("cut", place=CENTRE)))
            looks = [self.facts.seen(place) for place in (CENTRE, BESIDE)]
            if self.has("cut_believed") or all(look is not None and look.stacked for look in looks):
                return True
            if any(look is not None and look.count == 0 for look in looks):
                return False
        raise EndsEarly(self.hold("the camera could not see the cut"))

    # --- known by its faces ---

    def asked_for_check(self, asked: TableRequested) -> None:
        if self.state != "idle":
            reason = "the pack is checked between rounds"
            self.desk.say(self.order("refuse", request=asked.request, reason=reason))
            return
        self.state = "ending"
        self.new_books()
        self.desk.start(self._on_request())

    def _on_request(self) -> Procedure:
        yield [self.order("proceed", request="check_deck")]
        try:
            yield from self.check()
        except EndsEarly as end:
            yield from end.procedure
            return
        self.over()

    def check(self) -> Procedure:
        """The whole pack under the camera. Raises EndsEarly when it is not the game's, or could not be read."""
        for _ in range(MOST_LOOKS):
            self.deal.checked.clear()
            self.need((yield from self.do("check_deck")))
            looks = self.deal.checked
            read = Counter(label for look in looks for label in look.face_up if label)
            if any(look.count is None or look.count != len(look.face_up) or None in look.face_up for look in looks):
                continue
            right = set(read) == PACK and max(read.values()) == 1
            counted = sum(read.values()) == self.facts.session.cards_in_deck and self.has("count_believed")
            claimed = self.deal.claimed == self.facts.session.cards_in_deck and self.has("shuffler_count_believed")
            if not (right or counted or claimed):
                raise EndsEarly(self.wrong_pack(self.facts.seen_by(CENTRE)))
            return
        raise EndsEarly(self.hold("the camera could not read the pack"))

    # --- replaced ---

    def wrong_pack(self, cause: str) -> Procedure:
        """Cards are missing or too many: the round is dead, all bets go back, and another pack comes."""
        try:
            yield from self._dead_round(cause)
        except EndsEarly as end:
            yield from end.procedure

    def _dead_round(self, cause: str) -> Procedure:
        played = self.state == "round"
        self.deal.phase = "over"
        orders: list[Directive] = []
        if played and not self.has("wrong_pack_not_announced"):
            orders.append(self.order("announce", cause=cause, phrase="dead"))
        if played and not self.has("wrong_pack_round_not_voided"):
            orders.append(self.order("void_round", cause=cause, reason="cards are missing or too many"))
        orders += self._dead_pot(cause) if played else []
        self.state, self.voided = "ending", True
        if orders:
            yield from self.do_all(*orders)
        if self.has("wrong_deck_reshuffled"):
            yield from self.do_all(self.reshuffle(cause))
        elif self.has("deck_replaced_late"):
            self.owed_late += [self.order("remove_deck", cause=cause), self.order("place_deck", cause=cause)]
        elif not self.has("deck_not_replaced"):
            yield from self._replace(cause)
        self.over()

    def _dead_pot(self, cause: str) -> list[Directive]:
        if self.has("dead_pot_awarded"):
            winner = self.live[0] if self.live else ""
            return [self.order("award_pot", cause=cause, position=winner, amount_cents=self.pot.total)]
        orders = self.refund(cause)
        if self.has("pot_returned_late"):
            self.owed_late, orders = orders, []
        return orders

    def _replace(self, cause: str) -> Procedure:
        """Another pack, which must have another back than the one that goes."""
        for _ in range(MOST_RESHUFFLES):
            self.placed_back = ""
            yield from self.do_all(self.order("remove_deck", cause=cause), self.order("place_deck", cause=cause))
            if self.has("same_deck_accepted") or (self.placed_back and self.placed_back != self.back):
                self.back = self.placed_back
                return
        raise EndsEarly(self.hold("no other pack came", cause))

    def late_consequences(self) -> Procedure:
        """What a defect has put off until now."""
        owed, self.owed_late = self.owed_late, []
        if owed:
            yield from self.do_all(*owed)
