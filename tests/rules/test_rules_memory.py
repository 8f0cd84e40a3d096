"""Judging takes memory for what is open, not for what has been: thousands of rounds leave little behind."""

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from evidence.events import Directive, Record, ScenarioFinished, TableDone
from rules.demands import PackRules
from rules.judge import judge
from rules.monitor import ClauseMonitor
from rules.past import Past
from rules.verdicts import Outcome
from rules.vocabulary import Fact
from tests.rules.small_pack import small_pack
from tests.rules.stud_script import PACK, Stud
from tests.rules.table_script import PACKS

TRIGGERS = 1000
ANY = '{ fact = "announced", phrase = "%s" }'
SCENARIO = 'scope = "scenario"\n'
KINDS = {
    "absence": SCENARIO + f"absence = {ANY % 'f'}",
    "bound absence": SCENARIO + 'absence = { fact = "player_act", act = "fold", position = "$position" }',
    "absence with an exception": SCENARIO + f"absence = {ANY % 'f'}\nunless = {ANY % 'u'}",
    "response": SCENARIO + f"response = [{ANY % 'a'}]",
    "response that never comes": SCENARIO + f"response = [{ANY % 'z'}]",
    "existence that never comes": SCENARIO + f"existence = [{ANY % 'z'}]",
    "response in its round": f"response = [{ANY % 'a'}]",
    "late, with an exception": SCENARIO + f"response = [{ANY % 'b'}]\nbefore = {ANY % 'a'}\nunless = {ANY % 'u'}",
    "probe": SCENARIO + f"absence = {ANY % 'f'}\nprobed = {ANY % 'a'}",
    "holds": SCENARIO + 'holds = { position = "seat/1" }\nunless = { fact = "cut" }',
    "until": SCENARIO + f"not_succession = {ANY % 'f'}\nuntil = {ANY % 'a'}",
}


class Feeder:
    """Feeds facts to the monitor of the one clause of a small pack."""

    def __init__(self, folder: Path, requirement: str) -> None:
        pack = small_pack(folder / "T", requirement)
        self.past = Past()
        self.monitor = ClauseMonitor(PackRules(pack, {}).clauses[0], self.past, {})
        self._seq = 0

    def state(self, name: str, *, amendable: bool = False, **attributes: str | int | bool | None) -> Fact:
        self._seq += 1
        seq = self._seq
        fact = Fact(name=name, attributes=attributes, at=seq, seq=seq, evidence=(seq,), id=seq, amendable=amendable)
        self.past.add(fact)
        if name in self.monitor.rules.watched:
            self.monitor.feed(fact)
        return fact


@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_triggers_leave_few_obligations_open(tmp_path: Path, kind: str) -> None:
    feeder = Feeder(tmp_path, f'trigger = {{ fact = "wager_placed" }}\n{KINDS[kind]}')
    most = 0
    for n in range(TRIGGERS):
        feeder.state("round_opened", number=n)
        feeder.state("wager_placed", position=f"seat/{n % 6}", wager="main", offered=True)
        feeder.state("announced", phrase="a")
        feeder.state("round_closed", number=n, voided=False)
        most = max(most, len(feeder.monitor.open))
    assert most <= 10
    results = feeder.monitor.results()
    assert sum(len(one.evidence) for one in results) < 100


def test_each_trigger_that_an_obligation_stands_for_is_counted(tmp_path: Path) -> None:
    feeder = Feeder(tmp_path, f'trigger = {{ fact = "wager_placed" }}\n{KINDS["absence"]}')
    for _ in range(7):
        feeder.state("wager_placed", position="seat/1", wager="main", offered=True)
    assert len(feeder.monitor.open) == 1
    feeder.monitor.finish()
    [result] = feeder.monitor.results()
    assert result.outcome is Outcome.PASS
    assert result.telling.values["times"] == 7


def test_obligations_that_differ_in_what_they_are_bound_to_stay_apart(tmp_path: Path) -> None:
    feeder = Feeder(tmp_path, f'trigger = {{ fact = "wager_placed" }}\n{KINDS["bound absence"]}')
    first = feeder.state("wager_placed", position="seat/1", wager="main", offered=True)
    second = feeder.state("wager_placed", position="seat/2", wager="main", offered=True)
    feeder.state("player_act", act="fold", position="seat/2", amount_cents=0, choice="")
    [failed, *_] = feeder.monitor.results()
    assert (failed.outcome, failed.trigger) == (Outcome.FAIL, second.at)
    assert first.at != second.at


@pytest.mark.parametrize("rounds", [[None, True], [True, None], [None, None, True, None]])
def test_a_doubt_about_one_trigger_hides_no_failure_at_another(tmp_path: Path, rounds: list[bool | None]) -> None:
    """Both came to nothing: where it cannot be told whether the trigger was right there is a doubt, else a failure."""
    requirement = (
        'holds = { right = true }\nresponse = [{ fact = "announced", phrase = "a" }]\nunless = { fact = "cut" }'
    )
    feeder = Feeder(tmp_path, f'trigger = {{ fact = "stack_counted" }}\n{requirement}')
    for n, right in enumerate(rounds):
        feeder.state("round_opened", number=n)
        feeder.state("stack_counted", place="seat/1", count=7, right=right, counted=True)
        feeder.state("round_closed", number=n, voided=False)
    feeder.monitor.finish()
    assert feeder.monitor.results()[0].outcome is Outcome.FAIL


# --- facts that may be corrected -------------------------------------------------------------------------------------

IRREGULARITY = (
    'trigger = { fact = "device_irregularity", symptom = "jam" }\nscope = "scenario"\n'
    'response = [{ fact = "announced", phrase = "a" }]'
)
ATTRIBUTES: dict[str, str | int | bool | None] = {
    "device": "shoe", "role": "shoe", "symptom": "jam", "during": "round", "basis": "claimed", "silent": False,
    "recovered": False,
}  # fmt: skip


def test_a_trigger_can_be_corrected_no_longer_once_what_followed_it_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Past, "LIMIT", 100)
    feeder = Feeder(tmp_path, IRREGULARITY)
    most = 0
    for _ in range(1000):
        feeder.state("device_irregularity", amendable=True, **ATTRIBUTES)
        feeder.state("announced", phrase="a")
        most = max(most, len(feeder.monitor.open))
    assert most <= 100
    feeder.monitor.finish()
    assert [one.outcome for one in feeder.monitor.results()] == [Outcome.PASS]


def test_a_correction_that_comes_too_late_leaves_a_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same piece of work is told anew as a fact of its own, of which nobody can say what followed it."""
    monkeypatch.setattr(Past, "LIMIT", 100)
    feeder = Feeder(tmp_path, IRREGULARITY)
    first = feeder.state("device_irregularity", amendable=True, **ATTRIBUTES)
    for _ in range(300):
        feeder.state("announced", phrase="a")
    late = msgspec.structs.replace(first, seq=first.seq + 400, id=400, revision=0)
    feeder.past.add(late)
    feeder.monitor.feed(late)
    feeder.monitor.finish()
    assert feeder.monitor.results()[0].outcome is Outcome.INCONCLUSIVE


# --- whole journals --------------------------------------------------------------------------------------------------


def endless(rounds: int, scenarios: int = 1) -> Iterator[Record]:
    """A journal of scenarios in which one round, with a card that lay face up, is played over and over."""
    story = Stud(["a.1:player_first"])
    story.opening()
    story.hole(seat3_1={"up": True})
    story.betting()
    story.rest(seat3="down")
    first = next(n for n, one in enumerate(story.records) if isinstance(one.event, Directive))
    last = max(n for n, one in enumerate(story.records) if isinstance(one.event, TableDone)) + 1
    ending = msgspec.structs.replace(story.records[-1], event=ScenarioFinished(status="completed"))
    seq = 0
    for scenario in range(scenarios):
        parts = [story.records[:first], *[story.records[first:last]] * rounds, [ending]]
        for record in (record for part in parts for record in part):
            name = f"s{scenario}" if record.scenario else ""
            yield msgspec.structs.replace(record, seq=seq, scenario=name)
            seq += 1


def peak_bytes(rounds: int, scenarios: int = 1) -> int:
    gc.collect()
    tracemalloc.start()
    verdicts = judge(endless(rounds, scenarios), [PACKS[PACK]])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert {one.verdict for one in verdicts if one.clause == f"{PACK}.a.1"} == {Outcome.PASS}
    return peak


def test_memory_does_not_grow_with_the_rounds_of_a_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Past, "LIMIT", 500)
    peak_bytes(5)  # what is loaded once
    assert peak_bytes(60) < 1.1 * peak_bytes(20)


def test_a_scenario_leaves_nothing_but_its_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    peak_bytes(2, 2)
    few, many = peak_bytes(2, 5), peak_bytes(2, 25)
    verdicts = 20 * len(PACKS[PACK].clauses)
    assert (many - few) / verdicts < 3000
