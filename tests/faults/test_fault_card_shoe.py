"""Faults of a shoe that reads its cards: each is proven on its wires, and told by the shoe in its own words."""

import functools
from pathlib import Path
from typing import Any

import pytest

from bench.faults.catalogue import catalogue
from bench.plan import load_plan
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from evidence.events import DeviceFault, FaultProven, FaultUnproven, Record, ScenarioFinished
from evidence.notes import Notes
from evidence.tomlwrite import write_toml

ROOT = Path(__file__).parents[2]
BASE: dict[str, Any] = {
    "name": "faults",
    "title": "Faults",
    "pack": "MODEL-CARD-SHOE",
    "table": {"game": "baccarat", "cards_in_deck": 52, "positions": ["seat/1", "dealer"], "seated": ["seat/1"]},
}


@functools.cache
def workshop() -> Workshop:
    return Workshop(load_rig(ROOT / "fixtures" / "rigs" / "emulated-card-shoe.toml"), 1, evidence=False)


def played(folder: Path, fault: dict[str, Any]) -> list[Record]:
    path = folder / "plan.toml"
    scenario = {"id": "s", "title": "S", "covers": [], "fault": [{"target": "shoe", "at": {"card": 2}, **fault}]}
    path.write_text(write_toml({**BASE, "scenario": [scenario]}), "utf-8")
    workshop().restart_clock()
    notes = Notes(workshop().now_ns)
    run_scenario(workshop(), load_plan(path).scenarios[0], notes, {})
    return notes.records


@pytest.mark.parametrize(
    ("fault", "params", "code"),
    [
        ("code_not_read", {}, "CANNOT_READ"),
        ("button_misused", {}, "BUTTON_MISUSE"),
        ("card_pushed_back", {"depth": "exit"}, "REVERSE_RUN_AT_EXIT"),
        ("card_pushed_back", {"depth": "midway"}, "REVERSE_RUN_MIDWAY"),
        ("card_of_another_set", {}, "CARD_CODE"),
        ("card_stuck_on_exit", {"hold_s": 5.0}, "DRAW_TIMEOUT"),
    ],
)
def test_each_is_proven_and_told(fault: str, params: dict[str, Any], code: str, tmp_path: Path) -> None:
    records = played(tmp_path, {"name": fault, "params": params})
    assert not [one for one in records if isinstance(one.event, FaultUnproven)]
    (proof,) = [one.event for one in records if isinstance(one.event, FaultProven)]
    assert proof.symptom == catalogue()[fault].symptom
    assert code in [one.event.code for one in records if isinstance(one.event, DeviceFault)]


def test_a_fault_of_a_drive_cannot_befall_a_shoe_that_has_none(tmp_path: Path) -> None:
    end = played(tmp_path, {"name": "motor_stall"})[-1].event
    assert isinstance(end, ScenarioFinished)
    assert end.status == "rig_fault"
    assert "it has no drive" in end.detail
