"""Whether an index that stands alone is printed on a card: one of the card's edges runs straight along beside it.

What stands over a suit on a chip, in a line of text or on felt can be read like an index, but has no such edge. Upon
white paper, as in the midst of a row, an edge may not show: there the cards beside it do.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, shrunk, u8
from vision.readings import CardReading

_HIGH_PX = 20.0
"""How high an index is looked at."""
_MIDDLE, _VIEW_PX = 1.4, (64, 64)
"""Where the middle of an index lies in the view, from the left and from above, in heights of it; the view's size."""
_BESIDE, _ALONG_BESIDE = (0.26, 0.8), (-0.5, 1.5)
_ABOVE, _ALONG_ABOVE = (0.52, 1.15), (-0.35, 1.4)
"""Heights of an index from its middle within which a card's left and upper edges lie, and along which they are seen.
A chip's rim is as near, but bends away."""
_LEANS = np.linspace(-0.3, 0.3, 13)
_SHARE = 12.0
"""Percentage of an edge that need not show."""
_LEAST_KNOWN = 0.6
_LEAST_STEP = 0.08
"""How much lighter than what is beyond, as a share of its own light, a card is at its edge."""
_NEXT, _ALIKE, _PARALLEL = 3.5, 1.35, 0.8
"""How many heights from an index that of the card beside it stands at most, or that card's edge; how many times as high
it may be, and the cosine of how far it may be turned against it."""
View = npt.NDArray[np.uint8]


def upon_cards(picture: Picture, cards: Sequence[CardReading]) -> list[CardReading]:
    """Cards found in a BGR picture; those of one index alone that is on no card lose their label."""
    lone = [card for card in cards if card.label is not None and card.index_only]
    sure = [card for card in lone if beside_an_edge(picture, card.corners)]
    doubtful = [card for card in lone if not any(card is other for other in sure)]
    sure += [card for card in cards if card.label is not None and not card.index_only]
    while beside := [card for card in doubtful if any(_next_to(card, other) for other in sure)]:
        sure += beside
        doubtful = [card for card in doubtful if not any(card is other for other in beside)]
    return [replace(card, label=None) if any(card is other for other in doubtful) else card for card in cards]


def beside_an_edge(picture: Picture, index: Points) -> bool:
    """Whether a card's left or upper edge shows, in a BGR picture, beside an index with these corners `(4, 2)`,
    clockwise from its own upper left."""
    view, known = _upright(picture, index)
    middle = round(_MIDDLE * _HIGH_PX)
    half = round(_HIGH_PX / 2)
    own = view[middle - half : middle + half, middle - half // 2 : middle + half // 2]
    least = _LEAST_STEP * float(np.percentile(own.max(axis=2), 85))
    if _edge(view, known, _BESIDE, _ALONG_BESIDE) >= least:
        return True
    above, seen = np.ascontiguousarray(view.transpose(1, 0, 2)), np.ascontiguousarray(known.T)
    return _edge(u8(above), u8(seen), _ABOVE, _ALONG_ABOVE) >= least


def _next_to(index: CardReading, other: CardReading) -> bool:
    """Whether an index lies as that of the card beside another one does."""
    up, own = (np.asarray(card.corners[0] - card.corners[3], np.float64) for card in (index, other))
    high = float(np.hypot(*up))
    x, y = (float(v) for v in index.corners.mean(axis=0))
    if not other.index_only:
        ring = other.corners.astype(np.float32).reshape(-1, 1, 2)
        return cv2.pointPolygonTest(ring, (x, y), True) > -_NEXT * high
    size = float(np.hypot(*own))
    away = np.hypot(*(other.corners.mean(axis=0) - (x, y)))
    alike = max(high, size) < _ALIKE * min(high, size) and float(up @ own) > _PARALLEL * high * size
    return alike and bool(away < _NEXT * high)


def _upright(picture: Picture, index: Points) -> tuple[View, View]:
    """An index upright with what lies left of it and above, and 255 where that is within the picture."""
    x, y = (float(v) for v in index.mean(axis=0))
    up = np.asarray(index[0] - index[3], np.float64)
    high = float(np.hypot(*up))
    reach = int(2.6 * high) + 3
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    part = picture[top : int(y) + reach + 1, left : int(x) + reach + 1]
    if part.size == 0:
        return (u8(np.zeros((*_VIEW_PX, 3), np.uint8)), u8(np.zeros(_VIEW_PX, np.uint8)))
    shrink = min(1.0, 1.8 * _HIGH_PX / high)
    part = shrunk(part, shrink)
    ux, uy = up / high
    move = np.array([[-uy, ux], [-ux, -uy]]) * _HIGH_PX / (high * shrink)
    at = np.array([x + 0.5 - left, y + 0.5 - top]) * shrink - 0.5
    to_view = np.column_stack([move, np.full(2, _MIDDLE * _HIGH_PX) - move @ at])
    view = cv2.warpAffine(part, to_view, _VIEW_PX, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    known = cv2.warpAffine(np.full(part.shape[:2], 255, np.uint8), to_view, _VIEW_PX)
    return u8(view), u8(known)


def _edge(view: View, known: View, away: tuple[float, float], along: tuple[float, float]) -> float:
    """The step from dark to light, in levels, at the clearest straight line that leans little, left of the index."""
    middle = _MIDDLE * _HIGH_PX
    rows = slice(int(middle + along[0] * _HIGH_PX), int(middle + along[1] * _HIGH_PX))
    first, last = int(middle - away[1] * _HIGH_PX), int(middle - away[0] * _HIGH_PX)
    best = 0.0
    for lean in _LEANS:
        move = np.array([[1, -lean, lean * middle], [0, 1.0, 0]])
        seen = cv2.warpAffine(known, move, _VIEW_PX)[rows, first - 2 : last + 1]
        if float((seen > 128).mean()) < _LEAST_KNOWN:
            continue
        straight = cv2.warpAffine(view, move, _VIEW_PX, borderMode=cv2.BORDER_REPLICATE)[rows].astype(np.float32)
        steps = straight[:, first + 1 : last + 2] - straight[:, first - 2 : last - 1]
        best = max(best, float(np.percentile(steps, _SHARE, axis=0).max()))
    return best
