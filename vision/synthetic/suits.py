"""The four suit symbols as polygons of our own, in a box from -0.5 to 0.5, y down."""

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.pictures import Picture, Points
from vision.synthetic.strokes import Colour

BLACK: Colour = (28, 24, 22)
RED: Colour = (38, 28, 196)
INKS: dict[str, Colour] = {"c": BLACK, "s": BLACK, "d": RED, "h": RED}


def _heart() -> Points:
    t = np.linspace(0, 2 * math.pi, 80)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return np.column_stack([x / 33, (y + 2.5) / 29.5])


def _diamond() -> Points:
    t = np.linspace(0, 2 * math.pi, 80)
    x = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** 2.3 * 0.42
    y = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** 2.3 * 0.52
    return np.column_stack([x, y])


def _moved(shape: Points, x: float, y: float) -> Points:
    return np.asarray(shape + np.array([x, y]), np.float64)


def _stem() -> Points:
    right = [(0.03, 0.05), (0.05, 0.3), (0.2, 0.5)]
    return np.array([*right, *[(-x, y) for x, y in reversed(right)]])


def _spade() -> tuple[Points, ...]:
    leaf = _heart() * (1.0, -0.84)
    return (_moved(leaf, 0.0, -0.08), _stem())


def _club() -> tuple[Points, ...]:
    t = np.linspace(0, 2 * math.pi, 48)
    ring = np.column_stack([np.cos(t), np.sin(t)]) * 0.235
    middle = np.array([(-0.12, -0.1), (0.12, -0.1), (0.1, 0.2), (-0.1, 0.2)])
    return (_moved(ring, 0.0, -0.265), _moved(ring, -0.265, 0.11), _moved(ring, 0.265, 0.11), middle, _stem())


@lru_cache(maxsize=4)
def suit_shape(suit: str) -> tuple[Points, ...]:
    """The polygons whose union is the symbol of suit `c`, `d`, `h` or `s`."""
    match suit:
        case "h":
            return (_heart(),)
        case "d":
            return (_diamond(),)
        case "s":
            return _spade()
        case _:
            return _club()


def draw_suit(
    canvas: Picture,
    suit: str,
    centre_px: tuple[float, float],
    size_px: float,
    colour: Colour | None = None,
    upside_down: bool = False,
) -> None:
    """Fill the symbol, `size_px` high, centred on a point, in its own ink unless another is given."""
    sign = -1.0 if upside_down else 1.0
    for polygon in suit_shape(suit):
        points = np.round((polygon * (size_px * sign) + centre_px) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [points.reshape(-1, 1, 2)], colour or INKS[suit], cv2.LINE_AA, 4)
