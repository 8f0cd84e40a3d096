"""Facts about live hands that the dealer took away or other cards got among, and what the floor says of them."""

import msgspec

from evidence.events import Directive, FloorRuled
from rules.facts.stud.seats import CLEARING, DEALING, Act, Seats
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

PROTECTED, CONTRIBUTED = "hand_protected", "player_contributed"
"""Questions to the floor: did the player protect the hand, and did the player contribute to the error."""
ANSWERS = {
    PROTECTED: {"protected": True, "unprotected": False},
    CONTRIBUTED: {"contributor": True, "victim": False},
}


class LostHand(msgspec.Struct):
    """A hand that was taken away or fouled in this round."""

    how: str
    at: int
    key: str
    said: dict[str, bool | None] = {}
    asked: set[str] = set()

    @property
    def open_question(self) -> str:
        """The question that the floor has yet to answer; whose fault it was is asked only of a protected hand."""
        if PROTECTED not in self.said:
            return PROTECTED
        return CONTRIBUTED if self.said[PROTECTED] and CONTRIBUTED not in self.said else ""


class LostHands:
    """Follows lost hands until their round is over."""

    def __init__(self) -> None:
        self._lost: dict[str, LostHand] = {}

    def seen(self, act: Act, seats: Seats, table: Table) -> list[Draft]:
        """A hand in play whose place lies empty, or holds more cards, though nothing was ordered there."""
        drafts: list[Draft] = []
        verb = act.directive.verb
        ways = [("collected", act.lost if verb not in (*CLEARING, *DEALING) else ()), ("fouled", act.grown)]
        for how, positions in ways:
            for position, at in positions:
                if position not in seats.live(table) or position in self._lost:
                    continue
                self._lost[position] = LostHand(how, at, f"{table.round} {position}", {}, set())
                facts: dict[str, Value] = {"position": position, "how": how, "capped": position in seats.capped}
                drafts.append(Draft(name="hand_lost", at=at, attributes=facts, evidence=(act.seq,)))
        return drafts

    def called(self, directive: Directive) -> None:
        """The table software asks the floor."""
        hand = self._lost.get(directive.position)
        if hand is not None:
            hand.asked.add(directive.question)

    def ruled(self, event: FloorRuled, moment: Moment) -> list[Draft]:
        """The floor answers one of the questions about a lost hand; an answer in other words stays unknown."""
        hand = self._lost.get(event.position)
        if hand is None or event.question not in ANSWERS:
            return []
        known = ANSWERS[event.question]
        hand.said[event.question] = known.get(event.ruling)
        said = event.ruling if event.ruling in known else None
        drafts = [_question(event.position, hand, event.question, said, moment.seq)]
        if hand.open_question:
            return drafts
        facts: dict[str, Value] = {
            "position": event.position,
            "how": hand.how,
            "protected": hand.said[PROTECTED],
            "contributed": hand.said.get(CONTRIBUTED),
        }
        ruled = Draft(
            name="lost_hand_ruled", at=hand.at, attributes=facts, evidence=(moment.seq,), key=f"lost hand {hand.key}"
        )
        return [*drafts, ruled]

    def over(self, seq: int, *, held: bool = False) -> list[Draft]:
        """The round is over: what the floor has not ruled on stays open. A table that is `held` may yet ask."""
        lost, self._lost = self._lost, {}
        return [
            _question(position, hand, hand.open_question, "", seq, held=held)
            for position, hand in lost.items()
            if hand.open_question
        ]


def _question(position: str, hand: LostHand, question: str, said: str | None, seq: int, *, held: bool = False) -> Draft:
    """`said` is empty for a question that was not answered."""
    asked = said != "" or question in hand.asked
    facts: dict[str, Value] = {
        "position": position,
        "how": hand.how,
        "question": question,
        "asked": None if held and not asked else asked,
        "said": said,
    }
    return Draft(name="lost_hand_question", at=hand.at, attributes=facts, evidence=(seq,))
