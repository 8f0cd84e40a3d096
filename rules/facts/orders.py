"""Facts about orders, requests, acts and rounds."""

import msgspec

from evidence.events import (
    DealerDid,
    DiceSeen,
    Directive,
    FaultProven,
    PlayerDid,
    TableDone,
    WagerPlaced,
)
from rules.table import RACK, Draft, Moment, Table
from rules.vocabulary import Value

VOIDING = ("void_round", "misdeal")
MAKE_UP = frozenset(
    {"missing_card", "extra_card", "swapped_card", "duplicate_card", "nonstandard_card", "other_back_card"}
)
"""Faults of the pack that stay in it from round to round, until another pack comes."""
REPLACING = ("remove_deck", "place_deck")


class OrderTracker:
    """States what was ordered, asked and done, and keeps count of the rounds."""

    watches = (Directive, TableDone, DealerDid, PlayerDid, WagerPlaced, FaultProven, DiceSeen)

    def __init__(self) -> None:
        self._in_pack: dict[str, Draft] = {}
        """What is proven to be wrong with the pack at the table, by fault."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case Directive():
                return self._directive(event, table)
            case TableDone():
                return self._done(event, moment, table)
            case DealerDid():
                return self._dealer(event, table)
            case PlayerDid():
                facts: dict[str, Value] = {
                    "act": event.act,
                    "position": event.position,
                    "amount_cents": event.amount_cents,
                    "choice": event.choice,
                }
                return [Draft(name="player_act", attributes=facts)]
            case WagerPlaced():
                offered = event.wager != "additional" or table.additional_offered
                facts = {"position": event.position, "wager": event.wager, "offered": offered}
                return [Draft(name="wager_placed", attributes=facts)]
            case FaultProven():
                return [self._proven(event, moment.seq)]
            case DiceSeen():
                return [_dice(event)]
            case _:
                return []

    def _proven(self, event: FaultProven, seq: int) -> Draft:
        facts: dict[str, Value] = {"fault": event.fault, "target": event.target, "symptom": event.symptom}
        shown = max((by for by in event.by if by <= seq), default=seq)
        draft = Draft(name="injected", at=shown, attributes=facts, evidence=tuple(event.by[:20]))
        if event.target == "pack" and event.fault in MAKE_UP:
            self._in_pack[event.fault] = msgspec.structs.replace(draft, at=None)
        return draft

    def _directive(self, event: Directive, table: Table) -> list[Draft]:
        if event.verb in VOIDING:
            table.voided = True
        return [Draft(name="directive", attributes=order_facts(event, table))]

    def _dealer(self, event: DealerDid, table: Table) -> list[Draft]:
        facts: dict[str, Value] = {
            "act": event.act,
            "position": event.position,
            "place": event.place,
            "device": event.device,
            "phrase": event.phrase,
            "count": event.count,
            "asked": bool(event.directive),
        }
        drafts = [Draft(name="dealer_act", attributes=facts)]
        if event.act == "announce":
            drafts.append(Draft(name="announced", attributes={"phrase": event.phrase}))
        elif event.act == "load" and table.role(event.device):
            loaded: dict[str, Value] = {"device": event.device, "role": table.role(event.device)}
            drafts.append(Draft(name="loaded", attributes=loaded))
        elif event.act == "cut":
            drafts.append(Draft(name="cut"))
        return drafts

    def _done(self, event: TableDone, moment: Moment, table: Table) -> list[Draft]:
        if moment.done is None:
            return []
        issued, directive = moment.done
        facts = {**order_facts(directive, table), "outcome": event.outcome}
        # Dated at its order: what was already under way when something happened is no reaction to it.
        drafts = [Draft(name="carried_out", at=issued, attributes=facts, evidence=(moment.seq,))]
        if event.outcome == "done":
            drafts += self._consequence(directive, issued, table)
        return drafts

    def _consequence(self, directive: Directive, issued: int, table: Table) -> list[Draft]:
        match directive.verb:
            case "open_round":
                return [*self._close(table), self._open(table), *self._in_pack.values()]
            case "close_round":
                table.end_wagers()
                return self._close(table)
            case "void_round" | "misdeal":
                table.end_wagers()
                return []
            case _ if directive.verb in REPLACING:
                self._in_pack.clear()
                return []
            case "set_start":
                return [Draft(name="start_position_set", attributes={"position": directive.position})]
            case "shuffle":
                return [] if _not_moved(directive, issued, table) else [_shuffled(directive, issued, reshuffle=False)]
            case "reshuffle":
                if _not_moved(directive, issued, table):
                    return []
                return [_reshuffled(directive, issued, table), _shuffled(directive, issued, reshuffle=True)]
            case _:
                return []

    def _open(self, table: Table) -> Draft:
        table.round += 1
        table.in_round = True
        table.voided = False
        table.looks.clear()
        table.forget_wagers()
        return Draft(name="round_opened", attributes={"number": table.round})

    def _close(self, table: Table) -> list[Draft]:
        if not table.in_round:
            return []
        table.in_round = False
        facts: dict[str, Value] = {"number": table.round, "voided": table.voided}
        return [Draft(name="round_closed", attributes=facts)]


def order_facts(directive: Directive, table: Table) -> dict[str, Value]:
    """The attributes of `directive` and `carried_out` that come from the order itself."""
    return {
        "verb": directive.verb,
        "position": directive.position,
        "who": table.who(directive.position),
        "place": directive.place,
        "to": directive.to,
        "device": directive.device,
        "role": table.role(directive.device),
        "method": directive.method,
        "unit": directive.unit,
        "face": directive.face,
        "count": directive.count,
        "scope": directive.scope,
        "wager": directive.wager,
        "phrase": directive.phrase,
        "request": directive.request,
        "question": directive.question,
        "in_round": table.in_round,
    }


def _dice(event: DiceSeen) -> Draft:
    spoiled = bool(event.leaning or event.outside)
    valid = None if event.total is None and not spoiled else not spoiled
    return Draft(name="dice_seen", attributes={"valid": valid, "total": event.total})


def _not_moved(directive: Directive, issued: int, table: Table) -> bool:
    """A device that claims a shuffle in which nothing of it moved has not shuffled."""
    return directive.method == "device" and table.stood_still(directive.device, issued)


def _shuffled(directive: Directive, issued: int, *, reshuffle: bool) -> Draft:
    """Dated at its order, so that a shuffle in which something went wrong does not make good for itself."""
    method = "hand" if directive.method == "hand" else "device"
    return Draft(name="shuffled", at=issued, attributes={"method": method, "reshuffle": reshuffle})


def _reshuffled(directive: Directive, issued: int, table: Table) -> Draft:
    """Cleared when every place that was seen to hold cards in this round is seen empty after the gathering.

    Of the discards that place is the rack; all others keep their cards.
    """
    held = {place for place, look in table.looks.items() if look.present} | {look.place for look in table.recent}
    places = {RACK} if directive.scope == "discards" else held - {RACK}
    looks = [table.look(place) for place in sorted(places)]
    answers = [look.present if look else None for look in looks]
    cleared: bool | None = False if True in answers else None if None in answers else True
    evidence = tuple(look.seq for look in table.recent)
    facts: dict[str, Value] = {"scope": directive.scope, "cleared": cleared}
    return Draft(name="reshuffled", at=issued, attributes=facts, evidence=evidence)
