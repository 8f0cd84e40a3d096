"""One table session as the bench carries it out: its state, and how what is done and seen is reported."""

from collections.abc import Callable, Iterable
from typing import Literal

from bench.operate import Teller
from bench.plan import Scenario
from bench.rig import Rig
from bench.slips import Slips
from evidence.events import CardsSeen, DealerAct, DealerDid, Directive

Outcome = tuple[Literal["done", "failed", "impossible"], str]
Act = Callable[[Directive], Outcome]

DONE: Outcome = ("done", "")
MOUTH = "shoe_mouth"
RACK = "discard_rack"
LOOSE_PLACES = ("burn", MOUTH, "layout_centre")


class TableActs:
    """What all acts share: the rig, the slips that are still to happen, and what was last seen where."""

    def __init__(self, rig: Rig, scenario: Scenario, slips: Slips, teller: Teller) -> None:
        self._rig = rig
        self._table = scenario.table
        self._arranged = {entry.card: entry.label for entry in scenario.arranged}
        self._rulings = list(scenario.rulings)
        self._slips = slips
        self._teller = teller
        self._seen: dict[str, CardsSeen] = {}
        self._dealt: dict[str, int] = {}
        self._round = self._burns = self._betting_rounds = 0
        self._drawn = False

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
