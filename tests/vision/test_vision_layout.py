"""Layout files are read strictly, and the camera's homography maps millimetres to pixels and back."""

import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import UsageError
from vision.calibration import load_calibration
from vision.layout import MAX_LAYOUT_BYTES, TableLayout, load_layout, parse_layout, standard_layout
from vision.pictures import project
from vision.scene import DEVICES, PLACES, POSITIONS

STANDARD = files("vision").joinpath("layouts", "standard.toml").read_text(encoding="utf-8")
LAYOUT = standard_layout()


def test_the_standard_table_has_every_place_device_and_spot() -> None:
    assert set(LAYOUT.places) == set(PLACES)
    assert set(LAYOUT.devices) == set(DEVICES)
    assert set(LAYOUT.button_spots_mm) == set(POSITIONS)


def test_places_are_wide_enough_for_the_cards_that_they_must_show() -> None:
    for name, place in LAYOUT.places.items():
        pitch = max(place.spread_pitch_mm, place.stagger_pitch_mm)
        needed = LAYOUT.card_mm[0] + (place.countable - 1) * pitch
        assert place.box.size_mm[0] >= needed, name
    counts = {name: place.countable for name, place in LAYOUT.places.items()}
    assert all(counts[position] == 9 for position in POSITIONS)
    assert (counts["shoe_mouth"], counts["layout_centre"], counts["burn"], counts["discard_rack"]) == (9, 12, 8, 15)


def test_calibration_corners_map_to_their_pixels() -> None:
    assert project(LAYOUT.mm_to_px, LAYOUT.corners_mm) == pytest.approx(np.array(LAYOUT.corners_px), abs=1e-6)


@given(st.floats(0, 1480), st.floats(0, 832))
def test_millimetres_survive_the_way_to_pixels_and_back(x: float, y: float) -> None:
    there = project(LAYOUT.mm_to_px, [(x, y)])
    assert project(LAYOUT.px_to_mm, there)[0] == pytest.approx((x, y), abs=1e-6)


def test_another_resolution_sees_the_same_table() -> None:
    half = LAYOUT.scaled((640, 360))
    point = [(1000.0, 300.0)]
    assert project(half.mm_to_px, point) * 2 == pytest.approx(project(LAYOUT.mm_to_px, point), abs=1e-6)


def test_seat_one_is_at_the_dealers_left_hand() -> None:
    """The dealer looks down from the top of the picture, so the left hand is on the right."""
    seats = [LAYOUT.places[f"seat/{number}"].box.centre_mm[0] for number in range(1, 7)]
    assert seats == sorted(seats, reverse=True)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('name = "standard"', "", "name: missing"),
        ('name = "standard"', "name = 3", "name: expected text"),
        ("size_px = [1280, 720]", "size_px = [1280.5, 720]", "camera.size_px: expected two whole numbers"),
        ("size_px = [1280, 720]", "size_px = [10, 10]", "camera.size_px"),
        ("[cards]", "[cards]\nthickness_mm = 0.3", "cards.thickness_mm: unknown key"),
        ("[places.burn]", "[places.buried]", "places: expected"),
        ("centre_mm = [1076, 308]", "centre_mm = [1076, 158]", "overlap"),
        ("centre_mm = [1076, 308]", "centre_mm = [9076, 308]", "places.burn: lies partly outside"),
        ("centre_mm = [1076, 308]", "centre_mm = [nan, 308]", "places.burn.centre_mm: expected two numbers"),
        ("centre_mm = [1076, 308]", "centre_mm = [true, 308]", "places.burn.centre_mm: expected two numbers"),
        ("size_mm = [200, 100]", "size_mm = [200, -100]", "places.burn.size_mm: expected two numbers above 0"),
        ("size_mm = [200, 100]", "size_mm = [50, 100]", "smaller than one card"),
        ("countable = 12", "countable = 55", "layout_centre.countable: expected a whole number 1 to 54"),
        ("marker = 1", "marker = 10", "marker ids"),
        ("[[0, 0], [1480, 0], [1480, 832], [0, 832]]", "[[0, 0], [1480, 832], [1480, 0], [0, 832]]", "corners_mm"),
        ("[[0, 0], [1480, 0], [1480, 832], [0, 832]]", "[[0, 0], [1480, 0], [1480, 832]]", "camera.corners_mm"),
        ("{ id = 10, centre_mm = [42, 42] },", "", "calibration.markers: expected 4 tables"),
        ("[table]", "[table", "not valid TOML"),
        ("[shaker]", "[shaker]\nspeed = 1", "shaker.speed: unknown key"),
    ],
)
def test_a_wrong_file_is_refused_with_key_and_expectation(old: str, new: str, named: str) -> None:
    assert old in STANDARD
    with pytest.raises(UsageError, match=r"mine\.toml: ") as caught:
        parse_layout(STANDARD.replace(old, new, 1), "mine.toml")
    assert named in str(caught.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        load_layout(tmp_path / "absent.toml")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (MAX_LAYOUT_BYTES + 1))
    with pytest.raises(UsageError, match="larger than"):
        load_layout(large)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="UTF-8"):
        load_layout(binary)


@pytest.mark.parametrize("load", [load_layout, load_calibration])
@pytest.mark.parametrize(
    ("text", "named"),
    [("a = " + "[" * 20_000, "brackets within brackets"), ("a = " + "9" * 6000, "not valid TOML")],
    ids=["nested", "digits"],
)
def test_toml_that_python_cannot_hold_is_refused(
    load: Callable[[Path], object], text: str, named: str, tmp_path: Path
) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=named):
        load(path)


@pytest.mark.parametrize("load", [load_layout, load_calibration])
def test_a_pipe_is_not_waited_for(load: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (tmp_path / "pipe.toml", tmp_path, Path("/dev/zero")):
        with pytest.raises(UsageError, match="cannot read the"):
            load(path)


def test_a_number_too_long_to_write_is_refused() -> None:
    with pytest.raises(UsageError, match="too long to show"):
        parse_layout(f"table = 0x{'f' * 6000}", "long.toml")


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(STANDARD.replace('name = "standard"', 'name = "mine"'), encoding="utf-8")
    layout: TableLayout = load_layout(mine)
    assert layout.name == "mine"
    assert layout.places["burn"] == LAYOUT.places["burn"]
