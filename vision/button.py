"""Finding the dealer button: a white disc on one of the spots printed for it."""

import cv2
import numpy as np

from vision.pictures import Picture

_PRESENT = 1.15
_ABSENT = 0.70
"""Whiteness of a spot as a share of the felt beside it: above the first a button lies there, below the second none."""
_ROUND_SLACK = 0.25
_REACH = 1.4
"""How far from the middle of its spot, in radii, a button may still reach; beyond, cards may lie."""


def button_here(tile: Picture, radius_px: float) -> tuple[bool | None, float]:
    """Whether a button lies in the middle of a square tile, None when unclear, and how clear it is (0 to 1)."""
    size = tile.shape[0]
    y, x = np.mgrid[0 : tile.shape[0], 0 : tile.shape[1]]
    away = np.hypot(x - (size - 1) / 2, y - (size - 1) / 2)
    whiteness = tile.min(axis=2)
    felt = float(np.median(tile.max(axis=2)[away > radius_px * 1.3]))
    if felt < 12:
        return None, 0.0
    level = float(whiteness[away < radius_px * 0.85].mean()) / felt
    if level < _ABSENT:
        return False, min(1.0, (_ABSENT - level) / 0.25)
    if level < _PRESENT:
        return None, 0.0
    white = float(np.percentile(whiteness[away < radius_px], 96))
    _, mask = cv2.threshold(whiteness, 0.55 * white, 255, cv2.THRESH_BINARY)
    mask[away > radius_px * _REACH] = 0
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None, 0.0
    disc = cv2.convexHull(max(contours, key=cv2.contourArea))
    _, found_px = cv2.minEnclosingCircle(disc)
    filling = float(cv2.contourArea(disc)) / (np.pi * found_px**2)
    if abs(found_px / radius_px - 1) > _ROUND_SLACK or filling < 0.8:
        return None, 0.0
    return True, min(1.0, (level - _PRESENT) / 0.3, (filling - 0.8) / 0.08)
