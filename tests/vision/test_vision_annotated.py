"""`read --annotate` draws whatever is read, into one file or a folder, and covers no index."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from vision.annotate_cards import UNREAD, UP, canvas_of, draw_cards
from vision.counting.fan import count_fan
from vision.counting.side import count_side
from vision.counting.spread import count_spread
from vision.pictures import Picture
from vision.readings import CardReading
from vision.scene import LABELS, SceneCard
from vision.synthetic.loose import LooseCard, loose_picture
from vision.synthetic.side_views import SideView, side_picture
from vision.synthetic.spreads import SpreadView, fan_picture, spread_picture

VIEW = SpreadView(pitch_mm=9.0, px_per_mm=2.5, noise=1.0, blur_px=0.5)


def cards(count: int) -> tuple[SceneCard, ...]:
    return tuple(SceneCard(label, False, "blue") for label in LABELS[:count])


def box(x: float, y: float, wide: float, high: float) -> "np.typing.NDArray[np.float64]":
    return np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], np.float64)


def near(picture: Picture, colour: tuple[int, int, int], slack: int = 12) -> "np.typing.NDArray[np.bool_]":
    return np.asarray(np.abs(picture.astype(int) - colour).max(axis=2) < slack)


def test_cards_are_outlined_and_labelled_without_covering_an_index() -> None:
    plain = np.full((900, 1400, 3), 90, np.uint8)
    read = CardReading("Qs", 0.98, box(100, 100, 250, 350), True)
    unread = CardReading(None, 0.0, box(500, 100, 250, 350), True)
    index = CardReading("Th", 0.97, box(900, 300, 30, 60), True, index_only=True)
    drawn = draw_cards(plain, [read, unread, index])
    assert drawn.shape[0] > 900
    assert near(drawn, UP)[90:110, 100:350].any()
    assert near(drawn, UNREAD)[90:110, 500:750].any()
    changed = np.abs(drawn[:900].astype(int) - plain).max(axis=2) > 40
    for corner in ((115, 115), (275, 350)):
        assert not changed[corner[1] : corner[1] + 85, corner[0] : corner[0] + 60].any()
    assert not changed[310:350, 910:922].any()
    assert changed[200:350, 150:300].mean() > 0.1


def test_a_small_picture_is_enlarged_and_a_large_one_is_not() -> None:
    assert canvas_of(np.zeros((200, 300, 3), np.uint8))[0].shape[:2] == (600, 900)
    assert canvas_of(np.zeros((2000, 3000, 3), np.uint8))[1] == 1.0


def test_the_marks_of_a_count_lie_along_the_cards_edges() -> None:
    picture = spread_picture(cards(6), replace(VIEW, noise=0.5), np.random.default_rng(2))
    seen = count_spread(picture)
    assert seen.count == len(seen.marks) == 6
    for number, (start, end) in enumerate(seen.marks):
        assert start[0] == pytest.approx((25 + 9 * number) * 2.5, abs=12)
        assert abs(end[1] - start[1]) == pytest.approx(88 * 2.5, abs=6)
    fan = count_fan(fan_picture(cards(7), VIEW, np.random.default_rng(3)))
    assert fan.count == len(fan.marks) == 7
    turns = [np.arctan2(end[1] - start[1], end[0] - start[0]) for start, end in fan.marks]
    assert np.ptp(np.unwrap(turns)) == pytest.approx(6 * 9 / 174, rel=0.15)
    view = SideView(card_px=10, width_px=420, tilt_deg=1.5, noise=2.0)
    side = count_side(side_picture(5, view, np.random.default_rng(4)))
    assert side.count == len(side.marks) == 5
    rows = [start[1] for start, _ in side.marks]
    assert -np.diff(rows) == pytest.approx(10, abs=1.5)
    slopes = [(end[1] - start[1]) / (end[0] - start[0]) for start, end in side.marks]
    assert np.mean(slopes) == pytest.approx(np.tan(np.deg2rad(1.5)), abs=0.006)


def test_every_kind_of_result_is_drawn_into_the_named_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    kinds = {
        "cards": ([], loose_picture([LooseCard("Qs", 300, 300, 12), LooseCard("blue", 700, 400, 4)])),
        "spread": (["--count", "spread"], spread_picture(cards(5), VIEW, rng)),
        "side": (["--count", "side"], side_picture(4, SideView(width_px=420), rng)),
    }
    for name, (more, picture) in kinds.items():
        ending = "png" if name == "side" else "jpg"
        source, out = tmp_path / f"{name}.png", tmp_path / "out" / f"{name}.{ending}"
        cv2.imwrite(str(source), picture)
        assert main(["read", str(source), *more, "--annotate", str(out)]) == 0
        drawn = cv2.imread(str(out))
        assert drawn is not None
        assert near(np.asarray(drawn, np.uint8), UP, 40).sum() > 100, name
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["cards.jpg", "side.png", "spread.jpg"]


def test_several_pictures_need_a_folder_and_no_original_is_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one.png", tmp_path / "two.png"
    for path in (one, two):
        cv2.imwrite(str(path), spread_picture(cards(2), VIEW, np.random.default_rng(1)))
    count = ["--count", "spread", "--annotate"]
    before = one.read_bytes()
    for images, out, said in (
        ([one, two], tmp_path / "both.jpg", "name a folder"),
        ([one], tmp_path / "one.bmp", "ends in .jpg, .jpeg, .png"),
        ([one], one, "write over"),
    ):
        assert main(["read", *map(str, images), *count, str(out)]) == 2
        assert said in capsys.readouterr().err
    assert one.read_bytes() == before
    assert main(["read", str(one), str(two), *count, str(tmp_path / "seen")]) == 0
    assert [path.name for path in sorted((tmp_path / "seen").iterdir())] == ["0000-one.jpg", "0001-two.jpg"]
