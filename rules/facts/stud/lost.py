"""Facts about live hands that the dealer took away or other cards got among, and what the floor says of them."""

import msgspec

from evidence.events import FloorRuled
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
                self._lost[position] = LostHand(how, at, f"lost hand {table.round} {position}", {})
                facts: dict[str, Value] = {"position": position, "how": how, "capped": position in seats.capped}
                drafts.append(Draft(name="hand_lost", at=at, attributes=facts, evidence=(act.seq,)))
        return drafts

    def ruled(self, event: FloorRuled, moment: Moment, table: Table) -> list[Draft]:
        """The floor answers one of the questions about a lost hand."""
        hand = self._lost.get(event.position)
        if hand is None or event.question not in ANSWERS:
            return []
        hand.said[event.question] = ANSWERS[event.question].get(event.ruling)
        if hand.said.get(PROTECTED) is None:
            return []
        facts: dict[str, Value] = {
            "position": event.position,
            "how": hand.how,
            "protected": hand.said[PROTECTED],
            "contributed": hand.said.get(CONTRIBUTED),
        }
        evidence = (moment.seq,)
        return [Draft(name="lost_hand_ruled", at=hand.at, attributes=facts, evidence=evidence, key=hand.key)]

    def over(self, seq: int) -> list[Draft]:
        """The round is over: what the floor has not ruled on stays open."""
        lost, self._lost = self._lost, {}
        drafts: list[Draft] = []
        for position, hand in lost.items():
            protected, contributed = hand.said.get(PROTECTED), hand.said.get(CONTRIBUTED)
            open_question = PROTECTED if protected is None else CONTRIBUTED if protected and contributed is None else ""
            if open_question:
                facts: dict[str, Value] = {"position": position, "how": hand.how, "question": open_question}
                drafts.append(Draft(name="lost_hand_unruled", at=hand.at, attributes=facts, evidence=(seq,)))
        return drafts
