"""Where the backs of a row begin: where the border of one turns into its pattern."""

import numpy as np
import numpy.typing as npt

from vision.deck import PX_PER_MM
from vision.printed import Plane
from vision.printed_signs import Bounds, Sign, peaks

_Q = PX_PER_MM
BACK_ROWS_MM = (45.0, 76.0)
_UPPER_ROWS_MM = (12.0, 43.0)
_BACK_SHAPE_PX = 14
_BACK_SEEN = 0.8
_LEAST_SHAPE, _FAINTEST_SHAPE, _FAINT_SEEN = 0.12, 0.07, 0.92
"""How much a profile must change to have a back's shape, and how alike it must be."""


def backs(whiteness: Plane, arts: Plane, bounds: Bounds) -> list[Sign]:
    """Backs of a row: each begins its border's width before paper turns into pattern.

    `whiteness` is in shares of paper; `arts` are the enrolled backs, as soft as the picture, `(m, height, width)`.
    """
    first, last, profile = _profile(whiteness, bounds)
    signs = []
    for number, back in enumerate(arts):
        own = back[first:last].mean(axis=0)
        level = (float(own[1:4].max()) + float(own[6:14].mean())) / 2
        dark = np.flatnonzero(own[2:20] < level)
        if not dark.size:
            continue
        border = 2 + _fall(own[2:20], int(dark[0]), level)
        falls = np.flatnonzero((profile[1:] < level) & (profile[:-1] >= level)) + 1
        signs += [Sign(_fall(profile, int(x), level) - border, bounds.top, None, number) for x in falls]
    return signs


def backs_in_light(whiteness: Plane, most: np.float32, arts: Plane, bounds: Bounds) -> list[Sign]:
    """Backs by the shape of border and pattern, at whatever level light has left them, below or above.

    `most` is the lightest that a camera can tell, in the same shares as `whiteness`.
    """
    likest = np.zeros(whiteness.shape[1], np.float32)
    number = np.zeros(likest.shape, int)
    for rows_mm in (BACK_ROWS_MM, _UPPER_ROWS_MM):
        first, last, profile = _profile(whiteness, bounds, rows_mm)
        seen = np.pad(np.minimum(profile, most), (0, _BACK_SHAPE_PX - 1))
        windows = np.lib.stride_tricks.sliding_window_view(seen, _BACK_SHAPE_PX)
        off = windows - windows.mean(axis=1, keepdims=True)
        spread = np.sqrt(np.square(off).sum(axis=1))
        for back, art in enumerate(arts):
            own = art[first:last, :_BACK_SHAPE_PX].mean(axis=0)
            shape = (own - own.mean()) / max(float(np.linalg.norm(own - own.mean())), 1e-6)
            alike = off @ shape / np.maximum(spread, 1e-6)
            alike[(spread < _LEAST_SHAPE) & (alike < _FAINT_SEEN) | (spread < _FAINTEST_SHAPE)] = 0
            number[alike > likest] = back
            likest = np.maximum(likest, alike)
    return [Sign(float(x), bounds.top, None, int(number[x])) for x in peaks(likest, _BACK_SEEN)]


def _profile(whiteness: Plane, bounds: Bounds, rows_mm: tuple[float, float] = BACK_ROWS_MM) -> tuple[int, int, Plane]:
    """Between which rows of a card, in pixels, and how white the row is there, column by column."""
    first, last = (round(v * _Q) for v in rows_mm)
    top = max(0, round(bounds.top))
    return first, last, np.asarray(whiteness[top + first : top + last].mean(axis=0), np.float32)


def _fall(profile: npt.NDArray[np.floating], x: int, level: float) -> float:
    """Where, between columns `x - 1` and `x`, a profile falls through a level."""
    if x == 0:
        return 0.0
    before, after = float(profile[x - 1]), float(profile[x])
    return x - 1 + (before - level) / max(before - after, 1e-6)
