"""What the camera reads of rendered tables is exactly what lies there: a misread or a wrong count fails."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from vision.layout import TableLayout
from vision.pictures import Picture, decode_picture, encode_jpeg, project, u8
from vision.reader import TableReader
from vision.readings import PlaceReading
from vision.scene import BACKS, LABELS, PLACES, POSITIONS, Pile, Scene, SceneCard
from vision.synthetic.renderer import Renderer

SPREAD_PLACES = [place for place in PLACES if place != "discard_rack"]


def cards(labels: str, down: int = 0, back: str = "red") -> tuple[SceneCard, ...]:
    """Face-up cards by label, then `down` cards face down."""
    up = tuple(SceneCard(label, True, back) for label in labels.split())
    rest = [label for label in LABELS if label not in labels.split()][:down]
    return up + tuple(SceneCard(label, False, back) for label in rest)


def facts(reading: PlaceReading) -> tuple[object, ...]:
    ups = [card.face_up for card in reading.cards]
    return reading.count, reading.labels, reading.face_down, reading.stacked, ups


def truth(pile: Pile) -> tuple[object, ...]:
    """What an honest camera says of a pile that it can count."""
    up = tuple(card.label for card in pile.cards if card.face_up)
    ups = [card.face_up for card in pile.cards]
    return len(pile.cards), up, len(pile.cards) - len(up), False, ups


@pytest.mark.parametrize("place", PLACES)
def test_an_empty_place_holds_no_card(place: str, vision_renderer: Renderer, vision_reader: TableReader) -> None:
    full = Scene({other: Pile(cards("Ah 7c"), "spread") for other in PLACES if other != place}, button="seat/3")
    for scene in (Scene({}), full):
        reading = vision_reader.look(vision_renderer.frame(scene, 0), place)
        assert facts(reading) == (0, (), 0, False, [])
        assert reading.certainty > 0.5


def test_each_card_is_named_at_each_position(vision_renderer: Renderer, vision_reader: TableReader) -> None:
    for number, label in enumerate(LABELS):
        place = POSITIONS[number % len(POSITIONS)]
        frame = vision_renderer.frame(Scene({place: Pile(cards(label), "squared")}), number)
        reading = vision_reader.look(frame, place)
        assert facts(reading) == (1, (label,), 0, False, [True])
        assert reading.certainty > 0.5


@pytest.mark.parametrize("back", BACKS)
def test_a_single_card_face_down_is_one_card(back: str, vision_renderer: Renderer, vision_reader: TableReader) -> None:
    for place in PLACES:
        frame = vision_renderer.frame(Scene({place: Pile(cards("", 1, back), "squared")}), 1)
        reading = vision_reader.look(frame, place)
        assert facts(reading) == (1, (), 1, False, [False])
        assert reading.cards[0].back == back


@pytest.mark.parametrize("seed", range(9_100, 9_103))
def test_random_tables_are_read_without_an_error_or_an_abstention(
    seed: int, vision_layout: TableLayout, vision_reader: TableReader
) -> None:
    rng = np.random.default_rng(seed)
    renderer = Renderer(vision_layout, seed)
    for index in range(6):
        piles = {}
        for place in SPREAD_PLACES:
            count = int(rng.integers(0, vision_layout.places[place].countable + 1))
            labels = [str(label) for label in rng.permutation(LABELS)[:count]]
            share = rng.choice([0.0, 0.2, 0.5, 0.8, 1.0])
            back = str(rng.choice(BACKS))
            laid = tuple(SceneCard(label, bool(rng.random() < share), back) for label in labels)
            piles[place] = Pile(laid, "spread" if rng.random() < 0.5 else "staggered")
        frame = renderer.frame(Scene(piles), index)
        for place, pile in piles.items():
            reading = vision_reader.look(frame, place)
            assert facts(reading) == truth(pile), (seed, index, place)


@pytest.mark.parametrize("place", ["shoe_mouth", "seat/1", "dealer", "layout_centre", "burn", "discard_rack"])
def test_every_number_of_cards_is_counted_exactly(
    place: str, vision_layout: TableLayout, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    for count in range(vision_layout.places[place].countable + 1):
        for down in {0, 1, count // 2, count}:
            labels = " ".join(LABELS[:: max(1, 53 // (count + 1))][: count - min(down, count)])
            pile = Pile(cards(labels, min(down, count)), "staggered")
            reading = vision_reader.look(vision_renderer.frame(Scene({place: pile}), count), place)
            assert (reading.count, reading.face_down) == (count, min(down, count))
            assert not reading.stacked


@pytest.mark.parametrize("count", [2, 3, 7, 20, 52])
def test_a_squared_stack_shows_its_top_card_and_no_number(
    count: int, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    below = tuple(SceneCard(label, False) for label in LABELS[: count - 1])
    for place in PLACES:
        for top, expected in ((SceneCard("Jk", True), ("Jk",)), (SceneCard("Jk", False), ())):
            pile = Pile((*below, top), "squared")
            reading = vision_reader.look(vision_renderer.frame(Scene({place: pile}), 2), place)
            assert (reading.count, reading.stacked) == (None, True), place
            assert (reading.labels, reading.face_down) == (expected, None)
            assert reading.certainty > 0.3


@pytest.mark.parametrize("count", [16, 17, 20, 27, 39, 54])
def test_a_full_discard_rack_shows_cards_but_no_number(
    count: int, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    laid = tuple(SceneCard(LABELS[number % 53], number % 5 == 0) for number in range(count))
    reading = vision_reader.look(
        vision_renderer.frame(Scene({"discard_rack": Pile(laid, "staggered")}), 0), "discard_rack"
    )
    assert (reading.count, reading.stacked) == (None, True)


def test_more_cards_than_a_seat_can_show_apart_are_not_counted(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    for count in (10, 12, 15, 20):
        pile = Pile(cards("", count), "spread")
        reading = vision_reader.look(vision_renderer.frame(Scene({"seat/2": pile}), 0), "seat/2")
        assert (reading.count, reading.stacked, reading.certainty) == (None, False, 0.0)


def test_the_stored_picture_read_again_gives_the_same_reading(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    pile = Pile(cards("Ah Tc Jk", 4), "spread")
    jpeg = vision_reader.crop(vision_renderer.frame(Scene({"seat/5": pile}), 3), "seat/5")
    first, second = (vision_reader.look_crop(jpeg, "seat/5") for _ in range(2))
    assert facts(first) == facts(second) == truth(pile)
    assert first.certainty == second.certainty
    for one, two in zip(first.cards, second.cards, strict=True):
        assert np.array_equal(one.corners, two.corners)


def test_corners_lie_where_the_card_lies_in_the_whole_picture(
    vision_layout: TableLayout, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    """A hand misses a spot by 0.7 mm at most, which is less than a pixel."""
    for place in PLACES:
        frame = vision_renderer.frame(Scene({place: Pile(cards("Kd"), "squared")}), 0)
        (card,) = vision_reader.look(frame, place).cards
        half_w, half_h = vision_layout.card_mm[0] / 2, vision_layout.card_mm[1] / 2
        local = [(-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h)]
        box = vision_layout.places[place].box
        expected = project(vision_layout.mm_to_px @ box.to_table(), local)
        assert np.abs(card.corners - expected).max() < 2.5, place


def _skin(frame: Picture, layout: TableLayout, place: str, share: tuple[float, float]) -> Picture:
    """A hand over a part of a place, as shares of its width."""
    width, height = layout.places[place].box.size_mm
    x0, x1 = (width * (value - 0.5) for value in share)
    local = [(x0, -height), (x1, -height), (x1, height * 0.3), (x0, height * 0.3)]
    outline = np.round(project(layout.mm_to_px @ layout.places[place].box.to_table(), local)).astype(np.int32)
    covered = frame.copy()
    cv2.fillConvexPoly(covered, outline, (120, 150, 205), cv2.LINE_AA)
    return u8(covered)


def test_a_hand_over_a_place_is_not_read_as_empty_or_as_cards(
    vision_layout: TableLayout, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    for place in SPREAD_PLACES:
        bare = vision_renderer.frame(Scene({}), 0)
        laid = vision_renderer.frame(Scene({place: Pile(cards("9h 2c", 5), "spread")}), 0)
        for frame in (bare, laid):
            reading = vision_reader.look(_skin(frame, vision_layout, place, (0.35, 0.65)), place)
            assert reading.count is None, place
            assert reading.certainty == 0.0


DEGRADED: dict[str, Callable[[Picture], np.typing.NDArray[Any]]] = {
    "dark": lambda frame: cv2.convertScaleAbs(frame, alpha=0.12),
    "washed out": lambda frame: cv2.convertScaleAbs(frame, alpha=1.5),
    "blur 1": lambda frame: cv2.GaussianBlur(frame, (0, 0), 1.0),
    "blur 2": lambda frame: cv2.GaussianBlur(frame, (0, 0), 2.0),
    "blur 4": lambda frame: cv2.GaussianBlur(frame, (0, 0), 4.0),
    "smeared": lambda frame: cv2.blur(frame, (9, 1)),
    "noise": lambda frame: np.clip(frame + np.random.default_rng(1).normal(0, 25, frame.shape), 0, 255).astype(
        np.uint8
    ),
    "jpeg 40": lambda frame: decode_picture(encode_jpeg(frame, 40), "frame"),
    "moved": lambda frame: cv2.warpAffine(frame, np.array([[1.0, 0.0, 4.3], [0.0, 1.0, -3.6]]), (1280, 720)),
    "black": np.zeros_like,
}


@pytest.mark.parametrize("name", DEGRADED)
def test_a_bad_picture_makes_the_camera_abstain_never_lie(
    name: str, vision_layout: TableLayout, vision_reader: TableReader
) -> None:
    rng = np.random.default_rng(9_200)
    renderer = Renderer(vision_layout, 9_200)
    for index in range(4):
        piles = {}
        for place in PLACES:
            count = int(rng.integers(0, vision_layout.places[place].countable + 1))
            labels = [str(label) for label in rng.permutation(LABELS)[:count]]
            laid = tuple(SceneCard(label, bool(rng.random() < 0.5)) for label in labels)
            piles[place] = Pile(laid, str(rng.choice(["spread", "staggered", "squared"])))  # type: ignore[arg-type]
        frame = u8(DEGRADED[name](renderer.frame(Scene(piles), index)))
        for place, pile in piles.items():
            reading = vision_reader.look(frame, place)
            squared = pile.arrangement == "squared" and len(pile.cards) > 1
            where = (name, index, place, facts(reading), pile)
            if reading.count is not None:
                assert not squared, where
                assert [card.face_up for card in reading.cards] == [card.face_up for card in pile.cards], where
                wanted = [card.label for card in pile.cards if card.face_up]
                assert all(seen in (None, label) for seen, label in zip(reading.labels, wanted, strict=True)), where
            elif reading.stacked:
                assert len(pile.cards) > 1, where


def test_misuse_is_told(vision_renderer: Renderer, vision_reader: TableReader) -> None:
    frame = vision_renderer.frame(Scene({}), 0)
    with pytest.raises(UsageError, match="place: expected one of"):
        vision_reader.look_crop(vision_reader.crop(frame, "shaker"), "shaker")
    with pytest.raises(UsageError, match="area: expected one of"):
        vision_reader.crop(frame, "seat/9")
    with pytest.raises(UsageError, match="expected 1280 x 720 colour pixels"):
        vision_reader.look(frame[:360, :640], "burn")
    with pytest.raises(UsageError, match="picture of burn: expected a picture of"):
        vision_reader.look_crop(vision_reader.crop(frame, "dealer"), "burn")
    with pytest.raises(UsageError, match="picture of burn"):
        vision_reader.look_crop(b"\xff\xd8\xff\xe0 broken", "burn")
    with pytest.raises(UsageError, match="picture of burn"):
        vision_reader.look_crop(encode_jpeg(frame)[:2000], "burn")
