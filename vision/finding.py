"""What lies at a place, as far as outlines tell: nothing, a row of cards, a squared stack, or something unclear."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.edges import Edge, Profiles, band_profiles, find_edges, ramp_mm
from vision.gaps import WIDEST_GAP
from vision.paper import NoPaper, Paper, find_paper
from vision.pictures import Picture

HEIGHT_SLACK_MM = 2.2
"""How far the height of a row may differ from a card's: cards are laid a little above or below each other."""
_SINGLE_SLACK_MM = 1.6
STACK_EDGE_MM = (2.2, 12.0)
"""How much of the edge of a squared stack shows under its top card, least and most."""
_SHADE = (0.50, 0.93)
"""Levels of that edge as shares of paper white: in shade, yet not felt."""
EDGE_SURE = 0.070
EDGE_NONE = 0.040
"""A rise at or above the first is an edge, below the second it is none, and between them the camera abstains.

Over rendered tables true edges rise by 0.09 at least and anything else by 0.03 at most."""
_LEAST_GAP_MM = 3.5
_DENSE_WIDTH = 1.25
"""A row wider than so many cards surely holds two or more."""
_NARROWEST_GAP = 0.45
"""Of the usual gap: where one is wider, an edge may have been missed; where one is narrower, it is no card's."""
_ENDS_SLACK_MM = 2.4
_WIDEST_RAMP_MM = 3.4
"""A sharp picture goes from felt to paper in less; a wider ramp could hide an edge."""


class Kind(Enum):
    NOTHING = "nothing"
    ROW = "row"
    DENSE = "dense"
    """A row of cards that cannot all be told apart."""
    STACK = "stack"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """`edges` are the left edges of the cards that show. `margin`, 0 to 1, says how clear it all was."""

    kind: Kind
    margin: float = 0.0
    edges: tuple[Edge, ...] = ()
    paper: Paper | None = None
    maybe: tuple[Edge, ...] = ()
    """All that rises like a left edge in a row, weak or strong."""


def find_cards(
    picture: Picture, px_per_mm: float, card_mm: tuple[float, float], margin_mm: float, pitch_mm: tuple[float, float]
) -> Found:
    """Find the cards in an upright picture of one place, whose outer `margin_mm` shows the table around it.

    `pitch_mm` is the least and the most at which cards are laid there: a wider gap could hide a card, and a much
    narrower one is no card's.
    """
    paper = find_paper(picture, px_per_mm, margin_mm)
    if isinstance(paper, NoPaper):
        return Found(Kind.UNCLEAR) if paper.margin is None else Found(Kind.NOTHING, paper.margin)
    inset = 5 * px_per_mm
    inner = np.arange(int(paper.left + inset), int(paper.right - inset))
    if inner.size < 10 * px_per_mm:
        return Found(Kind.UNCLEAR)
    tall_mm = (paper.bottom - paper.top)[inner] / px_per_mm
    if np.percentile(tall_mm, 97) - np.percentile(tall_mm, 3) > 2 * HEIGHT_SLACK_MM:
        return Found(Kind.UNCLEAR, paper=paper)
    card_px = (card_mm[0] * px_per_mm, card_mm[1] * px_per_mm)
    middle_y = float(np.median(paper.top[inner])) + card_px[1] / 2
    profiles = band_profiles(paper.whiteness, paper.white, middle_y, card_px[1], px_per_mm)
    if ramp_mm(profiles, paper.left, px_per_mm) > _WIDEST_RAMP_MM:
        return Found(Kind.UNCLEAR, paper=paper)
    extra_mm = float(np.median(tall_mm)) - card_mm[1]
    single = abs(paper.right - paper.left - card_px[0]) < 4.0 * px_per_mm
    if single and extra_mm > _SINGLE_SLACK_MM:
        return _stack(paper, profiles, middle_y, extra_mm, card_px, px_per_mm)
    if abs(extra_mm) > (_SINGLE_SLACK_MM if single else HEIGHT_SLACK_MM):
        return Found(Kind.UNCLEAR, paper=paper)
    return _row(paper, profiles, card_px, px_per_mm, pitch_mm)


def _row(
    paper: Paper, profiles: Profiles, card_px: tuple[float, float], px_per_mm: float, pitch_mm: tuple[float, float]
) -> Found:
    """The cards of a row: the first edge is the left end of the paper, the last lies a card's width from its right."""
    wide = paper.right - paper.left > _DENSE_WIDTH * card_px[0]
    slack, last = _ENDS_SLACK_MM * px_per_mm, paper.right - card_px[0]
    candidates = find_edges(profiles, paper.left - slack, last + slack, card_px[1], px_per_mm, _LEAST_GAP_MM)
    maybe = tuple(candidates)
    unclear = Found(Kind.DENSE, 1.0, (), paper, maybe) if wide else Found(Kind.UNCLEAR, 0.0, (), paper, maybe)
    edges = tuple(edge for edge in candidates if edge.rise >= EDGE_SURE)
    if not edges or any(EDGE_NONE <= edge.rise < EDGE_SURE for edge in candidates):
        return unclear
    if not all(edge.bordered for edge in edges):
        return unclear
    if abs(edges[0].x - paper.left) > slack or abs(edges[-1].x - last) > slack:
        return unclear
    gaps = np.diff([edge.x for edge in edges])
    if gaps.size:
        widest = WIDEST_GAP * min(pitch_mm[1] * px_per_mm, float(np.median(gaps)))
        if gaps.max() > widest or gaps.min() < _NARROWEST_GAP * pitch_mm[0] * px_per_mm:
            return unclear
    noise = max((edge.rise for edge in candidates if edge.rise < EDGE_NONE), default=0.0)
    weakest = min(edge.rise for edge in edges)
    margin = min((weakest - EDGE_NONE) / 0.05, (EDGE_SURE - noise) / 0.04, 1.0)
    return Found(Kind.ROW, margin, edges, paper, maybe)


def _stack(
    paper: Paper,
    profiles: Profiles,
    middle_y: float,
    extra_mm: float,
    card_px: tuple[float, float],
    px_per_mm: float,
) -> Found:
    """A squared stack shows a shaded edge under its top card."""
    unclear = Found(Kind.UNCLEAR, paper=paper)
    low, high = STACK_EDGE_MM
    if not low < extra_mm < high:
        return unclear
    first = middle_y + card_px[1] / 2 + 0.8 * px_per_mm
    last = first + max(1.0, (extra_mm - 1.6) * px_per_mm)
    inset = 6 * px_per_mm
    strip = paper.whiteness[int(first) : round(last), int(paper.left + inset) : int(paper.right - inset)]
    shade = float(strip.mean()) / paper.white if strip.size else 0.0
    if not _SHADE[0] < shade < _SHADE[1]:
        return unclear
    slack = _ENDS_SLACK_MM * px_per_mm
    edges = find_edges(profiles, paper.left - slack, paper.left + slack, card_px[1], px_per_mm, _LEAST_GAP_MM)
    if not edges or edges[0].rise < EDGE_SURE:
        return unclear
    margin = min(1.0, (extra_mm - low) / 0.8, (_SHADE[1] - shade) / 0.08, (shade - _SHADE[0]) / 0.08)
    return Found(Kind.STACK, margin, tuple(edges[:1]), paper)
