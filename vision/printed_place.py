"""Reading a place by what is printed on its cards, where their edges alone did not tell."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck import PX_PER_MM, EnrolledDeck
from vision.finding import HEIGHT_SLACK_MM, STACK_EDGE_MM
from vision.paper import Paper, paper_by_colour
from vision.pictures import Picture, darkest_channel, u8
from vision.printed_row import PrintedCard, read_printed_row
from vision.readings import CardReading
from vision.windows import PLACE_MARGIN_MM, Upright

_INSET_MM = 5.0
_UNDER_MM = (1.6, 3.4)
_FELT_SHARE = 0.42
_LEAST_OUTLINED = 0.4
"""Share of a row's length over which its upper and lower edge must show where glare hides the rest of them."""


@dataclass(frozen=True, slots=True)
class PrintedPlace:
    """All cards that show, first to last. `stacked` is True for a squared stack, of which that is the top card.

    `clear`, 0 to 1, says how well the worst of them agrees with what was enrolled.
    """

    cards: tuple[CardReading, ...]
    stacked: bool
    clear: float
    white: float
    """The level of blank paper."""


def read_printed_place(crop: Picture, view: Upright, deck: EnrolledDeck, paper: Paper | None) -> PrintedPlace | None:
    """Read a place of which `paper` was found, or none; None unless all that shows is told."""
    if deck.printed is None:
        return None
    found = None if paper is None else _read(crop, view, deck, paper, False)
    if found is None:
        lit = paper_by_colour(view.rectify(crop), view.px_per_mm, PLACE_MARGIN_MM)
        found = None if lit is None else _read(crop, view, deck, lit, True)
    return found


def _read(crop: Picture, view: Upright, deck: EnrolledDeck, paper: Paper, glare: bool) -> PrintedPlace | None:
    inset = _INSET_MM * view.px_per_mm
    inner = slice(int(paper.left + inset), int(paper.right - inset))
    tall_mm = (paper.bottom - paper.top)[inner] / view.px_per_mm
    if tall_mm.size < _INSET_MM * view.px_per_mm:
        return None
    outlined = np.abs(tall_mm - deck.card_mm[1]) <= HEIGHT_SLACK_MM
    if not glare or outlined.mean() < _LEAST_OUTLINED:
        outlined[:] = True
    if np.percentile(tall_mm[outlined], 97) - np.percentile(tall_mm[outlined], 3) > 2 * HEIGHT_SLACK_MM:
        return None
    extra_mm = float(np.median(tall_mm[outlined])) - deck.card_mm[1]
    stacked = STACK_EDGE_MM[0] < extra_mm < STACK_EDGE_MM[1]
    if abs(extra_mm) > HEIGHT_SLACK_MM and not stacked:
        return None
    scale = PX_PER_MM / view.px_per_mm
    to_row = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
    size = (round(view.size[0] * scale), round(view.size[1] * scale))
    row = cv2.warpPerspective(crop, to_row @ view.crop_to_upright, size, borderMode=cv2.BORDER_REPLICATE)
    right_end = paper.left + deck.card_mm[0] * view.px_per_mm if stacked else paper.right  # the cards below stick out
    ends = (paper.left * scale, right_end * scale)
    top = float(np.median(paper.top[inner][outlined])) * scale
    cards = read_printed_row(u8(row), paper.white, deck, ends, top, glare)
    if cards is None or (stacked and len(cards) > 1):
        return None
    if len(cards) == 1 and not stacked and not _lone(u8(row), paper.white, cards[0]):
        return None
    readings = tuple(_reading(card, view, scale) for card in cards)
    return PrintedPlace(readings, stacked, min(card.agrees for card in cards), paper.white)


def _lone(row: Picture, white: float, card: PrintedCard) -> bool:
    """Whether felt lies under a card, and not the edge of a squared stack, however faint."""
    left, right = card.corners[:, 0].min() + _INSET_MM * PX_PER_MM, card.corners[:, 0].max() - _INSET_MM * PX_PER_MM
    first, last = (round(float(card.corners[2:, 1].mean()) + v * PX_PER_MM) for v in _UNDER_MM)
    under = darkest_channel(row[first:last, round(left) : round(right)])
    return under.size > 0 and float(under.mean()) < _FELT_SHARE * white


def _reading(card: PrintedCard, view: Upright, scale: float) -> CardReading:
    corners = view.to_picture((card.corners + 0.5) / scale - 0.5)
    if card.identity is None:
        return CardReading(None, card.agrees, corners, False, card.back)
    return CardReading(card.identity.label, card.identity.confidence, corners, True)
