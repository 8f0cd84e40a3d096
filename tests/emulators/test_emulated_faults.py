"""Faults befall the mechanics; what the firmware says, where the cards lie and what the wires show all follow."""

from typing import Any

import pytest

from bench.faults.catalogue import catalogue
from evidence.errors import UsageError
from tests.emulators.emulated_bench import Direct

K = 17
"""The card of the cycle at which the faults of these tests happen."""


def shuffler(fault: str, *, defects: tuple[str, ...] = (), **settings: object) -> Direct:
    """A shuffler that got the fault in the shuffle that it was ordered to do."""
    bench = Direct("shuffler", defects=defects)
    bench.device.arm(fault, **settings)
    bench.loaded().order("shuffle")
    return bench


def shoe(fault: str, *, groups: int = 3, defects: tuple[str, ...] = (), **settings: object) -> Direct:
    """A shoe that got the fault while it dispensed so many groups."""
    bench = Direct("shoe", defects=defects)
    bench.device.arm(fault, **settings)
    bench.loaded()
    for _ in range(groups):
        bench.order("deal_group", for_s=30)
    return bench


def inside(bench: Direct, part: str) -> int:
    return sum(bench.world.counts(f"{bench.device.name}/{part}").values())


# --- jams ---


def test_shuffler_card_stuck_in_tray() -> None:
    bench = shuffler("card_stuck_in_tray", card=K)
    assert bench.faults() == [("CARD_STUCK_IN_TRAY", "jam", False)]
    assert [cycle.kind for cycle in bench.cycles("aborted")] == ["shuffle"]
    assert bench.cycles("completed") == []
    assert (inside(bench, "slot"), inside(bench, "tray"), inside(bench, "exit")) == (K - 1, 53 - K + 1, 0)
    # 0.4 s of waiting, then 1.0 s with more motor: no edge at entry, and the roller driven all the while.
    assert 1.39 < bench.longest_s("pick") < 1.45
    assert len([edge for edge in bench.edges if edge.line == "entry"]) == 2 * (K - 1)


def test_shuffler_card_stuck_on_entry() -> None:
    bench = shuffler("card_stuck_on_entry", card=K)
    assert bench.faults() == [("CARD_STUCK_ON_ENTRY", "jam", False)]
    assert (inside(bench, "slot"), inside(bench, "entry"), inside(bench, "tray")) == (K - 1, 1, 53 - K)
    # A card passes in 0.09 s; this one is waited for 1 s and then checked once more.
    assert bench.edges[-1].line != "entry"
    assert bench.device.mechanics.entry.level == 1
    assert bench.status().state == "fault"


def test_shuffler_card_stuck_on_exit() -> None:
    bench = shuffler("card_stuck_on_exit", card=K)
    assert bench.faults() == [("CARD_STUCK_ON_EXIT", "jam", False)]
    assert (inside(bench, "exit"), inside(bench, "chute"), inside(bench, "slot")) == (K - 1, 1, 53 - K)
    assert bench.device.mechanics.exit.level == 1
    assert bench.cycles("completed") == []


@pytest.mark.parametrize(
    ("fault", "code", "entry", "chute"),
    [
        ("card_stuck_in_tray", "CARD_STUCK_IN_TRAY", 0, 0),
        ("card_stuck_on_entry", "CARD_STUCK_ON_ENTRY", 1, 0),
        ("card_stuck_on_exit", "CARD_STUCK_ON_EXIT", 0, 1),
    ],
)
def test_shoe_jams_in_the_third_card_of_the_second_group(fault: str, code: str, entry: int, chute: int) -> None:
    bench = shoe(fault, group=2, card=3)
    assert bench.faults() == [(code, "jam", False)]
    assert [unit.index for unit in bench.units()] == [1]
    assert bench.world.count("shoe_mouth") == 7 + 2
    assert (inside(bench, "entry"), inside(bench, "chute")) == (entry, chute)
    assert inside(bench, "") == 53 - 9


def test_after_a_jam_nothing_works_until_it_is_cleared_and_the_cards_are_out() -> None:
    bench = shoe("card_stuck_on_exit", card=10)
    assert bench.order("deal_group").code == "FAULT_STANDING"
    assert bench.order("clear_fault").accepted
    bench.order("deal_card")
    assert bench.faults()[1:] == [("CARD_STUCK_ON_EXIT", "jam", False)], "the card is still stuck"
    assert bench.order("clear_fault").accepted
    bench.hands.gather()
    bench.loaded()
    bench.order("deal_group")
    assert bench.units()[-1].count == 7
    assert bench.world.count("shoe_mouth") == 7


def test_a_jammed_shuffler_shuffles_again_once_its_cards_have_been_taken_out_by_hand() -> None:
    bench = shuffler("card_stuck_on_exit", card=K)
    bench.order("clear_fault")
    assert bench.order("shuffle").code == "NOT_READY"
    bench.hands.unload("shuffler")
    bench.loaded()
    assert bench.order("shuffle").accepted
    assert bench.cycles("completed")[-1].count == 53
    assert bench.world.counts("shuffler/") == {"shuffler/exit": 53}


@pytest.mark.parametrize(
    ("fault", "code", "hold_s", "line"),
    [
        ("card_stuck_on_entry", "CARD_STUCK_ON_ENTRY", 1.4, "entry"),
        ("card_stuck_on_exit", "CARD_STUCK_ON_EXIT", 0.9, "exit"),
    ],
)
@pytest.mark.parametrize("role", ["shuffler", "shoe"])
def test_a_jam_that_clears_within_the_retries_is_reported_as_recovered(
    role: str, fault: str, code: str, hold_s: float, line: str
) -> None:
    bench = (shuffler if role == "shuffler" else shoe)(fault, card=K, hold_s=hold_s)
    assert bench.faults() == [(code, "jam", True)]
    assert bench.longest_s(line) > hold_s - 0.001
    assert bench.status().state == "ready"


def test_a_card_that_hesitates_less_than_the_limit_is_no_jam() -> None:
    assert shuffler("card_stuck_on_entry", card=K, hold_s=0.9).faults() == []
    assert shoe("card_stuck_on_exit", card=K, hold_s=0.25).faults() == []


@pytest.mark.parametrize(("role", "line", "longer_s"), [("shuffler", "entry", 1.0), ("shoe", "exit", 0.3)])
def test_a_silent_recovery_shows_on_the_wire_alone(role: str, line: str, longer_s: float) -> None:
    bench = (shuffler if role == "shuffler" else shoe)("silent_jam_recovery", card=K)
    assert bench.faults() == []
    assert bench.longest_s(line) > longer_s
    assert inside(bench, "") + bench.world.count("shoe_mouth") == 53


@pytest.mark.parametrize("fault", ["card_stuck_in_tray", "card_stuck_on_entry", "card_stuck_on_exit"])
@pytest.mark.parametrize("role", ["shuffler", "shoe"])
def test_the_defect_clears_every_jam_without_a_word(role: str, fault: str) -> None:
    bench = (shuffler if role == "shuffler" else shoe)(fault, card=K, defects=("silent_jam_recovery",))
    assert bench.faults() == []
    assert bench.status().state == "ready"
    held_s = {line: bench.longest_s(line) for line in ("entry", "exit", "pick", "feed")}
    assert max(held_s.values()) > 1.0


# --- stops ---


def test_shuffler_motor_stall_shows_as_overcurrent_for_as_long_as_the_motor_is_driven() -> None:
    bench = shuffler("motor_stall", card=K)
    assert bench.faults() == [("MOTOR_STALL", "stop", False)]
    assert bench.longest_s("overcurrent") > 2.9
    assert inside(bench, "slot") == K - 1
    assert bench.device.current_a < 0.1


def test_shoe_motor_stall() -> None:
    bench = shoe("motor_stall", card=10)
    assert bench.faults() == [("MOTOR_STALL", "stop", False)]
    assert bench.longest_s("overcurrent") > 1.3
    assert bench.world.count("shoe_mouth") == 9


def test_while_a_motor_stalls_the_device_draws_its_stall_current() -> None:
    bench = Direct("shoe")
    bench.device.arm("motor_stall")
    bench.loaded().order("deal_card", for_s=0.2)
    assert bench.device.current_a > 1.8


@pytest.mark.parametrize("role", ["shuffler", "shoe"])
def test_a_stop_in_mid_cycle_is_a_supply_that_falls_away(role: str) -> None:
    bench = (shuffler if role == "shuffler" else shoe)("stop_mid_cycle", card=10)
    assert bench.faults() == [("POWER_LOST", "stop", False)]
    assert [edge.level for edge in bench.edges if edge.line == "power"] == [0]
    assert bench.cycles("completed") == bench.cycles("completed")[: int(role == "shoe")]
    bench.hands.gather()
    bench.order("clear_fault")
    assert [edge.level for edge in bench.edges if edge.line == "power"] == [0, 1]


# --- never ending ---


def test_a_shuffler_whose_lid_opens_never_ends_its_cycle_and_says_nothing() -> None:
    bench = shuffler("cycle_not_completed", card=K)
    bench.env.run(until=3600)
    assert bench.faults() == []
    assert bench.cycles("completed") == bench.cycles("aborted") == []
    assert bench.status().state == "shuffling"
    assert bench.edges[-1].at_ns < 20e9
    bench.hands.unload("shuffler")
    bench.loaded()
    assert bench.order("shuffle").accepted
    assert [cycle.count for cycle in bench.cycles("completed")] == [53]


def test_a_shoe_whose_lid_opens_accepts_the_order_and_nothing_comes() -> None:
    bench = shoe("cycle_not_completed", card=10, groups=1)
    assert bench.order("deal_group").accepted
    assert len(bench.units()) == 1
    assert bench.faults() == []
    assert bench.world.count("shoe_mouth") == 9
    assert bench.order("deal_group").code == "BUSY"
    bench.hands.gather()
    bench.loaded()
    bench.order("deal_card")
    assert bench.units()[-1].count == 1


# --- counts ---


def test_two_cards_that_pass_as_one_make_a_group_of_eight_that_claims_seven() -> None:
    bench = shoe("double_feed", group=2, card=3, groups=2)
    assert [unit.count for unit in bench.units()] == [7, 7]
    assert bench.world.count("shoe_mouth") == 7 + 8
    widths_s = bench.longest_s("exit")
    assert 0.1 < widths_s < 0.13, "one pulse, longer than a card and shorter than two"


@pytest.mark.parametrize("size", [4, 5, 6, 8, 9, 10])
def test_a_group_of_the_wrong_size_claims_seven(size: int) -> None:
    bench = shoe("wrong_group_size", group=2, size=size, groups=3)
    assert [unit.count for unit in bench.units()] == [7, 7, 7]
    assert bench.world.count("shoe_mouth") == 7 + size + 7
    assert bench.faults() == []


def test_a_shoe_s_false_count_is_one_card_more_inside_than_there_is() -> None:
    bench = shoe("false_count", groups=7)
    assert bench.cycles("completed")[0].count == 54
    assert (bench.status().cards_inside, inside(bench, "inside")) == (5, 4)


@pytest.mark.parametrize("delta", [1, 2, 3])
def test_a_shuffler_s_false_count_is_double_pulses_at_its_exit(delta: int) -> None:
    bench = shuffler("false_count", delta=delta)
    assert bench.cycles("completed")[0].count == 53 + delta
    assert bench.world.count("shuffler/exit") == 53
    assert len([edge for edge in bench.edges if edge.line == "exit"]) == 2 * (53 + delta)


def test_cards_can_be_reversed_on_their_way_out() -> None:
    bench = shoe("card_face_up", card=5, count=2, groups=1)
    assert [card.face_up for card in bench.world.cards("shoe_mouth")] == [False] * 4 + [True] * 2 + [False]


# --- when ---


@pytest.mark.parametrize(
    ("at", "mouth"),
    [
        ({}, 0),
        ({"card": 9}, 8),
        ({"group": 2}, 7),
        ({"group": 3, "card": 7}, 20),
        ({"group": 2, "after_s": 0.5}, 10),
        ({"cycle": 1, "card": 2}, 1),
    ],
)
def test_a_fault_happens_at_its_moment(at: dict[str, Any], mouth: int) -> None:
    bench = shoe("stop_mid_cycle", **at)
    assert bench.world.count("shoe_mouth") == mouth
    assert len(bench.faults()) == 1


def test_a_fault_of_the_second_cycle_leaves_the_first_alone() -> None:
    bench = shuffler("card_stuck_on_entry", cycle=2, card=K)
    assert bench.faults() == []
    bench.hands.take_shuffled("shuffler")
    bench.loaded().order("shuffle")
    assert bench.faults() == [("CARD_STUCK_ON_ENTRY", "jam", False)]


def test_a_fault_armed_while_a_cycle_runs_counts_that_cycle_as_the_first() -> None:
    bench = Direct("shuffler").loaded()
    bench.order("shuffle", for_s=3)
    bench.device.arm("card_stuck_on_entry", cycle=1, card=K)
    bench.env.run(until=100)
    assert bench.faults() == [("CARD_STUCK_ON_ENTRY", "jam", False)]


def test_a_fault_happens_once() -> None:
    bench = shoe("card_stuck_on_exit", card=3, hold_s=0.9, groups=1)
    bench.hands.gather()
    bench.loaded().order("deal_group")
    assert len(bench.faults()) == 1


def test_a_fault_whose_moment_never_comes_stays_armed() -> None:
    bench = shoe("card_stuck_on_exit", card=60)
    assert bench.faults() == []
    assert bench.device.faults.pending == ["card_stuck_on_exit"]


# --- arming ---


@pytest.mark.parametrize(
    ("fault", "settings", "says"),
    [
        ("card_stuk_on_exit", {}, "no fault"),
        ("burn_missed", {}, "no fault"),
        ("card_stuck_on_exit", {"card": 0}, "card"),
        ("card_stuck_on_exit", {"card": "x"}, "card"),
        ("card_stuck_on_exit", {"hold_s": -1}, "hold_s"),
        ("card_stuck_on_exit", {"hold_s": "nan"}, "hold_s"),
        ("card_stuck_on_exit", {"wobble": 3}, "wobble"),
        ("wrong_group_size", {"size": 70}, "size"),
    ],
)
def test_a_fault_that_cannot_be_armed_is_refused_with_its_reason(
    fault: str, settings: dict[str, object], says: str
) -> None:
    bench = Direct("shoe")
    with pytest.raises(UsageError, match=says):
        bench.device.arm(fault, **settings)
    assert bench.device.faults.pending == []


def test_every_device_fault_of_the_catalogue_can_be_armed_on_the_devices_that_it_names() -> None:
    for fault in catalogue().values():
        for role in fault.targets:
            if role in {"shuffler", "shoe"} and not fault.of_link:
                Direct(role).device.arm(fault.name, **fault.settings({}))


REFUSES = "busy_refused"
"""The one fault of devices after which nothing of a test's order is done, and no card moves."""
MOVING = [
    fault.name
    for fault in catalogue().values()
    if {"shoe", "shuffler"} & set(fault.targets) and not fault.of_link and fault.name != REFUSES
]


@pytest.mark.parametrize("fault", MOVING)
@pytest.mark.parametrize("role", ["shuffler", "shoe"])
def test_whatever_befalls_a_device_no_card_is_lost_or_made(role: str, fault: str) -> None:
    if role not in catalogue()[fault].targets:
        return
    bench = (shuffler if role == "shuffler" else shoe)(fault)
    assert bench.labels() == Direct("shoe").labels()
