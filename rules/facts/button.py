"""Facts about the dealer button."""

from evidence.events import ButtonSeen, Directive, TableDone
from rules.table import DEALER, Draft, Moment, Table


class ButtonTracker:
    """Knows where the button should lie and where the camera last saw it."""

    watches = (ButtonSeen, Directive, TableDone)
    states = ("button_moved", "button_not_moved", "button_due")

    def __init__(self) -> None:
        self._physical: str | None = ""
        self._look: tuple[int, str | None] | None = None
        self._logical = ""
        self._missed = False
        self._due = False

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case ButtonSeen():
                if self._look is None or event.position is not None:
                    self._look = (moment.seq, event.position)
                self._physical = event.position or self._physical
            case Directive(verb="open_round" | "move_button") if self._due:
                return [self._now_due(table)]
            case Directive(verb="open_round") if self._missed:
                return [self._now_due(table)]
            case TableDone() if moment.done is not None:
                return self._done(moment.done[1], event.outcome, moment, table)
            case _:
                pass
        return []

    def _done(self, directive: Directive, outcome: str, moment: Moment, table: Table) -> list[Draft]:
        look, self._look = self._look, None
        if directive.verb == "close_round":
            self._due, self._missed = self._missed, False
        if directive.verb != "move_button" or outcome != "done":
            return []
        seen = look[1] if look else None
        at = look[0] if look else moment.seq
        arrived = None if seen is None else seen == directive.position
        self._logical = directive.position
        drafts = [
            Draft(
                name="button_moved",
                at=at,
                attributes={"position": directive.position, "arrived": arrived},
                evidence=(moment.seq,),
            )
        ]
        if not arrived:
            self._missed = True
            attributes = {"ordered": directive.position, "moved": arrived}
            drafts.append(Draft(name="button_not_moved", at=at, attributes={**attributes}, evidence=(moment.seq,)))
        return drafts

    def _now_due(self, table: Table) -> Draft:
        self._due = self._missed = False
        among = [*table.seated, DEALER]
        players = [place for place in table.positions if place in table.seated]
        after = table.next_of(self._logical, among)
        physical = table.next_of(self._physical, among) if self._physical else None
        return Draft(
            name="button_due",
            attributes={
                "next_logical": after,
                "next_physical": physical,
                "farthest_logical": self._logical in players[-1:],
                "farthest_physical": self._physical in players[-1:] if self._physical else None,
            },
        )
