"""A state machine that sets a table at random, lets things go wrong at random, and has the session judged.

Each session is a plan file of one scenario (see `fixtures.random_tables`). On a compliant table no clause may fail;
with one declared defect switched on, only clauses that the defect touches may.
"""

import contextlib
import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

from hypothesis import HealthCheck, Phase, note, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from bench.plan import Defect, load_plan
from bench.rig import load_rig
from bench.setup import Defects
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.errors import UsageError
from evidence.events import Record, ScenarioFinished
from fixtures.defect_reach import reach
from fixtures.random_tables import Kitchen, Script, kitchens, moment_ranges, plan_of, play, scenario_of, text_of
from rules.loader import load_packs
from rules.pack import Pack
from rules.verdicts import Outcome, Verdict

MOST_FAULTS = 3
STEPS = 6
"""Changes made to a scenario of the plan before it is played, at most."""
SHRINKING = 30
"""Sessions played to make a finding smaller; shrinking has no other bound that depends on work alone."""
RIG_SEED = 1
"""Seed of the emulated rig: that of `certify` where none is given."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A session in which a clause failed that must not."""

    script: str
    """The plan file."""
    pack: str
    alarms: tuple[str, ...]
    """Clause and sentence of each such failure."""
    defect: Defect | None = None

    @property
    def command(self) -> str:
        """The options of `cardcert certify FILE` that replay it."""
        options = [f"--seed {RIG_SEED}", "--no-sensitivity"]
        if self.defect is not None:
            options.append(f"--defect {self.defect.on}:{self.defect.name}")
            options += [f"--policy {name}={value}" for name, value in sorted(self.defect.policies.items())]
        return " ".join(options)


@dataclass(slots=True)
class Search:
    """What is searched, and what has been found. Sessions are played once; what came of each is remembered."""

    packs: Sequence[str]
    """The plans' packs whose scenarios sessions are made from."""
    defective: bool = False
    """Whether each session has one of the declared defects."""
    tally: Counter[str] = field(default_factory=Counter)
    found: dict[tuple[str, str], Finding] = field(default_factory=dict)
    """By script and defect."""
    _played: set[tuple[str, str]] = field(default_factory=set)
    _left: int = SHRINKING

    def look(self, *, sessions: int, number: int | None = None) -> Finding | None:
        """Play so many sessions, fewer if one is found: the smallest script of those that showed it.

        `number` is the seed of the search; without one it is always the same search.
        """
        self.found.clear()
        self._left = SHRINKING
        machine: type[RandomSession] = type("Session", (RandomSession,), {"search": self})
        if number is not None:
            machine = seed(number)(machine)
        with contextlib.suppress(AssertionError):
            run_state_machine_as_test(
                machine,
                settings=settings(
                    max_examples=sessions,
                    stateful_step_count=STEPS,
                    derandomize=number is None,
                    database=None,
                    deadline=None,
                    phases=(Phase.generate, Phase.shrink),
                    suppress_health_check=list(HealthCheck),
                    report_multiple_bugs=False,
                ),
            )
        return min(self.found.values(), key=lambda one: (len(one.script), one.script), default=None)

    def judge(self, script: Script, defect: Defect | None) -> Finding | None:
        """Play and judge one session; what has been played before is answered from memory."""
        text = text_of(script)
        key = (text, f"{defect.on}:{defect.name}" if defect else "")
        if key in self.found or key in self._played or (self.found and self._left <= 0):
            return self.found.get(key)
        self._left -= bool(self.found)
        self._played.add(key)
        try:
            plan = plan_of(script)
        except UsageError:
            self.tally["makes no sense"] += 1
            return None
        switched: Defects = {defect.on: frozenset([defect.name])} if defect else {}
        records, verdicts = play(
            workshop(), plan, packs_of(tuple(plan.packs)), switched, defect.policies if defect else {}
        )
        self.tally["sessions"] += 1
        self.tally["rounds"] += plan.scenarios[0].rounds
        self.tally.update(one.verdict.value for one in verdicts)
        alarms = (*_unfinished(records), *_alarms(verdicts, touched()[key[1]] if defect else frozenset()))
        if not alarms:
            return None
        self.found[key] = Finding(text, plan.scenarios[0].pack, alarms, defect)
        return self.found[key]


class RandomSession(RuleBasedStateMachine):
    """One table session: a scenario of a plan with other faults, at other moments, and another number of rounds."""

    search: ClassVar[Search]

    def __init__(self) -> None:
        super().__init__()
        self.script: Script = {}
        self.kitchen: Kitchen
        self.defect: Defect | None = None

    @initialize(data=st.data())
    def sit_down(self, data: st.DataObject) -> None:
        pack = data.draw(st.sampled_from(sorted(self.search.packs)), label="pack")
        self.kitchen = kitchen_of()[pack]
        number = data.draw(st.integers(0, len(self.kitchen.bases) - 1), label="base")
        self.script = copy.deepcopy(self.kitchen.bases[number])
        if self.search.defective:
            self.defect = data.draw(st.sampled_from(self.kitchen.defects), label="defect")

    @property
    def scenario(self) -> dict[str, Any]:
        return scenario_of(self.script)

    @precondition(lambda self: len(self.scenario.get("fault", ())) < MOST_FAULTS)
    @rule(data=st.data())
    def something_goes_wrong(self, data: st.DataObject) -> None:
        fault = dict(data.draw(st.sampled_from(self.kitchen.faults), label="fault"))
        positions = self.script["table"].get("positions") or [*self.script["table"]["seated"], "dealer"]
        ranges = moment_ranges(fault, positions)
        chosen = data.draw(st.sets(st.sampled_from(sorted(ranges)), max_size=2)) if ranges else set()
        if chosen:
            fault["at"] = {name: data.draw(st.sampled_from(ranges[name]), label=name) for name in sorted(chosen)}
        self.scenario["fault"] = [*self.scenario.get("fault", ()), fault]

    @precondition(lambda self: bool(self.scenario.get("fault")))
    @rule(data=st.data())
    def something_goes_right_after_all(self, data: st.DataObject) -> None:
        faults = list(self.scenario["fault"])
        faults.pop(data.draw(st.integers(0, len(faults) - 1)))
        self.scenario["fault"] = faults

    @rule(rounds=st.integers(1, 2))
    def play_rounds(self, rounds: int) -> None:
        self.scenario["rounds"] = rounds

    @precondition(lambda self: bool(self.kitchen.asks))
    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        self.scenario["ask"] = [data.draw(st.sampled_from(self.kitchen.asks), label="ask")]

    def teardown(self) -> None:
        if not self.script:
            return
        finding = self.search.judge(self.script, self.defect)
        if finding is not None:
            note(finding.script)
        assert finding is None, finding.alarms


@cache
def kitchen_of() -> dict[str, Kitchen]:
    """What sessions are made from, by pack: the default plan."""
    return kitchens(find_plan("default"))


@cache
def touched() -> dict[str, frozenset[str]]:
    """The clauses that each declared defect touches, by `ON:NAME`."""
    return reach(load_plan(find_plan("default")).scenarios)


@cache
def packs_of(names: tuple[str, ...]) -> list[Pack]:
    """The packs with these ids."""
    return load_packs(names)


@cache
def workshop() -> Workshop:
    """One for all sessions: what it has read from pictures once it does not read again."""
    return Workshop(load_rig(find_rig("emulated")), seed=RIG_SEED)


def _unfinished(records: Sequence[Record]) -> list[str]:
    return [
        f"the session ended as {event.status}: {event.detail}"
        for record in records
        if isinstance(event := record.event, ScenarioFinished) and event.status != "completed"
    ]


def _alarms(verdicts: Sequence[Verdict], expected: frozenset[str]) -> list[str]:
    return [
        f"{one.clause}: {one.reason}" for one in verdicts if one.verdict is Outcome.FAIL and one.clause not in expected
    ]
