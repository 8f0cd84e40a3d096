"""Packs of an emulated table: short ones, cards of another pack among them, and cards picked out by their face."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bench.emulators.rpc import RpcServer
from bench.emulators.serve import table_methods
from bench.emulators.world import AWAY, HAND, World
from bench.hands.emulated import EmulatedHands
from bench.hands.protocol import Hands
from bench.hands.remote import RemoteHands
from evidence.errors import UsageError


@pytest.fixture
def world() -> World:
    return World(7)


@pytest.fixture(params=["here", "elsewhere"])
def hands(request: pytest.FixtureRequest, world: World) -> Iterator[Hands]:
    """The same hands in this process, and behind an address."""
    if request.param == "here":
        yield EmulatedHands(world)
        return
    server = RpcServer(table_methods(world))
    yield RemoteHands(server.url)
    server.close()


@pytest.mark.parametrize(("cards", "lowest", "joker"), [(36, "6", False), (52, "2", False), (53, "2", True)])
def test_a_pack_has_the_cards_of_its_size(world: World, hands: Hands, cards: int, lowest: str, joker: bool) -> None:
    hands.place_pack(cards)
    labels = [card.label for card in world.cards(HAND)]
    assert len(set(labels)) == len(labels) == cards
    assert min(label[0] for label in labels if label != "Jk") == lowest
    assert ("Jk" in labels) is joker


def test_packs_of_another_size_do_not_exist(world: World) -> None:
    for cards in (0, 32, 54):
        with pytest.raises(UsageError, match="36 from six to ace"):
            world.new_pack(cards)


def dealt(world: World, number: int) -> list[tuple[str, str, bool]]:
    """Label, back and face of the first cards that the shoe will deal; it draws from underneath."""
    return [(card.label, card.back, card.face_up) for card in world.cards("shoe/tray")[:number]]


def test_a_card_of_another_pack_takes_the_place_of_the_one_to_be_dealt(world: World, hands: Hands) -> None:
    hands.place_pack(52)
    hands.load("shoe")
    before = dealt(world, 4)
    hands.exchange_in_device("shoe", 2, "Jk")
    hands.exchange_in_device("shoe", 3, "", "blue")
    assert dealt(world, 4) == [before[0], ("Jk", "red", False), (before[2][0], "blue", False), before[3]]
    assert world.count("shoe/tray") == 52
    assert [card.label for card in world.cards(AWAY)] == [before[1][0], before[2][0]]
    assert len({card.uid for _, card in world.all_cards()}) == 54


def test_an_exchange_may_make_a_duplicate(world: World, hands: Hands) -> None:
    hands.place_pack(52)
    hands.load("shoe")
    hands.arrange_in_device("shoe", {1: "Kd"})
    hands.exchange_in_device("shoe", 2, "Kd")
    assert [label for label, _, _ in dealt(world, 2)] == ["Kd", "Kd"]
    assert Counter(card.label for card in world.cards("shoe/tray"))["Kd"] == 2


def test_where_no_card_lies_nothing_is_exchanged(world: World, hands: Hands) -> None:
    hands.place_pack(52)
    hands.load("shoe")
    for card in (0, -1, 53):
        hands.exchange_in_device("shoe", card, "Jk")
    assert "Jk" not in {card.label for _, card in world.all_cards()}


def test_cards_and_backs_that_do_not_exist_are_refused(world: World) -> None:
    world.new_pack(52)
    with pytest.raises(UsageError, match="'Xx' is no card"):
        world.exchange(HAND, 0, "Xx")
    with pytest.raises(UsageError, match="back 'green'"):
        world.exchange(HAND, 0, "Kd", "green")


def test_only_the_cards_that_lie_face_up_are_picked_out(world: World, hands: Hands) -> None:
    hands.place_pack(52)
    for _ in range(3):
        hands.draw_by_hand()
        hands.deliver("seat/1", "down")
    world.turn("seat/1", 0, face_up=True)
    first, *others = world.cards("seat/1")
    hands.take_face_up("seat/1", "burn")
    assert list(world.cards("seat/1")) == others
    assert list(world.cards("burn")) == [first]
    hands.take_face_up("seat/1", "burn")
    hands.take_face_up("seat/2", "burn")
    assert world.count("burn") == 1


def test_cards_picked_out_to_where_they_lie_stay(world: World) -> None:
    world.new_pack(52)
    world.turn(HAND, 0, face_up=True)
    assert world.pick(HAND, HAND, face_up=True) == 0
    assert world.count(HAND) == 52
