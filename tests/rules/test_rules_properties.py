"""Whatever happens to a journal, the judge never raises, and what is lost never turns into a pass."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evidence.events import CardsSeen, Record
from rules.judge import judge
from rules.verdicts import Outcome, Verdict
from tests.rules.pai_gow_script import PaiGow, only, wrong_stack
from tests.rules.stud_script import Stud
from tests.rules.table_script import PACKS, Script

ALL = list(PACKS.values())
GOOD = {Outcome.PASS, Outcome.NOT_TRIGGERED, Outcome.NOT_APPLICABLE}
LIGHT = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def resumed_jam() -> Stud:
    """The shoe jams and the round is played on, then everything else goes wrong too."""
    s = Stud(["j.1"])
    s.opening()
    s.hole(seat3_1={"up": True})
    order = s.order("dispense", device="shoe", unit="card")
    s.command("shoe", "deal_card")
    edge = s.line("shoe/exit")
    s.fault("shoe", "stop")
    s.proven("card_stuck_on_exit", "shoe", "jam", [edge])
    s.done(order, "dispense", "failed")
    s.ask("resume", probe=True)
    s.just("proceed", request="resume")
    s.street(seat3="up")
    s.finish()
    s.end()
    return s


def obedient_jam() -> Stud:
    s = Stud(["j.1"])
    s.opening()
    s.hole()
    order = s.order("dispense", device="shoe", unit="card")
    s.command("shoe", "deal_card")
    edge = s.line("shoe/exit")
    s.fault("shoe", "stop")
    s.proven("card_stuck_on_exit", "shoe", "jam", [edge])
    s.done(order, "dispense", "failed")
    s.just("void_round")
    s.remove_cards()
    s.reshuffle()
    s.just("close_round")
    s.ask("resume", probe=True)
    s.just("refuse", request="resume")
    s.end()
    return s


def bad_stack() -> PaiGow:
    s = only(wrong_stack(6), "play")
    s.end()
    return s


def proper() -> PaiGow:
    s = PaiGow()
    s.proper()
    s.end()
    return s


STORIES: dict[str, Callable[[], Script]] = {
    "resumed jam": resumed_jam, "obedient jam": obedient_jam, "bad stack": bad_stack, "proper": proper,
}  # fmt: skip
RECORDS: dict[str, list[Record]] = {name: story().records for name, story in STORIES.items()}


def by_clause(verdicts: list[Verdict]) -> dict[str, Outcome]:
    return {one.clause: one.verdict for one in verdicts}


STRAIGHT = {name: by_clause(judge(records, ALL)) for name, records in RECORDS.items()}


def renumbered(records: list[Record]) -> list[Record]:
    """The same events as if the lost ones had never been recorded."""
    return [msgspec.structs.replace(record, seq=n) for n, record in enumerate(records)]


def test_the_stories_are_what_they_are_meant_to_be() -> None:
    assert {name: Outcome.FAIL in verdicts.values() for name, verdicts in STRAIGHT.items()} == {
        "resumed jam": True, "obedient jam": False, "bad stack": True, "proper": False,
    }  # fmt: skip


@LIGHT
@given(story=st.sampled_from(sorted(STORIES)), lost=st.sets(st.integers(0, 400), min_size=1, max_size=30))
def test_lost_records_never_raise_and_never_pass(story: str, lost: set[int]) -> None:
    records = RECORDS[story]
    left = [record for record in records if record.seq not in lost]
    inside = any(2 <= seq < len(records) - 1 for seq in lost)
    for clause, outcome in by_clause(judge(left, ALL)).items():
        if inside:
            assert outcome not in GOOD, clause
        if outcome is Outcome.FAIL:
            assert STRAIGHT[story][clause] is Outcome.FAIL, clause


@LIGHT
@given(story=st.sampled_from(sorted(STORIES)), data=st.data())
def test_records_in_any_order_and_number_never_raise(story: str, data: st.DataObject) -> None:
    records = RECORDS[story]
    picked = data.draw(st.lists(st.integers(0, len(records) - 1), max_size=200))
    judge([records[n] for n in picked], ALL)
    judge(renumbered([records[n] for n in picked]), ALL)


@LIGHT
@given(story=st.sampled_from(sorted(STORIES)), twice=st.sets(st.integers(0, 400), min_size=1, max_size=30))
def test_doubled_records_turn_no_failure_into_a_pass(story: str, twice: set[int]) -> None:
    doubled = [record for record in RECORDS[story] for _ in range(1 + (record.seq in twice))]
    for clause, outcome in by_clause(judge(doubled, ALL)).items():
        assert outcome is not Outcome.PASS or STRAIGHT[story][clause] is Outcome.PASS
        assert outcome is not Outcome.FAIL or STRAIGHT[story][clause] is Outcome.FAIL


@LIGHT
@given(story=st.sampled_from(["obedient jam", "proper"]), length=st.integers(0, 400))
def test_a_journal_cut_short_passes_nothing(story: str, length: int) -> None:
    records = RECORDS[story]
    if length < len(records):
        assert not set(by_clause(judge(records[:length], ALL)).values()) & (GOOD | {Outcome.FAIL})


@LIGHT
@given(story=st.sampled_from(["obedient jam", "proper"]), unseen=st.sets(st.integers(0, 400), min_size=1, max_size=20))
def test_a_camera_that_abstains_never_makes_a_failure(story: str, unseen: set[int]) -> None:
    """Fewer things seen: a pass may become a doubt, and never a breach."""
    records = [
        msgspec.structs.replace(record, event=CardsSeen(place=record.event.place, count=None))
        if record.seq in unseen and isinstance(record.event, CardsSeen)
        else record
        for record in RECORDS[story]
    ]
    for clause, outcome in by_clause(judge(records, ALL)).items():
        assert outcome is not Outcome.FAIL, clause
        assert outcome is not Outcome.PASS or STRAIGHT[story][clause] is Outcome.PASS


@pytest.mark.parametrize("story", sorted(STORIES))
def test_judging_twice_gives_the_same(story: str) -> None:
    assert judge(RECORDS[story], ALL) == judge(iter(RECORDS[story]), ALL)


@pytest.mark.parametrize("story", sorted(STORIES))
def test_verdicts_are_json_and_read_back(story: str) -> None:
    verdicts = judge(RECORDS[story], ALL)
    assert msgspec.json.decode(msgspec.json.encode(verdicts), type=list[Verdict]) == verdicts
    for verdict in verdicts:
        assert verdict.reason.endswith(".")
        assert "\n" not in verdict.reason
        assert all(0 <= seq < len(RECORDS[story]) for seq in verdict.evidence)
