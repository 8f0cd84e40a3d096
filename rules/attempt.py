"""One attempt at a scenario before each of the packs that rule its table. Packs of one game share its facts."""

from collections.abc import Iterable, Sequence

from evidence.events import Record
from rules.demands import PackRules
from rules.doubts import Doubts
from rules.facts.machine import FactMachine
from rules.pack import Game
from rules.past import Past
from rules.scenario import ScenarioJudge
from rules.speech import Telling
from rules.verdicts import Verdict


class Attempt:
    """Takes the records of an attempt in order; `verdicts` comes last. Nothing in here raises."""

    def __init__(
        self,
        scenario: str,
        packs: Iterable[PackRules],
        covers: Sequence[str],
        unknown: Sequence[Verdict],
        language: str,
    ) -> None:
        self._unknown = unknown
        """Verdicts for packs that were not given to the judge."""
        self._tables: dict[Game, _Table] = {}
        self._judges: list[ScenarioJudge] = []
        for rules in packs:
            table = self._tables.setdefault(rules.pack.game, _Table(rules.pack.game))
            one = ScenarioJudge(scenario, rules, covers, table.machine, table.past, language)
            table.judges.append(one)
            self._judges.append(one)

    def feed(self, record: Record) -> None:
        """Take the next record."""
        if isinstance(record.event, Doubts.NOTED):
            for one in self._judges:
                one.doubts.note(record)
        for table in self._tables.values():
            table.feed(record)

    def damage(self, before: int, after: int) -> None:
        """The journal does not go on where it should."""
        for one in self._judges:
            one.damage(before, after)

    def doubt(self, why: Telling | None) -> None:
        """Something outside this attempt keeps it from showing that anything holds; what it shows broken is broken."""
        for one in self._judges:
            one.doubts.outside(why)

    def verdicts(self) -> list[Verdict]:
        """The verdicts of each pack, in the order of the packs."""
        return [*(verdict for one in self._judges for verdict in one.verdicts()), *self._unknown]


class _Table:
    """The facts of a table that is played by one game, and those who judge by them."""

    def __init__(self, game: Game) -> None:
        self.machine = FactMachine(game)
        self.past = Past()
        self.judges: list[ScenarioJudge] = []

    def feed(self, record: Record) -> None:
        try:
            facts = self.machine.feed(record)
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing of this table can be judged
            for one in self.judges:
                one.doubts.error("", error)
            return
        for fact in facts:
            self.past.add(fact)
            for one in self.judges:
                one.take(fact)
        if facts:
            self.machine.forget(self.past.forgotten_until)
