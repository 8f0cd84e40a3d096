"""What the rules leave to the house: a ruling of the floor is a fact, and without it there is no verdict."""

from pathlib import Path

import pytest

from evidence.events import FloorRuled
from rules.verdicts import Outcome
from tests.rules.small_pack import small_pack, verdict_of
from tests.rules.table_script import Script

REQUIREMENT = """
trigger = { fact = "wager_placed" }
response = [{ fact = "announced", phrase = "a" }]
needs_ruling = ["unlisted"]
"""


def story(*rulings: FloorRuled, answered: bool = True) -> Script:
    s = Script()
    s.begin("s", "T")
    s.session(["seat/1", "seat/2"])
    s.just("open_round")
    s.wager("seat/1")
    for ruling in rulings:
        s.put(ruling)
    if answered:
        s.announce("a")
    s.just("close_round")
    s.end()
    return s


def ruled(question: str = "unlisted", position: str = "") -> FloorRuled:
    return FloorRuled(question=question, ruling="misdeal", by="the floor", position=position)


def test_without_a_ruling_of_the_floor_there_is_no_verdict(tmp_path: Path) -> None:
    pack = small_pack(tmp_path / "T", REQUIREMENT)
    verdict = verdict_of(pack, story())
    assert verdict.verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "“unlisted”" in verdict.reason
    assert verdict_of(pack, story(ruled())).verdict is Outcome.PASS
    assert verdict_of(pack, story(ruled(), answered=False)).verdict is Outcome.FAIL


@pytest.mark.parametrize(
    ("ruling", "counts"),
    [
        (ruled(position="seat/1"), True),
        (ruled(position="seat/2"), False),
        (ruled(question="another"), False),
    ],
)
def test_a_ruling_counts_for_its_question_and_its_hand(tmp_path: Path, ruling: FloorRuled, counts: bool) -> None:
    verdict = verdict_of(small_pack(tmp_path / "T", REQUIREMENT), story(ruling)).verdict
    assert verdict is (Outcome.PASS if counts else Outcome.NEEDS_OPERATOR_INPUT)


def test_a_ruling_before_the_trigger_decides_nothing(tmp_path: Path) -> None:
    s = Script()
    s.begin("s", "T")
    s.session(["seat/1"])
    s.just("open_round")
    s.put(ruled())
    s.wager("seat/1")
    s.announce("a")
    s.end()
    assert verdict_of(small_pack(tmp_path / "T", REQUIREMENT), s).verdict is Outcome.NEEDS_OPERATOR_INPUT


def test_a_pack_may_demand_of_what_was_ruled(tmp_path: Path) -> None:
    requirement = """
trigger = { fact = "floor_ruled", question = "unlisted", ruling = "misdeal" }
response = [{ fact = "announced", phrase = "a" }]
"""
    pack = small_pack(tmp_path / "T", requirement)
    assert verdict_of(pack, story(ruled())).verdict is Outcome.PASS
    assert verdict_of(pack, story(ruled(), answered=False)).verdict is Outcome.FAIL
    other = FloorRuled(question="unlisted", ruling="play_on", by="the floor")
    assert verdict_of(pack, story(other, answered=False)).verdict is Outcome.NOT_TRIGGERED


@pytest.mark.parametrize("ruling", ["misdeal", "play_on"])
def test_any_ruling_on_the_question_is_one_whatever_other_requirements_look_for(tmp_path: Path, ruling: str) -> None:
    others = """
[[clause.requirement]]
id = "followed"
duty.en = "a is said"
trigger = { fact = "floor_ruled", question = "unlisted", ruling = "misdeal" }
response = [{ fact = "announced", phrase = "a" }]
"""
    pack = small_pack(tmp_path / "T", REQUIREMENT, others)
    given = FloorRuled(question="unlisted", ruling=ruling, by="the floor")
    assert verdict_of(pack, story(given)).verdict is Outcome.PASS
