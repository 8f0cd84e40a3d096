"""Winner's Pot with 52 cards from a shoe, under New Jersey's rules: two hole cards, then three cards face up.

Cards go clockwise from the button to the seated players, the dealer last. The button visits the seats and the dealer.
A missed move of the button is counted as made, so the next one goes on from where it should lie.
"""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.steps import EndsEarly, Step
from bench.emulators.table_software.games.winners_pot.deal import Deal, clockwise_from, next_place
from bench.emulators.table_software.games.winners_pot.irregular import WinnersIrregularities
from evidence.events import ButtonSeen

STREETS = 3
MOST_CARDS = 60
"""Cards ordered for one hand before the table waits for somebody to help; more than a pack holds."""


class WinnersPot(WinnersIrregularities):
    """One session of Winner's Pot."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        seated = facts.session.seated
        self._seats = [place for place in facts.session.positions if place in seated and place != "dealer"]
        self._button = ""
        self._button_missed = False

    def objection(self) -> str:
        positions = self.facts.session.positions
        if not self._seats or not positions or positions[-1] != "dealer":
            return "this game needs a seated player, and the dealer as the last position"
        if not self.by_hand and not self.facts.device("shoe"):
            return "no dealing shoe stands on the table"
        return ""

    # --- the round ---

    def opening(self) -> Procedure:
        self._resuming = False
        self.deal = Deal(order=[])
        yield from self.do("open_round")
        yield from self._move_button()
        players = clockwise_from(self.facts.session.positions, self._seats, self._button)
        self.deal.order = [*players, "dealer"]

    def after_shuffle(self) -> Procedure:
        self.need((yield from self.do("cut")))
        if not self.by_hand:
            yield from self.load_shoe()
        yield from self.announce_no_more_bets()
        self.deal.phase = "holes"
        for _ in range(2):
            yield from self._turn(street=0)
        yield from self._betting_round()
        self.deal.phase = "streets"
        for street in range(1, STREETS + 1):
            if self.deal.players:
                yield from self._burn()
                yield from self._turn(street)
                if street == STREETS:
                    self.deal.phase = "dealt"
                yield from self._betting_round()
        self.deal.phase = "dealt"
        yield from self._finish()

    def _turn(self, street: int) -> Procedure:
        """A card to each live hand."""
        self.deal.served.clear()
        for position in self.deal.order:
            if self.deal.live(position) and position not in self.deal.served:
                third_down = street == 1 and self.deal.hole_up.get(position) == 1 and not self.has("third_card_face_up")
                yield from self._deal_to(position, "down" if street == 0 or third_down else "up")

    def _betting_round(self) -> Procedure:
        yield from self.do("betting_round")
        yield from self._check_counts()

    def _finish(self) -> Procedure:
        self.deal.phase = "shown"
        yield from self.do("show_hands")
        yield from self._check_counts()
        yield from self._settle()
        yield from self.do("collect", place="all", to="discard_rack", face="down")
        yield from self.do("close_round")
        self.over()

    def _settle(self) -> Procedure:
        if self.deal.unsettled:
            return
        left_out = self.deal.out | self.deal.unpaid
        standing = [seat for seat in self._seats if seat not in left_out]
        bonus = [seat for seat in standing if self.facts.wagered(seat, "jacks_plus")]
        if not self.deal.main_void:
            for position in [""] if not left_out else standing:
                yield from self.do("settle", wager="main", position=position)
        if bonus:
            for position in [""] if not left_out else bonus:
                yield from self.do("settle", wager="jacks_plus", position=position)

    # --- a card ---

    def _deal_to(self, position: str, face: str) -> Procedure:
        yield from self._next_card()
        before = self.deal.tally.get(position, 0)
        self.need((yield from self.do("deliver", position=position, face=face)))
        look = self.facts.seen(position)
        count = look.count if look is not None and look.count is not None else before + 1
        if count <= before:
            yield from self._skipped(position, face)
            return
        self.deal.tally[position] = count
        if self.deal.phase == "holes":
            yield from self.hole_cards(position)
        if count > before + 1 and self.deal.live(position):
            yield from self.wrong_count(position, self.facts.seen_by(position))

    def _next_card(self) -> Procedure:
        if self.deal.waiting:
            self.deal.waiting = False
            return
        for _ in range(MOST_CARDS):
            yield from self.dispense("card")
            look, cause = self.facts.seen("shoe_mouth"), self.facts.seen_by("shoe_mouth")
            if look is None:
                return
            if look.face_up and not self.has("face_up_card_used"):
                yield from self.face_up_found(len(look.face_up), cause)
                continue
            if look.count == 1:
                # A card drawn in error meanwhile is the very card that lies there.
                self.deal.waiting = False
            elif look.count is not None and not look.face_up and not self.deal.waiting:
                self.deal.waiting = True
                yield from self.do("use_as_next_card", cause=cause, place="shoe_mouth")
            return
        raise EndsEarly(self.hold("no usable card came"))

    def _skipped(self, position: str, face: str) -> Procedure:
        """The card went elsewhere: a hand was not dealt its card."""
        cause = self.facts.seen_by(position)
        if not self.has("skipped_hand_dealt_late"):
            raise EndsEarly(self.misdeal(cause))
        for other in self.deal.order:
            look = self.facts.seen(other)
            if other != position and look is not None and (look.count or 0) > self.deal.tally.get(other, 0):
                self.deal.tally[other] = look.count or 0
                self.deal.served.add(other)
        yield from self._next_card()
        yield from self.do("deliver", position=position, face=face)
        self.deal.tally[position] = self.deal.tally.get(position, 0) + 1

    def _check_counts(self) -> Procedure:
        """Hands that were looked at meanwhile and do not hold what they should."""
        looks = {seat: (self.facts.seen(seat), self.facts.seen_by(seat)) for seat in self._seats}
        for seat, (look, cause) in looks.items():
            held = self.deal.tally.get(seat, 0)
            if look is not None and look.count not in {None, held} and seat not in self.deal.out:
                self.deal.tally[seat] = look.count or 0
                yield from self.wrong_count(seat, cause)

    def _burn(self) -> Procedure:
        count = 1 + self.deal.burn_owed
        self.deal.burn_owed = 0
        self.deal.waiting = False
        before, burned = self.deal.burned, 0
        for _ in range(MOST_CARDS):
            done = yield from self._burn_step(count - burned)
            burned += self.facts.burned
            look, cause = self.facts.seen("shoe_mouth"), self.facts.seen_by("shoe_mouth")
            if done.outcome == "done":
                break
            if look is not None and look.face_up:
                yield from self.face_up_found(len(look.face_up), cause)
            else:
                self.shoe_gave_nothing(done)
        burned = self._burned_since(before, burned)
        for _ in range(MOST_CARDS if count > 1 else 0):
            if burned >= count:
                break
            # What makes good a missed burn is not left for later.
            self.need((yield from self._burn_step(count - burned)))
            burned = self._burned_since(before, count)
        self.deal.burned = before + burned
        if burned < count:
            yield from self.burn_missed(count - burned, self.facts.seen_by("burn"))

    def _burned_since(self, before: int, untold: int) -> int:
        """Cards that the camera sees burned beyond those of before; `untold` where it cannot count them."""
        seen = self.facts.seen("burn")
        return untold if seen is None or seen.count is None else seen.count - before

    def _burn_step(self, count: int) -> Step:
        if self.by_hand:
            return (yield from self.do("burn", count=count, method="hand"))
        return (yield from self.do("burn", count=count))

    # --- the button ---

    def _move_button(self) -> Procedure:
        rotation = [*self._seats, "dealer"]
        lies_at = self._button or self.facts.button_at
        position = next_place(self.facts.session.positions, rotation, lies_at)
        if position == "dealer" and self.has("button_skips_dealer"):
            position = self._seats[0]
        if self._button_missed and position != "dealer" and self.has("button_forgotten"):
            return
        yield from self.do("move_button", position=position)
        self._button = position
        seen = self.facts.button
        self._button_missed = False
        if seen is not None and isinstance(seen.event, ButtonSeen) and seen.event.position not in {None, position}:
            self._button_missed = True
            if self.has("button_stops_round"):
                raise EndsEarly(self.void(cause=seen.id, reason="the button was not moved"))
            self.deal.unsettled = self.has("button_round_not_settled")
            if self.has("button_moved_at_once"):
                yield from self.do("move_button", position=position)
                self._button_missed = False
            yield from self.do("continue_round", cause=seen.id)
