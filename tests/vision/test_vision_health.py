"""A camera that cannot be believed is noticed before anything is read."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.health import check_health
from vision.layout import TableLayout
from vision.markers import calibration_seen, calibration_shift_px, paper_levels, recalibrate
from vision.pictures import Picture, project, u8
from vision.scene import PLACES, Pile, Scene, SceneCard
from vision.synthetic.renderer import Renderer

LAID = Scene({place: Pile(tuple(SceneCard(x, True) for x in ("Ah", "9c", "Jk")), "spread") for place in PLACES})


@pytest.fixture(scope="module", params=["bare", "laid"])
def frame(request: pytest.FixtureRequest, vision_renderer: Renderer) -> Picture:
    return vision_renderer.frame(LAID if request.param == "laid" else Scene({}), 0)


def _moved(frame: Picture, dx: float, dy: float) -> Picture:
    move = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
    return u8(cv2.warpAffine(frame, move, frame.shape[1::-1], borderMode=cv2.BORDER_REPLICATE))


def test_a_good_picture_is_ok(frame: Picture, vision_layout: TableLayout) -> None:
    assert check_health(frame, None, vision_layout).state == "ok"


def test_each_fault_of_a_camera_has_its_name(frame: Picture, vision_layout: TableLayout) -> None:
    assert check_health(None).state == "no_frame"
    assert check_health(np.zeros((0, 0, 3), np.uint8)).state == "no_frame"
    assert check_health(frame, frame.copy()).state == "frozen"
    assert check_health(u8(cv2.convertScaleAbs(frame, alpha=0.2))).state == "dark"
    assert check_health(np.zeros_like(frame)).state == "dark"
    assert check_health(u8(cv2.convertScaleAbs(frame, alpha=2.2))).state == "bright"
    assert check_health(np.full_like(frame, 255)).state == "bright"
    assert check_health(u8(cv2.GaussianBlur(frame, (0, 0), 3.0))).state == "blurred"
    assert check_health(_moved(frame, 7, 0), None, vision_layout).state == "moved"


def test_a_camera_that_sees_none_of_the_markers_may_look_anywhere(frame: Picture, vision_layout: TableLayout) -> None:
    hidden = frame.copy()
    felt = [float(level) for level in np.median(frame.reshape(-1, 3), axis=0)]
    for marker in vision_layout.calibration:
        corners = project(vision_layout.mm_to_px, marker.box.corners_mm(20.0))
        cv2.fillConvexPoly(hidden, corners.round().astype(np.int32), felt)
    assert check_health(hidden).state == "ok"
    assert check_health(hidden, None, vision_layout).state == "moved"


def test_two_frames_of_a_living_camera_are_not_frozen(vision_renderer: Renderer) -> None:
    first, second = (vision_renderer.frame(LAID, index) for index in (1, 2))
    assert check_health(second, first).state == "ok"


def test_how_far_the_camera_moved_is_measured(frame: Picture, vision_layout: TableLayout) -> None:
    seen = calibration_seen(frame, vision_layout)
    assert len(seen) == 4
    assert calibration_shift_px(seen, vision_layout) < 0.8
    after = calibration_seen(_moved(frame, 3.0, 4.0), vision_layout)
    assert calibration_shift_px(after, vision_layout) == pytest.approx(5.0, abs=0.8)


def test_an_exposure_that_is_not_that_of_the_calibration_is_noticed(frame: Picture, vision_layout: TableLayout) -> None:
    seen = calibration_seen(frame, vision_layout)
    calibrated = replace(vision_layout, paper_level=float(np.mean(paper_levels(frame, seen))))
    darker = u8(cv2.convertScaleAbs(frame, alpha=0.5))
    assert check_health(frame, None, calibrated).state == "ok"
    assert check_health(darker, None, vision_layout).state == "ok"
    assert check_health(darker, None, calibrated).state == "exposure"
    assert check_health(u8(cv2.convertScaleAbs(frame, alpha=0.4)), None, vision_layout).state == "exposure"


def test_a_camera_that_loses_most_of_its_pictures_is_not_believed(frame: Picture) -> None:
    assert check_health(frame, lost=0.4).state == "ok"
    assert check_health(frame, lost=0.6).state == "dropped"


def test_a_moved_camera_is_calibrated_anew_from_its_markers(frame: Picture, vision_layout: TableLayout) -> None:
    found = recalibrate(_moved(frame, 5.0, -4.0), vision_layout)
    assert found is not None
    for place in vision_layout.places.values():
        before = project(vision_layout.mm_to_px, [place.box.centre_mm])[0]
        after = project(found.mm_to_px, [place.box.centre_mm])[0]
        assert after - before == pytest.approx((5.0, -4.0), abs=0.6)
    assert recalibrate(np.zeros_like(frame), vision_layout) is None


@pytest.mark.parametrize("size", [(8, 8), (1, 1), (640, 480)])
def test_a_picture_of_another_size_than_calibrated_is_never_read(
    frame: Picture, vision_layout: TableLayout, size: tuple[int, int]
) -> None:
    other = u8(cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
    assert check_health(other, None, vision_layout).state == "moved"
    assert check_health(other, frame).state == "moved", "also when it changes in the middle of a scenario"
