"""Irregularities of blackjack: what the rules of its table order when something goes wrong.

A card drawn in error is the next one. One that shows its face is offered to each player in turn; who refuses it gets no
other, and what nobody can use is burned. A hand passed over in the opening deal is completed when all others are, if
its player wants it; without a single card it is dead, and its wager goes back. A shoe that runs out is filled with the
shuffled discards.
"""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts, Told
from bench.emulators.table_software.games.base import Game
from bench.emulators.table_software.games.blackjack.hand import DEALER, RULE_INPUT, Deal, must_draw
from bench.emulators.table_software.games.clearing import Symptom
from evidence.events import CardsSeen, DealerDid, DeviceFault, Directive, PlayerDid

MOUTH = "shoe_mouth"


class BlackjackIrregularities(Game):
    """The irregular half of the game."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.deal = Deal(order=[])
        self.answer = ""
        """What a player has just answered."""
        self.loaded = False
        """The shoe holds shuffled cards from which the next round can be dealt."""

    # --- what is noticed at any time ---

    def noticed(self, told: Told) -> None:
        match told.event:
            case PlayerDid(act="choose", choice=choice):
                self.answer = choice
            case DeviceFault(symptom="empty", device=device) if device == self.facts.device("shoe"):
                self.deal.ran_out = True
            case DealerDid(act="draw", directive=""):
                self.deal.drawn_by = told.id
            case CardsSeen(place="shoe_mouth") as look if self.deal.drawn_by:
                self._drawn_in_error(look)
            case _:
                pass

    def _drawn_in_error(self, look: CardsSeen) -> None:
        drawn, self.deal.drawn_by = self.deal.drawn_by, ""
        if self.deal.phase == "dealer" and self._dealer_stands():
            self._overdrawn(drawn)
        elif look.face_up:
            self._shown(drawn)
        elif self.has("stray_card_voids_round"):
            self.desk.start(self.void(cause=drawn, reason="a card was drawn in error"))
        elif self.has("stray_card_racked"):
            self.desk.also(self.order("retire_card", cause=drawn, place=MOUTH, to="discard_rack"))
        else:
            self._next(drawn)

    def _next(self, cause: str) -> None:
        self.deal.waiting = True
        self.desk.also(self.order("use_as_next_card", cause=cause, place=MOUTH))

    def _shown(self, cause: str) -> None:
        if self.has("shown_card_racked"):
            self.desk.also(self.order("retire_card", cause=cause, place=MOUTH, to="discard_rack"))
            return
        self.deal.exposed = True
        self._next(cause)

    def _overdrawn(self, cause: str) -> None:
        if self.has("overdrawn_card_kept"):
            self.desk.also(self.order("deliver", cause=cause, position=DEALER, face="up"))
        elif self.has("overdrawn_card_racked"):
            self.desk.also(self.order("retire_card", cause=cause, place=MOUTH, to="discard_rack"))
        else:
            self.desk.also(self.order("burn", cause=cause, count=1))

    def _dealer_stands(self) -> bool:
        """Whether the dealer's hand, as just seen, is one to stand on."""
        look = self.facts.seen(DEALER)
        faces = look.face_up if look is not None and not look.face_down else self.deal.faces.get(DEALER, [])
        return must_draw(faces, self.rule) is False

    @property
    def rule(self) -> str:
        """The house's rule for the dealer's drawing."""
        return self.facts.session.inputs.get(RULE_INPUT, "").strip()

    # --- hands passed over ---

    def dead(self, position: str, *, keep: str = "") -> Procedure:
        """The hand is dead and its wager goes back, unless the software has the defect `keep`."""
        self.deal.dead.add(position)
        orders = [self.order("dead_hand", position=position)]
        if not self.has(keep):
            self.deal.returned.add(position)
            orders.append(self.order("return_wagers", scope="hand", position=position, wager="all"))
        yield from self.do_all(*orders)

    def refund(self, cause: str) -> list[Directive]:
        """The wagers that are still there: those of dead hands have gone back already."""
        if not self.deal.returned:
            return super().refund(cause)
        left = [place for place in self.facts.wagers if place not in self.deal.returned]
        return [self.order("return_wagers", cause=cause, scope="hand", position=place, wager="all") for place in left]

    # --- devices ---

    def clear_up(self, directives: list[Directive]) -> Procedure:
        self.loaded = False
        return super().clear_up(directives)

    def void_after_shoe(self, symptom: Symptom, cause: str = "") -> Procedure:
        orders: list[Directive] = []
        if not self.has("round_not_voided"):
            orders.append(self.order("void_round", cause=cause, reason=f"dealing shoe: {symptom}"))
        if not self.has("void_wagers_kept"):
            orders += self.refund(cause)
        if not self.has("cards_left_in_shoe"):
            orders += self.empty_shoe(cause)
        scope = "device_cards" if self.has("dealt_cards_left_out") else "all_cards"
        return self.clear_up([*orders, self.reshuffle(cause, scope=scope)])
