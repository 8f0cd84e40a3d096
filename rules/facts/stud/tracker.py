"""The tracker of a game dealt card by card into a pot: reads acts off the records and asks each part what follows."""

from evidence.events import DealerDid, Directive, FloorRuled, PlayerDid, ScenarioFinished, TableDone
from rules.facts.stud.early import EarlyCards
from rules.facts.stud.last import LastCards
from rules.facts.stud.lost import LostHands
from rules.facts.stud.mistakes import Mistakes
from rules.facts.stud.seats import Arrival, Seats
from rules.pack import Game
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value


class StudTracker:
    """States what comes to the positions, and what goes wrong there."""

    watches = (PlayerDid, DealerDid, Directive, FloorRuled, TableDone, ScenarioFinished)
    states = (
        "card_arrived",
        "dealt_to_ineligible",
        "early_cards_up",
        "last_card_exposed",
        "last_cards_dealt",
        "card_fell",
        "card_recovered",
        "deal_error",
        "hand_made_right",
        "hand_left_short",
        "hand_lost",
        "lost_hand_ruled",
        "lost_hand_question",
    )

    def __init__(self, game: Game) -> None:
        self._seats = Seats()
        self._early = EarlyCards(game)
        self._last = LastCards(game)
        self._mistakes = Mistakes()
        self._lost = LostHands()
        self._dropped: tuple[DealerDid, int] | None = None

    @staticmethod
    def plays(game: Game) -> bool:
        """Whether this game has what is followed here."""
        return game.stack_size == 0

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case PlayerDid():
                self._seats.player(event)
            case DealerDid(act="drop_card"):
                self._dropped = (event, moment.seq)
            case Directive(verb="dead_hand" | "void_hand", position=position):
                self._seats.out.add(position)
            case Directive(verb="call_floor"):
                self._lost.called(event)
            case Directive():
                return [
                    *self._last.ordered(event, self._seats, table),
                    *self._mistakes.ordered(event, self._seats, table),
                ]
            case FloorRuled():
                return self._lost.ruled(event, moment)
            case TableDone() if moment.done is not None:
                return self._done(moment, event.outcome, table)
            case ScenarioFinished():
                return self._lost.over(moment.seq, held=table.held)
            case _:
                pass
        return []

    def _done(self, moment: Moment, outcome: str, table: Table) -> list[Draft]:
        if moment.done is None:
            return []
        issued, directive = moment.done
        dropped, self._dropped = self._dropped, None
        act = self._seats.carried_out(directive, outcome, issued, moment.seq, dropped, table)
        drafts: list[Draft] = []
        if directive.verb in ("open_round", "close_round") and outcome == "done":
            drafts += self._lost.over(moment.seq)
        if directive.verb == "open_round" and outcome == "done":
            self._seats.new_round()
            self._mistakes.new_round()
            self._last.new_round()
            self._early.new_round()
            return drafts
        drafts += self._early.seen(act, self._seats, table)
        drafts += self._last.seen(act, self._seats, table)
        drafts += self._mistakes.seen(act, self._seats, table)
        drafts += self._lost.seen(act, self._seats, table)
        # What a card means is told before the card itself: whoever waits for the one must not be late by the other.
        return drafts + [_arrived(arrival, directive, moment.seq) for arrival in act.arrivals]


def _arrived(arrival: Arrival, directive: Directive, seq: int) -> Draft:
    facts: dict[str, Value] = {
        "position": arrival.position,
        "nth": arrival.nth,
        "face": arrival.face,
        "ordered": directive.face,
        "asked": arrival.position == directive.position,
    }
    return Draft(name="card_arrived", at=arrival.seq, attributes=facts, evidence=(seq,))
