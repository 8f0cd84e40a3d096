"""The shape of a fan: two long sides of its outline are card edges, and tell about which point its cards turn.

Each card's long edges run at half its width from the point about which the cards are turned, on both sides of it. So
the outer edges of the first card and of the last, both seen whole, tell that point and the scale, of two cards as of
twenty.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np

from vision.counting.outline import Outline
from vision.pictures import Points

_LEAST_TURN = 0.02
"""Radians: cards turned by less against each other lie in a row."""
_STRAIGHT = 0.002
"""A side leaves its line by no more than this share of the outline's length."""
_LEAST_SIDE, _MOST_SIDES = 0.06, 10
_NEAR = 0.025
_INSET = 0.05
"""How far within a side, as a share of its length, its ends are looked for."""
_UNLIKE = 0.16
"""How much the lengths of the two sides, and their distances from the middle, differ, as a share."""
_WITHIN_MM = 10.0
"""How far the cards' upper corners lie from their circle: hands miss it, and cameras lean."""
_MOST_MM = 420.0
"""How far the point lies at most from the upper corners."""


@dataclass(frozen=True, slots=True)
class Fan:
    """The point about which cards are turned, how far their upper corners lie from it, in pixels, and the scale."""

    x: float
    y: float
    radius: float
    px_per_mm: float

    def at(self, angle: float, reach: float, shrink: float) -> tuple[float, float]:
        """The point so far from the middle, in pixels of the whole picture."""
        return (self.x + reach * float(np.cos(angle))) / shrink, (self.y + reach * float(np.sin(angle))) / shrink


def fans(outline: Outline, card_mm: tuple[float, float]) -> Iterator[Fan]:
    """What fans the outline may be of: there may be several where a few cards are nearly a square."""
    sides = _sides(outline)
    for left, right in permutations(sides, 2):
        fan = _fan(left, right, outline.hull, card_mm)
        if fan is not None:
            yield fan


def _sides(outline: Outline) -> list[Points]:
    """The straight pieces of the outline, as long as the cards go on beside them: `(2, 2)` each, clockwise."""
    contour = outline.contour.astype(np.float32)
    length = float(cv2.arcLength(contour, True))
    few = np.asarray(cv2.approxPolyDP(contour, max(2.0, _STRAIGHT * length), True), np.float64).reshape(-1, 2)
    if cv2.contourArea(few.astype(np.float32), True) < 0:
        few = few[::-1]
    found: list[Points] = []
    for start, end in zip(few, np.roll(few, -1, axis=0), strict=True):
        side = _straightened(start, end, outline) if np.linalg.norm(end - start) > _LEAST_SIDE * length else None
        if side is not None and not any(np.abs(side - other).max() < 3.0 for other in found):
            found.append(side)
    found.sort(key=lambda side: -float(np.linalg.norm(side[1] - side[0])))
    return found[:_MOST_SIDES]


def _straightened(start: Points, end: Points, outline: Outline) -> Points | None:
    """The line along a piece of the outline, from where to where there are cards beside it; None if it is not straight.

    Corners are round, so that a little within the side a card is as long as it is.
    """
    contour, mask = outline.contour, outline.mask
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    at, off = (contour - start) @ along, (contour - start) @ np.array([-along[1], along[0]])
    near = contour[(np.abs(off) < max(3.0, _NEAR * length)) & (at > 0.08 * length) & (at < 0.92 * length)]
    if len(near) < 0.45 * length:
        return None
    fit = np.asarray(cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01), np.float64).ravel()
    line = fit[:2] * np.sign(fit[:2] @ along)
    through = fit[2:] + line * float(((start + end) / 2 - fit[2:]) @ line)
    inset = np.array([-line[1], line[0]]) * _INSET * length
    steps = np.arange(-2.0 * length, 2.0 * length)
    points = np.round(through + inset + steps[:, None] * line).astype(int)
    within = (points >= 0).all(axis=1) & (points < mask.shape[1::-1]).all(axis=1)
    points = np.clip(points, 0, np.array(mask.shape[1::-1]) - 1)
    gaps = np.flatnonzero(~within | (mask[points[:, 1], points[:, 0]] == 0))
    before, after = gaps[gaps < len(steps) // 2], gaps[gaps >= len(steps) // 2]
    if not before.size or not after.size:
        return None
    return np.array([through + line * steps[before[-1] + 1], through + line * steps[after[0]]])


def _fan(left: Points, right: Points, hull: Points, card_mm: tuple[float, float]) -> Fan | None:
    """The fan whose first card's left edge and last card's right edge these are; None if it is none.

    Along a hull that turns clockwise in a picture, the left edge goes up and the right one down.
    """
    along = [(side[1] - side[0]) / np.linalg.norm(side[1] - side[0]) for side in (left, right)]
    long = [float(np.linalg.norm(side[1] - side[0])) for side in (left, right)]
    turn = float(np.arctan2(-along[0][0] * along[1][1] + along[0][1] * along[1][0], -along[0] @ along[1]))
    if abs(long[0] - long[1]) > _UNLIKE * max(long) or turn < _LEAST_TURN:
        return None
    px_per_mm = (long[0] + long[1]) / 2 / card_mm[1]
    # Within a hull that turns clockwise is to the right of its sides.
    inward = [np.array([-one[1], one[0]]) for one in along]
    lines = np.array(inward)
    reach = card_mm[0] / 2 * px_per_mm
    if abs(float(np.linalg.det(lines))) < 1e-3:
        return None
    middle = np.linalg.solve(lines, [inward[0] @ left[0] + reach, inward[1] @ right[0] + reach])
    upper = [float((left[1] - middle) @ along[0]), float((middle - right[0]) @ along[1])]
    if min(upper) < long[0] * 0.9 or max(upper) > _MOST_MM * px_per_mm:
        return None
    if abs(upper[0] - upper[1]) > _UNLIKE * max(long):
        return None
    top = (upper[0] + upper[1]) / 2
    radius = float(np.hypot(top, reach))
    off = np.hypot(*(hull - middle).T)
    if off.max() > radius + _WITHIN_MM * px_per_mm:
        return None
    return Fan(float(middle[0]), float(middle[1]), radius, px_per_mm)
