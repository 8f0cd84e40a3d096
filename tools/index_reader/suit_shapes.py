"""Suit symbols of many shapes, as printers draw them: pointed or round leaves, lobes near or apart, any stem."""

import cv2
import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Mask = npt.NDArray[np.float32]
Outline = npt.NDArray[np.float64]

_SIDE_PX = 96
"""Of the box from -0.5 to 0.5 in which shapes are described, y down."""


def random_suit(rng: Rng, suit: str) -> Mask:
    """One symbol, 0 to 1, cropped to what is inked."""
    canvas = np.zeros((2 * _SIDE_PX, 2 * _SIDE_PX), np.uint8)
    for outline in {"s": _spade, "h": _heart, "d": _diamond, "c": _club}[suit](rng):
        points = np.round((outline * _SIDE_PX + _SIDE_PX) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [points.reshape(-1, 1, 2)], (255,), cv2.LINE_AA, 4)
    ys, xs = np.nonzero(canvas > 40)
    return np.asarray(canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] / np.float32(255), np.float32)


def _curve(*points: tuple[float, float]) -> Outline:
    """A cubic Bezier curve through its first and last of four points."""
    t = np.linspace(0, 1, 24)[:, None]
    a, b, c, d = (np.array(point) for point in points)
    return np.asarray((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)


def _mirrored(right: Outline) -> Outline:
    return np.concatenate([right, right[::-1] * (-1.0, 1.0)])


def _leaf(rng: Rng, end: float) -> Outline:
    """A point above and two lobes below, from -0.5 to `end`."""
    wide = float(rng.uniform(0.33, 0.52))
    widest = end - float(rng.uniform(0.14, 0.28))
    notch = end - float(rng.uniform(-0.02, 0.14))
    tip = (float(rng.uniform(0.0, 0.3)) * wide * 2, -0.5 + float(rng.uniform(0.08, 0.36)))
    side = _curve((0.0, -0.5), tip, (wide, widest - float(rng.uniform(0.05, 0.32))), (wide, widest))
    low = end + 0.33 * (end - widest)
    lobe = _curve((wide, widest), (wide, low), (float(rng.uniform(0.0, 0.35)) * wide, low), (0.02, notch))
    return _mirrored(np.concatenate([side, lobe]))


def _stem(rng: Rng, begins: float) -> Outline:
    top, foot = float(rng.uniform(0.02, 0.07)), float(rng.uniform(0.06, 0.3))
    side = _curve((top, begins), (top, 0.3), (top + float(rng.uniform(0, 0.6)) * (foot - top), 0.46), (foot, 0.5))
    return _mirrored(side)


def _spade(rng: Rng) -> list[Outline]:
    end = float(rng.uniform(0.2, 0.42))
    return [_leaf(rng, end), _stem(rng, end - 0.25)]


def _heart(rng: Rng) -> list[Outline]:
    return [_leaf(rng, 0.42) * (1.0, -1.0)]


def _diamond(rng: Rng) -> list[Outline]:
    t = np.linspace(0, 2 * np.pi, 80)
    bend, wide = float(rng.uniform(1.7, 2.6)), float(rng.uniform(0.3, 0.48))
    x, y = (np.sign(f(t)) * np.abs(f(t)) ** bend for f in (np.cos, np.sin))
    return [np.column_stack([x * wide, y * 0.5])]


def _club(rng: Rng) -> list[Outline]:
    t = np.linspace(0, 2 * np.pi, 48)
    ring = np.column_stack([np.cos(t), np.sin(t)])
    upper, lower = float(rng.uniform(0.17, 0.27)), float(rng.uniform(0.17, 0.27))
    aside, down = float(rng.uniform(0.8, 1.25)) * lower, float(rng.uniform(0.02, 0.2))
    middle = ring * (float(rng.uniform(0.06, 0.2)), float(rng.uniform(0.1, 0.26)))
    lobes = [ring * upper + (0, -0.5 + upper), ring * lower + (aside, down), ring * lower + (-aside, down)]
    return [*lobes, middle, _stem(rng, 0.0)]
