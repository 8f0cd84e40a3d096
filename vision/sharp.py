"""What a camera shows finer than the outlines of cards need it: the indices, at its own density.

Cards are found in a picture brought down to what a camera above a whole table resolves, whatever camera took it, so
that what was measured there holds for all. Their indices are then read from the picture as it is.
"""

from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

import cv2
import numpy as np

from vision.deck import EnrolledDeck
from vision.edges import Edge, card_corners
from vision.faces import LEAST_INDEX_GAP_MM, Sight, card_view, read_card
from vision.paper import Paper
from vision.pictures import Picture, Points, project, u8
from vision.readings import CardReading
from vision.resolved import Identity, resolved_at
from vision.windows import Upright, Window

_COARSE_PX_PER_MM = 0.85
_COARSE_UP_TO = 1.0
_COARSE_BLUR_PX = 0.5
_LEAST_GAP_MM = 8.0
_STEP_MM = 1.4
"""Between neighbours an index is looked for at so many places that one is within what each look searches."""


_TOP_FROM_MM, _TOP_TO_MM, _SHADOW_MM = 3.0, 9.0, 1.5
"""Where the upper end of a card is taken: right of its round corner, and left of the next card's shadow."""


@dataclass(frozen=True, slots=True)
class Sharp:
    """An evidence picture of a place as it was taken, at `density` pixels a millimetre."""

    crop: Picture
    window: Window
    deck: EnrolledDeck
    density: float

    @property
    def finer(self) -> bool:
        """Whether the deck is known finely, and either the picture shows it so or its indices ask for all there is."""
        return self.deck.corners is not None and (self.density > _COARSE_UP_TO or self.deck.alike_from_afar)

    def card_at(
        self, crop: Picture, view: Upright, paper: Paper, edge: Edge, shows_mm: float
    ) -> tuple[Points, Sight] | None:
        """The corners `(4, 2)`, in the whole picture, of the card that begins at an edge, and what it is; None where no
        paper shows there. `crop` and `view` are those in which `paper` and the edge were found."""
        q, card_mm = view.px_per_mm, self.deck.card_mm
        first = max(0, round(edge.x + _TOP_FROM_MM * q))
        last = max(first + 1, round(edge.x + min(shows_mm - _SHADOW_MM, _TOP_TO_MM) * q))
        top = paper.top[first:last]
        if not top.size:
            return None
        corners = view.to_picture(card_corners(edge, float(np.median(top)), (card_mm[0] * q, card_mm[1] * q)))
        view_of_card = card_view(crop, project(view.picture_to_crop, corners), card_mm)
        plain = read_card(view_of_card, paper.white, shows_mm, self.deck)
        return corners, self.sight(plain, corners, paper.white, shows_mm)

    def sight(self, sight: Sight, corners: Points, white: float, shows_mm: float) -> Sight:
        """What a card is, given what it is at the coarser density, and its corners in the whole picture."""
        if settled(sight) or shows_mm < LEAST_INDEX_GAP_MM:
            return sight
        if not self.finer:
            return sight
        return refined(sight, self._look(corners, white, shows_mm))

    def named(self, cards: tuple[CardReading, ...], white: float) -> tuple[CardReading, ...]:
        """The same cards, first to last in a row, named as finely as the picture shows them."""
        if not self.finer:
            return cards
        return tuple(self._named(card, after, white) for card, after in zip_longest(cards, cards[1:]))

    def passed_over(self, cards: tuple[CardReading, ...], white: float) -> bool:
        """Whether an index is named between two neighbours of a row that was read without it.

        A small index is so little of what shows of the card under it that it can be taken for dirt.
        """
        return self.finer and any(self._between(card, after, white) for card, after in pairwise(cards))

    def _between(self, card: CardReading, after: CardReading, white: float) -> bool:
        wide = self.deck.card_mm[0]
        across = (card.corners[1] - card.corners[0]) / wide
        ahead = (after.corners - card.corners)[[0, 3]].mean(axis=0)
        gap_mm = float(ahead @ across) / float(across @ across)
        steps = np.arange(_LEAST_GAP_MM, min(gap_mm, wide) - _LEAST_GAP_MM, _STEP_MM)
        looks = (self._look(card.corners + across * step, white, gap_mm - step) for step in steps)
        return any(look.label is not None for look in looks)

    def _named(self, card: CardReading, after: CardReading | None, white: float) -> CardReading:
        if not card.face_up:
            return card
        shows_mm = self.deck.card_mm[0]
        if after is not None:
            across = card.corners[1] - card.corners[0]
            ahead = (after.corners - card.corners)[[0, 3]].mean(axis=0)
            shows_mm *= min(1.0, float(ahead @ across) / float(across @ across))
        sight = refined(Sight(True, card.label, card.confidence), self._look(card.corners, white, shows_mm))
        return replace(card, label=sight.label, confidence=sight.confidence)

    def _look(self, corners: Points, white: float, shows_mm: float) -> Identity:
        if self.deck.corners is None:
            return Identity(None, 0.0, 0.0)
        resolved = resolved_at(self.deck.corners, self.density)
        origin = np.array([self.window.left, self.window.top])
        return resolved.identify(self.crop, corners - origin, self.deck.card_mm, white, shows_mm)


def settled(sight: Sight) -> bool:
    """Whether a finer look tells no more: it shows a back that was enrolled."""
    return sight.face_up is False and sight.back is not None


def refined(sight: Sight, found: Identity) -> Sight:
    """What a card is by a coarser and a finer look at it.

    The finer one decides; what it is not sure of stands as the coarser one says where it is nearest to that card.
    """
    if not sight.face_up and found.label is None:
        return replace(sight, nearest=found.nearest)
    if sight.label is not None and found.label is None and found.nearest == sight.label:
        return sight
    return Sight(True, found.label, found.confidence, None, found.nearest)


def coarse(crop: Picture, view: Upright, density: float) -> tuple[Picture, Upright]:
    """A picture as a camera above a whole table would have taken it, and how to see it upright."""
    if density <= _COARSE_UP_TO:
        return crop, view
    share = _COARSE_PX_PER_MM / density
    high, wide = (max(1, round(v * share)) for v in crop.shape[:2])
    shares = (wide / crop.shape[1], high / crop.shape[0])
    small = cv2.resize(crop, (wide, high), interpolation=cv2.INTER_AREA)
    return u8(cv2.GaussianBlur(small, (0, 0), _COARSE_BLUR_PX)), view.reduced(shares)
