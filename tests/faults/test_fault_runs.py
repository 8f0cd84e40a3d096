"""Every fault on the emulated rig: let happen it is proven and judged; kept from happening, nothing passes."""

import functools
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench import session
from bench.emulators.faulty_camera import FaultySource
from bench.emulators.injector import Injector
from bench.emulators.table_software.server import InProcessSoftware
from bench.faults.catalogue import catalogue
from bench.hands.emulated import EmulatedHands
from bench.links.faulty import FaultyLine
from bench.plan import Plan, load_plan
from bench.rig import load_rig
from bench.session import run_scenario
from bench.slips import Slips
from bench.workshop import Workshop
from evidence.events import FaultArmed, FaultProven, FaultUnproven, LineSeen, Record, ScenarioFinished
from evidence.notes import Notes
from evidence.tomlwrite import write_toml
from fixtures.own_packs import packs_of
from rules.judge import judge
from rules.verdicts import Verdict

ROOT = Path(__file__).parents[2]
PLANS = ROOT / "test_plans" / "plans"
RIG = ROOT / "fixtures" / "rigs" / "emulated.toml"
CARDS: dict[str, Any] = {
    "name": "faults",
    "title": "Faults",
    "pack": "NJ-69F-33.12",
    "table": {"game": "winners_pot", "cards_in_deck": 52, "seated": ["seat/3"], "button": "dealer"},
}
"""A round of single cards."""
STACKS: dict[str, Any] = {
    "name": "faults",
    "title": "Faults",
    "pack": "PR-PGP-SHOE",
    "table": {"game": "pai_gow_poker", "cards_in_deck": 53, "seated": ["seat/1"]},
}
"""A round of stacks of seven, after which every card has been counted."""


@functools.cache
def workshop() -> Workshop:
    return Workshop(load_rig(RIG), 1, evidence=False)


def played(folder: Path, base: dict[str, Any], faults: list[dict[str, Any]], **more: Any) -> tuple[Plan, list[Record]]:
    """One scenario with these faults on the emulated rig: its plan and what was recorded."""
    path = folder / "plan.toml"
    scenario = {"id": "s", "title": "S", "covers": [], "fault": faults, **more}
    path.write_text(write_toml({**base, "scenario": [scenario]}), "utf-8")
    plan = load_plan(path)
    workshop().restart_clock()
    notes = Notes(workshop().now_ns)
    run_scenario(workshop(), plan.scenarios[0], notes, {})
    return plan, notes.records


def judged(plan: Plan, records: list[Record]) -> list[Verdict]:
    return judge(records, packs(plan.packs[0]), {})


@functools.cache
def packs(pack: str) -> Any:
    return packs_of(msgspec.structs.replace(load_plan(PLANS / "default.toml"), packs=[pack]), PLANS / "default.toml")


# --- let happen ---


@functools.cache
def in_the_default_plan() -> frozenset[tuple[str, str]]:
    """The faults that the certification's own scenarios bring about; whether they are proven shows there."""
    scenarios = load_plan(PLANS / "default.toml").scenarios
    return frozenset((fault.name, fault.target) for scenario in scenarios for fault in scenario.faults)


WITH: dict[str, dict[str, Any]] = {
    "count_spoofed": {"base": STACKS},
    "device_left_in_place": {"rounds": 0, "ask": [{"request": "deal_by_hand"}]},
    "software_killed": {"at": {"event": "software.directive:deliver"}},
    "round_resumed_after_jam": {"also": {"name": "card_stuck_on_exit", "target": "shoe", "at": {"card": 6}}},
    "card_pushed_back": {"at": {"card": 6}},
    "light_changed": {"at": {"look": 3}},
    "message_reordered": {"at": {"message": 2}},
}
"""What a fault needs beside itself; else it happens at the 17th card of the shuffle, or at the second message."""
OWN = [name for name, fault in catalogue().items() if not {(name, to) for to in fault.targets} & in_the_default_plan()]


def entry(name: str, target: str) -> dict[str, Any]:
    """The fault as a plan would ask for it."""
    moments = catalogue()[name].moments
    at: dict[str, Any] = {"card": 17} if "card" in moments and target == "shuffler" else {}
    at = {"message": 2} if "message" in moments else at
    return {"name": name, "target": target, "at": WITH.get(name, {}).get("at", at)}


@pytest.mark.parametrize("name", OWN)
def test_a_fault_that_is_armed_happens_and_is_proven_and_judged(name: str, tmp_path: Path) -> None:
    needs = dict(WITH.get(name, {}))
    needs.pop("at", None)
    base, also = needs.pop("base", CARDS), needs.pop("also", None)
    target = catalogue()[name].targets[0]
    plan, records = played(tmp_path, base, [*([also] if also else []), entry(name, target)], **needs)
    proofs = [record for record in records if isinstance(record.event, FaultProven) and record.event.fault == name]
    assert len(proofs) == 1
    proof = proofs[0].event
    assert isinstance(proof, FaultProven)
    assert (proof.target, proof.symptom) == (target, catalogue()[name].symptom)
    assert max(proof.by) < proofs[0].seq
    assert not [seq for seq in proof.by if isinstance(records[seq].event, FaultArmed)]
    assert not [record for record in records if isinstance(record.event, FaultUnproven)]
    verdicts = judged(plan, records)
    end = records[-1].event
    assert isinstance(end, ScenarioFinished)
    assert end.status in ("completed", "rig_fault")
    outcomes = {verdict.verdict for verdict in verdicts}
    if end.status == "completed" and catalogue()[name].proof.kind != "other_firmware":
        assert outcomes - {"INCONCLUSIVE"}
    else:
        # A rig that broke, and a device that is another one than it was: whatever was seen vouches for nothing.
        assert outcomes <= {"INCONCLUSIVE", "FAIL", "NOT_APPLICABLE"}


def test_every_fault_of_the_catalogue_is_played_somewhere() -> None:
    default = {name for name, _ in in_the_default_plan()}
    assert default | set(OWN) == set(catalogue())
    assert len(OWN) > 50


# --- kept from happening ---


@functools.cache
def prevented(folder: Path) -> tuple[Plan, list[Record]]:
    """A sound round in which every fault of the catalogue is armed and none of them can get at anything."""
    faults = [{"name": fault.name, "target": target} for fault in catalogue().values() for target in fault.targets]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Injector, "take", lambda *_: None)
        patch.setattr(Injector, "take_at", lambda *_: None)
        patch.setattr(FaultyLine, "_due", lambda *_: None)
        patch.setattr(FaultySource, "_spoilt", lambda _self, _fault, frame: frame)
        patch.setattr(InProcessSoftware, "end", lambda _: None)
        patch.setattr(session, "with_defects", lambda _, defects: defects)
        patch.setattr(Slips, "take", lambda *_args, **_moment: None)
        patch.setattr(Slips, "prepare", lambda *_: [])
        place = EmulatedHands.place_pack
        patch.setattr(EmulatedHands, "place_pack", lambda hands, cards, **_: place(hands, cards))
        return played(folder, STACKS, faults)


@pytest.fixture(scope="module")
def sound_round(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, list[Record]]:
    return prevented(tmp_path_factory.mktemp("prevented"))


def of_one(records: list[Record], name: str) -> list[Record]:
    """The same records as if only this fault had been armed. Others give way to an edge on a wire of no device."""
    nothing = LineSeen(line="nothing/nothing", level=0, at_ns=0)

    def kept(event: object) -> bool:
        return not isinstance(event, FaultArmed | FaultUnproven | FaultProven) or event.fault == name

    return [
        record if kept(record.event) else msgspec.structs.replace(record, event=nothing, source="instrument:probe")
        for record in records
    ]


def test_a_round_without_faults_passes(sound_round: tuple[Plan, list[Record]]) -> None:
    plan, records = sound_round
    assert not [record for record in records if isinstance(record.event, FaultProven)]
    outcomes = [str(verdict.verdict) for verdict in judged(plan, of_one(records, ""))]
    assert outcomes.count("PASS") > 1
    assert "INCONCLUSIVE" not in outcomes


@pytest.mark.parametrize("name", catalogue())
def test_a_fault_that_is_armed_and_kept_from_happening_lets_nothing_pass(
    name: str, sound_round: tuple[Plan, list[Record]]
) -> None:
    plan, records = sound_round
    mine = of_one(records, name)
    armed = [record.event.target for record in mine if isinstance(record.event, FaultArmed)]
    unproven = [record.event.target for record in mine if isinstance(record.event, FaultUnproven)]
    assert sorted(armed) == sorted(unproven) == sorted(catalogue()[name].targets)
    verdicts = judged(plan, mine)
    assert {verdict.verdict for verdict in verdicts} <= {"INCONCLUSIVE", "NOT_APPLICABLE"}
    assert any(name in verdict.reason for verdict in verdicts)
