"""Facts about burned cards."""

from evidence.events import Directive, TableDone
from rules.table import BURN, Draft, Moment, Table
from rules.vocabulary import Value


class BurnTracker:
    """Counts the cards at the burn place by what the camera sees come."""

    watches = (TableDone,)
    states = ("burned", "burn_missed", "card_after_missed_burn")

    def __init__(self) -> None:
        self._held: int | None = 0
        self._missed: bool | None = False
        """Whether a burn was missed; None while the camera could not tell."""
        self._betting = False
        self._since: int | None = 0
        """Cards burned since the betting round that followed a missed burn."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        if not isinstance(event, TableDone) or moment.done is None:
            return []
        directive = moment.done[1]
        match directive.verb:
            case "open_round":
                self._held, self._since = 0, 0
                self._missed = self._betting = False
            case "burn":
                return self._burn(directive, event.outcome, moment, table)
            case "betting_round":
                self._betting = self._missed is not False
            case "deliver" if self._betting:
                return [self._next_card(moment, table)]
            case "collect" | "reshuffle":
                look = table.look(BURN)
                self._held = look.count if look else self._held
            case _:
                pass
        return []

    def _burn(self, directive: Directive, outcome: str, moment: Moment, table: Table) -> list[Draft]:
        look = table.look(BURN)
        held = look.count if look else None
        came = None if held is None or self._held is None else max(0, held - self._held)
        self._held = held
        if self._betting:
            self._since = None if came is None or self._since is None else self._since + came
        if outcome != "done":
            return []
        at = look.seq if look else moment.seq
        seen = (at, moment.seq)
        asked = max(1, directive.count)
        facts: dict[str, Value] = {"count": came, "ordered": asked}
        drafts = [Draft(name="burned", at=at, attributes=facts, evidence=seen)]
        if not came and not self._betting:  # what is to make good a missed burn is another duty
            missed = None if came is None else True
            self._missed = self._missed or missed
            drafts.append(Draft(name="burn_missed", at=at, attributes={"seen": missed}, evidence=seen))
        return drafts

    def _next_card(self, moment: Moment, table: Table) -> Draft:
        burned, self._since = self._since, 0
        missed = self._missed
        self._missed = self._betting = False
        at = table.began if table.began >= 0 else moment.seq
        facts: dict[str, Value] = {"missed": missed, "burned": burned, "betting_round": True}
        return Draft(name="card_after_missed_burn", at=at, attributes=facts, evidence=(moment.seq,))
