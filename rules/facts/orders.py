"""Facts about orders, requests, acts and rounds."""

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
from rules.wording import clip, order, ordered

VOIDING = ("void_round", "misdeal")


class OrderTracker:
    """States what was ordered, asked and done, and keeps count of the rounds."""

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
                says = f"the player at {event.position} did: {event.act}"
                facts: dict[str, Value] = {
                    "act": event.act,
                    "position": event.position,
                    "amount_cents": event.amount_cents,
                    "choice": event.choice,
                }
                return [Draft(name="player_act", says=says, attributes=facts)]
            case WagerPlaced():
                says = f"the {event.wager.replace('_', ' ')} wager was placed at {event.position}"
                offered = event.wager != "additional" or table.additional_offered
                facts = {"position": event.position, "wager": event.wager, "offered": offered}
                return [Draft(name="wager_placed", says=says, attributes=facts)]
            case FaultProven():
                says = f"the fault {event.fault} of the {event.target} was injected and shown to have happened"
                facts = {"fault": event.fault, "target": event.target, "symptom": event.symptom}
                return [Draft(name="injected", says=says, attributes=facts, evidence=tuple(event.by[:20]))]
            case DiceSeen():
                return [_dice(event)]
            case _:
                return []

    def _directive(self, event: Directive, table: Table) -> list[Draft]:
        if event.verb in VOIDING:
            table.voided = True
        return [Draft(name="directive", says=ordered(event), attributes=order_facts(event, table))]

    def _dealer(self, event: DealerDid, table: Table) -> list[Draft]:
        what = event.act.replace("_", " ")
        facts: dict[str, Value] = {
            "act": event.act,
            "position": event.position,
            "place": event.place,
            "device": event.device,
            "phrase": event.phrase,
            "count": event.count,
            "asked": bool(event.directive),
        }
        drafts = [Draft(name="dealer_act", says=f"the dealer did: {what}", attributes=facts)]
        if event.act == "announce":
            says = f"the dealer announced {clip(event.phrase.replace('_', ' '))!r}"
            drafts.append(Draft(name="announced", says=says, attributes={"phrase": event.phrase}))
        elif event.act == "load" and table.role(event.device):
            loaded: dict[str, Value] = {"device": event.device, "role": table.role(event.device)}
            says = f"the dealer put the pack into the {loaded['role']} {clip(event.device)!r}"
            drafts.append(Draft(name="loaded", says=says, attributes=loaded))
        elif event.act == "cut":
            drafts.append(Draft(name="cut", says="the pack was cut"))
        return drafts

    def _done(self, event: TableDone, moment: Moment, table: Table) -> list[Draft]:
        if moment.done is None:
            return []
        issued, directive = moment.done
        facts = {**order_facts(directive, table), "outcome": event.outcome}
        result = {"done": "was carried out", "failed": "was tried and failed", "impossible": "could not be carried out"}
        says = f"the table software ordered: {order(directive)}, which {result[event.outcome]}"
        # Dated at its order: what was already under way when something happened is no reaction to it.
        drafts = [Draft(name="carried_out", says=says, at=issued, attributes=facts, evidence=(moment.seq,))]
        if event.outcome == "done":
            drafts += self._consequence(directive, issued, table)
        return drafts

    def _consequence(self, directive: Directive, issued: int, table: Table) -> list[Draft]:
        match directive.verb:
            case "open_round":
                return [*self._close(table), self._open(table)]
            case "close_round":
                return self._close(table)
            case "set_start":
                says = f"the starting position was fixed at {clip(directive.position)}"
                return [Draft(name="start_position_set", says=says, attributes={"position": directive.position})]
            case "shuffle":
                return [_shuffled(directive, issued, reshuffle=False)]
            case "reshuffle":
                return [_reshuffled(directive, issued, table), _shuffled(directive, issued, reshuffle=True)]
            case _:
                return []

    def _open(self, table: Table) -> Draft:
        table.round += 1
        table.in_round = True
        table.voided = False
        table.looks.clear()
        says = f"round {table.round} was opened"
        return Draft(name="round_opened", says=says, attributes={"number": table.round})

    def _close(self, table: Table) -> list[Draft]:
        if not table.in_round:
            return []
        table.in_round = False
        facts: dict[str, Value] = {"number": table.round, "voided": table.voided}
        how = "void" if table.voided else "played"
        return [Draft(name="round_closed", says=f"round {table.round} ended, {how}", attributes=facts)]


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
    says = f"the dice were uncovered and show {event.total if event.total is not None else 'nothing that can be read'}"
    return Draft(name="dice_seen", says=says, attributes={"valid": valid, "total": event.total})


def _shuffled(directive: Directive, issued: int, *, reshuffle: bool) -> Draft:
    """Dated at its order, so that a shuffle in which something went wrong does not make good for itself."""
    method = "hand" if directive.method == "hand" else "device"
    says = f"the pack was {'re' if reshuffle else ''}shuffled by {method}"
    return Draft(name="shuffled", says=says, at=issued, attributes={"method": method, "reshuffle": reshuffle})


def _reshuffled(directive: Directive, issued: int, table: Table) -> Draft:
    """Cleared when every place that was seen to hold cards in this round is seen empty after the gathering."""
    held = {place for place, look in table.looks.items() if look.present} | {look.place for look in table.recent}
    looks = [table.look(place) for place in sorted(held - {RACK})]
    answers = [look.present if look else None for look in looks]
    cleared: bool | None = False if True in answers else None if None in answers else True
    evidence = tuple(look.seq for look in table.recent)
    seen = {
        True: "every place was seen empty",
        False: "cards still lay there",
        None: "the camera could not tell",
    }
    scope = directive.scope.replace("_", " ") or "no cards in particular"
    says = f"the reshuffle of {scope} was carried out and {seen[cleared]}"
    facts: dict[str, Value] = {"scope": directive.scope, "cleared": cleared}
    return Draft(name="reshuffled", says=says, at=issued, attributes=facts, evidence=evidence)
