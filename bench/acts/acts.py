"""One directive after another: whether it makes sense at this table, and which act carries it out."""

from bench.acts.blackjack import Blackjack
from bench.acts.card_shoe import CardShoe
from bench.acts.clearing import Clearing
from bench.acts.floor import Floor
from bench.acts.identity import Identity
from bench.acts.pai_gow import PaiGow
from bench.acts.table import DONE, LOOSE_PLACES, RACK, Outcome
from bench.acts.tournament import Tournament
from bench.live_rig import Rig
from bench.operate import Teller
from bench.plan import Scenario
from bench.slips import Slips
from evidence.events import Directive

NEEDED = {
    "load_device": "device",
    "remove_cards": "device",
    "remove_device": "device",
    "command_device": "device",
    "deliver": "position",
    "deal": "position",
    "set_hands": "position",
    "move_button": "position",
    "move_card": "place",
    "recover_card": "position",
    "turn_up": "position",
    "post_blind": "position",
    "take_exposed": "position",
    "call_floor": "question",
    "offer_choice": "position",
}
"""The field without which a directive makes no sense."""


class Acts(Blackjack, Tournament, PaiGow, CardShoe, Clearing, Identity, Floor):
    """The dealer and the players of one scenario, with the devices and the camera at their hands."""

    def __init__(self, rig: Rig, scenario: Scenario, slips: Slips, teller: Teller) -> None:
        super().__init__(rig, scenario, slips, teller)
        self._by_verb = self._verbs()

    def carry_out(self, directive: Directive) -> Outcome:
        """Carry out one directive; a verb without a physical act is done at once."""
        nonsense = self._nonsense(directive)
        if nonsense:
            return "impossible", nonsense
        act = self._by_verb.get(directive.verb)
        return act(directive) if act else DONE

    def _nonsense(self, directive: Directive) -> str:
        """Why a directive makes no sense at this table; empty when it does."""
        needed = NEEDED.get(directive.verb)
        if needed and not getattr(directive, needed):
            return f"{directive.verb} names no {needed}"
        if directive.device and directive.device not in self._rig.devices:
            return f"there is no device {directive.device!r} at this table"
        positions = self._table.positions
        places = (*positions, *LOOSE_PLACES, RACK)
        everything = ("all",) if directive.verb == "collect" else ()
        if directive.position and directive.position not in (*positions, *everything):
            return f"there is no position {directive.position!r} at this table"
        for place in (directive.place, directive.to):
            if place and place not in (*places, *everything):
                return f"there is no place {place!r} at this table"
        return ""
