"""One attempt at a scenario before each of the packs that rule its table. Packs of one game share its facts."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from evidence.events import Record, TableDone
from rules.demands import PackRules
from rules.doubts import Doubts
from rules.facts.machine import FactMachine
from rules.pack import Game
from rules.past import Past
from rules.scenario import ScenarioJudge
from rules.speech import Telling
from rules.verdicts import Verdict
from rules.vocabulary import Fact


class Attempt:
    """Takes the records of an attempt in order; `verdicts` comes last. Nothing in here raises."""

    def __init__(
        self,
        scenario: str,
        packs: Iterable[PackRules],
        covers: Sequence[str],
        unknown: Sequence[Verdict],
        language: str,
        edges: Mapping[str, int],
    ) -> None:
        self._unknown = unknown
        """Verdicts for packs that were not given to the judge."""
        ready = list(packs)
        wanted: dict[Game, set[str]] = {}
        for rules in ready:
            wanted.setdefault(rules.pack.game, set()).update(rules.names)
        self._machine = FactMachine(*wanted, wanted=wanted, edges=edges)
        self._tables: dict[Game, _Table] = {}
        self._judges: list[ScenarioJudge] = []
        for rules in ready:
            table = self._tables.setdefault(rules.pack.game, _Table(wanted[rules.pack.game]))
            one = ScenarioJudge(scenario, rules, covers, self._machine, table.past, language)
            table.judges.append(one)
            self._judges.append(one)

    def feed(self, record: Record) -> None:
        """Take the next record."""
        if not self._judges:
            return
        if type(record.event) in Doubts.NOTED:
            for one in self._judges:
                one.doubts.note(record)
        try:
            stated = self._machine.feed(record)
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing of this scenario can be judged
            for one in self._judges:
                one.doubts.error("", error)
            return
        for game, fact in stated:
            if game is None:
                for table in self._tables.values():
                    if fact.name in table.names:
                        table.take(fact)
            else:
                self._tables[game].take(fact)
        if isinstance(record.event, TableDone):
            self._machine.forget(min(table.past.forgotten_until for table in self._tables.values()))

    def overhear(self, record: Record) -> None:
        """Take a record of which most attempts make nothing."""
        if type(record.event) in self._machine.listens:
            self.feed(record)

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
    """The table as it is played by one game: the facts until now, and those who judge by them."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = names
        """The facts that its judges ask for."""
        self.past = Past()
        self.judges: list[ScenarioJudge] = []

    def take(self, fact: Fact) -> None:
        self.past.add(fact)
        for one in self.judges:
            one.take(fact)
