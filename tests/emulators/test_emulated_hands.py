"""Hands: what the bench's emulated dealer does to the cards."""

import pytest

from bench.emulators.world import HAND, World
from bench.hands.emulated import EmulatedHands


@pytest.fixture
def world() -> World:
    return World(2)


@pytest.fixture
def hands(world: World) -> EmulatedHands:
    hands = EmulatedHands(world)
    hands.place_pack(52)
    return hands


def faces(world: World, place: str) -> list[bool]:
    return [card.face_up for card in world.cards(place)]


def test_a_fresh_pack_sends_the_one_before_away(world: World, hands: EmulatedHands) -> None:
    old = {card.uid for card in world.cards(HAND)}
    hands.load("shoe")
    hands.place_pack(53)
    assert world.count(HAND) == 53
    assert world.count("away") == 52
    assert not old & {card.uid for card in world.cards(HAND)}
    assert world.counts("shoe/") == {}


def test_cards_are_delivered_face_down_or_up_and_a_slip_turns_the_topmost(world: World, hands: EmulatedHands) -> None:
    hands.draw_by_hand()
    hands.deliver("seat/1", "down")
    hands.draw_by_hand()
    hands.deliver("seat/1", "down", turned=[0])
    hands.draw_by_hand()
    hands.deliver("seat/1", "up")
    assert faces(world, "seat/1") == [False, True, True]
    assert world.count("shoe_mouth") == 0
    for _ in range(7):
        hands.draw_by_hand()
    hands.deliver("dealer", "down", turned=[0])
    assert faces(world, "dealer") == [False] * 6 + [True]


def test_the_card_drawn_by_hand_is_the_top_of_the_pack(world: World, hands: EmulatedHands) -> None:
    top = world.cards(HAND)[-1]
    hands.draw_by_hand()
    assert world.cards("shoe_mouth") == (top,)


def test_a_player_turns_up_the_card_dealt_first_and_a_showdown_turns_up_all(world: World, hands: EmulatedHands) -> None:
    for _ in range(3):
        hands.draw_by_hand()
        hands.deliver("seat/3", "down")
    hands.turn_up("seat/3", [0])
    assert faces(world, "seat/3") == [True, False, False]
    hands.turn_up("seat/3")
    assert faces(world, "seat/3") == [True, True, True]


def test_in_a_stack_the_card_turned_up_first_is_the_one_on_top_and_a_showdown_spreads_it(
    world: World, hands: EmulatedHands
) -> None:
    hands.move(HAND, "seat/2", 7, "down")
    hands.turn_up("seat/2", [0])
    assert faces(world, "seat/2") == [False] * 6 + [True]
    hands.turn_up("seat/2")
    assert all(faces(world, "seat/2"))
    assert world.scene().piles["seat/2"].arrangement == "spread"


def test_gathering_takes_every_card_of_table_and_devices_face_down(world: World, hands: EmulatedHands) -> None:
    hands.move(HAND, "shoe/inside", 20)
    hands.move(HAND, "shuffler/slot/4", 1)
    hands.move(HAND, "seat/1", 7, "up")
    hands.move(HAND, "discard_rack", 5, "up")
    hands.gather()
    assert world.count(HAND) == 52
    assert not any(faces(world, HAND))


def test_unloading_empties_the_device_and_leaves_the_table_alone(world: World, hands: EmulatedHands) -> None:
    hands.move(HAND, "seat/1", 7)
    hands.move(HAND, "shoe/inside", 30)
    hands.move(HAND, "shoe/chute", 1)
    hands.unload("shoe")
    assert world.counts("shoe/") == {}
    assert world.count("seat/1") == 7
    assert world.count(HAND) == 45
    assert world.opened("shoe") == 1
    assert world.opened("shuffler") == 0


def test_the_remainder_comes_to_the_centre_squared_and_spread_only_when_asked(
    world: World, hands: EmulatedHands
) -> None:
    hands.move(HAND, "shoe/inside", 1)
    hands.take_remainder("shoe")
    assert world.scene().piles["layout_centre"].arrangement == "squared"
    hands.spread("layout_centre")
    assert world.scene().piles["layout_centre"].arrangement == "spread"
    hands.square("layout_centre")
    assert world.scene().piles["layout_centre"].arrangement == "squared"


def test_a_deck_is_prepared_by_the_order_in_which_the_device_deals_it(world: World, hands: EmulatedHands) -> None:
    hands.load("shoe")
    hands.reverse_in_device("shoe", [1, 5])
    hands.arrange_in_device("shoe", {1: "Jc", 5: "Jh"})
    drawn = []
    for _ in range(5):
        world.move("shoe/tray", "shoe_mouth", 1, take="bottom")
        drawn.append(world.cards("shoe_mouth")[-1])
    assert (drawn[0].label, drawn[4].label) == ("Jc", "Jh")
    assert sum(card.face_up for card in world.cards("shoe_mouth") + world.cards("shoe/tray")) == 2


def test_empty_places_are_no_error_because_the_camera_shows_them(world: World, hands: EmulatedHands) -> None:
    hands.remove_pack()
    hands.load("shoe")
    hands.draw_by_hand()
    hands.deliver("seat/1", "down", turned=[0, 9])
    hands.turn_up("seat/1")
    hands.turn_up("seat/1", [4])
    hands.reverse_in_device("shoe", [0, 1, 80])
    hands.take_shuffled("shuffler")
    hands.shuffle_by_hand()
    hands.cut()
    assert world.counts("") == {"away": 52}
