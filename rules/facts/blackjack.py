"""Facts about games in which hands are drawn up to a total: hands passed over, cards drawn in error, answers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from evidence.events import CardsSeen, DealerDid, Directive, PlayerDid, TableDone
from rules.pack import Game
from rules.table import DEALER, MOUTH, Draft, Look, Moment, Table
from rules.totals import LIMIT, RULE, dealer_stands, total_of
from rules.vocabulary import Value

OPENING = 2
"""Cards of every hand before players draw."""
BEGINS_PLAY = ("settle", "show_hands", "turn_up")


@dataclass
class Round:
    """One round, as the camera saw it."""

    ordered: dict[str, int] = field(default_factory=dict)
    """Cards ordered to each hand."""
    held: dict[str, int | None] = field(default_factory=dict)
    """Cards last seen at each hand."""
    short: set[str] = field(default_factory=set)
    """Hands passed over in the opening deal that have not been completed."""
    late: set[str] = field(default_factory=set)
    """Hands passed over while players drew."""
    out: set[str] = field(default_factory=set)
    empty: set[str] = field(default_factory=set)
    """Players at whose hands no card was seen when the opening deal was over."""
    phase: Literal["opening", "players", "dealer"] = "opening"
    opened: bool = False
    """Two cards have been ordered to every hand."""
    served: bool = False
    answered: dict[str, str] = field(default_factory=dict)
    """The latest answer of each player."""
    exposed: bool = False
    """A card that was exposed in error lies at the mouth of the shoe."""


class BlackjackTracker:
    """Follows the rounds of a game in which hands are drawn up to a total."""

    watches = (Directive, PlayerDid, DealerDid, CardsSeen, TableDone)
    states = (
        "passed_over",
        "card_to_hand",
        "opening_hand",
        "hand_filled",
        "players_served",
        "next_deal",
        "option_taken",
        "late_card",
        "stray_draw",
        "exposed_card_given",
        "exposed_card_left",
    )

    def __init__(self, game: Game) -> None:
        self._game = game
        self._round = Round()
        self._without: set[str] = set()
        """Players who got no card in the round before."""
        self._drawn = -1
        """Record of a draw that nobody ordered and that the camera has not yet looked at."""

    @staticmethod
    def plays(game: Game) -> bool:
        """Whether this game has what is followed here."""
        return game.draw_to > 0

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event, now = moment.event, self._round
        match event:
            case Directive(verb="offer_choice", question="draw"):
                now.phase = "players" if now.phase == "opening" else now.phase
            case Directive(verb="dead_hand" | "void_hand", position=position):
                now.out.add(position)
            case PlayerDid(act="choose"):
                return [self._answer(event, table)]
            case DealerDid(act="draw") if not event.directive:
                self._drawn = moment.seq
            case CardsSeen(place=place) if place == MOUTH and self._drawn >= 0:
                return [self._stray(table.recent[-1], table)]
            case TableDone() if moment.done is not None:
                return self._done(moment.done[1], event.outcome, moment, table)
            case _:
                pass
        return []

    def _players(self, table: Table) -> list[str]:
        """The players who play in this round, in the order of dealing."""
        return [place for place in table.positions if place in table.seated and table.wagered(place)]

    def _answer(self, event: PlayerDid, table: Table) -> Draft:
        offer = table.current
        question = offer.question if offer is not None and offer.verb == "offer_choice" else ""
        self._round.answered[event.position] = f"{question} {event.choice}"
        facts: dict[str, Value] = {"position": event.position, "question": question, "choice": event.choice}
        return Draft(name="option_taken", attributes=facts)

    def _stray(self, look: Look, table: Table) -> Draft:
        at, self._drawn = self._drawn, -1
        now = self._round
        exposed = None if look.face_up is None else look.face_up > 0
        turned = self._all_up(table)
        stands = self._stands(table) if turned else False
        now.exposed = bool(exposed) and not stands
        phase = "dealer" if turned else now.phase
        facts: dict[str, Value] = {"exposed": exposed, "phase": phase, "stands": stands}
        return Draft(name="stray_draw", at=at, attributes=facts, evidence=(look.seq,))

    @staticmethod
    def _all_up(table: Table) -> bool:
        """Whether the dealer's hand lies face up as a whole."""
        look = table.looks.get(DEALER)
        return look is not None and look.count is not None and look.count == look.face_up and look.count >= OPENING

    def _stands(self, table: Table) -> bool | None:
        """Whether the dealer's hand is one to stand on; None where the camera or the house's rule does not tell."""
        look = table.looks.get(DEALER)
        return None if look is None else dealer_stands(look.labels, table.inputs.get(RULE, ""))

    # --- orders carried out ---

    def _done(self, directive: Directive, outcome: str, moment: Moment, table: Table) -> list[Draft]:
        now, verb = self._round, directive.verb
        drafts: list[Draft] = []
        if verb == "open_round" and outcome == "done":
            self._without = {place for place in now.empty if not now.held.get(place)}
            self._round = Round()
        elif verb == "deliver" and outcome == "done":
            drafts = self._delivered(directive.position, moment, table)
        elif verb in ("burn", "retire_card", "reshuffle"):
            now.exposed = False
        if verb in BEGINS_PLAY or verb == "offer_choice":
            drafts += self._opening_over(table)
        if verb in ("turn_up", "show_hands") and self._all_up(table):
            now.phase = "dealer"
        if now.phase == "dealer" and now.exposed:
            drafts += self._left(table)
        return drafts

    def _delivered(self, position: str, moment: Moment, table: Table) -> list[Draft]:
        now = self._round
        now.ordered[position] = now.ordered.get(position, 0) + 1
        look = table.look(position)
        before, held = now.held.get(position, 0), look.count if look else None
        now.held[position] = held
        came = None if before is None or held is None else held > before
        drafts = [] if came else [self._passed_over(position, came, table, moment.seq if look is None else look.seq)]
        if came is not False:
            reached: dict[str, Value] = {
                "position": position,
                "who": table.who(position) or None,
                "cards": held,
                "came": came,
            }
            drafts.append(Draft(name="card_to_hand", at=moment.seq if look is None else look.seq, attributes=reached))
            drafts += self._arrived(position, table)
        if not now.served and all(now.ordered.get(place, 0) >= OPENING for place in self._live(table)):
            now.served = True
            drafts.append(Draft(name="players_served"))
        if not now.opened and all(now.ordered.get(place, 0) >= OPENING for place in (*self._players(table), DEALER)):
            drafts += self._opening_over(table)
        return drafts

    def _passed_over(self, position: str, came: bool | None, table: Table, at: int) -> Draft:
        now = self._round
        if came is False:
            (now.short if now.phase == "opening" else now.late).add(position)
        mouth = table.look(MOUTH)
        facts: dict[str, Value] = {
            "position": position,
            "who": table.who(position) or None,
            "nth": now.ordered[position],
            "phase": now.phase,
            "missed": None if came is None else True,
            "waiting": mouth.present if mouth else None,
        }
        return Draft(name="passed_over", at=at, attributes=facts)

    def _arrived(self, position: str, table: Table) -> list[Draft]:
        """What a card that came to a hand brings about."""
        now, drafts = self._round, list[Draft]()
        who = table.who(position) or None
        if now.exposed:
            now.exposed = False
            accepted = position == DEALER or now.answered.get(position) == "exposed_card take"
            given: dict[str, Value] = {"position": position, "who": who, "accepted": accepted, "phase": now.phase}
            drafts.append(Draft(name="exposed_card_given", attributes=given))
        if position in now.late:
            now.late.discard(position)
            late: dict[str, Value] = {
                "position": position,
                "others_done": self._others_done(position, table),
                "hole_shown": self._all_up(table),
            }
            drafts.append(Draft(name="late_card", attributes=late))
        if position in now.short and (now.held[position] or 0) >= OPENING:
            now.short.discard(position)
            others = self._served(place for place in self._players(table) if place != position)
            completed: dict[str, Value] = {"position": position, "who": who, "others_served": others}
            drafts.append(Draft(name="hand_filled", attributes=completed))
        return drafts

    def _live(self, table: Table) -> list[str]:
        return [place for place in self._players(table) if place not in self._round.out]

    def _served(self, players: Iterable[str]) -> bool | None:
        """Whether all these players' hands that are in play hold their first two cards."""
        held = [self._round.held.get(place, 0) for place in players if place not in self._round.out]
        if any(count is not None and count < OPENING for count in held):
            return False
        return None if None in held else True

    def _others_done(self, position: str, table: Table) -> bool:
        """Whether every player in play after this one has answered, or holds a hand that draws no more."""
        players = self._players(table)
        after = [place for place in players[players.index(position) + 1 :] if place not in self._round.out]
        return all(place in self._round.answered or self._full(place, table) for place in after)

    @staticmethod
    def _full(position: str, table: Table) -> bool:
        look = table.looks.get(position)
        total = total_of(look.labels) if look is not None and look.count == look.face_up else None
        return total is not None and total[0] >= LIMIT

    def _opening_over(self, table: Table) -> list[Draft]:
        now, drafts = self._round, list[Draft]()
        if now.opened:
            return drafts
        now.opened = True
        for place in (*self._players(table), DEALER):
            cards = now.held.get(place, 0)
            facts: dict[str, Value] = {"position": place, "who": table.who(place), "cards": cards}
            drafts.append(Draft(name="opening_hand", attributes=facts))
            if cards == 0:
                now.empty.add(place)
            if place in self._without:
                served = None if cards is None else cards > 0
                drafts.append(Draft(name="next_deal", attributes={"position": place, "served": served}))
        self._without = set()
        return drafts

    def _left(self, table: Table) -> list[Draft]:
        """An exposed card that nobody has taken, once the dealer draws no more either."""
        stands = self._stands(table)
        if stands is False:
            return []
        self._round.exposed = False
        return [Draft(name="exposed_card_left", attributes={"stands": stands})]
