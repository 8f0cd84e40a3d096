"""What a verdict says of each requirement of its clause: laboratories must see which of them was broken."""

from pathlib import Path

from rules.loader import load_pack
from rules.pack import Pack
from rules.verdicts import Outcome
from tests.rules.small_pack import CLAUSE, saying, small_pack, verdict_of, write_pack
from tests.rules.stud_script import Stud
from tests.rules.table_script import Script

PASS, FAIL, DOUBT = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE

FIRST = 'trigger = { fact = "announced", phrase = "t" }\nresponse = [{ fact = "announced", phrase = "a" }]\n'
SECOND = """
[[clause.requirement]]
id = "second"
duty.en = "something else is so"
trigger = { fact = "announced", phrase = "t" }
absence = { fact = "announced", phrase = "f" }
"""


def pack_of_two(tmp_path: Path) -> Pack:
    return small_pack(tmp_path / "T", FIRST, SECOND)


def test_each_requirement_has_its_own_outcome_and_the_broken_ones_are_named(tmp_path: Path) -> None:
    pack = pack_of_two(tmp_path)
    stories = {
        "ta": {"r": PASS, "second": PASS},
        "taf": {"r": PASS, "second": FAIL},
        "tx": {"r": FAIL, "second": PASS},
        "tf": {"r": FAIL, "second": FAIL},
        "x": {"r": Outcome.NOT_TRIGGERED, "second": Outcome.NOT_TRIGGERED},
    }
    for story, outcomes in stories.items():
        verdict = verdict_of(pack, saying(*story))
        assert verdict.requirements == outcomes, story
        assert verdict.failed == [name for name, outcome in outcomes.items() if outcome is FAIL], story


def test_one_failure_among_many_triggers_is_the_requirement_s_outcome(tmp_path: Path) -> None:
    verdict = verdict_of(pack_of_two(tmp_path), saying(*"ta|t|ta"))
    assert verdict.requirements == {"r": FAIL, "second": PASS}


def test_no_requirement_passes_where_a_doubt_took_the_clause_s_pass(tmp_path: Path) -> None:
    verdict = verdict_of(pack_of_two(tmp_path), saying(*"ta", status="interrupted"))
    assert verdict.verdict is DOUBT
    assert set(verdict.requirements.values()) == {DOUBT}


def test_no_requirement_fails_where_the_clause_may_not_for_want_of_proof(tmp_path: Path) -> None:
    s = Script()
    s.begin("s", "T", ["T.1"])
    s.session(["seat/1"])
    s.armed("motor_stall", "shoe")
    s.just("open_round")
    s.announce("t")
    s.unproven("motor_stall", "shoe")
    s.just("close_round")
    s.end()
    verdict = verdict_of(pack_of_two(tmp_path), s)
    assert verdict.verdict is DOUBT
    assert verdict.failed == []


def test_where_a_trigger_cannot_be_told_no_requirement_passes() -> None:
    s = Stud()
    s.blind.add("seat/3")
    s.opening()
    s.hole()
    s.betting()
    s.rest()
    s.end()
    assert s.verdicts()["NJ-69F-33.12.a.1"].requirements == {"third_card_down": DOUBT, "hand_lives": DOUBT}


def test_a_clause_without_its_device_says_so_of_each_requirement(tmp_path: Path) -> None:
    body = CLAUSE.replace('citation = "1"', 'citation = "1"\nrole = "shoe"') + FIRST
    pack = load_pack(write_pack(tmp_path / "T", body))
    s = Script()
    s.begin("s", "T")
    s.session(["seat/1"], devices={})
    s.just("open_round")
    s.announce("t")
    s.just("close_round")
    s.end()
    assert verdict_of(pack, s).requirements == {"r": Outcome.NOT_APPLICABLE}
