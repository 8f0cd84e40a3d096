"""`cardcert read --dice`: pictures of a shaker by itself, at any scale."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from vision.dice_images import read_lone_dice
from vision.layout import standard_layout
from vision.pictures import Picture, encode_jpeg, project, u8
from vision.scene import Scene, SceneDie
from vision.synthetic.renderer import Renderer

LAYOUT = standard_layout()


def shaker_picture(dice: tuple[SceneDie, ...], px_per_mm: float = 4.0, covered: bool = False) -> Picture:
    """The shaker's zone from above, out of a drawn table."""
    scene = Scene({}, dice, covered)
    frame = Renderer(LAYOUT, 5, (2560, 1440)).frame(scene, 1)
    zone = LAYOUT.shaker.zone
    width, height = (round(side * px_per_mm) for side in zone.size_mm)
    corners = project(LAYOUT.scaled((2560, 1440)).mm_to_px, zone.corners_mm()).astype(np.float32)
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    return u8(cv2.warpPerspective(frame, cv2.getPerspectiveTransform(corners, target), (width, height)))


@pytest.mark.parametrize("px_per_mm", [1.5, 4.0, 9.0])
def test_three_dice_are_read_at_any_scale(px_per_mm: float) -> None:
    reading = read_lone_dice(
        shaker_picture((SceneDie(2, "flat"), SceneDie(6, "flat"), SceneDie(3, "flat")), px_per_mm), LAYOUT.shaker
    )
    assert (reading.flat, reading.total) == (3, 11)
    assert sorted(die.value or 0 for die in reading.dice) == [2, 3, 6]


def test_dice_that_lean_or_lie_outside_have_no_total() -> None:
    dice = (SceneDie(4, "flat"), SceneDie(1, "leaning"), SceneDie(5, "outside"))
    reading = read_lone_dice(shaker_picture(dice), LAYOUT.shaker)
    assert (reading.flat, reading.leaning, reading.outside, reading.total) == (1, 1, 1, None)
    assert reading.certainty > 0


def test_a_covered_shaker_shows_none_and_a_picture_of_something_else_is_not_read() -> None:
    assert read_lone_dice(shaker_picture((), covered=True), LAYOUT.shaker).covered
    red = np.zeros((300, 400, 3), np.uint8)
    red[100:110, 50:350] = (0, 0, 255)
    assert read_lone_dice(u8(red), LAYOUT.shaker).certainty == 0


def test_the_command_tells_pips_and_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "dice.jpg"
    dice = (SceneDie(1, "flat"), SceneDie(5, "flat"), SceneDie(5, "flat"))
    file.write_bytes(encode_jpeg(shaker_picture(dice), 92))
    assert main(["read", "--dice", "--json", "--annotate", str(tmp_path / "out.jpg"), str(file)]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["kind"], row["flat"], row["total"]) == ("dice", 3, 11)
    assert sorted(die["pips"] for die in row["dice"]) == [1, 5, 5]
    assert (tmp_path / "out.jpg").is_file()
    assert main(["read", "--dice", str(file)]) == 0
    assert "total 11" in capsys.readouterr().out
