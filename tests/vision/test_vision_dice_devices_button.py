"""Dice, devices and the dealer button, read from rendered tables."""

from itertools import combinations_with_replacement, product

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from vision.layout import TableLayout
from vision.pictures import project, u8
from vision.reader import BUTTON, SHAKER, TableReader
from vision.scene import DEVICES, POSITIONS, Pile, Scene, SceneCard, SceneDie
from vision.synthetic.renderer import Renderer


def test_every_throw_gives_its_total(vision_layout: TableLayout, vision_reader: TableReader) -> None:
    for number, values in enumerate(combinations_with_replacement(range(1, 7), 3)):
        if number % 28 == 0:
            renderer = Renderer(vision_layout, 9_300 + number)
        dice = tuple(SceneDie(value, "flat") for value in values)
        reading = vision_reader.dice(renderer.frame(Scene({}, dice, False), number))
        assert (reading.flat, reading.leaning, reading.outside) == (3, 0, 0), values
        assert reading.total == sum(values), values
        assert sorted(die.value or 0 for die in reading.dice) == sorted(values)
        assert reading.certainty > 0.2


def test_leaning_and_fallen_dice_are_told_and_give_no_total(
    vision_layout: TableLayout, vision_reader: TableReader
) -> None:
    poses = list(product(("flat", "leaning", "outside"), repeat=3))
    renderer = Renderer(vision_layout, 9_301)
    for number, three in enumerate(poses):
        dice = tuple(SceneDie((number + k) % 6 + 1, pose) for k, pose in enumerate(three))  # type: ignore[arg-type]
        reading = vision_reader.dice(renderer.frame(Scene({}, dice, False), number))
        seen = (reading.flat, reading.leaning, reading.outside)
        assert seen == tuple(three.count(pose) for pose in ("flat", "leaning", "outside")), three
        assert (reading.total is None) == (three.count("flat") < 3)


def test_two_dice_have_no_total(vision_renderer: Renderer, vision_reader: TableReader) -> None:
    reading = vision_reader.dice(vision_renderer.frame(Scene({}, (SceneDie(3, "flat"), SceneDie(4, "flat")), False), 0))
    assert (reading.flat, reading.total) == (2, None)


def test_a_covered_shaker_shows_no_dice(vision_renderer: Renderer, vision_reader: TableReader) -> None:
    covered = vision_reader.dice(vision_renderer.frame(Scene({}, (SceneDie(3, "flat"),), True), 0))
    assert (covered.covered, covered.flat, covered.total) == (True, 0, None)
    bare = vision_reader.dice(vision_renderer.frame(Scene({}, (), False), 0))
    assert (bare.covered, bare.flat, bare.total) == (False, 0, None)
    assert min(covered.certainty, bare.certainty) > 0.5


def test_dice_under_a_red_sleeve_are_not_read(
    vision_layout: TableLayout, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({}, (SceneDie(3, "flat"),) * 3, False), 0).copy()
    x, y = (round(float(v)) for v in project(vision_layout.mm_to_px, [vision_layout.shaker.centre_mm])[0])
    cv2.rectangle(frame, (x - 4, y - 40), (x + 60, y + 90), (40, 30, 180), -1)
    reading = vision_reader.dice(frame)
    assert (reading.total, reading.certainty) == (None, 0.0)


@pytest.mark.parametrize(
    "standing", [frozenset(), {"shoe"}, {"shuffler"}, set(DEVICES)], ids=lambda names: " ".join(sorted(names)) or "none"
)
def test_a_device_is_seen_exactly_when_it_stands_there(
    standing: frozenset[str], vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({}, devices=frozenset(standing)), 0)
    assert {name: vision_reader.device(frame, name) for name in DEVICES} == {name: name in standing for name in DEVICES}


def test_a_device_whose_marker_is_hidden_or_anothers_is_not_judged(
    vision_layout: TableLayout, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({}, devices=frozenset(DEVICES)), 0)
    spots = {
        name: np.round(project(vision_layout.mm_to_px, device.box.corners_mm())).astype(int)
        for name, device in vision_layout.devices.items()
    }
    hidden = frame.copy()
    (x0, y0), (x1, y1) = spots["shoe"][0], spots["shoe"][2]
    hidden[(y0 + y1) // 2 - 10 : (y0 + y1) // 2 + 10, x0:x1] = (90, 110, 120)
    assert vision_reader.device(u8(hidden), "shoe") is None
    swapped = frame.copy()
    (u0, v0) = spots["shuffler"][0]
    size = min(spots["shuffler"][2] - spots["shuffler"][0]).item()
    swapped[v0 : v0 + size, u0 : u0 + size] = frame[y0 : y0 + size, x0 : x0 + size]
    assert vision_reader.device(u8(swapped), "shuffler") is None


def test_a_device_in_the_dark_is_not_judged(vision_renderer: Renderer, vision_reader: TableReader) -> None:
    frame = vision_renderer.frame(Scene({}), 0)
    assert vision_reader.device(np.zeros_like(frame), "shoe") is None


@pytest.mark.parametrize("position", [*POSITIONS, None])
def test_the_button_is_found_on_its_spot(
    position: str | None, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    cards = Pile(tuple(SceneCard(label, True) for label in ("Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h")), "spread")
    for piles in ({}, dict.fromkeys(POSITIONS, cards)):
        reading = vision_reader.button(vision_renderer.frame(Scene(piles, button=position), 0))
        assert reading.position == position
        assert reading.certainty > 0.3


def test_two_buttons_are_none(
    vision_layout: TableLayout, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({}, button="seat/2"), 0).copy()
    (ax, ay), (bx, by) = (
        np.round(project(vision_layout.mm_to_px, [vision_layout.button_spots_mm[name]])[0]).astype(int)
        for name in ("seat/2", "dealer")
    )
    frame[by - 20 : by + 20, bx - 20 : bx + 20] = frame[ay - 20 : ay + 20, ax - 20 : ax + 20]
    reading = vision_reader.button(frame)
    assert (reading.position, reading.certainty) == (None, 0.0)


def test_a_card_on_a_spot_is_no_button(
    vision_layout: TableLayout, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({}), 0).copy()
    x, y = np.round(project(vision_layout.mm_to_px, [vision_layout.button_spots_mm["seat/4"]])[0]).astype(int)
    cv2.rectangle(frame, (int(x) - 22, int(y) - 31), (int(x) + 22, int(y) + 31), (240, 242, 242), -1)
    reading = vision_reader.button(frame)
    assert (reading.position, reading.certainty) == (None, 0.0)


def test_evidence_pictures_read_again_give_the_same(vision_renderer: Renderer, vision_reader: TableReader) -> None:
    dice = (SceneDie(1, "flat"), SceneDie(2, "flat"), SceneDie(6, "flat"))
    frame = vision_renderer.frame(Scene({}, dice, False, frozenset({"shoe"}), "seat/6"), 4)
    assert vision_reader.dice_crop(vision_reader.crop(frame, SHAKER)).total == 9
    assert vision_reader.device_crop(vision_reader.crop(frame, "shoe"), "shoe") is True
    assert vision_reader.button_crop(vision_reader.crop(frame, BUTTON)).position == "seat/6"
    with pytest.raises(UsageError, match="button's spots"):
        vision_reader.button_crop(vision_reader.crop(frame, SHAKER))
    with pytest.raises(UsageError, match="device: expected one of"):
        vision_reader.device_crop(vision_reader.crop(frame, SHAKER), SHAKER)
