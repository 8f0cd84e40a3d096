"""Facts about mistakes in dealing: cards to the wrong place, hands passed over, cards too many, cards that fall."""

import msgspec

from evidence.events import Directive
from rules.facts.stud.seats import Act, Seats
from rules.table import Draft, Table
from rules.vocabulary import Value


class Wrong(msgspec.Struct, frozen=True):
    """A hand that does not hold what it should."""

    kind: str
    due: int


class Mistakes:
    """Compares where each card was ordered to with where the camera saw it come."""

    def __init__(self) -> None:
        self._wrong: dict[str, Wrong] = {}
        self._short: set[str] = set()
        """Hands of which it has been told that they were left short."""

    def new_round(self) -> None:
        self._wrong.clear()
        self._short.clear()

    def ordered(self, directive: Directive, seats: Seats, table: Table) -> list[Draft]:
        """Players are to bet or to show: hands in the round that hold fewer cards than others were left short."""
        if directive.verb not in ("betting_round", "show_hands"):
            return []
        held = {place: seats.at(place).cards for place in seats.live(table)}
        most = max((cards for cards in held.values() if cards is not None), default=0)
        drafts: list[Draft] = []
        for place, cards in held.items():
            if cards is not None and cards < most and place not in self._short:
                self._short.add(place)
                facts: dict[str, Value] = {"position": place, "held": cards, "others": most}
                drafts.append(Draft(name="hand_left_short", attributes=facts))
        return drafts

    def seen(self, act: Act, seats: Seats, table: Table) -> list[Draft]:
        """What one act shows."""
        drafts = self._ineligible(act, seats, table)
        if act.dropped is not None:
            drafts += self._fell(act, seats)
        elif act.directive.verb == "recover_card":
            drafts.append(self._recovered(act))
        elif act.directive.verb == "deliver" and act.outcome == "done":
            drafts += self._delivered(act, seats, table)
        return drafts + self._made_right(act, seats, table)

    def _ineligible(self, act: Act, seats: Seats, table: Table) -> list[Draft]:
        drafts: list[Draft] = []
        live = seats.live(table)
        for place in dict.fromkeys(arrival.position for arrival in act.arrivals):
            if place in live or place == "dealer":
                continue
            why = "empty_seat" if place not in table.seated else "hand_over" if place in seats.out else "not_in_pot"
            came = act.arrived_at(place)
            facts: dict[str, Value] = {"position": place, "why": why, "cards": len(came)}
            drafts.append(Draft(name="dealt_to_ineligible", at=came[0].seq, attributes=facts, evidence=(act.seq,)))
        return drafts

    def _delivered(self, act: Act, seats: Seats, table: Table) -> list[Draft]:
        position = act.directive.position
        came = act.arrived_at(position)
        others = {arrival.position for arrival in act.arrivals if arrival.position != position}
        after = others & set(seats.live(table))
        if not came and others:
            return [self._error("skipped", (seats.at(position).cards or 0) + 1, len(after), act, seats, table)]
        if len(came) > 1:
            due = (seats.at(position).cards or 0) - len(came) + 1
            return [self._error("too_many", due, len(after), act, seats, table)]
        return []

    def _error(self, kind: str, due: int, after: int, act: Act, seats: Seats, table: Table) -> Draft:
        position = act.directive.position
        self._wrong[position] = Wrong(kind, due)
        in_turn = [place for place in seats.live(table) if place != position and (seats.at(place).cards or 0) >= due]
        facts: dict[str, Value] = {
            "position": position,
            "kind": kind,
            "due": due,
            "served_after": after,
            "served_in_turn": len(in_turn),
        }
        looks = tuple(arrival.seq for arrival in act.arrivals)
        return Draft(name="deal_error", at=max(looks), attributes=facts, evidence=(*looks, act.seq))

    def _made_right(self, act: Act, seats: Seats, table: Table) -> list[Draft]:
        drafts: list[Draft] = []
        for position, wrong in list(self._wrong.items()):
            seen = [look for look in table.recent if look.place == position and look.count is not None]
            if not seen or seats.at(position).cards != wrong.due:
                continue
            del self._wrong[position]
            others = [place for place in seats.live(table) if place != position]
            last = all((seats.at(place).cards or 0) >= wrong.due for place in others)
            facts: dict[str, Value] = {"position": position, "kind": wrong.kind, "after_last": last}
            at = seen[-1].seq
            drafts.append(Draft(name="hand_made_right", at=at, attributes=facts, evidence=(act.seq,)))
        return drafts

    def _fell(self, act: Act, seats: Seats) -> list[Draft]:
        if act.dropped is None:
            return []
        told, at = act.dropped
        position = told.position or act.directive.position
        exposed = {"up": True, "down": False}.get(told.face)
        facts: dict[str, Value] = {
            "position": position,
            "nth": (seats.at(position).cards or 0) + 1,
            "exposed": exposed,
        }
        return [Draft(name="card_fell", at=at, attributes=facts, evidence=(act.seq,))]

    def _recovered(self, act: Act) -> Draft:
        position = act.directive.position
        arrived = bool(act.arrived_at(position))
        facts: dict[str, Value] = {"position": position, "arrived": arrived}
        return Draft(name="card_recovered", at=act.issued, attributes=facts, evidence=(act.seq,))
