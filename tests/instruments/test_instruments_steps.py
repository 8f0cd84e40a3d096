"""What instruments do for a fault: step by step, within the rig's limits, and proven by what was read for it."""

from pathlib import Path
from typing import Any

import pytest

from bench.faults.catalogue import catalogue
from bench.faults.proof import Prover
from bench.faults.script import FaultSpec, parse_fault
from bench.instruments.entry import ChannelEntry
from bench.instruments.injection import InjectionEntry, Injections
from bench.instruments.steps import MOST_STEPS, Step, lasts_s
from bench.plan import load_plan
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.__main__ import main
from cardcert.shipped import find_rig
from evidence.events import (
    DeviceFault,
    FaultProven,
    FaultUnproven,
    LineSeen,
    LinkBytes,
    ReadingTaken,
    Record,
    ScenarioFinished,
)
from evidence.notes import Notes
from evidence.tomlwrite import write_toml

RIG = load_rig(find_rig("emulated-instruments"))
RAIL = ChannelEntry(name="rail", address=1, device="shoe", voltage_v=24.0, max_voltage_v=25.0, max_current_a=2.0)
KEY = ChannelEntry(name="key", address=101, device="shoe", line="button", across=True)
WIRE = ChannelEntry(name="wire", address=102, device="shoe", line="exit")


def spec(name: str, **params: object) -> FaultSpec:
    return parse_fault({"name": name, "target": "shoe", "params": params}, "plan")


def steps(name: str, action: str, channel: ChannelEntry, params: dict[str, object], **asked: float) -> list[Step]:
    entry = InjectionEntry(fault=name, device="shoe", channel=channel.name, action=action, **asked)  # type: ignore[arg-type]
    return entry.steps(spec(name, **params), channel)


# --- steps ---


def test_a_dip_that_creeps_comes_down_in_steps_that_end_where_the_plan_says() -> None:
    params: dict[str, object] = {"volts": 16.0, "ramp_s": 0.2, "hold_s": 0.3}
    down = steps("brown_out", "sag", RAIL, params)
    assert down == [
        Step(0.05, "volts", 22.0), Step(0.1, "volts", 20.0), Step(0.15, "volts", 18.0), Step(0.2, "volts", 16.0),
    ]  # fmt: skip
    assert lasts_s("sag", down, spec("brown_out", **params).params) == pytest.approx(0.5)
    assert steps("brown_out", "sag", RAIL, {"volts": 16.0}) == [Step(0.0, "volts", 16.0)]


@pytest.mark.parametrize(
    ("name", "action", "channel", "params", "most"),
    [
        ("brown_out", "sag", RAIL, {"ramp_s": 10.0}, MOST_STEPS),
        ("slow_power_up", "ramp", RAIL, {"ramp_s": 10.0}, MOST_STEPS + 1),
        ("sensor_noise", "chatter", WIRE, {"hold_s": 10.0}, 2 * MOST_STEPS),
    ],
)
def test_however_long_it_lasts_the_steps_are_bounded_and_in_order(
    name: str, action: str, channel: ChannelEntry, params: dict[str, object], most: int
) -> None:
    made = steps(name, action, channel, params)
    assert len(made) == most
    assert [step.after_s for step in made] == sorted(step.after_s for step in made)
    assert made[-1].after_s <= 10.0


def test_a_supply_that_comes_back_slowly_begins_at_nothing_and_ends_as_it_was() -> None:
    up = steps("slow_power_up", "ramp", RAIL, {"ramp_s": 2.0})
    assert (up[0], up[-1]) == (Step(0.0, "volts", 0.0), Step(2.0, "volts", 24.0))
    assert [step.value for step in up] == sorted(step.value for step in up)


def test_a_pulse_leaves_a_relay_as_it_stands_at_work() -> None:
    assert steps("button_misused", "pulse", KEY, {}, pulse_s=0.2) == [Step(0, "relay", 1), Step(0.2, "relay", 0)]
    assert steps("wrong_group_size", "pulse", WIRE, {}) == [Step(0, "relay", 0), Step(0.1, "relay", 1)]
    chatter = steps("sensor_noise", "chatter", WIRE, {"hold_s": 0.12, "pulse_s": 0.005})
    assert [step.value for step in chatter] == [0, 1] * 3
    assert [step.after_s for step in chatter] == [0.0, 0.005, 0.04, 0.045, 0.08, 0.085]


# --- what the readings prove ---


def reading(value: float, unit: str = "V", fault: str = "", asked: float | None = None, line: str = "") -> ReadingTaken:
    rail = not line
    return ReadingTaken(channel="shoe/it", value=value, unit=unit, rail=rail, fault=fault, asked=asked, line=line)


def proven(faults: list[FaultSpec], *readings: ReadingTaken | LineSeen, every_s: float = 0.1) -> list[str]:
    prover = Prover(faults)
    found: list[object] = []
    for seq, event in enumerate(readings):
        record = Record(
            seq=seq, mono_ns=round(seq * every_s * 1e9), utc="", source="instrument:it", scenario="s", event=event
        )
        found += prover.observe(record)
    found += prover.finish()
    return [one.fault for one in found if isinstance(one, FaultProven)]


BOTH = [spec("brown_out", volts=0.5), spec("power_cut")]


def test_a_reading_proves_the_fault_for_which_it_was_taken_and_no_other() -> None:
    cut, dip = reading(0.0, fault="power_cut", asked=0.0), reading(0.5, fault="brown_out", asked=0.5)
    assert proven(BOTH, cut) == ["power_cut"]
    assert proven(BOTH, dip) == ["brown_out"]
    assert proven(BOTH, cut, dip) == ["power_cut", "brown_out"]
    assert proven(BOTH, reading(0.0)) == []
    assert proven([spec("power_cut")] * 2, cut) == ["power_cut"]


@pytest.mark.parametrize(
    ("volts", "value", "proves"),
    [(16.0, 16.4, 1), (16.0, 0.0, 0), (16.0, 18.0, 0), (16.0, 24.0, 0), (16.0, -16.0, 0), (21.0, 21.0, 0)],
)
def test_a_dip_is_proven_by_what_it_was_to_come_down_to(volts: float, value: float, proves: int) -> None:
    assert len(proven([spec("brown_out", volts=volts)], reading(value, fault="brown_out"))) == proves


@pytest.mark.parametrize(("value", "proves"), [(1.9, 1), (2.0, 0), (-24.0, 0), (float("nan"), 0)])
def test_a_supply_that_is_cut_reads_nothing_not_just_anything_low(value: float, proves: int) -> None:
    assert len(proven([spec("power_cut")], reading(value, fault="power_cut"))) == proves


def test_every_step_of_a_ramp_must_have_been_what_was_asked() -> None:
    def ramp(*values: float) -> list[str]:
        told = [reading(value, fault="brown_out", asked=22.0 - 2 * n) for n, value in enumerate(values)]
        return proven([spec("brown_out", volts=16.0)], *told)

    assert ramp(22.0, 20.1, 18.0, 16.0) == ["brown_out"]
    assert ramp(22.0, 24.0, 18.0, 16.0) == []


def test_a_supply_that_comes_back_slowly_is_low_for_longer_than_any_dip() -> None:
    slow = [reading(float(n), fault="slow_power_up", asked=float(n)) for n in range(10)]
    assert proven([spec("slow_power_up")], *slow) == ["slow_power_up"]
    assert proven([spec("slow_power_up")], *slow, every_s=0.05) == []


def relay(closed: int, asked: int, fault: str, line: str) -> ReadingTaken:
    return reading(float(closed), "closed", fault, float(asked), line)


@pytest.mark.parametrize(
    ("fault", "params", "told", "proves"),
    [
        ("cover_opened", {}, [(0, 0, "lid")], 1),
        ("cover_opened", {}, [(1, 0, "lid")], 0),
        ("cover_opened", {}, [(0, 0, "exit")], 0),
        ("sensor_stuck", {"line": "tray"}, [(0, 0, "tray")], 1),
        ("sensor_stuck", {"line": "tray"}, [(0, 0, "exit")], 0),
        ("button_misused", {}, [(1, 1, "button")], 0),  # pressed, and never let go
        ("button_misused", {}, [(1, 1, "button"), (0, 0, "button")], 1),
        ("sensor_noise", {"line": "exit"}, [(0, 0, "exit"), (1, 1, "exit")], 0),
        ("sensor_noise", {"line": "exit"}, [(0, 0, "exit"), (1, 1, "exit")] * 2, 1),
    ],
)
def test_a_relay_in_the_line_proves_it_by_how_it_stands(
    fault: str, params: dict[str, object], told: list[tuple[int, int, str]], proves: int
) -> None:
    readings = [relay(closed, asked, fault, line) for closed, asked, line in told]
    assert len(proven([spec(fault, **params)], *readings)) == proves


def test_a_relay_is_not_believed_where_a_probe_on_the_device_saw_nothing_of_it() -> None:
    opened, elsewhere = relay(0, 0, "cover_opened", "lid"), LineSeen(line="shuffler/exit", level=1, at_ns=1)
    exit_moved, lid_opened = LineSeen(line="shoe/exit", level=1, at_ns=1), LineSeen(line="shoe/lid", level=0, at_ns=2)
    cover = [spec("cover_opened")]
    assert proven(cover, opened, elsewhere) == ["cover_opened"]
    assert proven(cover, opened, exit_moved) == []
    assert proven(cover, exit_moved, opened) == []
    assert proven(cover, opened, exit_moved, lid_opened) == ["cover_opened"]
    assert proven(cover * 2, opened) == ["cover_opened"]


# --- on the emulated rig ---

PLAN: dict[str, Any] = {
    "name": "instruments",
    "title": "Instruments",
    "pack": "NJ-69F-33.12",
    "table": {"game": "winners_pot", "cards_in_deck": 52, "seated": ["seat/3"], "button": "dealer"},
}
BY_INSTRUMENT = sorted((entry.device, entry.fault) for entry in RIG.file.injection)
ON_THE_SHOE = {fault for device, fault in BY_INSTRUMENT if device == "shoe"}
SAYS = {
    "power_cut": "POWER_LOST", "slow_power_up": "MOTOR_STALL", "over_voltage": "POWER_LOST",
    "motor_overcurrent": "MOTOR_STALL", "cover_opened": "LID_OPEN", "button_misused": "BUTTON_MISUSED",
    "stop_mid_cycle": "POWER_LOST", "motor_stall": "MOTOR_STALL", "sensor_stuck": "NOT_ENOUGH_CARDS",
    "card_stuck_on_entry": "CARD_STUCK_ON_ENTRY", "card_stuck_on_exit": "CARD_STUCK_ON_EXIT",
    "door_obstructed": "CARD_STUCK_INSIDE", "homing_failed": "HOMING", "slot_misaligned": "ALIGNMENT",
}  # fmt: skip
"""What the emulated device makes of it, for a physical reason."""
SAYS_NOTHING = {"brown_out", "sensor_noise", "stop_pressed", "watchdog_reset", "cycle_not_completed"}


RESTING = {
    f"{channel.device}/{channel.name}": channel.voltage_v or 24.0 * channel.rail or float(not channel.at_rest_open)
    for instrument in RIG.file.instrument
    for channel in instrument.channel
}
"""What is read of each channel while the rig is at work."""


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(RIG, 1, evidence=False)


def fault(name: str, device: str = "shoe", **more: object) -> dict[str, object]:
    params = {"sensor_stuck": {"level": 0}}.get(name, {})
    at = {"cycle": 1} if name == "homing_failed" else {"card": 6}
    return {"name": name, "target": device, "at": at, "params": {**params, **more}}


def plan_file(folder: Path, *faults: dict[str, object]) -> Path:
    path = folder / "plan.toml"
    scenario = {"id": "s", "title": "S", "covers": [], "fault": list(faults)}
    path.write_text(write_toml({**PLAN, "scenario": [scenario]}), "utf-8")
    return path


def played(workshop: Workshop, folder: Path, *faults: dict[str, object]) -> list[Record]:
    plan = load_plan(plan_file(folder, *faults))
    workshop.restart_clock()
    notes = Notes(workshop.now_ns)
    run_scenario(workshop, plan.scenarios[0], notes, {})
    end = notes.records[-1].event
    assert isinstance(end, ScenarioFinished)
    assert end.status == "completed", end.detail
    return notes.records


def of(records: list[Record], kind: type) -> list[Any]:
    return [record.event for record in records if isinstance(record.event, kind)]


@pytest.mark.parametrize(("device", "name"), BY_INSTRUMENT)
def test_an_instrument_brings_the_fault_about_and_it_is_proven(
    device: str, name: str, workshop: Workshop, tmp_path: Path
) -> None:
    records = played(workshop, tmp_path, fault(name, device))
    (proof,) = of(records, FaultProven)
    seen = [records[seq] for seq in proof.by]
    assert (proof.fault, proof.target) == (name, device)
    assert name == "cycle_not_completed" or any(isinstance(record.event, ReadingTaken | LineSeen) for record in seen)
    assert {event.fault for event in of(records, ReadingTaken)} == {"", name}
    codes = [event.code for event in of(records, DeviceFault)]
    if name in SAYS:
        assert SAYS[name] in codes
    else:
        assert (name in SAYS_NOTHING) == (codes == [])
    # Whatever was done is undone, and what is at work last is as it was.
    last = {event.channel: event.value for event in of(records, ReadingTaken) if event.unit in ("V", "closed")}
    assert last == {channel: RESTING[channel] for channel in last}
    told = [
        line
        for event in of(records, LinkBytes)
        if event.link == "supply" and event.direction == "tx"
        for line in bytes.fromhex(event.data).decode().splitlines()
    ]
    assert [line for line in told if line.startswith("OUTP ")][-2:] == ["OUTP 0,(@2)", "OUTP 0,(@3)"]


def test_faults_that_are_armed_on_instruments_and_kept_from_happening_are_not_proven(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Injections, "begun", lambda *_: None)
    records = played(workshop, tmp_path, *[fault(name, device) for device, name in BY_INSTRUMENT])
    assert of(records, FaultProven) == []
    assert sorted((event.target, event.fault) for event in of(records, FaultUnproven)) == BY_INSTRUMENT


def test_a_fault_that_ends_leaves_another_on_the_same_channel_as_it_was(workshop: Workshop, tmp_path: Path) -> None:
    dip, cut = fault("brown_out", hold_s=0.05), fault("power_cut", hold_s=0.5)
    records = played(workshop, tmp_path, dip, cut)
    rail = [event for event in of(records, ReadingTaken) if event.channel == "shoe/shoe-clip"]
    assert [event.value for event in rail][:3] == [16.0, 0.0, 0.0]  # the dip is over, and nothing came back
    assert rail[-1].value == 24.0


# --- what a plan may ask ---

TOO_MUCH = [
    (fault("brown_out", volts=23.0), "max_voltage_v = 22", "'shoe-rail' of the rig would be told to give 23 V, and"),
    (
        fault("sensor_stuck", level=1),
        "",
        "a line that stands at level 1 cannot be had by 'open' of channel 'shoe-exit'",
    ),
    (
        fault("sensor_stuck", line="tray"),
        "",
        "it befalls line 'tray', and channel 'shoe-exit' of the rig lies in 'exit'",
    ),
]


@pytest.mark.parametrize(("asked", "limit", "says"), TOO_MUCH, ids=["volts", "level", "line"])
def test_a_plan_that_asks_too_much_of_the_instruments_is_refused_before_anything_is_switched(
    asked: dict[str, object], limit: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = find_rig("emulated-instruments").read_text("utf-8")
    text = text[: text.index("[inputs]")] + text[text.index("[[instrument]]") :]
    if limit:
        text = text.replace("voltage_v = 24.0\nmax_voltage_v = 25.0", f"voltage_v = 20.0\n{limit}", 1)
    rig = tmp_path / "rig.toml"
    rig.write_text(text, "utf-8")
    plan = plan_file(tmp_path, asked)
    assert main(["certify", str(plan), "--rig", str(rig), "--out", str(tmp_path / "run")]) == 2
    (message,) = capsys.readouterr().err.strip().splitlines()
    assert says in message
    assert "scenario 's': fault " in message
    assert not (tmp_path / "run").exists()


def test_a_reading_proves_only_faults_that_say_so_in_the_catalogue() -> None:
    by_the_device = {
        "motor_stall", "card_stuck_on_entry", "card_stuck_on_exit", "silent_jam_recovery", "cycle_not_completed",
    }  # fmt: skip
    assert {name for name, one in catalogue().items() if one.proof.reading} == ON_THE_SHOE - by_the_device | {
        "homing_failed", "slot_misaligned",
    }  # fmt: skip
