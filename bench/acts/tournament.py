"""A tournament's table: blinds, betting in the order of the plan, the board, slips of the dealer, and news."""

from bench.acts.playing import Playing
from bench.acts.table import CENTRE, DONE, MOUTH, Act, Outcome
from bench.live_rig import Rig
from bench.news import News
from bench.operate import Teller
from bench.plan import Scenario
from bench.plan_entries import Move
from bench.slips import Slips
from evidence.events import Directive, LevelAnnounced, PlayerDid, SeatStatus


class Tournament(Playing):
    """What a table does where blinds are posted; at any other table everything is as without it."""

    def __init__(self, rig: Rig, scenario: Scenario, slips: Slips, teller: Teller) -> None:
        super().__init__(rig, scenario, slips, teller)
        self._news = list(scenario.news)
        self._done_so_far: dict[str, int] = {}
        self._stakes: dict[str, int] = {}
        """What each player has put in on this street."""
        self._button = self._next = ""
        """Where the button was ordered to; the seat after which betting begins."""
        self._passed: set[str] = set()
        """Hands that the dealer overlooks for the rest of this deal."""
        self._kept = False
        """True while the dealer still holds the card of a hand that was passed over."""
        self._swapped: dict[str, str] = {}
        """Whose card goes where, after two hands got each other's."""
        self._late = ""
        """The hand that the dealer left out and will give its cards in a row."""
        self._told_last = ""
        """The hand to which the last card was ordered."""

    def _verbs(self) -> dict[str, Act]:
        return {
            **super()._verbs(),
            "post_blind": self._post_blind,
            "lay_board": self._lay_board,
            "take_exposed": self._take_exposed,
            "redeal": self._redeal,
            "use_as_next_card": self._use_as_next,
        }

    # --- news ---

    def begin(self) -> None:
        """What is known before the first hand: the level of the blinds, and who sits where."""
        if self._table.blinds:
            self._call_level(self._table.blinds)
        self._tell("", 1)

    def after(self, directive: Directive) -> None:
        """What happens once a directive has been carried out."""
        verb = directive.verb
        self._done_so_far[verb] = self._done_so_far.get(verb, 0) + 1
        self._tell(verb, self._done_so_far[verb])

    def _tell(self, verb: str, nth: int) -> None:
        due = [news for news in self._news if news.after == verb and news.nth == nth]
        for news in due:
            self._news.remove(news)
            self._happens(news)

    def _happens(self, news: News) -> None:
        if news.seat and news.state:
            self._teller.publish(SeatStatus(position=news.seat, state=news.state), "operator:floor")
        elif news.blinds:
            self._call_level(news.blinds)
        elif news.exposes:
            self._expose(news.exposes)
        else:
            self._did("push")

    def _call_level(self, blinds: list[int]) -> None:
        small, big = blinds
        self._teller.publish(LevelAnnounced(small_blind_cents=small, big_blind_cents=big), "operator:clock")

    def _expose(self, position: str) -> None:
        self._rig.hands.turn_up(position)
        self._teller.publish(PlayerDid(act="expose", position=position), f"player:{position}")
        self._look(position)

    # --- money ---

    def _post_blind(self, directive: Directive) -> Outcome:
        position, cents = directive.position, directive.amount_cents
        self._stakes[position] = self._stakes.get(position, 0) + cents
        self._next = position
        self._play(position, "post", cents)
        return DONE

    def _betting_round(self, directive: Directive) -> Outcome:
        if not self._table.blinds:
            return super()._betting_round(directive)
        self._betting_rounds += 1
        now = self._betting_rounds
        if now > 1:
            self._stakes.clear()
            self._next = self._button
        told = [move for move in self._moves if move.betting_round == now]
        for nth, move in enumerate(told, start=1):
            self._moves.remove(move)
            self._told_to(move)
            self._mishaps_after(nth, now)
        if not told:
            self._fold_around()
        return DONE

    def _told_to(self, move: Move) -> None:
        if move.act == "expose":
            self._expose(move.position)
        else:
            self._told(move, self._stakes)

    def _fold_around(self) -> None:
        """Players who are told nothing give up in turn, until one is left."""
        positions = self._table.positions
        start = positions.index(self._next) + 1 if self._next in positions else 0
        for seat in (*positions[start:], *positions[:start]):
            if seat in self._playing and len(self._playing) > 1:
                self._play(seat, "fold")
                self._gone.add(seat)

    def _mishaps_after(self, act: int, now: int) -> None:
        """What goes wrong after this act, at whichever seat."""
        for seat in self._table.seated:
            if self._slips.take("hand_short_found_late", position=seat, betting_round=now, act=act):
                self._rig.hands.move(seat, "away", 1)
                self._look(seat)

    # --- cards ---

    def _open_round(self, directive: Directive) -> Outcome:
        self._new_deal()
        return super()._open_round(directive)

    def _redeal(self, _: Directive) -> Outcome:
        """The same hand once more: what was dealt and done counts no more. A look shows where the button lies."""
        self._new_deal()
        self._burns = self._betting_rounds = 0
        self._dealt.clear()
        self._gone.clear()
        self._teller.publish(self._rig.eye.button(), "camera:main")
        return DONE

    def _new_deal(self) -> None:
        self._stakes.clear()
        self._passed.clear()
        self._swapped.clear()
        self._kept = False
        self._next = self._late = self._told_last = ""

    def _move_button(self, directive: Directive) -> Outcome:
        self._button = self._next = directive.position
        return super()._move_button(directive)

    def _dispense(self, directive: Directive) -> Outcome:
        if self._kept:
            return self._use_as_next(directive)
        return super()._dispense(directive)

    def _use_as_next(self, _: Directive) -> Outcome:
        """The card that lies drawn at the mouth is the next one."""
        if self._kept:
            self._kept = False
            self._look(MOUTH)
        return DONE

    def _after(self, position: str) -> str:
        if not self._table.blinds:
            return super()._after(position)
        order = [place for place in self._table.positions if place in (*self._table.seated, position)]
        return order[(order.index(position) + 1) % len(order)]

    def _recipient(self, position: str, card: int) -> str:
        if position in self._swapped:
            return self._swapped.pop(position)
        if self._slips.take("cards_transposed", position=position, card=card):
            other = self._after(position)
            self._swapped[other] = position
            return other
        return super()._recipient(position, card)

    def _deliver(self, directive: Directive) -> Outcome:
        position = directive.position
        card = self._dealt.get(position, 0) + 1
        if position == self._told_last:
            # Told twice in a row, the dealer sees whom he has overlooked.
            self._passed.discard(position)
        self._told_last = position
        late = self._slips.take("button_dealt_last", position=position, card=card)
        if late or position in self._passed or self._slips.take("seat_passed_over", position=position, card=card):
            if not late:
                self._passed.add(position)
            self._late = position if late else self._late
            return self._pass_over(position)
        outcome = super()._deliver(directive)
        if self._late == position:
            # The dealer has noticed whom he left out, and gives him his cards one after the other.
            self._late = ""
            self._deal_unasked(position, directive)
            self._look(position)
        return outcome

    def _pass_over(self, position: str) -> Outcome:
        """The dealer overlooks the hand and keeps its card for the next one."""
        self._dealt[position] = self._dealt.get(position, 0) + 1
        self._kept = True
        self._look(position)
        self._look(MOUTH)
        return DONE

    def _lay_board(self, directive: Directive) -> Outcome:
        self._rig.hands.move(MOUTH, CENTRE, None, "up")
        self._drawn = self._kept = False
        self._did("lay_board", directive, place=CENTRE)
        self._look(CENTRE)
        return DONE

    def _take_exposed(self, directive: Directive) -> Outcome:
        """Of this hand, the cards that lie face up go to another place."""
        position, to = directive.position, directive.to or "burn"
        self._rig.hands.take_face_up(position, to)
        self._did("take_exposed", directive, position=position, place=position)
        self._look(position)
        self._look(to)
        return DONE
