"""The court pictures and the joker, built from a few plain shapes and turned about for the lower half."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.pictures import Picture
from vision.synthetic.strokes import Colour
from vision.synthetic.suits import BLACK, INKS, draw_suit

GOLD: Colour = (60, 176, 226)
BLUE: Colour = (150, 78, 34)
CRIMSON: Colour = (46, 38, 186)
SKIN: Colour = (196, 220, 244)
IVORY: Colour = (232, 244, 248)
GREEN: Colour = (74, 124, 44)

FRAME_MM = (15.5, 9.0, 47.5, 79.0)
"""Left, top, right and bottom of the picture's frame on a 63 x 88 mm card."""

_COATS: dict[str, tuple[Colour, Colour]] = {"J": (BLUE, GOLD), "Q": (CRIMSON, GOLD), "K": (GREEN, CRIMSON)}


class _Pen:
    """Draws filled shapes given in millimetres from the middle of the frame, up positive."""

    def __init__(self, canvas: Picture, px_per_mm: float, middle_mm: tuple[float, float]) -> None:
        self._canvas = canvas
        self._scale = px_per_mm
        self._middle = middle_mm

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (self._middle[0] + x) * self._scale, (self._middle[1] - y) * self._scale

    def shape(self, points: Sequence[tuple[float, float]], fill: Colour, edge: Colour | None = BLACK) -> None:
        line = np.round(np.array([self.at(x, y) for x, y in points]) * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.fillPoly(self._canvas, [line], fill, cv2.LINE_AA, 4)
        if edge is not None:
            cv2.polylines(self._canvas, [line], True, edge, max(1, round(0.35 * self._scale)), cv2.LINE_AA, 4)

    def disc(self, x: float, y: float, rx: float, ry: float, fill: Colour, edge: Colour | None = BLACK) -> None:
        t = np.linspace(0, 2 * np.pi, 48)
        self.shape([(x + rx * float(np.cos(a)), y + ry * float(np.sin(a))) for a in t], fill, edge)


def draw_court(canvas: Picture, rank: str, suit: str, px_per_mm: float) -> None:
    """Draw the picture of a jack, queen or king into a blank card canvas."""
    left, top, right, bottom = FRAME_MM
    middle = ((left + right) / 2, (top + bottom) / 2)
    pen = _Pen(canvas, px_per_mm, middle)
    half_w, half_h = (right - left) / 2, (bottom - top) / 2
    coat, trim = _COATS[rank]
    pen.shape([(-half_w, 0), (-half_w, half_h), (half_w, half_h), (half_w, 0)], IVORY, None)
    _robe(pen, half_w, coat, trim)
    {"J": _jack, "Q": _queen, "K": _king}[rank](pen, coat, trim)
    _face(pen, beard=rank == "K")
    draw_suit(canvas, suit, pen.at(-half_w + 5.4, half_h - 5.8), 7.6 * px_per_mm)
    _turn_about(canvas, middle, px_per_mm)
    corners = [(left, top), (right, bottom)]
    (x0, y0), (x1, y1) = [(round(x * px_per_mm), round(y * px_per_mm)) for x, y in corners]
    cv2.rectangle(canvas, (x0, y0), (x1, y1), BLUE if INKS[suit] == BLACK else CRIMSON, max(1, round(0.45 * px_per_mm)))


def draw_joker_picture(canvas: Picture, px_per_mm: float) -> None:
    """A jester's cap above a smiling face, in the middle of a blank card canvas."""
    pen = _Pen(canvas, px_per_mm, (33.5, 46.0))
    for x, y, fill in ((-13.0, 9.0, CRIMSON), (13.0, 9.0, BLUE)):
        bow = 1 if x > 0 else -1
        pen.shape([(0, 3), (bow * 3, 19), (bow * 10, 22), (x + bow * 2, y + 4), (bow * 9, 13), (bow * 9.5, 2)], fill)
        pen.disc(x + bow * 1.6, y + 2.6, 2.1, 2.1, GOLD)
    pen.shape([(-8, 2), (-5, 19), (0, 27), (5, 19), (8, 2)], GOLD)
    pen.disc(0, 28, 2.2, 2.2, CRIMSON)
    points = [(-11.0, -18.0), (-7.4, -11.0), (-3.7, -19.0), (0.0, -12.0), (3.7, -19.0), (7.4, -11.0), (11.0, -18.0)]
    pen.shape([(-9, -8), *points, (9, -8)], GREEN)
    pen.disc(0, -3, 9.4, 10, SKIN)
    pen.shape([(-10, 0.5), (10, 0.5), (9, 5), (-9, 5)], CRIMSON)
    for x in (-3.6, 3.6):
        pen.disc(x, -3, 1.1, 1.4, BLACK, None)
    smile = [(-5 + 10 * k / 12, -7 - 2.6 * (1 - ((k - 6) / 6) ** 2)) for k in range(13)]
    pen.shape([*smile, (0, -7.6)], CRIMSON)


def _robe(pen: _Pen, half_w: float, coat: Colour, trim: Colour) -> None:
    pen.shape([(-half_w, 0), (-half_w, 8.5), (-7, 16), (7, 16), (half_w, 8.5), (half_w, 0)], coat)
    pen.shape([(-half_w, 0), (-half_w, 5), (-2.5, 15), (2.5, 15), (half_w, 5), (half_w, 0)], trim)
    pen.shape([(-half_w + 4, 0), (0, 13.5), (half_w - 4, 0)], coat)
    for y in (1.5, 5.5, 9.5):
        pen.disc(0, y, 1.25, 1.25, GOLD)
    pen.shape([(-6, 16.6), (0, 11.5), (6, 16.6), (4, 18.4), (-4, 18.4)], IVORY)


def _face(pen: _Pen, beard: bool) -> None:
    if beard:
        pen.shape([(-5.4, 21), (-4, 15.4), (0, 13), (4, 15.4), (5.4, 21)], (120, 138, 150))
    pen.disc(0, 21.6, 4.7, 5.5, SKIN)
    for x in (-1.9, 1.9):
        pen.disc(x, 22.5, 0.62, 0.62, BLACK, None)
        pen.shape([(x - 1.1, 24.0), (x + 1.1, 24.0), (x + 0.9, 24.5), (x - 0.9, 24.5)], BLACK, None)
    pen.shape([(-0.3, 22), (0.3, 22), (0.6, 20.4), (-0.6, 20.4)], (140, 170, 210), None)
    if beard:
        pen.shape([(-3.6, 19.8), (0, 18.4), (3.6, 19.8), (2.4, 18.2), (0, 17.6), (-2.4, 18.2)], (90, 108, 120), None)
    pen.shape([(-1.5, 18.7), (1.5, 18.7), (0, 17.7)], CRIMSON, None)


def _jack(pen: _Pen, coat: Colour, trim: Colour) -> None:
    hair: Colour = (52, 142, 200)
    pen.shape([(-6.2, 26), (-7, 17.5), (-4, 17), (-4, 26)], hair)
    pen.shape([(6.2, 26), (7, 17.5), (4, 17), (4, 26)], hair)
    pen.shape([(-7.4, 25.4), (-6, 29.6), (4, 31), (8, 28.6), (7.4, 25.4)], coat)
    pen.shape([(-7.4, 25.2), (7.4, 25.2), (7.2, 26.8), (-7.2, 26.8)], trim)
    pen.shape([(4, 29), (9, 33.2), (12, 31), (8.6, 29.8), (6.2, 27)], CRIMSON)


def _queen(pen: _Pen, coat: Colour, trim: Colour) -> None:
    hair: Colour = (40, 72, 118)
    pen.disc(0, 21.5, 7.4, 7.2, hair)
    pen.shape([(-7.6, 22), (-8.6, 14), (-4.4, 15), (-4.2, 22)], hair)
    pen.shape([(7.6, 22), (8.6, 14), (4.4, 15), (4.2, 22)], hair)
    spikes = [(-6.4, 26.4), (-7.6, 31.4), (-3.6, 28.8), (0, 32.6), (3.6, 28.8), (7.6, 31.4), (6.4, 26.4)]
    pen.shape(spikes, trim)
    for x, y in ((-7.6, 31.4), (0.0, 32.6), (7.6, 31.4)):
        pen.disc(x, y, 0.95, 0.95, coat)


def _king(pen: _Pen, coat: Colour, trim: Colour) -> None:
    hair: Colour = (120, 138, 150)
    pen.shape([(-6.4, 26), (-7.2, 16.5), (-3.8, 16), (-4, 26)], hair)
    pen.shape([(6.4, 26), (7.2, 16.5), (3.8, 16), (4, 26)], hair)
    pen.shape([(-6.8, 25.8), (-7.4, 30.4), (7.4, 30.4), (6.8, 25.8)], GOLD)
    pen.shape([(-7.4, 30.2), (-4, 33.8), (0, 31.2), (4, 33.8), (7.4, 30.2)], trim)
    pen.shape([(-0.6, 31), (-0.6, 34), (0.6, 34), (0.6, 31)], GOLD)
    for x in (-4.4, 0.0, 4.4):
        pen.disc(x, 28, 1.05, 1.05, coat)


def _turn_about(canvas: Picture, middle_mm: tuple[float, float], px_per_mm: float) -> None:
    """Copy the upper half of the frame, turned by 180 degrees, into the lower half."""
    left, top, right, _ = FRAME_MM
    x0, x1, y0 = (round(v * px_per_mm) for v in (left, right, top))
    y1 = round(middle_mm[1] * px_per_mm)
    upper = canvas[y0:y1, x0:x1]
    canvas[y1 : y1 + upper.shape[0], x0:x1] = upper[::-1, ::-1]
