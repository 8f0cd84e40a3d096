"""What a plan's verdicts add up to: CONFORMS is never said of what was not shown."""

from pathlib import Path
from typing import NamedTuple

import pytest

from rules.loader import load_pack
from rules.pack import Pack
from rules.summary import Overall, summarise
from rules.verdicts import Outcome, Verdict
from tests.rules.small_pack import CLAUSE, HEAD, write_pack

BODY = 'trigger = { fact = "round_opened" }\nabsence = { fact = "announced", phrase = "x" }\n'
TWO = """
[[clause.alternative]]
id = "one"
where = { number = 1 }
meaning.en = "The first."
[[clause.alternative]]
id = "two"
where = { number = 2 }
meaning.en = "The second."
"""


@pytest.fixture
def rules_pack(tmp_path: Path) -> Pack:
    """T.1 without alternatives, T.2 with two."""
    return load_pack(write_pack(tmp_path / "T", CLAUSE + BODY, CLAUSE.replace("T.1", "T.2") + BODY + TWO))


def verdict(clause: str, outcome: Outcome, *alternatives: str, scenario: str = "s", trigger: int | None = 1) -> Verdict:
    return Verdict(
        scenario=scenario, pack="T", clause=clause, verdict=outcome, reason=f"{clause} {outcome}", trigger=trigger,
        alternatives=list(alternatives),
    )  # fmt: skip


PASSED = [verdict("T.1", Outcome.PASS), verdict("T.2", Outcome.PASS, "one", "two")]


def test_everything_shown_conforms(rules_pack: Pack) -> None:
    summary = summarise(PASSED, [rules_pack], ["s"])
    assert summary.overall is Overall.CONFORMS
    assert summary.open_points == []
    assert [one.complete for one in summary.clauses] == [True, True]
    assert summary.clauses[1].passed == summary.clauses[1].declared == ["one", "two"]


def test_alternatives_may_be_shown_in_different_scenarios(rules_pack: Pack) -> None:
    verdicts = [
        verdict("T.1", Outcome.PASS),
        verdict("T.2", Outcome.PASS, "one"),
        verdict("T.2", Outcome.PASS, "two", scenario="other"),
        verdict("T.1", Outcome.NOT_TRIGGERED, scenario="other", trigger=None),
    ]
    assert summarise(verdicts, [rules_pack], ["s", "other"]).overall is Overall.CONFORMS


def test_an_alternative_not_shown_is_not_conformity(rules_pack: Pack) -> None:
    summary = summarise([PASSED[0], verdict("T.2", Outcome.PASS, "one")], [rules_pack], ["s"])
    assert summary.overall is Overall.INCONCLUSIVE
    assert "two is missing" in summary.open_points[0]


def test_a_clause_not_triggered_is_not_conformity(rules_pack: Pack) -> None:
    verdicts = [verdict("T.1", Outcome.NOT_TRIGGERED, trigger=None), PASSED[1]]
    assert summarise(verdicts, [rules_pack], ["s"]).overall is Overall.INCONCLUSIVE


def test_a_pack_of_which_no_clause_concerns_the_table_is_not_conformity(rules_pack: Pack) -> None:
    """A table without the device that the rules speak of has shown nothing about them."""
    aside = [verdict(name, Outcome.NOT_APPLICABLE, trigger=None) for name in ("T.1", "T.2")]
    summary = summarise(aside, [rules_pack], ["s"])
    assert summary.overall is Overall.INCONCLUSIVE
    assert summary.open_points == ["No clause of T was shown to hold."]
    one_shown = [verdict("T.1", Outcome.PASS), verdict("T.2", Outcome.NOT_APPLICABLE, trigger=None)]
    assert summarise(one_shown, [rules_pack], ["s"]).overall is Overall.CONFORMS


def test_one_failure_decides(rules_pack: Pack) -> None:
    verdicts = [*PASSED, verdict("T.1", Outcome.FAIL, scenario="other"), verdict("T.2", Outcome.INCONCLUSIVE)]
    summary = summarise(verdicts, [rules_pack], ["s", "other"])
    assert summary.overall is Overall.NON_CONFORMITY
    assert (summary.clauses[0].verdict, summary.clauses[0].scenario) == (Outcome.FAIL, "other")


@pytest.mark.parametrize("outcome", [Outcome.INCONCLUSIVE, Outcome.NEEDS_OPERATOR_INPUT])
def test_one_doubt_anywhere_is_not_conformity(rules_pack: Pack, outcome: Outcome) -> None:
    summary = summarise([*PASSED, verdict("T.1", outcome, scenario="other")], [rules_pack], ["s", "other"])
    assert summary.overall is Overall.INCONCLUSIVE
    assert summary.clauses[0].verdict is outcome
    assert "Scenario other is not conclusive." in summary.open_points


@pytest.mark.parametrize(("verdicts", "scenarios"), [([], []), ([], ["s"]), (PASSED, []), (PASSED, ["s", "lost"])])
def test_an_empty_plan_or_a_lost_scenario_is_not_conformity(
    rules_pack: Pack, verdicts: list[Verdict], scenarios: list[str]
) -> None:
    assert summarise(verdicts, [rules_pack], scenarios).overall is Overall.INCONCLUSIVE


def test_no_pack_is_not_conformity() -> None:
    assert summarise([], [], []).overall is Overall.INCONCLUSIVE


def test_what_does_not_concern_the_table_is_no_obstacle(rules_pack: Pack) -> None:
    verdicts = [verdict("T.1", Outcome.NOT_APPLICABLE, trigger=None), PASSED[1]]
    assert summarise(verdicts, [rules_pack], ["s"]).overall is Overall.CONFORMS


def test_what_was_only_ever_excused_was_not_shown(rules_pack: Pack) -> None:
    verdicts = [verdict("T.1", Outcome.NOT_APPLICABLE, trigger=7), PASSED[1]]
    summary = summarise(verdicts, [rules_pack], ["s"])
    assert summary.overall is Overall.INCONCLUSIVE
    assert summary.clauses[0].verdict is Outcome.NOT_TRIGGERED


@pytest.mark.parametrize(
    ("graver", "lighter"),
    [
        (Outcome.FAIL, Outcome.INCONCLUSIVE),
        (Outcome.INCONCLUSIVE, Outcome.NEEDS_OPERATOR_INPUT),
        (Outcome.NEEDS_OPERATOR_INPUT, Outcome.PASS),
        (Outcome.PASS, Outcome.NOT_TRIGGERED),
        (Outcome.PASS, Outcome.NOT_APPLICABLE),
    ],
)
def test_the_graver_verdict_decides_for_a_clause(rules_pack: Pack, graver: Outcome, lighter: Outcome) -> None:
    for order in ((graver, lighter), (lighter, graver)):
        verdicts = [verdict("T.1", one, scenario=str(n)) for n, one in enumerate(order)]
        assert summarise(verdicts, [rules_pack], ["0", "1"]).clauses[0].verdict is graver


class Listed(NamedTuple):
    id: str
    pack: str
    covers: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("covers", "conforms"),
    [(("T.1",), True), (("T.1", "T.2:one"), True), (("T.3",), False), (("T.2:three",), False)],
)
def test_a_scenario_that_does_not_trigger_what_it_is_there_for_leaves_the_plan_open(
    rules_pack: Pack, covers: tuple[str, ...], conforms: bool
) -> None:
    summary = summarise(PASSED, [rules_pack], [Listed("s", rules_pack.id, covers)])
    assert (summary.overall is Overall.CONFORMS) is conforms
    assert conforms or summary.open_points == [f"Scenario s is there to trigger {covers[0]} and did not."]


@pytest.fixture
def other_pack(tmp_path: Path) -> Pack:
    """U.1 without alternatives, U.2 with two."""
    clauses = [CLAUSE.replace("T.1", name) + BODY for name in ("U.1", "U.2")]
    return load_pack(
        write_pack(tmp_path / "U", clauses[0], clauses[1] + TWO, head=HEAD.replace('id = "T"', 'id = "U"'))
    )


def also_judged(*outcomes: Outcome, alternatives: tuple[str, ...] = ()) -> list[Verdict]:
    """Everything of T passed, and the clauses of U came to this."""
    more = [verdict(f"U.{n}", one, *alternatives[: n == 2]) for n, one in enumerate(outcomes, start=1)]
    return [*PASSED, *more]


@pytest.mark.parametrize("idle", [Outcome.NOT_TRIGGERED, Outcome.NOT_APPLICABLE])
def test_a_pack_that_only_judges_too_does_not_have_to_be_shown(
    rules_pack: Pack, other_pack: Pack, idle: Outcome
) -> None:
    plan = [Listed("s", "T", also=("U",))]
    for verdicts in (also_judged(idle, idle), also_judged(idle, Outcome.PASS, alternatives=("one",)), PASSED):
        summary = summarise(verdicts, [rules_pack, other_pack], plan)
        assert (summary.overall, summary.open_points) == (Overall.CONFORMS, [])
        assert [one.owed for one in summary.clauses] == [True, True, False, False]
        assert summary.clauses[2].untouched


def test_a_failure_or_a_doubt_of_a_pack_that_only_judges_too_counts(rules_pack: Pack, other_pack: Pack) -> None:
    plan, packs = [Listed("s", "T", also=("U",))], [rules_pack, other_pack]
    assert summarise(also_judged(Outcome.FAIL, Outcome.PASS), packs, plan).overall is Overall.NON_CONFORMITY
    for doubt in (Outcome.INCONCLUSIVE, Outcome.NEEDS_OPERATOR_INPUT):
        summary = summarise(also_judged(doubt), packs, plan)
        assert summary.overall is Overall.INCONCLUSIVE
        assert f"U.1 is {doubt}" in summary.open_points[0]


@pytest.mark.parametrize(
    "plan",
    [
        [Listed("s", "T", also=("U",)), Listed("s", "U", also=("T",))],
        [Listed("s", "T", also=("U",)), Listed("s", "U")],
        [Listed("s", "U", also=("U", "T"))],
        [Listed("s", "T", also=("U",)), "s"],
        [Listed("s", "T")],
        ["s"],
    ],
)
def test_a_pack_that_a_scenario_is_there_for_or_that_none_names_has_to_be_shown(
    rules_pack: Pack, other_pack: Pack, plan: list[str | Listed]
) -> None:
    summary = summarise(also_judged(Outcome.PASS), [rules_pack, other_pack], plan)
    assert summary.overall is Overall.INCONCLUSIVE
    assert any(point.startswith("U.2 is") for point in summary.open_points)


def test_a_pack_that_a_scenario_is_there_for_and_nobody_gave_has_to_be_shown(other_pack: Pack) -> None:
    plan = [Listed("s", "T", also=("U",))]
    verdicts = [verdict("U.1", Outcome.PASS), verdict("U.2", Outcome.PASS, "one", "two")]
    summary = summarise(verdicts, [other_pack], plan)
    assert summary.overall is Overall.INCONCLUSIVE
    assert summary.open_points == ["No clause of T was shown to hold."]


def test_what_a_scenario_covers_of_a_pack_that_only_judges_too_has_to_be_triggered(
    rules_pack: Pack, other_pack: Pack
) -> None:
    plan = [Listed("s", "T", ("U.1",), ("U",))]
    summary = summarise(also_judged(Outcome.NOT_TRIGGERED), [rules_pack, other_pack], plan)
    assert summary.open_points == ["Scenario s is there to trigger U.1 and did not."]
