"""Where indices of a row's cards show: at their upper left, and, turned about, at their lower right."""

from dataclasses import dataclass, field

import numpy as np

from vision.deck import PX_PER_MM, EnrolledDeck, index_box, index_vectors
from vision.likeness import unit_vectors
from vision.printed import SOFTNESS_PX, Plane
from vision.printed_signs import AT_MM, Bounds, Sign, peaks

_Q = PX_PER_MM
_SEEN = 0.72
"""An index at least so much like an enrolled one may be one."""
_SEARCH_PX, _WIDE_SEARCH_PX = 3, 7
"""How far above and below the row's own place an index is searched, and where that place is not known."""


@dataclass(frozen=True, slots=True)
class Indices:
    """`signs` are those of cards by their indices; `likeness`, `(windows, n)`, is how like each enrolled index each
    window of the picture is, by the number that a sign gives, and `softness` that of the picture."""

    signs: tuple[Sign, ...]
    likeness: Plane
    softness: int


@dataclass(slots=True)
class _Part:
    """A part of the picture in which indices are sought: both its planes, where it lies, and all windows of it."""

    white: Plane
    red: Plane
    x: int
    y: int
    turned: bool
    seen: Plane = field(default_factory=lambda: np.zeros((0, 0), np.float32))


@dataclass(frozen=True, slots=True)
class _Search:
    """What indices are sought in: both planes of a picture, in which cards are of a size in pixels."""

    white: Plane
    red: Plane
    height: int
    width: int
    bounds: Bounds

    def upright(self) -> _Part:
        left, upper, _, tall = index_box()
        search = _WIDE_SEARCH_PX if self.bounds.about else _SEARCH_PX
        first = max(0, round(self.bounds.top) + upper - search)
        start = max(0, round(self.bounds.ends[0] - AT_MM * _Q) + left)
        part = (slice(first, first + tall + 2 * search), slice(start, round(self.bounds.ends[1])))
        return _Part(self.white[part], self.red[part], start - left, first - upper, False)

    def turned(self) -> _Part:
        """Where a card's index at its lower right may be: the last one's shows, and light may have hidden the other.

        Turned about, it is like that at the upper left.
        """
        left, upper, wide, tall = index_box()
        search = _WIDE_SEARCH_PX if self.bounds.about else _SEARCH_PX
        right = round(self.bounds.ends[1] + AT_MM * _Q) - left
        last = round(self.bounds.top) + self.height - upper + search
        start = 0 if self.bounds.about else max(0, round(right - wide - 2 * AT_MM * _Q))
        part = (slice(max(0, last - tall - 2 * search), last), slice(start, right))
        white, red = self.white[part][::-1, ::-1], self.red[part][::-1, ::-1]
        return _Part(white, red, start + white.shape[1], part[0].start + white.shape[0], True)

    def found(self, part: _Part, likeness: Plane) -> list[Sign]:
        """Signs in a part, whose windows stand first among all if it is upright, and else last."""
        left, upper, wide, _ = index_box()
        if not part.seen.size:
            return []
        first = 0 if not part.turned else len(likeness) - len(part.seen)
        places = part.white.shape[1] - wide + 1
        each = likeness[first : first + len(part.seen)].max(axis=1).reshape(-1, places)
        signs = []
        for x in peaks(each.max(axis=0), _SEEN):
            y = int(each[:, x].argmax())
            window = first + y * places + x
            at_x, at_y = part.x + x, part.y + y
            if part.turned:
                at_x, at_y = part.x - x - self.width + left, part.y - y - self.height + upper
            signs.append(Sign(float(at_x), float(at_y), int(likeness[window].argmax()), 0, window, part.turned))
        return signs


def indices(
    white: Plane, red: Plane, deck: EnrolledDeck, size: tuple[int, int], bounds: Bounds, lower: bool
) -> Indices:
    """Find the indices of a row, in whiteness and redness at the deck's density, with `lower` also the turned ones.

    `size` is the height and width of a card in pixels. The deck must have its faces.
    """
    search = _Search(white, red, *size, bounds)
    parts = [search.upright(), search.turned()] if lower else [search.upright()]
    softness, likeness = _compared(parts, deck)
    return Indices(tuple(sign for part in parts for sign in search.found(part, likeness)), likeness, softness)


def _compared(parts: list[_Part], deck: EnrolledDeck) -> tuple[int, Plane]:
    """Compare all windows of some parts with the deck, as soft as agrees with most of them."""
    _, _, wide, tall = index_box()
    for part in parts:
        if part.white.shape[0] >= tall and part.white.shape[1] >= wide:
            part.seen = unit_vectors(*(_windows(plane, (tall, wide)) for plane in (part.white, part.red)))
    best, best_softness = -1.0, 0  # where no index fits into the picture there may still be backs
    best_likeness = np.zeros((0, len(deck.labels)), np.float32)
    for softness in range(len(SOFTNESS_PX)):
        vectors = index_vectors(deck, softness).T
        alike = [part.seen @ vectors for part in parts if part.seen.size]
        score = 0.0
        for part, likeness in zip((part for part in parts if part.seen.size), alike, strict=True):
            highest = likeness.max(axis=1).reshape(-1, part.white.shape[1] - wide + 1).max(axis=0)
            score += float(np.square(np.maximum(highest - _SEEN, 0)).sum())
        if alike and score > best:
            best, best_softness, best_likeness = score, softness, np.concatenate(alike)
    return best_softness, best_likeness


def _windows(plane: Plane, shape: tuple[int, int]) -> Plane:
    return np.lib.stride_tricks.sliding_window_view(plane, shape).reshape(-1, shape[0] * shape[1])
