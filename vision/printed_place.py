"""Reading a place by what is printed on its cards, where their edges alone did not tell."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck import PX_PER_MM, EnrolledDeck
from vision.finding import HEIGHT_SLACK_MM, STACK_EDGE_MM
from vision.paper import Paper, felt_share, lightest, paper_by_colour
from vision.pictures import Picture, darkest_channel, u8
from vision.printed_part import surely_read
from vision.printed_row import PrintedCard, read_printed_row
from vision.readings import CardReading
from vision.windows import PLACE_MARGIN_MM, Upright

_INSET_MM = 5.0
_UNDER_MM = (1.6, 3.4)
_FELT_SHARE = 0.42
_BESIDE_PX = 3
"""Paper that comes so near the end of the picture is not only that of the cards: light has made felt as white."""
_FELT_TINT = 0.45
_SEVERAL = 1.1
"""A row wider than so many cards holds two or more."""
_LEAST_WHITE = 40.0
"""Twice the level of felt that is too dark to be read; where all is darker, no paper shows."""
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
    in_part: bool = False
    """Other cards of a row show too, and were not told."""


def read_printed_place(
    crop: Picture,
    view: Upright,
    deck: EnrolledDeck,
    paper: Paper | None,
    pitch_mm: tuple[float, float],
    close: bool = False,
) -> PrintedPlace | None:
    """Read a place of which `paper` was found, or none; None unless all that shows is told.

    `pitch_mm` is the least and the most at which cards are laid there. Where they lie `close`, so that only the last
    one's index shows, a row of several is told as a stack is: by the card that lies uppermost.
    """
    if deck.printed is None:
        return None
    found = None if paper is None else _read(crop, view, deck, paper, False, close, pitch_mm)
    if found is None:
        lit = paper_by_colour(view.rectify(crop), view.px_per_mm, PLACE_MARGIN_MM)
        found = None if lit is None else _read(crop, view, deck, lit, True, close, pitch_mm)
    if found is None and not close:
        found = _read_anywhere(crop, view, deck, pitch_mm)
    return found


def _read(
    crop: Picture,
    view: Upright,
    deck: EnrolledDeck,
    paper: Paper,
    glare: bool,
    close: bool,
    pitch_mm: tuple[float, float],
) -> PrintedPlace | None:
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
    scale, size, row = _row_picture(crop, view)
    right_end = paper.left + deck.card_mm[0] * view.px_per_mm if stacked else paper.right  # the cards below stick out
    ends = (paper.left * scale, right_end * scale)
    if glare and (ends[0] < _BESIDE_PX or ends[1] > size[0] - _BESIDE_PX):
        return None
    top = float(np.median(paper.top[inner][outlined])) * scale
    several = close and not stacked and ends[1] - ends[0] > _SEVERAL * deck.card_mm[0] * PX_PER_MM
    cards = read_printed_row(row, paper.white, deck, ends, top, glare, several, pitch_mm)
    if cards is None or (stacked and len(cards) > 1):
        return None
    if len(cards) == 1 and not stacked and not several and not _lone(row, paper.white, cards[0], glare):
        return None
    readings = tuple(_reading(card, view, scale) for card in cards)
    return PrintedPlace(readings, stacked or several, min(card.agrees for card in cards), paper.white, several)


def _read_anywhere(
    crop: Picture, view: Upright, deck: EnrolledDeck, pitch_mm: tuple[float, float]
) -> PrintedPlace | None:
    """A row whose outline light has washed out: it lies about the middle of its place, and felt shows at its ends."""
    scale, size, row = _row_picture(crop, view)
    felt = felt_share(row, PX_PER_MM, PLACE_MARGIN_MM)
    if felt is None:
        return None
    white = lightest(darkest_channel(row))
    top = (size[1] - deck.card_mm[1] * PX_PER_MM) / 2
    cards = read_printed_row(row, white, deck, (0.0, float(size[0])), top, True, False, pitch_mm, felt)
    if cards is None or (len(cards) == 1 and not _lone(row, white, cards[0], True)):
        return None
    readings = tuple(_reading(card, view, scale) for card in cards)
    return PrintedPlace(readings, False, min(card.agrees for card in cards), white)


def read_in_part(
    crop: Picture, view: Upright, deck: EnrolledDeck, close: bool
) -> tuple[tuple[CardReading, ...], float]:
    """The cards of a place that is not told whole that are surely read all the same, and the level of blank paper."""
    scale, _, row = _row_picture(crop, view)
    white = lightest(darkest_channel(row))
    cards = surely_read(row, white, deck, close) if white > _LEAST_WHITE else ()
    return tuple(_reading(card, view, scale) for card in cards), white


def _row_picture(crop: Picture, view: Upright) -> tuple[float, tuple[int, int], Picture]:
    """A place upright at the deck's density: its scale to the view, its size, and its picture."""
    scale = PX_PER_MM / view.px_per_mm
    to_row = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
    size = (round(view.size[0] * scale), round(view.size[1] * scale))
    row = cv2.warpPerspective(crop, to_row @ view.crop_to_upright, size, borderMode=cv2.BORDER_REPLICATE)
    return scale, size, u8(row)


def _lone(row: Picture, white: float, card: PrintedCard, glare: bool) -> bool:
    """Whether felt lies under a card, and not the edge of a squared stack, however faint. Under glare felt is told by
    its colour, which the edge of a stack has not."""
    left, right = card.corners[:, 0].min() + _INSET_MM * PX_PER_MM, card.corners[:, 0].max() - _INSET_MM * PX_PER_MM
    first, last = (round(float(card.corners[2:, 1].mean()) + v * PX_PER_MM) for v in _UNDER_MM)
    columns = slice(round(left), round(right))
    under = darkest_channel(row[first:last, columns])
    if under.size == 0 or float(under.mean()) < _FELT_SHARE * white:
        return under.size > 0
    if not glare:
        return False
    felt = felt_share(row, PX_PER_MM, PLACE_MARGIN_MM)
    return felt is not None and float(felt[first:last, columns].mean(axis=1).min()) > _FELT_TINT


def _reading(card: PrintedCard, view: Upright, scale: float) -> CardReading:
    corners = view.to_picture((card.corners + 0.5) / scale - 0.5)
    if card.identity is None:
        return CardReading(None, card.agrees, corners, False, card.back)
    return CardReading(card.identity.label, card.identity.confidence, corners, True)
