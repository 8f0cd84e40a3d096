"""All trackers of Pai Gow Poker as one; it states nothing of a game that is not dealt in stacks."""

from evidence.events import (
    CardsSeen,
    DealerDid,
    DeviceCommanded,
    DeviceCycle,
    DeviceDispensed,
    DiceSeen,
    Directive,
    PlayerDid,
    TableDone,
)
from rules.facts.pai_gow.by_hand import ByHandTracker
from rules.facts.pai_gow.count import CountTracker
from rules.facts.pai_gow.dice import DiceTracker
from rules.facts.pai_gow.exposure import ExposureTracker
from rules.facts.pai_gow.setting import SettingTracker
from rules.facts.pai_gow.source import SourceTracker
from rules.facts.pai_gow.timing import TimingTracker
from rules.pack import Game
from rules.table import Draft, Moment, Table
from rules.vocabulary.pai_gow import FACTS


class PaiGowTracker:
    """One tracker for each thing that can go wrong."""

    watches = (
        CardsSeen, DealerDid, DeviceCommanded, DeviceCycle, DeviceDispensed, DiceSeen, Directive, PlayerDid, TableDone,
    )  # fmt: skip

    states = tuple(FACTS)

    def __init__(self, game: Game) -> None:
        self._trackers = (
            DiceTracker(game), ExposureTracker(game), SourceTracker(game), CountTracker(game),
            SettingTracker(game), ByHandTracker(game), TimingTracker(),
        )  # fmt: skip

    @staticmethod
    def plays(game: Game) -> bool:
        """Whether this game has what is followed here."""
        return game.stack_size > 0

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        return [draft for tracker in self._trackers for draft in tracker.feed(moment, table)]
