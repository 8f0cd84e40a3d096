"""What goes wrong with hands while players act, and the showing of hands."""

from bench.acts.betting import Betting
from bench.acts.table import DONE, RACK, Act, Outcome
from evidence.events import Directive, PlayerDid


class Playing(Betting):
    """What goes wrong with hands while players act, and the showing of hands."""

    def _verbs(self) -> dict[str, Act]:
        return {**super()._verbs(), "show_hands": self._show_hands, "turn_up": self._turn_up}

    def _mishaps(self, position: str, betting_round: int) -> None:
        now = betting_round
        if self._slips.take("player_exposes_card", position=position, betting_round=now):
            self._rig.hands.turn_up(position, [0])
            self._teller.publish(PlayerDid(act="expose", position=position), f"player:{position}")
            self._look(position)
        if self._slips.take("hand_short_found_late", position=position, betting_round=now):
            self._rig.hands.move(position, "away", 1)
            self._look(position)
        if self._slips.take("hand_collected", position=position, betting_round=now):
            self._rig.hands.move(position, RACK, None, "down")
            self._did("collect", position=position, place=position)
            self._look(position)
            self._look(RACK)
        if fouled := self._slips.take("hand_fouled", position=position, betting_round=now):
            thrown = f"seat/{fouled.params['seat']}"
            self._rig.hands.move(thrown, position, None, "down")
            self._rig.hands.spread(position)
            self._look(thrown)
            self._look(position)

    def _after_betting(self, betting_round: int) -> None:
        while self._slips.take("card_drawn_in_error", betting_round=betting_round):
            self._draw_unasked()

    def _show_hands(self, _: Directive) -> Outcome:
        for position in self._used(self._table.positions):
            self._rig.hands.turn_up(position)
            self._look(position)
        return DONE

    def _turn_up(self, directive: Directive) -> Outcome:
        cards = [directive.count - 1] if directive.count > 0 else None
        self._rig.hands.turn_up(directive.position, cards)
        self._did("turn_up", directive, position=directive.position, count=directive.count)
        self._look(directive.position)
        return DONE
