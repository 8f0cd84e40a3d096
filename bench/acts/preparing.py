"""What is done before cards are dealt: shuffling, cutting, loading, dice and the button."""

from bench.acts.table import DONE, MOUTH, Act, Outcome, TableActs
from bench.operate import completed, operate, settle
from evidence.events import Directive

SHALLOWEST_CUT, CUT_RANGE = 16, 20
"""A cut in sight is made 16 to 35 cards from the top, another way in each round."""
STRANGE_CARDS = ("nonstandard_card", "duplicate_card", "other_back_card", "cut_card_in_deck")
"""Faults by which a card of another pack lies among those to be dealt."""


class Preparing(TableActs):
    """What is done before cards are dealt: shuffling, cutting, loading, dice and the button."""

    def _verbs(self) -> dict[str, Act]:
        return {
            "open_round": self._open_round,
            "announce": self._announce,
            "shuffle": self._shuffle,
            "cut": self._cut,
            "load_device": self._load_device,
            "roll_dice": self._roll_dice,
            "move_button": self._move_button,
        }

    def _open_round(self, _: Directive) -> Outcome:
        self._round += 1
        self._burns = self._betting_rounds = 0
        self._dealt.clear()
        self._seen.clear()
        self._gone.clear()
        if self._round > 1:
            self._place_wagers()
        return DONE

    def _place_wagers(self) -> None:
        """Those of the round before are settled or returned; the players place the same ones again."""
        for wager in self._wagers:
            self._teller.publish(wager.event(), f"player:{wager.position}")

    def _announce(self, directive: Directive) -> Outcome:
        self._did("announce", directive, phrase=directive.phrase)
        return DONE

    def _shuffle(self, directive: Directive) -> Outcome:
        if self._slips.take("shuffle_omitted", round=self._round):
            # The dealer takes the pack as it is, and says nothing of a shuffle.
            self._rig.hands.gather()
            return DONE
        if directive.method == "hand":
            self._rig.hands.shuffle_by_hand()
            self._did("shuffle_by_hand", directive)
            return DONE
        # From the second round on the pack lies in the discard rack and in the shoe.
        self._rig.hands.gather()
        return self._shuffle_by_device(directive)

    def _shuffle_by_device(self, directive: Directive) -> Outcome:
        device = directive.device or self._rig.first("shuffler")
        if device is None:
            return "impossible", "there is no shuffler at this table"
        self._rig.hands.load(device)
        self._did("load", directive, device=device)
        trouble = operate(self._rig, self._teller, device, "shuffle", completed("shuffle"))
        if trouble:
            return "failed", trouble
        self._rig.hands.take_shuffled(device)
        return DONE

    def _cut(self, directive: Directive) -> Outcome:
        omitted = self._slips.take("cut_omitted", round=self._round) is not None
        if directive.place:
            self._cut_in_sight(directive.place, omitted=omitted)
        elif not omitted:
            self._rig.hands.cut()
        # Whoever forgets the cut believes to have made it.
        self._did("cut", directive, place=directive.place)
        return DONE

    def _cut_in_sight(self, place: str, *, omitted: bool) -> None:
        """The pack lies on the layout with its upper part beside it, before the lower part goes on top of that."""
        hands, beside = self._rig.hands, "burn"
        if not omitted:
            hands.move("hand", place)
            hands.square(place)
            hands.move(place, beside, SHALLOWEST_CUT + 7 * self._round % CUT_RANGE)
            hands.square(beside)
        self._look(place)
        self._look(beside)
        if not omitted:
            hands.move(place, beside)
            hands.move(beside, "hand")

    def _load_device(self, directive: Directive) -> Outcome:
        self._rig.hands.load(directive.device)
        if self._arranged:
            self._rig.hands.arrange_in_device(directive.device, self._arranged)
            self._arranged = {}
        for prepared in self._slips.prepare("card_face_up"):
            first = int(prepared.at.get("card", 1))
            self._rig.hands.reverse_in_device(
                directive.device, range(first, first + int(prepared.params.get("count", 1)))
            )
        for name in STRANGE_CARDS:
            for prepared in self._slips.prepare(name):
                label, back = str(prepared.params.get("label", "")), str(prepared.params.get("back", ""))
                self._rig.hands.exchange_in_device(directive.device, int(prepared.at.get("card", 1)), label, back)
        self._did("load", directive, device=directive.device)
        trouble = operate(self._rig, self._teller, directive.device, "load", completed("load"))
        settle(self._rig, self._teller, directive.device)
        if self._rig.devices[directive.device].role == "shoe":
            self._look(MOUTH)
        return ("failed", trouble) if trouble else DONE

    def _roll_dice(self, directive: Directive) -> Outcome:
        self._rig.hands.shake_dice()
        self._did("shake_dice", directive)
        self._teller.publish(self._rig.eye.dice(), "camera:main")
        return DONE

    def _move_button(self, directive: Directive) -> Outcome:
        if not self._slips.take("button_not_moved", round=self._round):
            self._rig.hands.move_button(directive.position)
        self._did("move_button", directive, position=directive.position)
        self._teller.publish(self._rig.eye.button(), "camera:main")
        return DONE
