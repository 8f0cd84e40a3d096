"""Plan and rig files: what is right is taken, what is wrong is named with its place and remedy."""

import re
from pathlib import Path

import pytest

from bench.plan import Plan, load_plan, only
from bench.rig import load_rig
from cardcert.shipped import PLANS, RIGS, find_plan, find_rig, names
from evidence.errors import UsageError
from fixtures.checks import check_plan
from fixtures.own_packs import packs_of
from rules.loader import load_packs

PLAN = """
name = "one"
title = "One scenario"
pack = "NJ-69F-33.12"

[table]
game = "winners_pot"
cards_in_deck = 52
seated = ["seat/1"]

[[scenario]]
id = "a"
title = "A"
covers = ["NJ-69F-33.12.h"]
"""

RIG = """
name = "r"
clock = "virtual"

[[device]]
name = "shoe"
role = "shoe"
"""


def plan_of(folder: Path, text: str) -> Plan:
    path = folder / "plan.toml"
    path.write_text(text)
    return load_plan(path)


@pytest.mark.parametrize("name", names(PLANS))
def test_shipped_plans_cover_only_what_their_packs_have(name: str) -> None:
    plan = load_plan(find_plan(name))
    check_plan(plan, packs_of(plan, find_plan(name)))
    assert plan.scenarios


def test_the_default_plan_covers_every_clause_and_alternative_of_every_shipped_pack() -> None:
    plan = load_plan(find_plan("default"))
    packs = load_packs(None)
    wanted = {
        f"{clause.id}:{choice.id}" if choice else clause.id
        for pack in packs
        for clause in pack.clauses
        for choice in (clause.alternatives or (None,))
    }
    covered = {cover for scenario in plan.scenarios for cover in scenario.covers}
    assert wanted - covered == set()


def test_every_requirement_of_the_shipped_packs_has_a_defect_that_breaks_it() -> None:
    plan = load_plan(find_plan("default"))
    broken = {defect.fails for scenario in plan.scenarios for defect in scenario.defects}
    requirements = {
        f"{clause.id}/{requirement.id}"
        for pack in load_packs(plan.packs)
        for clause in pack.clauses
        for requirement in clause.requirements
    }
    assert requirements - broken == set()


def test_packs_that_rule_the_same_table_stand_beside_the_plan_s_own(tmp_path: Path) -> None:
    text = PLAN.replace('pack = "NJ-69F-33.12"', 'pack = "NJ-69F-33.12"\nalso = ["PR-PGP-SHOE"]')
    second = PLAN[PLAN.index("[[") :].replace('id = "a"', 'id = "b"\nalso = []')
    plan = plan_of(tmp_path, text + second)
    assert [scenario.packs for scenario in plan.scenarios] == [["NJ-69F-33.12", "PR-PGP-SHOE"], ["NJ-69F-33.12"]]
    assert plan.packs == ["NJ-69F-33.12", "PR-PGP-SHOE"]
    assert only(plan, ["b"]).packs == ["NJ-69F-33.12"]


@pytest.mark.parametrize("name", names(RIGS))
def test_shipped_rigs_load(name: str) -> None:
    assert load_rig(find_rig(name)).file.device


def test_a_wager_stands_at_every_seat_unless_the_scenario_says_otherwise(tmp_path: Path) -> None:
    scenario = plan_of(tmp_path, PLAN).scenarios[0]
    assert [(wager.position, wager.wager) for wager in scenario.wagers] == [("seat/1", "main")]


def test_the_digest_of_a_plan_changes_with_an_included_file(tmp_path: Path) -> None:
    (tmp_path / "part.toml").write_text(PLAN)
    whole = 'name = "w"\ntitle = "W"\ninclude = ["part.toml"]\n'
    before = plan_of(tmp_path, whole).sha256
    (tmp_path / "part.toml").write_text(PLAN + "# a remark\n")
    assert plan_of(tmp_path, whole).sha256 != before


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('covers = ["NJ-69F-33.12.h"]', 'covers = "NJ-69F-33.12.h"', "plan.toml:14: plan: Expected `array`"),
        ('title = "A"', 'title = "A"\ncolour = "red"', "plan.toml:14: plan: Object contains unknown field `colour`"),
        ('title = "A"', "title = 3", "plan.toml:13: plan: Expected `str`, got `int`"),
        ('seated = ["seat/1"]', 'seated = ["seat/9"]', "'seat/9' is not a position"),
        ('id = "a"', 'id = "a/../b"', "an id is 1 to 80 letters"),
        ('id = "a"', 'id = "a"\nrounds = 0', "nothing would happen"),
        ('id = "a"', 'id = "a"\nrounds = 101', "expected 0 to 100"),
        ('id = "a"', 'id = "a"\nwager = [{ position = "seat/2" }]', "where nobody is seated"),
        ('id = "a"', 'id = "a"\nfault = [{ name = "quake", target = "shoe" }]', "fault 1: there is no fault 'quake'"),
        ('title = "One scenario"', "title = ", "not a valid TOML plan"),
        ('pack = "NJ-69F-33.12"', 'include = ["../other.toml"]', "must be the name of a file beside this one"),
        ('pack = "NJ-69F-33.12"', 'include = ["plan.toml"]', "includes itself"),
        ('pack = "NJ-69F-33.12"', 'include = ["nowhere.toml"]', "cannot read this plan: No such file"),
        (PLAN[PLAN.index("[[") :], "", "has no scenario"),
    ],
)  # fmt: skip
def test_a_malformed_plan_is_named_with_its_place(tmp_path: Path, old: str, new: str, named: str) -> None:
    assert old in PLAN
    with pytest.raises(UsageError) as raised:
        plan_of(tmp_path, PLAN.replace(old, new, 1))
    assert named in str(raised.value)


def test_two_scenarios_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two scenarios have the id 'a'"):
        plan_of(tmp_path, PLAN + PLAN[PLAN.index("[[") :])


@pytest.mark.parametrize(
    ("name", "on", "told"),
    [("no_such_defect", "software", "no_such_defect"), ("six_card_groups", "shuffler", "shuffler has no defect")],
)
def test_a_defect_that_no_emulator_has_is_refused(tmp_path: Path, name: str, on: str, told: str) -> None:
    defect = f'defect = [{{ name = "{name}", on = "{on}", fails = "NJ-69F-33.12.h" }}]'
    with pytest.raises(UsageError, match=told):
        check_plan(plan_of(tmp_path, PLAN + defect), load_packs(["NJ-69F-33.12"]))


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('fails = "NJ-69F-33.12.h/hand_dies"', "h has no requirement 'hand_dies'. It has: hand_lives, hand_settled"),
        ('fails = "NJ-69F-33.12.z/hand_lives"', "no clause 'NJ-69F-33.12.z'"),
        ('fails = "NJ-69F-33.12.h", follows = ["NJ-69F-33.12.c/sideways"]', "c has no requirement 'sideways'"),
        ('fails = "NJ-69F-33.12.h", policies = { no_such = "x" }', "defect 'button_stops_round': unknown policy"),
        ('fails = "NJ-69F-33.12.h", policies = { bonus_odds = "x" }', "'bonus_odds' of NJ-69F-33.12 cannot be 'x'"),
    ],
)
def test_what_a_defect_names_must_be_there(tmp_path: Path, entry: str, told: str) -> None:
    defect = f'defect = [{{ name = "button_stops_round", on = "software", {entry} }}]'
    with pytest.raises(UsageError, match=re.escape(told)):
        check_plan(plan_of(tmp_path, PLAN + defect), load_packs(["NJ-69F-33.12"]))


@pytest.mark.parametrize("cover", ["NJ-69F-33.12.z", "NJ-69F-33.12.h:sideways", "PR-PGP-SHOE.F"])
def test_a_cover_that_the_pack_lacks_is_refused(tmp_path: Path, cover: str) -> None:
    plan = plan_of(tmp_path, PLAN.replace("NJ-69F-33.12.h", cover))
    with pytest.raises(UsageError, match="scenario 'a'"):
        check_plan(plan, load_packs(["NJ-69F-33.12"]))


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('clock = "virtual"', 'clock = "wall"', "has no url"),
        ('role = "shoe"', 'role = "shoe"\nurl = "/dev/ttyUSB0"', 'Set clock = "wall"'),
        ('role = "shoe"', 'role = "dealer"', "rig.toml:7"),
        ('role = "shoe"', "", "missing required field `role`"),
        ('name = "shoe"', 'name = "../shoe"', "use 1 to 40 letters"),
        ('name = "r"', 'name = "r"\ntime_scale = 0.0', "Expected `float` > 0.0 (at $.time_scale)"),
        ('role = "shoe"', 'role = "shoe"\nserial = { baudrate = 1 }', "rig.toml:8: rig file: Expected `int` >= 50"),
        ('role = "shoe"', 'role = "shoe"\nserial = { parity = "X" }', "Invalid enum value 'X'"),
        ('name = "r"', 'name = "r"\ntime_scale = nan', "(at $.time_scale)"),
        ('role = "shoe"', 'role = "shoe"\nsilence_s = inf', "rig.toml:8"),
        ('role = "shoe"', 'role = "shoe"\nsilence_s = -1.0', "(at $.device[0].silence_s)"),
        ('role = "shoe"', 'role = "shoe"\n[software]\nsettle_s = -0.5', "(at $.software.settle_s)"),
        ('role = "shoe"', 'role = "shoe"\n[software]\nack_timeout_s = 0.0', "(at $.software.ack_timeout_s)"),
        ('name = "r"', 'name = "r"\nspeed = 3', "unknown field `speed`"),
        (RIG[RIG.index("[[") :], "device = []", "this rig has no device"),
        (RIG[RIG.index("[[") :], RIG[RIG.index("[[") :] * 2, "two devices are called 'shoe'"),
    ],
)
def test_a_malformed_rig_file_is_named_with_its_place(tmp_path: Path, old: str, new: str, named: str) -> None:
    assert old in RIG
    path = tmp_path / "rig.toml"
    path.write_text(RIG.replace(old, new, 1))
    with pytest.raises(UsageError) as raised:
        load_rig(path)
    assert named in str(raised.value)


@pytest.mark.parametrize("find", [find_plan, find_rig])
def test_an_unknown_name_is_answered_with_those_there_are(find: object) -> None:
    assert callable(find)
    with pytest.raises(UsageError, match="Shipped: "):
        find("no-such-thing")
