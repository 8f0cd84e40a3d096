"""The defects that the reference table software can be given: each departs from the rule at one place only."""

from collections.abc import Collection
from dataclasses import dataclass

import bench.emulators.table_software.games.baccarat.defects as baccarat
import bench.emulators.table_software.games.blackjack.defects as blackjack
import bench.emulators.table_software.games.holdem.defects as holdem
import bench.emulators.table_software.games.pai_gow.defects as pai_gow
import bench.emulators.table_software.games.stud.defects as stud
import bench.emulators.table_software.games.winners_pot.defects as winners_pot
from bench.emulators.table_software.mutations import is_mutation, parse_mutation
from evidence.errors import UsageError

PAI_GOW = "pai_gow_poker"
WINNERS_POT = "winners_pot"
STUD = "seven_card_stud"
HOLDEM = "tournament_holdem"
BLACKJACK = "blackjack"
BACCARAT = "baccarat"
ANY_GAME = ""


@dataclass(frozen=True, slots=True)
class Defect:
    """One switch. `game` is empty for a defect of every game."""

    name: str
    game: str
    description: str


_EVERY_GAME = {
    "refund_twice": "returns the wagers of a void round twice",
    "void_round_resumed": "lets a round that was voided go on when it is asked to",
}


def all_defects() -> list[Defect]:
    """Every defect that can be switched on, grouped by game."""
    groups = (
        (PAI_GOW, pai_gow.DEFECTS),
        (WINNERS_POT, winners_pot.DEFECTS),
        (STUD, stud.DEFECTS),
        (HOLDEM, holdem.DEFECTS),
        (BLACKJACK, blackjack.DEFECTS),
        (BACCARAT, baccarat.DEFECTS),
        (ANY_GAME, _EVERY_GAME),
    )
    return [Defect(name, game, text) for game, defects in groups for name, text in defects.items()]


def check_defects(names: Collection[str]) -> frozenset[str]:
    """The names as a set. Raises UsageError for one that this software does not know."""
    known = {defect.name for defect in all_defects()}
    for name in sorted(names):
        if is_mutation(name):
            parse_mutation(name)
        elif name not in known:
            raise UsageError(
                f"reference table software: unknown defect {name[:60]!r}. "
                "Take one of those that `cardcert sensitivity --list` prints."
            )
    return frozenset(names)
