"""Counting the left edges in an upright picture of overlapping cards, and telling what is doubtful about them."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.counting.outline import WORK_PX_PER_MM
from vision.edges import Edge, Profiles, band_profiles, find_edges
from vision.pictures import Picture, u8

_EDGE_SURE, _EDGE_NONE = 0.17, 0.14
"""A rise at or above the first is an edge, below the second it is none. Over generated spreads true edges rise by 0.22
at least and anything else by 0.11 at most."""
_APART_MM = 2.4
LEAST_PITCH_MM = 3.0
_WIDEST, _NARROWEST = 1.6, 0.55
"""Of the usual distance of two edges: outside, an edge is missing or one too many."""
_LINE_MM = 1.6
"""From the shadow before an edge to the edge."""
_DEEPER, _DARKER = 0.15, 0.12
"""Two cards that lie on one another throw a shadow that is deeper by the first, and takes away the second of the light
before the edge, as shares of it. Their sum, each as a share of these, is what the next two speak of."""
_LEAST_DEEPER, _MOST_FROM_WIDTH = 0.3, 1.2
_STANDS_OUT, _APART = 1.2, 0.7
_LEAST_COMPARED = 5
_MOST_DOUBLED = 3
_PAPER_LEVEL = 200.0

Line = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Edges, left to right; `doubt` says what is wrong with them, empty if nothing is. `margin` is 0 to 1."""

    edges: tuple[Edge, ...]
    doubt: str = ""
    margin: float = 1.0
    doubled: int = 0
    """How many of the edges throw the shadow of two cards."""


def find_row(whiteness: Picture, brightness: Picture, first_px: float, last_px: float, high_px: float) -> Row:
    """Left edges between two columns in an upright picture at `WORK_PX_PER_MM`, of cards `high_px` high.

    `whiteness` is the darkest and `brightness` the lightest channel.
    """
    even = _evenly_lit(whiteness)
    profiles = band_profiles(even, _PAPER_LEVEL, whiteness.shape[0] / 2, high_px, WORK_PX_PER_MM)
    candidates = find_edges(profiles, first_px, last_px, high_px, WORK_PX_PER_MM, _APART_MM)
    edges = tuple(edge for edge in candidates if edge.rise >= _EDGE_SURE and edge.bordered)
    if not edges:
        return Row((), "no edge of a card is clear")
    unclear = [edge for edge in candidates if edge.rise >= _EDGE_NONE and edge not in edges]
    if any(edge.rise < _EDGE_SURE for edge in unclear):
        return Row(edges, "an edge is neither clearly there nor clearly not")
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
    return Row(edges, "", margin, _doubled(brightness, edges, high_px))


def _evenly_lit(whiteness: Picture) -> Picture:
    """The picture as if paper were equally light in all columns."""
    columns = np.percentile(whiteness, 90, axis=0).astype(np.float32).reshape(1, -1)
    reach = round(20 * WORK_PX_PER_MM) | 1
    widest = cv2.dilate(columns, np.ones((1, reach), np.uint8), borderType=cv2.BORDER_REPLICATE)
    paper = np.asarray(cv2.GaussianBlur(widest, (reach, 1), 0), np.float32)
    return u8(np.clip(whiteness * (_PAPER_LEVEL / np.maximum(paper, 1.0)), 0, 255).astype(np.uint8))


def _doubled(brightness: Picture, edges: tuple[Edge, ...], high_px: float) -> int:
    """How many edges throw a much deeper and wider shadow than the others do.

    What shows of the card below an edge depends on the step to it, so a shadow is compared with what the others let
    expect at its step. The first card lies on the felt, and is not told.
    """
    if len(edges) < _LEAST_COMPARED:
        return 0
    profiles: Profiles = band_profiles(brightness, 255.0, brightness.shape[0] / 2, high_px, WORK_PX_PER_MM)
    depth, light = np.array([_shadow(profiles, edge, high_px) for edge in edges[1:]]).T
    steps = np.diff([edge.x for edge in edges]) / WORK_PX_PER_MM
    deeper, darker = _beyond(steps, depth), -_beyond(steps, light) / max(float(np.median(light)), 1e-3)
    deep, dark = deeper / _DEEPER, np.minimum(darker / _DARKER, _MOST_FROM_WIDTH)
    # Print beside an edge may darken a wide strip; only what is deeper too is a shadow.
    ranked = np.sort(np.where(deep > _LEAST_DEEPER, deep + dark, 0.0))[::-1]
    most = min(_MOST_DOUBLED, len(ranked) - 2)
    return next((n + 1 for n in range(most) if ranked[n] > _STANDS_OUT and ranked[n] - ranked[n + 1] > _APART), 0)


def _beyond(steps: Line, values: Line) -> Line:
    """What values are beyond a smooth curve over the steps that the odd ones among them do not bend."""
    degree = 3 if len(values) >= 14 else 2 if len(values) >= 8 else 1
    weights, beyond = np.ones(len(values)), np.zeros(len(values))
    for _ in range(4):
        beyond = values - np.polyval(np.polyfit(steps, values, degree, w=weights), steps)
        usual = float(np.median(np.abs(beyond))) + 1e-4
        weights = 1 / np.maximum(1.0, np.abs(beyond) / (2 * usual))
    return np.asarray(beyond, np.float64)


def _shadow(profiles: Profiles, edge: Edge, high_px: float) -> tuple[float, float]:
    """The share of light that is missing along the darkest line before an edge, and the light before the edge."""
    bands = len(profiles)
    shares, lights = [], []
    for number, band in enumerate(profiles):
        x = edge.x + edge.slant * (number - (bands - 1) / 2) / bands * high_px
        line = band[max(0, round(x - _LINE_MM * WORK_PX_PER_MM)) : round(x) + 2]
        before = band[max(0, round(x - 3.2 * WORK_PX_PER_MM)) : max(1, round(x - 2.0 * WORK_PX_PER_MM))]
        if line.size and before.size:
            shares.append(1 - float(line.min()) / max(float(np.median(before)), 1e-3))
            lights.append(float(band[max(0, round(x - 3.0 * WORK_PX_PER_MM)) : round(x) + 1].mean()))
    return (float(np.percentile(shares, 25)), float(np.median(lights))) if shares else (0.0, 0.0)
