"""The pack for blackjack holds all that it set out to hold, says what it is, and says it in three languages."""

from collections.abc import Iterator, Mapping

from bench.plan import load_plan
from cardcert.shipped import find_plan
from rules.loader import load_packs

(PACK,) = load_packs(["SD-BJ-28"])
CLAUSES = [
    *("1", "2", "3.a", "3.b", "3.c", "4", "5.a", "5.b", "6.a", "6.b", "6.c", "7.a", "7.b"),
    *("8.a", "8.b", "8.c", "9.a", "9.b", "9.c", "10", "11"),
]


def texts() -> Iterator[Mapping[str, str]]:
    yield PACK.note
    for policy in PACK.policies:
        yield policy.meaning
        yield from (value.meaning for value in policy.values)
    for clause in PACK.clauses:
        yield clause.meaning
        yield from (one.meaning for one in clause.alternatives)
        yield from (one.duty for one in clause.requirements)


def test_every_irregularity_is_a_clause() -> None:
    assert [clause.id for clause in PACK.clauses] == [f"SD-BJ-28.{name}" for name in CLAUSES]


def test_the_pack_says_that_it_is_modelled_and_not_the_official_text() -> None:
    assert "not their official wording" in PACK.note["en"]
    assert "modelled" in PACK.citation
    assert "modelled" in PACK.authority


def test_no_two_languages_say_the_same() -> None:
    assert PACK.languages == ("en", "es", "it")
    for said in texts():
        assert len(set(said.values())) == 3, said


def test_every_open_question_changes_something() -> None:
    assert {policy.id for policy in PACK.policies} == {
        name for clause in PACK.clauses for name in clause.policies
    }  # fmt: skip
    assert len(PACK.policies) == 7


def test_each_alternative_has_a_scenario_of_its_own() -> None:
    plan = load_plan(find_plan("sd-bj-28"))
    for clause in PACK.clauses:
        for alternative in clause.alternatives:
            name = f"{clause.id}:{alternative.id}"
            covering = [scenario for scenario in plan.scenarios if name in scenario.covers]
            assert len(covering) == 1, name


def test_each_requirement_has_a_defect_that_names_it() -> None:
    plan = load_plan(find_plan("sd-bj-28"))
    broken = {defect.fails for scenario in plan.scenarios for defect in scenario.defects}
    assert {f"{clause.id}/{one.id}" for clause in PACK.clauses for one in clause.requirements} <= broken
