"""Tournament hold'em: blinds, two cards each, a board of five with a burn before each street, and the button moving on.

A hand begins when its pack is shuffled or another dealer sits down; until then the hand before can be disputed.
"""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.holdem.fouled import DISPUTE
from bench.emulators.table_software.games.holdem.hand import Hand
from bench.emulators.table_software.games.holdem.irregular import HoldemIrregularities

STREETS = (3, 1, 1)
"""Cards that each street adds to the board."""


class TournamentHoldem(HoldemIrregularities):
    """One session of tournament hold'em."""

    each = 2
    streets: tuple[int, ...] = STREETS

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.first_away: set[str] = set()
        """Players who were not at their seats in the first deal of this hand."""
        self.pushed = False
        """True once another dealer has taken over since the last hand."""

    def objection(self) -> str:
        if len(self.seats.held) < 2:
            return "a tournament hand needs two players"
        if not self.by_hand and not self.facts.device("shoe"):
            return "no dealing shoe stands on the table"
        return ""

    # --- the hand ---

    def opening(self) -> Procedure:
        if self.fouled_pack and not self.has("fouled_deck_kept"):
            # What lies open still shows why; it is no new discovery in the hand to come.
            self.state = "ending"
            yield from self.other_pack()
            self.state = "round"
        held = self.seats.held
        after = self.seats.after(self.facts.button_at, held)
        button = after[0]
        self.hand = Hand(order=self.seats.after(button, held), blinds=self.seats.level, each=self.each)
        self.first_away = set()
        self.pushed = False
        yield from self.do("open_round")
        yield from self.do("move_button", position=button)

    def after_shuffle(self) -> Procedure:
        yield from self.run(self._from_the_cut())

    def _from_the_cut(self) -> Procedure:
        self.hand.begun = True
        self.at_mouth = 0
        self.need((yield from self.do("cut")))
        if not self.by_hand:
            yield from self.load_shoe()
        yield from self._post_blinds()
        yield from self.deal_hands()
        yield from self._dead_hands()
        yield from self._streets()
        yield from self._close()

    def _post_blinds(self) -> Procedure:
        """Two players alone: the button posts the small blind."""
        order = self.hand.order
        small, big = (order[0], order[1]) if len(order) > 2 else (order[-1], order[0])
        for seat, cents in zip((small, big), self.hand.blinds, strict=True):
            if cents:
                yield from self.do("post_blind", position=seat, amount_cents=cents)

    def _dead_hands(self) -> Procedure:
        """Who is away when the last card of the deal has come, or serves a penalty, has no live hand."""
        away = set(self.seats.in_state("absent"))
        again = self.hand.deals > 1
        if again and self.has("returned_hand_killed"):
            away |= self.first_away
        if again and self.has("absent_hand_played"):
            away.clear()
        if not again:
            self.first_away = set(away)
        penalty = set() if again and self.has("penalty_hand_played") else set(self.seats.in_state("penalty"))
        dead = [seat for seat in self.hand.order if seat in away | penalty]
        if dead:
            self.hand.betting.dead.update(dead)
            yield from self.do_all(*[self.order("dead_hand", position=seat) for seat in dead])

    def _streets(self) -> Procedure:
        yield from self.do("betting_round")
        for cards in self.streets:
            if len(self.hand.betting.live) < 2:
                return
            yield from self.do("burn", count=1)
            for _ in range(cards):
                yield from self.to_board()
            self.hand.betting.street()
            yield from self.do("betting_round")
        if len(self.hand.betting.live) > 1:
            yield from self.do("show_hands")

    def _close(self) -> Procedure:
        """The pot goes to the last live hand; where several are shown, the dealer settles it."""
        live = self.hand.betting.live
        if len(live) == 1:
            yield from self.do("award_pot", position=live[0], amount_cents=sum(self.hand.betting.pot.values()))
        else:
            yield from self.do("settle", wager="all")
        yield from self._count_penalties()
        yield from self.do("close_round")
        self.over()

    def _count_penalties(self) -> Procedure:
        """One hand of each penalty has been served, however often it was dealt."""
        hands = self.hand.deals if self.has("penalty_counts_deals") else 1
        if self.has("penalty_not_counted"):
            return
        for seat in self.seats.in_state("penalty"):
            self.seats.served[seat] = self.seats.served.get(seat, 0) + hands
            yield from self.do("count_penalty", position=seat, count=hands)

    # --- the replay after a misdeal ---

    def replay(self, cause: str, *, fresh: bool) -> Procedure:
        if self.hand.deals == 1:
            self.first_away = set(self.seats.in_state("absent"))
        if fresh:
            yield from self.other_pack(cause)
        if self.has("misdeal_hand_abandoned"):
            yield from self.do("close_round")
            self.over()
            return
        self._change_for_replay()
        yield from self.do("redeal", cause=cause)
        if self.has("button_moved_for_replay"):
            yield from self.do("move_button", position=self.hand.button)
        done = yield from self.do_all(self.reshuffle(cause))
        if (yield from self.shuffled(done)):
            yield from self._from_the_cut()

    def _change_for_replay(self) -> None:
        """Nothing changes; in software with a defect something does."""
        hand = self.hand
        if self.has("newcomer_dealt_in_replay"):
            hand.order = self.seats.after(hand.button, self.seats.held)
        if self.has("level_raised_for_replay"):
            hand.blinds = self.seats.level
        if self.has("button_moved_for_replay"):
            hand.order = [*hand.order[1:], hand.order[0]]
        hand.again()

    @property
    def away(self) -> set[str]:
        return self.first_away

    # --- the hand before ---

    def hand_begins(self) -> None:
        if self.state == "round":
            self.hand.begun = True
        else:
            self.pushed = True

    def disputed(self, cause: str) -> None:
        """The pack turns out to be fouled when the hand is over: for the floor, until the next hand begins."""
        open_still = not self.pushed or self.has("dispute_never_ends")
        if self.has("old_hand_bets_returned"):
            self.desk.say(*self.returns(cause))
        elif open_still and not self.has("dispute_refused"):
            self.desk.say(self.order("call_floor", cause=cause, question=DISPUTE))
        else:
            self.desk.say(self.order("continue_round", cause=cause))


class ShortDeckHoldem(TournamentHoldem):
    """Hold'em without the cards from two to five."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.faces.short = True


class TournamentDraw(TournamentHoldem):
    """Five cards each and no board: what becomes of a card that the dealer exposes is for the house to say."""

    each = 5
    streets = ()
    draw = True
