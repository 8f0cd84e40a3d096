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
_LEAST_RISE = 0.05
"""Where no edge is clear, as of white cards on white cards, what rises by less is noise."""
_GREY, _WHITE = 0.5, 0.95
"""A rise counts for nothing where it ends in the first, as a share of paper, and fully where in the second: print on
a card has light spots too."""
_STEP, _STEP_OF_FEW, _FEW = 0.55, 0.35, 3
"""How much fainter than the faintest edge of a row what is none must be; of a few edges, whose distances tell less."""
_PAPER = 0.85
"""How white, as a share of paper, the border beside a faint edge is."""
_STEP_AT_END = 0.3
"""The same for what may be the edge of one card more at the end of a row, where no distance tells of it."""
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


Span = tuple[float, float]
"""Between which columns an edge lies."""


def find_row(whiteness: Picture, brightness: Picture, starts: Span, ends: Span, high_px: float, clear_px: float) -> Row:
    """Left edges in an upright picture at `WORK_PX_PER_MM`, of cards `high_px` high.

    `whiteness` is the darkest and `brightness` the lightest channel. The row reaches from one end to the other if its
    first edge lies within `starts` and its last within `ends`. From there on to `clear_px` only the last card's own
    print may show.
    """
    even = _evenly_lit(whiteness)
    profiles = band_profiles(even, _PAPER_LEVEL, whiteness.shape[0] / 2, high_px, WORK_PX_PER_MM)
    candidates = find_edges(profiles, starts[0], ends[1], high_px, WORK_PX_PER_MM, _APART_MM)
    candidates = _once(candidates)
    beyond = find_edges(profiles, ends[1], clear_px, high_px, WORK_PX_PER_MM, _APART_MM) if clear_px > ends[1] else []
    row = _clear_row(candidates, beyond, starts, ends)
    if row.doubt:
        row = _row_by_contrast(candidates, beyond, starts, ends) or row
    if row.doubt:
        return row
    pairs = doubled(whiteness, brightness, row.edges, high_px)
    return Row(row.edges, "", min(row.margin, pairs.clear), pairs.deep, pairs.told)


def _clear_row(candidates: Sequence[Edge], beyond: Sequence[Edge], starts: Span, ends: Span) -> Row:
    """The row of all edges that are clear by themselves."""
    edges = tuple(edge for edge in candidates if edge.rise >= _EDGE_SURE and edge.bordered)
    if not edges:
        return Row((), "no edge of a card is clear")
    others = [edge for edge in candidates if edge not in edges]
    faint = _FAINT * min(edge.rise for edge in edges)
    if any(max(faint, _EDGE_NONE) <= edge.rise < _EDGE_SURE for edge in others):
        return Row(edges, "an edge is neither clearly there nor clearly not")
    doubt = _laid_wrongly(edges, beyond, starts, ends, _EDGE_SURE)
    noise = max((_strength(edge) for edge in others), default=0.0)
    weakest = min(edge.rise for edge in edges)
    margin = min(1.0, (weakest - _EDGE_NONE) / 0.06, (_EDGE_SURE - noise) / 0.05)
    usual = min((_strength(edge) for edge in edges[1:]), default=1.0)
    ambiguous = any(_strength(edge) > _STEP_AT_END * usual and edge.x > edges[-1].x for edge in others)
    # What is grey is print on many cards, but may be a card's edge among few.
    ambiguous |= len(edges) <= _FEW and any(edge.rise > _STEP_OF_FEW * usual for edge in others)
    if not doubt and (margin <= 0 or ambiguous):
        doubt = "an edge is neither clearly there nor clearly not"
    return Row(edges, doubt, margin)


def _row_by_contrast(candidates: Sequence[Edge], beyond: Sequence[Edge], starts: Span, ends: Span) -> Row | None:
    """The row of all edges that stand out from whatever else rises in the picture, however faint they are; None unless
    one way to part the two, and no other, leaves a row that reaches evenly from one end to the other."""
    at_start = [edge for edge in candidates if starts[0] <= edge.x <= starts[1]]
    if not at_start:
        return None
    first = max(at_start, key=_strength)
    others = sorted((edge for edge in candidates if edge.x > first.x), key=_strength, reverse=True)
    found: list[Row] = []
    for count in range(1, len(others) + 1):
        weakest = _strength(others[count - 1])
        if weakest < _LEAST_RISE:
            break
        few = count < _FEW
        strongest = max((edge.rise if few else _strength(edge) for edge in others[count:]), default=0.0)
        most = _STEP_OF_FEW if few else _STEP
        edges = (first, *sorted(others[:count], key=lambda edge: edge.x))
        after = max((_strength(edge) for edge in others[count:] if edge.x > edges[-1].x), default=0.0)
        grey = any(edge.border < _PAPER for edge in edges)
        if grey or strongest > most * weakest or after > _STEP_AT_END * weakest:
            continue
        if not _laid_wrongly(edges, beyond, starts, ends, _LEAST_RISE):
            found.append(Row(edges, "", min(1.0, max(0.0, 1 - strongest / weakest) / 0.6)))
    return found[0] if len(found) == 1 else None


def _strength(edge: Edge) -> float:
    """How much an edge rises, less where it does not rise to white."""
    return edge.rise * min(1.0, max(0.0, (edge.border - _GREY) / (_WHITE - _GREY)))


def _laid_wrongly(edges: tuple[Edge, ...], beyond: Sequence[Edge], starts: Span, ends: Span, least: float) -> str:
    """What tells that these are not all the edges of one row, or not only these; empty if nothing does."""
    usual_rise = max(least, _BEYOND * min(edge.rise for edge in edges[1:] or edges))
    if any(edge.rise >= usual_rise and edge.bordered and edge.x - edges[-1].x > _SAME_PX for edge in beyond):
        return "an edge shows where nothing but the last card should"
    steps = np.diff([edge.x for edge in edges])
    if steps.size:
        usual = float(np.median(steps))
        if usual < LEAST_PITCH_MM * WORK_PX_PER_MM:
            return f"the cards lie closer than {LEAST_PITCH_MM:g} mm"
        if steps.max() > _WIDEST * usual or steps.min() < _NARROWEST * usual:
            return "the cards do not lie evenly: one may hide in a gap"
    if not (starts[0] <= edges[0].x <= starts[1] and ends[0] < edges[-1].x < ends[1]):
        return "the cards that show do not reach from one end to the other"
    return ""


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
