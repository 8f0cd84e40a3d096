"""Defects of the emulated devices: each breaks its one rule and nothing else."""

import pytest
import simpy

from bench.emulators.defects import DEFECTS
from bench.emulators.shoe import EmulatedShoe
from bench.emulators.shuffler import EmulatedShuffler
from bench.emulators.world import HAND, World
from bench.protocol.messages import Cycle, Fault
from evidence.errors import UsageError
from evidence.events import DeviceDispensed
from tests.emulators.emulated_bench import Direct, over_pty


def test_a_shoe_set_to_six_says_so_and_deals_six() -> None:
    with over_pty("shoe", defects=("six_card_groups",)) as bench:
        assert bench.driver.identify().group_size == 6
        bench.hands.place_pack(53)
        bench.hands.load("shoe")
        bench.order("load", quiet_s=1)
        units = [claim for claim in bench.order("deal_group", quiet_s=1) if isinstance(claim, DeviceDispensed)]
        assert [unit.count for unit in units] == [6]
        assert bench.world.count("shoe_mouth") == 6


def test_a_shoe_that_says_six_deals_seven() -> None:
    with over_pty("shoe", defects=("six_card_setting",)) as bench:
        assert bench.driver.identify().group_size == 6
        bench.hands.place_pack(53)
        bench.hands.load("shoe")
        bench.order("load", quiet_s=1)
        units = [claim for claim in bench.order("deal_group", quiet_s=1) if isinstance(claim, DeviceDispensed)]
        assert [unit.count for unit in units] == [7]
        assert bench.world.count("shoe_mouth") == 7


def test_a_shoe_that_counts_its_groups_short_deals_seven_and_claims_six() -> None:
    bench = Direct("shoe", defects=("false_group_count",)).loaded()
    bench.order("deal_group", for_s=10)
    bench.order("deal_card", for_s=10)
    assert [unit.count for unit in bench.units()] == [6, 1]
    assert bench.world.count("shoe_mouth") == 8


def test_a_shoe_with_uneven_groups_claims_seven_for_each() -> None:
    bench = Direct("shoe", defects=("uneven_groups",)).loaded()
    out: list[int] = []
    for _ in range(4):
        bench.order("deal_group", for_s=10)
        out.append(bench.world.count("shoe_mouth") - sum(out))
    assert out == [7, 8, 6, 7]
    assert [unit.count for unit in bench.units()] == [7, 7, 7, 7]
    assert bench.status().cards_inside == 53 - 28


def test_a_shoe_that_swallows_a_card_has_one_fewer_inside() -> None:
    bench = Direct("shoe", defects=("swallows_a_card",)).loaded()
    assert bench.world.count("shoe/inside") == 52
    assert bench.cycles("completed")[0].count == 52


def test_a_shoe_that_dispenses_on_load_has_its_first_group_out_before_anybody_asked() -> None:
    bench = Direct("shoe", defects=("auto_dispense_on_load",)).loaded()
    assert bench.world.count("shoe_mouth") == 7
    assert bench.order("deal_group").accepted
    assert [(unit.index, unit.count) for unit in bench.units()] == [(1, 7)]
    assert bench.world.count("shoe_mouth") == 7
    bench.order("deal_group")
    assert [unit.index for unit in bench.units()] == [1, 2]
    assert bench.world.count("shoe_mouth") == 14


def test_a_shoe_that_lies_about_its_remainder_claims_five_where_four_lie() -> None:
    bench = Direct("shoe", defects=("false_remainder_count",)).loaded()
    assert bench.cycles("completed")[0].count == 53
    for _ in range(7):
        bench.order("deal_group", for_s=10)
    assert bench.status().cards_inside == 5
    assert bench.world.count("shoe/inside") == 4


def test_a_device_that_forgets_faults_works_on_after_one() -> None:
    for defects, accepted in (((), False), (("forgets_faults",), True)):
        bench = Direct("shoe", defects=defects)
        bench.device.arm("card_stuck_on_exit", card=3)
        bench.loaded().order("deal_group")
        assert bench.status().state == "fault"
        assert bench.order("deal_card").accepted is accepted


def test_a_shuffle_that_broke_off_is_called_complete() -> None:
    bench = Direct("shuffler", defects=("broken_shuffle_called_complete",))
    bench.device.arm("card_stuck_on_exit", card=20)
    bench.loaded().order("shuffle")
    assert [event for _, event in bench.said if isinstance(event, Fault)] == []
    assert [event.phase for _, event in bench.said if isinstance(event, Cycle)] == ["started", "completed"]
    assert bench.world.count("shuffler/exit") == 19


def test_a_shuffler_that_keeps_the_order_gives_the_pack_back_as_it_came() -> None:
    bench = Direct("shuffler", defects=("order_kept",))
    before = [card.label for card in bench.world.cards(HAND)]
    bench.loaded().order("shuffle")
    assert [card.label for card in bench.world.cards("shuffler/exit")] == before


def test_every_defect_says_in_a_sentence_what_it_breaks_and_can_be_switched_on() -> None:
    for defect in DEFECTS:
        assert defect.description.endswith(".")
        for role in set(defect.devices) - {"card_shoe", "identity", "network"}:
            assert Direct(role, defects=(defect.name,)).device.defects == {defect.name}  # type: ignore[arg-type]


def test_a_defect_that_a_device_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="six_card_groups"):
        EmulatedShuffler(simpy.Environment(), World(), defects=["six_card_groups"])
    with pytest.raises(UsageError, match="there are"):
        EmulatedShoe(simpy.Environment(), World(), defects=["seven_card_groups"])
