"""Follows a tournament hand: its deals, its action, its pack and its replay. Silent in any other game."""

from evidence.events import (
    ButtonSeen,
    CardsSeen,
    DealerDid,
    DeviceCommanded,
    DeviceCycle,
    Directive,
    FloorRuled,
    LevelAnnounced,
    PlayerDid,
    SeatStatus,
    SessionOpened,
    TableDone,
)
from rules.facts.tournament.action import Action
from rules.facts.tournament.deal import Deal
from rules.facts.tournament.pack import PackWatch
from rules.facts.tournament.people import People
from rules.facts.tournament.replay import Replay
from rules.inputs import EXPOSED_CARD_RULES
from rules.pack import Game
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

PLAY = frozenset({"betting_round", "burn", "lay_board", "show_hands", "award_pot", "settle", "close_round"})
"""Orders with which play goes on from the initial deal."""
ENDS = frozenset({"misdeal", "void_round"})
TAKES = frozenset({"take_exposed", "move_card", "collect", "retire_card"})
DEALS_AGAIN = frozenset({"redeal", "reshuffle", "shuffle"})
HOUSE_RULE = "draw_exposed_card"
"""The operator's input with the house rule for a card that the dealer exposes in a draw game."""


class TournamentTracker:
    """States facts about a hand of a tournament. Blinds, seats and penalties are told; cards are seen."""

    watches = (
        ButtonSeen, CardsSeen, DealerDid, DeviceCommanded, DeviceCycle, Directive, FloorRuled, LevelAnnounced,
        PlayerDid, SeatStatus, SessionOpened, TableDone,
    )  # fmt: skip

    def __init__(self, game: Game) -> None:
        self._game = game
        self._people = People()
        self._action = Action(game)
        self._pack = PackWatch(game)
        self._replay = Replay()
        self._button: str | None = None
        self._each = game.hole_cards
        self._context: dict[str, Value] = {"draw_game": False, "house_rule": ""}
        self._deal = Deal((), (), self._each, self._context)
        self._misdealt = self._voided = False

    @staticmethod
    def plays(game: Game) -> bool:
        """Whether this game has what is followed here."""
        return game.substantial_acts > 0

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        drafts = self._pack.feed(moment, table, substantial=self._action.substantial)
        match event:
            case SessionOpened():
                self._open(event)
            case SeatStatus() | LevelAnnounced():
                self._people.note(event)
            case ButtonSeen(position=position) if position is not None:
                self._button = self._replay.button_seen = position
            case PlayerDid():
                drafts += self._played(event, moment.seq)
            case Directive():
                drafts += self._ordered(event, table, moment.seq)
            case CardsSeen() if _betting(table) and self._deal.over and not self._given_up:
                drafts += self._looked(table)
            case TableDone(outcome="done") if moment.done is not None:
                drafts += self._done(moment.done[1], table, moment.seq)
            case _:
                pass
        return drafts

    @property
    def _given_up(self) -> bool:
        """Whether this deal is a misdeal or void already, so that nothing more can be wrong with its hands."""
        return self._misdealt or self._voided

    def _open(self, event: SessionOpened) -> None:
        self._people.open_session(event)
        self._pack.open_session(event)
        draw = event.game == self._game.draw_game
        self._each = self._game.draw_cards if draw else self._game.hole_cards
        given = event.inputs.get(HOUSE_RULE, "") if draw else ""
        rule = given.strip() if not given or given.strip() in EXPOSED_CARD_RULES else None
        self._context = {"draw_game": draw, "house_rule": rule}

    # --- people ---

    def _played(self, event: PlayerDid, seq: int) -> list[Draft]:
        if event.act == "post":
            self._replay.blinds.append((event.position, event.amount_cents))
        if not self._action.note(event):
            return []
        facts: dict[str, Value] = {"acts": self._action.count, "how": self._action.how}
        return [Draft(name="substantial_action", at=seq, attributes=facts)]

    # --- orders ---

    def _ordered(self, order: Directive, table: Table, seq: int) -> list[Draft]:
        verb = order.verb
        drafts: list[Draft] = []
        if verb in PLAY and not self._deal.over:
            drafts += self._complete(table)
            self._deal.over = True
        elif verb in ENDS and not self._deal.over:
            drafts += self._deal.count_hands(table, cut_short=True)
            self._deal.over = True
        match verb:
            case "misdeal":
                self._misdealt = True
                self._replay.misdealt(self._button, self._people)
            case "void_round":
                self._voided = True
            case "betting_round":
                self._action.street()
            case "dead_hand":
                self._action.dead(order.position)
            case "count_penalty":
                self._replay.counted(order.position, order.count)
            case "award_pot":
                self._pack.concluded()
            case _:
                pass
        return drafts

    def _complete(self, table: Table) -> list[Draft]:
        """The initial deal is over, whether or not it is as it should be."""
        drafts = self._deal.count_hands(table)
        return drafts + self._replay.dealt(self._deal.ordered, self._people, self._deal.seen_at)

    # --- what was done ---

    def _done(self, order: Directive, table: Table, seq: int) -> list[Draft]:
        match order.verb:
            case "open_round":
                self._new_hand()
            case "move_button" if not self._deal.held:
                self._new_deal()
            case "dispense":
                self._pack.card_dealt()
                return self._deal.dispensed(table)
            case "deliver":
                drafts = self._deal.delivered(order, table)
                if self._deal.counted:
                    drafts += self._replay.dealt(self._deal.ordered, self._people, self._deal.seen_at)
                return drafts
            case "burn" | "lay_board":
                self._deal.mouth_emptied(table)
            case "check_deck":
                return self._pack.checked(table, seq, substantial=self._action.substantial)
            case "place_deck":
                self._pack.replaced()
            case "close_round":
                return self._closed(seq)
            case _:
                pass
        if order.verb in TAKES:
            self._deal.moved(table)
            if order.place == "shoe_mouth":
                self._deal.mouth_emptied(table)
        if order.verb in DEALS_AGAIN and (self._misdealt or self._deal.held):
            self._misdealt = False
            self._replay.begun()
            self._new_deal()
        return []

    def _new_hand(self) -> None:
        self._people.new_hand()
        self._replay.new_hand()
        self._pack.new_round()
        self._misdealt = self._voided = False
        self._new_deal()

    def _new_deal(self) -> None:
        order = self._people.from_left_of(self._button or "")
        self._deal = Deal(self._people.entitled, order, self._each, self._context)
        self._action.new_deal(order)

    def _closed(self, seq: int) -> list[Draft]:
        self._pack.concluded()
        if self._voided:
            return []
        return self._replay.penalties(self._people.in_state("penalty", self._people.entitled), seq)

    def _looked(self, table: Table) -> list[Draft]:
        look = table.recent[-1]
        place = look.place
        acted = place in self._action.acted
        return self._deal.counted_late(look, acted=acted, action=self._action.how)


def _betting(table: Table) -> bool:
    return table.current is not None and table.current.verb == "betting_round"
