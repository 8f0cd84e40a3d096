"""A table that several packs rule: a scenario is judged by each of them, and by each as if it were alone."""

from pathlib import Path

import msgspec
import pytest

from evidence.events import Record
from rules.judge import judge
from rules.loader import load_pack
from rules.pack import Pack
from rules.verdicts import Outcome, Verdict
from tests.rules.small_pack import CLAUSE, HEAD, write_pack
from tests.rules.table_script import Script

WANTS = """
trigger = {{ fact = "round_opened" }}
response = [{{ fact = "announced", phrase = "{phrase}" }}]
"""
POLICY = """
[[policy]]
id = "mood"
default = "kind"
clauses = ["{pack}.1"]
meaning.en = "How it is read."
[[policy.value]]
value = "kind"
meaning.en = "Kindly."
[[policy.value]]
value = "strict"
meaning.en = "Strictly."
"""


def pack(folder: Path, name: str, phrase: str, *extra: str, when: str = "") -> Pack:
    """A pack `name` whose clause asks that the phrase be said in each round."""
    body = CLAUSE.replace("T.1", f"{name}.1") + WANTS.format(phrase=phrase) + when
    head = HEAD.replace('id = "T"', f'id = "{name}"')
    return load_pack(write_pack(folder / name, *extra, body, head=head))


def story(*phrases: str, covers: tuple[str, ...] = (), also: tuple[str, ...] = ("B",)) -> Script:
    s = Script()
    s.begin("s", "A", covers, also)
    s.session(["seat/1"])
    s.just("open_round")
    for phrase in phrases:
        s.announce(phrase)
    s.just("close_round")
    s.end()
    return s


def outcomes(found: list[Verdict]) -> dict[str, tuple[str, Outcome]]:
    return {one.clause: (one.pack, one.verdict) for one in found}


def test_each_pack_judges_for_itself(tmp_path: Path) -> None:
    packs = [pack(tmp_path, "A", "dead"), pack(tmp_path, "B", "void")]
    assert outcomes(judge(story("dead").records, packs)) == {
        "A.1": ("A", Outcome.PASS),
        "B.1": ("B", Outcome.FAIL),
    }
    assert outcomes(judge(story("void").records, packs)) == {
        "A.1": ("A", Outcome.FAIL),
        "B.1": ("B", Outcome.PASS),
    }


def test_a_pack_that_the_scenario_does_not_name_says_nothing(tmp_path: Path) -> None:
    packs = [pack(tmp_path, "A", "dead"), pack(tmp_path, "B", "void")]
    assert set(outcomes(judge(story("dead", also=()).records, packs))) == {"A.1"}


def test_a_pack_named_twice_judges_once(tmp_path: Path) -> None:
    packs = [pack(tmp_path, "A", "dead"), pack(tmp_path, "B", "void")]
    found = judge(story("dead", also=("B", "A", "B")).records, packs)
    assert [one.clause for one in found] == ["A.1", "B.1"]


@pytest.mark.parametrize("given", ["A", "B"])
def test_what_a_missing_pack_should_have_judged_is_inconclusive(tmp_path: Path, given: str) -> None:
    packs = {"A": pack(tmp_path, "A", "dead"), "B": pack(tmp_path, "B", "dead")}
    missing = "AB".replace(given, "")
    found = outcomes(judge(story("dead", covers=("A.1", "B.1:x")).records, [packs[given]]))
    assert found == {f"{given}.1": (given, Outcome.PASS), f"{missing}.1": (missing, Outcome.INCONCLUSIVE)}


def test_a_missing_pack_of_which_nothing_is_covered_is_still_told(tmp_path: Path) -> None:
    found = judge(story("dead", covers=("A.1",)).records, [pack(tmp_path, "A", "dead")])
    assert outcomes(found) == {"A.1": ("A", Outcome.PASS), "": ("B", Outcome.INCONCLUSIVE)}


def test_switches_of_one_pack_are_not_those_of_the_other(tmp_path: Path) -> None:
    """Both have a switch of one name; each is turned by itself."""
    when = 'when = { mood = "strict" }\n'
    packs = [pack(tmp_path, name, "dead", POLICY.format(pack=name), when=when) for name in "AB"]
    found = outcomes(judge(story().records, packs, {"B/mood": "strict"}))
    assert found == {"A.1": ("A", Outcome.NOT_APPLICABLE), "B.1": ("B", Outcome.FAIL)}


def test_a_gap_in_the_journal_shakes_the_verdicts_of_every_pack(tmp_path: Path) -> None:
    packs = [pack(tmp_path, "A", "dead"), pack(tmp_path, "B", "dead")]
    records: list[Record] = story("dead").records
    del records[-4]
    assert {one.verdict for one in judge(records, packs)} == {Outcome.INCONCLUSIVE}


def test_a_failure_under_one_pack_survives_a_second_attempt_and_the_other_pack_is_judged_anew(tmp_path: Path) -> None:
    packs = [pack(tmp_path, "A", "dead"), pack(tmp_path, "B", "void")]
    first, second = story("dead").records, story("dead", "void").records
    last = first[-1].seq
    again = [msgspec.structs.replace(record, seq=last + 1 + n) for n, record in enumerate(second)]
    found = judge([*first, *again], packs)
    assert outcomes(found) == {"A.1": ("A", Outcome.PASS), "B.1": ("B", Outcome.FAIL)}
