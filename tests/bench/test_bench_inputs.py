"""Operator inputs: files or words of a plan or a rig, in the session and with their digest in the journal."""

import hashlib
from pathlib import Path

import pytest

from bench.inputs import MAX_BYTES, MAX_INPUTS, MAX_TOGETHER, Given, Input, InputFile, merged, read_inputs
from bench.plan import load_plan, only
from bench.rig import RigPlan, load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.errors import UsageError
from evidence.events import OperatorInput, SessionOpened
from evidence.journal import Journal, read_journal
from fixtures.checks import check_inputs

PLAN = """
name = "p"
title = "P"
pack = "PR-PGP-SHOE"
[table]
game = "pai_gow_poker"
cards_in_deck = 53
seated = ["seat/1"]
[table.inputs]
location = "pit 4"
house_way = { file = "ways/house.toml" }
[[scenario]]
id = "unapproved"
title = "Nothing is dealt"
covers = ["PR-PGP-SHOE.A.2:unapproved"]
approved = false
"""
WAY = '[[rule]]\nlow = "second_third"\n'


def folder_of(path: Path, **files: str) -> Path:
    for name, text in files.items():
        place = path / name.replace("__", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return path


def rig_with(path: Path, inputs: str) -> RigPlan:
    file = path / "rig.toml"
    file.write_text(find_rig("emulated").read_text().partition("[inputs]")[0] + inputs)
    return load_rig(file)


def test_words_and_files_come_with_their_content(tmp_path: Path) -> None:
    folder_of(tmp_path, ways__house=WAY)
    given: dict[str, Given] = {"location": "pit 4", "house_way": InputFile(file="ways/house")}
    assert read_inputs(given, tmp_path / "plan.toml") == {
        "location": Input(name="location", text="pit 4"),
        "house_way": Input(name="house_way", text=WAY, file="ways/house"),
    }


def test_what_the_rig_gives_stands_in_place_of_what_the_plan_gives() -> None:
    plan = {name: Input(name=name, text="plan") for name in "ab"}
    rig = {name: Input(name=name, text="rig") for name in "bc"}
    assert {name: one.text for name, one in merged(plan, rig).items()} == {"a": "plan", "b": "rig", "c": "rig"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"way": InputFile(file="nowhere.toml")}, "cannot read nowhere.toml: No such file"),
        ({"way": InputFile(file="../outside.toml")}, "must be a file in the folder"),
        ({"way": InputFile(file="/etc/hostname")}, "must be a file in the folder"),
        ({"way": InputFile(file="")}, "must be a file in the folder"),
        ({"way": InputFile(file="sub")}, "cannot read sub"),
        ({"way": InputFile(file="large")}, f"over {MAX_BYTES} bytes"),
        ({"way": InputFile(file="binary")}, "not a text in UTF-8"),
        ({"way": "x" * (MAX_BYTES + 1)}, f"over {MAX_BYTES} bytes"),
        ({"house way": "x"}, "a name is 1 to 40 letters"),
        ({f"n{n}": "x" for n in range(MAX_INPUTS + 1)}, f"expected at most {MAX_INPUTS}"),
    ],
)
def test_an_input_that_cannot_be_taken_is_named_with_its_place(
    tmp_path: Path, given: dict[str, Given], told: str
) -> None:
    folder_of(tmp_path, large="x" * (MAX_BYTES + 1), outside="secret")
    (tmp_path / "sub").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError) as raised:
        read_inputs(given, tmp_path / "plan.toml")
    assert told in str(raised.value)
    assert str(tmp_path / "plan.toml") in str(raised.value)


def test_inputs_that_would_not_fit_into_a_message_are_refused() -> None:
    many = {f"n{n}": Input(name=f"n{n}", text="x" * MAX_BYTES) for n in range(MAX_TOGETHER // MAX_BYTES + 1)}
    with pytest.raises(UsageError, match="Shorten them"):
        merged(many, {})


def test_a_scenario_journals_content_and_digest_of_each_input(tmp_path: Path) -> None:
    folder_of(tmp_path, ways__house=WAY)
    (tmp_path / "ways" / "house.toml").write_text(WAY)
    (tmp_path / "plan.toml").write_text(PLAN)
    scenario = load_plan(tmp_path / "plan.toml").scenarios[0]
    workshop = Workshop(rig_with(tmp_path, '[inputs]\nlocation = "pit 9"\n'), seed=1)
    with Journal.create(tmp_path / "run", workshop.now_ns, durable=False) as journal:
        run_scenario(workshop, scenario, journal, {})
    events = [record.event for record in read_journal(tmp_path / "run")]
    opened = next(event for event in events if isinstance(event, SessionOpened))
    assert opened.inputs == {"location": "pit 9", "house_way": WAY}
    digest = hashlib.sha256(WAY.encode()).hexdigest()
    stated = {event.name: event for event in events if isinstance(event, OperatorInput)}
    assert stated["house_way"] == OperatorInput(
        name="house_way", file="ways/house.toml", size_bytes=len(WAY), sha256=digest
    )
    assert stated["location"].file == ""


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ('house_way = "nothing that is one"', "input 'house_way'"),
        ('house_way = """[[rule]]\nlow = "top_pair"\n"""', "the last rule must fit any cards"),
        ('face_up_procedure = "burn"', "expected one of replace, void"),
        ('longest_shuffle_s = "soon"', "expected seconds above 0"),
        ('longest_dispense_s = "-1"', "expected seconds above 0"),
    ],
)
def test_an_input_that_is_not_what_its_name_says_is_refused_before_anything_runs(
    tmp_path: Path, inputs: str, told: str
) -> None:
    plan = only(load_plan(find_plan("pr-pgp-shoe")), ["pr-unapproved"])
    with pytest.raises(UsageError) as raised:
        check_inputs(plan, rig_with(tmp_path, f"[inputs]\n{inputs}\n"))
    assert told in str(raised.value)


def test_the_inputs_of_the_shipped_rig_are_what_their_names_say() -> None:
    rig = load_rig(find_rig("emulated"))
    check_inputs(load_plan(find_plan("default")), rig)
    assert {"house_way", "reshuffle_procedure"} <= set(rig.file.inputs)
