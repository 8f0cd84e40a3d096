"""Faults of wires, supply, parts and cards: what the firmware makes of them follows from its sensors alone."""

from typing import Any

import pytest

from bench.emulators.firmware import CYCLES_BEFORE
from tests.emulators.emulated_bench import Direct
from tests.emulators.test_emulated_faults import inside, shoe, shuffler

K = 17


@pytest.mark.parametrize(
    ("fault", "settings", "told"),
    [
        ("deck_askew", {"card": K}, [("WRONG_INSERTION", "other", False)]),
        ("homing_failed", {}, [("HOMING", "stop", False)]),
        ("slot_misaligned", {"card": K}, [("ALIGNMENT", "stop", False)]),
        ("platform_out_of_position", {"card": K, "moves": 3}, [("HOMING", "stop", False)]),
        ("solenoid_weak", {"card": K}, [("SLOT_IS_EMPTY", "incomplete", False)]),
        ("slot_emptied", {"card": K}, [("SLOT_IS_EMPTY", "incomplete", False)]),
        ("door_obstructed", {}, [("CARD_STUCK_INSIDE", "jam", False)]),
        ("output_taken_early", {"card": K}, [("PICK_UP_CARDS", "other", False)]),
        ("cards_left_in_tray", {"card": K}, [("CARDS_LEFT_IN_TRAY", "incomplete", False)]),
        ("card_flipped_in_shuffle", {"card": K}, [("CARD_FACE_UP", "other", False)]),
        ("motor_overcurrent", {"card": K}, [("MOTOR_DRIVER", "stop", False)]),
        ("cover_opened", {"card": K}, [("LID_OPEN", "stop", False)]),
        ("sensor_stuck", {}, [("SENSOR_FAILED", "stop", False)]),
        ("sensor_stuck", {"card": K, "line": "entry", "level": 0}, [("WRONG_INSERTION", "other", False)]),
        ("stop_pressed", {"card": K}, []),
        ("power_cut", {"card": K}, []),
        ("brown_out", {"card": K}, []),
        ("slow_power_up", {"card": K}, []),
        ("watchdog_reset", {"card": K}, []),
        ("over_voltage", {"card": K}, []),
    ],
)
def test_a_shuffle_that_is_struck_is_never_called_complete(
    fault: str, settings: dict[str, Any], told: list[tuple[str, str, bool]]
) -> None:
    bench = shuffler(fault, **settings)
    assert bench.faults() == told
    assert bench.cycles("completed") == []
    assert sum(bench.world.counts("").values()) == 53


@pytest.mark.parametrize(
    ("fault", "settings"),
    [
        ("card_bent", {"card": K, "height_mm": 1}),
        ("card_torn", {"card": K}),
        ("cards_sticky", {"card": K, "cards": 20}),
        ("sensor_noise", {"card": K, "hold_s": 5.0}),
        ("gripper_offset", {"card": K}),
        ("order_leaked", {}),
        ("history_lost", {"card": K}),
    ],
)
def test_what_a_sound_shuffler_bears_changes_neither_its_count_nor_its_claims(
    fault: str, settings: dict[str, Any]
) -> None:
    bench = shuffler(fault, **settings)
    assert bench.faults() == []
    assert [cycle.count for cycle in bench.cycles("completed")] == [53]
    assert bench.world.count("shuffler/exit") == 53


@pytest.mark.parametrize("fault", ["power_cut", "brown_out", "slow_power_up", "watchdog_reset"])
def test_after_a_start_the_content_is_unknown_until_it_has_been_taken_out(fault: str) -> None:
    bench = shuffler(fault, card=K)
    assert bench.status().state == "fault"
    assert bench.order("shuffle").code == "FAULT_STANDING"
    assert bench.order("clear_fault").accepted
    assert bench.order("shuffle").code == "NOT_READY"
    bench.hands.unload("shuffler")
    bench.loaded()
    assert bench.order("shuffle").accepted
    assert [cycle.count for cycle in bench.cycles("completed")] == [53]


def test_a_sag_that_the_electronics_survive_stops_the_carousel_which_seeks_home_and_says_so() -> None:
    bench = shuffler("brown_out", card=K, volts=19.0, hold_s=0.5)
    assert bench.faults() == [("ALIGNMENT", "stop", True)]
    assert bench.cycles("completed")[0].count == 53
    assert [edge.level for edge in bench.edges if edge.line == "undervoltage"] == [1, 0]


@pytest.mark.parametrize(("volts", "ramp_s", "after_s"), [(12.0, 0.0, 0.0), (12.0, 3.0, 1.0), (4.0, 5.0, 1.0)])
def test_a_ramp_reaches_the_threshold_when_the_voltage_does(volts: float, ramp_s: float, after_s: float) -> None:
    bench = Direct("shuffler")
    bench.device.arm("brown_out", volts=volts, ramp_s=ramp_s)
    bench.loaded().order("shuffle")
    armed_ns = next(edge.at_ns for edge in bench.edges if edge.line == "tray" and edge.level)
    sagged_ns = next(edge.at_ns for edge in bench.edges if edge.line == "undervoltage" and edge.level)
    assert after_s <= (sagged_ns - armed_ns) / 1e9 < after_s + 0.2


def test_a_voltage_that_is_hardly_lower_is_no_fault_and_leaves_nothing_to_see() -> None:
    bench = shuffler("brown_out", card=K, volts=22.0)
    assert [edge for edge in bench.edges if edge.line == "undervoltage"] == []
    assert len(bench.cycles("completed")) == 1


def test_two_cards_that_pass_as_one_are_two_too_few_pulses_and_still_two_cards() -> None:
    bench = shuffler("double_feed_in_shuffle", card=K)
    assert bench.cycles("completed")[0].count == 52
    assert bench.world.count("shuffler/exit") == 53


def test_a_generator_that_is_stuck_gives_the_pack_back_in_its_order() -> None:
    bench = Direct("shuffler")
    bench.device.arm("shuffle_repeats")
    before = [card.label for card in bench.world.cards("hand")]
    bench.loaded().order("shuffle")
    assert [card.label for card in bench.world.cards("shuffler/exit")] == before


def test_a_misplaced_card_lies_one_place_beside_its_own() -> None:
    orders = []
    for faults in ((), ("gripper_offset",)):
        bench = Direct("shuffler")
        for fault in faults:
            bench.device.arm(fault, card=K)
        bench.loaded().order("shuffle")
        orders.append([card.label for card in bench.world.cards("shuffler/exit")])
    sound, struck = orders
    moved = [n for n in range(53) if sound[n] != struck[n]]
    assert moved == [K - 2, K - 1]
    assert [sound[n] for n in moved] == [struck[n] for n in reversed(moved)]


def test_home_is_sought_once_more_and_that_is_said() -> None:
    bench = shuffler("platform_out_of_position", card=K)
    assert bench.faults() == [("ALIGNMENT", "stop", True)]
    assert bench.cycles("completed")[0].count == 53


@pytest.mark.parametrize(("moves", "recovered"), [(1, True), (4, False)])
def test_a_shoe_lifts_its_platform_twice_at_most(moves: int, recovered: bool) -> None:
    bench = Direct("shoe")
    bench.device.arm("platform_out_of_position", moves=moves)
    bench.loaded()
    assert bench.faults() == [("ALIGNMENT", "stop", recovered)]
    assert len(bench.cycles("completed")) == int(recovered)


@pytest.mark.parametrize(
    ("fault", "settings", "told", "units"),
    [
        ("code_not_read", {"card": 10}, [("CARD_UNREADABLE", "other", False)], 1),
        ("card_of_another_set", {"card": 10}, [("CARD_UNREADABLE", "other", False)], 1),
        ("card_pushed_back", {"card": 7}, [], 3),
        ("card_pushed_back", {"card": 7, "depth": "midway"}, [("CARD_STUCK_ON_EXIT", "jam", True)], 3),
        ("card_pulled_while_locked", {}, [("CARD_OUT_OF_TURN", "other", True)], 3),
        ("button_misused", {"card": 10}, [("BUTTON_MISUSED", "other", True)], 3),
        ("motor_overcurrent", {"card": 10}, [("MOTOR_DRIVER", "stop", False)], 1),
        ("card_bent", {"card": 10, "height_mm": 4}, [("CARD_STUCK_ON_EXIT", "jam", True)], 3),
    ],
)
def test_what_a_shoe_makes_of_a_strike(
    fault: str, settings: dict[str, Any], told: list[tuple[str, str, bool]], units: int
) -> None:
    bench = shoe(fault, **settings)
    assert bench.faults() == told
    assert len(bench.units()) == units
    assert inside(bench, "") + bench.world.count("shoe_mouth") == 53


def test_a_card_that_is_pushed_back_is_not_counted_twice() -> None:
    bench = shoe("card_pushed_back", card=7, groups=2)
    assert [unit.count for unit in bench.units()] == [7, 7]
    assert bench.world.count("shoe_mouth") == 14


def test_spoofed_counts_are_claimed_whatever_is_inside() -> None:
    assert shuffler("count_spoofed", cards=54).cycles("completed")[0].count == 54
    bench = Direct("shoe")
    bench.device.arm("count_spoofed", cards=54)
    assert bench.loaded().cycles("completed")[0].count == 54


def test_a_lost_history_is_a_counter_that_falls_back() -> None:
    assert Direct("shuffler").status().cycles == CYCLES_BEFORE
    assert shuffler("history_lost", card=K).status().cycles == 1


def test_a_device_whose_update_broke_off_takes_on_nothing() -> None:
    bench = Direct("shoe")
    bench.device.arm("update_interrupted", percent=30)
    before = bench.device.firmware.identity
    bench.device._alter_identity()
    assert bench.device.firmware.identity.firmware == "loader"
    assert bench.device.firmware.identity.firmware_sha256 != before.firmware_sha256
    bench.hands.load("shoe")
    assert bench.order("load").code == "NOT_READY"


def test_a_canned_answer_keeps_the_claim_and_not_the_memory() -> None:
    bench = Direct("shoe")
    assert bench.device.image() == bench.device.firmware.identity.firmware_sha256
    bench.device.arm("authentication_canned")
    bench.device._alter_identity()
    assert bench.device.image() != bench.device.firmware.identity.firmware_sha256


def test_a_busy_device_refuses_one_order_and_takes_the_next() -> None:
    bench = Direct("shuffler")
    bench.device.arm("busy_refused")
    bench.hands.load("shuffler")
    assert bench.order("shuffle").code == "BUSY"
    assert bench.order("shuffle").accepted
