"""What a player is offered: the player answers as the plan says, or as players do by themselves."""

from bench.acts.preparing import Preparing
from bench.acts.table import DONE, Act, Outcome
from evidence.events import Directive, PlayerDid


class Choosing(Preparing):
    """The answers of a scenario, each given once, in the order in which they are asked for."""

    def _verbs(self) -> dict[str, Act]:
        return {**super()._verbs(), "offer_choice": self._offer_choice}

    def _offer_choice(self, directive: Directive) -> Outcome:
        """A player takes one of the answers that are offered: that of the plan, else the first."""
        position, offered = directive.position, directive.choices
        if not offered:
            return "impossible", "no answer is offered"
        for planned in self._choices:
            here = (planned.position, planned.question) == (position, directive.question)
            if here and planned.round in (0, self._round) and planned.choice in offered:
                self._choices.remove(planned)
                return self._answer(position, planned.choice)
        return self._answer(position, offered[0])

    def _answer(self, position: str, choice: str) -> Outcome:
        self._teller.publish(PlayerDid(act="choose", position=position, choice=choice), f"player:{position}")
        return DONE
