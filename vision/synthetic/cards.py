"""The drawn deck: 53 faces with standard corner indices, and a red and a blue back."""

import math
from functools import lru_cache

import cv2
import numpy as np

from evidence.errors import UsageError
from vision.pictures import Picture, u8
from vision.scene import BACKS, JOKER, LABELS
from vision.synthetic.courts import draw_court, draw_joker_picture
from vision.synthetic.strokes import Colour, write
from vision.synthetic.suits import BLACK, INKS, RED, draw_suit

CARD_MM = (63, 88)
CORNER_MM = 3.4
"""Radius of the rounded corners."""

_DRAW_PX_PER_MM = 12
_PAPER: Colour = (250, 252, 252)
_EDGE: Colour = (118, 120, 120)
_BACK_INKS: dict[str, tuple[Colour, Colour]] = {
    "red": ((34, 24, 150), (58, 44, 196)),
    "blue": ((120, 52, 20), (168, 92, 42)),
}
_PIP_X = (21.5, 31.5, 41.5)
HALF_PIPS: dict[str, tuple[tuple[int, float], ...]] = {
    "A": (),
    "2": ((1, 20.0),),
    "3": ((1, 20.0),),
    "4": ((0, 20.0), (2, 20.0)),
    "5": ((0, 20.0), (2, 20.0)),
    "6": ((0, 20.0), (2, 20.0)),
    "7": ((0, 20.0), (2, 20.0)),
    "8": ((0, 20.0), (2, 20.0), (1, 32.0)),
    "9": ((0, 18.0), (2, 18.0), (0, 35.3), (2, 35.3)),
    "T": ((0, 18.0), (2, 18.0), (0, 35.3), (2, 35.3), (1, 26.6)),
}
"""Pips of the upper half as column and height in mm; the lower half mirrors them, turned about."""
MIDDLE_PIPS: dict[str, tuple[tuple[int, float], ...]] = {
    "A": ((1, 44.0),),
    "3": ((1, 44.0),),
    "5": ((1, 44.0),),
    "6": ((0, 44.0), (2, 44.0)),
    "7": ((0, 44.0), (2, 44.0), (1, 32.0)),
    "8": ((0, 44.0), (2, 44.0)),
    "9": ((1, 44.0),),
}


def face_image(label: str, px_per_mm: float) -> Picture:
    """The face of a card, upright, `(88, 63)` mm at the given density, BGR. Raises `UsageError` on a bad label."""
    if label not in LABELS:
        raise UsageError(f"card label: expected one of the deck's {len(LABELS)}, got {label!r}")
    return _reduced(_draw_face(label), px_per_mm)


def back_image(back: str, px_per_mm: float) -> Picture:
    """The back of a card, `red` or `blue`."""
    if back not in BACKS:
        raise UsageError(f"card back: expected one of {', '.join(BACKS)}, got {back!r}")
    return _reduced(_draw_back(back), px_per_mm)


@lru_cache(maxsize=2)
def card_outline_mask(px_per_mm: float) -> Picture:
    """255 inside the rounded outline, 0 outside, smooth between."""
    mask = np.zeros((CARD_MM[1] * _DRAW_PX_PER_MM, CARD_MM[0] * _DRAW_PX_PER_MM), np.uint8)
    _rounded(mask, 0.0, CORNER_MM, 255)
    return _reduced(mask, px_per_mm)


def _reduced(canvas: Picture, px_per_mm: float) -> Picture:
    size = (round(CARD_MM[0] * px_per_mm), round(CARD_MM[1] * px_per_mm))
    return u8(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA))


def _blank() -> Picture:
    return _paper().copy()


@lru_cache(maxsize=1)
def _paper() -> Picture:
    """A card with nothing printed on it; not to be drawn upon."""
    shape = (CARD_MM[1] * _DRAW_PX_PER_MM, CARD_MM[0] * _DRAW_PX_PER_MM, 3)
    canvas = np.empty(shape, np.uint8)
    canvas[:] = _EDGE
    _rounded(canvas, 0.3, CORNER_MM - 0.3, _PAPER)
    return canvas


def _draw_face(label: str) -> Picture:
    canvas = _blank()
    if label == JOKER:
        draw_joker_picture(canvas, _DRAW_PX_PER_MM)
        for number, letter in enumerate("JOKER"):
            write(
                canvas, letter, _px(7.6, 7.4 + 7.4 * number), 5.6 * _DRAW_PX_PER_MM, RED if number % 2 else BLACK, 0.2
            )
    else:
        rank, suit = label[0], label[1]
        if rank in "JQK":
            draw_court(canvas, rank, suit, _DRAW_PX_PER_MM)
        else:
            _draw_pips(canvas, rank, suit)
        _draw_index(canvas, rank, suit)
    return _with_turned_index(canvas)


def _draw_index(canvas: Picture, rank: str, suit: str) -> None:
    ink = INKS[suit]
    if rank == "T":
        write(canvas, "10", _px(7.9, 10.6), 12.4 * _DRAW_PX_PER_MM, ink, weight=0.15, squeeze=0.57, gap=0.3)
    else:
        write(canvas, rank, _px(7.6, 10.6), 12.4 * _DRAW_PX_PER_MM, ink, weight=0.17)
    draw_suit(canvas, suit, _px(7.6, 24.2), 9.6 * _DRAW_PX_PER_MM)


def _with_turned_index(canvas: Picture) -> Picture:
    """Copy the upper left index, turned by 180 degrees, to the lower right corner."""
    height, width = 43 * _DRAW_PX_PER_MM, 14 * _DRAW_PX_PER_MM
    corner = canvas[:height, :width].copy()
    canvas[-height:, -width:] = corner[::-1, ::-1]
    return canvas


def _draw_pips(canvas: Picture, rank: str, suit: str) -> None:
    size = (30.0 if suit == "s" else 24.0) if rank == "A" else 10.4
    for column, y in HALF_PIPS[rank]:
        draw_suit(canvas, suit, _px(_PIP_X[column], y), size * _DRAW_PX_PER_MM)
        draw_suit(canvas, suit, _px(_PIP_X[column], CARD_MM[1] - y), size * _DRAW_PX_PER_MM, upside_down=True)
    for column, y in MIDDLE_PIPS.get(rank, ()):
        draw_suit(canvas, suit, _px(_PIP_X[column], y), size * _DRAW_PX_PER_MM)


def _draw_back(back: str) -> Picture:
    deep, light = _BACK_INKS[back]
    canvas = _blank()
    _rounded(canvas, 3.4, 2.4, deep)
    panel = np.zeros(canvas.shape[:2], np.uint8)
    _rounded(panel, 4.6, 1.6, 255)
    art = np.empty_like(canvas)
    art[:] = deep
    pitch = 6.2
    centre_x, centre_y = CARD_MM[0] / 2, CARD_MM[1] / 2
    for i in range(-16, 17):
        for j in range(-16, 17):
            x, y = centre_x + (i + j) * pitch / 2, centre_y + (i - j) * pitch / 2
            _lozenge(art, x, y, 2.35, light)
            _lozenge(art, x, y, 1.15, _PAPER)
    for radius, fill in ((14.0, _PAPER), (13.2, deep), (11.6, _PAPER), (11.0, light)):
        cv2.circle(art, _int_px(centre_x, centre_y), round(radius * _DRAW_PX_PER_MM), fill, -1, cv2.LINE_AA)
    for k in range(12):
        angle = k * math.pi / 6
        x, y = centre_x + 6.6 * math.cos(angle), centre_y + 6.6 * math.sin(angle)
        cv2.circle(art, _int_px(x, y), round(2.0 * _DRAW_PX_PER_MM), _PAPER, -1, cv2.LINE_AA)
    cv2.circle(art, _int_px(centre_x, centre_y), round(3.4 * _DRAW_PX_PER_MM), _PAPER, -1, cv2.LINE_AA)
    _lozenge(art, centre_x, centre_y, 2.6, deep)
    canvas[panel > 0] = art[panel > 0]
    return canvas


def _lozenge(canvas: Picture, x: float, y: float, half: float, fill: Colour) -> None:
    corners = [_int_px(x, y - half), _int_px(x + half, y), _int_px(x, y + half), _int_px(x - half, y)]
    cv2.fillConvexPoly(canvas, np.array(corners, np.int32), fill, cv2.LINE_AA)


def _rounded(canvas: Picture, inset_mm: float, radius_mm: float, fill: Colour | int) -> None:
    a, r = round(inset_mm * _DRAW_PX_PER_MM), round(radius_mm * _DRAW_PX_PER_MM)
    right, bottom = canvas.shape[1] - 1 - a, canvas.shape[0] - 1 - a
    colour = fill if isinstance(fill, tuple) else (fill,)
    cv2.rectangle(canvas, (a + r, a), (right - r, bottom), colour, -1)
    cv2.rectangle(canvas, (a, a + r), (right, bottom - r), colour, -1)
    for x in (a + r, right - r):
        for y in (a + r, bottom - r):
            cv2.circle(canvas, (x, y), r, colour, -1)


def _px(x_mm: float, y_mm: float) -> tuple[float, float]:
    return x_mm * _DRAW_PX_PER_MM, y_mm * _DRAW_PX_PER_MM


def _int_px(x_mm: float, y_mm: float) -> tuple[int, int]:
    return round(x_mm * _DRAW_PX_PER_MM), round(y_mm * _DRAW_PX_PER_MM)
