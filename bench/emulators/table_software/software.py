"""The reference table software without its socket: messages in, directives out."""

from collections.abc import Collection

from bench.emulators.table_software.defects import check_defects
from bench.emulators.table_software.desk import Desk
from bench.emulators.table_software.facts import Facts, Told, usable
from bench.emulators.table_software.games.baccarat.game import Baccarat
from bench.emulators.table_software.games.base import Game
from bench.emulators.table_software.games.blackjack.game import Blackjack
from bench.emulators.table_software.games.holdem.game import ShortDeckHoldem, TournamentDraw, TournamentHoldem
from bench.emulators.table_software.games.pai_gow.game import PaiGowPoker
from bench.emulators.table_software.games.stud.game import SevenCardStud
from bench.emulators.table_software.games.winners_pot.game import WinnersPot
from evidence.events import Directive, SessionOpened, TableRequested

GAMES: dict[str, type[Game]] = {
    "pai_gow_poker": PaiGowPoker,
    "winners_pot": WinnersPot,
    "seven_card_stud": SevenCardStud,
    "tournament_holdem": TournamentHoldem,
    "tournament_short_deck": ShortDeckHoldem,
    "tournament_draw": TournamentDraw,
    "blackjack": Blackjack,
    "baccarat": Baccarat,
}


class ReferenceSoftware:
    """One connection's table software, compliant but for its `defects`. It has no timer: only messages move it.

    Raises UsageError for a defect that it does not know.
    """

    def __init__(self, defects: Collection[str] = frozenset()) -> None:
        self._defects = check_defects(defects)
        self._desk = Desk()
        self._game: Game | None = None

    def react(self, message: Told) -> list[Directive]:
        """React to one message with directives, in the order in which they are to be carried out."""
        self._desk.cause = message.id
        if isinstance(message.event, SessionOpened):
            self._open(message.event)
        elif self._game is not None:
            self._game.facts.note(message)
            self._game.react(message)
        elif isinstance(message.event, TableRequested):
            reason = "no session with a game that this software runs has been opened"
            self._desk.say(self._desk.order("refuse", request=message.event.request, reason=reason))
        return self._desk.take()

    def _open(self, session: SessionOpened) -> None:
        """Start from a blank table; nothing of an earlier session remains but the numbering of directives."""
        self._desk.stop()
        kind = GAMES.get(session.game)
        self._game = kind(Facts(session), self._desk, self._defects) if kind and usable(session) else None
