"""All signs of cards in one picture of a row, and which card each index is, as it shows or as light has left it."""

import numpy as np

from vision.deck import EnrolledDeck, index_box
from vision.lit_index import Fit, fitted
from vision.pictures import Picture, darkest_channel
from vision.printed import SOFTNESS_PX, Plane, Printed, whiteness_redness
from vision.printed_backs import backs, backs_in_light
from vision.printed_indices import indices
from vision.printed_light import CLIPPED, paper_unlit
from vision.printed_signs import Bounds, Sign, of_one_card
from vision.resolved import Identity
from vision.scene import JOKER

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
        self.box = index_box()
        self._in_light: dict[int, Identity] = {}
        found = indices(self.whiteness, self._redness, deck, (self.height, self.width), bounds, glare)
        self.softness, self.likeness = found.softness, found.likeness
        self.all = list(found.signs)
        arts = printed.soft(self.softness)[1]
        if glare:
            levels = np.asarray(darkest_channel(picture), np.float32)
            unlit = paper_unlit([self._index(levels, sign) for sign in self.all], white)
            self.whiteness = levels / np.float32(unlit)
            self.most = np.float32(CLIPPED / unlit)
            self.all += backs_in_light(self.whiteness, self.most, arts, bounds)
        else:
            self.all += backs(self.whiteness, arts, bounds)

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
                if told.label is None and of_one_card(sign, other):
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
        twice = any(self._fit(other) is not None for other in self.all if of_one_card(sign, other))
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

    def _index(self, levels: Plane, sign: Sign) -> tuple[Plane, Plane]:
        """The index at the upper left of a sign's card, as levels, and as it is printed."""
        left, upper, wide, tall = self.box
        x, y = max(0, round(sign.left) + left), max(0, round(sign.top) + upper)
        seen = levels[y : y + tall, x : x + wide]
        art = self.printed.soft(self.softness)[0][sign.face, 0, upper : upper + tall, left : left + wide]
        return seen, art[: seen.shape[0], : seen.shape[1]]
