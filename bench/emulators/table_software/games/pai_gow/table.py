"""What every part of Pai Gow Poker needs: the table, the round, and how a round ends whose hands are all void."""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts, Told
from bench.emulators.table_software.games.base import Game
from bench.emulators.table_software.games.pai_gow.deal import Deal
from evidence.events import CardsSeen, DealerDid, DeviceDispensed, Directive, PlayerDid

STACKS = 7
CARDS_IN_STACK = 7
MOUTH = "shoe_mouth"
DEALER = "dealer"


class PaiGowTable(Game):
    """One session's table and the round at hand."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.deal = Deal()

    @property
    def positions(self) -> list[str]:
        return self.facts.session.positions

    @property
    def bank(self) -> str:
        """Position of the player who banks; empty where the house does."""
        return self.facts.session.bank

    def opening(self) -> Procedure:
        self.deal = Deal()
        yield from self.do("open_round")

    def noticed(self, told: Told) -> None:
        match told.event:
            case DealerDid(act="call_total", count=total):
                self.deal.called, self.deal.called_by = total, told.id
            case DealerDid(act="draw", directive="") if self.deal.dealing:
                self.deal.drawn_by = told.id
            case DeviceDispensed(unit="group", count=count):
                self.deal.claimed = count
            case PlayerDid(act="look", position=position):
                self.deal.looked.add(position)
            case PlayerDid(act="choose", position=position, choice=choice):
                self.deal.choices[position] = choice
            case CardsSeen(place="shoe_mouth") as look if self.deal.drawn_by:
                self.drawn_in_error(look, told.id)
            case _:
                pass

    def drawn_in_error(self, look: CardsSeen, cause: str) -> None:
        """A card that nobody asked for has been seen at the mouth."""

    def ends(self, cause: str, reason: str, *first: Directive) -> Procedure:
        """All hands are void: the round ends, wagers go back, all cards are shuffled again; `first` comes before."""
        void = self.order("void_round", cause=cause, reason=reason)
        return self.clear_up([*first, void, *self.refund(cause), self.reshuffle(cause)])

    def empty(self, position: str) -> bool:
        """A position without a wager, of a player who does not bank."""
        return position not in (DEALER, self.bank) and not self.facts.wagered(position)

    def saw(self, position: str) -> bool:
        """Whether something was seen to lie at a position during the step under way."""
        look = self.facts.seen(position)
        return look is not None and (look.count is None or look.count > 0)
