"""What players put into the pot, in turn, as the plan tells them to or as players do by themselves."""

from bench.acts.dealing import Dealing
from bench.acts.table import DONE, Act, Outcome
from bench.plan_entries import Move
from evidence.events import Directive, PlayerAct, PlayerDid


class Betting(Dealing):
    """Antes and betting rounds. A player who folds, or whose hand is called dead, acts no more in the round."""

    def _verbs(self) -> dict[str, Act]:
        return {
            **super()._verbs(),
            "post_antes": self._post_antes,
            "betting_round": self._betting_round,
            "dead_hand": self._hand_out,
            "void_hand": self._hand_out,
        }

    def _mishaps(self, position: str, betting_round: int) -> None:
        """What goes wrong at a position when its player has acted."""

    def _after_betting(self, betting_round: int) -> None:
        """What goes wrong when all players have acted."""

    def _post_antes(self, _: Directive) -> Outcome:
        for position in self._playing:
            self._play(position, "ante", self._table.ante_cents)
        return DONE

    def _hand_out(self, directive: Directive) -> Outcome:
        self._gone.add(directive.position)
        return DONE

    def _betting_round(self, _: Directive) -> Outcome:
        self._betting_rounds += 1
        now = self._betting_rounds
        staked: dict[str, int] = {}
        for position in self._playing:
            # In a game with a pot the last player left has nobody to bet against.
            if len(self._playing) > 1 or not self._table.ante_cents:
                self._in_turn(position, now, staked)
            self._mishaps(position, now)
        for position in self._playing:
            if position in staked and self._owed(position, staked):
                self._in_turn(position, now, staked)
        self._after_betting(now)
        return DONE

    def _in_turn(self, position: str, now: int, staked: dict[str, int]) -> None:
        """What the plan tells this player to do now, or what a player does who is told nothing."""
        for move in [move for move in self._moves if move.position == position and move.betting_round == now]:
            self._moves.remove(move)
            self._told(move, staked)
            if move.act != "protect":
                return
        owed, opening = self._owed(position, staked), self._table.bet_cents
        if owed:
            self._stake(position, "call", owed, staked)
        elif any(staked.values()) or (self._table.ante_cents and not opening):
            self._stake(position, "check", 0, staked)
        else:
            self._stake(position, "bet", opening, staked)

    def _told(self, move: Move, staked: dict[str, int]) -> None:
        match move.act:
            case "fold" | "protect":
                self._play(move.position, move.act)
                if move.act == "fold":
                    self._gone.add(move.position)
            case "check":
                self._stake(move.position, "check", 0, staked)
            case _:
                cents = move.amount_cents or self._owed(move.position, staked) or self._table.bet_cents
                self._stake(move.position, move.act, cents, staked)

    @staticmethod
    def _owed(position: str, staked: dict[str, int]) -> int:
        return max(staked.values(), default=0) - staked.get(position, 0)

    def _stake(self, position: str, act: PlayerAct, cents: int, staked: dict[str, int]) -> None:
        staked[position] = staked.get(position, 0) + cents
        self._play(position, act, cents)

    def _play(self, position: str, act: PlayerAct, cents: int = 0) -> None:
        did = PlayerDid(act=act, position=position, amount_cents=cents)
        self._teller.publish(did, f"player:{position}")
