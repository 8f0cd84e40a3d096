"""Counting the left edges in an upright picture of overlapping cards, and telling what is doubtful about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.counting.outline import WORK_PX_PER_MM
from vision.counting.shadows import doubled
from vision.edges import Edge, band_profiles, find_edges
from vision.pictures import Picture, u8

_EDGE_SURE, _EDGE_NONE = 0.17, 0.14
"""A rise at or above the first is an edge, below the second it is none. Over generated spreads true edges rise by 0.22
at least and anything else by 0.11 at most."""
_FAINT = 0.3
"""What rises by less than this share of the weakest clear edge of its row is print or noise, and not in doubt."""
_APART_MM = 2.4
LEAST_PITCH_MM = 3.0
_WIDEST, _NARROWEST = 1.6, 0.55
"""Of the usual distance of two edges: outside, an edge is missing or one too many."""
_BEYOND = 0.85
"""What rises by less than this share of the row's faintest edge is print on the last card."""
_SAME_PX = 1.2 * WORK_PX_PER_MM
_PAPER_LEVEL = 200.0


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Edges, left to right; `doubt` says what is wrong with them, empty if nothing is. `margin` is 0 to 1."""

    edges: tuple[Edge, ...]
    doubt: str = ""
    margin: float = 1.0
    doubled: int = 0
    """How many of the edges throw the shadow of two cards."""
    told: bool = True
    """Whether shadows tell one card from two."""


def find_row(
    whiteness: Picture,
    brightness: Picture,
    first_px: float,
    last_px: float,
    high_px: float,
    clear_px: float,
) -> Row:
    """Left edges between two columns in an upright picture at `WORK_PX_PER_MM`, of cards `high_px` high.

    `whiteness` is the darkest and `brightness` the lightest channel. From the last of the columns on to `clear_px` only
    the last card's own print may show.
    """
    even = _evenly_lit(whiteness)
    profiles = band_profiles(even, _PAPER_LEVEL, whiteness.shape[0] / 2, high_px, WORK_PX_PER_MM)
    candidates = find_edges(profiles, first_px, last_px, high_px, WORK_PX_PER_MM, _APART_MM)
    candidates = _once(candidates)
    edges = tuple(edge for edge in candidates if edge.rise >= _EDGE_SURE and edge.bordered)
    if not edges:
        return Row((), "no edge of a card is clear")
    unclear = [edge for edge in candidates if edge.rise >= _EDGE_NONE and edge not in edges]
    faint = _FAINT * min(edge.rise for edge in edges)
    if any(faint <= edge.rise < _EDGE_SURE for edge in unclear):
        return Row(edges, "an edge is neither clearly there nor clearly not")
    beyond = find_edges(profiles, last_px, clear_px, high_px, WORK_PX_PER_MM, _APART_MM) if clear_px > last_px else []
    usual_rise = max(_EDGE_SURE, _BEYOND * min(edge.rise for edge in edges[1:] or edges))
    if any(edge.rise >= usual_rise and edge.bordered and edge.x - edges[-1].x > _SAME_PX for edge in beyond):
        return Row(edges, "an edge shows where nothing but the last card should")
    steps = np.diff([edge.x for edge in edges])
    if steps.size:
        usual = float(np.median(steps))
        if usual < LEAST_PITCH_MM * WORK_PX_PER_MM:
            return Row(edges, f"the cards lie closer than {LEAST_PITCH_MM:g} mm")
        if steps.max() > _WIDEST * usual or steps.min() < _NARROWEST * usual:
            return Row(edges, "the cards do not lie evenly: one may hide in a gap")
    noise = max((edge.rise for edge in candidates if edge not in edges), default=0.0)
    weakest = min(edge.rise for edge in edges)
    margin = min(1.0, (weakest - _EDGE_NONE) / 0.06, (_EDGE_SURE - noise) / 0.05)
    pairs = doubled(whiteness, brightness, edges, high_px)
    return Row(edges, "", min(margin, pairs.clear), pairs.deep, pairs.told)


def _once(candidates: Sequence[Edge]) -> list[Edge]:
    """Of candidates that are the same line the clearest."""
    return [
        edge
        for edge in candidates
        if not any(abs(edge.x - other.x) < _SAME_PX and other.rise > edge.rise for other in candidates)
    ]


def _evenly_lit(whiteness: Picture) -> Picture:
    """The picture as if paper were equally light in all columns."""
    columns = np.percentile(whiteness, 90, axis=0).astype(np.float32).reshape(1, -1)
    reach = round(20 * WORK_PX_PER_MM) | 1
    widest = cv2.dilate(columns, np.ones((1, reach), np.uint8), borderType=cv2.BORDER_REPLICATE)
    paper = np.asarray(cv2.GaussianBlur(widest, (reach, 1), 0), np.float32)
    return u8(np.clip(whiteness * (_PAPER_LEVEL / np.maximum(paper, 1.0)), 0, 255).astype(np.uint8))
