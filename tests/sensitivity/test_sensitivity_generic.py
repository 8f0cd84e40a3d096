"""Generic defects: which a requirement calls for, who tries them where, and what becomes of them in the matrix."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.plan import Plan, load_plan, narrowed, only
from bench.plan_entries import Equivalent
from bench.rig import load_rig
from cardcert.shipped import find_plan, find_rig
from evidence.errors import UsageError
from fixtures.checks import check_plan
from fixtures.defect_runs import MatrixSettings, Pair, Played, Task, player
from fixtures.generic import generic_defects
from fixtures.generic_book import GenericBook
from fixtures.sensitivity import Caught, Row, flaws, needless, with_generic
from rules.loader import load_packs
from rules.pack import Pack
from rules.verdicts import Outcome
from tests.rules.small_pack import small_pack

PASS, FAIL, DOUBT = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE
PLAN = load_plan(find_plan("default"))


DEAD = 'trigger = { fact = "announced", phrase = "dead" }'
BOTH = '{ fact = "carried_out", verb = "void_round" }, { fact = "reshuffled", scope = "all_cards" }'
IN_TIME = 'before = { fact = "carried_out", verb = ["deliver", "burn"] }'
SETTLED = '[{ fact = "carried_out", verb = "settle", wager = "all" }]'
PREPARED = '[{ fact = "shuffled" }, { fact = "cut" }]\nsince = { fact = "round_opened" }'
PROBED = (
    'absence = { fact = "directive", verb = "proceed", request = "resume" }\n'
    'probed = { fact = "request", request = "resume", probe = true }'
)


@pytest.mark.parametrize(
    ("requirement", "names"),
    [
        (f"{DEAD}\nresponse = {SETTLED}", ["omit=settle", "double=settle"]),
        (f"{DEAD}\nresponse = [{BOTH}]\n{IN_TIME}",
         ["omit=void_round", "omit=reshuffle", "after=void_round>reshuffle", "after=void_round>burn+deliver",
          "after=reshuffle>burn+deliver", "narrow=reshuffle"]),
        (f'{DEAD}\nresponse = [{{ fact = "reshuffled", scope = ["device_cards", "all_cards"] }}]', ["omit=reshuffle"]),
        (f'trigger = {{ fact = "loaded" }}\nprecedence = {PREPARED}',
         ["omit=shuffle", "omit=cut", "after=shuffle>cut", "after=shuffle>load_device", "after=cut>load_device"]),
        (f"{DEAD}\n{PROBED}", ["accept=resume"]),
        ('trigger = { fact = "stack_delivered" }\nholds = { face_up = 0 }', ["turned=deliver"]),
        ('trigger = { fact = "stack_delivered" }\nholds = { at_start = true }', ["elsewhere=deliver"]),
        ('trigger = { fact = "remainder_counted" }\nabsence = { fact = "announced", phrase = "dead" }',
         ["trust=claims"]),
        (f'{DEAD}\nabsence = {{ fact = "directive", verb = "void_round" }}', []),
        ('trigger = { fact = "card_after_missed_burn" }\nholds = { burned = 2 }', ["double=burn"]),
    ],
)  # fmt: skip
def test_patterns_say_which_generic_defects_a_requirement_must_catch(
    tmp_path: Path, requirement: str, names: list[str]
) -> None:
    [clause] = small_pack(tmp_path / "T", requirement).clauses
    assert generic_defects(clause.requirements[0], {}) == names


def test_patterns_that_a_policy_puts_out_of_force_call_for_nothing() -> None:
    [pack] = load_packs(["PR-PGP-SHOE"])
    usual = {policy.id: policy.default for policy in pack.policies}
    [start] = [one for clause in pack.clauses if clause.id == "PR-PGP-SHOE.C.1" for one in clause.requirements][:1]
    assert "omit=roll_dice" in generic_defects(start, usual)
    assert "omit=roll_dice" not in generic_defects(start, {**usual, "start_procedure": "any"})
    assert "after=set_start>deliver" in generic_defects(start, usual)
    assert "after=set_start>dispense" in generic_defects(start, {**usual, "start_deadline": "before_dispensing"})


# --- who tries what where ---


def book_of(plan: Plan, *wanted: str) -> GenericBook:
    packs = load_packs(plan.packs)
    return GenericBook(plan.scenarios, [pack for pack in packs if pack.id in wanted], {}, packs)


def test_what_is_caught_is_not_tried_again_and_what_is_not_caught_is_tried_in_the_next_scenario() -> None:
    plan = only(PLAN, ["nj-j1-exit", "nj-j1-tray", "nj-plain"])
    book = book_of(plan, "NJ-69F-33.12")
    tasks = book.tasks()
    first = next(tasks)
    assert first is not None
    assert (first.scenario.id, first.declared) == ("nj-j1-exit", True)
    caught, passed = first.generic[:2]
    second = next(tasks)
    assert second is None  # all that is open is away, and a plain round covers nothing
    book.note(first, Played({}, {caught: FAIL, passed: PASS}))
    again = next(tasks)
    assert again is not None
    assert (again.scenario.id, again.declared) == ("nj-j1-tray", False)
    assert caught not in again.generic
    assert passed in again.generic
    book.note(again, Played({}, {passed: FAIL}))
    assert next(tasks, None) is None
    assert (book.tried[caught], book.tried[passed]) == ([FAIL], [PASS, FAIL])


def test_without_packs_there_are_only_the_plan_s_own_defects() -> None:
    plan = only(PLAN, ["nj-j1-exit", "nj-j1-tray"])
    assert [task.generic for task in book_of(plan).tasks() if task is not None] == [()]


# --- on a rig ---


def played(scenario: str, *pairs: tuple[str, str]) -> dict[Pair, Outcome]:
    plan = only(PLAN, [scenario])
    packs = load_packs(plan.packs)
    settings = MatrixSettings(load_rig(find_rig("emulated")), packs, {}, seed=1)
    prefix = plan.scenarios[0].pack
    wanted = tuple((f"{prefix}.{clause}", req, name) for (clause, _, req), name in
                   ((requirement.partition("/"), name) for requirement, name in pairs))  # fmt: skip
    return player(settings)(Task(plan.scenarios[0], declared=False, generic=wanted)).tried


def test_generic_defects_are_caught_by_their_requirement_and_what_changes_nothing_is_left_out() -> None:
    tried = played(
        "nj-j1-exit",
        ("j.4/round_void", "omit=void_round"),
        ("j.6/all_cards_reshuffled", "narrow=reshuffle"),
        ("j.1/resume_refused", "accept=resume"),
        ("j.5/cards_removed", "after=remove_cards>reshuffle"),
        ("j.4/round_void", "double=return_wagers"),
        ("j.4/round_void", "omit=roll_dice"),
        ("j.4/round_void", "trust=claims"),
        ("a.1/hand_lives", "omit=void_round"),
    )
    prefix = "NJ-69F-33.12."
    assert tried == {
        (f"{prefix}j.4", "round_void", "omit=void_round"): FAIL,
        (f"{prefix}j.6", "all_cards_reshuffled", "narrow=reshuffle"): FAIL,
        (f"{prefix}j.1", "resume_refused", "accept=resume"): FAIL,
        (f"{prefix}j.5", "cards_removed", "after=remove_cards>reshuffle"): FAIL,
        # A refund given twice is no matter of this requirement.
        (f"{prefix}j.4", "round_void", "double=return_wagers"): PASS,
    }


# --- rows ---


def row(**more: Any) -> Row:
    return Row(clause="T.1", requirement="r", compliant=PASS, defects=[], **more)


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    demand = 'trigger = { fact = "announced", phrase = "dead" }\nabsence = { fact = "announced", phrase = "void" }'
    return small_pack(tmp_path / "T", demand)


def plan_with(*equivalent: str) -> Plan:
    return msgspec.structs.replace(
        PLAN, equivalents=[Equivalent("T.1/r", name, "It breaks nothing at all.") for name in equivalent]
    )


def test_a_survivor_is_a_flaw_unless_the_plan_says_why_it_breaks_nothing(pack: Pack) -> None:
    tried: dict[Pair, list[Outcome]] = {
        ("T.1", "r", "omit=settle"): [PASS, FAIL],
        ("T.1", "r", "omit=burn"): [DOUBT],
        ("T.1", "r", "double=settle"): [DOUBT, PASS],
        ("T.2", "r", "omit=cut"): [PASS],
    }
    [made] = with_generic([row()], plan_with(), tried)
    assert made.generic is not None
    assert (made.generic.killed, made.generic.unfit) == (["omit=settle"], ["omit=burn"])
    assert (made.generic.survived, made.generic.equivalent) == (["double=settle"], {})
    shown = msgspec.structs.replace(made, defects=[Caught(name="d", on="software", scenario="s", verdict=FAIL,
                                                          also_failed=[], declared=[])])  # fmt: skip
    assert flaws([shown], plan_with(), [pack], {}, compliant=True) == [
        "the generic defect double=settle was not caught: T.1/r"
    ]
    plan = plan_with("double=settle")
    [excused] = with_generic([shown], plan, tried)
    assert excused.generic is not None
    assert excused.generic.equivalent == {"double=settle": "It breaks nothing at all."}
    assert flaws([excused], plan, [pack], {}, compliant=True) == []


def test_an_excuse_that_nothing_needs_is_a_flaw() -> None:
    plan = plan_with("omit=settle", "double=cut")
    rows = with_generic([row()], plan, {("T.1", "r", "omit=settle"): [FAIL]})
    assert needless(rows, plan) == ["T.1/r omit=settle", "T.1/r double=cut"]
    assert needless([row()], plan_with()) == []
    assert needless([row()], plan) == []  # nothing was tried


def test_excuses_are_checked_and_go_with_their_pack(tmp_path: Path) -> None:
    packs = load_packs(PLAN.packs)
    for name, defect, told in (
        ("NJ-69F-33.12.h/nothing", "omit=settle", "no requirement 'nothing'"),
        ("NJ-69F-33.12.zz/r", "omit=settle", "no clause 'NJ-69F-33.12.zz'"),
        ("NJ-69F-33.12.h/hand_lives", "omit=nothing", "'nothing' is no verb"),
    ):
        with pytest.raises(UsageError, match=told):
            check_plan(msgspec.structs.replace(PLAN, equivalents=[Equivalent(name, defect, "Because.")]), packs)
    kept = narrowed(PLAN, [one for one in PLAN.scenarios if one.pack == "NJ-69F-33.12"]).equivalents
    assert kept
    assert all(one.requirement.startswith("NJ-69F-33.12.") for one in kept)
