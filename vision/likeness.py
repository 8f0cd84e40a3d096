"""How like what is seen is to what was enrolled: unit vectors of whiteness and redness, and how near a rival comes."""

import numpy as np

from vision.printed import Plane

REDNESS_WEIGHT = 0.8
LEAST_LIKENESS = 0.72
RIVAL_LIMIT = 0.30
"""How far towards a rival (0 is the card itself, 1 the rival) a sight may lie and still be named."""


def unit_vectors(whiteness: Plane, redness: Plane) -> Plane:
    """Unit vectors `(n, d)` from two planes `(n, d / 2)`: whiteness about its mean, and redness."""
    whole = np.concatenate(
        [whiteness - whiteness.mean(axis=1, keepdims=True), redness * np.float32(REDNESS_WEIGHT)], axis=1
    )
    return np.asarray(whole / np.maximum(np.linalg.norm(whole, axis=1, keepdims=True), 1e-6), np.float32)


def towards_rivals(likeness: Plane, alike: Plane, best: int) -> Plane:
    """How far from the best card towards each other one a sight lies, `(n,)`, 0.5 being half way; -1 for the best.

    `likeness` is that of the sight to each card, `alike` that of the best card to each. A card that is the same as the
    best is as near as can be, 1.
    """
    apart = 1 - alike
    shift = (likeness / max(float(likeness[best]), 1e-6) - 1) + apart
    towards = np.where(apart > 1e-6, shift / np.maximum(2 * apart, 1e-6), 1.0)
    towards[best] = -1
    return np.asarray(towards, np.float32)
