"""The parts of a table layout: places in millimetres, and the homography between the plane and the camera's pixels."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Points, project

Homography = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the table plane, turned by `angle_deg` clockwise about its centre."""

    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]
    angle_deg: float = 0.0

    def to_table(self, shift_mm: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> Homography:
        """Local millimetres (origin at the centre, y down along the box) to table millimetres.

        `shift_mm` and `turn_deg` place something within the box: it is turned, then moved, in local axes.
        """
        outer, inner = _rigid(self.centre_mm, self.angle_deg), _rigid(shift_mm, turn_deg)
        return outer @ inner

    def corners_mm(self, margin_mm: float = 0.0) -> Points:
        """The four corners on the table, clockwise from the local upper left, grown by a margin."""
        half_w, half_h = self.size_mm[0] / 2 + margin_mm, self.size_mm[1] / 2 + margin_mm
        local = [(-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h)]
        return project(self.to_table(), local)


@dataclass(frozen=True, slots=True)
class Place:
    """Where cards lie. The pitches say how hands lay cards there, `countable` the most that can show apart."""

    name: str
    box: Box
    spread_pitch_mm: float
    stagger_pitch_mm: float
    countable: int


@dataclass(frozen=True, slots=True)
class DeviceSpot:
    name: str
    box: Box
    marker: int
    marker_size_mm: float


@dataclass(frozen=True, slots=True)
class Shaker:
    """A round dice shaker; `zone` is the rectangle around it in which a die that fell outside is looked for."""

    centre_mm: tuple[float, float]
    radius_mm: float
    zone: Box
    die_mm: float


@dataclass(frozen=True, slots=True)
class CalibrationMarker:
    id: int
    box: Box


@dataclass(frozen=True)
class TableLayout:
    """A table and the camera above it. Immutable; `scaled` and `recalibrated` give changed copies."""

    name: str
    title: str
    size_mm: tuple[float, float]
    size_px: tuple[int, int]
    corners_mm: tuple[tuple[float, float], ...]
    corners_px: tuple[tuple[float, float], ...]
    card_mm: tuple[float, float]
    places: Mapping[str, Place]
    devices: Mapping[str, DeviceSpot]
    shaker: Shaker
    button_radius_mm: float
    button_spots_mm: Mapping[str, tuple[float, float]]
    calibration: tuple[CalibrationMarker, ...]
    paper_level: float = 0.0
    """How light the paper of the calibration markers was when the camera was calibrated; 0: it was not."""

    @cached_property
    def mm_to_px(self) -> Homography:
        """Table millimetres to camera pixels, from the four calibration corners."""
        source, target = np.array(self.corners_mm, np.float32), np.array(self.corners_px, np.float32)
        return np.asarray(cv2.getPerspectiveTransform(source, target), np.float64)

    @cached_property
    def px_to_mm(self) -> Homography:
        return np.asarray(np.linalg.inv(self.mm_to_px), np.float64)

    def scaled(self, size_px: tuple[int, int]) -> "TableLayout":
        """The same table seen by the same camera at another resolution."""
        fx, fy = size_px[0] / self.size_px[0], size_px[1] / self.size_px[1]
        corners = tuple((x * fx, y * fy) for x, y in self.corners_px)
        return replace(self, size_px=size_px, corners_px=corners)

    def recalibrated(self, corners_px: tuple[tuple[float, float], ...]) -> "TableLayout":
        """The same table with the calibration corners found elsewhere in the picture."""
        return replace(self, corners_px=corners_px)


def density_at(mm_to_px: Homography, at_mm: tuple[float, float]) -> float:
    """Pixels a millimetre about a point, the mean of both directions: the root of how many a square millimetre has."""
    x, y = at_mm
    middle, right, below = project(mm_to_px, [(x, y), (x + 1, y), (x, y + 1)])
    (a, b), (c, d) = right - middle, below - middle
    return float(np.sqrt(abs(a * d - b * c)))


def _rigid(shift: tuple[float, float], turn_deg: float) -> Homography:
    turn = np.deg2rad(turn_deg)
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    return np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0.0, 0.0, 1.0]])
