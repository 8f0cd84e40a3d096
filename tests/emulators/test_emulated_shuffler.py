"""The emulated shuffler at its proper work: how long it takes, what it says, what it does to the cards."""

from collections import Counter
from itertools import pairwise

import pytest

from bench.emulators.firmware import CYCLES_BEFORE
from bench.emulators.shuffler import EmulatedShuffler
from bench.emulators.world import HAND
from evidence.events import DeviceCycle, DeviceStatus
from tests.emulators.emulated_bench import NS, Direct, over_pty


def shuffled(seed: int, pack: int = 52) -> list[str]:
    bench = Direct("shuffler", seed=seed, pack=pack).loaded()
    assert bench.order("shuffle").accepted
    bench.hands.take_shuffled("shuffler")
    return [card.label for card in bench.world.cards(HAND)]


def test_a_shuffle_over_the_line_gives_the_whole_pack_back_in_22_to_60_seconds() -> None:
    with over_pty("shuffler") as bench:
        identity = bench.driver.identify()
        assert (identity.role, identity.group_size, len(identity.firmware_sha256)) == ("shuffler", 0, 64)
        bench.hands.place_pack(53)
        bench.hands.load("shuffler")
        began_ns = bench.clock.now_ns()
        claims = bench.order("shuffle", quiet_s=0.5)
        assert 22 < (bench.clock.now_ns() - began_ns) / NS - 0.5 < 60
        assert [(type(claim), getattr(claim, "phase", "")) for claim in claims] == [
            (DeviceCycle, "started"),
            (DeviceStatus, ""),
            (DeviceCycle, "completed"),
        ]
        assert isinstance(claims[-1], DeviceCycle)
        assert claims[-1].count == 53
        assert bench.world.counts("shuffler/") == {"shuffler/exit": 53}
        status = bench.driver.status()
        assert (status.state, status.code, status.cards_inside, status.cycles) == ("ready", "", 0, CYCLES_BEFORE + 1)


def test_the_order_is_another_for_every_seed_and_the_same_for_the_same_seed() -> None:
    orders = {tuple(shuffled(seed)) for seed in range(8)}
    assert len(orders) == 8
    assert shuffled(3) == shuffled(3)


def test_no_card_keeps_a_favourite_place() -> None:
    """Each card has 1 chance in 52 to be the first, so 40 shuffles hardly ever give one of them six times."""
    first = Counter(shuffled(seed)[0] for seed in range(40))
    assert max(first.values()) < 6
    assert len(first) > 20


def test_neighbours_of_the_old_order_are_torn_apart() -> None:
    """Of 51 neighbouring pairs one stays together in a random order on average; an untouched pack keeps all 51."""
    old = Direct("shuffler", pack=52)
    before = [card.label for card in old.world.cards(HAND)]
    kept = set(pairwise(before)) & set(pairwise(shuffled(1)))
    assert len(kept) < 8


def test_a_second_shuffle_gives_another_order() -> None:
    bench = Direct("shuffler", pack=52).loaded()
    bench.order("shuffle")
    bench.hands.take_shuffled("shuffler")
    once = [card.label for card in bench.world.cards(HAND)]
    bench.loaded().order("shuffle")
    bench.hands.take_shuffled("shuffler")
    twice = [card.label for card in bench.world.cards(HAND)]
    assert once != twice
    assert sorted(once) == sorted(twice)
    assert bench.status().cycles == CYCLES_BEFORE + 2


def test_each_card_passes_entry_and_exit_once_in_80_to_90_ms() -> None:
    bench = Direct("shuffler").loaded()
    bench.order("shuffle")
    for line in ("entry", "exit"):
        edges = [edge for edge in bench.edges if edge.line == line]
        assert [edge.level for edge in edges] == [1, 0] * 53
        widths_s = [(off.at_ns - on.at_ns) / NS for on, off in zip(edges[::2], edges[1::2], strict=True)]
        assert all(0.0799 <= width_s <= 0.0901 for width_s in widths_s)
    assert [edge.level for edge in bench.edges if edge.line == "tray"] == [1, 0]


def test_face_up_cards_stay_face_up_through_a_shuffle() -> None:
    bench = Direct("shuffler").loaded()
    bench.hands.reverse_in_device("shuffler", [4, 9])
    bench.order("shuffle")
    assert sum(card.face_up for card in bench.world.cards("shuffler/exit")) == 2


@pytest.mark.parametrize(
    ("order", "code"), [("shuffle", "TRAY_EMPTY"), ("load", "TRAY_EMPTY"), ("unload", "SHUFFLER_EMPTY")]
)
def test_without_cards_it_refuses_to_work(order: str, code: str) -> None:
    reply = Direct("shuffler").order(order)
    assert (reply.accepted, reply.code) == (False, code)


def test_it_does_not_deal() -> None:
    assert Direct("shuffler").loaded().order("deal_card").code == "NOT_SUPPORTED"


def test_while_it_works_it_takes_no_other_order() -> None:
    bench = Direct("shuffler").loaded()
    assert bench.order("shuffle", for_s=3).accepted
    assert bench.status().state == "shuffling"
    assert bench.order("shuffle", for_s=0.1).code == "BUSY"
    assert bench.order("clear_fault", for_s=0.1).code == "BUSY"


def test_cards_that_were_only_loaded_come_out_by_unload() -> None:
    bench = Direct("shuffler").loaded()
    assert bench.order("load").accepted
    assert bench.status().cards_inside == 53
    assert bench.world.count("shuffler/exit") == 0
    assert bench.order("unload").accepted
    assert bench.world.counts("shuffler/") == {"shuffler/exit": 53}
    assert [cycle.count for cycle in bench.cycles("completed")] == [53, 53]


def test_an_order_to_stop_breaks_the_cycle_off_and_the_rest_is_no_pack_to_deal_from() -> None:
    bench = Direct("shuffler").loaded()
    bench.order("shuffle", for_s=5)
    assert bench.order("stop").accepted
    assert bench.faults() == []
    assert [cycle.phase for _, cycle in bench.said if hasattr(cycle, "phase")] == ["started", "aborted"]
    assert (bench.status().state, bench.status().code) == ("idle", "STOPPED")
    assert bench.order("shuffle").code == "NOT_READY"
    assert bench.order("unload").accepted
    assert bench.labels() == Direct("shuffler").labels()


def test_a_pack_of_another_size_than_expected_is_a_count_fault() -> None:
    bench = Direct("shuffler", pack=52).loaded()
    bench.order("shuffle", expected=53)
    assert bench.faults() == [("COUNT_MISMATCH", "count", False)]
    assert bench.cycles("completed") == []


def test_more_cards_than_slots_are_too_many() -> None:
    bench = Direct("shuffler", pack=53)
    bench.world.new_pack(52)
    bench.loaded().order("shuffle")
    assert bench.faults() == [("SHUFFLER_FULL", "count", False)]


def test_a_card_that_covers_only_one_entry_sensor_lies_askew() -> None:
    bench = Direct("shuffler").loaded()
    assert isinstance(bench.device, EmulatedShuffler)
    bench.order("shuffle", for_s=0.001)
    while not bench.device.mechanics.pick.driven:
        bench.env.step()
    bench.device.mechanics.entry.set(1)
    bench.env.run(until=10)
    assert bench.faults() == [("WRONG_INSERTION", "other", False)]
