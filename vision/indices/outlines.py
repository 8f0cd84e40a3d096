"""Outlines of cards that lie alone: paper with four straight sides, of a card's proportions."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, darkest_channel
from vision.single_card import quadrilateral

_LEVELS = (0.45, 0.6, 0.72, 0.84)
"""Shares of the brightest paper at which a picture is cut into paper and the rest, beside the level it suggests."""
_SHAPE = (1.12, 1.75)
"""Length over width of a card, 1.40 seen straight, as perspective may change it."""
_LEAST_SIDE_PX = 18.0
_LEAST_FILLING = 0.93
_PLAIN, _SAME_PX = 0.96, 2
"""A card that fills its outline this well need not be outlined again where it lies within so many pixels."""
_MOST_ROUGHNESS = 0.1
_MOST_OUTLINES = 30
_MOST_CONTOURS = 12
_BORDER_SHARE, _GROUND_SHARE = 0.03, 0.25
"""An outline so near the picture's border, as a share of its longer side, is that border, unless it is a card's that
fills the picture: then nothing within it that has a card's outline is so much smaller."""


def find_outlines(small: Picture) -> list[Points]:
    """Corners `(4, 2)` of each, clockwise with a short side first, in pixels of this small BGR picture."""
    light = cv2.GaussianBlur(darkest_channel(small), (3, 3), 0)
    bright = float(np.percentile(light[::2, ::2], 99))
    suggested, _ = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    found: list[tuple[float, Points]] = []
    boxes: list[npt.NDArray[np.int_]] = []
    for level in sorted({suggested, *(share * bright for share in _LEVELS)}):
        mask = (light > level).astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        large = sorted(contours, key=cv2.contourArea, reverse=True)[:_MOST_CONTOURS]
        for contour in large:
            box = np.array(cv2.boundingRect(contour))
            if any(np.abs(box - other).max() <= _SAME_PX for other in boxes):
                continue  # the same paper at another level
            shaped = _card_shaped(contour)
            if shaped is not None:
                found.append(shaped)
                boxes += [box] if shaped[0] > _PLAIN else []
    kept: list[Points] = []
    for _, outline in sorted(found, key=lambda entry: -entry[0]):
        if not any(_same(outline, other) for other in kept):
            kept.append(outline)
    kept = [outline for outline in kept if not _is_ground(outline, kept, small.shape)]
    return kept[:_MOST_OUTLINES]


def _is_ground(outline: Points, others: Sequence[Points], shape: tuple[int, ...]) -> bool:
    """Whether an outline is the picture's own border and much smaller cards lie within: then it is what they lie on."""
    high, wide = shape[:2]
    beyond = np.array([outline.min(axis=0), (wide - 1, high - 1) - outline.max(axis=0)])
    if beyond.max() > _BORDER_SHARE * max(high, wide):
        return False
    ring, area = outline.astype(np.float32), cv2.contourArea(outline.astype(np.float32))
    return any(
        cv2.contourArea(other.astype(np.float32)) < _GROUND_SHARE * area
        and all(cv2.pointPolygonTest(ring.reshape(-1, 1, 2), (float(x), float(y)), False) >= 0 for x, y in other)
        for other in others
    )


def _card_shaped(contour: npt.NDArray[np.generic]) -> tuple[float, Points] | None:
    """How well a contour fills four straight sides, and their corners; None unless it has a card's shape."""
    area = float(cv2.contourArea(np.asarray(contour, np.int32)))
    if area < _LEAST_SIDE_PX**2:
        return None
    hull = cv2.convexHull(np.asarray(contour, np.int32))
    full = float(cv2.contourArea(hull))
    _, sides, _ = cv2.minAreaRect(hull)
    if min(sides) < _LEAST_SIDE_PX or area < (1 - _MOST_ROUGHNESS) * full or full < 0.8 * sides[0] * sides[1]:
        return None
    corners = quadrilateral(hull)
    if corners is None:
        return None
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if lengths[0] + lengths[2] > lengths[1] + lengths[3]:
        corners, lengths = np.roll(corners, 1, axis=0), np.roll(lengths, 1)
    shape = (lengths[1] + lengths[3]) / max(lengths[0] + lengths[2], 1e-6)
    filling = full / max(abs(float(cv2.contourArea(corners.astype(np.float32)))), 1.0)
    alike = max(lengths[0] / lengths[2], lengths[2] / lengths[0], lengths[1] / lengths[3], lengths[3] / lengths[1])
    if not _SHAPE[0] < shape < _SHAPE[1] or not _LEAST_FILLING < filling < 1.03 or alike > 1.4:
        return None
    return filling, corners


def _same(a: Points, b: Points) -> bool:
    apart = float(np.hypot(*(a.mean(axis=0) - b.mean(axis=0))))
    side = float(np.linalg.norm(b[1] - b[0]))
    return apart < 0.3 * side and 0.6 < float(np.linalg.norm(a[1] - a[0])) / max(side, 1e-6) < 1.6
