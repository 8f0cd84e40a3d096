"""What the judge makes of records: its own picture of the table."""

from typing import Any

import pytest

from evidence.events import ApprovalRecord, CardsSeen, DealerDid, DeviceAnswered, DeviceCommanded, Record
from rules.facts.machine import FactMachine
from rules.pack import Game
from rules.table import Look
from rules.vocabulary import FACTS, Fact
from tests.rules.pai_gow_script import PaiGow
from tests.rules.stud_script import Stud
from tests.rules.table_script import FIRMWARE, PACKS, Script


def facts(records: list[Record], game: Game, name: str) -> list[Fact]:
    """Every fact of one name, in order, in its latest form."""
    machine = FactMachine(game)
    found: dict[int, Fact] = {}
    for record in records:
        if record.scenario:
            found |= {fact.id: fact for _, fact in machine.feed(record) if fact.name == name}
    return list(found.values())


def stud(s: Script, name: str) -> list[dict[str, Any]]:
    return [dict(fact.attributes) for fact in facts(s.records, PACKS["NJ-69F-33.12"].game, name)]


def pai_gow(s: Script, name: str) -> list[dict[str, Any]]:
    return [dict(fact.attributes) for fact in facts(s.records, PACKS["PR-PGP-SHOE"].game, name)]


def test_every_fact_of_a_round_has_the_attributes_of_its_kind() -> None:
    s = Stud()
    s.opening()
    s.hole(seat3_1={"up": True})
    s.betting()
    s.rest()
    machine = FactMachine(PACKS["NJ-69F-33.12"].game)
    for record in s.records:
        for _, fact in machine.feed(record):
            assert set(fact.attributes) == set(FACTS[fact.name].attributes)
            for name, value in fact.attributes.items():
                allowed = FACTS[fact.name].attributes[name].values
                assert value is None or not allowed or value in allowed, (fact.name, name, value)


# --- devices ---


def symptoms(s: Script) -> list[str]:
    return [one["symptom"] for one in stud(s, "device_irregularity")]


def test_claims_of_one_piece_of_work_are_one_irregularity() -> None:
    s = Stud()
    s.command("shuffler", "shuffle")
    s.fault("shuffler", "jam")
    s.fault("shuffler", "stop")
    s.cycle("shuffler", "shuffle", "aborted")
    assert symptoms(s) == ["jam"]


def test_an_aborted_cycle_is_explained_by_the_fault_that_follows() -> None:
    s = Stud()
    s.command("shuffler", "shuffle")
    s.cycle("shuffler", "shuffle", "aborted")
    assert symptoms(s) == ["incomplete"]
    s.fault("shuffler", "jam")
    assert symptoms(s) == ["jam"]


def test_a_miscount_gives_way_to_a_jam() -> None:
    s = Stud()
    s.command("shuffler", "shuffle")
    s.fault("shuffler", "count")
    s.fault("shuffler", "jam")
    assert symptoms(s) == ["jam"]


def test_a_cycle_that_starts_without_a_command_is_new_work() -> None:
    s = Stud()
    for _ in range(2):
        s.cycle("shuffler", "shuffle", "started")
        s.fault("shuffler", "jam")
    assert symptoms(s) == ["jam", "jam"]
    assert {one["during"] for one in stud(s, "device_irregularity")} == {"shuffle"}


def test_a_device_that_refuses_has_not_failed() -> None:
    s = Stud()
    order = s.order("shuffle", method="device", device="shuffler")
    s.put(DeviceCommanded(device="shuffler", command="shuffle"))
    s.put(DeviceAnswered(device="shuffler", command="shuffle", accepted=False, code="TRAY_EMPTY"))
    s.done(order, "shuffle", "failed")
    assert symptoms(s) == []


def test_a_late_proof_belongs_to_the_work_it_was_seen_in() -> None:
    s = Stud()
    s.command("shoe", "deal_card")
    edge = s.line("shoe/exit")
    s.dispensed("shoe", "card", 1)
    s.command("shoe", "deal_card")
    s.fault("shoe", "stop")
    s.proven("card_stuck_on_exit", "shoe", "jam", [edge])
    found = stud(s, "device_irregularity")
    assert [(one["symptom"], one["silent"]) for one in found] == [("stop", False), ("jam", True)]


def test_a_proof_names_the_device_by_its_role() -> None:
    s = Script()
    s.begin("s", "NJ-69F-33.12")
    s.session(["seat/1"], devices=["shoe"])
    s.proven("card_stuck_on_exit", "shoe", "jam", [s.line("shoe/exit")])
    assert [(one["device"], one["role"]) for one in stud(s, "device_irregularity")] == [("shoe", "shoe")]


def test_a_device_taken_away_without_a_look_may_still_be_there() -> None:
    s = Stud()
    s.put(DealerDid(act="remove_device", device="shoe"))
    s.ask("deal_by_hand")
    assert {one["role"]: one["on_table"] for one in stud(s, "method_used")} == {"shuffler": True, "shoe": None}


@pytest.mark.parametrize(
    ("changed", "approved"),
    [
        ({}, True),
        ({"maker": "N"}, False),
        ({"model": "Y"}, False),
        ({"firmware_sha256": "cd" * 32}, False),
        ({"procedure": " "}, False),
        ({"location": ""}, False),
        ({"location": "pit 2"}, False),
    ],
)
def test_a_device_is_approved_as_the_record_states_it_or_not_at_all(changed: dict[str, str], approved: bool) -> None:
    s = PaiGow(approved=False, inputs={"location": "pit 1"})
    record = {"maker": "M", "model": "X", "firmware_sha256": FIRMWARE, "location": "pit 1", "procedure": "P 7"}
    s.put(ApprovalRecord(device="shoe", **{**record, **changed}))
    s.load_shoe()
    assert [one["approved"] for one in pai_gow(s, "device_in_use")] == [approved]


# --- cards ---


def test_cards_face_up_at_the_mouth_are_counted_once() -> None:
    s = Stud()
    s.opening()
    s.draw(up=True)
    s.draw(up=True)
    s.look("shoe_mouth")
    assert [one["nth"] for one in stud(s, "face_up_in_source")] == [1, 2]


def test_two_cards_face_up_at_once_are_two() -> None:
    s = Stud()
    s.opening()
    s.held["shoe_mouth"] = s.up["shoe_mouth"] = 2
    s.look("shoe_mouth")
    assert [(one["nth"], one["several"]) for one in stud(s, "face_up_in_source")] == [(2, True)]


def test_a_card_face_up_in_the_remainder_was_found_after_the_deal() -> None:
    s = Stud()
    s.opening()
    s.dispense(up=True)
    s.collect("shoe_mouth", verb="retire_card")
    s.held["layout_centre"], s.up["layout_centre"] = 20, 1
    s.look("layout_centre")
    assert [(one["nth"], one["phase"]) for one in stud(s, "face_up_in_source")] == [(1, "dealing"), (1, "all_dealt")]


def test_all_is_dealt_when_every_hand_has_its_cards() -> None:
    s = Stud()
    s.opening()
    s.hole()
    for _ in range(2):
        s.street()
    s.burn()
    for position in s.live:
        s.card(position, "up")
    s.dispense(up=True)
    assert [one["phase"] for one in stud(s, "face_up_in_source")] == ["all_dealt"]


def test_cards_left_from_the_round_before_are_not_dealt_in_this_one() -> None:
    s = Stud()
    s.opening()
    s.hole(seat3_1={"up": True})
    s.just("close_round")
    s.opening("seat/3", shuffled=True)
    s.hole()
    assert stud(s, "hand_counted") == []
    assert [one["count"] for one in stud(s, "hole_cards_face_up")] == [1]


def test_a_shuffle_puts_together_what_was_left_lying() -> None:
    s = Stud()
    s.opening()
    s.hole()
    s.just("close_round")
    s.held.clear()
    s.opening("seat/3")
    s.card("seat/1")
    assert stud(s, "hand_counted") == []


def test_the_card_that_a_neighbour_got_instead_is_no_second_mistake() -> None:
    s = Stud()
    s.opening()
    s.card("seat/1", lands="seat/3")
    assert [(one["position"], one["relation"]) for one in stud(s, "hand_counted")] == [("seat/1", "fewer")]


def test_cards_spread_before_the_shoe_was_emptied_are_no_remainder() -> None:
    s = PaiGow()
    s.opening()
    s.deal()
    s.remainder(remove=False)
    assert pai_gow(s, "remainder_counted") == []


def test_the_button_goes_round_the_seated_and_the_dealer() -> None:
    s = Stud()
    for seat in ("seat/1", "dealer"):
        s.ask("next_round")
        s.just("open_round")
        s.button(seat, seen="seat/3")
        s.just("close_round")
    s.just("open_round")
    due = stud(s, "button_due")
    assert [(one["next_logical"], one["next_physical"]) for one in due] == [("seat/3", "dealer"), ("seat/1", "dealer")]
    assert [one["farthest_physical"] for one in due] == [True, True]


# --- cards named at a place that is not told whole ---


@pytest.mark.parametrize(("named", "extra"), [(["Ah", "5c"], [1]), (["Kd", "5c"], []), ([], [])])
def test_a_card_named_at_a_place_that_is_not_counted_can_be_another_of_one_that_lies_elsewhere(
    named: list[str], extra: list[int]
) -> None:
    s = PaiGow()
    s.opening()
    s.put(CardsSeen(place="seat/1", count=1, face_up=["Ah"], face_down=0))
    s.put(CardsSeen(place="seat/3", count=None, named=named))
    assert [one["extra"] for one in pai_gow(s, "pack_identified")] == extra


def test_a_look_that_tells_a_place_in_part_takes_away_nothing_that_was_seen_there() -> None:
    s = PaiGow()
    s.opening()
    s.put(CardsSeen(place="seat/1", count=2, face_up=["Kd", "Ah"], face_down=0))
    s.put(CardsSeen(place="seat/1", count=None, named=["Ah"]))
    s.put(CardsSeen(place="seat/3", count=1, face_up=["Kd"], face_down=0))
    assert [one["extra"] for one in pai_gow(s, "pack_identified")] == [1]


def test_a_card_named_in_a_stack_that_is_told_in_part_can_be_another_of_one_that_lies_elsewhere() -> None:
    s = PaiGow()
    s.opening()
    s.put(CardsSeen(place="seat/1", count=1, face_up=["Ah"], face_down=0))
    s.put(CardsSeen(place="discard_rack", count=None, stacked=True, in_part=True, named=["Ah"]))
    assert [one["extra"] for one in pai_gow(s, "pack_identified")] == [1]


def test_cards_that_are_named_are_neither_a_count_nor_the_faces_that_show() -> None:
    look = Look.from_event(CardsSeen(place="seat/3", count=None, named=["Ah", "5c"]), 1)
    assert (look.count, look.face_up, look.present, look.labels) == (None, None, None, ())
