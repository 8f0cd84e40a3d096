"""A card of an enrolled deck laid where it may lie in a row's picture: what shows there that was not printed."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.deck import PX_PER_MM
from vision.pictures import Points
from vision.printed import Plane, lightest_and_darkest, not_printed
from vision.printed_light import light_on

_Q = PX_PER_MM
_STRANGE_COLUMN = 0.06
"""Of a card's height: where a strip of three columns has more pixels that were not printed, something else lies."""
_UPPER_AND_LOWER_MM = 2.5
_OWN_EDGE_PX = 3
"""So much of a card at its own edges is not compared: its border fades into what lies beside it."""
NEAR_MOST = 0.02
"""So near to the lightest that a camera tells nothing more is told."""
_BANDS = 8
_LINE_BESIDE_PX = 9
_FLAT, _FLAT_PX, _LEAST_FLAT, _LEAST_BANDS = 0.08, (3, 5), 0.12, 3
"""Printing that changes less than the first about a pixel is flat; of a band's height so much must be, in so many
bands, for a line to be told."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A card as it would lie. By column: the share of pixels that were not printed there (`strange`), that cannot be
    judged for light (`lost`), and how dark a line runs there from top to bottom (`line`). `extent` columns from the
    left are as printed. `art` is what is printed, with the light on it, and `seen` what shows; `move` goes from the
    card to the row's picture."""

    strange: Plane
    lost: Plane
    line: Plane
    art: Plane
    seen: Plane
    move: npt.NDArray[np.float64]
    extent: int


def laid_at(
    whiteness: Plane, art: Plane, at: tuple[float, float], pivot: Points, degrees: float, most: np.float32 | None
) -> Laid:
    """A card whose upper left corner lies at a point of a picture, turned about a point of its own.

    `art` is its whiteness as printed. `most` is the lightest that a camera can tell, under glare, else None.
    """
    turn = np.deg2rad(degrees)
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    x0, y0 = int(np.floor(at[0])), int(np.floor(at[1]))
    move = np.array([[cos, sin, 0.0], [-sin, cos, 0.0]])
    move[:, 2] = pivot + np.array([at[0] - x0, at[1] - y0]) - move[:, :2] @ pivot
    size = (art.shape[1] + 1, art.shape[0] + 1)
    art = np.asarray(cv2.warpAffine(art, move, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
    seen = _part(whiteness, x0, y0, *size)
    high, low = lightest_and_darkest(art)
    lost = np.zeros_like(art)
    if most is not None:
        light, lost = light_on(seen, low, float(most))
        high, low, art = (np.minimum(plane + light, most) for plane in (high, low, art))
        seen = np.minimum(seen, most)
    inner = slice(round(_UPPER_AND_LOWER_MM * _Q), -round(_UPPER_AND_LOWER_MM * _Q))
    strange = (not_printed(seen, high, low) * (1 - lost))[inner].mean(axis=0)
    strange[:_OWN_EDGE_PX] = strange[-_OWN_EDGE_PX:] = 0
    near = np.ones(_FLAT_PX, np.uint8)
    flat = (cv2.dilate(high, near) - cv2.erode(low, near) < _FLAT)[inner]
    shows = flat if most is None else flat & (art < most - np.float32(NEAR_MOST))[inner]
    line = _line((art - seen)[inner], shows)
    move[:, 2] += (x0, y0)
    return Laid(
        np.asarray(strange, np.float32),
        np.asarray(lost[inner].mean(axis=0), np.float32),
        line,
        np.asarray(art, np.float32),
        seen,
        move,
        _extent(strange),
    )


def _line(darker: Plane, flat: npt.NDArray[np.bool_]) -> Plane:
    """How much darker each column is than what is printed, in all bands of its height but one, against others nearby.

    Only where the printing is `flat` can that be told; a column where it is so in hardly any band is 0.
    """
    rows = np.linspace(0, len(flat), _BANDS + 1).astype(int)
    told = np.add.reduceat(flat.astype(np.float32), rows[:-1], axis=0)
    sums = np.add.reduceat(np.where(flat, darker, 0).astype(np.float32), rows[:-1], axis=0)
    bands = np.where(told >= _LEAST_FLAT * len(flat) / _BANDS, sums / np.maximum(told, 1), np.inf)
    weakest = np.partition(bands, 1, axis=0)[1]
    known = (np.isfinite(bands).sum(axis=0) >= _LEAST_BANDS) & np.isfinite(weakest)
    weakest = np.where(known, weakest, 0).astype(np.float32)
    reach = _LINE_BESIDE_PX // 2
    around = np.lib.stride_tricks.sliding_window_view(np.pad(weakest, reach, mode="edge"), _LINE_BESIDE_PX)
    return np.asarray(weakest - np.median(around, axis=1), np.float32)


def _part(plane: Plane, left: int, top: int, width: int, height: int) -> Plane:
    """A part of a picture, 0 where it reaches beyond."""
    part = np.zeros((height, width), np.float32)
    rows = slice(max(0, top), max(0, min(plane.shape[0], top + height)))
    columns = slice(max(0, left), max(0, min(plane.shape[1], left + width)))
    part[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = plane[rows, columns]
    return part


def _extent(strange: npt.NDArray[np.floating]) -> int:
    """How many columns from the left are as printed."""
    off = np.flatnonzero(np.convolve(strange, np.ones(3) / 3, "same") > _STRANGE_COLUMN)
    return int(off[0]) if off.size else len(strange)
