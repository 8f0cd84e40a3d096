"""What is asked of the floor: a person of the house decides, and the bench passes on what was decided."""

from bench.acts.preparing import Preparing
from bench.acts.table import DONE, Act, Outcome
from evidence.events import Directive, FloorRuled


class Floor(Preparing):
    """The rulings of a scenario, each given once, in the order in which they are asked for."""

    def _verbs(self) -> dict[str, Act]:
        return {**super()._verbs(), "call_floor": self._call_floor}

    def _call_floor(self, directive: Directive) -> Outcome:
        """Nobody invents a ruling: where the plan has none for the question, none is given."""
        for ruling in self._rulings:
            if ruling.question == directive.question and ruling.position in ("", directive.position):
                self._rulings.remove(ruling)
                ruled = FloorRuled(
                    question=ruling.question, ruling=ruling.ruling, by=ruling.by, position=directive.position
                )
                self._teller.publish(ruled, "operator:floor")
                return DONE
        return "failed", f"nobody has ruled on {directive.question[:60]!r}"
