"""A joker of any deck, by what stands for its index: a word, letter under letter, in opposite corners."""

import cv2
import numpy as np

from vision.card_like import MARGIN_MM, PX_PER_MM, Light, flattened
from vision.pictures import Picture, Points, darkest_channel

_COLUMN_MM = (2.0, 14.0)
_DOWN_MM = (2.5, 60.0)
_TALL_MM, _WIDE_MM = (2.2, 9.0), (0.6, 8.5)
_ASIDE_MM = 1.6
"""How far letters lie to the left or right of each other at most."""
_LETTERS = (5, 6)
"""Joker, jolly, and what other languages call it; a rank over its suit are two or three."""
_UNEVEN = 0.22
"""How much distances and heights of letters may vary, as shares of them."""
_INK = 0.42
"""Of paper's light: what is darker is the middle of a stroke, so that a blur does not join letters."""


def joker_confidence(picture: Picture, corners: Points) -> float:
    """How evenly letters stand under each other in both corners of a face, 0 to 1; 0 for what is no joker."""
    light = darkest_channel(flattened(picture, corners)).astype(np.float32)
    return min(_letters(light), _letters(np.ascontiguousarray(light[::-1, ::-1])))


def _letters(light: Light) -> float:
    """The same for the upper left corner of a flattened card."""
    left, right = (round((MARGIN_MM + mm) * PX_PER_MM) for mm in _COLUMN_MM)
    top, bottom = (round((MARGIN_MM + mm) * PX_PER_MM) for mm in _DOWN_MM)
    part = light[top:bottom, left:right]
    ink = (part < _INK * float(np.percentile(part, 90))).astype(np.uint8)
    _, _, stats, centres = cv2.connectedComponentsWithStats(ink)
    pieces = []
    for (x, _, wide, high, _), (middle_x, middle_y) in zip(stats[1:], centres[1:], strict=True):
        if x + wide >= part.shape[1]:
            continue  # part of the picture beside the index
        if not _TALL_MM[0] <= high / PX_PER_MM <= _TALL_MM[1] or not _WIDE_MM[0] <= wide / PX_PER_MM <= _WIDE_MM[1]:
            continue
        pieces.append((float(middle_y), float(middle_x), float(high)))
    if not _LETTERS[0] <= len(pieces) <= _LETTERS[1]:
        return 0.0
    pieces.sort()
    y, x, high = np.array(pieces).T
    gaps = np.diff(y)
    uneven = max(float(gaps.std() / gaps.mean()), float(high.std() / high.mean()))
    aside = float(np.abs(x - np.median(x)).max()) / PX_PER_MM
    return 0.0 if uneven > _UNEVEN or aside > _ASIDE_MM else 1 - uneven
