"""Cards are counted exactly in spreads, fans and stacks seen from the side; what is doubtful is said to be so."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.vision_counts import (
    borderless_case,
    doubled_case,
    down_case,
    edges_show,
    fan_case,
    side_case,
    spread_case,
)
from cardcert.__main__ import main
from fixtures.camera_accuracy import upper_bound
from vision.counting.count_images import tell
from vision.counting.fan import count_fan
from vision.counting.reading import as_data
from vision.counting.side import count_side
from vision.counting.spread import count_spread
from vision.pictures import Picture, u8
from vision.scene import LABELS, SceneCard
from vision.synthetic.side_views import SideView, side_picture
from vision.synthetic.spread_light import NO_SHADOW, Back, Light
from vision.synthetic.spreads import SpreadView, fan_picture, random_view, spread_picture, squared_picture

VIEW = SpreadView(pitch_mm=7.0, turn_deg=11.0, px_per_mm=2.5)


def cards(count: int, up: bool = False) -> tuple[SceneCard, ...]:
    return tuple(SceneCard(label, up, "blue") for label in LABELS[:count])


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, 0xC0])


@pytest.mark.parametrize("count", [1, 2, 3, 7, 26, 53])
def test_a_spread_is_counted(count: int) -> None:
    assert count_spread(spread_picture(cards(count), VIEW, rng(count))).count == count


@pytest.mark.parametrize("turn_deg", [0, 90, 180, -137])
def test_it_may_lie_at_any_angle_and_be_spread_either_way(turn_deg: float) -> None:
    view = replace(VIEW, turn_deg=turn_deg)
    assert count_spread(spread_picture(cards(9), view, rng(1))).count == 9
    assert count_spread(u8(spread_picture(cards(9), view, rng(1))[:, ::-1])).count == 9


@pytest.mark.parametrize("count", [1, 6, 16])
def test_a_fan_is_counted(count: int) -> None:
    assert count_fan(fan_picture(cards(count), VIEW, rng(count))).count == count


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_fan_of_few_cards_is_counted(count: int) -> None:
    view = replace(VIEW, pitch_mm=9.0, turn_deg=-37.0, printed=True)
    assert count_fan(fan_picture(cards(count), view, rng(count), 140.0)).count == count


def test_a_fan_without_its_outline_is_no_row() -> None:
    count, picture, read = fan_case(20, np.random.default_rng([970_020, 4]))
    assert read(picture).count in (None, count)


def test_every_edge_of_the_spreads_that_are_measured_can_be_seen() -> None:
    views = [random_view(np.random.default_rng([6, number])) for number in range(2000)]
    assert all(edges_show(view) for view in views)
    assert not edges_show(replace(VIEW, pitch_mm=1.2))
    assert not edges_show(replace(VIEW, pitch_mm=4.5, blur_px=2.5))
    assert not edges_show(replace(VIEW, noise=30.0))


def test_faces_are_counted_as_backs_are() -> None:
    assert count_spread(spread_picture(cards(12, up=True), replace(VIEW, pitch_mm=14), rng(4))).count == 12


@pytest.mark.parametrize("seed", range(3))
def test_two_cards_exactly_on_one_another_are_not_counted_as_one(seed: int) -> None:
    seen = count_spread(spread_picture(cards(14), replace(VIEW, doubled=5 + seed), rng(seed)))
    assert seen.count is None
    assert (seen.least, seen.most) == (14, 15)
    assert "on one another" in seen.why
    assert count_spread(spread_picture(cards(14), VIEW, rng(seed))).count == 14


@pytest.mark.parametrize("up", [False, True])
def test_of_three_cards_two_that_lie_on_one_another_are_told(up: bool) -> None:
    view = replace(VIEW, pitch_mm=12.0, turn_deg=-70.0)
    assert count_spread(spread_picture(cards(3, up), view, rng(7))).count == 3
    seen = count_spread(spread_picture(cards(3, up), replace(view, doubled=1), rng(7)))
    assert (seen.count, seen.least, seen.most) == (None, 3, 4)


@pytest.mark.parametrize("hidden", [0, 1])
def test_of_two_cards_either_that_hides_another_is_told(hidden: int) -> None:
    view = replace(VIEW, pitch_mm=11.0, turn_deg=50.0)
    assert count_spread(spread_picture(cards(2), view, rng(9))).count == 2
    seen = count_spread(spread_picture(cards(2), replace(view, doubled=hidden), rng(9)))
    assert (seen.count, seen.least) == (None, 2)


def test_faint_shadows_of_cards_laid_closely_are_those_of_one_card_each() -> None:
    count, picture, read = spread_case(26, np.random.default_rng([120_026, 7]))
    seen = read(picture)
    assert seen.count == count == 27
    assert seen.certainty < count_spread(spread_picture(cards(14), VIEW, rng(0))).certainty


def test_one_on_another_is_told_among_faces_and_backs() -> None:
    mixed = tuple(SceneCard(label, number % 3 == 0, "red") for number, label in enumerate(LABELS[4:22]))
    for pitch_mm in (4.8, 9.0):
        view = replace(VIEW, pitch_mm=pitch_mm)
        assert count_spread(spread_picture(mixed, view, rng(8))).count == 18
        for hidden in (4, 11):
            seen = count_spread(spread_picture(mixed, replace(view, doubled=hidden), rng(8)))
            assert (seen.count, seen.least) == (None, 18), (pitch_mm, hidden)
            assert seen.most in (19, 20), (pitch_mm, hidden)


@pytest.mark.parametrize("seed", range(2))
def test_a_staggered_group_of_seven_is_counted_and_a_squared_one_is_not(seed: int) -> None:
    staggered = spread_picture(cards(7), replace(VIEW, pitch_mm=5.0), rng(seed))
    assert count_spread(staggered, kind="stack").count == 7
    squared = squared_picture(cards(7), VIEW, rng(seed))
    assert count_spread(squared, kind="stack").count is None


@pytest.mark.parametrize("tilt_deg", [12.0, 19.0])
def test_the_camera_may_lean_and_print_on_the_felt_may_touch_the_cards(tilt_deg: float) -> None:
    view = replace(VIEW, tilt_deg=tilt_deg, tilt_toward_deg=40.0, printed=True, back=Back(7, 3.0))
    for count in (1, 14):
        assert count_spread(spread_picture(cards(count), view, rng(count))).count == count


def test_one_that_lies_a_little_to_the_right_of_another_is_not_counted_as_one() -> None:
    for by_mm in (0.5, 1.6):
        view = replace(VIEW, pitch_mm=11.0, doubled=4, doubled_by_mm=by_mm)
        assert count_spread(spread_picture(cards(9), view, rng(5))).count in (None, 10)
    assert count_spread(spread_picture(cards(9), replace(VIEW, pitch_mm=11.0), rng(5))).count == 9


def test_one_on_another_is_told_in_harder_and_in_softer_light_on_pale_backs_too() -> None:
    for light in (Light(0.65, (-0.9, -0.4), 0.7), Light(0.4, (-0.7, 0.4), 1.1)):
        view = replace(VIEW, pitch_mm=9.0, light=light, back=Back(3, 4.0))
        assert count_spread(spread_picture(cards(12), view, rng(6))).count == 12
        assert count_spread(spread_picture(cards(12), replace(view, doubled=6), rng(6))).count is None


@pytest.mark.parametrize(
    ("first", "number"),
    [(130_000, 1), (130_000, 2), (130_000, 24), (170_000, 1), (170_000, 6)],
    ids=[
        "the last of three, 1 mm beside",
        "a face among two faces and two backs",
        "on a coloured face",
        "the first of three, 2 mm beside",
        "the last back of three among faces",
    ],
)
def test_a_card_on_another_is_not_left_out(first: int, number: int) -> None:
    count, picture, read = doubled_case(number, np.random.default_rng([first + number, 7]))
    assert read(picture).count in (None, count)


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        (2_000_069, 17),
        (2_000_596, 14),
        (2_000_691, 3),
        (2_000_880, 33),
        (4_000_323, 6),
        (4_000_536, 7),
        (4_000_675, 40),
    ],
    ids=[
        "print of the felt's lightness about a dark back",
        "a back like a face",
        "print like an edge",
        "words below",
        "light that falls off along the row",
        "print beside a row seen askew",
        "print around an end",
    ],
)
def test_print_pale_backs_and_uneven_light_do_not_make_a_row_uncertain(seed: int, count: int) -> None:
    drawn, picture, read = down_case(seed % 1_000_000, np.random.default_rng([seed, 4]))
    assert (drawn, read(picture).count) == (count, count)


def white_cards(lefts_mm: tuple[float, ...], lines: tuple[int, ...]) -> Picture:
    """White cards without print, each with a thin line of this level along its left edge, on green felt."""
    picture = np.full((520, 700, 3), (60, 90, 30), np.uint8)
    for left_mm, line in zip(lefts_mm, lines, strict=True):
        left = 80 + round(4 * left_mm)
        cv2.rectangle(picture, (left, 80), (left + 252, 80 + 352), (240, 240, 240), -1)
        cv2.line(picture, (left, 80), (left, 80 + 352), (line, line, line), 1)
    noise = rng(2).normal(0, 2, picture.shape)
    return u8(np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8))


def test_faint_edges_of_white_cards_are_counted_unless_one_is_fainter_yet() -> None:
    lefts_mm = (0.0, 9.0, 18.5, 27.0, 36.0)
    seen = count_spread(white_cards(lefts_mm, (150,) * 5))
    assert (seen.count, seen.most) == (5, None)
    assert seen.certainty <= 0.5
    # As a hidden card's edge at the end, where no distance between edges tells of it.
    assert count_spread(white_cards(lefts_mm, (150, 150, 150, 150, 205))).count in (None, 5)


@pytest.mark.parametrize("design", [7, 11], ids=["dark", "pale"])
def test_a_back_without_a_border_upon_faces_is_not_left_out(design: int) -> None:
    laid = tuple(SceneCard(label, number < 3, "blue") for number, label in enumerate(LABELS[1:5]))
    view = replace(VIEW, pitch_mm=5.0, back=Back(design, 0.0))
    assert count_spread(spread_picture(laid, view, rng(3))).count in (None, 4)


def test_a_face_before_dark_backs_without_a_border_is_not_one_card() -> None:
    count, picture, read = borderless_case(56, np.random.default_rng([4_000_056, 10]))
    assert count == 4
    assert read(picture).count in (None, 4)


@pytest.mark.parametrize("hidden", [None, 4])
def test_where_no_shadow_tells_thickness_the_count_is_of_what_shows_and_says_so(hidden: int | None) -> None:
    seen = count_spread(spread_picture(cards(9), replace(VIEW, light=NO_SHADOW, doubled=hidden), rng(12)))
    assert (seen.count, seen.least, seen.most) == (9, 9, None)
    assert 0 < seen.certainty <= 0.5
    assert "exactly on another would not be told" in tell({"image": "nine.png", **as_data(seen)})


def test_short_shadows_tell_thickness_where_they_are_clear() -> None:
    view = replace(VIEW, light=Light(0.65, (-0.25, 0.0), 0.5), pitch_mm=9.0, px_per_mm=3.2, blur_px=0.4)
    assert count_spread(spread_picture(cards(12), view, rng(13))).certainty > 0.5
    assert count_spread(spread_picture(cards(12), replace(view, doubled=5), rng(13))).count is None


def test_a_back_without_a_border_is_not_counted_wrong() -> None:
    view = replace(VIEW, back=Back(7, 0.0))
    assert count_spread(spread_picture(cards(8), view, rng(3))).count in (None, 8)


def test_a_card_that_hides_in_a_gap_makes_the_count_uncertain() -> None:
    whole = spread_picture(cards(8), replace(VIEW, turn_deg=0, pitch_mm=12, noise=0), rng(2))
    seen = count_spread(whole)
    assert seen.count == 8
    (top, _), (bottom, _) = seen.marks[4]
    x = round((top + bottom) / 2)
    hidden = whole.copy()
    hidden[:, x - 10 : x + 10] = whole[:, x - 28 : x - 8]
    assert count_spread(hidden).count is None


def test_a_squared_stack_is_left_to_its_side() -> None:
    one = spread_picture(cards(1), replace(VIEW, turn_deg=0, noise=0), rng(1))
    rows = np.flatnonzero((one.min(axis=2) > 120).any(axis=1))
    stretched = np.vstack([one[: rows[-1]], np.repeat(one[rows[-1] - 3 : rows[-1] - 2], 11, axis=0), one[rows[-1] :]])
    assert count_spread(u8(stretched), kind="stack").count is None


def test_what_looks_like_one_card_from_above_may_be_a_stack() -> None:
    one = spread_picture(cards(1), VIEW, rng(1))
    seen = count_spread(one, kind="stack")
    assert (seen.count, seen.least, seen.most) == (None, 1, None)
    assert count_spread(one).count == 1


@pytest.mark.parametrize("picture", [np.zeros((300, 400, 3), np.uint8), np.full((300, 400, 3), 250, np.uint8)])
def test_where_there_are_no_cards_none_are_counted(picture: Picture) -> None:
    for read in (count_spread, count_fan, count_side):
        seen = read(picture)
        assert seen.count is None
        assert seen.certainty == 0
        assert seen.why


@pytest.mark.parametrize("count", [1, 2, 3, 7, 13, 20, 37, 52, 60])
def test_a_stack_is_counted_by_its_edges(count: int) -> None:
    view = SideView(card_px=7.5, width_px=420, unevenness=0.45, noise=6.0, tilt_deg=1.1)
    seen = count_side(side_picture(count, view, rng(count)))
    assert seen.count == count
    assert 0.3 < seen.certainty <= 1


def test_edges_that_blur_together_are_uncertain_rather_than_wrong() -> None:
    for seed in range(6):
        view = SideView(card_px=6.0, width_px=420, blur=0.5, noise=8.0)
        assert count_side(side_picture(17, view, rng(seed))).count in (None, 17)
    assert count_side(side_picture(0, SideView(), rng(1))).count is None
    assert count_side(side_picture(66, SideView(card_px=7.0, width_px=420), rng(1))).count is None


def test_a_few_cards_whose_lines_show_in_parts_only_are_not_one() -> None:
    count, picture, read = side_case(63, np.random.default_rng([900_543, 5]))
    assert count == 4
    assert read(picture).count in (None, 4)


@pytest.mark.parametrize("count", [1, 4, 17])
def test_what_is_behind_a_stack_may_be_lighter_than_what_it_lies_on(count: int) -> None:
    picture = side_picture(count, SideView(width_px=420, tilt_deg=0.0), rng(count))
    behind = picture[: len(picture) // 2]
    behind[behind < 80] += 50
    assert count_side(picture).count == count


def test_lines_are_told_from_noise_where_blur_reaches_far_beyond_the_stack() -> None:
    view = SideView(card_px=14.0, width_px=520, blur=0.14, noise=4.0, near=True, unevenness=0.3)
    assert [count_side(side_picture(4, view, rng(seed))).count for seed in range(4)] == [4] * 4


def test_a_stack_with_two_cards_stuck_together_is_uncertain() -> None:
    view = SideView(card_px=10, width_px=420, noise=2.0, tilt_deg=0.0)
    picture = side_picture(9, view, rng(3))
    top = picture.shape[0] - 30 - 50
    picture[top - 4 : top + 4] = picture[top - 9 : top - 8]
    assert count_side(picture).count is None


def test_counts_come_as_json_with_their_certainty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = {
        "spread": spread_picture(cards(5), VIEW, rng(5)),
        "fan": fan_picture(cards(5), VIEW, rng(5)),
        "stack": spread_picture(cards(7), replace(VIEW, pitch_mm=5), rng(6)),
        "side": side_picture(4, SideView(width_px=420), rng(7)),
    }
    for kind, picture in pictures.items():
        path = tmp_path / f"{kind}.png"
        cv2.imwrite(str(path), picture)
        assert main(["read", "--count", kind, str(path), "--json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)
        assert (row["kind"], row["count"]) == (kind, {"stack": 7, "side": 4}.get(kind, 5))
        assert 0 < row["certainty"] <= 1
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), np.zeros((200, 200, 3), np.uint8))
    assert main(["read", "--count", "spread", str(dark)]) == 3
    assert "uncertain" in capsys.readouterr().out


def test_the_bound_on_a_rate_is_that_of_clopper_and_pearson() -> None:
    assert upper_bound(0, 100) == pytest.approx(1 - 0.05 ** (1 / 100))
    assert upper_bound(1, 10) == pytest.approx(0.3942, abs=1e-4)
    assert upper_bound(10, 10) == upper_bound(0, 0) == 1.0
