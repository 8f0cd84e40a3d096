"""The catalogue of faults and the entries of a plan: what can be asked for, and how a wrong entry is told."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.faults.catalogue import catalogue, load_catalogue
from bench.faults.proof import WATCHES
from bench.faults.script import FaultSpec, parse_fault
from evidence.errors import UsageError

ROOT = Path(__file__).parents[2]


def table_of_faults() -> dict[str, set[str]]:
    """The table of faults in the handbook: each by its name, with what it befalls."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = text.partition("| fault | target |")[2].partition("\n\n")[0].splitlines()[2:]
    table: dict[str, set[str]] = {}
    for row in rows:
        names, targets = row.split("|")[1:3]
        for name in re.findall(r"`(\w+)`", names):
            assert name not in table, f"{name} stands there twice"
            table[name] = {target.strip() for target in targets.split(",")}
    return table


TABLE_OF_FAULTS = table_of_faults()


def test_the_catalogue_holds_the_faults_of_the_handbook_with_their_targets() -> None:
    assert {name: set(fault.targets) for name, fault in catalogue().items()} == TABLE_OF_FAULTS


def test_jams_stops_and_cycles_that_do_not_end_are_what_the_clauses_call_them() -> None:
    symptoms = {name: fault.symptom for name, fault in catalogue().items()}
    assert {name for name, symptom in symptoms.items() if symptom == "jam"} == {
        "card_stuck_in_tray",
        "card_stuck_on_entry",
        "card_stuck_on_exit",
        "silent_jam_recovery",
        "door_obstructed",
    }
    assert {name for name, symptom in symptoms.items() if symptom == "stop"} == {
        "motor_stall",
        "stop_mid_cycle",
        "stop_pressed",
        "homing_failed",
        "slot_misaligned",
        "motor_overcurrent",
        "cover_opened",
    }
    assert {name for name, symptom in symptoms.items() if symptom == "incomplete"} == {
        "cycle_not_completed",
        "solenoid_weak",
        "slot_emptied",
        "output_taken_early",
        "cards_left_in_tray",
    }


def test_every_entry_says_what_it_is_what_is_safe_and_how_it_is_proven() -> None:
    for fault in catalogue().values():
        for text in (fault.description, fault.cause, fault.safe_behaviour, fault.proven, fault.hardware.does):
            assert text.endswith(".")
        assert fault.proof.kind in WATCHES
        for param in fault.params.values():
            assert param.meaning.endswith(".")
            assert param.choices or param.unit


def test_a_fault_of_a_plan_carries_all_its_parameters_and_its_moment() -> None:
    spec = parse_fault(
        {"name": "card_stuck_on_exit", "target": "shoe", "at": {"group": 3, "card": 2}, "params": {"hold_s": 0.5}}, "p"
    )
    assert spec == FaultSpec("card_stuck_on_exit", "shoe", {"group": 3, "card": 2}, {"hold_s": "0.5"})
    assert parse_fault({"name": "missing_card", "target": "pack"}, "p").params == {"count": 1}
    assert parse_fault({"name": "motor_stall", "target": "shoe-2", "at": {"after_s": 0.4}}, "p").at == {
        "after_s": "0.4"
    }


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({}, "there is no fault None"),
        ({"name": "card_stuk_on_exit", "target": "shoe"}, "Did you mean 'card_stuck_on_exit'"),
        ({"name": "motor_stall"}, "needs a target"),
        ({"name": "motor_stall", "target": "dealer"}, "cannot befall 'dealer'"),
        ({"name": "wrong_group_size", "target": "shuffler"}, "cannot befall 'shuffler'"),
        ({"name": "missing_card", "target": "shoe"}, "cannot befall 'shoe'"),
        ({"name": "missing_card", "target": "my-shoe"}, "cannot befall 'my-shoe'"),
        ({"name": "motor_stall", "target": "shoe", "when": 3}, "'when' is not an entry"),
        ({"name": "motor_stall", "target": "shoe", "at": 17}, "at must be a table"),
        ({"name": "motor_stall", "target": "shoe", "at": {"burn": 1}}, "cannot happen at a 'burn'"),
        ({"name": "motor_stall", "target": "shoe", "at": {"card": 0}}, "card = 0"),
        ({"name": "motor_stall", "target": "shoe", "at": {"card": 1.5}}, "card = 1.5"),
        ({"name": "motor_stall", "target": "shoe", "at": {"card": True}}, "card = True"),
        ({"name": "motor_stall", "target": "shoe", "at": {"card": 10**400}}, "from 1 to 1000"),
        ({"name": "motor_stall", "target": "shoe", "at": {"after_s": -0.1}}, "after_s = -0.1"),
        ({"name": "motor_stall", "target": "shoe", "at": {"after_s": float("nan")}}, "after_s = nan"),
        ({"name": "hand_skipped", "target": "dealer", "at": {"position": 3}}, "position = 3"),
        ({"name": "motor_stall", "target": "shoe", "params": {"force": 3}}, "it has none"),
        ({"name": "wrong_group_size", "target": "shoe", "params": {"size": 13}}, "from 1 to 12 (cards)"),
        ({"name": "silent_jam_recovery", "target": "shoe", "params": {"line": "mouth"}}, "one of '', 'entry', 'exit'"),
    ],
)
def test_a_wrong_entry_is_told_with_its_place_and_what_was_expected(entry: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_fault(entry, "plan.toml: scenario 4, fault 1")
    assert str(caught.value).startswith("plan.toml: scenario 4, fault 1: ")
    assert says in str(caught.value)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["name", "target", "at", "params", "x"]) | st.text(max_size=4), values))
def test_whatever_stands_there_is_parsed_or_refused(entry: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="here"):
        parse_fault(entry, "here")


@given(st.sampled_from(sorted(TABLE_OF_FAULTS)), st.dictionaries(st.text(max_size=8), values, max_size=2), values)
def test_whatever_is_set_on_a_real_fault_is_parsed_or_refused(name: str, at: dict[str, object], param: object) -> None:
    target = min(TABLE_OF_FAULTS[name])
    entry = {"name": name, "target": target, "at": at, "params": dict.fromkeys(catalogue()[name].params, param)}
    try:
        spec = parse_fault(entry, "here")
    except UsageError:
        return
    assert all(isinstance(value, (int, str)) for value in [*spec.params.values(), *spec.at.values()])


SOUND = """
[[fault]]
name = "a"
targets = ["shoe"]
symptom = "jam"
description = "D."
safe_behaviour = "S."
proven = "P."
cause = "C."
moments = ["card"]
proof = { kind = "held", lines = ["exit"], limit_s = 0.3 }
hardware = { prompt = "H." }
[fault.params.hold_s]
unit = "s"
minimum = 0.0
maximum = 1.0
default = 0.5
meaning = "M."
"""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("", ""), ""),
        (('targets = ["shoe"]', "targets = []"), "no target"),
        (('targets = ["shoe"]', 'targets = ["toaster"]'), "toaster"),
        (("default = 0.5", "default = 7.5"), "default does not fit"),
        (("fault.params.hold_s", "fault.params.card"), "name of a moment"),
        (('kind = "held"', 'kind = "guessed"'), "guessed"),
        (('hardware = { prompt = "H." }', ""), "hardware"),
        (('prompt = "H."', ""), "must hold one of instrument, link, deck, prompt"),
        (('prompt = "H."', 'prompt = "H.", deck = "D."'), "must hold one of"),
        (('prompt = "H."', 'link = { action = "bend", does = "B." }'), "bend"),
        (('prompt = "H."', 'instrument = { role = "toaster", action = "open", does = "B." }'), "toaster"),
        (('symptom = "jam"', 'symptom = "jam"\nsymptoms = "jam"'), "symptoms"),
    ],
)
def test_an_unsound_catalogue_is_refused(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    path = tmp_path / "catalogue.toml"
    path.write_text(SOUND.replace(*change) if change[0] else SOUND)
    if not says:
        assert list(load_catalogue(path)) == ["a"]
        return
    with pytest.raises(UsageError, match=says):
        load_catalogue(path)


def test_a_fault_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.toml"
    path.write_text(SOUND + SOUND)
    with pytest.raises(UsageError, match="twice"):
        load_catalogue(path)
