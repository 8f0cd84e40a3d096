"""The left edges of cards that lie side by side or upon each other.

Every card, face or back, has a white border. A card that lies on its neighbour shows its left border at full height: a
dark line (its edge and its shadow) with white at once to the right of it. Indices, pips and pictures never look like
that, because they stop short of the border at a card's top and bottom.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points

Profiles = npt.NDArray[np.float32]
"""`(bands, width)`: mean whiteness of bands of rows, 1 for paper."""

_BANDS = 8
_BAND_INSET_MM = 5.0
_SHEARS_MM = np.linspace(-2.4, 2.4, 9)
"""Slants tried, in mm of x over the height of a card; 2.4 is a turn of 1.6 degrees."""
_BORDER_WHITE = 0.72
_BORDER_GREY = 0.50
"""Whiteness of a border: at or above the first it is paper; a greyer one, down to the second, is doubtful."""
_LEAST_PEAK = 0.004
_WORTH_PLACING = 0.03
"""A weaker rise is noise, and its exact position of no interest."""
_LINE_MM = 0.35
"""From a card's edge to where its border has grown half white."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A card's left edge in upright pixels: `x` at half height, `slant` in x per y, `rise` from line to border.

    `border` is the whiteness of what lies at once to the right of it.
    """

    x: float
    slant: float
    rise: float
    border: float

    @property
    def bordered(self) -> bool:
        return self.border >= _BORDER_WHITE


def band_profiles(
    whiteness: Picture, white: float, middle_y: float, card_height_px: float, px_per_mm: float
) -> Profiles:
    """Cut the height of the cards into eight bands and average each."""
    half = card_height_px / 2 - _BAND_INSET_MM * px_per_mm
    cuts = np.clip(np.round(np.linspace(middle_y - half, middle_y + half, _BANDS + 1)), 0, whiteness.shape[0] - 1)
    rows = [whiteness[int(a) : max(int(b), int(a) + 1)].mean(axis=0) for a, b in pairwise(cuts)]
    return np.asarray(np.array(rows, np.float32) / white, np.float32)


def find_edges(
    profiles: Profiles, start: float, stop: float, card_height_px: float, px_per_mm: float, apart_mm: float
) -> list[Edge]:
    """Everything between two columns that rises like a left edge, weak or strong, left to right.

    Peaks nearer than `apart_mm` to a stronger one belong to it.
    """
    rise, slant_mm, border = _rises(profiles, px_per_mm)
    first, last = max(0, int(start)), min(len(rise), int(stop) + 1)
    found = []
    for x in _peaks(rise[first:last], apart_mm * px_per_mm):
        column = x + first
        slant = float(slant_mm[column]) * px_per_mm
        at = _crossing(profiles, column, slant, px_per_mm) if rise[column] >= _WORTH_PLACING else float(column)
        found.append(Edge(at, slant / card_height_px, float(rise[column]), float(border[column])))
    return found


def _rises(profiles: Profiles, px_per_mm: float) -> tuple[Profiles, Profiles, Profiles]:
    """How strongly each column looks like a left edge, at which slant in mm, and how white the border is.

    Three arrays `(width,)`. For each slant the bands are shifted into line; the rise is that of the second weakest
    band, so that one band may be disturbed.
    """
    bands, width = profiles.shape
    shift = _SHEARS_MM[:, None] * _band_offsets(bands)[None, :] * px_per_mm
    x = np.clip(np.arange(width)[None, None, :] + shift[:, :, None], 0, width - 1.001)
    low = x.astype(np.int64)
    share = (x - low).astype(np.float32)
    band = np.arange(bands)[None, :, None]
    lined = profiles[band, low] * (1 - share) + profiles[band, low + 1] * share
    near, far, behind = round(1.2 * px_per_mm), round(2.2 * px_per_mm), round(0.6 * px_per_mm)
    border = np.zeros_like(lined)
    for ahead in range(near, far + 1):
        border[:, :, :-ahead] = np.maximum(border[:, :, :-ahead], lined[:, :, ahead:])
    dark = lined.copy()
    for step in range(1, behind + 1):
        dark[:, :, step:] = np.minimum(dark[:, :, step:], lined[:, :, :-step])
    rise = np.where(border > _BORDER_GREY, border - dark, 0.0)
    second = np.partition(rise, 1, axis=1)[:, 1, :]
    best, columns = second.argmax(axis=0), np.arange(width)
    grey = np.partition(border[best, :, columns], 1, axis=1)[:, 1]
    return np.asarray(second[best, columns], np.float32), _SHEARS_MM[best].astype(np.float32), grey


def _band_offsets(bands: int) -> npt.NDArray[np.float64]:
    """Where each band's middle lies, in heights of the banded part about its own middle."""
    return (np.arange(bands) - (bands - 1) / 2) / bands


def _peaks(rise: Profiles, apart_px: float) -> list[int]:
    taken: list[int] = []
    for index in np.argsort(rise, kind="stable")[::-1]:
        if rise[index] < _LEAST_PEAK:
            break
        if all(abs(int(index) - other) >= apart_px for other in taken):
            taken.append(int(index))
    return sorted(taken)


def _crossing(profiles: Profiles, x: float, slant_px: float, px_per_mm: float) -> float:
    """Where, near a peak at `x`, the picture has risen half of the way from the dark line to the border."""
    bands, width = profiles.shape
    first, span = x - 1.2 * px_per_mm, round(3.4 * px_per_mm)
    at, columns = first + np.arange(span), np.arange(width)
    offsets = _band_offsets(bands) * slant_px
    line = np.mean([np.interp(at + off, columns, band) for off, band in zip(offsets, profiles, strict=True)], axis=0)
    lowest = int(line[: round(2.0 * px_per_mm)].argmin())
    half = (line[lowest] + line[lowest:].max()) / 2
    above = lowest + int(np.flatnonzero(line[lowest:] >= half)[0])
    if above == 0:
        return float(first)
    below = float(line[above - 1])
    crossing = first + above - 1 + (half - below) / max(float(line[above]) - below, 1e-6)
    return float(crossing - _LINE_MM * px_per_mm)


def ramp_mm(profiles: Profiles, left: float, px_per_mm: float) -> float:
    """How many millimetres the picture needs from felt to paper at the outermost left edge: a measure of blur."""
    x0, x1 = max(0, int(left - 4 * px_per_mm)), int(left + 4 * px_per_mm)
    widths = []
    for band in profiles:
        part = band[x0:x1]
        low, high = float(part[:3].mean()), float(part.max())
        above = np.flatnonzero(part > low + 0.8 * (high - low))
        below = np.flatnonzero(part[: above[0] + 1] < low + 0.2 * (high - low)) if above.size else above
        widths.append((above[0] - below[-1]) / px_per_mm if below.size else 99.0)
    return float(np.median(widths))


def card_corners(edge: Edge, top_y: float, card_px: tuple[float, float]) -> Points:
    """Corners of a whole card from its left edge, `(4, 2)` in upright pixels, clockwise from the upper left."""
    width, height = card_px
    down = np.array([edge.slant, 1.0]) / np.hypot(edge.slant, 1.0)
    along = np.array([down[1], -down[0]])
    upper_left = np.array([edge.x - edge.slant * height / 2, top_y])
    right = upper_left + along * width
    return np.array([upper_left, right, right + down * height, upper_left + down * height])
