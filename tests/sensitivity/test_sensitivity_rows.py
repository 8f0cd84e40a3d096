"""The rows of the defect matrix: what counts as caught, what as exact, and which requirements are left unshown."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.plan import Plan, load_plan
from fixtures.defect_runs import Judged
from fixtures.sensitivity import Row, holes, matrix
from rules.loader import load_pack
from rules.pack import Pack
from rules.verdicts import Outcome, Verdict, gravest
from tests.rules.small_pack import CLAUSE, write_pack

PASS, FAIL, IDLE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_TRIGGERED
BROKEN = "a+software.refund_twice"

DEMANDS = """
trigger = { fact = "announced", phrase = "dead" }
absence = { fact = "announced", phrase = "void" }
"""
SWITCHED = """
[[clause.requirement]]
id = "switched"
duty.en = "more is so"
when = { strict = "yes" }
trigger = { fact = "announced", phrase = "dead" }
absence = { fact = "announced", phrase = "misdeal" }
[[policy]]
id = "strict"
default = "no"
clauses = ["T.1"]
meaning.en = "Whether more is asked."
[[policy.value]]
value = "no"
meaning.en = "Nothing more."
[[policy.value]]
value = "yes"
meaning.en = "More."
"""
PLAN = """
name = "one"
title = "One scenario"
pack = "T"
[table]
game = "winners_pot"
cards_in_deck = 52
seated = ["seat/1"]
[[scenario]]
id = "a"
title = "A"
covers = ["T.1"]
defect = [{{ name = "refund_twice", on = "software", {} }}]
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    other = CLAUSE.replace("T.1", "T.2") + DEMANDS
    second = '\n[[clause.requirement]]\nid = "second"\nduty.en = "something is so"' + DEMANDS + SWITCHED
    return load_pack(write_pack(tmp_path / "T", CLAUSE + DEMANDS + second, other))


def plan_of(folder: Path, entry: str) -> Plan:
    path = folder / "plan.toml"
    path.write_text(PLAN.format(entry))
    return load_plan(path)


def verdict(run: str, clause: str, requirements: Mapping[str, Outcome]) -> Verdict:
    outcome = gravest(requirements.values())
    return Verdict(
        scenario=run, pack="T", clause=clause, verdict=outcome, reason="", requirements=dict(requirements)
    )  # fmt: skip


def judged(run: str, one: Mapping[str, Outcome], two: Outcome = PASS, policies: str = "") -> Judged:
    special = (("strict", policies),) if policies else ()
    return {(run, special): {"T.1": verdict(run, "T.1", one), "T.2": verdict(run, "T.2", {"r": two})}}


RIGHT = {"r": PASS, "second": PASS}


def row_of(rows: list[Row], requirement: str, clause: str = "T.1") -> Row:
    return next(row for row in rows if (row.clause, row.requirement) == (clause, requirement))


@pytest.mark.parametrize(
    ("entry", "first", "second", "other", "exact", "also", "undeclared"),
    [
        ('fails = "T.1/r"', FAIL, PASS, PASS, True, [], []),
        ('fails = "T.1/r"', FAIL, FAIL, PASS, False, ["T.1/second"], ["T.1/second"]),
        ('fails = "T.1/r", follows = ["T.1/second"]', FAIL, FAIL, PASS, True, ["T.1/second"], []),
        ('fails = "T.1/r", follows = ["T.1"]', FAIL, FAIL, PASS, True, ["T.1/second"], []),
        ('fails = "T.1/r", follows = ["T.2"]', FAIL, PASS, FAIL, True, ["T.2"], []),
        ('fails = "T.1/r", follows = ["T.2/r"]', FAIL, PASS, FAIL, True, ["T.2"], []),
        ('fails = "T.1/r"', FAIL, PASS, FAIL, False, ["T.2"], ["T.2/r"]),
        ('fails = "T.1/r"', PASS, FAIL, PASS, False, ["T.1/second"], ["T.1/second"]),
        ('fails = "T.1/r"', PASS, PASS, PASS, False, [], []),
        ('fails = "T.1/r"', IDLE, IDLE, PASS, False, [], []),
        ('fails = "T.1"', FAIL, FAIL, PASS, True, [], []),
        ('fails = "T.1"', FAIL, PASS, FAIL, False, ["T.2"], ["T.2/r"]),
    ],
)
def test_a_defect_is_exact_when_its_requirement_fails_and_nothing_else_but_what_is_declared(
    tmp_path: Path,
    pack: Pack,
    entry: str,
    first: Outcome,
    second: Outcome,
    other: Outcome,
    exact: bool,
    also: list[str],
    undeclared: list[str],
) -> None:
    runs = judged("a", RIGHT) | judged(BROKEN, {"r": first, "second": second}, other)
    row = row_of(matrix(plan_of(tmp_path, entry), [pack], runs), "r")
    [caught] = row.defects
    assert (caught.exact, caught.also_failed, caught.undeclared) == (exact, also, undeclared)
    assert (row.compliant, row.sound, row.shown) == (PASS, exact, exact)


def test_a_defect_that_names_only_a_clause_stands_with_the_requirement_that_failed(tmp_path: Path, pack: Pack) -> None:
    runs = judged("a", RIGHT) | judged(BROKEN, {"r": PASS, "second": FAIL})
    rows = matrix(plan_of(tmp_path, 'fails = "T.1"'), [pack], runs)
    assert [row.requirement for row in rows if row.shown] == ["second"]


def test_every_requirement_has_a_row_and_those_without_an_exact_defect_are_holes(tmp_path: Path, pack: Pack) -> None:
    runs = judged("a", RIGHT) | judged(BROKEN, {"r": FAIL, "second": PASS})
    rows = matrix(plan_of(tmp_path, 'fails = "T.1/r"'), [pack], runs)
    assert [row.name for row in rows] == ["T.1/r", "T.1/second", "T.1/switched", "T.2/r"]
    assert holes(rows, [pack], {}) == ["T.1/second", "T.1/switched", "T.2/r"]
    # A switch that was turned on purpose leaves nothing to show; its default is no excuse.
    for asked in ({"strict": "no"}, {"T/strict": "no"}):
        assert holes(rows, [pack], asked) == ["T.1/second", "T.2/r"]
    assert "T.1/switched" in holes(rows, [pack], {"strict": "yes"})


@pytest.mark.parametrize("outcome", [FAIL, Outcome.INCONCLUSIVE, Outcome.NEEDS_OPERATOR_INPUT, Outcome.NOT_APPLICABLE])
def test_a_compliant_run_that_does_not_pass_makes_the_row_unsound(tmp_path: Path, pack: Pack, outcome: Outcome) -> None:
    runs = judged("a", {"r": outcome, "second": PASS}) | judged(BROKEN, {"r": FAIL, "second": PASS})
    row = row_of(matrix(plan_of(tmp_path, 'fails = "T.1/r"'), [pack], runs), "r")
    assert (row.compliant, row.sound) == (outcome, False)


def test_what_a_right_table_never_does_here_may_be_shown_to_pass_in_another_scenario(
    tmp_path: Path, pack: Pack
) -> None:
    plan = plan_of(tmp_path, 'fails = "T.1/r"')
    runs = judged("a", {"r": IDLE, "second": IDLE}) | judged(BROKEN, {"r": FAIL, "second": IDLE})
    assert row_of(matrix(plan, [pack], runs | judged("b+software.refund_twice", RIGHT)), "r").compliant is IDLE
    assert row_of(matrix(plan, [pack], runs | judged("b", RIGHT)), "r").compliant is PASS


def test_a_defect_is_judged_under_the_policies_that_it_names(tmp_path: Path, pack: Pack) -> None:
    plan = plan_of(tmp_path, 'fails = "T.1/switched", policies = { strict = "yes" }')
    strict = {**RIGHT, "switched": PASS}
    usual = judged("a", RIGHT) | judged(BROKEN, RIGHT)
    row = row_of(matrix(plan, [pack], usual), "switched")
    assert (row.compliant, row.defects[0].verdict, row.shown) == (IDLE, Outcome.INCONCLUSIVE, False)
    special = judged("a", strict, policies="yes") | judged(BROKEN, {**RIGHT, "switched": FAIL}, policies="yes")
    row = row_of(matrix(plan, [pack], usual | special), "switched")
    assert (row.compliant, row.sound, row.shown) == (PASS, True, True)
    assert row.defects[0].policies == {"strict": "yes"}
