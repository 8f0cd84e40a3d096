"""Printed markers: whether a device stands at its spot, and whether the camera still sees the table where it did."""

from functools import lru_cache

import cv2
import numpy as np

from vision.pictures import Picture, Points
from vision.places import DeviceSpot, TableLayout

DICTIONARY = cv2.aruco.DICT_4X4_50
_BARE_SPREAD = 26.0
"""Bare felt with its thin printing varies less than this within a device's spot."""
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


def calibration_corners(picture: Picture, layout: TableLayout) -> dict[int, Points]:
    """The layout's calibration markers that the picture shows."""
    wanted = {marker.id for marker in layout.calibration}
    return {number: corners for number, corners in find_markers(picture).items() if number in wanted}
