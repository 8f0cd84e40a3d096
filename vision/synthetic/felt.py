"""The undisturbed table: felt, rail, printed places and calibration markers, drawn once on the plane."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, project, u8
from vision.places import Box, TableLayout
from vision.scene import POSITIONS
from vision.synthetic.strokes import Colour, ink, lettering

PX_PER_MM = 2.0
MARGIN_MM = 90.0
"""How much of the room around the table plane is drawn."""

MARKERS = cv2.aruco.DICT_4X4_50

_FELT: Colour = (62, 96, 26)
_GOLD: Colour = (92, 176, 212)
_PALE: Colour = (108, 158, 118)
_FLOOR: Colour = (44, 38, 36)
_LEATHER: Colour = (34, 40, 58)
_WOOD: Colour = (40, 74, 128)
_CHIPS: tuple[Colour, ...] = ((60, 60, 190), (150, 96, 40), (40, 40, 44), (84, 130, 60), (140, 70, 130))


def draw_felt(layout: TableLayout, rng: np.random.Generator) -> Picture:
    """The empty table in camera pixels, evenly lit, `size_px` of the layout."""
    plane = _Plane(layout, rng)
    plane.room()
    plane.rail_and_felt()
    plane.printing()
    plane.chip_tray()
    plane.calibration()
    return plane.photograph()


def marker_image(marker: int, px: int) -> Picture:
    """A printed marker with its white surround, `px` square."""
    quiet = px // 8
    core = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(MARKERS), marker, px - 2 * quiet)
    framed = cv2.copyMakeBorder(core, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=(255,))
    return u8(cv2.cvtColor(cv2.convertScaleAbs(framed, alpha=0.86, beta=26), cv2.COLOR_GRAY2BGR))


class _Plane:
    def __init__(self, layout: TableLayout, rng: np.random.Generator) -> None:
        self._layout = layout
        self._rng = rng
        width, height = (round((v + 2 * MARGIN_MM) * PX_PER_MM) for v in layout.size_mm)
        self._canvas: Picture = np.empty((height, width, 3), np.uint8)
        self._to_plane = np.array(
            [[PX_PER_MM, 0, MARGIN_MM * PX_PER_MM], [0, PX_PER_MM, MARGIN_MM * PX_PER_MM], [0, 0, 1]], np.float64
        )

    def room(self) -> None:
        self._canvas[:] = _FLOOR
        step = round(46 * PX_PER_MM)
        for y in range(0, self._canvas.shape[0] + step, step):
            for x in range((y // step % 2) * step // 2, self._canvas.shape[1] + step, step):
                cv2.circle(self._canvas, (x, y), step // 5, (52, 44, 41), 2, cv2.LINE_AA)
                cv2.circle(self._canvas, (x, y), step // 14, (60, 50, 46), -1, cv2.LINE_AA)

    def rail_and_felt(self) -> None:
        for grown, colour in ((44.0, (20, 22, 30)), (41.0, _LEATHER)):
            self._fill(self._outline(grown), colour)
        for k in range(10):  # the padded rail catches light along its middle
            shade = tuple(min(255, round(c * (1 + 0.10 * k))) for c in _LEATHER)
            self._trace(self._outline(27.0), shade, 24 - 2.4 * k)
        self._fill(self._outline(13.0), (24, 40, 66))
        self._fill(self._outline(11.5), _WOOD)
        self._trace(self._outline(7.0), (62, 104, 168), 2.0)
        self._fill(self._outline(2.0), (18, 34, 40))
        mask = np.zeros(self._canvas.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._fixed(self._outline(0.0))], (255,), cv2.LINE_AA, 4)
        cv2.copyTo(self._cloth(), mask, self._canvas)
        self._trace(self._outline(-14.0), _GOLD, 1.4)
        self._trace(self._outline(-18.0), _PALE, 0.6)

    def _cloth(self) -> Picture:
        height, width = self._canvas.shape[:2]
        tile = 640
        fibres = cv2.GaussianBlur(self._rng.standard_normal((tile, tile), np.float32) * 9, (0, 0), 0.9)
        fibres = np.tile(np.asarray(fibres), (height // tile + 1, width // tile + 1))[:height, :width]
        patches = self._rng.standard_normal((height // 90, width // 90), np.float32) * 1.6
        shade = np.asarray(cv2.resize(patches, (width, height))) + fibres
        level = cv2.convertScaleAbs(shade, alpha=2.0, beta=200.0)
        plain = np.empty((height, width, 3), np.uint8)
        plain[:] = _FELT
        return u8(cv2.multiply(plain, cv2.merge([level, level, level]), scale=1 / 200))

    def _outline(self, grown_mm: float) -> Points:
        """The table's edge: straight along the dealer's side, a broad curve along the players'."""
        width, height = self._layout.size_mm
        cx, top, knee = width / 2, 8.0 - grown_mm, height * 0.36
        rx, ry = width / 2 - 22 + grown_mm, height * 0.95 - knee + grown_mm
        t = np.linspace(0, math.pi, 160)
        power = 2 / 2.5
        x = cx + rx * np.sign(np.cos(t)) * np.abs(np.cos(t)) ** power
        y = knee + ry * np.abs(np.sin(t)) ** power
        corner = np.linspace(math.pi, 1.5 * math.pi, 24)
        r = 46.0 + grown_mm
        left = np.column_stack([cx - rx + r + r * np.cos(corner), top + r + r * np.sin(corner)])
        right = np.column_stack([2 * cx - left[::-1, 0], left[::-1, 1]])
        return np.vstack([np.column_stack([x, y]), left, right])

    def printing(self) -> None:
        layout = self._layout
        for place in layout.places.values():
            self._rounded(place.box, 6.0, _GOLD, 1.0)
            if place.name.startswith("seat/"):
                self._bet_circle(place.box, place.name.removeprefix("seat/"))
            elif place.name != "layout_centre":
                self._label(place.box, place.name.replace("_", " ").upper())
        for device in layout.devices.values():
            self._rounded(device.box, 3.0, _PALE, 0.8)
            self._text(device.box.to_table(), device.name.upper(), 11.0, _PALE)
        self._ring(layout.shaker.centre_mm, layout.shaker.radius_mm + 3, _PALE, 0.8)
        for position in POSITIONS:
            self._ring(layout.button_spots_mm[position], layout.button_radius_mm + 1.5, _PALE, 0.8)
        self._title()

    def _bet_circle(self, box: Box, number: str) -> None:
        centre = project(box.to_table(), [(0.0, box.size_mm[1] / 2 + 34)])[0]
        self._ring((float(centre[0]), float(centre[1])), 22.0, _GOLD, 1.2)
        self._ring((float(centre[0]), float(centre[1])), 19.5, _PALE, 0.6)
        self._text(box.to_table((0.0, box.size_mm[1] / 2 + 34)), number, 17.0, _GOLD)

    def _label(self, box: Box, text: str) -> None:
        self._text(box.to_table((0.0, box.size_mm[1] / 2 + 16)), text, 8.5, _GOLD)

    def _title(self) -> None:
        """The layout's title along an arc between the middle of the table and the seats."""
        width, height = self._layout.size_mm
        centre, radius, size = (width / 2, -height * 0.62), height * 1.22, 21.0
        length, strokes = lettering(self._layout.title.upper(), 0.42)

        def to_px(points: Points) -> Points:
            angle = math.pi / 2 - (points[:, 0] - length / 2) * size / radius
            reach = radius + (points[:, 1] - 0.5) * size
            on_table = np.column_stack([centre[0] + reach * np.cos(angle), centre[1] + reach * np.sin(angle)])
            return project(self._to_plane, on_table)

        ink(self._canvas, strokes, to_px, 2.3 * PX_PER_MM, _GOLD)
        for grown, weight in ((-24.0, 1.0), (-27.0, 0.5), (24.0, 1.0), (27.0, 0.5)):
            t = np.linspace(-0.36, 0.36, 90)
            reach = radius + grown
            arc = np.column_stack([centre[0] + reach * np.sin(t), centre[1] + reach * np.cos(t)])
            self._trace(arc, _GOLD, weight, closed=False)

    def chip_tray(self) -> None:
        centre = self._layout.places["dealer"].box.centre_mm
        tray = Box((centre[0], 42.0), (250.0, 50.0))
        self._rounded(tray, 3.0, (20, 22, 26), None)
        self._rounded(tray, 0.0, (52, 52, 56), None)
        for column in range(10):
            colour = _CHIPS[column % len(_CHIPS)]
            x = centre[0] - 112.5 + 25 * column
            for row in range(15):
                y = 21.5 + row * 2.9
                chip = Box((x, y), (21.0, 2.7))
                shade = 0.72 + 0.5 * math.sin(math.pi * (row % 5 + 1) / 6)
                self._fill(chip.corners_mm(), tuple(min(255, round(c * shade)) for c in colour))
                if row % 5 == 0:
                    self._fill(Box((x, y), (6.0, 2.7)).corners_mm(), (190, 196, 200))

    def calibration(self) -> None:
        for marker in self._layout.calibration:
            self._fill(marker.box.corners_mm(5.5), (30, 30, 30))
            art = marker_image(marker.id, 160)
            corners = np.array([(0, 0), (160, 0), (160, 160), (0, 160)], np.float32)
            target = project(self._to_plane, marker.box.corners_mm(marker.box.size_mm[0] / 6)).astype(np.float32)
            move = cv2.getPerspectiveTransform(corners, target)
            size = (self._canvas.shape[1], self._canvas.shape[0])
            cv2.warpPerspective(art, move, size, self._canvas, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)

    def photograph(self) -> Picture:
        """The plane through the camera's homography, at twice the size and then averaged down."""
        width, height = self._layout.size_px
        twice = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]], np.float64)
        move = twice @ self._layout.mm_to_px @ np.linalg.inv(self._to_plane)
        large = cv2.warpPerspective(self._canvas, move, (width * 2, height * 2), flags=cv2.INTER_LINEAR)
        return u8(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA))

    def _fixed(self, points_mm: Points) -> npt.NDArray[np.int32]:
        return np.round(project(self._to_plane, points_mm) * 16).astype(np.int32).reshape(-1, 1, 2)

    def _fill(self, points_mm: Points, colour: tuple[int, ...]) -> None:
        cv2.fillPoly(self._canvas, [self._fixed(points_mm)], colour, cv2.LINE_AA, 4)

    def _trace(self, points_mm: Points, colour: tuple[int, ...], weight_mm: float, closed: bool = True) -> None:
        weight = max(1, round(weight_mm * PX_PER_MM))
        cv2.polylines(self._canvas, [self._fixed(points_mm)], closed, colour, weight, cv2.LINE_AA, 4)

    def _ring(self, centre: tuple[float, float], radius: float, colour: Colour, weight_mm: float) -> None:
        t = np.linspace(0, 2 * math.pi, 72)
        self._trace(
            np.column_stack([centre[0] + radius * np.cos(t), centre[1] + radius * np.sin(t)]), colour, weight_mm
        )

    def _rounded(self, box: Box, grown_mm: float, colour: Colour, weight_mm: float | None) -> None:
        """A box with round corners, outlined, or filled where no weight is given."""
        half_w, half_h = box.size_mm[0] / 2 + grown_mm, box.size_mm[1] / 2 + grown_mm
        r = 7.0
        t = np.linspace(0, math.pi / 2, 10)
        arc = np.column_stack([np.cos(t), np.sin(t)]) * r
        turns = [(1, 1, False), (-1, 1, True), (-1, -1, False), (1, -1, True)]
        parts = []
        for sx, sy, flip in turns:
            corner = arc[::-1] if flip else arc
            parts.append(corner * (sx, sy) + (sx * (half_w - r), sy * (half_h - r)))
        outline = project(box.to_table(), np.vstack(parts))
        if weight_mm is None:
            self._fill(outline, colour)
        else:
            self._trace(outline, colour, weight_mm)

    def _text(self, to_table: npt.NDArray[np.float64], text: str, height_mm: float, colour: Colour) -> None:
        width, strokes = lettering(text, 0.34)

        def to_px(points: Points) -> Points:
            local = (points - (width / 2, 0.5)) * height_mm
            return project(self._to_plane @ to_table, local)

        ink(self._canvas, strokes, to_px, 0.13 * height_mm * PX_PER_MM, colour)
