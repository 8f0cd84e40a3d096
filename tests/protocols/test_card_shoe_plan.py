"""The plan of the card-reading shoe: a compliant table passes each clause, and each defect is caught by its clause."""

from collections.abc import Sequence

import msgspec
import pytest

from bench.drivers.registry import driver_names
from bench.plan import Plan, load_plan, only
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import DeviceCard, DeviceChecked, Record
from evidence.notes import Notes
from fixtures.defect_runs import MatrixSettings
from fixtures.own_packs import packs_of
from fixtures.play_matrix import play_matrix
from fixtures.sensitivity import flaws
from rules.judge import judge
from rules.loader import load_packs
from rules.verdicts import Outcome


def test_every_clause_passes_and_can_fail() -> None:
    path = find_plan("card-shoe")
    plan = load_plan(path)
    packs, rig = packs_of(plan, path), load_rig(find_rig(plan.rig))
    rows = play_matrix(plan, packs, MatrixSettings(rig, packs, {}, 1), lambda *_: None, generic=False, jobs=1)
    assert flaws(rows, plan, packs, {}, compliant=True) == []
    assert {row.clause for row in rows} == {clause.id for clause in packs[0].clauses}
    assert all(row.compliant == Outcome.PASS.value for row in rows)


def play(plan: Plan, rig: str, *defects: str) -> Sequence[Record]:
    workshop = Workshop(load_rig(find_rig(rig)), 1, evidence=False)
    notes = Notes(workshop.now_ns)
    run_scenario(workshop, plan.scenarios[0], notes, {"shoe": frozenset(defects)})
    return notes.records


def test_a_card_told_three_times_is_in_the_journal_once() -> None:
    plan = only(load_plan(find_plan("card-shoe")), ["cs-plain"])
    cards = [record.event for record in play(plan, plan.rig) if isinstance(record.event, DeviceCard)]
    assert [(card.hand, card.index, card.label) for card in cards] == [
        ("player", 1, "2c"), ("banker", 1, "Td"), ("player", 2, "2s"), ("banker", 2, "3h"), ("player", 3, "4d"),
        ("banker", 3, "5c"),
    ]  # fmt: skip


@pytest.mark.parametrize("defect", ["canned_identity", "other_firmware"])
def test_another_firmware_than_the_one_handed_in_lets_nothing_pass(defect: str) -> None:
    plan = only(load_plan(find_plan("pr-pgp-shoe")), ["pr-proper"])
    scenario = msgspec.structs.replace(plan.scenarios[0], also=[])
    plan = msgspec.structs.replace(plan, scenarios=[scenario], packs=[scenario.pack])
    records = play(plan, "emulated-identity", defect)
    assert False in [record.event.matches for record in records if isinstance(record.event, DeviceChecked)]
    verdicts = {verdict.clause: verdict for verdict in judge(records, load_packs([scenario.pack]), {})}
    assert Outcome.PASS not in {verdict.verdict for verdict in verdicts.values()}
    assert verdicts["PR-PGP-SHOE.A.2"].verdict is Outcome.FAIL
    assert "firmware" in verdicts["PR-PGP-SHOE.B.1"].reason


def test_the_driver_ships() -> None:
    assert "angel-eye" in driver_names()
