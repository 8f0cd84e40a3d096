"""The initial deal: card by card around the table, with an eye on where each card goes and how it lies."""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.base import Game
from bench.emulators.table_software.games.holdem.faces import Faces
from bench.emulators.table_software.games.holdem.hand import Hand
from bench.emulators.table_software.games.holdem.seats import Seats
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import CardsSeen

MOUTH = "shoe_mouth"
MOST_SCRAPPED = 20
"""Cards laid aside while one usable card is looked for; more means that something is wrong with the pack."""
DRAW_RULE = "draw_exposed_card"
"""The house rule for a card that the dealer exposes in a draw game: `misdeal` or `replace`."""


class HoldemDealing(Game):
    """The part of the game that deals."""

    draw = False
    """True for a game in which the house says what becomes of an exposed card."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        session = facts.session
        self.seats = Seats([place for place in session.positions if place != "dealer"])
        self.seats.state = {place: "present" for place in self.seats.places if place in session.seated}
        self.faces = Faces()
        self.rulings: dict[str, str] = {}
        self.hand = Hand(order=[""], blinds=(0, 0), each=0)
        self.at_mouth = 0
        """Cards that lie drawn at the mouth of the shoe."""

    def misdealt(self, cause: str, reason: str) -> Procedure:
        """The deal is void and the hand is dealt again."""
        raise NotImplementedError

    def run(self, procedure: Procedure) -> Procedure:
        """A procedure, and whatever it ends early in, to the end."""
        while True:
            try:
                yield from procedure
            except EndsEarly as end:
                procedure = end.procedure
            else:
                return

    # --- single cards ---

    def next_card(self) -> Procedure:
        """A usable card to the mouth: one that came face up is laid aside, two at once spoil the initial deal."""
        for _ in range(MOST_SCRAPPED):
            if self.at_mouth:
                yield from self.do("use_as_next_card", place=MOUTH)
            else:
                yield from self.dispense("card")
            look, cause = self.facts.seen(MOUTH), self.facts.seen_by(MOUTH)
            self.at_mouth = 1
            if look is None or look.count is None:
                return
            if look.count > 1 and self.hand.deal.under_way and not self.has("stuck_cards_played_on"):
                raise EndsEarly(self.misdealt(cause, "cards stuck together"))
            if look.face_up and not self.has("boxed_card_dealt"):
                yield from self._reversed(look, cause)
                self.at_mouth = 0
                continue
            return
        raise EndsEarly(self.hold("no usable card came"))

    def _reversed(self, look: CardsSeen, cause: str) -> Procedure:
        """A card face up in the pack is scrap; a second one in the initial deal spoils it."""
        deal = self.hand.deal
        deal.reversed += len(look.face_up)
        several = deal.reversed > 1 and not self.has("boxed_cards_played_on")
        if deal.under_way and (several or self.has("boxed_card_misdeal")):
            raise EndsEarly(self.misdealt(cause, "cards face up in the pack"))
        yield from self.do("retire_card", cause=cause, place=MOUTH)

    def to_hand(self, place: str) -> Procedure:
        """The next card goes to a hand, face down, and the camera shows where it went."""
        yield from self.next_card()
        yield from self.do("deliver", position=place, face="down")
        looks = {seat: look for seat in self.facts.session.positions if (look := self.facts.seen(seat)) is not None}
        mouth = self.facts.seen(MOUTH)
        self.at_mouth = mouth.count if mouth is not None and mouth.count else 0
        deal = self.hand.deal
        first = not deal.landed
        arrived, turned = deal.saw(looks)
        if not deal.under_way:
            return
        for seat in arrived:
            self._arrived(seat, first=first)
            first = False
        for seat in turned:
            self._turned(seat, len(deal.landed))

    def _arrived(self, seat: str, *, first: bool) -> None:
        cause = self.facts.seen_by(seat)
        if seat not in self.hand.order and not self.has("ineligible_hand_played_on"):
            raise EndsEarly(self.misdealt(cause, f"a card was dealt to {seat}, which has no hand"))
        if first and seat != self.hand.order[0] and not self.has("first_card_played_on"):
            raise EndsEarly(self.misdealt(cause, "the first card went to another seat"))

    def _turned(self, seat: str, number: int) -> None:
        """The dealer turned up card `number` of the deal."""
        cause, deal = self.facts.seen_by(seat), self.hand.deal
        if self.draw:
            self._turned_in_draw(seat, cause)
        elif number <= 2 and not self.has("first_exposed_played_on"):
            raise EndsEarly(self.misdealt(cause, "one of the first two cards was exposed"))
        else:
            deal.exposed.append(seat)
            pair = len(deal.exposed) > 1 and not self.has("two_exposed_played_on")
            if pair or (number > 2 and self.has("one_exposed_misdeal")):
                raise EndsEarly(self.misdealt(cause, "cards were exposed by the dealer"))

    def _turned_in_draw(self, seat: str, cause: str) -> None:
        rule = self.facts.session.inputs.get(DRAW_RULE, "")
        if self.has("draw_rule_ignored"):
            rule = "replace" if rule == "misdeal" else "misdeal"
        match rule:
            case "misdeal":
                raise EndsEarly(self.misdealt(cause, "the house calls a misdeal for an exposed card"))
            case "replace":
                self.hand.deal.exposed.append(seat)
            case _:
                raise EndsEarly(self.hold(f"the house rule {DRAW_RULE!r} is not set", cause))

    # --- the deal ---

    def deal_hands(self) -> Procedure:
        """The initial deal, then what has to be put right of it."""
        deal = self.hand.deal
        skipped = {place for place in self.hand.order if self._left_out(place)}
        for place in [place for place in deal.due if place not in skipped]:
            yield from self.to_hand(place)
        yield from self._complete_button()
        self._check_hands(skipped)
        yield from self._check_order()
        for place in deal.exposed:
            if not self.has("exposed_card_kept"):
                yield from self._replace(place)
        deal.under_way = False

    def _left_out(self, place: str) -> bool:
        """True in software whose defect is to deal nothing to this player when the hand is dealt again."""
        state = self.seats.state.get(place)
        again = self.hand.deals > 1
        second = self.hand.order[1:2] == [place] and self.has("player_left_out_of_replay")
        return again and (
            second
            or (state == "penalty" and self.has("penalty_not_dealt"))
            or (place in self.away and self.has("absent_not_dealt"))
        )

    @property
    def away(self) -> set[str]:
        """Players who were not at their seats in the first deal of this hand."""
        return set()

    def _complete_button(self) -> Procedure:
        """A button that is short gets its cards, also one after the other; one without any was dealt no hand."""
        deal, button = self.hand.deal, self.hand.button
        if self.has("button_left_short") or self.has("button_short_misdeal"):
            return
        while 0 < deal.held.get(button, 0) < deal.each and deal.wrong == [button]:
            before = deal.held.get(button, 0)
            yield from self.to_hand(button)
            if deal.held.get(button, 0) <= before:
                return

    def _check_hands(self, skipped: set[str]) -> None:
        deal = self.hand.deal
        if self.has("stuck_cards_played_on"):
            return
        for place in deal.empty:
            if place not in skipped and not self.has("skipped_seat_played_on"):
                raise EndsEarly(self.misdealt(self.facts.seen_by(place), f"{place} was not dealt a hand"))
        for place in deal.wrong:
            fewer = deal.held.get(place, 0) < deal.each
            if place in skipped or place in deal.empty:
                continue
            if fewer and place == self.hand.button and not self.has("button_short_misdeal"):
                continue
            if not self.has("few_cards_played_on" if fewer else "many_cards_played_on"):
                raise EndsEarly(self.misdealt(self.facts.seen_by(place), f"{place} holds a wrong number of cards"))

    def _check_order(self) -> Procedure:
        """Every hand is right. Cards that came out of turn are for the floor; but for the button's two at the end."""
        deal = self.hand.deal
        if deal.wrong or deal.came == deal.due or deal.came[:1] != deal.due[:1]:
            return
        if deal.in_order:
            if self.has("button_two_cards_misdeal"):
                raise EndsEarly(self.misdealt("", "the button was dealt two cards in a row"))
            return
        yield from self.unlisted_error()

    def unlisted_error(self) -> Procedure:
        """An error of dealing that no rule names: the floor says whether it is a misdeal."""
        raise NotImplementedError

    def _replace(self, place: str) -> Procedure:
        """The card that was turned up is taken away, and the hand gets the next one."""
        yield from self.do("take_exposed", position=place, to="burn")
        look = self.facts.seen(place)
        if look is not None and look.count is not None:
            self.hand.deal.held[place], self.hand.deal.open[place] = look.count, len(look.face_up)
        yield from self.to_hand(place)
