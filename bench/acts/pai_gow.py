"""What is done at a table of Pai Gow Poker: dice, dealing by hand, options, and seven cards set into two hands."""

from collections.abc import Sequence

from bench.acts.choosing import Choosing
from bench.acts.playing import Playing
from bench.acts.table import CENTRE, DONE, Act, Outcome
from bench.faults.script import FaultSpec
from bench.hands.protocol import Die
from bench.live_rig import Rig
from bench.operate import Teller
from bench.plan import Scenario
from bench.slips import Slips
from evidence.events import DiceSeen, Directive, PlayerDid

RANKS = "23456789TJQKA"
IN_HAND = "away"
"""Where cards are that somebody has taken up from the table."""
HAND_SIZE = 7
LOW = 2
LOWEST, HIGHEST = 3, 18
"""What three dice can show."""
SPOILED = (2, 4, 5)
"""Pips of dice that are laid to lean, or outside."""


class PaiGow(Choosing, Playing):
    """The dealer and the players of Pai Gow Poker."""

    def __init__(self, rig: Rig, scenario: Scenario, slips: Slips, teller: Teller) -> None:
        super().__init__(rig, scenario, slips, teller)
        self._throws = list(scenario.dice)
        self._rolls = 0
        self._misled_to = ""
        """Where the dealer will put the first card or stack by a total that is wrong; empty for a right one."""

    def _verbs(self) -> dict[str, Act]:
        return {
            **super()._verbs(),
            "roll_dice": self._roll_dice,
            "deal": self._deal,
            "deliver": self._deliver,
            "players_act": self._players_act,
            "set_hands": self._set_hands,
        }

    # --- dice ---

    def _roll_dice(self, directive: Directive) -> Outcome:
        self._rolls += 1
        self._rig.hands.shake_dice(self._prepared())
        self._did("shake_dice", directive, count=max(1, directive.count))
        seen = self._rig.eye.dice()
        self._teller.publish(seen, "camera:main")
        self._call(seen, directive)
        return DONE

    def _prepared(self) -> Sequence[Die]:
        leaning = self._slips.take("dice_leaning", roll=self._rolls)
        outside = self._slips.take("dice_outside", roll=self._rolls)
        if leaning is None and outside is None:
            throw = self._throws.pop(0) if self._throws else ()
            return [(pips, "flat") for pips in throw]
        dice: list[Die] = [(pips, "flat") for pips in SPOILED]
        for n in range(_count(leaning)):
            dice[n] = (dice[n][0], "leaning")
        for n in range(_count(outside)):
            dice[-1 - n] = (dice[-1 - n][0], "outside")
        return dice

    def _call(self, seen: DiceSeen, directive: Directive) -> None:
        """The dealer adds the dice up and says the total; dice that do not all lie flat are not added up."""
        self._misled_to = ""
        if seen.total is None:
            return
        total = seen.total
        if slip := self._slips.take("dice_totalled_wrongly", roll=self._rolls):
            by = int(slip.params["by"])
            total += by if total + by <= HIGHEST else -by
            if slip.params["obeys"] == "total":
                counted = [self._table.positions[-1], *self._table.positions[:-1]]
                self._misled_to = counted[(max(LOWEST, total) - 1) % len(counted)]
        self._rig.hands.call_total(total)
        self._did("call_total", directive, count=total)

    # --- dealing ---

    def _deliver(self, directive: Directive) -> Outcome:
        position = directive.position
        actual = self._elsewhere(position)
        turned = self._slips.take("card_exposed_in_dealing", position=position, card=self._dealt.get(position, 0) + 1)
        if actual == position and turned is None:
            return super()._deliver(directive)
        self._dealt[position] = self._dealt.get(position, 0) + 1
        self._rig.hands.deliver(actual, directive.face or "down", (0,) if turned else ())
        self._drawn = False
        self._did("deliver", directive, position=position)
        self._find(position)
        return DONE

    def _elsewhere(self, position: str) -> str:
        """Where the first card or stack of the round really goes; all others go where they are to."""
        if self._dealt:
            return position
        misled, self._misled_to = self._misled_to, ""
        if misled:
            return misled
        if self._slips.take("delivered_elsewhere", position=position, round=self._round):
            return self._neighbour(position)
        return position

    def _deal(self, directive: Directive) -> Outcome:
        """The next card of the pack in hand goes to a position."""
        position = directive.position
        actual = self._elsewhere(position)
        card = self._dealt[position] = self._dealt.get(position, 0) + 1
        if self._slips.take("hand_skipped", position=position, card=card):
            actual = self._neighbour(position)
        turned = (0,) if self._slips.take("card_exposed_in_dealing", position=position, card=card) else ()
        hands = self._rig.hands
        hands.draw_by_hand()
        hands.deliver(actual, directive.face or "down", turned)
        if self._slips.take("extra_card_dealt", position=position, card=card):
            hands.draw_by_hand()
            hands.deliver(actual, directive.face or "down")
        self._did("deal_by_hand", directive, position=position)
        self._find(position)
        return DONE

    def _neighbour(self, position: str) -> str:
        order = self._table.positions
        return order[(order.index(position) + 1) % len(order)]

    def _find(self, position: str) -> None:
        """Look where something was dealt; where nothing more lies than before, look everywhere."""
        before = self._seen.get(position)
        after = self._look(position)
        if after.count == (before.count if before else 0):
            for other in self._table.positions:
                if other != position:
                    self._look(other)

    # --- play ---

    def _players_act(self, _: Directive) -> Outcome:
        for position in self._playing:
            self._teller.publish(PlayerDid(act="look", position=position), f"player:{position}")
        for position in self._table.positions:
            slip = self._slips.take("card_exposed_before_showdown", position=position, round=self._round)
            if slip is None:
                continue
            self._rig.hands.turn_up(position, [0])
            if slip.target == "dealer":
                self._did("turn_up", position=position, count=1)
            else:
                player = next(seat for seat in self._table.seated if seat != position)
                self._teller.publish(PlayerDid(act="expose", position=position), f"player:{player}")
            self._look(position)
        return DONE

    def _offer_choice(self, directive: Directive) -> Outcome:
        position = directive.position
        if self._slips.take("player_looks_early", position=position, round=self._round):
            self._rig.hands.move(position, IN_HAND, None, "down")
            self._teller.publish(PlayerDid(act="look", position=position), f"player:{position}")
            self._look(position)
            self._rig.hands.move(IN_HAND, position, HAND_SIZE, "down")
            self._rig.hands.square(position)
        return super()._offer_choice(directive)

    def _set_hands(self, directive: Directive) -> Outcome:
        """Two of seven cards go to a place of their own; what was set before is taken together first."""
        position, place, hands = directive.position, directive.place or CENTRE, self._rig.hands
        if len(directive.cards) not in (0, LOW):
            return "impossible", f"{len(directive.cards)} cards are no hand of two"
        hands.move(place, position, None, "up")
        hands.turn_up(position)
        seven = [label for label in self._look(position).face_up if label]
        if len(seven) != HAND_SIZE:
            return "failed", f"{len(seven)} cards can be read at {position}"
        low = directive.cards or seven[:LOW]
        if slip := self._slips.take("hands_set_wrongly", position=position, round=self._round):
            low = _otherwise(seven, low, foul=slip.params["how"] == "foul")
        hands.pick_out(position, low, place, "up")
        hands.spread(position)
        hands.spread(place)
        self._did("set_hands", directive, position=position, place=place)
        self._look(position)
        self._look(place)
        return DONE


def _count(slip: FaultSpec | None) -> int:
    return int(slip.params["count"]) if slip else 0


def _rank(label: str) -> int:
    """Aces and the joker are highest."""
    return RANKS.index("A") if label == "Jk" else RANKS.index(label[0])


def _otherwise(seven: Sequence[str], low: Sequence[str], *, foul: bool) -> list[str]:
    """Another hand of two: the two highest cards, or one card of `low` changed for the lowest of another rank."""
    by_rank = sorted(seven, key=_rank)
    if foul:
        return by_rank[-LOW:]
    kept = low[0]
    others = [label for label in by_rank if label not in low and _rank(label) != _rank(low[1])]
    return [kept, others[0]] if others else by_rank[:LOW]
