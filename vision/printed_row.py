"""A row of cards told by what is printed on them: where the lines between cards are faint or misleading.

From left to right each card is found by its index or its back, and its whole face is laid where it must lie. What shows
of it must be what was enrolled, up to where the next card lies on it. So printing is never taken for another card's
edge, and a card that nobody named would show as printing where none is. Unless all that shows is told, nothing is.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck import BACK_STRIP_MM, INDEX_MM, PX_PER_MM, EnrolledDeck, back_colour
from vision.gaps import WIDEST_GAP, evenly_laid
from vision.pictures import Picture, Points
from vision.printed import Plane
from vision.printed_backs import BACK_ROWS_MM
from vision.printed_laid import NEAR_MOST, Laid, laid_at
from vision.printed_light import light_lies_on
from vision.printed_naming import Signs
from vision.printed_signs import APART_PX, AT_MM, Bounds, Sign
from vision.resolved import Identity

_Q = PX_PER_MM
_LEAST_GAP_MM = 10.0
"""Cards that show less of themselves are not told apart here: their indices do not show."""
_SLANTS_DEG = (0.0, -0.6, 0.6, -1.2, 1.2)
_LESS_STRANGE = 0.004
"""A slant is taken for another only where that much less of a card is strange. Cards lie within some 1.5 degrees."""
_STRANGE_SHARE = 0.01
"""Of what shows of a card. Of 1,003 faces that lay where they were laid, under light and without, 99 % had 0.003 at
most, and none more than 0.009."""
_END_MM = 4.0
"""How near to its right end a card must be as printed; its round corners and the blur about them lie beyond."""
_SHADOW_MM = 1.6
"""At the left of a card lies its shadow upon the one before."""
_BESIDE_MM = (1.5, 4.5)
"""Where felt is looked for beside a card: beyond its blur, and nearer than the narrowest part of another one."""
_INSET_PX = 10
_FELT_SEEN, _LEAST_FELT = 0.5, 0.2
"""Of the felt's colour, and of a card's height: where so much of it shows beside a card, no other card lies there."""
_LEAST_TOLD, _PLAIN, _FINE_PX, _PATTERNED = 0.1, 1e-3, 9, 0.3
"""How much of a back light must have left, in what is finer than some pixels, and how like the enrolled one that must
be: felt that is lit has no pattern."""
_LINE = 0.035
"""A line over the whole height, darker by this than what is printed, is the edge of a card nobody named. Of the same
faces without light 95 % had none as dark, the others in soft or noisy pictures."""
_LINE_LIT = 0.045
"""The same under glare, which is taken off less exactly; there 99 % had 0.033 at most."""
_LINE_FROM_MM, _LINE_TO_MM = 2.4, 2.0
"""Beyond a card's own border, and before the next one's edge."""
_WIDEST_TAIL_PX = 5
_MOST_LOST, _MOST_LOST_BACK, _MOST_LOST_NAMED = 0.12, 0.35, 0.35
"""Share of what shows of a card that may be lost in light. Of the same faces 99 % had lost 0.073 of it at most."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """One card of a row. `corners` are `(4, 2)` pixels of the row's picture, clockwise from the card's upper left.

    `identity` is None for a back, whose name is `back`. `agrees`, 0 to 1, says how well what shows is as enrolled.
    """

    corners: Points
    identity: Identity | None
    back: str | None
    agrees: float


class Row:
    """One picture of a row, and the deck it is of. `felt` says where felt shows, if the row's ends are not known."""

    def __init__(self, picture: Picture, white: float, signs: Signs, felt: Plane | None, widest: float) -> None:
        self.picture, self.white, self.seen, self.felt = picture, white, signs, felt
        self.deck, self.glare, self.most = signs.deck, signs.glare, signs.most
        self.height, self.width, self.ends = signs.height, signs.width, signs.bounds.ends
        self.widest = widest
        self.known: dict[Sign, list[PrintedCard] | None] = {}

    def laid(self, sign: Sign) -> Laid:
        """The card at the slant at which most of it is as printed."""
        faces, backs = self.seen.printed.soft(self.seen.softness)
        art = faces[sign.face, 0] if sign.face is not None else backs[sign.back]
        left, upper, wide, tall = self.seen.box
        pivot = np.array([wide / 2 + left, tall / 2 + upper] if sign.face is not None else [0, self.height / 2])
        most, at = self.most if self.glare else None, (sign.left, sign.top)
        ways = [laid_at(self.seen.whiteness, art, at, pivot, degrees, most) for degrees in _SLANTS_DEG]
        best = ways[0]
        for laid in ways[1:]:
            if self._misfit(laid) < self._misfit(best) - _LESS_STRANGE:
                best = laid
        return best

    def shows_whole(self, laid: Laid) -> bool:
        """Whether a card is as printed as far as its right end."""
        return bool(laid.extent >= self.width - round(_END_MM * _Q))

    def _misfit(self, laid: Laid) -> float:
        return float(laid.strange[: max(laid.extent, 12)].mean() - laid.extent / self.width)

    def first(self) -> list[Sign]:
        """Cards with which the row may begin, the likeliest first."""
        if self.felt is None:
            signs = sorted(
                self.seen.all,
                key=lambda s: (s.face is not None and self.seen.named(s).label is None, abs(s.left - self.ends[0])),
            )
            return [sign for sign in signs if abs(sign.left - self.ends[0]) <= AT_MM * _Q]
        beside, end = (v * _Q for v in _BESIDE_MM)
        return [s for s in sorted(self.seen.all, key=lambda s: s.left) if self._felt_at(s.left - end, s.left - beside)]

    def _ends_with(self, sign: Sign) -> bool:
        """Whether a card may be the last of the row."""
        if self.felt is None:
            return bool(abs(sign.left + self.width - self.ends[1]) <= AT_MM * _Q)
        right = sign.left + self.width
        return self._felt_at(right + _BESIDE_MM[0] * _Q, right + _BESIDE_MM[1] * _Q)

    def _lies_bare(self, sign: Sign, laid: Laid) -> bool:
        """Whether a face's lower index shows where the next card would lie upon it, though light has made white what is
        beside it. The pattern of a back goes on in the next one, so that felt alone tells where backs end."""
        if self.felt is None or sign.face is None or self.widest > self.width - round(INDEX_MM[2] * _Q):
            return False  # it would leave the index at the lower right free
        if not self.shows_whole(laid) or self._begins_after(sign):
            return False
        near = (s for s in self.seen.all if abs(s.left - sign.left) < APART_PX and s.face == sign.face)
        return any(s.turned and self.seen.clear(s) for s in near)

    def _begins_after(self, sign: Sign) -> bool:
        """Whether another card seems to begin upon this one, or to its right where the next would."""
        least, most = sign.left + _LEAST_GAP_MM * _Q, sign.left + max(self.width, WIDEST_GAP * self.widest)
        return any(least <= s.left <= most and (s.face is None or self.seen.clear(s)) for s in self.seen.all)

    def _felt_at(self, left: float, right: float) -> bool:
        """Whether felt shows between two columns, at some part of a card's height: where a card lies, none does."""
        if self.felt is None:
            return False
        rows = slice(
            max(0, round(self.seen.bounds.top) + _INSET_PX), round(self.seen.bounds.top) + self.height - _INSET_PX
        )
        strip = self.felt[rows, max(0, round(left)) : max(0, round(right))]
        return bool(strip.size > 0 and float((strip.mean(axis=1) > _FELT_SEEN).mean()) >= _LEAST_FELT)

    def before(self, card: PrintedCard) -> bool:
        """Whether an index shows clearly to the left of a card."""
        left = float(card.corners[[0, 3], 0].mean()) - APART_PX
        return any(s.face is not None and s.left < left and self.seen.clear(s) for s in self.seen.all)

    def last(self) -> PrintedCard | None:
        """The card at the right end, all of which shows."""
        for sign in self.seen.all:
            if self._ends_with(sign):
                row = self.parsed(sign)
                if row is not None:
                    return row[0]
        return None

    def parsed(self, sign: Sign) -> list[PrintedCard] | None:
        """The row from this card on to the right end of the paper."""
        if sign not in self.known:
            self.known[sign] = self._parsed(sign)
        return self.known[sign]

    def _parsed(self, sign: Sign) -> list[PrintedCard] | None:
        laid = self.laid(sign)
        if self._ends_with(sign) or self._lies_bare(sign, laid):
            card = self.told(sign, laid, self.width) if self.shows_whole(laid) else None
            if card is not None or self.felt is None:
                return None if card is None else [card]
        if sign.turned:
            return None  # of a card with another upon it the lower index is covered, or half of it
        least, most = sign.left + _LEAST_GAP_MM * _Q, sign.left + laid.extent + _SHADOW_MM * _Q + 1
        if self.glare:
            most = min(most, sign.left + WIDEST_GAP * self.widest)
        after = sorted(
            (s for s in self.seen.all if least <= s.left <= most),
            key=lambda s: (-s.left, s.face is not None and self.seen.named(s).label is None),
        )
        for follower in after[:3]:
            if self._skips(sign, follower):
                continue
            card = self.told(sign, laid, int(follower.left - sign.left))
            rest = None if card is None else self.parsed(follower)
            if card is not None and rest is not None:
                return [card, *rest]
        return None

    def _most_lost(self, sign: Sign) -> float:
        """How much of a card light may have hidden: more where its index tells clearly which one it is."""
        if sign.face is None:
            return _MOST_LOST_BACK
        return _MOST_LOST_NAMED if self.seen.clear(sign) and self.seen.named(sign).label else _MOST_LOST

    def _skips(self, sign: Sign, follower: Sign) -> bool:
        """Whether an index shows between two cards, so clear that a third one lies there."""
        between = (s for s in self.seen.all if sign.left + APART_PX < s.left < follower.left - APART_PX)
        return any(self.seen.clear(s) for s in between)

    def told(self, sign: Sign, laid: Laid, shows: int) -> PrintedCard | None:
        """The card, if all of it that shows is as printed, no strange edge lies on it, and light has not hidden it."""
        shown = slice(2, shows - round(_SHADOW_MM * _Q) if shows < self.width else shows)
        strange = float(laid.strange[shown].mean())
        lines = laid.line[round(_LINE_FROM_MM * _Q) : _before_edge(laid.line, shows)]
        if strange > _STRANGE_SHARE or float(laid.lost[shown].mean()) > self._most_lost(sign):
            return None
        if sign.face is not None and (lines > (_LINE_LIT if self.glare else _LINE)).any():
            return None
        if sign.face is None and self.glare and not self._patterned(laid, shown):
            return None
        agrees = max(0.0, 1 - strange / _STRANGE_SHARE)
        outline = np.array([(0, 0), (self.width, 0), (self.width, self.height), (0, self.height)]) - 0.5
        corners = outline @ laid.move[:, :2].T + laid.move[:, 2]
        if sign.face is None:
            return PrintedCard(corners, None, self._back_name(sign, shows), agrees)
        return PrintedCard(corners, self.seen.named(sign), None, agrees)

    def _patterned(self, laid: Laid, shown: slice) -> bool:
        """Whether a back's own pattern shows where light has left something: felt that is lit has none."""
        art, seen = laid.art[:, shown], laid.seen[:, shown]
        told = (seen < self.most - NEAR_MOST) & (art < self.most - NEAR_MOST)
        if not told.size or told.mean() < _LEAST_TOLD or min(art[told].std(), seen[told].std()) < _PLAIN:
            return False
        fine = [(plane - cv2.blur(plane, (_FINE_PX, _FINE_PX)))[told] for plane in (art, seen)]
        return float(np.corrcoef(fine[0], fine[1])[0, 1]) >= _PATTERNED

    def _back_name(self, sign: Sign, shows: int) -> str | None:
        left, _, right, bottom = (round(v * _Q) for v in BACK_STRIP_MM)
        x, y = round(sign.left), round(sign.top)
        right = max(left + 1, min(right, shows - round(_SHADOW_MM * _Q)))
        strip = self.picture[y + round(BACK_ROWS_MM[0] * _Q) : y + bottom, x + left : x + right]
        return self.deck.back_name(back_colour(strip, self.white)) if strip.size else None


def read_printed_row(
    picture: Picture,
    white: float,
    deck: EnrolledDeck,
    ends: tuple[float, float],
    top: float,
    glare: bool = False,
    close: bool = False,
    pitch_mm: tuple[float, float] = (0.0, np.inf),
    felt: Plane | None = None,
) -> tuple[PrintedCard, ...] | None:
    """The cards of a row in an upright picture at the deck's density, left to right; None unless all is told.

    `white` is the level of blank paper, `ends` are the columns between which paper shows, `top` its upper row. With
    `glare`, light may lie on the row that makes all of it lighter, up to white. With `close`, cards lie so near each
    other that no index shows but the last one's, and only that card is given. `pitch_mm` is the least and the most at
    which cards are laid there.
    """
    if deck.printed is None:
        return None
    signs = Signs(picture, white, deck, deck.printed, Bounds(ends, top, felt is not None), glare)
    row = Row(picture, white, signs, felt, pitch_mm[1] * _Q)
    if close:
        last = row.last()
        return None if last is None else (last,)
    lit = glare or light_lies_on(picture)
    for sign in row.first():
        cards = row.parsed(sign)
        lefts_mm = [float(card.corners[[0, 3], 0].mean()) / _Q for card in cards or ()]
        if cards is not None and (not lit or evenly_laid(lefts_mm, pitch_mm)):
            return None if row.before(cards[0]) else tuple(cards)
    return None


def _before_edge(line: Plane, edge: int) -> int:
    """Where the line of the next card's own edge begins. The softer a picture, the wider it is; it rises to the edge
    all the way, where a card between the two would have a line of its own."""
    start = min(edge - round(_LINE_TO_MM * _Q), len(line) - 1)
    while edge - start < _WIDEST_TAIL_PX and _LINE < line[start - 1] < line[start]:
        start -= 1
    return start
