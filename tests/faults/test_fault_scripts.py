"""Fault scripts: what, where, when, how long, how often; what is wrong is told with file, line and remedy."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from bench.faults.schedule import Schedule
from bench.faults.script import FaultSpec, load_script, parse_fault, parse_faults, script_schema
from bench.plan import load_plan
from evidence.errors import UsageError
from evidence.events import AnyEvent, DeviceCycle, DeviceFault, DeviceStatus, Directive, FaultArmed, FaultProven, Record
from tests.faults.script_schema import SCHEMA, schema_text
from tests.faults.test_fault_runs import CARDS, played

SOUND = """\
name = "two-at-once"

[[fault]]
name = "brown_out"
target = "shoe"
at = { card = 5 }
for_s = 0.3
ramp_s = 1.5
params = { volts = 12.0 }

[[fault]]
name = "message_dropped"
target = "shoe"
at = { message = 4 }
repeat = { times = 3, step = 10 }

[[fault]]
name = "card_drawn_in_error"
target = "dealer"
at = { event = "device.fault:jam" }
"""


def script(folder: Path, text: str) -> Path:
    path = folder / "script.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_script_says_what_when_how_long_how_slowly_and_how_often(tmp_path: Path) -> None:
    brown_out, *dropped, drawn = load_script(script(tmp_path, SOUND))
    assert brown_out.params == {"volts": "12.0", "hold_s": "0.3", "ramp_s": "1.5"}
    assert [fault.at["message"] for fault in dropped] == [4, 14, 24]
    assert (drawn.at, drawn.armed_now().at) == ({"event": "device.fault:jam"}, {})


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (("brown_out", "brown_owt"), 4, "Did you mean 'brown_out'"),
        (('target = "shoe"', 'target = "dealer"'), 5, "cannot befall 'dealer'"),
        (("card = 5", "seat = 5"), 6, "cannot happen at a 'seat'"),
        (("volts = 12.0", "volts = 25.0"), 9, "from 0.0 to 23.0 (V)"),
        (("for_s = 0.3", "for_s = 0.9"), 9, "hold_s"),
        (("for_s = 0.3", 'for_s = "long"'), 7, "Expected `float"),
        (("for_s = 0.3", "lasts = 0.3"), 7, "lasts"),
        (("volts = 12.0", "hold_s = 0.2"), 7, "say the same"),
        (("times = 3, step = 10", "times = 0"), 15, "times"),
        (("times = 3, step = 10", "times = 3, step = 2.5"), 15, "expected a whole number"),
        (("at = { message = 4 }\n", ""), 14, "a step needs a moment"),
        (("message = 4", "message = 990"), 15, "Repeat it less often"),
        (("device.fault:jam", "device.failt:jam"), 20, "such as 'device.fault'"),
        (("card_drawn_in_error", 'card_drawn_in_error"\nfor_s = 1.0\nx = "'), 20, "x"),
    ],
)
def test_a_wrong_script_is_told_with_file_line_and_remedy(
    change: tuple[str, str], line: int, says: str, tmp_path: Path
) -> None:
    assert change[0] in SOUND
    path = script(tmp_path, SOUND.replace(*change, 1))
    with pytest.raises(UsageError) as caught:
        load_script(path)
    assert str(caught.value).startswith(f"{path}:")
    assert says in str(caught.value)
    assert int(str(caught.value).removeprefix(f"{path}:").partition(":")[0]) == line


def test_a_fault_that_is_over_at_once_takes_no_duration() -> None:
    for key in ("for_s", "ramp_s"):
        with pytest.raises(UsageError, match=f"takes no {key}"):
            parse_fault({"name": "card_torn", "target": "shoe", key: 1.0}, "here")


def test_event_and_state_cannot_both_be_waited_for() -> None:
    at = {"event": "device.fault", "state": "dealing"}
    with pytest.raises(UsageError, match="cannot both be waited for"):
        parse_fault({"name": "card_torn", "target": "shoe", "at": at}, "here")


def test_only_a_device_is_in_a_state() -> None:
    assert parse_fault({"name": "card_torn", "target": "shoe", "at": {"state": "dealing"}}, "here").awaits
    with pytest.raises(UsageError, match="only devices tell of one"):
        parse_fault({"name": "burn_missed", "target": "dealer", "at": {"state": "dealing"}}, "here")


def test_repetitions_without_a_step_come_at_the_next_occasions() -> None:
    table = {"name": "card_torn", "target": "shoe", "at": {"group": 2}, "repeat": {"times": 3}}
    assert [dict(fault.at) for fault in parse_faults(table, lambda _: "here")] == [{"group": 2}] * 3


def test_in_a_group_it_is_the_card_that_moves_on_and_after_a_start_the_time() -> None:
    in_group = {"name": "card_torn", "target": "shoe", "at": {"group": 2, "card": 1}, "repeat": {"times": 2, "step": 3}}
    assert [dict(fault.at) for fault in parse_faults(in_group, lambda _: "here")] == [
        {"group": 2, "card": 1},
        {"group": 2, "card": 4},
    ]
    timed = {"name": "card_torn", "target": "shoe", "at": {"after_s": 0.5}, "repeat": {"times": 2, "step": 0.25}}
    assert [fault.at["after_s"] for fault in parse_faults(timed, lambda _: "here")] == ["0.5", "0.75"]


# --- when it is armed ---


def record(event: AnyEvent) -> Record:
    return Record(seq=1, mono_ns=0, utc="", source="", scenario="s", event=event)


def waiting(**at: str) -> FaultSpec:
    return parse_fault({"name": "card_torn", "target": "shoe", "at": {**at, "card": 3}}, "here")


JAM = DeviceFault(device="shoe", code="X", symptom="jam")


@pytest.mark.parametrize(
    ("fault", "event", "free"),
    [
        (waiting(event="device.fault"), JAM, True),
        (waiting(event="device.fault:jam"), JAM, True),
        (waiting(event="device.fault:stop"), JAM, False),
        (waiting(event="software.directive:void_round"), Directive(id="d", verb="void_round"), True),
        (waiting(event="software.directive:void_round"), Directive(id="d", verb="settle"), False),
        (waiting(state="shuffling"), DeviceStatus(device="shoe", state="shuffling"), True),
        (waiting(state="shuffling"), DeviceStatus(device="shuffler", state="shuffling"), False),
        (waiting(state="loading"), DeviceCycle(device="shoe", kind="load", phase="started"), True),
        (waiting(state="loading"), DeviceCycle(device="shoe", kind="load", phase="completed"), False),
    ],
)
def test_a_fault_that_waits_is_armed_by_what_it_waits_for_and_once(
    fault: FaultSpec, event: AnyEvent, free: bool
) -> None:
    schedule = Schedule([fault])
    assert schedule.at_once == []
    for _ in range(2):
        schedule.observe(record(event))
    assert [dict(one.at) for one in schedule.free()] == [{"card": 3}] * free
    assert schedule.free() == []


def test_a_plan_takes_a_script_beside_it_and_its_digest_covers_it(tmp_path: Path) -> None:
    text = SOUND.replace("brown_out", "power_cut").replace("ramp_s = 1.5\nparams = { volts = 12.0 }\n", "")
    script(tmp_path, text)
    at = {"event": "device.cycle:load"}
    own = [{"name": "card_torn", "target": "shoe", "at": at}]
    plan, records = played(tmp_path, CARDS, own, script="script.toml")
    names = [fault.name for fault in plan.scenarios[0].faults]
    assert names == ["power_cut", *["message_dropped"] * 3, "card_drawn_in_error", "card_torn"]
    assert [one.event.fault for one in records if isinstance(one.event, FaultArmed)] == names
    torn = [one.seq for one in records if isinstance(one.event, FaultProven) and one.event.fault == "card_torn"]
    told = [one.seq for one in records if isinstance(one.event, DeviceCycle) and one.event.kind == "load"]
    assert len(torn) == 1
    assert told[0] < torn[0]
    script(tmp_path, text.replace("step = 10", "step = 11"))
    assert load_plan(tmp_path / "plan.toml").sha256 != plan.sha256


def test_a_script_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must be the name of a file beside this one"):
        played(tmp_path, CARDS, [], script="../script.toml")


# --- the schema, the command ---


def test_the_schema_in_docs_is_that_of_the_code_and_takes_what_the_code_takes() -> None:
    assert SCHEMA.read_text("utf-8") == schema_text()
    sound = {"name": "s", "fault": [{"name": "card_torn", "target": "shoe", "at": {"card": 1}, "repeat": {"times": 2}}]}
    jsonschema.validate(sound, script_schema())
    for wrong in ({"name": "s"}, {**sound, "x": 1}, {"name": "s", "fault": [{"name": "card_torn"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, script_schema())


def test_the_command_checks_a_script(tmp_path: Path) -> None:
    path = script(tmp_path, SOUND)
    command = [sys.executable, "-m", "cardcert", "faults", "check", str(path)]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert [fault["fault"] for fault in json.loads(done.stdout)][:2] == ["brown_out", "message_dropped"]
    path.write_text(SOUND.replace("for_s = 0.3", "for_s = 99.0"), "utf-8")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{path}:" in done.stderr
