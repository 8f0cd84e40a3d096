"""A frame depends on seed, scene and index alone."""

import numpy as np
import pytest

from vision.layout import TableLayout
from vision.pictures import project
from vision.scene import LABELS, PLACES, POSITIONS, Pile, Scene, SceneCard, SceneDie
from vision.synthetic.cards import back_image, face_image
from vision.synthetic.renderer import Renderer

SIZE = (640, 360)
HAND = tuple(SceneCard(label, label[0] in "AK") for label in ("Ah", "2c", "Kd"))
SCENES = [
    Scene({}),
    Scene({"seat/1": Pile(HAND, "spread"), "seat/2": Pile(HAND, "squared")}, devices=frozenset({"shoe"})),
    Scene({"seat/1": Pile(HAND, "staggered")}, (SceneDie(2, "flat"), SceneDie(5, "leaning")), False, button="dealer"),
    Scene({place: Pile(HAND, "spread") for place in PLACES}, shaker_covered=False),
    Scene({}, button="seat/1"),
    Scene({position: Pile(HAND, "squared") for position in POSITIONS}, button="seat/1"),
    Scene({position: Pile(HAND, "spread") for position in POSITIONS}, button="seat/1"),
]


@pytest.fixture(scope="module")
def one(vision_layout: TableLayout) -> Renderer:
    return Renderer(vision_layout, 5, SIZE)


def test_a_frame_does_not_depend_on_what_was_drawn_before(vision_layout: TableLayout, one: Renderer) -> None:
    other = Renderer(vision_layout, 5, SIZE)
    forward = [one.frame(scene, index) for index, scene in enumerate(SCENES)]
    backward = [other.frame(SCENES[index], index) for index in reversed(range(len(SCENES)))][::-1]
    for first, second in zip(forward, backward, strict=True):
        assert np.array_equal(first, second)


def test_frames_of_one_scene_differ_by_noise_only(one: Renderer) -> None:
    first, second = (one.frame(SCENES[1], index).astype(int) for index in (7, 8))
    assert (first != second).mean() > 0.5
    assert abs(first - second).mean() < 6
    assert abs((first - second).mean()) < 0.05


def test_a_camera_that_runs_on_takes_no_picture_twice(one: Renderer) -> None:
    """Two looks at an unchanged table come any number of frames apart, and equal pictures mean a frozen camera."""
    assert len({one.frame(Scene({}), index).tobytes() for index in range(400)}) == 400


def test_another_seed_is_another_table(vision_layout: TableLayout, one: Renderer) -> None:
    other = Renderer(vision_layout, 6, SIZE)
    assert not np.array_equal(one.frame(SCENES[1], 0), other.frame(SCENES[1], 0))


def test_a_changed_place_changes_no_pixel_elsewhere(one: Renderer, vision_layout: TableLayout) -> None:
    before = one.frame(Scene({"seat/4": Pile(HAND, "spread")}), 3)
    after = one.frame(Scene({"seat/4": Pile(HAND, "spread"), "burn": Pile(HAND, "spread")}), 3)
    changed = np.argwhere((before != after).any(axis=2))
    burn = vision_layout.scaled(SIZE).places["burn"].box
    corners = burn.corners_mm(8.0)
    inside = project(vision_layout.scaled(SIZE).mm_to_px, corners)
    assert len(changed) > 1000
    across, down = changed[:, 1], changed[:, 0]
    assert inside[:, 0].min() - 1 <= across.min() <= across.max() <= inside[:, 0].max() + 1
    assert inside[:, 1].min() - 1 <= down.min() <= down.max() <= inside[:, 1].max() + 1


def test_every_face_of_the_deck_is_different_and_has_its_index_in_both_corners() -> None:
    faces = {label: face_image(label, 2.0).astype(int) for label in LABELS}
    assert all(face.shape == (176, 126, 3) for face in faces.values())
    for label, face in faces.items():
        corner = face[4:60, 2:26]
        assert corner.min() < 80, label
        assert abs(corner - face[::-1, ::-1][4:60, 2:26]).mean() < 2, label
        others = [other for name, other in faces.items() if name != label]
        assert min(abs(corner - other[4:60, 2:26]).mean() for other in others) > 2, label


def test_the_backs_are_red_and_blue() -> None:
    red, blue = (back_image(name, 2.0)[20:150, 15:110].reshape(-1, 3).mean(axis=0) for name in ("red", "blue"))
    assert red[2] > 1.5 * red[0]
    assert blue[0] > 1.5 * blue[2]
