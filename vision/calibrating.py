"""Calibrating a camera from pictures of the printed board, some of which also show the table's own markers.

The board, shown to the camera all over its picture and tilted both ways, tells the lens' distortion. The table's
calibration markers, whose places the layout gives in millimetres, then tell where the table lies.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from evidence.errors import UsageError
from vision.board import Board
from vision.calibration import Calibration
from vision.lens import Lens, lens_of
from vision.markers import find_markers, paper_levels
from vision.pictures import Picture, Points, project
from vision.places import TableLayout

LEAST_VIEWS = 8
MOST_VIEWS = 200
_LEAST_CORNERS = 8
_MOST_REPROJECTION_PX = 1.0
_MOST_FOCAL_DOUBT = 0.02
"""The focal length must be known within this share, or the board was not tilted enough to tell it."""
_LEAST_TILT_DEG = 15.0
"""Some pictures must show the board tilted by this against the others: without, distance and focal length are one."""
_MOST_MAPPING_MM = 2.0
_STRETCH_STEP = 0.02
_FROM_HERE = cv2.CALIB_FIX_K3 | cv2.CALIB_USE_INTRINSIC_GUESS
_MOST_STRETCH = 0.005
"""A board that is wider for its height by a share of 0.01 than it is taken to be puts places 1 to 2 mm off."""
_LEAST_MOVE = 0.02
"""Share of the picture's width by which the board's corners must have moved, or a picture tells nothing new."""
CELLS = (4, 3)
_LEAST_IN_CELL = 6
_COLUMNS = ("left", "left of the middle", "right of the middle", "right")
_ROWS = ("top", "middle", "bottom")


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One picture of the board: corners in pixels and their numbers on the board."""

    name: str
    corners_px: Points
    numbers: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Report:
    """What a calibration came to, beside itself: pictures without the board, and parts of the picture without it."""

    calibration: Calibration
    unseen: tuple[str, ...]
    bare_cells: tuple[str, ...]
    stretch: float
    """By what share the board seems wider for its height than it was taken to be."""

    @property
    def _wider(self) -> str:
        return "wider" if self.stretch > 0 else "narrower"

    def words(self) -> list[str]:
        one = self.calibration
        lines = [
            f"lens: {one.pictures} pictures of the board, reprojection error {one.reprojection_px:.3f} pixels",
            f"board: {abs(self.stretch):.1%} {self._wider} for its height than it should be, by the pictures",
            f"table: its markers lie within {one.mapping_mm:.2f} mm of where the layout says (root mean square)",
        ]
        if self.unseen:
            lines.append(f"the board was not found in {len(self.unseen)} pictures: {', '.join(self.unseen[:6])}")
        lines += [f"the board was not seen enough at the {cell} of the picture" for cell in self.bare_cells]
        return lines


def find_view(name: str, picture: Picture, board: Board) -> View | None:
    """The board in one picture; None unless enough of it shows."""
    corners, numbers = board.find(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    return View(name, corners, numbers) if len(numbers) >= _LEAST_CORNERS else None


def calibrate(pictures: Iterable[tuple[str, Picture]], layout: TableLayout, board: Board) -> Report:
    """Calibrate from pictures of one size, given one after the other with their names.

    Raises `UsageError` if they do not suffice, saying what is missing.
    """
    views, unseen, tables = [], [], []
    size: tuple[int, int] | None = None
    for name, picture in pictures:
        here = (picture.shape[1], picture.shape[0])
        if size is not None and here != size:
            raise UsageError(f"{name}: {here[0]} x {here[1]} pixels, the first picture has {size[0]} x {size[1]}")
        size = here
        view = find_view(name, picture, board)
        if view is None:
            unseen.append(name)
        else:
            views.append(view)
        markers = {number: found for number, found in find_markers(picture).items() if number in _wanted(layout)}
        if len(markers) >= 3:
            tables.append((markers, float(np.mean(paper_levels(picture, markers)))))
    if size is None or len(views) < LEAST_VIEWS:
        raise UsageError(
            f"calibration: the board shows in {len(views)} pictures of {len(views) + len(unseen)}, expected "
            f"{LEAST_VIEWS} or more; show it near, far, tilted, and in every corner"
        )
    del views[MOST_VIEWS:]
    ways = _different_ways(views, _LEAST_MOVE * size[0])
    if ways < LEAST_VIEWS:
        raise UsageError(
            f"calibration: {len(views)} pictures show the board in only {ways} different ways, expected {LEAST_VIEWS} "
            f"or more; hold it elsewhere and otherwise in each: near, far, tilted, and in every corner"
        )
    on_table, in_picture = _table_points([markers for markers, _ in tables], layout)
    lens, error_px, stretch = _fit_lens(views, size, board, on_table, in_picture)
    corners_px, mapping_mm = _fit_table(on_table, lens.correct_points(in_picture), layout)
    level = float(np.median([level for _, level in tables]))
    found = Calibration(layout.name, lens, corners_px, level, len(views), error_px, mapping_mm)
    found.applied(layout)
    return Report(found, tuple(unseen), bare_cells(views, size), stretch)


def _different_ways(views: list[View], least_px: float) -> int:
    """How many pictures show the board otherwise than each one counted before."""
    kept: list[dict[int, Points]] = []
    for view in views:
        here = dict(zip(view.numbers.ravel().tolist(), view.corners_px, strict=True))
        for before in kept:
            both = here.keys() & before.keys()
            if both and np.mean([np.linalg.norm(here[number] - before[number]) for number in both]) < least_px:
                break
        else:
            kept.append(here)
            if len(kept) == LEAST_VIEWS:
                break
    return len(kept)


def bare_cells(views: Iterable[View], size_px: tuple[int, int]) -> tuple[str, ...]:
    """The parts of the picture, of four times three, in which the board hardly showed."""
    seen = np.vstack([np.zeros((0, 2)), *(view.corners_px for view in views)])
    edges = [np.linspace(0, extent, cells + 1) for extent, cells in zip(size_px, CELLS, strict=True)]
    counts, _, _ = np.histogram2d(seen[:, 0], seen[:, 1], bins=edges)
    return tuple(
        f"{_ROWS[row]}, {_COLUMNS[column]}"
        for row in range(CELLS[1])
        for column in range(CELLS[0])
        if counts[column, row] < _LEAST_IN_CELL
    )


def _fit_lens(
    views: list[View], size: tuple[int, int], board: Board, on_table: Points, table_px: Points
) -> tuple[Lens, float, float]:
    """The lens, the reprojection error, and how much wider the board seems than it is taken to be. The table's markers,
    far out in the picture, count as one more board.
    """
    in_picture = [points.astype(np.float32) for points in [*(view.corners_px for view in views), table_px]]

    def on_board(wider: float) -> list[npt.NDArray[np.float32]]:
        flat = [board.corners_mm[view.numbers] * (1 + wider, 1) for view in views] + [on_table]
        return [np.hstack([points, np.zeros((len(points), 1))]).astype(np.float32) for points in flat]

    try:
        error_px, matrix, distortion, turns, _, doubt, _, each = cv2.calibrateCameraExtended(
            on_board(0), in_picture, size, np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
        )
        errors_px = [
            cv2.calibrateCamera(on_board(wider), in_picture, size, matrix.copy(), distortion.copy(), flags=_FROM_HERE)[
                0
            ]
            for wider in (-_STRETCH_STEP, _STRETCH_STEP)
        ]
    except cv2.error as error:
        raise UsageError("calibration: the pictures do not suffice: show the board tilted, near and far") from error
    stretch = _lowest(errors_px[0] ** 2, error_px**2, errors_px[1] ** 2) * _STRETCH_STEP
    camera, doubt = np.asarray(matrix, np.float64), np.asarray(doubt, np.float64).ravel()
    focal_doubt = float(max(doubt[0] / camera[0, 0], doubt[1] / camera[1, 1]))
    if error_px > _MOST_REPROJECTION_PX or not np.isfinite(error_px):
        worst = [*(view.name for view in views), "that of the table"][int(np.asarray(each).ravel().argmax())]
        raise UsageError(
            f"calibration: reprojection error {error_px:.2f} pixels, expected {_MOST_REPROJECTION_PX} at most. The "
            f"worst picture is {worst}: is it sharp, is the board flat, and printed at 100 %?"
        )
    tilt_deg = _most_tilt_deg([np.asarray(turn, np.float64) for turn in turns])
    if not focal_doubt < _MOST_FOCAL_DOUBT or tilt_deg < _LEAST_TILT_DEG:
        raise UsageError(
            f"calibration: the board was tilted by {tilt_deg:.0f} degrees at most, and the focal length is known "
            f"within {focal_doubt:.1%}; expected {_LEAST_TILT_DEG:.0f} degrees or more and {_MOST_FOCAL_DOUBT:.0%} "
            f"or less. Tilt the board more, to the left, right, front and back"
        )
    if not abs(stretch) <= _MOST_STRETCH:
        width, height = board.measured_mm or board.size_mm
        raise UsageError(
            f"calibration: the board seems {abs(stretch):.1%} {'wider' if stretch > 0 else 'narrower'} for its height "
            f"than {width:g} x {height:g} mm: was it fitted to the page? Print it at 100 %, or measure the chessboard "
            f"from edge to edge and say --measured WIDTHxHEIGHT in millimetres"
        )
    return lens_of(camera, np.asarray(distortion, np.float64).ravel()[:5].tolist(), size), float(error_px), stretch


def _lowest(before: float, here: float, after: float) -> float:
    """Where a parabola through the heights at -1, 0 and 1 is lowest; no farther than 3 away."""
    bend = before - 2 * here + after
    return float(np.clip((before - after) / (2 * bend), -3, 3)) if bend > 0 else float(np.sign(before - after) * 3)


def _most_tilt_deg(turns: list[Points]) -> float:
    """The largest angle between the board's planes in two pictures."""
    facing = np.array([np.asarray(cv2.Rodrigues(turn)[0], np.float64)[:, 2] for turn in turns])
    return float(np.degrees(np.arccos(np.clip((facing @ facing.T).min(), -1, 1))))


def _table_points(tables: list[dict[int, Points]], layout: TableLayout) -> tuple[Points, Points]:
    """Corners of the table's markers in millimetres, and in pixels of the camera's picture."""
    seen: dict[int, list[Points]] = {}
    for markers in tables:
        for number, corners in markers.items():
            seen.setdefault(number, []).append(corners)
    there = {marker.id: marker.box.corners_mm() for marker in layout.calibration}
    if len(seen) < 3:
        raise UsageError(
            f"calibration: no picture shows three of the table's markers ({', '.join(map(str, sorted(there)))}); "
            f"add pictures of the whole table, taken as the camera stands in a run"
        )
    # A hand or the board may hide part of a marker in some pictures; the median of all is not misled by a few.
    numbers = sorted(seen)
    in_picture = np.vstack([np.median(np.array(seen[number]), axis=0) for number in numbers])
    return np.vstack([there[number] for number in numbers]), in_picture


def _fit_table(
    on_table: Points, corrected: Points, layout: TableLayout
) -> tuple[tuple[tuple[float, float], ...], float]:
    """Where the layout's corners lie in the corrected picture, and the markers' misfit in mm."""
    homography, _ = cv2.findHomography(on_table, corrected)
    if homography is None:
        raise UsageError("calibration: the table's markers lie in one line; are they where the layout says?")
    move = np.asarray(homography, np.float64)
    misfit_mm = project(np.asarray(np.linalg.inv(move), np.float64), corrected) - on_table
    mapping_mm = float(np.sqrt((misfit_mm**2).sum(axis=1).mean()))
    if not mapping_mm <= _MOST_MAPPING_MM:
        raise UsageError(
            f"calibration: the table's markers lie {mapping_mm:.1f} mm off where layout {layout.name!r} says, expected "
            f"{_MOST_MAPPING_MM} at most. Did the camera move between the pictures? Measure the markers' places again."
        )
    corners = project(move, layout.corners_mm)
    return tuple((float(x), float(y)) for x, y in corners), mapping_mm


def _wanted(layout: TableLayout) -> set[int]:
    return {marker.id for marker in layout.calibration}
