"""Whether the camera can be believed at all: light, sharpness, fresh frames, and the place it looks from."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.markers import calibration_seen, calibration_shift_px, paper_levels
from vision.pictures import Picture
from vision.places import TableLayout

State = Literal["ok", "no_frame", "dropped", "frozen", "dark", "bright", "exposure", "blurred", "moved"]

_DARK_LEVEL = 70.0
"""The lightest parts of a picture are paper or printed markers; below this level it is too dark to read."""
_BRIGHT_SHARE = 0.002
"""At most so much of a picture may be saturated: a few glints, but no paper."""
_LEAST_STEEPNESS = 0.24
"""The steepest edges rise by at least this share of the picture's contrast from one pixel to the next."""
_MOST_SHIFT = 0.004
"""Calibration markers may be off by this share of the picture's width."""
_MOST_LOST = 0.5
"""A stream that loses more of its pictures than this gives those that come late, in bursts."""
_EXPOSED = (75.0, 252.0)
"""Levels of the white paper of calibration markers: below, shades are lost in noise, above, the paper is cut off."""
_EXPOSED_SHARE = (0.6, 1.5)
"""The same beside what it was when the camera was calibrated: the light or the exposure is no longer that one."""

_LEAST_PX = 16
"""Pictures smaller than this show nothing."""


@dataclass(frozen=True, slots=True)
class HealthReading:
    """`state` is `ok` or the first thing that is wrong; `detail` says what was measured."""

    state: State
    detail: str = ""


def check_health(
    frame: Picture | None, previous: Picture | None = None, layout: TableLayout | None = None, lost: float = 0.0
) -> HealthReading:
    """Judge one frame, beside the frame before it, and where a layout is given by its calibration markers.

    `lost` is the share of pictures that the camera lost lately.
    """
    if frame is None or frame.size == 0:
        return HealthReading("no_frame", "the camera delivered no picture")
    if lost > _MOST_LOST:
        return HealthReading("dropped", f"{lost:.0%} of the last pictures were lost, expected {_MOST_LOST:.0%} at most")
    # A picture of another size was not taken as the table was calibrated, and places would be sought outside it.
    expected = (
        layout.size_px
        if layout is not None
        else (previous.shape[1], previous.shape[0])
        if previous is not None
        else None
    )
    size = (frame.shape[1], frame.shape[0])
    if min(size) < _LEAST_PX or (expected is not None and size != tuple(expected)):
        wanted = f"{expected[0]} x {expected[1]}" if expected is not None else f"{_LEAST_PX} or more each way"
        return HealthReading("moved", f"the picture has {size[0]} x {size[1]} pixels, expected {wanted}")
    if previous is not None and _same(frame, previous):
        return HealthReading("frozen", "two pictures are the same to the last bit")
    # Green is most of what an eye calls light. Four columns averaged into one take the noise out of it, and leave a
    # quarter of the work for a check that is made on every frame.
    grey = cv2.resize(cv2.extractChannel(frame, 1), None, fx=0.25, fy=1, interpolation=cv2.INTER_AREA)
    low, high = _level(grey, 0.01), _level(grey, 0.998)
    if high < _DARK_LEVEL:
        return HealthReading("dark", f"the lightest parts reach level {high:.0f}, expected {_DARK_LEVEL:.0f} or more")
    saturated = cv2.countNonZero(cv2.threshold(grey, 253, 255, cv2.THRESH_BINARY)[1]) / grey.size
    if saturated > _BRIGHT_SHARE:
        return HealthReading(
            "bright", f"{saturated:.1%} of the picture is saturated, expected {_BRIGHT_SHARE:.1%} at most"
        )
    steepness = _steepness(grey, high - low)
    if steepness < _LEAST_STEEPNESS:
        return HealthReading(
            "blurred", f"edges rise by {steepness:.2f} of the contrast a pixel, expected {_LEAST_STEEPNESS}"
        )
    if layout is not None:
        return _check_place(frame, layout)
    return HealthReading("ok")


def _same(frame: Picture, previous: Picture) -> bool:
    """Whether two frames are equal to the last bit. Sensor noise makes some row differ; few rows tell most of it."""
    if frame.shape != previous.shape or not np.array_equal(frame[::16], previous[::16]):
        return False
    return np.array_equal(frame, previous)


def _steepness(grey: np.typing.NDArray[np.generic], contrast: float) -> float:
    """How steep the steepest of all edges are from row to row, as a share of the contrast."""
    rows = np.asarray(grey, np.uint8)
    down = cv2.absdiff(rows[1:], rows[:-1])
    return _level(down, 0.9995) / max(contrast, 1.0)


def _level(grey: np.typing.NDArray[np.generic], share: float) -> float:
    """The grey level below which this share of the pixels lies; from the histogram, as sorting costs ten times more."""
    counts = cv2.calcHist([np.asarray(grey, np.uint8)], [0], None, [256], [0, 256]).ravel()
    return float(np.searchsorted(np.cumsum(counts), share * grey.size))


def _check_place(frame: Picture, layout: TableLayout) -> HealthReading:
    seen = calibration_seen(frame, layout)
    if not seen:
        return HealthReading("moved", "none of the table's calibration markers is seen")
    shift = calibration_shift_px(seen, layout)
    if shift > _MOST_SHIFT * layout.size_px[0]:
        return HealthReading("moved", f"the calibration markers are off by {shift:.1f} pixels")
    least, most = exposed_levels(layout)
    levels = paper_levels(frame, seen)
    if min(levels) < least or max(levels) > most:
        return HealthReading(
            "exposure",
            f"white paper has level {min(levels):.0f} to {max(levels):.0f}, expected {least:.0f} to {most:.0f}",
        )
    return HealthReading("ok", "" if len(seen) == len(layout.calibration) else f"{len(seen)} calibration markers seen")


def exposed_levels(layout: TableLayout) -> tuple[float, float]:
    """The least and the highest level that white paper may have on this table."""
    low, high = _EXPOSED
    if layout.paper_level:
        share_low, share_high = _EXPOSED_SHARE
        low, high = max(low, layout.paper_level * share_low), min(high, layout.paper_level * share_high)
    return low, high


def sharpness(frame: Picture) -> float:
    """How steep the steepest edges of a picture are, 1 for as steep as it needs to be; for a focus meter."""
    if min(frame.shape[:2]) < _LEAST_PX:
        return 0.0
    grey = cv2.resize(cv2.extractChannel(frame, 1), None, fx=0.25, fy=1, interpolation=cv2.INTER_AREA)
    contrast = _level(grey, 0.998) - _level(grey, 0.01)
    return _steepness(grey, contrast) / _LEAST_STEEPNESS
