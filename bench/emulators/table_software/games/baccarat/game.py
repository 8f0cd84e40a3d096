"""Punto banco from a shoe that reads its cards: the player's hand lies at the first position, the banker's at the last.

The shoe is locked but for the deal. When it tells of an error, the card that caused it goes unused to the rack and the
error is cancelled before the next card. Wagers are settled by the shoe's result. Once the cutting card is out the round
is finished and the shoe filled anew.
"""

from collections.abc import Generator

from bench.emulators.baccarat import next_side
from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts, Told
from bench.emulators.table_software.games.base import Game
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import CardsSeen, DeviceCard, DeviceFault, DeviceNotice, DeviceResult, Directive, TableDone

MOUTH = "shoe_mouth"
MOST_CARDS = 20
"""Cards asked for one round before the table waits for somebody to help."""


class Baccarat(Game):
    """One session of punto banco."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self._loaded = False
        self._cut = False
        """The cutting card has been drawn."""
        self._hands: dict[str, list[str]] = {}
        """Labels by side, as the shoe has told them."""
        self._card: DeviceCard | None = None
        """What the shoe told of the card drawn last."""
        self._result: DeviceResult | None = None
        self._error = ""
        """Id of the message that told of an error which is not yet cancelled."""
        self._stray = False
        """A card that was drawn in error lies at the mouth."""

    @property
    def _position(self) -> dict[str, str]:
        positions = self.facts.session.positions
        return {"player": positions[0], "banker": positions[-1]}

    def objection(self) -> str:
        if len(self.facts.session.positions) < 2:
            return "this game needs a position for the player's hand and one for the banker's"
        if self.by_hand or not self.facts.device("shoe"):
            return "no card-reading shoe stands on the table"
        return ""

    # --- what the shoe tells ---

    def noticed(self, told: Told) -> None:
        match told.event:
            case DeviceCard() as card:
                self._told_card(card)
            case DeviceResult(standing="final") as result:
                self._result = result
            case DeviceNotice(notice="cut_card"):
                self._cut = True
            case DeviceNotice(notice="error_cancelled"):
                self._error = ""
            case DeviceFault() as fault if not fault.recovered:
                self._error = told.id
            case CardsSeen(place="shoe_mouth", count=count) if self._stray and count == 0:
                self._stray = False
            case _:
                pass

    def _told_card(self, card: DeviceCard) -> None:
        if card.again:
            return
        self._card = card
        if card.hand in ("player", "banker"):
            self._hands.setdefault(card.hand, []).append(card.label)
        elif card.hand in ("locked", "error"):
            self._stray = True

    # --- the round ---

    def opening(self) -> Procedure:
        self._hands, self._card, self._result = {}, None, None
        if self._cut and not self.has("deals_on_after_cut_card"):
            # The shoe is emptied and filled before the round is opened.
            yield from self.do_all(self.reshuffle(scope="all_cards"))
            self._loaded = self._cut = False
            yield from self._fill()
        yield from self.do("open_round")

    def shuffle(self) -> Generator[list[Directive], list[TableDone], bool]:
        if self._loaded:
            return True
        return (yield from super().shuffle())

    def after_shuffle(self) -> Procedure:
        if not self._loaded:
            yield from self._fill()
        yield from self.announce_no_more_bets()
        yield from self._tell_shoe("unlock")
        yield from self._deal()
        yield from self._tell_shoe("lock")
        yield from self._clear_error()
        if self.has("settles_unconfirmed"):
            yield from self.do("settle", wager="main")
        yield from self._tell_shoe("confirm_game")
        if self._result is None:
            raise EndsEarly(self.hold("the shoe told no result"))
        if self._result.winner == "void":
            raise EndsEarly(self.void(reason="the shoe was forced to quit the game"))
        if not self.has("settles_unconfirmed"):
            yield from self.do("settle", wager="main")
        yield from self.do("collect", place="all", to="discard_rack", face="down")
        yield from self.do("close_round")
        self.over()

    def _fill(self) -> Procedure:
        self.need((yield from self.do("cut")))
        yield from self.load_shoe()
        self._loaded = True

    def _tell_shoe(self, command: str) -> Procedure:
        self.need((yield from self.do("command_device", device=self.facts.device("shoe"), phrase=command)))

    def _deal(self) -> Procedure:
        for _ in range(MOST_CARDS):
            yield from self._clear_error()
            side = self._next()
            if not side:
                return
            before = len(self._hands.get(side, []))
            yield from self.do("dispense", device=self.facts.device("shoe"), unit="card")
            if self._error:
                continue
            if len(self._hands.get(side, [])) == before:
                raise EndsEarly(self.hold("the shoe told of no card for the hand whose turn it is"))
            self.need((yield from self.do("deliver", position=self._position[side], face="up")))
            yield from self._place_drawn()
        raise EndsEarly(self.hold("the game does not come to its end"))

    def _place_drawn(self) -> Procedure:
        """A card drawn unasked that the shoe took into the game is the next one of the hand that it told."""
        mouth = self.facts.seen(MOUTH)
        if mouth is None or not mouth.count or self._stray:
            return
        for side, position in self._position.items():
            look, told = self.facts.seen(position), len(self._hands.get(side, []))
            if look is not None and look.count is not None and look.count < told:
                self.need((yield from self.do("deliver", position=position, face="up")))
                return

    def _next(self) -> str:
        player, banker = self._hands.get("player", []), self._hands.get("banker", [])
        if any(len(label) != 2 for label in (*player, *banker)):
            raise EndsEarly(self.hold("the shoe could not read a card"))
        return next_side(player, banker)

    def _clear_error(self) -> Procedure:
        """The card drawn in error goes unused; the error is cancelled by order."""
        if self._stray:
            cause = self._error
            if self.has("error_card_dealt"):
                yield from self.do("deliver", cause=cause, position=self._position["player"], face="up")
            else:
                yield from self.do("retire_card", cause=cause, place=MOUTH, to="discard_rack")
            self._stray = False
        if self._error and not self.has("error_not_cancelled"):
            yield from self._tell_shoe("cancel_error")
            if self._error:
                raise EndsEarly(self.hold("the shoe does not cancel its error"))
