"""Where cards of a row may begin: an index, upright or turned, or the border of a back."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.deck import INDEX_MM, PX_PER_MM, EnrolledDeck, index_vectors
from vision.likeness import unit_vectors
from vision.lit_index import Fit, fitted
from vision.pictures import Picture, darkest_channel
from vision.printed import SOFTNESS_PX, Plane, Printed, whiteness_redness
from vision.printed_light import CLIPPED, paper_unlit
from vision.resolved import Identity
from vision.scene import JOKER

_Q = PX_PER_MM
AT_MM = 2.0
"""How far the outermost cards' edges may lie from the ends of the paper."""
APART_PX = 4
_SEEN = 0.72
"""An index at least so much like an enrolled one may be one."""
_SURELY_SEEN = 0.8
"""Printing that is no index is never so much like one."""
_LEAST_ALONE = 0.92
_RIVALS = 1.08
"""How many times as much as the named card any other must leave unexplained of an index under light. Of 783 indices
made paler on purpose those that were named wrongly as they are had 1.02 at most."""
_RIVALS_OF_FAINT, _LEAST_FIT, _LEAST_FIT_TURNED, _LEAST_FIT_JOKER = 1.25, 0.75, 0.8, 0.9
"""The same where an index is too faint to be like one as it is, and how well the card must explain it. Of the same
indices those that another card explained best had 1.16 at most, where no index was 1.13; turned about, edges of lit
felt were explained as the joker's narrow index, to 0.87."""
_SEARCH_PX, _WIDE_SEARCH_PX = 3, 7
"""How far above and below the row's own place an index is searched, and where that place is not known."""
BACK_ROWS_MM = (45.0, 76.0)
_UPPER_ROWS_MM = (12.0, 43.0)
_BACK_SHAPE_PX = 14
_BACK_SEEN = 0.8
_LEAST_SHAPE, _FAINTEST_SHAPE, _FAINT_SEEN = 0.12, 0.07, 0.92
"""How much a profile must change to have a back's shape, and how alike it must be."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Where a card may begin: its picture's corner, and its number among the faces, or among the backs."""

    left: float
    top: float
    face: int | None = None
    back: int = 0
    window: int = 0
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a row may lie, in pixels: between two columns, from an upper row on that is known well or only about."""

    ends: tuple[float, float]
    top: float
    about: bool = False


@dataclass(slots=True)
class _Part:
    """A part of the picture in which indices are sought: both its planes, where it lies, and all windows of it."""

    white: Plane
    red: Plane
    x: int
    y: int
    turned: bool
    seen: Plane = field(default_factory=lambda: np.zeros((0, 0), np.float32))


class Signs:
    """One picture of a row, and the signs of cards in it.

    `whiteness` is in shares of paper without glare, `most` the lightest of them that a camera can tell.
    """

    def __init__(
        self, picture: Picture, white: float, deck: EnrolledDeck, printed: Printed, bounds: Bounds, glare: bool
    ) -> None:
        self.deck, self.printed, self.bounds, self.glare = deck, printed, bounds, glare
        self.whiteness, self._redness = whiteness_redness(picture, white)
        self.most = np.float32(1)
        self.height, self.width = printed.faces.shape[2:]
        left, upper, right, lower = (round(v * _Q) for v in INDEX_MM)
        self.box = (left, upper, right - left, lower - upper)
        self.softness = 0  # where no index fits into the picture there may still be backs
        self.likeness = np.zeros((0, len(deck.labels)), np.float32)
        parts = [self._upright(), self._turned()] if glare else [self._upright()]
        self._in_light: dict[int, Identity] = {}
        self._look(parts)
        self.all = [sign for part in parts for sign in self._found(part)]
        if glare:
            levels = np.asarray(darkest_channel(picture), np.float32)
            unlit = paper_unlit([self._index(levels, sign) for sign in self.all], white)
            self.whiteness = levels / np.float32(unlit)
            self.most = np.float32(CLIPPED / unlit)
            self.all += self._backs_in_light()
        else:
            self.all += self._backs()

    def named(self, sign: Sign) -> Identity:
        """The card of an index. Where the picture may be softer still than the softest that it is compared with, or
        only the lower index shows, of one that agrees well; under glare, or where it is not told so, as light may have
        left it."""
        likeness = float(self.likeness[sign.window].max())
        if not self.glare and ((self.softness < len(SOFTNESS_PX) - 1 and not sign.turned) or likeness >= _LEAST_ALONE):
            named = self.deck.named(self.likeness[sign.window], self.softness)
            if named.label is not None or likeness < _LEAST_ALONE:
                return named
        return self._told_in_light(sign)

    def clear(self, sign: Sign) -> bool:
        """Whether a sign is an index without doubt, even if it is not clear which."""
        if sign.face is None:
            return False
        likeness = float(self.likeness[sign.window].max())
        return likeness >= _SURELY_SEEN or (self.glare and self._told_in_light(sign).label is not None)

    def _told_in_light(self, sign: Sign) -> Identity:
        """The card of an index that light may have made paler at one end, or of the same card's other index."""
        if sign.window not in self._in_light:
            told = self._explained(sign)
            for other in self.all:
                if told.label is None and _of_one_card(sign, other):
                    told = self._explained(other)
            self._in_light[sign.window] = told
        return self._in_light[sign.window]

    def _explained(self, sign: Sign) -> Identity:
        """The card that explains an index, clearly better than any other. One that is like none as it is must be
        explained better, unless the lower one of the same card says the same; so must a lower one alone."""
        likeness, fit = float(self.likeness[sign.window].max()), self._fit(sign)
        unnamed = Identity(None, 0.0, likeness)
        if fit is None or fit.rivals < _RIVALS:
            return unnamed
        label = self.deck.labels[fit.face]
        if sign.turned and fit.likeness < (_LEAST_FIT_JOKER if label == JOKER else _LEAST_FIT_TURNED):
            return unnamed
        softest = self.softness == len(SOFTNESS_PX) - 1
        named = self.deck.named(self.likeness[sign.window], self.softness)
        if named.label is not None and likeness >= (_LEAST_ALONE if softest or sign.turned else _SURELY_SEEN):
            return named
        twice = any(self._fit(other) is not None for other in self.all if _of_one_card(sign, other))
        if softest or fit.likeness < _LEAST_FIT or (fit.rivals < _RIVALS_OF_FAINT and not twice):
            return unnamed
        return Identity(label, min(1.0, fit.rivals - 1), likeness)

    def _fit(self, sign: Sign) -> Fit | None:
        """How a sign's card explains it under light; None where another explains it better."""
        left, upper, wide, tall = self.box
        x, y = round(sign.left) + left - 1, round(sign.top) + upper - 1
        if sign.turned:
            x, y = round(sign.left) + self.width - left - wide - 1, round(sign.top) + self.height - upper - tall - 1
        part = (slice(max(0, y), y + tall + 2), slice(max(0, x), x + wide + 2))
        white, red = np.minimum(self.whiteness[part], self.most), self._redness[part]
        if white.shape != (tall + 2, wide + 2):
            return None
        fit = fitted(self.deck, *((white[::-1, ::-1], red[::-1, ::-1]) if sign.turned else (white, red)))
        return fit if fit.face == sign.face else None

    def _upright(self) -> "_Part":
        left, upper, _, tall = self.box
        search = _WIDE_SEARCH_PX if self.bounds.about else _SEARCH_PX
        first = max(0, round(self.bounds.top) + upper - search)
        start = max(0, round(self.bounds.ends[0] - AT_MM * _Q) + left)
        part = (slice(first, first + tall + 2 * search), slice(start, round(self.bounds.ends[1])))
        return _Part(self.whiteness[part], self._redness[part], start - left, first - upper, False)

    def _turned(self) -> "_Part":
        """Where a card's index at its lower right may be: the last one's shows, and light may have hidden the other.

        Turned about, it is like that at the upper left.
        """
        left, upper, wide, tall = self.box
        search = _WIDE_SEARCH_PX if self.bounds.about else _SEARCH_PX
        right = round(self.bounds.ends[1] + AT_MM * _Q) - left
        last = round(self.bounds.top) + self.height - upper + search
        start = 0 if self.bounds.about else max(0, round(right - wide - 2 * AT_MM * _Q))
        part = (slice(max(0, last - tall - 2 * search), last), slice(start, right))
        white, red = self.whiteness[part][::-1, ::-1], self._redness[part][::-1, ::-1]
        return _Part(white, red, start + white.shape[1], part[0].start + white.shape[0], True)

    def _look(self, parts: list["_Part"]) -> None:
        """Compare all windows of some parts with the deck, as soft as agrees with most of them."""
        _, _, wide, tall = self.box
        for part in parts:
            if part.white.shape[0] >= tall and part.white.shape[1] >= wide:
                part.seen = unit_vectors(*(_windows(plane, (tall, wide)) for plane in (part.white, part.red)))
        best = -1.0
        for softness in range(len(SOFTNESS_PX)):
            vectors = index_vectors(self.deck, softness).T
            alike = [part.seen @ vectors for part in parts if part.seen.size]
            score = 0.0
            for part, likeness in zip((part for part in parts if part.seen.size), alike, strict=True):
                highest = likeness.max(axis=1).reshape(-1, part.white.shape[1] - wide + 1).max(axis=0)
                score += float(np.square(np.maximum(highest - _SEEN, 0)).sum())
            if alike and score > best:
                best, self.softness, self.likeness = score, softness, np.concatenate(alike)

    def _found(self, part: "_Part") -> list[Sign]:
        left, upper, wide, _ = self.box
        if not part.seen.size:
            return []
        first = 0 if not part.turned else len(self.likeness) - len(part.seen)
        places = part.white.shape[1] - wide + 1
        each = self.likeness[first : first + len(part.seen)].max(axis=1).reshape(-1, places)
        signs = []
        for x in _peaks(each.max(axis=0), _SEEN, APART_PX):
            y = int(each[:, x].argmax())
            window = first + y * places + x
            at_x, at_y = part.x + x, part.y + y
            if part.turned:
                at_x, at_y = part.x - x - self.width + left, part.y - y - self.height + upper
            signs.append(Sign(float(at_x), float(at_y), int(self.likeness[window].argmax()), 0, window, part.turned))
        return signs

    def _index(self, levels: Plane, sign: Sign) -> tuple[Plane, Plane]:
        """The index at the upper left of a sign's card, as levels, and as it is printed."""
        left, upper, wide, tall = self.box
        x, y = max(0, round(sign.left) + left), max(0, round(sign.top) + upper)
        seen = levels[y : y + tall, x : x + wide]
        art = self.printed.soft(self.softness)[0][sign.face, 0, upper : upper + tall, left : left + wide]
        return seen, art[: seen.shape[0], : seen.shape[1]]

    def _back_profile(self, rows_mm: tuple[float, float] = BACK_ROWS_MM) -> tuple[int, int, Plane]:
        first, last = (round(v * _Q) for v in rows_mm)
        top = max(0, round(self.bounds.top))
        return first, last, np.asarray(self.whiteness[top + first : top + last].mean(axis=0), np.float32)

    def _backs(self) -> list[Sign]:
        """A back begins its border's width before paper turns into pattern."""
        first, last, profile = self._back_profile()
        signs = []
        for number, back in enumerate(self.printed.soft(self.softness)[1]):
            own = back[first:last].mean(axis=0)
            level = (float(own[1:4].max()) + float(own[6:14].mean())) / 2
            dark = np.flatnonzero(own[2:20] < level)
            if not dark.size:
                continue
            border = 2 + _fall(own[2:20], int(dark[0]), level)
            falls = np.flatnonzero((profile[1:] < level) & (profile[:-1] >= level)) + 1
            signs += [Sign(_fall(profile, int(x), level) - border, self.bounds.top, None, number) for x in falls]
        return signs

    def _backs_in_light(self) -> list[Sign]:
        """Backs by the shape of border and pattern, at whatever level light has left them, below or above."""
        likest = np.zeros(self.whiteness.shape[1], np.float32)
        number = np.zeros(likest.shape, int)
        for rows_mm in (BACK_ROWS_MM, _UPPER_ROWS_MM):
            first, last, profile = self._back_profile(rows_mm)
            seen = np.pad(np.minimum(profile, self.most), (0, _BACK_SHAPE_PX - 1))
            windows = np.lib.stride_tricks.sliding_window_view(seen, _BACK_SHAPE_PX)
            off = windows - windows.mean(axis=1, keepdims=True)
            spread = np.sqrt(np.square(off).sum(axis=1))
            for back, art in enumerate(self.printed.soft(self.softness)[1]):
                own = art[first:last, :_BACK_SHAPE_PX].mean(axis=0)
                shape = (own - own.mean()) / max(float(np.linalg.norm(own - own.mean())), 1e-6)
                alike = off @ shape / np.maximum(spread, 1e-6)
                alike[(spread < _LEAST_SHAPE) & (alike < _FAINT_SEEN) | (spread < _FAINTEST_SHAPE)] = 0
                number[alike > likest] = back
                likest = np.maximum(likest, alike)
        return [Sign(float(x), self.bounds.top, None, int(number[x])) for x in _peaks(likest, _BACK_SEEN, APART_PX)]


def _of_one_card(one: Sign, other: Sign) -> bool:
    """Whether two signs are a card's upper index and its lower one."""
    near = abs(one.left - other.left) < APART_PX and abs(one.top - other.top) < APART_PX
    return near and one.face == other.face is not None and one.turned != other.turned


def _windows(plane: Plane, shape: tuple[int, int]) -> Plane:
    return np.lib.stride_tricks.sliding_window_view(plane, shape).reshape(-1, shape[0] * shape[1])


def _peaks(values: Plane, least: float, apart: int) -> list[int]:
    taken: list[int] = []
    for index in np.argsort(values, kind="stable")[::-1]:
        if values[index] < least:
            break
        if all(abs(int(index) - other) > apart for other in taken):
            taken.append(int(index))
    return taken


def _fall(profile: npt.NDArray[np.floating], x: int, level: float) -> float:
    """Where, between columns `x - 1` and `x`, a profile falls through a level."""
    if x == 0:
        return 0.0
    before, after = float(profile[x - 1]), float(profile[x])
    return x - 1 + (before - level) / max(before - after, 1e-6)
