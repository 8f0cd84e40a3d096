"""What of the outlines found in a picture is believed to be cards, and which plain plastic cards lie among them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.card_like import is_card_like, short_side_px
from vision.cut_card import CutCard, find_cut_cards, outside
from vision.indices.regions import Paper
from vision.joker import joker_confidence
from vision.pictures import Picture, middle_within
from vision.readings import CardReading
from vision.scene import JOKER

_INDEX_SHARE = 0.25
"""How high an index usually is, as a share of the card's width."""
_LEAST_LIKELY = 0.6
"""The probability of the likeliest label, below which print that looks like an index is not taken for one."""


def believable(picture: Picture, found: Sequence[CardReading], look_for_more: bool = False) -> list[CardReading]:
    """The cards that are surely there, and the cut cards among them; on demand also lone cards that were passed over.

    Beside cards that were read, one that was not is kept where it is about as large; where none was read, only what
    has all that a card has: noise, print and tiles have outlines too.
    """
    named = [card for card in found if card.label is not None]
    cuts = outside(find_cut_cards(picture), [card.corners for card in named if not card.index_only])
    whole = [short_side_px(card.corners) for card in named if not card.index_only]
    usual = float(np.median(whole)) if whole else None
    indices = [_index_px(card) for card in named]
    kept: list[CardReading] = []
    for card in [*found, *(_unseen(picture, found) if look_for_more else ())]:
        if card.label is None:
            if any(middle_within(card.corners, cut.corners) for cut in cuts):
                continue
            if named:
                if card.index_only and (
                    not _like_an_index(card, float(np.median(indices)))
                    or any(middle_within(card.corners, one.corners) for one in named if not one.index_only)
                ):
                    continue
                if usual is not None and not card.index_only and not 0.4 < short_side_px(card.corners) / usual < 2.5:
                    continue
            elif card.index_only or not any(is_card_like(picture, card.corners, up) for up in (True, False)):
                continue
        kept.append(card if card.label is not None else _named_joker(picture, card))
    return kept + [cut_card_reading(cut) for cut in cuts]


def _index_px(card: CardReading) -> float:
    """How high the index of a card is, as it is or, of a whole card, as usual."""
    if card.index_only:
        return float(np.linalg.norm(card.corners[3] - card.corners[0]))
    return _INDEX_SHARE * short_side_px(card.corners)


def _like_an_index(card: CardReading, usual_px: float) -> bool:
    """Whether an index that was not read is about as large as the others, and something like a label."""
    return card.confidence >= _LEAST_LIKELY and 0.5 < _index_px(card) / usual_px < 2.0


def _named_joker(picture: Picture, card: CardReading) -> CardReading:
    """A face that was not read, with its label where it is a joker; no network was taught what jokers look like."""
    if not card.face_up or card.index_only:
        return card
    confidence = joker_confidence(picture, card.corners)
    return replace(card, label=JOKER, confidence=confidence) if confidence else card


def cut_card_reading(cut: CutCard) -> CardReading:
    """A cut card among the cards of a picture."""
    return CardReading(None, 1.0, cut.corners, False, cut_card=cut.colour)


def _unseen(picture: Picture, found: Sequence[CardReading]) -> list[CardReading]:
    """Cards that lie alone and that a reader of indices passed over, as their print looks like an odd index."""
    cards = []
    for region in Paper(picture).lone_cards():
        if region.outline is None:
            continue
        outline = region.outline
        if not any(middle_within(own.corners, outline) or middle_within(outline, own.corners) for own in found):
            ways = [up for up in (True, False) if is_card_like(picture, outline, up)]
            cards += [CardReading(None, 0.0, outline, up) for up in ways[:1]]
    return cards
