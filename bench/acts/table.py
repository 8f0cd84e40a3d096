"""One table session as the bench carries it out: its state, and how what is done and seen is reported."""

from collections.abc import Callable, Iterable
from typing import Literal

from bench.live_rig import Rig
from bench.operate import Teller
from bench.plan import Scenario
from bench.slips import Slips
from evidence.events import CardsSeen, DealerAct, DealerDid, Directive

Outcome = tuple[Literal["done", "failed", "impossible"], str]
Act = Callable[[Directive], Outcome]

DONE: Outcome = ("done", "")
MOUTH = "shoe_mouth"
RACK = "discard_rack"
CENTRE = "layout_centre"
LOOSE_PLACES = ("burn", MOUTH, CENTRE)
FIRST_BACK, OTHER_BACK = "red", "blue"
"""The backs of the two packs that a bench has at hand: one is in play while the other waits."""


class TableActs:
    """What all acts share: the rig, the slips that are still to happen, and what was last seen where."""

    def __init__(self, rig: Rig, scenario: Scenario, slips: Slips, teller: Teller) -> None:
        self._rig = rig
        self._table = scenario.table
        self._arranged = {entry.card: entry.label for entry in scenario.arranged}
        self._wagers = scenario.wagers
        self._rulings = list(scenario.rulings)
        self._slips = slips
        self._teller = teller
        self._seen: dict[str, CardsSeen] = {}
        self._dealt: dict[str, int] = {}
        self._round = self._burns = self._betting_rounds = 0
        self._unit = "card"
        """What was dispensed last: a card or a group."""
        self._drawn = False
        self._moves = list(scenario.play)
        self._choices = list(scenario.choices)
        self._sits_out = frozenset(scenario.sits_out)
        self._gone: set[str] = set()
        """Players whose hands are folded or dead in this round."""
        self._back = FIRST_BACK
        self._kept_pack = False
        """True when the dealer only seemed to take the pack off the table."""

    @property
    def _playing(self) -> list[str]:
        """The positions of the players that are in the round, in dealing order."""
        return [seat for seat in self._table.seated if seat not in self._sits_out and seat not in self._gone]

    def _did(self, act: DealerAct, directive: Directive | None = None, **details: str | int) -> None:
        event = DealerDid(act=act, directive=directive.id if directive else "", **details)  # type: ignore[arg-type]
        self._teller.publish(event, "dealer:table")

    def _look(self, place: str) -> CardsSeen:
        seen = self._rig.eye.cards(place)
        self._teller.publish(seen, "camera:main")
        self._seen[place] = seen
        return seen

    def _used(self, places: Iterable[str]) -> list[str]:
        """Those of the places where cards were last seen, or may lie: the camera cannot count a stack."""
        return [place for place in places if place in self._seen and self._seen[place].count != 0]
