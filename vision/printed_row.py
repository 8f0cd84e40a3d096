"""A row of cards told by what is printed on them: where the lines between cards are faint or misleading.

From left to right each card is found by its index or its back, and its whole face is laid where it must lie. What shows
of it must be what was enrolled, up to where the next card lies on it. So printing is never taken for another card's
edge, and a card that nobody named would show as printing where none is. Unless all that shows is told, nothing is.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.deck import (
    BACK_STRIP_MM,
    INDEX_MM,
    PX_PER_MM,
    EnrolledDeck,
    back_colour,
    index_vectors,
    unit_vectors,
)
from vision.pictures import Picture, Points
from vision.printed import SOFTNESS_PX, Plane, Printed, whiteness_redness
from vision.resolved import Identity

_Q = PX_PER_MM
_AT_MM = 2.0
"""How far the outermost cards' edges may lie from the ends of the paper."""
_LEAST_GAP_MM = 10.0
"""Cards that show less of themselves are not told apart here: their indices do not show."""
_SEEN = 0.72
"""An index at least so much like an enrolled one may be one."""
_APART_PX = 4
_SEARCH_PX = 3
"""How far above and below the row's own place an index is searched."""
_SLANTS_DEG = (0.0, -0.6, 0.6, -1.2, 1.2)
_CLEARLY = 0.004
_FAR_OFF = 0.16
"""A pixel whose whiteness lies so far outside what is printed within a pixel of it was not printed there."""
_BAD_COLUMN = 0.06
"""Of a card's height: where a strip of three columns has more pixels that were not printed, something else lies."""
_BAD_SHARE = 0.01
_EDGE_PX = 3
"""So many columns at a card's own edges are not compared: its border fades into what lies beside it."""
_END_MM = 4.0
_SHADOW_MM = 1.6
"""At the left of a card lies its shadow upon the one before."""
_BACK_ROWS_MM = (45.0, 76.0)
_BANDS = 8
_LINE = 0.035
"""A line over the whole height, darker by this than what is printed, is the edge of a card nobody named."""
_LINE_BESIDE_PX = 9
_FLAT, _LEAST_FLAT, _LEAST_BANDS = 0.08, 0.12, 3
_LINE_FROM_MM, _LINE_TO_MM = 2.4, 2.0
_CLIPPED = 0.985
_LIGHT_PX = 15
_DARKER = -0.12
"""How much darker than the lightest paper a part may be where no glare lies."""
_NOT_TOLD = 2.0
_MOST_UNSEEN = 0.12
"""Share of what shows of a card that may be lost in light."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """One card of a row. `corners` are `(4, 2)` pixels of the row's picture, clockwise from the card's upper left.

    `identity` is None for a back, whose name is `back`. `agrees`, 0 to 1, says how well what shows is as enrolled.
    """

    corners: Points
    identity: Identity | None
    back: str | None
    agrees: float


@dataclass(frozen=True, slots=True)
class _Sign:
    """Where a card may begin: its picture's corner, and its number among the faces, or among the backs."""

    left: float
    top: float
    face: int | None = None
    back: int = 0
    window: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A card as it would lie. By column: the share of pixels that were not printed there, that cannot be judged for
    light, and how dark a line runs there from top to bottom."""

    bad: Plane
    unseen: Plane
    line: Plane
    move: npt.NDArray[np.float64]
    extent: int


class _Row:
    """One picture of a row, and the deck it is of."""

    def __init__(
        self,
        picture: Picture,
        white: float,
        deck: EnrolledDeck,
        printed: Printed,
        ends: tuple[float, float],
        top: float,
        glare: bool,
    ) -> None:
        self.picture, self.white, self.deck, self.printed = picture, white, deck, printed
        self.ends, self.top, self.glare = ends, top, glare
        self.whiteness, redness = whiteness_redness(picture, white)
        self.height, self.width = printed.faces.shape[2:]
        left, upper, right, lower = (round(v * _Q) for v in INDEX_MM)
        self.box = (left, upper, right - left, lower - upper)
        self.known: dict[_Sign, list[PrintedCard] | None] = {}
        self.softness = 0  # where no index fits into the picture there may still be backs
        self.signs = self._faces_seen(redness) + self._backs_seen()

    def _faces_seen(self, redness: Plane) -> list[_Sign]:
        left, upper, wide, tall = self.box
        first = max(0, round(self.top) + upper - _SEARCH_PX)
        start = max(0, round(self.ends[0] - _AT_MM * _Q) + left)
        part = (slice(first, first + tall + 2 * _SEARCH_PX), slice(start, round(self.ends[1])))
        planes = [self.whiteness[part], redness[part]]
        if planes[0].shape[0] < tall or planes[0].shape[1] < wide:
            return []
        seen = unit_vectors(*(_windows(plane, (tall, wide)) for plane in planes))
        places, best = planes[0].shape[1] - wide + 1, -1.0
        for softness in range(len(SOFTNESS_PX)):
            likeness = seen @ index_vectors(self.deck, softness).T
            highest = likeness.max(axis=1).reshape(-1, places).max(axis=0)
            score = float(np.square(np.maximum(highest - _SEEN, 0)).sum())
            if score > best:
                best, self.softness, self.likeness = score, softness, likeness
        each = self.likeness.max(axis=1).reshape(-1, places)
        signs = []
        for x in _peaks(each.max(axis=0), _SEEN, _APART_PX):
            y = int(each[:, x].argmax())
            window = y * places + x
            face = int(self.likeness[window].argmax())
            signs.append(_Sign(float(start + x - left), float(first + y - upper), face, 0, window))
        return signs

    def _backs_seen(self) -> list[_Sign]:
        """A back begins its border's width before paper turns into pattern."""
        first, last = (round(v * _Q) for v in _BACK_ROWS_MM)
        top = max(0, round(self.top))
        profile = self.whiteness[top + first : top + last].mean(axis=0)
        signs = []
        for number, back in enumerate(self.printed.soft(self.softness)[1]):
            own = back[first:last].mean(axis=0)
            level = (float(own[1:4].max()) + float(own[6:14].mean())) / 2
            dark = np.flatnonzero(own[2:20] < level)
            if not dark.size:
                continue
            border = 2 + _fall(own[2:20], int(dark[0]), level)
            falls = np.flatnonzero((profile[1:] < level) & (profile[:-1] >= level)) + 1
            signs += [_Sign(_fall(profile, int(x), level) - border, self.top, None, number) for x in falls]
        return signs

    def laid(self, sign: _Sign) -> _Laid:
        """The card at the slant at which most of it is as printed."""
        faces, backs = self.printed.soft(self.softness)
        art = faces[sign.face, 0] if sign.face is not None else backs[sign.back]
        ways = [self._laid_at(art, sign, degrees) for degrees in _SLANTS_DEG]
        best = ways[0]
        for laid in ways[1:]:
            if self._misfit(laid) < self._misfit(best) - _CLEARLY:
                best = laid
        return best

    def _misfit(self, laid: _Laid) -> float:
        return float(laid.bad[: max(laid.extent, 12)].mean() - laid.extent / self.width)

    def _laid_at(self, art: Plane, sign: _Sign, degrees: float) -> _Laid:
        turn = np.deg2rad(degrees)
        cos, sin = float(np.cos(turn)), float(np.sin(turn))
        left, upper, wide, tall = self.box
        pivot = np.array([wide / 2 + left, tall / 2 + upper] if sign.face is not None else [0, self.height / 2])
        x0, y0 = int(np.floor(sign.left)), int(np.floor(sign.top))
        move = np.array([[cos, sin, 0.0], [-sin, cos, 0.0]])
        move[:, 2] = pivot + np.array([sign.left - x0, sign.top - y0]) - move[:, :2] @ pivot
        size = (self.width + 1, self.height + 1)
        art = np.asarray(cv2.warpAffine(art, move, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        seen = _part(self.whiteness, x0, y0, *size)
        kernel = np.ones((3, 3), np.uint8)
        high, low = np.asarray(cv2.dilate(art, kernel), np.float32), np.asarray(cv2.erode(art, kernel), np.float32)
        unseen = np.zeros_like(art)
        if self.glare:
            light, unseen = _light_on(seen, low)
            high, low, art = (np.minimum(plane + light, 1) for plane in (high, low, art))
        bad = ((seen > high + _FAR_OFF) | (seen < low - _FAR_OFF)).astype(np.float32) * (1 - unseen)
        inset = round(2.5 * _Q)
        shares = bad[inset:-inset].mean(axis=0)
        shares[:_EDGE_PX] = shares[-_EDGE_PX:] = 0
        lost = unseen[inset:-inset].mean(axis=0)
        near = np.ones((3, 5), np.uint8)
        flat = (cv2.dilate(high, near) - cv2.erode(low, near) < _FLAT)[inset:-inset]
        line = _line((art - seen)[inset:-inset], flat)
        move[:, 2] += (x0, y0)
        return _Laid(np.asarray(shares, np.float32), np.asarray(lost, np.float32), line, move, _extent(shares))

    def parsed(self, sign: _Sign) -> list[PrintedCard] | None:
        """The row from this card on to the right end of the paper."""
        if sign not in self.known:
            self.known[sign] = self._parsed(sign)
        return self.known[sign]

    def _parsed(self, sign: _Sign) -> list[PrintedCard] | None:
        laid = self.laid(sign)
        if abs(sign.left + self.width - self.ends[1]) <= _AT_MM * _Q:
            card = self._told(sign, laid, self.width) if laid.extent >= self.width - round(_END_MM * _Q) else None
            return None if card is None else [card]
        least, most = sign.left + _LEAST_GAP_MM * _Q, sign.left + laid.extent + _SHADOW_MM * _Q + 1
        after = sorted((s for s in self.signs if least <= s.left <= most), key=lambda s: -s.left)
        for follower in after[:3]:
            card = self._told(sign, laid, int(follower.left - sign.left))
            rest = None if card is None else self.parsed(follower)
            if card is not None and rest is not None:
                return [card, *rest]
        return None

    def _told(self, sign: _Sign, laid: _Laid, shows: int) -> PrintedCard | None:
        """The card, if all of it that shows is as printed, no strange edge lies on it, and light has not hidden it."""
        shown = slice(2, shows - round(_SHADOW_MM * _Q) if shows < self.width else shows)
        bad = float(laid.bad[shown].mean())
        strange = laid.line[round(_LINE_FROM_MM * _Q) : shows - round(_LINE_TO_MM * _Q)]
        if bad > _BAD_SHARE or float(laid.unseen[shown].mean()) > _MOST_UNSEEN:
            return None
        if sign.face is not None and (strange > _LINE).any():
            return None
        agrees = max(0.0, 1 - bad / _BAD_SHARE)
        outline = np.array([(0, 0), (self.width, 0), (self.width, self.height), (0, self.height)]) - 0.5
        corners = outline @ laid.move[:, :2].T + laid.move[:, 2]
        if sign.face is None:
            return PrintedCard(corners, None, self._back_name(sign, shows), agrees)
        return PrintedCard(corners, self.deck.named(self.likeness[sign.window], self.softness), None, agrees)

    def _back_name(self, sign: _Sign, shows: int) -> str | None:
        left, _, right, bottom = (round(v * _Q) for v in BACK_STRIP_MM)
        x, y = round(sign.left), round(sign.top)
        right = max(left + 1, min(right, shows - round(_SHADOW_MM * _Q)))
        strip = self.picture[y + round(_BACK_ROWS_MM[0] * _Q) : y + bottom, x + left : x + right]
        return self.deck.back_name(back_colour(strip, self.white)) if strip.size else None


def read_printed_row(
    picture: Picture, white: float, deck: EnrolledDeck, ends: tuple[float, float], top: float, glare: bool = False
) -> tuple[PrintedCard, ...] | None:
    """The cards of a row in an upright picture at the deck's density, left to right; None unless all is told.

    `white` is the level of blank paper, `ends` are the columns between which paper shows, `top` its upper row. With
    `glare`, light may lie on the row that makes all of it lighter, up to white.
    """
    if deck.printed is None:
        return None
    row = _Row(picture, white, deck, deck.printed, ends, top, glare)
    for sign in sorted(row.signs, key=lambda s: abs(s.left - ends[0])):
        if abs(sign.left - ends[0]) > _AT_MM * _Q:
            break
        cards = row.parsed(sign)
        if cards is not None:
            return tuple(cards)
    return None


def _light_on(seen: Plane, low: Plane) -> tuple[Plane, Plane]:
    """How much lighter each part of a card is than it was enrolled, and 1 where that is not to be told.

    Light changes slowly: what is lighter over less than some millimetres is another printing. `low` is the darkest that
    is printed within a pixel.
    """
    lighter = np.where(seen < _CLIPPED, cv2.blur(seen - low, (3, 3)), _NOT_TOLD).astype(np.float32)
    over = cv2.morphologyEx(lighter, cv2.MORPH_OPEN, np.ones((_LIGHT_PX, _LIGHT_PX), np.uint8))
    unseen = ((over >= 1) & (low < 0.8)).astype(np.float32)
    return np.asarray(np.clip(over, _DARKER, 1), np.float32), unseen


def _line(darker: Plane, flat: npt.NDArray[np.bool_]) -> Plane:
    """How much darker each column is than what is printed, in all bands of its height but one, against others nearby.

    Only where the printing is `flat` can that be told; a column where it is so in hardly any band is 0.
    """
    rows = np.linspace(0, len(flat), _BANDS + 1).astype(int)
    told = np.add.reduceat(flat.astype(np.float32), rows[:-1], axis=0)
    sums = np.add.reduceat(np.where(flat, darker, 0).astype(np.float32), rows[:-1], axis=0)
    bands = np.where(told >= _LEAST_FLAT * len(flat) / _BANDS, sums / np.maximum(told, 1), np.inf)
    weakest = np.partition(bands, 1, axis=0)[1]
    known = (np.isfinite(bands).sum(axis=0) >= _LEAST_BANDS) & np.isfinite(weakest)
    weakest = np.where(known, weakest, 0).astype(np.float32)
    reach = _LINE_BESIDE_PX // 2
    around = np.lib.stride_tricks.sliding_window_view(np.pad(weakest, reach, mode="edge"), _LINE_BESIDE_PX)
    return np.asarray(weakest - np.median(around, axis=1), np.float32)


def _part(plane: Plane, left: int, top: int, width: int, height: int) -> Plane:
    """A part of a picture, 0 where it reaches beyond."""
    part = np.zeros((height, width), np.float32)
    rows = slice(max(0, top), max(0, min(plane.shape[0], top + height)))
    columns = slice(max(0, left), max(0, min(plane.shape[1], left + width)))
    part[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = plane[rows, columns]
    return part


def _windows(plane: Plane, shape: tuple[int, int]) -> Plane:
    return np.lib.stride_tricks.sliding_window_view(plane, shape).reshape(-1, shape[0] * shape[1])


def _extent(bad: npt.NDArray[np.floating]) -> int:
    """How many columns from the left are as printed."""
    off = np.flatnonzero(np.convolve(bad, np.ones(3) / 3, "same") > _BAD_COLUMN)
    return int(off[0]) if off.size else len(bad)


def _peaks(values: Plane, least: float, apart: int) -> list[int]:
    taken: list[int] = []
    for index in np.argsort(values, kind="stable")[::-1]:
        if values[index] < least:
            break
        if all(abs(int(index) - other) > apart for other in taken):
            taken.append(int(index))
    return taken


def _fall(profile: Plane, x: int, level: float) -> float:
    """Where, between columns `x - 1` and `x`, a profile falls through a level."""
    if x == 0:
        return 0.0
    before, after = float(profile[x - 1]), float(profile[x])
    return x - 1 + (before - level) / max(before - after, 1e-6)
