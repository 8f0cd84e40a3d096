"""Printed markers: whether a device stands at its spot, and whether the camera still sees the table where it did."""

from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np

from vision.pictures import Picture, Points, project
from vision.places import DeviceSpot, TableLayout
from vision.windows import window_for

DICTIONARY = cv2.aruco.DICT_4X4_50
_BARE_SPREAD = 26.0
"""Bare felt with its thin printing varies less than this within a device's spot."""
_SEARCH_MM = 24.0
"""A calibration marker is looked for so far around its spot before the whole picture is searched."""
_BARE_BOUND = 12.0
"""Darkest felt that still says anything."""


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)


def find_markers(picture: Picture) -> dict[int, Points]:
    """Corners `(4, 2)` in pixels by marker id. An id that is seen twice is left out."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = _detector().detectMarkers(grey)
    found: dict[int, Points] = {}
    if ids is None:
        return found
    numbers = [int(number) for number in np.asarray(ids).ravel()]
    for number, points in zip(numbers, corners, strict=True):
        if numbers.count(number) == 1:
            found[number] = np.asarray(points, np.float64).reshape(4, 2)
    return found


def device_present(upright_spot: Picture, device: DeviceSpot) -> bool | None:
    """Whether the device stands at its spot: True with its marker, False on bare felt, None for anything else."""
    found = find_markers(upright_spot)
    if device.marker in found:
        return True
    if found:
        return None
    brightest = upright_spot.max(axis=2)
    felt = float(np.median(brightest))
    if felt < _BARE_BOUND:
        return None
    share_unlike = float((np.abs(brightest.astype(np.float32) - felt) > max(_BARE_SPREAD, 0.35 * felt)).mean())
    return False if share_unlike < 0.08 else None


def calibration_seen(picture: Picture, layout: TableLayout) -> dict[int, Points]:
    """Corners `(4, 2)` in pixels of the layout's calibration markers that show, by marker id."""
    seen: dict[int, Points] = {}
    everywhere: dict[int, Points] | None = None
    for marker in layout.calibration:
        window = window_for(layout, marker.box, _SEARCH_MM)
        near = find_markers(window.cut(picture))
        if marker.id in near:
            seen[marker.id] = near[marker.id] + np.array([window.left, window.top])
        else:
            everywhere = find_markers(picture) if everywhere is None else everywhere
            if marker.id in everywhere:
                seen[marker.id] = everywhere[marker.id]
    return seen


def calibration_shift_px(seen: Mapping[int, Points], layout: TableLayout) -> float:
    """How far calibration markers lie from where they should, the worst in pixels."""
    shifts = [0.0]
    for marker in layout.calibration:
        if marker.id in seen:
            expected = project(layout.mm_to_px, [marker.box.centre_mm])[0]
            shifts.append(float(np.hypot(*(_middle(seen[marker.id]) - expected))))
    return max(shifts)


def paper_levels(picture: Picture, seen: Mapping[int, Points]) -> list[float]:
    """How light the white paper of each marker is, 0 to 255."""
    levels = []
    for corners in seen.values():
        left, top = (max(0, int(v)) for v in np.floor(corners.min(axis=0)))
        right, bottom = (int(v) + 1 for v in np.ceil(corners.max(axis=0)))
        # The black border takes up a good part of a marker; its lightest tenth is paper.
        levels.append(float(np.percentile(picture[top:bottom, left:right, 1], 90)))
    return levels


def recalibrate(picture: Picture, layout: TableLayout) -> TableLayout | None:
    """The layout with its calibration corners found anew in a picture; None unless three markers show."""
    found = find_markers(picture)
    seen = [marker for marker in layout.calibration if marker.id in found]
    if len(seen) < 3:
        return None
    on_table = np.vstack([marker.box.corners_mm() for marker in seen])
    in_picture = np.vstack([found[marker.id] for marker in seen])
    homography, _ = cv2.findHomography(on_table, in_picture)
    if homography is None:
        return None
    corners = project(np.asarray(homography, np.float64), layout.corners_mm)
    height, width = picture.shape[:2]
    scaled = layout.scaled((width, height))
    return scaled.recalibrated(tuple((float(x), float(y)) for x, y in corners))


def _middle(corners: Points) -> Points:
    """Where the diagonals of a marker cross: the image of its centre."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    denominator = (ax - cx) * (by - dy) - (ay - cy) * (bx - dx)
    first, second = ax * cy - ay * cx, bx * dy - by * dx
    x = (first * (bx - dx) - (ax - cx) * second) / denominator
    y = (first * (by - dy) - (ay - cy) * second) / denominator
    return np.array([x, y])
