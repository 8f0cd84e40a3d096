"""Facts about the first three cards of a hand: down cards that came to lie face up, and how the third one lies."""

from rules.facts.stud.seats import Act, Seats
from rules.pack import Game
from rules.table import Draft, Table
from rules.vocabulary import Value

FIRST = 3


class EarlyCards:
    """States each hand of which a down card lies face up, anew whenever that changes among its first three cards."""

    def __init__(self, game: Game) -> None:
        self._holes = game.hole_cards
        self._told: dict[str, tuple[Value, ...]] = {}

    def new_round(self) -> None:
        self._told.clear()

    def seen(self, act: Act, seats: Seats, table: Table) -> list[Draft]:
        """What the arrivals of one act mean for the hands they came to."""
        drafts: list[Draft] = []
        for position in dict.fromkeys(arrival.position for arrival in act.arrivals):
            if act.directive.verb == "deliver" and position != act.directive.position:
                continue  # a card of another hand, which has to go there first
            seat = seats.at(position)
            cards = seat.cards
            if not self._holes or cards is None or position in seats.exposed or position not in seats.live(table):
                continue
            early = range(1, min(cards, self._holes) + 1)
            unsure = any(nth in seat.doubtful for nth in early)
            up = [nth for nth in early if nth in seat.turned]
            third = self._third(position, cards, seats)
            state = (len(up), unsure, third)
            if (not up and not unsure) or self._told.get(position) == state:
                continue
            self._told[position] = state
            which = {1: "first", 2: "second"}.get(up[0]) if len(up) == 1 else "both"
            facts: dict[str, Value] = {
                "position": position,
                "holes": None if unsure else len(up),
                "which": None if unsure else which,
                "third": third,
                "count": None if unsure or third is None else len(up) + (third == "up"),
                "staked": position in seats.put_in,
            }
            look = max(arrival.seq for arrival in act.arrived_at(position))
            drafts.append(Draft(name="early_cards_up", at=look, attributes=facts, evidence=(act.seq,)))
        return drafts

    @staticmethod
    def _third(position: str, cards: int, seats: Seats) -> str | None:
        if cards < FIRST:
            return "undealt"
        if FIRST in seats.at(position).doubtful:
            return None
        return "up" if FIRST in seats.at(position).up else "down"
