"""What players do, and the showing of hands."""

from bench.acts.dealing import Dealing
from bench.acts.table import DONE, Act, Outcome
from evidence.events import Directive, PlayerDid


class Playing(Dealing):
    """What players do, and the showing of hands."""

    def _verbs(self) -> dict[str, Act]:
        return {
            **super()._verbs(),
            "betting_round": self._betting_round,
            "show_hands": self._show_hands,
        }

    def _betting_round(self, _: Directive) -> Outcome:
        self._betting_rounds += 1
        now = self._betting_rounds
        for position in self._table.seated:
            self._teller.publish(PlayerDid(act="bet", position=position), f"player:{position}")
            if self._slips.take("player_exposes_card", position=position, betting_round=now):
                self._rig.hands.turn_up(position, [0])
                self._teller.publish(PlayerDid(act="expose", position=position), f"player:{position}")
                self._look(position)
            if self._slips.take("hand_short_found_late", position=position, betting_round=now):
                self._rig.hands.move(position, "away", 1)
                self._look(position)
        while self._slips.take("card_drawn_in_error", betting_round=now):
            self._draw_unasked()
        return DONE

    def _show_hands(self, _: Directive) -> Outcome:
        for position in self._used(self._table.positions):
            self._rig.hands.turn_up(position)
            self._look(position)
        return DONE
