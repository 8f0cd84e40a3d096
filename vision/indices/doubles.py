"""No card is told twice: what was seen a second time is left out, and what may have been is left unread."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.pictures import Points, holds
from vision.readings import CardReading

_WIDENED = 1.12
"""An outline made from two indices may be a little small."""
_MAY_BE = 1.4
"""Where indices are large or a card is seen askew, it may be smaller still."""
_PARALLEL = 0.75
_BESIDE, _ASTRAY = 4.5, 1.3
_BELOW, _ASIDE = (0.8, 6.5), 5.0
"""Heights of an index within which two may be those of one card, as of decks with one in each corner: the same way
up beside each other, or upside down to each other below and to either side."""


def without_doubles(cards: Sequence[CardReading]) -> list[CardReading]:
    """Cards without those that were seen a second time: the same label within the outline of a whole card.

    An index whose label another card has, of which it may be a further index, is kept but loses its label.
    """
    kept: list[CardReading] = []
    for card in sorted(cards, key=lambda one: (one.index_only, -one.confidence)):
        same = [one for one in kept if one.label is not None and one.label == card.label]
        middle = card.corners.mean(axis=0)
        if any(not one.index_only and holds(_widened(one.corners, _WIDENED), *middle) for one in same):
            continue
        doubtful = card.index_only and any(may_be_one(card, one) for one in same)
        kept.append(replace(card, label=None) if doubtful else card)
    return kept


def _widened(outline: Points, by: float) -> Points:
    middle = outline.mean(axis=0)
    return np.asarray(middle + (outline - middle) * by)


def may_be_one(index: CardReading, other: CardReading) -> bool:
    """Whether an index may be a further one of another card of the same label, of which an index or all is known."""
    up, own = _up(index), _up(other)
    turned = float(up @ own) / float(np.hypot(*up) * np.hypot(*own))
    if abs(turned) < _PARALLEL:
        return False
    middle = index.corners.mean(axis=0)
    if not other.index_only:
        return holds(_widened(other.corners, _MAY_BE), *middle)
    height = float(np.hypot(*up) + np.hypot(*own)) / 2
    mean = up / np.hypot(*up) + own / np.hypot(*own) * np.sign(turned)
    mean /= np.hypot(*mean)
    away = (other.corners.mean(axis=0) - middle) / height
    across, down = abs(float(away @ np.array([-mean[1], mean[0]]))), -float(away @ mean)
    if turned > 0:
        return abs(down) < _ASTRAY and across < _BESIDE
    return _BELOW[0] < down < _BELOW[1] and across < _ASIDE


def _up(card: CardReading) -> Points:
    return np.asarray(card.corners[0] - card.corners[3], np.float64)
