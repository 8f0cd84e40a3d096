"""The emulated dealing shoe at its proper work."""

import pytest

from evidence.events import DeviceCycle, DeviceDispensed
from tests.emulators.emulated_bench import Direct, over_pty


def test_seven_groups_of_seven_leave_four_of_a_pack_of_53() -> None:
    with over_pty("shoe") as bench:
        assert bench.driver.identify().group_size == 7
        bench.hands.place_pack(53)
        bench.hands.load("shoe")
        loaded = [claim for claim in bench.order("load", quiet_s=0.5) if isinstance(claim, DeviceCycle)]
        assert [(cycle.phase, cycle.count) for cycle in loaded] == [("started", 0), ("completed", 53)]
        for group in range(1, 8):
            began_ns = bench.clock.now_ns()
            claims = bench.order("deal_group", quiet_s=0.5)
            units = [claim for claim in claims if isinstance(claim, DeviceDispensed)]
            assert [(unit.unit, unit.index, unit.count) for unit in units] == [("group", group, 7)]
            assert bench.world.count("shoe_mouth") == 7
            assert (bench.clock.now_ns() - began_ns) / 1e9 < 3
            bench.hands.deliver(f"seat/{group}" if group < 7 else "dealer", "down")
        status = bench.driver.status()
        assert (status.state, status.cards_inside, status.dispensed) == ("ready", 4, 49)
        assert bench.world.counts("shoe/") == {"shoe/inside": 4}


def test_single_cards_come_one_by_one_in_the_order_of_the_pack() -> None:
    bench = Direct("shoe", pack=52).loaded()
    inside = [card.uid for card in bench.world.cards("shoe/inside")]
    for _ in range(5):
        bench.order("deal_card", for_s=2)
    assert [unit.index for unit in bench.units()] == [1, 2, 3, 4, 5]
    assert {(unit.unit, unit.count) for unit in bench.units()} == {("card", 1)}
    assert [card.uid for card in bench.world.cards("shoe_mouth")] == inside[:5]


def test_a_group_of_another_size_can_be_asked_for() -> None:
    bench = Direct("shoe").loaded()
    assert bench.order("deal_group", size=5).accepted
    assert bench.units()[0].count == bench.world.count("shoe_mouth") == 5
    assert bench.order("deal_group", size=60).code == "BAD_ARGUMENT"


def test_what_the_exit_sensor_shows_is_one_pulse_a_card_with_the_shortest_deal_gap_between() -> None:
    bench = Direct("shoe").loaded()
    bench.order("deal_group")
    edges = [edge for edge in bench.edges if edge.line == "exit"]
    assert [edge.level for edge in edges] == [1, 0] * 7
    gaps_s = [(on.at_ns - off.at_ns) / 1e9 for off, on in zip(edges[1::2], edges[2::2], strict=False)]
    assert all(0.099 < gap_s < 0.101 for gap_s in gaps_s)


def test_it_dispenses_nothing_before_it_is_loaded_and_nothing_by_itself() -> None:
    bench = Direct("shoe")
    assert bench.order("deal_group").code == "NOT_READY"
    assert bench.order("load").code == "TRAY_EMPTY"
    bench.loaded()
    bench.env.run(until=bench.env.now + 600)
    assert bench.world.count("shoe_mouth") == 0
    assert bench.order("load").code == "NOT_READY"


def test_an_empty_shoe_says_that_it_has_not_enough_cards() -> None:
    bench = Direct("shoe", pack=52).loaded()
    for _ in range(8):
        bench.order("deal_group", for_s=10)
    assert bench.faults() == [("NOT_ENOUGH_CARDS", "empty", False)]
    assert [unit.count for unit in bench.units()] == [7] * 7
    assert bench.world.count("shoe_mouth") == 52


def test_unloading_gives_the_cards_back_into_the_tray_and_a_new_load_counts_from_one() -> None:
    bench = Direct("shoe").loaded()
    bench.order("deal_group")
    assert bench.order("unload").accepted
    assert bench.world.counts("shoe/") == {"shoe/tray": 46}
    assert bench.status().cards_inside == 0
    assert bench.order("load").accepted
    bench.order("deal_card")
    assert bench.units()[-1].index == 1
    assert bench.status().cards_inside == 45


def test_cards_taken_out_by_hand_leave_it_idle_and_empty() -> None:
    bench = Direct("shoe").loaded()
    bench.order("deal_group")
    bench.hands.unload("shoe")
    assert bench.order("deal_card").code == "NOT_READY"
    assert (bench.status().state, bench.status().cards_inside) == ("idle", 0)
    bench.loaded()
    assert bench.status().cards_inside == 46


def test_an_order_to_stop_ends_a_group_after_the_card_that_is_out() -> None:
    bench = Direct("shoe").loaded()
    bench.order("deal_group", for_s=0.3)
    bench.order("stop", for_s=10)
    dealt = bench.world.count("shoe_mouth")
    assert 1 <= dealt < 7
    assert bench.units() == []
    assert bench.faults() == []
    assert bench.status().code == "STOPPED"
    assert bench.status().cards_inside == 53 - dealt


@pytest.mark.parametrize("pack", [52, 53])
def test_it_says_how_many_cards_it_was_loaded_with(pack: int) -> None:
    bench = Direct("shoe", pack=pack).loaded()
    assert bench.cycles("completed")[0].count == pack
    bench.hands.unload("shoe")
    bench.hands.load("shoe")
    assert bench.order("load", expected=pack + 1).accepted
    assert bench.faults() == [("COUNT_MISMATCH", "count", False)]
