"""How cards come out, reach their places and are counted."""

from bench.acts.preparing import Preparing
from bench.acts.table import DONE, MOUTH, Act, Outcome
from bench.operate import dispensed, operate
from evidence.events import Directive


class Dealing(Preparing):
    """How cards come out, reach their places and are counted."""

    def _verbs(self) -> dict[str, Act]:
        return {
            **super()._verbs(),
            "dispense": self._dispense,
            "deliver": self._deliver,
            "burn": self._burn,
            "remove_remainder": self._remove_remainder,
            "spread": self._spread,
            "check_stacks": self._check_stacks,
        }

    def _dispense(self, directive: Directive) -> Outcome:
        self._unit = directive.unit or "card"
        trouble = self._bring_to_mouth(directive, self._unit)
        self._look(MOUTH)
        return ("failed", trouble) if trouble else DONE

    def _bring_to_mouth(self, directive: Directive, unit: str) -> str:
        if directive.method == "hand":
            self._rig.hands.draw_by_hand()
            self._did("deal_by_hand", directive)
            return ""
        device = directive.device or self._rig.first("shoe")
        if device is None:
            return "there is no dealing shoe at this table"
        return operate(self._rig, self._teller, device, f"deal_{unit}", dispensed(unit))

    def _deliver(self, directive: Directive) -> Outcome:
        position = directive.position
        card = self._dealt[position] = self._dealt.get(position, 0) + 1
        if dropped := self._slips.take("card_off_table", position=position, card=card):
            return self._drop(directive, str(dropped.params["lands"]))
        actual = self._recipient(position, card)
        # A stack that goes elsewhere is a slip of its own.
        skipped = self._slips.take("hand_skipped", position=position, card=card) if self._unit == "card" else None
        if skipped:
            actual = self._after(position)
        turned = (0,) if self._slips.take("hole_card_turned_up", position=position, card=card) else ()
        self._rig.hands.deliver(actual, directive.face or "down", turned)
        if self._slips.take("extra_card_dealt", position=position, card=card):
            self._bring_to_mouth(directive, "card")
            self._rig.hands.deliver(actual, directive.face or "down")
        self._drawn = False
        self._did("deliver", directive, position=position)
        if skipped:
            self._run_ahead(actual, int(skipped.params["served"]) - 1, directive)
        before = self._seen.get(position)
        after = self._look(position)
        if after.count == (before.count if before else 0):
            # Nothing more lies here than before: the card is somewhere else, so look everywhere.
            for other in self._table.positions:
                if other != position:
                    self._look(other)
        self._deal_to_ineligible(position, card, directive)
        if taken := self._slips.take("device_taken_away", position=position, card=card, round=self._round):
            self._take_device_away(str(taken.params["device"]))
        if self._slips.take("card_drawn_in_error", position=position, card=card):
            self._draw_unasked()
        return DONE

    def _take_device_away(self, role: str) -> None:
        """A device leaves the table although nobody ordered it."""
        device = self._rig.first("shuffler" if role == "shuffler" else "shoe")
        if device is not None:
            self._rig.hands.remove_device(device)
            self._did("remove_device", device=device)
            self._teller.publish(self._rig.eye.device(device), "camera:main")

    def _recipient(self, position: str, card: int) -> str:
        """Where a hand's card goes, as the dealer believes."""
        return position

    def _after(self, position: str) -> str:
        order = [place for place in self._table.positions if place in (*self._playing, "dealer", position)]
        return order[(order.index(position) + 1) % len(order)]

    def _drop(self, directive: Directive, lands: str) -> Outcome:
        """The card falls off the table on its way; it is no more where it was, nor where it was to be."""
        self._rig.hands.move(MOUTH, "floor", 1, "up" if lands == "up" else "down")
        self._drawn = False
        self._did("drop_card", directive, position=directive.position, place="floor", face=lands)
        self._look(directive.position)
        self._look(MOUTH)
        return DONE

    def _run_ahead(self, position: str, hands: int, directive: Directive) -> None:
        """The dealer goes on to the hands that follow without waiting to be told."""
        for _ in range(hands):
            position = self._after(position)
            self._deal_unasked(position, directive)

    def _deal_to_ineligible(self, position: str, card: int, directive: Directive) -> None:
        """The dealer deals on to a position whose turn it is not, because nobody plays there in this round."""
        order = self._table.positions
        for place in order[order.index(position) + 1 :]:
            if place in self._playing:
                return
            if self._slips.take("ineligible_dealt", position=place, card=card):
                self._deal_unasked(place, directive)
                self._look(place)

    def _deal_unasked(self, position: str, directive: Directive) -> None:
        self._bring_to_mouth(directive, "card")
        self._rig.hands.deliver(position, directive.face or "down")
        self._did("deliver", position=position)

    def _burn(self, directive: Directive) -> Outcome:
        trouble = ""
        for _ in range(min(directive.count or 1, 10)):
            self._burns += 1
            if self._slips.take("burn_missed", burn=self._burns):
                continue
            if not self._drawn:
                trouble = self._bring_to_mouth(directive, "card")
                if self._look(MOUTH).face_up:
                    return "failed", "the card to be burnt lies face up"
                if trouble:
                    break
            drawn, self._drawn = self._drawn, False
            self._rig.hands.move(MOUTH, "burn", 1, "down")
            self._did("burn", directive, count=1)
            if drawn:
                # Another card that was drawn before its time may still lie there.
                self._drawn = bool(self._look(MOUTH).count)
        self._look("burn")
        return ("failed", trouble) if trouble else DONE

    def _draw_unasked(self) -> None:
        device = self._rig.first("shoe")
        if device is not None:
            trouble = operate(self._rig, self._teller, device, "deal_card", dispensed("card"))
            if trouble and not self._rig.devices[device].hand_drawn:
                # The shoe gave nothing, so nothing has been drawn.
                return
            self._did("draw", device=device, count=1)
            self._drawn = bool(self._look(MOUTH).face_down)

    def _remove_remainder(self, directive: Directive) -> Outcome:
        device = directive.device or self._rig.first("shoe")
        if device is None:
            return "impossible", "there is no dealing shoe at this table"
        self._rig.hands.take_remainder(device)
        self._did("unload", directive, device=device, place="layout_centre")
        return DONE

    def _spread(self, directive: Directive) -> Outcome:
        place = directive.place or "layout_centre"
        self._rig.hands.spread(place)
        self._did("spread", directive, place=place)
        self._look(place)
        return DONE

    def _check_stacks(self, directive: Directive) -> Outcome:
        for position in self._used(self._table.positions):
            self._rig.hands.spread(position)
            self._did("spread", directive, place=position)
            self._look(position)
        return DONE
