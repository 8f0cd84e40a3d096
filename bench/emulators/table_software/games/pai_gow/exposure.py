"""A hand of which a face is seen before the hands are shown: the dealer's, the bank's, or a player's."""

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.pai_gow.table import DEALER, PaiGowTable
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import Directive

QUESTION = "void_hand"


class Exposure(PaiGowTable):
    """Hands that are exposed."""

    def exposed(self, position: str, cause: str) -> Procedure:
        """A card of this hand is seen. Raises EndsEarly when it is the dealer's or the bank's."""
        self.deal.shown.add(position)
        if self.empty(position):
            return
        if self._has_option(position):
            yield from self._option(position, cause)
        elif self.has("exposed_hand_only"):
            yield from self.void_hand(position, cause)
        elif not self.has("exposed_played_on"):
            raise EndsEarly(self.ends(cause, f"a card at {position} was exposed"))

    def exposed_while_acting(self) -> Procedure:
        """Faces that came to be seen while players acted. What ends the round goes before what a player may choose."""
        looks = {position: self.facts.seen(position) for position in self.positions}
        found = [
            (position, self.facts.seen_by(position))
            for position, look in looks.items()
            if look is not None and look.face_up and position not in self.deal.shown
        ]
        for position, cause in sorted(found, key=lambda one: self._has_option(one[0])):
            yield from self.exposed(position, cause)

    def _has_option(self, position: str) -> bool:
        """Whether the hand is a player's, who may play it all the same."""
        return position != DEALER and (position != self.bank or self.has("bank_treated_as_player"))

    def options_owed(self) -> Procedure:
        """Options that a defect held back until now."""
        while self.deal.owed:
            yield from self._offer(*self.deal.owed.pop(0))

    def _option(self, position: str, cause: str) -> Procedure:
        """The player decides whether to play the hand, before having looked at the other cards."""
        if self.has("exposed_card_voids_round"):
            raise EndsEarly(self.ends(cause, f"a card at {position} was exposed"))
        if self.has("option_offered_late"):
            self.deal.owed.append((position, cause))
        elif self.has("exposed_hand_voided_unasked"):
            yield from self.void_hand(position, cause)
        else:
            yield from self._offer(position, cause)

    def _offer(self, position: str, cause: str) -> Procedure:
        yield from self.do("offer_choice", cause=cause, position=position, question=QUESTION, choices=["play", "void"])
        choice = self.deal.choices.get(position, "play")
        lapsed = position in self.deal.looked and not self.has("option_after_look_honoured")
        void = choice == "void" and not (lapsed or self.has("void_choice_ignored"))
        if void or (choice == "play" and self.has("play_choice_voided")):
            yield from self.void_hand(position, cause)
        else:
            yield from self.do("hand_active", cause=cause, position=position)

    def void_hand(self, position: str, cause: str) -> Procedure:
        """One hand is void: its wager goes back, and its cards to the discard rack."""
        orders = [
            self.order("void_hand", cause=cause, position=position),
            self.order("return_wagers", cause=cause, scope="hand", position=position, wager="main"),
            self.order("collect", cause=cause, position=position, to="discard_rack", face="down"),
        ]
        self.deal.out.add(position)
        yield from self.do_all(*orders)

    def refund(self, cause: str) -> list[Directive]:
        """The wagers that are still there: the main ones of void hands have gone back already."""
        if not self.deal.out:
            return super().refund(cause)
        left = {place: "all" for place in self.facts.wagers if place not in self.deal.out}
        left |= {place: "additional" for place in self.deal.out if self.facts.wagered(place, "additional")}
        return [
            self.order("return_wagers", cause=cause, scope="hand", position=place, wager=wager)
            for place, wager in left.items()
        ]
