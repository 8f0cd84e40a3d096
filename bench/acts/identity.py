"""Packs that come and go, and the check of a pack: its faces laid out in parts for the camera to read."""

from bench.acts.preparing import Preparing
from bench.acts.table import CENTRE, DONE, FIRST_BACK, OTHER_BACK, RACK, Act, Outcome
from evidence.events import Directive

HAND = "hand"
PART = 12
"""Cards laid out for one look: as many as can be read beside each other in the middle of the layout."""
MOST_PARTS = 20


class Identity(Preparing):
    """Packs that come and go, and the check of a pack."""

    def _verbs(self) -> dict[str, Act]:
        return {
            **super()._verbs(),
            "check_deck": self._check_deck,
            "remove_deck": self._remove_deck,
            "place_deck": self._place_deck,
        }

    def _check_deck(self, directive: Directive) -> Outcome:
        """The whole pack face up, part by part; a part that is not full is the last one."""
        hands, used = self._rig.hands, self._used(list(self._seen))
        hands.gather()
        self._did("gather", directive, place="all_cards")
        for place in used:
            self._look(place)
        for _ in range(MOST_PARTS):
            hands.move(HAND, CENTRE, PART, "up")
            hands.spread(CENTRE)
            self._did("lay_out", directive, place=CENTRE, count=PART)
            look = self._look(CENTRE)
            if look.count is not None and look.count < PART:
                break
            hands.move(CENTRE, RACK, None, "down")
        hands.gather()
        self._did("gather", directive, place="all_cards")
        self._look(CENTRE)
        return DONE

    def _remove_deck(self, directive: Directive) -> Outcome:
        """The pack lies there for all to see before the dealer takes it away."""
        hands = self._rig.hands
        hands.gather()
        hands.move(HAND, CENTRE)
        hands.square(CENTRE)
        self._look(CENTRE)
        self._kept_pack = self._slips.take("deck_reused", round=self._round) is not None
        if self._kept_pack:
            hands.move(CENTRE, HAND)
        else:
            hands.remove_pack()
        self._did("remove_deck", directive)
        for place in self._used(list(self._seen)):
            self._look(place)
        return DONE

    def _place_deck(self, directive: Directive) -> Outcome:
        """Another pack is laid down for all to see before the dealer takes it up."""
        hands = self._rig.hands
        if not self._kept_pack:
            self._back = OTHER_BACK if self._back == FIRST_BACK else FIRST_BACK
            hands.place_pack(self._table.cards_in_deck, back=self._back)
        self._kept_pack = False
        hands.move(HAND, CENTRE)
        hands.square(CENTRE)
        self._did("place_deck", directive, place=CENTRE)
        self._look(CENTRE)
        hands.move(CENTRE, HAND)
        self._look(CENTRE)
        return DONE
