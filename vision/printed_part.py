"""Cards of a row that are surely read though the row is not: light, noise or a hand may have hidden another of them.

How many cards lie there, and whether others show, follows from none of this. Each card is named by an index that shows
without doubt, and all that shows of it must be as printed, as far as the next index or, where cards lie so close that
indices are covered, as far as its right end.
"""

import numpy as np

from vision.deck import INDEX_MM, PX_PER_MM, EnrolledDeck
from vision.pictures import Picture
from vision.printed_naming import Signs
from vision.printed_row import PrintedCard, Row
from vision.printed_signs import APART_PX, Bounds, Sign

_Q = PX_PER_MM
_INDEX_PX, _SHADOW_PX = round(INDEX_MM[2] * _Q), 2
"""How much of a card must show of which the index does, and the shadow of the next one on it."""


def surely_read(picture: Picture, white: float, deck: EnrolledDeck, close: bool) -> tuple[PrintedCard, ...]:
    """Cards of an upright picture at the deck's density that are read whatever else lies there, left to right.

    `white` is the level of blank paper. Where cards lie `close` only one of which all shows is read. A label that is
    seen at two places is given at neither.
    """
    if deck.printed is None:
        return ()
    top = (picture.shape[0] - deck.card_mm[1] * _Q) / 2
    signs = Signs(picture, white, deck, deck.printed, Bounds((0.0, float(picture.shape[1])), top, True), True)
    row = Row(picture, white, signs, None, np.inf)
    faces = [sign for sign in signs.all if sign.face is not None and signs.named(sign).label is not None]
    read = [card for card in (_card(row, sign, close) for sign in faces) if card is not None]
    kept: list[PrintedCard] = []
    for card in read:
        others = [other for other in read if other is not card]
        if any(_label(other) != _label(card) and _near(other, card) for other in others):
            continue  # two cards at one place: neither is sure
        if any(_label(other) == _label(card) and not _near(other, card) for other in others):
            continue
        if not any(_near(other, card) for other in kept):
            kept.append(card)
    return tuple(sorted(kept, key=_left))


def _card(row: Row, sign: Sign, close: bool) -> PrintedCard | None:
    laid = row.laid(sign)
    if sign.turned or close:
        return row.told(sign, laid, row.width) if row.shows_whole(laid) else None
    after = (s.left - sign.left for s in row.seen.all if s.left > sign.left + APART_PX and row.seen.clear(s))
    shows = int(min([*after, _INDEX_PX + _SHADOW_PX]))
    return row.told(sign, laid, shows) if min(shows, laid.extent) >= _INDEX_PX else None


def _left(card: PrintedCard) -> float:
    return float(card.corners[:, 0].min())


def _near(one: PrintedCard, other: PrintedCard) -> bool:
    return abs(_left(one) - _left(other)) <= APART_PX


def _label(card: PrintedCard) -> str | None:
    return None if card.identity is None else card.identity.label
