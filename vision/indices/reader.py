"""Reading every card in a picture, without knowing the deck: its standard indices are enough."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision.indices.cards import SeenCard, group_cards, label_shares
from vision.indices.close_look import CloseLook, shipped_close_look
from vision.indices.corners import indices_in_corners
from vision.indices.detector import IndexDetector, IndexSight, lies_upon, shipped_detector
from vision.indices.doubles import without_doubles
from vision.indices.edged import upon_cards
from vision.indices.lighting import balanced
from vision.indices.looking import look_for_indices, surest
from vision.indices.regions import Paper, Region, whole_picture
from vision.pictures import Picture, Points, darkest_channel, holds, middle_within, u8
from vision.readings import CardReading

NAMED = 0.95
"""A label is given only where the indices leave at most five in a hundred for all others together."""
_NAMED_ALONE = 0.97
"""The same where one index is all there is: nothing else then speaks against it."""
_LEAST_INDEX = 0.5
"""What may be an index counts only where it is more likely than not that it is one."""
_PRINT = 0.3
"""Where the likeliest label has less than this, an index that nothing else belongs to is likely other print."""
_FACE_PAPER = 0.42
_BLANK = 0.985
"""Shares of paper in the middle of what has a card's outline: above the first a face, above the second nothing."""
_MOST_SIDE_PX = 8192
_LEAST_SIDE_PX = 16
_INDEX_PLACE = (0.27, 0.33)
"""Shares of a card's width and height within which the middle of an index lies from a corner."""
_INDEX_SIZE = (0.1, 0.65)
"""How high an index may be, as a share of the card's width."""


class UnknownDeckReader:
    """Reads cards of any deck whose indices are letters or figures over a suit symbol."""

    def __init__(self, detector: IndexDetector | None = None, close: CloseLook | None = None) -> None:
        self._detector = detector or shipped_detector()
        self._close = close or shipped_close_look()

    def read(self, picture: Picture) -> list[CardReading]:
        """All cards found in a BGR picture, the surest first.

        `corners` are the card's where its outline or two of its indices show, else those of its index (`index_only`).
        """
        if max(picture.shape[:2]) > _MOST_SIDE_PX:
            shrink = _MOST_SIDE_PX / max(picture.shape[:2])
            small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            return [_enlarged(card, 1 / shrink) for card in self.read(np.asarray(small, np.uint8))]
        if min(picture.shape[:2]) < _LEAST_SIDE_PX:
            return []
        picture = balanced(picture)
        paper = Paper(picture)
        lone = paper.lone_cards()
        cards, unread = self._lone_cards(picture, lone)
        read = [region.outline for region in lone if region not in unread and region.outline is not None]
        regions = [*unread, *paper.others(lone, read)]
        sights = self._sights(picture, regions)
        found = cards_of(picture, regions, sights)
        if not any(card.label for card in [*cards, *found]) or any(_worth_another_look(card) for card in found):
            # An index that is large or badly placed at one scale may be read at another.
            sure = [sight for sight in sights if sight.labels.max() >= NAMED]
            again = [
                sight
                for sight in look_for_indices(picture, [whole_picture(picture)], self._detector)
                if not any(_inside(outline, sight) for outline in read)
                and not any(lies_upon(sight, other) for other in sure)
            ]
            again = self._close.looked(picture, again)
            found = cards_of(picture, regions, surest([*sights, *again]))
        told = upon_cards(picture, without_doubles([*cards, *found]))
        return sorted(told, key=lambda card: -card.confidence)

    def indices(self, picture: Picture, known: Sequence[Points]) -> list[IndexSight]:
        """All that may be indices in a BGR picture, with the probabilities of their labels, but for those within these
        outlines of cards that are known."""
        picture = balanced(picture)
        paper = Paper(picture)
        lone = [
            region
            for region in paper.lone_cards()
            if region.outline is not None and not any(middle_within(region.outline, one) for one in known)
        ]
        regions = [*lone, *paper.others(lone, known)]
        if known and not regions:
            return []
        regions.append(whole_picture(picture))
        sights = look_for_indices(picture, regions, self._detector)
        sights = [sight for sight in sights if not any(_inside(outline, sight) for outline in known)]
        looked = self._close.looked(picture, sights)
        return [sight for sight in surest(looked) if float(sight.labels.sum()) >= _LEAST_INDEX]

    def _sights(self, picture: Picture, regions: Sequence[Region]) -> list[IndexSight]:
        return self._close.looked(picture, look_for_indices(picture, regions, self._detector))

    def _lone_cards(self, picture: Picture, regions: Sequence[Region]) -> tuple[list[CardReading], list[Region]]:
        """The lone cards both of whose corners say the same, and the regions that are left to be searched. Most cards
        are sure at the first look."""
        outlines = {n: region.outline for n, region in enumerate(regions) if region.outline is not None}
        corners = {n: indices_in_corners(picture, outline) for n, outline in outlines.items()}
        read: dict[int, CardReading] = {}
        for look in (self._close.glanced, self._close.looked):
            pairs = [(n, pair) for n, pair in corners.items() if n not in read and len(pair) == 2]
            looked = iter(look(picture, [sight for _, pair in pairs for sight in pair]))
            for n, _ in pairs:
                upper, lower = next(looked), next(looked)
                card = _reading(_on_outline(outlines[n], [upper, lower]))
                if upper.labels.argmax() == lower.labels.argmax() and card.label is not None:
                    read[n] = card
        return list(read.values()), [region for n, region in enumerate(regions) if n not in read]


@lru_cache(maxsize=1)
def shipped_reader() -> UnknownDeckReader:
    """The reader with the networks that come with the program."""
    return UnknownDeckReader()


def cards_of(picture: Picture, regions: Sequence[Region], sights: Sequence[IndexSight]) -> list[CardReading]:
    """The cards that these indices tell, first those whose outline is a region's."""
    cards: list[CardReading] = []
    sights = [sight for sight in sights if float(sight.labels.sum()) >= _LEAST_INDEX]
    for region in regions:
        if region.outline is None:
            continue
        own = [sight for sight in sights if _inside(region.outline, sight)]
        placed = [sight for sight in own if _in_its_corner(region.outline, sight)]
        if not own:
            cards += _unread(picture, region.outline)
        elif _opposite(placed) and _contradict(placed):
            corners = _turned_like(region.outline, placed[0])
            cards.append(CardReading(None, float(label_shares(placed).max()), corners, True))
            sights = [sight for sight in sights if sight not in own]
        elif placed and not _contradict(own):
            cards.append(_reading(_on_outline(region.outline, placed)))
            sights = [sight for sight in sights if sight not in own]
    return cards + [_reading(card) for card in group_cards(sights)]


def _on_outline(outline: Points, sights: Sequence[IndexSight]) -> SeenCard:
    return SeenCard(label_shares(sights), _turned_like(outline, sights[0]), tuple(sights))


def _reading(card: SeenCard) -> CardReading:
    label, share = card.best
    lone = len(card.indices) == 1 and card.corners_of_index
    named = NAMED if len(card.indices) > 1 else _NAMED_ALONE
    return CardReading(label if share >= named else None, share, card.corners, True, index_only=lone)


def _worth_another_look(card: CardReading) -> bool:
    """Whether a card was not read that shows more than print somewhat like an index."""
    return card.label is None and (not card.index_only or card.confidence > _PRINT)


def _contradict(sights: Sequence[IndexSight]) -> bool:
    """Whether two of these indices each say for sure what the other denies."""
    sure = {int(sight.labels.argmax()) for sight in sights if sight.labels.max() > 0.9}
    return len(sure) > 1


def _opposite(sights: Sequence[IndexSight]) -> bool:
    """Whether two of these indices are upside down to each other, as those of one card are."""
    ups = [np.asarray(sight.up) for sight in sights]
    return any(float(ups[0] @ up) < -0.85 for up in ups[1:])


def _inside(outline: Points, sight: IndexSight) -> bool:
    return holds(outline, sight.x, sight.y)


def _in_its_corner(outline: Points, sight: IndexSight) -> bool:
    """Whether an index stands where a card with this outline has one, along its long sides."""
    corners = _turned_like(outline, sight)
    across, along = corners[1] - corners[0], corners[3] - corners[0]
    at = np.array([sight.x, sight.y]) - corners[0]
    u, v = float(at @ across / (across @ across)), float(at @ along / (along @ along))
    size = sight.height_px / float(np.hypot(*across))
    straight = -float(np.asarray(sight.up) @ along) / float(np.hypot(*along))
    return (
        _INDEX_SIZE[0] < size < _INDEX_SIZE[1]
        and straight > 0.85
        and min(u, 1 - u) < _INDEX_PLACE[0]
        and v < _INDEX_PLACE[1]
    )


def _turned_like(outline: Points, sight: IndexSight) -> Points:
    """The outline, clockwise from the upper left corner of the card as this index has it."""
    ring = outline if cv2.contourArea(outline.astype(np.float32), True) >= 0 else outline[::-1]
    sides = np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1)
    ring = ring if sides[0] <= sides[1] else np.roll(ring, 1, axis=0)
    down = (ring[3] - ring[0]) @ np.asarray(sight.up)
    return np.asarray(ring if down < 0 else np.roll(ring, 2, axis=0), np.float64)


def _unread(picture: Picture, ring: Points) -> list[CardReading]:
    """A card's outline in which no index was found: a back, or a face that cannot be read. Blank paper is no card."""
    target = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], np.float32)
    if np.linalg.norm(ring[1] - ring[0]) > np.linalg.norm(ring[2] - ring[1]):
        ring = np.roll(ring, 1, axis=0)
    flat = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(ring.astype(np.float32), target), (63, 88))
    light = darkest_channel(u8(flat))
    level = float(np.percentile(light, 98))
    paper = float((light[12:76, 10:53] > 0.8 * level).mean())
    if paper > _BLANK:
        return []
    return [CardReading(None, 0.0, np.asarray(ring, np.float64), paper > _FACE_PAPER)]


def _enlarged(card: CardReading, by: float) -> CardReading:
    return CardReading(
        card.label, card.confidence, card.corners * by, card.face_up, card.back, index_only=card.index_only
    )
