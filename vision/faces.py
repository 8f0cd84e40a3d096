"""Reading one card whose outline is known: which way up it lies, and its label or its back."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck import PX_PER_MM, EnrolledDeck, back_colour, corner_box
from vision.pictures import Picture, Points, u8, upright_rectangle

LEAST_INDEX_GAP_MM = 11.5
"""A card that shows less than this of its left side does not show its index."""
_FACE_WHITE = 0.80
_BACK_WHITE = 0.62
"""Mean whiteness of the lower left of a card: a face at or above the first, a back at or below the second."""
_LEFT_PART_MM = 16.0
"""Index and back strip lie within this; a neighbour covers the rest of most cards."""
_MARGIN_PX = 4


@dataclass(frozen=True, slots=True)
class Sight:
    """One card: `face_up` is None when what shows is like neither a face nor a back.

    `nearest` is the card to which a face is nearest, where it is not sure enough for a label.
    """

    face_up: bool | None
    label: str | None = None
    confidence: float = 0.0
    back: str | None = None
    nearest: str | None = None


def card_view(crop: Picture, corners: Points, card_mm: tuple[float, float]) -> Picture:
    """The left part of a card, upright at the deck's density, a few pixels around it, from its corners in the crop."""
    width, height = card_mm[0] * PX_PER_MM, card_mm[1] * PX_PER_MM
    target = upright_rectangle((width, height)) + (_MARGIN_PX - 0.5)
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    size = (round(_LEFT_PART_MM * PX_PER_MM) + 2 * _MARGIN_PX, round(height) + 2 * _MARGIN_PX)
    return u8(cv2.warpPerspective(crop, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def with_margin(card: Picture) -> Picture:
    """A straight picture of a whole card at the deck's density, as `read_card` expects it."""
    return u8(cv2.copyMakeBorder(card, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX, cv2.BORDER_REPLICATE))


def read_card(view: Picture, white: float, shows_mm: float, deck: EnrolledDeck) -> Sight:
    """Read an upright card of which `shows_mm` from the left is not covered. `white` is the level of blank paper."""
    left, top, right, bottom = deck.plain_mm
    right = max(left + 1.0, min(right, shows_mm - 1.2))
    strip = _part(view, left, top, right, bottom)
    level = float(strip.min(axis=2).mean()) / white
    if level <= _BACK_WHITE:
        clear = min(1.0, (_BACK_WHITE - level) / 0.08)
        return Sight(False, None, clear, deck.back_name(back_colour(strip, white)))
    if level < _FACE_WHITE:
        return Sight(None)
    if shows_mm < LEAST_INDEX_GAP_MM:
        return Sight(True)
    x, y, width, height = corner_box()
    x, y = x + _MARGIN_PX, y + _MARGIN_PX
    identity = deck.identify(view[y : y + height, x : x + width], white)
    return Sight(True, identity.label, identity.confidence)


def _part(view: Picture, left_mm: float, top_mm: float, right_mm: float, bottom_mm: float) -> Picture:
    x0, y0, x1, y1 = (round(v * PX_PER_MM) + _MARGIN_PX for v in (left_mm, top_mm, right_mm, bottom_mm))
    return view[y0:y1, x0 : max(x1, x0 + 1)]
