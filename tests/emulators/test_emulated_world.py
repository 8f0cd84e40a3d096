"""The emulated table: no card is ever lost or made, and the camera sees what lies on the table and nothing else."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.emulators.world import AWAY, HAND, MAX_CARDS, World
from bench.hands.emulated import EmulatedHands
from evidence.errors import UsageError
from vision.scene import LABELS, PLACES

SPOTS = [*PLACES, HAND, AWAY, "shoe/tray", "shoe/inside", "shuffler/slot/17", "shuffler/exit"]
places = st.sampled_from(SPOTS)
devices = st.sampled_from(["shoe", "shuffler"])
Act = Callable[[World, EmulatedHands], object]


def acts() -> st.SearchStrategy[Act]:
    count = st.none() | st.integers(-2, 60)
    ends = st.sampled_from(["top", "bottom"])
    turns = st.sampled_from(["up", "down", "as_is"])
    return st.one_of(
        st.builds(
            lambda a, b, n, e, t: lambda w, h: w.move(a, b, n, take=e, turn=t), places, places, count, ends, turns
        ),
        st.builds(lambda a, i, up: lambda w, h: w.turn(a, i, up), places, st.integers(-60, 60), st.booleans()),
        st.builds(
            lambda a, i, card: lambda w, h: w.swap(a, i, card), places, st.integers(-60, 60), st.sampled_from(LABELS)
        ),
        st.builds(lambda a: lambda w, h: w.shuffle(a), places),
        st.builds(lambda a: lambda w, h: w.cut(a), places),
        st.builds(lambda d: lambda w, h: h.load(d), devices),
        st.builds(lambda d: lambda w, h: h.unload(d), devices),
        st.builds(lambda d: lambda w, h: h.take_remainder(d), devices),
        st.builds(lambda: lambda w, h: h.draw_by_hand()),
        st.builds(lambda p: lambda w, h: h.deliver(p, "down", (0, 3)), st.sampled_from(["seat/3", "dealer"])),
        st.builds(lambda: lambda w, h: h.gather()),
        st.builds(lambda: lambda w, h: h.place_pack(53, missing=1, extra=2)),
        st.builds(lambda: lambda w, h: h.remove_pack()),
        st.builds(lambda p: lambda w, h: h.turn_up(p), st.sampled_from(["seat/3", "dealer"])),
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(acts(), max_size=25), st.integers(0, 5))
def test_every_card_is_in_exactly_one_place_whatever_is_done(todo: list[Act], seed: int) -> None:
    world = World(seed)
    hands = EmulatedHands(world)
    hands.place_pack(52)
    known = Counter(card.uid for _, card in world.all_cards())
    for act in todo:
        act(world, hands)
        now = Counter(card.uid for _, card in world.all_cards())
        assert max(now.values()) == 1
        assert not known - now
        assert sum(world.counts("").values()) == len(now)
        known = now


@pytest.mark.parametrize(("cards", "jokers"), [(52, 0), (53, 1)])
def test_a_pack_holds_every_card_once_face_down_and_the_joker_only_in_a_pack_of_53(cards: int, jokers: int) -> None:
    world = World()
    world.new_pack(cards)
    pack = world.cards(HAND)
    labels = Counter(card.label for card in pack)
    assert len(pack) == cards
    assert labels["Jk"] == jokers
    assert set(labels.values()) == {1}
    assert not any(card.face_up for card in pack)


def test_a_prepared_pack_is_short_of_a_card_or_holds_one_twice() -> None:
    short, long = World(3), World(3)
    short.new_pack(53, missing=1)
    long.new_pack(53, extra=1)
    assert sorted(Counter(card.label for card in short.cards(HAND)).values()) == [1] * 52
    assert sorted(Counter(card.label for card in long.cards(HAND)).values()) == [1] * 52 + [2]


def test_which_card_is_missing_depends_on_the_seed_alone() -> None:
    def missing(seed: int) -> set[str]:
        world = World(seed)
        world.new_pack(52, missing=1)
        return set(LABELS) - {card.label for card in world.cards(HAND)} - {"Jk"}

    assert missing(7) == missing(7)
    assert len({frozenset(missing(seed)) for seed in range(12)}) > 3


@pytest.mark.parametrize(
    ("cards", "missing", "extra"), [(54, 0, 0), (0, 0, 0), (52, -1, 0), (52, 52, 0), (52, 0, -1), (52, 0, 53)]
)
def test_a_pack_that_cannot_be_is_refused(cards: int, missing: int, extra: int) -> None:
    with pytest.raises(UsageError, match="pack"):
        World().new_pack(cards, missing=missing, extra=extra)


def test_a_world_cannot_be_filled_without_end() -> None:
    world = World()
    for _ in range(MAX_CARDS // 52):
        world.new_pack(52)
    with pytest.raises(UsageError, match="Start a new one"):
        world.new_pack(52)


def test_single_cards_lie_beside_each_other_groups_lie_squared_and_the_mouth_staggers() -> None:
    world = World()
    world.new_pack(52)
    for _ in range(3):
        world.move(HAND, "seat/1", 1)
    world.move(HAND, "seat/2", 7)
    for _ in range(7):
        world.move(HAND, "shoe_mouth", 1)
    world.move(HAND, "discard_rack", 1)
    piles = world.scene().piles
    assert piles["seat/1"].arrangement == "spread"
    assert piles["seat/2"].arrangement == "squared"
    assert piles["shoe_mouth"].arrangement == "staggered"
    assert piles["discard_rack"].arrangement == "squared"


def test_the_scene_shows_the_table_and_never_the_inside_of_a_device_or_a_hand() -> None:
    world = World()
    world.new_pack(52)
    world.move(HAND, "shoe/inside", 20)
    world.move(HAND, "seat/4", 2, turn="up")
    scene = world.scene()
    assert set(scene.piles) == {"seat/4"}
    assert all(card.face_up for card in scene.piles["seat/4"].cards)
    assert scene.devices == {"shuffler", "shoe"}
    assert scene.button is None
    assert scene.shaker_covered


def test_cards_taken_from_either_end_keep_their_order() -> None:
    world = World()
    world.new_pack(52)
    pack = [card.label for card in world.cards(HAND)]
    world.move(HAND, "seat/1", 3, take="top")
    world.move(HAND, "seat/2", 3, take="bottom")
    assert [card.label for card in world.cards("seat/1")] == pack[-3:]
    assert [card.label for card in world.cards("seat/2")] == pack[:3]


@pytest.mark.parametrize("place", ["seat/7", "seat/0", "", "Seat/1", "shoe", "../etc", "shoe/" + "x" * 40, "a/b/c/d"])
def test_a_place_that_does_not_exist_is_named_in_the_refusal(place: str) -> None:
    world = World()
    world.new_pack(52)
    with pytest.raises(UsageError, match="does not exist"):
        world.move(HAND, place)
    assert world.count(HAND) == 52


def test_a_shaken_roll_is_flat_and_a_prepared_one_comes_out_as_prepared() -> None:
    world = World(11)
    world.prepare_roll([(6, "flat"), (1, "leaning"), (3, "outside")])
    world.shake_dice()
    assert [(die.value, die.pose) for die in world.scene().dice] == [(6, "flat"), (1, "leaning"), (3, "outside")]
    assert not world.scene().shaker_covered
    totals: Counter[int] = Counter()
    for _ in range(200):
        world.shake_dice()
        dice = world.scene().dice
        assert {die.pose for die in dice} == {"flat"}
        totals[sum(die.value for die in dice)] += 1
    assert set(totals) <= set(range(3, 19))
    assert len(totals) > 10


def test_the_button_and_the_devices_stand_where_they_are_put() -> None:
    world = World()
    world.move_button("seat/6")
    world.place_device("shoe", False)
    scene = world.scene()
    assert scene.button == "seat/6"
    assert set(scene.devices) == {"shuffler"}
    with pytest.raises(UsageError, match="not a position"):
        world.move_button("burn")
    with pytest.raises(UsageError, match="no stand"):
        world.place_device("toaster")


def test_a_cut_keeps_the_order_of_the_pack_but_for_where_it_begins() -> None:
    world = World(5)
    world.new_pack(52)
    before = [card.label for card in world.cards(HAND)]
    world.cut(HAND)
    after = [card.label for card in world.cards(HAND)]
    at = before.index(after[0])
    assert 0 < at < 52
    assert after == before[at:] + before[:at]
