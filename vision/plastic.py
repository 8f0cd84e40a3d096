"""Cut cards at a place of the table: they are named and never counted, and nobody can tell what lies under them."""

from dataclasses import replace

import cv2
import numpy as np

from vision.believing import cut_card_reading
from vision.card_like import MARGIN_MM, PX_PER_MM, flattened
from vision.cut_card import find_cut_cards
from vision.paper import Paper
from vision.pictures import Picture, darkest_channel
from vision.readings import CardReading, PlaceReading
from vision.windows import Window

_LEAST_MM2 = 900.0
"""What lies beside the cards of a place and is smaller is a chip or print."""
_SLACK, _SLACK_LEVELS = 0.30, 9.0
_ABOUT_MM = 3.0
"""Around the cards, what belongs to them: shadows and uneven edges."""
_COARSE = 4
_INSET_MM = 3.0
_MOST_UNEVEN = 0.15
"""Of a blank face's own light; the print of any face varies by far more, however soft the picture."""


def with_cut_cards(
    reading: PlaceReading, crop: Picture, window: Window, upright: Picture, paper: Paper | None, px_per_mm: float
) -> PlaceReading:
    """A reading with the cut cards that lie at its place. A count does not stand beside one: cards may lie under it.

    `crop` is the evidence picture of the place, `upright` the same made upright, in which `paper` was found.
    """
    if reading.count == 1 and any(card.label is None and _is_blank(crop, window, card) for card in reading.face_up):
        reading = PlaceReading(reading.place, None)
    counted = reading.count is not None or reading.stacked
    if counted and (paper is None or not _something_beside(upright, paper, px_per_mm)):
        return reading
    cuts = tuple(cut_card_reading(cut) for cut in find_cut_cards(crop, (window.left, window.top)))
    if not cuts:
        return reading
    if counted:
        return PlaceReading(reading.place, None, cards=cuts)
    return replace(reading, cards=cuts)


def _is_blank(crop: Picture, window: Window, card: CardReading) -> bool:
    """Whether nothing is printed where a face should show: white plastic, a blank card, or what light has wiped out."""
    inset = round((MARGIN_MM + _INSET_MM) * PX_PER_MM)
    flat = darkest_channel(flattened(crop, card.corners - (window.left, window.top)))
    within = cv2.blur(flat[inset:-inset, inset:-inset], (5, 5)).astype(np.float32)
    usual = float(np.median(within))
    return float(np.abs(within - usual).max()) < _MOST_UNEVEN * usual


def _something_beside(upright: Picture, paper: Paper, px_per_mm: float) -> bool:
    """Whether something about as large as a card lies beside the cards, on felt as it is at the picture's rim."""
    rim = np.concatenate([upright[0, ::2], upright[-1, ::2]]).astype(np.float32)
    felt = np.median(rim, axis=0)
    size = (upright.shape[1] // _COARSE, upright.shape[0] // _COARSE)
    coarse = cv2.resize(upright, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    other = np.abs(coarse - felt).max(axis=2) > _SLACK * float(felt.max()) + _SLACK_LEVELS
    about = _ABOUT_MM * px_per_mm
    shown = paper.bottom > paper.top
    if shown.any():
        top, bottom = float(paper.top[shown].min()) - about, float(paper.bottom[shown].max()) + about
        left, right = (round(max(0.0, v) / _COARSE) for v in (paper.left - about, paper.right + about))
        other[round(max(0.0, top) / _COARSE) : round(bottom / _COARSE), left:right] = False
    return float(np.count_nonzero(other)) * (_COARSE / px_per_mm) ** 2 > _LEAST_MM2
