"""Seven stacks of seven from the automatic shoe, and what goes wrong with the cards on their way."""

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.base import MOST_LOOKS
from bench.emulators.table_software.games.pai_gow.exposure import Exposure
from bench.emulators.table_software.games.pai_gow.start import Start
from bench.emulators.table_software.games.pai_gow.table import CARDS_IN_STACK, MOUTH
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import CardsSeen


class Stacks(Start, Exposure):
    """The deal from the shoe."""

    def deal_stacks(self, order: list[str], start: str) -> Procedure:
        face = "up" if self.has("deliver_face_up") else "down"
        self.deal.dealing = True
        for index, position in enumerate(order):
            yield from self._stack(position)
            if index == 0 and self.has("no_more_bets_late"):
                yield from self.announce_no_more_bets()
            if self.has("skip_empty_positions") and self.empty(position):
                yield from self.do("collect", place=MOUTH, to="discard_rack", face="down")
                continue
            self.need((yield from self.do("deliver", position=position, face=face)))
            yield from self._delivered(position, first=index == 0, start=start, face=face)
        self.deal.dealing = False

    def _delivered(self, position: str, *, first: bool, start: str, face: str) -> Procedure:
        if first:
            yield from self.first_went(position)
        look, cause = self.facts.seen(position), self.facts.seen_by(position)
        if look is not None and look.face_up and face == "down" and position not in self.deal.shown:
            yield from self.exposed(position, cause)
        if not first:
            return
        if self.has("start_after_first_delivery"):
            yield from self.do("set_start", position=start)
        if self.has("additional_wager_late") and self.facts.session.additional_wager_offered:
            yield from self.do("settle", wager="additional")

    def _stack(self, position: str) -> Procedure:
        """The next stack to the mouth: whole, and no card of it face up."""
        waiting, self.deal.waiting = self.deal.waiting, 0
        if waiting:
            for _ in range(CARDS_IN_STACK - waiting):
                yield from self.dispense(unit="card")
                yield from self._turn_out_face_up(position)
        else:
            yield from self.dispense(unit="group")
            yield from self._turn_out_face_up(position)
        look = self.facts.seen(MOUTH)
        count = self.deal.claimed if self.has("group_count_trusted") else look.count if look is not None else None
        self.deal.counts[position] = (count, self.facts.seen_by(MOUTH))

    # --- a card face up in the shoe ---

    def _turn_out_face_up(self, position: str) -> Procedure:
        """What lies face up at the mouth now, and what comes in its place, is dealt with before another card comes."""
        for _ in range(CARDS_IN_STACK):
            look, cause = self.facts.seen(MOUTH), self.facts.seen_by(MOUTH)
            if look is None or not look.face_up:
                return
            if self.has("face_up_card_used"):
                self.deal.shown.add(position)
                return
            yield from self._face_up(look, cause)

    def _face_up(self, look: CardsSeen, cause: str) -> Procedure:
        """Cards lie face up in the stack: the first one of a round is not used, a second one ends the round."""
        found = len(look.face_up)
        self.deal.faces = found if self.has("face_up_counted_per_stack") else self.deal.faces + found
        reason = "cards lay face up in the shoe"
        if self.deal.faces > 1 and not self.has("faces_played_on"):
            if self.has("faces_hand_only"):
                yield from self._retire(look, cause)
                return
            raise EndsEarly(self.ends(cause, reason))
        procedure = self.facts.session.inputs.get("face_up_procedure", "replace").strip()
        yield from self._retire(look, cause)
        if procedure == "void" or self.has("face_up_card_voids_round"):
            raise EndsEarly(self.ends(cause, reason))
        if self.has("face_up_card_not_replaced"):
            return
        for _ in range(found):
            yield from self.dispense(unit="card")
        self.deal.replaced += found

    def _retire(self, look: CardsSeen, cause: str) -> Procedure:
        labels = [label for label in look.face_up if label is not None]
        if len(labels) != len(look.face_up):
            raise EndsEarly(self.hold("a card that lies face up could not be read", cause))
        to = "burn" if self.has("face_up_card_not_racked") else "discard_rack"
        self.need((yield from self.do("retire_card", cause=cause, place=MOUTH, to=to, cards=labels)))

    def faces_in_remainder(self, look: CardsSeen | None, cause: str) -> None:
        """Cards face up among those that remain count with those found before. Raises EndsEarly for a second one."""
        self.deal.faces += len(look.face_up) if look is not None else 0
        if self.deal.faces > 1 and not self.has("faces_played_on") and look is not None and look.face_up:
            raise EndsEarly(self.ends(cause, "cards lay face up in the shoe"))

    # --- a card drawn in error ---

    def drawn_in_error(self, look: CardsSeen, cause: str) -> None:
        drawn, self.deal.drawn_by = self.deal.drawn_by, ""
        if look.face_up:
            self.deal.faces += len(look.face_up)
            labels = [label for label in look.face_up if label]
            if self.deal.faces > 1:
                self.desk.start(self.ends(cause, "cards lay face up in the shoe"))
            else:
                self.desk.also(self.order("retire_card", cause=cause, place=MOUTH, cards=labels))
        elif self.has("drawn_card_voids_round"):
            self.desk.start(self.ends(drawn, "a card was drawn in error"))
        elif self.has("drawn_card_discarded") or self.has("drawn_card_burned"):
            to = "burn" if self.has("drawn_card_burned") else "discard_rack"
            self.desk.also(self.order("retire_card", cause=drawn, place=MOUTH, to=to))
        else:
            self.deal.waiting = look.count or 1
            self.desk.also(self.order("use_as_next_card", cause=drawn, place=MOUTH))

    # --- a wrong number of cards ---

    def count_hands(self) -> Procedure:
        """Every hand must have its seven cards, whatever the remainder says. Raises EndsEarly for one that has not."""
        wrong = {place: one for place, one in self.deal.counts.items() if one[0] not in (None, CARDS_IN_STACK)}
        unseen = [place for place, one in self.deal.counts.items() if one[0] is None]
        for _ in range(MOST_LOOKS if unseen else 0):
            self.need((yield from self.do("check_stacks")))
            looks = {place: (self.facts.seen(place), self.facts.seen_by(place)) for place in unseen}
            counted = {place: (look.count, by) for place, (look, by) in looks.items() if look is not None}
            unseen = [place for place in unseen if counted.get(place, (None, ""))[0] is None]
            wrong |= {place: one for place, one in counted.items() if one[0] not in (None, CARDS_IN_STACK)}
            if not unseen:
                break
        if unseen:
            raise EndsEarly(self.hold("a stack could not be counted"))
        if not wrong or self.has("count_played_on"):
            return
        position, (count, cause) = next(iter(wrong.items()))
        if self.has("count_mended"):
            yield from self._even_out(wrong)
        elif self.has("count_hand_only"):
            for place, (_, cause) in wrong.items():
                yield from self.void_hand(place, cause)
        else:
            raise EndsEarly(self.ends(cause, f"{count} cards at {position}"))

    def _even_out(self, wrong: dict[str, tuple[int | None, str]]) -> Procedure:
        """A defect: cards are taken from one hand and given to another until both have seven."""
        over = [place for place, (count, _) in wrong.items() if (count or 0) > CARDS_IN_STACK]
        short = [place for place, (count, _) in wrong.items() if (count or 0) < CARDS_IN_STACK]
        for place, other in zip(over, short, strict=False):
            yield from self.do("collect", position=place, to=other, count=1)
