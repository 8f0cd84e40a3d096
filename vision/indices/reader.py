"""Reading every card in a picture, without knowing the deck: its standard indices are enough."""

from collections.abc import Sequence

import cv2
import numpy as np

from evidence.errors import UsageError
from vision.indices.cards import LANGUAGES, SeenCard, group_cards
from vision.indices.detector import IndexDetector, shipped_detector
from vision.indices.looking import look_for_indices
from vision.indices.regions import find_regions
from vision.pictures import Picture, Points
from vision.readings import CardReading

NAMED = 0.97
"""A label is given only where the indices leave at most three in a hundred for all others together."""
_LEAST_SCORE = 0.5
"""An index alone counts as a card only where the network is more sure than not that it is one."""
_FACE_PAPER = 0.42
_MOST_SIDE_PX = 8192


class UnknownDeckReader:
    """Reads cards of any deck with standard indices. `language` says which letters its courts carry."""

    def __init__(self, language: str = "en", detector: IndexDetector | None = None) -> None:
        if language not in LANGUAGES:
            raise UsageError(f"deck language: expected one of {', '.join(LANGUAGES)}, got {language!r}")
        self._language = language
        self._detector = detector or shipped_detector()

    def read(self, picture: Picture) -> list[CardReading]:
        """All cards found in a BGR picture, those read from most indices first."""
        if max(picture.shape[:2]) > _MOST_SIDE_PX:
            shrink = _MOST_SIDE_PX / max(picture.shape[:2])
            small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            return [_enlarged(card, 1 / shrink) for card in self.read(np.asarray(small, np.uint8))]
        regions = find_regions(picture)
        sights = look_for_indices(picture, regions, self._detector)
        seen = [card for card in group_cards(sights, self._language) if _believable(card)]
        lone = [region.outline for region in regions if region.outline is not None]
        cards = [_reading(card, lone) for card in sorted(seen, key=lambda c: (-len(c.indices), -c.best[1]))]
        cards = _one_for_each_outline(cards, lone)
        return cards + [_unread(picture, outline) for outline in lone if not _holds_a_card(outline, cards)]


def _believable(card: SeenCard) -> bool:
    return len(card.indices) > 1 or card.indices[0].score >= _LEAST_SCORE


def _reading(card: SeenCard, lone: Sequence[Points]) -> CardReading:
    label, share = card.best
    corners = card.corners
    for outline in lone:
        if all(_inside(outline, index.x, index.y) for index in card.indices):
            corners = _turned_like(outline, corners)
    return CardReading(label if share >= NAMED else None, share, corners, True)


def _inside(outline: Points, x: float, y: float) -> bool:
    return cv2.pointPolygonTest(outline.astype(np.float32).reshape(-1, 1, 2), (x, y), False) >= 0


def _turned_like(outline: Points, corners: Points) -> Points:
    """The outline, begun at the corner that is nearest to the upper left of the card as its index tells it."""
    ring = outline if cv2.contourArea(outline.astype(np.float32), True) >= 0 else outline[::-1]
    sides = np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1)
    start = int(np.argmin(np.linalg.norm(ring - corners[0], axis=1)))
    turned = np.roll(ring, -start, axis=0)
    upright = sides[start] <= sides[(start + 1) % 4]
    return np.asarray(turned if upright else np.roll(turned, 1, axis=0), np.float64)


def _one_for_each_outline(cards: list[CardReading], lone: Sequence[Points]) -> list[CardReading]:
    """A lone outline is one card: two readings of it that disagree leave it without a name."""
    kept: list[CardReading] = []
    taken: dict[int, int] = {}
    for card in cards:
        centre = card.corners.mean(axis=0)
        home = next((n for n, outline in enumerate(lone) if _inside(outline, *centre)), None)
        if home is None:
            kept.append(card)
        elif home not in taken:
            taken[home] = len(kept)
            kept.append(card)
        elif card.label is not None and card.label != kept[taken[home]].label:
            first = kept[taken[home]]
            kept[taken[home]] = CardReading(None, 0.0, first.corners, True)
    return kept


def _holds_a_card(outline: Points, cards: Sequence[CardReading]) -> bool:
    return any(_inside(outline, *card.corners.mean(axis=0)) for card in cards)


def _unread(picture: Picture, ring: Points) -> CardReading:
    """A card's outline in which no index was found: a back, or a face that cannot be read."""
    target = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], np.float32)
    if np.linalg.norm(ring[1] - ring[0]) > np.linalg.norm(ring[2] - ring[1]):
        ring = np.roll(ring, 1, axis=0)
    flat = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(ring.astype(np.float32), target), (63, 88))
    light, level = flat.min(axis=2), float(np.percentile(flat.min(axis=2), 98))
    paper = float((light[12:76, 10:53] > 0.8 * level).mean())
    return CardReading(None, 0.0, np.asarray(ring, np.float64), paper > _FACE_PAPER)


def _enlarged(card: CardReading, by: float) -> CardReading:
    return CardReading(card.label, card.confidence, card.corners * by, card.face_up, card.back)
