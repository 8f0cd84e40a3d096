"""Cards of an enrolled deck that lie anywhere in a picture: apart, upon each other, fanned, at any angle.

A card that lies apart is told by its outline: both its corners must say so. All others are found by their indices, as
those of a deck that nobody enrolled are, and each index is then told by the deck; two of one card are joined where both
lie as on one card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.corners import Corners
from vision.deck import PX_PER_MM, EnrolledDeck
from vision.deck_indices import DeckIndex, deck_index, index_rectangle
from vision.indices.doubles import may_be_one
from vision.indices.reader import shipped_reader
from vision.indices.regions import Paper
from vision.pictures import Picture, Points, middle_within, project, upright_rectangle
from vision.readings import CardReading
from vision.sheets import cards_apart
from vision.single_card import find_single_card, read_outlined

_ASTRAY = 0.12
"""How far the corners of two indices may be, as a share of an index's height, from where one card has them."""
_SIZES = (0.6, 1.6)
"""Of the usual height of an index in a picture: one nearer to the camera or farther from it."""
_PARALLEL = 0.8
_SURE_OUTLINE = 0.8
"""A card of which its outline tells less surely what it is must be named by an index too."""
_SURE = 0.9
"""From this confidence on an index that another card should have here denies it."""
_ALIKE, _ALIKE_ALONE = 0.9, 0.95
"""How like an index must be, and how like where no other one of its card is: another deck's may be somewhat like it."""
_AS_MUCH_INK = 0.6
"""At the upper right of a card, as a share of its index's, where it has one there too."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a further index of a card lies that has one at its upper left: `box` is `(4, 2)`, in millimetres, clockwise
    from its own upper left. `left_mm` is where the card's left side then is; None where that does not follow."""

    upside_down: bool
    box: Points
    left_mm: float | None


@dataclass(frozen=True, slots=True, eq=False)
class _Join:
    """Another index of a card, and the card's corners where the two tell them."""

    other: DeckIndex
    corners: Points | None


def read_loose(picture: Picture, deck: EnrolledDeck) -> list[CardReading]:
    """Every card of an enrolled deck in a BGR picture, the surest first.

    A face that is none of the deck's, or is not clear, has no label. `corners` are the card's where its outline or two
    of its indices show, else those of its index (`index_only`).
    """
    apart = [read_outlined(picture, outline, deck) for outline in _outlines(picture, deck)]
    cards = [card for card in apart if card is not None]
    if deck.corners is None:
        return cards
    told = [card for card in cards if card.back is not None or (card.label and card.confidence > _SURE_OUTLINE)]
    sights = shipped_reader().indices(picture, [card.corners for card in told])
    indices = _as_large([deck_index(picture, sight, deck, deck.corners) for sight in sights])
    found = _apart(_joined(indices, deck, deck.corners))
    named = [card for card in found if card.label is not None]
    doubtful = [replace(card, label=None) for card in cards if card not in told]
    unread = [card for card in doubtful if not any(middle_within(one.corners, card.corners) for one in named)]
    hidden = [card for card in found if any(middle_within(card.corners, one.corners) for one in unread)]
    found = [card for card in found if card.label is not None or card not in hidden]
    return sorted([*told, *found, *unread], key=lambda card: -card.confidence)


def _outlines(picture: Picture, deck: EnrolledDeck) -> list[Points]:
    """The outlines of cards that lie apart, each clockwise from an upper left corner; or that of the one card that
    fills the picture."""
    outlines = cards_apart(picture, deck.card_mm)
    lone = [region.outline for region in Paper(picture).lone_cards() if region.outline is not None]
    outlines += [outline for outline in lone if not any(middle_within(outline, one) for one in outlines)]
    single = None if outlines else find_single_card(picture, deck.card_mm)
    return outlines if single is None else [single]


def _as_large(indices: Sequence[DeckIndex]) -> list[DeckIndex]:
    """The same, with no label for those not about as large as most that are sure: pips in a row may look like a larger
    index, and another deck may have smaller ones."""
    sizes = [index.high_px for index in indices if index.label is not None]
    usual = float(np.median(sizes)) if sizes else 0.0
    return [
        index if _SIZES[0] * usual <= index.high_px <= _SIZES[1] * usual else replace(index, label=None)
        for index in indices
    ]


def _joined(indices: Sequence[DeckIndex], deck: EnrolledDeck, known: Corners) -> list[CardReading]:
    """The cards of these indices, the surest first.

    One that lies where another has a further one is of that card, whatever it was taken for, as where half of it is
    covered. If it was surely another, the card is not read.
    """
    places = _places(deck, known)
    cards: list[CardReading] = []
    left = sorted(indices, key=lambda index: (index.label is None, -index.confidence))
    while left:
        first = left.pop(0)
        joins = [_join(first, other, deck, known, places) for other in left] if first.label else []
        own = [join for join in joins if join is not None]
        left = [other for other in left if all(other is not join.other for join in own)]
        same = [join for join in own if join.other.label == first.label]
        denied = any(join.other.label not in (None, first.label) and join.other.confidence > _SURE for join in own)
        sure = not denied and first.likeness > (_ALIKE if same else _ALIKE_ALONE)
        whole = [join.corners for join in same if join.corners is not None]
        label = first.label if sure else None
        cards.append(CardReading(label, first.confidence, [*whole, first.box][0], True, index_only=not whole))
    return cards


def _apart(cards: Sequence[CardReading]) -> list[CardReading]:
    """The same, with no label for single indices of one label that may be two of one card of another deck."""
    alone = [card for card in cards if card.label is not None and card.index_only]
    doubtful = [
        card
        for card in alone
        if any(one is not card and one.label == card.label and may_be_one(card, one) for one in alone)
    ]
    return [replace(card, label=None) if card in doubtful else card for card in cards]


def _places(deck: EnrolledDeck, known: Corners) -> list[_Place]:
    """Where the further indices of a card lie.

    Of a deck with one in each corner the one that is seen may also be that at the upper right.
    """
    left, top, right, bottom = known.index_mm
    box = index_rectangle(known)
    beside = np.array([deck.card_mm[0] - left - right, 0.0])
    below = np.roll(box, 2, axis=0) + np.array([0.0, deck.card_mm[1] - top - bottom])
    opposite = _Place(True, below + beside, 0.0)
    if not _in_each_corner(deck, known):
        return [opposite]
    across = _Place(True, below - beside, -float(beside[0]))
    sides = [_Place(True, below, None), _Place(False, box + beside, None), _Place(False, box - beside, None)]
    return [opposite, across, *sides]


def _in_each_corner(deck: EnrolledDeck, known: Corners) -> bool:
    """Whether the cards of a deck have an index at their upper right too."""
    if deck.printed is None:
        return False
    left, top, right, bottom = (round(v * PX_PER_MM) for v in known.index_mm)
    ink = 255.0 - deck.printed.faces[:, 0, top:bottom]
    own, across = ink[:, :, left:right].sum(axis=(1, 2)), ink[:, :, -right:-left].sum(axis=(1, 2))
    return float(np.median(across / np.maximum(own, 1.0))) > _AS_MUCH_INK


def _join(
    one: DeckIndex, other: DeckIndex, deck: EnrolledDeck, known: Corners, places: Sequence[_Place]
) -> _Join | None:
    """Both as indices of one card; None where they do not lie so."""
    turned = _turned(one, other)
    # Of so many places as a deck with four indices has, one is also where a card beside has an index.
    if abs(turned) < _PARALLEL or (len(places) > 1 and other.label not in (None, one.label)):
        return None
    box = index_rectangle(known)
    seen = np.concatenate([one.box, other.box])
    high = (one.high_px + other.high_px) / 2
    for place in places:
        if place.upside_down != (turned < 0):
            continue
        card = np.concatenate([box, place.box])
        found, _ = cv2.findHomography(card, seen, 0)
        if found is None:
            continue
        move = np.asarray(found, np.float64)
        outline = project(move, upright_rectangle(deck.card_mm) + np.array([place.left_mm or 0.0, 0.0]))
        convex = cv2.isContourConvex(outline.astype(np.float32).reshape(-1, 1, 2))
        if convex and float(np.hypot(*(project(move, card) - seen).T).max()) < _ASTRAY * high:
            return _Join(other, outline if place.left_mm is not None else None)
    return None


def _turned(one: DeckIndex, other: DeckIndex) -> float:
    """1 where two indices are the same way up, -1 where one is upside down to the other."""
    first, second = (index.box[3] - index.box[0] for index in (one, other))
    return float(first @ second) / max(float(np.hypot(*first) * np.hypot(*second)), 1e-6)
