"""A stroke alphabet of our own, for card indices and table lettering.

Each glyph is a few strokes in a box one unit high, x to the right and y down; whoever draws scales, turns and inks
them.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision.pictures import Picture, Points

Stroke = tuple[tuple[float, float], ...]
Colour = tuple[int, int, int]

_GAP = 0.24
"""Space between glyphs, in glyph heights."""


def _arc(cx: float, cy: float, rx: float, ry: float, start_deg: float, end_deg: float) -> Stroke:
    """Degrees run clockwise from the right; 90 is down."""
    steps = max(4, int(abs(end_deg - start_deg) / 9))
    angles = (math.radians(start_deg + (end_deg - start_deg) * k / steps) for k in range(steps + 1))
    return tuple((cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles)


def _bend(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> Stroke:
    """A quadratic curve from a to c that leans towards b."""
    steps = [k / 12 for k in range(13)]
    return tuple(
        (
            (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * b[0] + t * t * c[0],
            (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * b[1] + t * t * c[1],
        )
        for t in steps
    )


_O = _arc(0.33, 0.5, 0.33, 0.5, 0, 360)
_SIX = (_arc(0.3, 0.68, 0.3, 0.32, 0, 360), _bend((0.0, 0.68), (0.02, 0.18), (0.46, 0.0)))
_NINE = tuple(tuple((0.6 - x, 1 - y) for x, y in stroke) for stroke in _SIX)
_P = ((0.0, 0.0), (0.28, 0.0), *_arc(0.28, 0.27, 0.27, 0.27, -90, 90), (0.0, 0.54))
_S_TOP = _arc(0.29, 0.26, 0.28, 0.26, -25, -270)
_S_LOW = _arc(0.29, 0.75, 0.29, 0.25, -90, 160)

_GLYPHS: dict[str, tuple[float, tuple[Stroke, ...]]] = {
    "0": (0.6, (_arc(0.3, 0.5, 0.3, 0.5, 0, 360),)),
    "1": (0.5, (((0.03, 0.24), (0.27, 0.0), (0.27, 1.0)), ((0.03, 1.0), (0.5, 1.0)))),
    "2": (0.6, ((*_arc(0.3, 0.29, 0.29, 0.29, -170, 35), (0.0, 1.0), (0.6, 1.0)),)),
    "3": (0.58, (_arc(0.27, 0.26, 0.27, 0.26, -155, 90), _arc(0.27, 0.75, 0.31, 0.25, -90, 155))),
    "4": (0.64, (((0.46, 1.0), (0.46, 0.0), (0.0, 0.7), (0.64, 0.7)),)),
    "5": (0.6, (((0.54, 0.0), (0.1, 0.0), (0.06, 0.44)), _arc(0.27, 0.68, 0.32, 0.32, -135, 150))),
    "6": (0.6, _SIX),
    "7": (0.58, (((0.0, 0.0), (0.58, 0.0), (0.2, 1.0)),)),
    "8": (0.6, (_arc(0.3, 0.24, 0.25, 0.24, 0, 360), _arc(0.3, 0.74, 0.3, 0.26, 0, 360))),
    "9": (0.6, _NINE),
    "A": (0.7, (((0.0, 1.0), (0.35, 0.0), (0.7, 1.0)), ((0.13, 0.66), (0.57, 0.66)))),
    "B": (0.58, (_P, (*_arc(0.3, 0.77, 0.28, 0.23, -90, 90), (0.0, 1.0), (0.0, 0.0)))),
    "C": (0.62, (_arc(0.34, 0.5, 0.34, 0.5, -45, -315),)),
    "D": (0.62, (((0.0, 0.0), (0.2, 0.0), *_arc(0.2, 0.5, 0.42, 0.5, -90, 90), (0.0, 1.0), (0.0, 0.0)),)),
    "E": (0.54, (((0.54, 0.0), (0.0, 0.0), (0.0, 1.0), (0.54, 1.0)), ((0.0, 0.48), (0.44, 0.48)))),
    "F": (0.54, (((0.54, 0.0), (0.0, 0.0), (0.0, 1.0)), ((0.0, 0.48), (0.44, 0.48)))),
    "G": (0.66, ((*_arc(0.34, 0.5, 0.34, 0.5, -45, -330), (0.66, 0.54), (0.4, 0.54)),)),
    "H": (0.6, (((0.0, 0.0), (0.0, 1.0)), ((0.6, 0.0), (0.6, 1.0)), ((0.0, 0.5), (0.6, 0.5)))),
    "I": (0.1, (((0.05, 0.0), (0.05, 1.0)),)),
    "J": (0.54, (((0.44, 0.0), (0.44, 0.7), *_arc(0.22, 0.7, 0.22, 0.3, 0, 165)), ((0.2, 0.0), (0.54, 0.0)))),
    "K": (0.62, (((0.0, 0.0), (0.0, 1.0)), ((0.58, 0.0), (0.0, 0.6)), ((0.2, 0.4), (0.62, 1.0)))),
    "L": (0.52, (((0.0, 0.0), (0.0, 1.0), (0.52, 1.0)),)),
    "M": (0.78, (((0.0, 1.0), (0.0, 0.0), (0.39, 0.7), (0.78, 0.0), (0.78, 1.0)),)),
    "N": (0.62, (((0.0, 1.0), (0.0, 0.0), (0.62, 1.0), (0.62, 0.0)),)),
    "O": (0.66, (_O,)),
    "P": (0.56, (_P, ((0.0, 0.0), (0.0, 1.0)))),
    "Q": (0.68, (_O, ((0.38, 0.7), (0.68, 1.04)))),
    "R": (0.58, (_P, ((0.0, 0.0), (0.0, 1.0)), ((0.26, 0.54), (0.58, 1.0)))),
    "S": (0.58, (_S_TOP, _S_LOW)),
    "T": (0.62, (((0.0, 0.0), (0.62, 0.0)), ((0.31, 0.0), (0.31, 1.0)))),
    "U": (0.6, (((0.0, 0.0), (0.0, 0.68), *_arc(0.3, 0.68, 0.3, 0.32, 180, 0), (0.6, 0.0)),)),
    "V": (0.68, (((0.0, 0.0), (0.34, 1.0), (0.68, 0.0)),)),
    "W": (0.92, (((0.0, 0.0), (0.22, 1.0), (0.46, 0.25), (0.7, 1.0), (0.92, 0.0)),)),
    "X": (0.62, (((0.0, 0.0), (0.62, 1.0)), ((0.62, 0.0), (0.0, 1.0)))),
    "Y": (0.64, (((0.0, 0.0), (0.32, 0.5), (0.64, 0.0)), ((0.32, 0.5), (0.32, 1.0)))),
    "Z": (0.6, (((0.0, 0.0), (0.6, 0.0), (0.0, 1.0), (0.6, 1.0)),)),
    "-": (0.4, (((0.0, 0.55), (0.4, 0.55)),)),
    ".": (0.1, (((0.05, 0.98), (0.05, 1.0)),)),
    " ": (0.3, ()),
}

DRAWABLE = frozenset(_GLYPHS)
"""The characters the alphabet has: capitals, digits, hyphen, full stop and space."""


@lru_cache(maxsize=512)
def lettering(text: str, gap: float = _GAP) -> tuple[float, tuple[Stroke, ...]]:
    """Width and strokes of a line of text, one unit high. Unknown characters leave a space."""
    x = 0.0
    strokes: list[Stroke] = []
    for character in text:
        width, glyph = _GLYPHS.get(character, _GLYPHS[" "])
        strokes += [tuple((x + px, py) for px, py in stroke) for stroke in glyph]
        x += width + gap
    return max(0.0, x - gap), tuple(strokes)


def ink(
    canvas: Picture,
    strokes: Sequence[Stroke],
    to_px: Callable[[Points], Points],
    weight_px: float,
    colour: Colour,
) -> None:
    """Draw strokes with round ends after carrying them to pixels with `to_px`; sub-pixel positions are kept."""
    thickness = max(1, round(weight_px))
    for stroke in strokes:
        points = np.round(to_px(np.asarray(stroke, np.float64)) * 16).astype(np.int32)
        cv2.polylines(canvas, [points.reshape(-1, 1, 2)], False, colour, thickness, cv2.LINE_AA, 4)


def write(
    canvas: Picture,
    text: str,
    centre_px: tuple[float, float],
    height_px: float,
    colour: Colour,
    weight: float = 0.14,
    squeeze: float = 1.0,
    gap: float = _GAP,
) -> None:
    """Write one upright line centred on a point. `weight` is the stroke in glyph heights, `squeeze` narrows it."""
    width, strokes = lettering(text, gap)
    left = centre_px[0] - width * height_px * squeeze / 2
    top = centre_px[1] - height_px / 2

    def to_px(points: Points) -> Points:
        return np.asarray(points * (height_px * squeeze, height_px) + (left, top), np.float64)

    ink(canvas, strokes, to_px, weight * height_px, colour)
