"""Packs of the emulated table: duplicates that no count shows, two backs, prepared orders, cards on the floor."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.emulators.world import World
from bench.hands.emulated import EmulatedHands
from evidence.errors import UsageError


def labels(world: World, place: str = "hand") -> list[str]:
    return [card.label for card in world.cards(place)]


@given(st.sampled_from([52, 53]), st.integers(0, 10), st.integers(0, 3), st.integers(0, 5))
def test_swapped_cards_change_no_count_and_leave_as_many_faces_out(
    size: int, swapped: int, extra: int, seed: int
) -> None:
    world = World(seed)
    EmulatedHands(world).place_pack(size, extra=extra, swapped=swapped)
    found = Counter(labels(world))
    assert found.total() == size + extra
    assert size - swapped <= len(found) <= size
    assert len(found) == size - swapped


def test_which_cards_are_swapped_follows_the_seed() -> None:
    packs = []
    for seed in (1, 1, 2):
        world = World(seed)
        world.new_pack(52, swapped=1)
        packs.append(labels(world))
    assert packs[0] == packs[1] != packs[2]


@pytest.mark.parametrize("swapped", [-1, 27])
def test_a_pack_has_not_more_cards_to_swap_than_pairs(swapped: int) -> None:
    with pytest.raises(UsageError, match="cannot be duplicates"):
        World().new_pack(52, swapped=swapped)


def test_a_pack_comes_with_the_back_that_is_asked_for() -> None:
    world = World()
    hands = EmulatedHands(world)
    for back in ("red", "blue"):
        hands.place_pack(52, back=back)
        assert {card.back for card in world.cards("hand")} == {back}
    assert world.count("away") == 52


def test_a_prepared_order_keeps_the_cards_that_were_put_in_their_places_before() -> None:
    world = World()
    hands = EmulatedHands(world)
    hands.place_pack(52, extra=1)
    (twice,) = [label for label, count in Counter(labels(world)).items() if count == 2]
    hands.load("shoe")
    hands.arrange_in_device("shoe", {3: twice, 7: twice})
    inside = labels(world, "shoe/tray")
    assert (inside[2], inside[6]) == (twice, twice)


def test_a_card_on_the_floor_is_seen_by_no_camera_and_gathered_with_the_others() -> None:
    world = World()
    hands = EmulatedHands(world)
    hands.place_pack(52)
    hands.move("hand", "floor", 1, "up")
    assert world.count("floor") == 1
    assert "floor" not in world.scene().piles
    hands.gather()
    assert (world.count("hand"), world.count("floor")) == (52, 0)
