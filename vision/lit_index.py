"""Which card an index is whose ink light has made paler, at one end of it more than at the other.

What is left of ink is taken to change evenly over the index, across and down, and as much in its redness as in its
darkness, since light leaves red ink redder than black. A card explains an index as far as its own ink, so faded, agrees
with what shows; it is named where the next card leaves clearly more unexplained.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.deck import INDEX_MM, PX_PER_MM, EnrolledDeck
from vision.likeness import REDNESS_WEIGHT
from vision.printed import SOFTNESS_PX, Plane

_BESIDE_PX = 1
"""How far an index may lie from where it was found."""


@dataclass(frozen=True, slots=True)
class Fit:
    """`face` is the number of the card that explains an index best, `likeness`, 0 to 1, how well, and `rivals` how
    many times as much the next card leaves unexplained."""

    face: int
    likeness: float
    rivals: float


def fitted(deck: EnrolledDeck, whiteness: Plane, redness: Plane) -> Fit:
    """The card of an index. Both planes are its box at the deck's density, a pixel more at each side, in shares of
    paper white, cut off where a camera tells no more. The deck must have its faces."""
    even, inks = _even(), _faded_inks(deck)
    tall, wide = (side - 2 * _BESIDE_PX for side in whiteness.shape)
    windows = []
    for y in range(2 * _BESIDE_PX + 1):
        for x in range(2 * _BESIDE_PX + 1):
            white = whiteness[y : y + tall, x : x + wide].ravel()
            red = redness[y : y + tall, x : x + wide].ravel() * np.float32(REDNESS_WEIGHT)
            windows.append(np.concatenate([white - even @ (even.T @ white), red]))
    seen = np.array(windows, np.float32).T
    whole = np.maximum(np.square(seen).sum(axis=0), 1e-6)
    told = np.square(inks @ seen).reshape(len(SOFTNESS_PX), len(deck.labels), -1, seen.shape[1]).sum(axis=2)
    left = np.maximum(1 - told / whole, 1e-6)
    softness = np.unravel_index(int(left.argmin()), left.shape)[0]
    unexplained = left[softness].min(axis=1)
    face = int(unexplained.argmin())
    least, next_least = np.partition(unexplained, 1)[:2] if len(unexplained) > 1 else (unexplained[0], np.inf)
    return Fit(face, float(np.sqrt(1 - least)), float(next_least / least))


def _slopes(tall: int, wide: int) -> Plane:
    """What changes evenly over an index, `(3, tall * wide)`: nothing, across, and down."""
    y, x = np.mgrid[-1 : 1 : tall * 1j, -1 : 1 : wide * 1j]
    return np.asarray(np.stack([np.ones_like(x), x, y]).reshape(3, -1), np.float32)


def _box() -> tuple[slice, slice]:
    left, upper, right, lower = (round(v * PX_PER_MM) for v in INDEX_MM)
    return slice(upper, lower), slice(left, right)


@lru_cache(maxsize=1)
def _even() -> Plane:
    """Unit vectors of paper that is lit evenly, as columns: nothing of them tells one card from another."""
    rows, columns = _box()
    return np.asarray(np.linalg.qr(_slopes(rows.stop - rows.start, columns.stop - columns.start).T)[0], np.float32)


@lru_cache(maxsize=4)
def _faded_inks(deck: EnrolledDeck) -> Plane:
    """Unit vectors of the ink of each index at each softness, faded evenly, as rows: three for each card."""
    if deck.printed is None:
        raise ValueError("this deck has no faces")
    even, (rows, columns) = _even(), _box()
    inks = []
    for softness in range(len(SOFTNESS_PX)):
        for white, red in deck.printed.soft(softness)[0][:, :, rows, columns]:
            slopes = _slopes(*white.shape)
            darker = (white.ravel() - 1) * slopes
            darker = darker - (darker @ even) @ even.T
            faded = np.concatenate([darker, red.ravel() * np.float32(REDNESS_WEIGHT) * slopes], axis=1)
            inks.append(np.linalg.qr(faded.T)[0].T)
    return np.asarray(np.concatenate(inks), np.float32)
