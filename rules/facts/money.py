"""Facts about money: the judge's own ledger of what each player put in and got back in a round."""

import msgspec

from evidence.events import Directive, PlayerDid, TableDone, WagerPlaced
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

POT = "pot"
BEFORE_THE_DEAL = ("ante", "blind")
"""Acts of players by which the initial bet is put in."""


class Account(msgspec.Struct):
    """What one player put in and got back, in cents."""

    put_in: dict[str, int] = {}
    """By kind of wager; `pot` for what went into the pot."""
    initial: int = 0
    returned: int = 0
    awarded: int = 0

    @property
    def total(self) -> int:
        return sum(self.put_in.values())


class MoneyTracker:
    """Keeps the ledger of a round: the wagers placed for it, and a pot that is put together in it."""

    watches = (WagerPlaced, PlayerDid, TableDone)
    states = ("money_put_in", "money_paid", "money_all_returned")

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
        self._told = False
        """Whether it has been told that everything of this round has been returned."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case WagerPlaced():
                return [self._put_in(event.position, event.wager, event.amount_cents, initial=True)]
            case PlayerDid() if event.amount_cents > 0:
                initial = event.act in BEFORE_THE_DEAL
                return [self._put_in(event.position, POT, event.amount_cents, initial=initial)]
            case TableDone(outcome="done") if moment.done is not None:
                return self._done(moment.done[1], moment, table)
            case _:
                return []

    def _put_in(self, position: str, kind: str, cents: int, *, initial: bool) -> Draft:
        # What has just been put in has not been returned yet, as in a hand that is dealt again.
        self._told = False
        account = self._accounts.setdefault(position, Account(put_in={}))
        account.put_in[kind] = cents + (account.put_in.get(POT, 0) if kind == POT else 0)
        account.initial += cents if initial else 0
        facts: dict[str, Value] = {
            "position": position,
            "amount_cents": cents,
            "total_cents": account.total,
            "initial": initial,
        }
        return Draft(name="money_put_in", attributes=facts)

    def _done(self, directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        match directive.verb:
            case "open_round":
                self._accounts = {}
                for (place, wager), cents in table.wagers.items():
                    account = self._accounts.setdefault(place, Account(put_in={}))
                    account.put_in[wager] = cents
                    account.initial += cents
                self._told = False
            case "return_wagers":
                return self._returned(directive, moment)
            case "settle" if directive.wager == "additional":
                self._settled(directive.wager, directive.position)
            case "award_pot":
                return [self._awarded(directive, moment)]
            case "void_round" | "misdeal":
                # Where nothing was put in, or all of it has gone back before, nothing more is to come.
                self._told = False
                return self._all_back(moment)
            case _:
                pass
        return []

    def _settled(self, kind: str, position: str) -> None:
        """Wagers of a kind have been decided and paid: there is nothing of them left to return."""
        for place, account in self._accounts.items():
            if position in ("", "all", place):
                account.put_in.pop(kind, None)

    def _returned(self, directive: Directive, moment: Moment) -> list[Draft]:
        """Without an amount all that was put in by the wager named is returned, to one player or to everybody."""
        at = moment.done[0] if moment.done else moment.seq
        one = directive.position not in ("", "all")
        drafts: list[Draft] = []
        for position in [directive.position] if one else list(self._accounts):
            account = self._accounts.setdefault(position, Account(put_in={}))
            kinds = account.put_in if directive.wager in ("", "all") else {directive.wager}
            cents = directive.amount_cents or sum(account.put_in.get(kind, 0) for kind in kinds)
            if cents or one:
                account.returned += cents
                drafts.append(_paid(position, "return", cents, account, at, moment.seq))
        return drafts + self._all_back(moment)

    def _all_back(self, moment: Moment) -> list[Draft]:
        """Told once a round: everybody has just that back that was put in, and nobody anything else."""
        accounts = self._accounts.values()
        even = all(account.returned == account.total and not account.awarded for account in accounts)
        if self._told or not even:
            return []
        self._told = True
        whole = [account.total for account in accounts if account.total]
        facts: dict[str, Value] = {"players": len(whole), "amount_cents": sum(whole)}
        at = moment.done[0] if moment.done else moment.seq
        return [Draft(name="money_all_returned", at=at, attributes=facts, evidence=(moment.seq,))]

    def _awarded(self, directive: Directive, moment: Moment) -> Draft:
        at = moment.done[0] if moment.done else moment.seq
        account = self._accounts.setdefault(directive.position, Account(put_in={}))
        account.awarded += directive.amount_cents
        accounts = self._accounts.values()
        lay_there = sum(one.total - one.returned for one in accounts)
        over = sum(one.awarded for one in accounts) > lay_there
        return _paid(directive.position, "award", directive.amount_cents, account, at, moment.seq, over=over)


def _paid(
    position: str, kind: str, cents: int, account: Account, at: int, seq: int, *, over: bool | None = None
) -> Draft:
    total, returned, back = account.total, account.returned, kind == "return"
    facts: dict[str, Value] = {
        "position": position,
        "kind": kind,
        "amount_cents": cents,
        "in_full": back and 0 < total == returned,
        "initial": back and 0 < account.initial == returned,
        "over": returned > total if over is None else over,
        "contributed": total > 0,
    }
    return Draft(name="money_paid", at=at, attributes=facts, evidence=(seq,))
