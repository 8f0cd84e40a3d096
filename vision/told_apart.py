"""Which cards of a deck a camera can tell apart by their indices, and how fine it must be to tell them all."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.corners import Corners
from vision.printed import Plane
from vision.resolved import (
    LEAST_DENSITY,
    LEAST_USUAL_CLEARNESS,
    MOST_DENSITY,
    USUAL_MISFIT,
    Resolved,
    density_of,
    rung_of,
    usually_resolved,
)

_SURE_CLEARNESS = 7.0
"""A camera that resolves so much of the nearest two cards, in pictures that fit as usual, named all but few."""


@dataclass(frozen=True, slots=True)
class Need:
    """The least density, in pixels a millimetre, at which all cards are told apart with certainty, even in a picture
    somewhat soft or noisy, and the two cards that are nearest to each other there.

    `told_apart` is False where the density is the highest that a deck is known at, and does not suffice.
    """

    px_per_mm: float
    closest: tuple[str, str]
    told_apart: bool


@lru_cache(maxsize=8)
def need_of(corners: Corners) -> Need:
    """What a camera must resolve for a deck, found by trying one density after the other."""
    before = (0.0, 0.0)
    closest = corners.labels[0], corners.labels[-1]
    for rung in range(rung_of(MOST_DENSITY) + 1):
        resolved = usually_resolved(corners, rung)
        alike = resolved.indices_alike(moved=False)
        if _least_clear(alike, resolved) >= _SURE_CLEARNESS:  # else moving would only make them more alike
            alike = resolved.indices_alike()
        np.fill_diagonal(alike, -1)
        one, other = np.unravel_index(int(alike.argmax()), alike.shape)
        closest = (corners.labels[int(one)], corners.labels[int(other)])
        clear, density = _least_clear(alike, resolved), density_of(rung)
        if clear >= _SURE_CLEARNESS:
            share = (_SURE_CLEARNESS - before[1]) / (clear - before[1])
            return Need(round(max(LEAST_DENSITY, before[0] + share * (density - before[0])), 2), closest, True)
        before = density, clear
    return Need(MOST_DENSITY, closest, False)


@lru_cache(maxsize=8)
def never_told_apart(corners: Corners) -> tuple[tuple[str, str, float], ...]:
    """Pairs of cards that no camera tells apart, and how alike they are where all shows; the most alike first."""
    resolved = usually_resolved(corners, rung_of(MOST_DENSITY))
    alike = resolved.indices_alike()
    clear = np.sqrt(np.maximum(2 * (1 - alike), 0)) / 2 * resolved.sights / USUAL_MISFIT
    pairs = [
        (corners.labels[i], corners.labels[j], float(alike[i, j]))
        for i, j in zip(*np.nonzero(np.triu(clear < LEAST_USUAL_CLEARNESS, 1)), strict=True)
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair[2]))


def _least_clear(alike: Plane, resolved: Resolved) -> float:
    """Half the distance between the two cards that are most alike, in usual misfits of one pixel of the camera."""
    others = alike[~np.eye(len(alike), dtype=bool)]
    most = float(others.max()) if others.size else -1.0
    return float(np.sqrt(max(0.0, 2 * (1 - most)))) / 2 * resolved.sights / USUAL_MISFIT
