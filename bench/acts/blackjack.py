"""What goes wrong at a blackjack table, and the shuffle of the discards when the shoe runs out in a round."""

from bench.acts.choosing import Choosing
from bench.acts.clearing import Clearing
from bench.acts.playing import Playing
from bench.acts.table import DONE, MOUTH, RACK, Outcome
from bench.faults.totals import hand_total
from bench.operate import dispensed, operate
from evidence.events import Directive

DEALER = "dealer"
STANDS = 17
"""At this total and above no house has the dealer draw, but for a soft 17."""


class Blackjack(Choosing, Playing, Clearing):
    """The slips of a blackjack dealer; where a plan asks for none of them, every act is as without it."""

    _answers = 0
    """Answers that players have given in this round."""

    def _load_device(self, directive: Directive) -> Outcome:
        for prepared in self._slips.prepare("few_cards_left"):
            self._lay_aside(directive.device, self._table.cards_in_deck - int(prepared.params["count"]))
        return super()._load_device(directive)

    def _lay_aside(self, device: str, cards: int) -> None:
        """Of the cards arranged in the device those that would be dealt last lie in the rack, as if dealt before."""
        self._rig.hands.load(device)
        self._rig.hands.arrange_in_device(device, self._arranged)
        self._arranged = {}
        self._rig.hands.move(f"{device}/tray", RACK, cards, "down")
        self._look(RACK)

    def _deliver(self, directive: Directive) -> Outcome:
        position = directive.position
        card = self._dealt.get(position, 0) + 1
        if self._slips.take("card_left_at_mouth", position=position, card=card):
            return self._leave(position, card)
        outcome = super()._deliver(directive)
        if self._slips.take("card_drawn_and_exposed", position=position, card=card):
            self._draw_and_expose()
        self._overdraw(position)
        return outcome

    def _leave(self, position: str, card: int) -> Outcome:
        """The dealer goes on without giving the hand its card, which is then the next one to go anywhere."""
        self._dealt[position] = card
        self._drawn = True
        self._look(position)
        self._look(MOUTH)
        return DONE

    def _turn_up(self, directive: Directive) -> Outcome:
        outcome = super()._turn_up(directive)
        self._overdraw(directive.position)
        return outcome

    def _answer(self, position: str, choice: str) -> Outcome:
        outcome = super()._answer(position, choice)
        answers = self._answers = self._answers + 1
        if self._slips.take("card_drawn_in_error", choice=answers):
            self._draw_unasked()
        if self._slips.take("card_drawn_and_exposed", choice=answers):
            self._draw_and_expose()
        return outcome

    def _open_round(self, directive: Directive) -> Outcome:
        self._answers = 0
        return super()._open_round(directive)

    def _overdraw(self, position: str) -> None:
        """The dealer draws although the own hand must stand, as the camera sees it."""
        look = self._seen.get(position)
        if position != DEALER or look is None or look.face_down or not look.face_up:
            return
        total = hand_total(look.face_up)
        if total is not None and total.points >= STANDS and self._slips.take("dealer_overdraws"):
            self._draw_and_expose()

    def _draw_and_expose(self) -> None:
        device = self._rig.first("shoe")
        if device is not None:
            if operate(self._rig, self._teller, device, "deal_card", dispensed("card")):
                # The shoe gave nothing, so nothing has been drawn.
                return
            self._rig.hands.turn_up(MOUTH, [0])
            self._did("draw", device=device, count=1)
            self._drawn = bool(self._look(MOUTH).count)

    def _reshuffle(self, directive: Directive) -> Outcome:
        if directive.scope != "discards":
            return super()._reshuffle(directive)
        for name, driver in self._rig.devices.items():
            if driver.status().state == "fault":
                driver.command("clear_fault")
                # Whoever fills a device that ran out opens it first.
                self._rig.hands.unload(name)
        self._rig.hands.move(RACK, "hand", None, "down")
        self._did("gather", directive, place=directive.scope)
        self._look(RACK)
        return self._shuffle(directive) if directive.method == "hand" else self._shuffle_by_device(directive)
