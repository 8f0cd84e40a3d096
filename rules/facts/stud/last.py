"""Facts about the last card of each hand, which comes face down unless one of them was exposed."""

from evidence.events import Directive
from rules.facts.stud.seats import Act, Seats
from rules.pack import Game
from rules.table import Draft, Table
from rules.vocabulary import Value

AFTER_THE_DEAL = ("betting_round", "show_hands", "award_pot", "settle", "close_round")


class LastCards:
    """Follows the last turn of the deal."""

    def __init__(self, game: Game) -> None:
        self._nth = game.hand_size
        self._exposed = False
        self._told = False
        self._rest: list[bool | None] = []
        """For each last card dealt after the exposed one, whether it lies face up."""

    def new_round(self) -> None:
        self._exposed = self._told = False
        self._rest = []

    def seen(self, act: Act, seats: Seats, table: Table) -> list[Draft]:
        """Last cards that came in one act."""
        drafts: list[Draft] = []
        for arrival in [one for one in act.arrivals if one.nth == self._nth]:
            if self._exposed:
                self._rest.append(None if arrival.face is None else arrival.face == "up")
            elif act.directive.face != "up" and arrival.face != "down":
                self._exposed = arrival.face == "up"
                due = [place for place in seats.live(table) if (seats.at(place).cards or 0) < self._nth]
                still_due = None if arrival.face is None else len(due)
                facts: dict[str, Value] = {"position": arrival.position, "still_due": still_due}
                drafts.append(Draft(name="last_card_exposed", at=arrival.seq, attributes=facts, evidence=(act.seq,)))
        if act.directive.verb == "turn_up" and act.directive.count in (0, self._nth):
            seats.at(act.directive.position).up.add(self._nth)
        return drafts

    def ordered(self, directive: Directive, seats: Seats, table: Table) -> list[Draft]:
        """The deal is over with the first order of what follows it."""
        if not self._exposed or self._told or directive.verb not in AFTER_THE_DEAL:
            return []
        self._told = True
        up = [self._up(seats, place) for place in seats.live(table)]
        facts: dict[str, Value] = {"rest_up": _all(self._rest), "all_up": _all(up)}
        return [Draft(name="last_cards_dealt", attributes=facts)]

    def _up(self, seats: Seats, place: str) -> bool | None:
        seat = seats.at(place)
        return None if self._nth in seat.doubtful else self._nth in seat.up


def _all(values: list[bool | None]) -> bool | None:
    return False if False in values else None if None in values else True
