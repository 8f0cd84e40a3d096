"""Gaps between the cards of a row: where one could hide a card, or is too narrow to be one, the row is not told."""

from collections.abc import Sequence
from itertools import pairwise

WIDEST_GAP = 1.5
"""Of the narrowest gap of the row, and of the most at which cards are laid; none is so much narrower than the least."""


def evenly_laid(left_mm: Sequence[float], pitch_mm: tuple[float, float]) -> bool:
    """Whether no gap between cards, given by where each begins, first to last, is so wide that a card may lie there of
    which nothing shows, nor so narrow that what was taken for a card may be none.

    `pitch_mm` is the least and the most at which cards are laid.
    """
    gaps = [after - before for before, after in pairwise(left_mm)]
    if not gaps:
        return True
    least, most = pitch_mm
    return max(gaps) <= WIDEST_GAP * min(most, *gaps) and min(gaps) >= least / WIDEST_GAP
