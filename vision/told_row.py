"""A row of which some edges are doubtful, told by the indices that a fine picture shows and by what is printed.

Frames of courts and lines of a design look like edges of cards, and an index that reaches to a card's border hides its
edge. Where an index is named, a card begins; where none is, what looks like an edge must be printed on the card before,
as it was enrolled. If that does not explain all that shows, nothing is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from vision.deck import PX_PER_MM, EnrolledDeck
from vision.edges import Edge
from vision.faces import LEAST_INDEX_GAP_MM, Sight
from vision.finding import EDGE_NONE, EDGE_SURE
from vision.gaps import WIDEST_GAP, evenly_laid
from vision.paper import Paper
from vision.pictures import Picture, Points, project
from vision.printed import SOFTNESS_PX, lightest_and_darkest, not_printed, whiteness_redness
from vision.printed_light import light_lies_on
from vision.readings import CardReading
from vision.sharp import Sharp
from vision.windows import Upright

_ENDS_MM = 2.4
_LEAST_GAP_MM = 8.0
_MOST_CANDIDATES, _MOST_WAYS = 40, 4
_NEAR_MM = (0.0, 1.4, -1.4, 2.8, -2.8)
_STRANGE_SHARE = 0.03
"""Of what shows of a card; more than `printed_row` allows, as edges place a card less exactly than indices do."""
_STRANGE_MM2 = 6.0
"""Much less than the ink of the smallest index."""
_INSET_MM = 2.5
_BORDER_MM = 1.6
_LAST_COMPARED_MM = 33.0
"""How much of the last card is compared, all of which shows: farther on, its place is known less exactly."""
_BEFORE_EDGE_MM = 2.8
"""Left of a card lies its shadow upon the one before, and the blur of its edge."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Where a card may begin, its corners `(4, 2)` in the whole picture, and what it looks like."""

    edge: Edge
    corners: Points
    sight: Sight


def read_told_row(
    crop: Picture,
    view: Upright,
    paper: Paper,
    candidates: tuple[Edge, ...],
    sharp: Sharp,
    pitch_mm: tuple[float, float],
) -> tuple[tuple[CardReading, ...], float] | None:
    """The cards of a row, first to last, and how clear the least clear of them is; None unless all is explained.

    `candidates` are all left edges that there may be, weak ones too; `pitch_mm` is the least and the most at which
    cards are laid.
    """
    if sharp.deck.printed is None or not sharp.finer or not 0 < len(candidates) <= _MOST_CANDIDATES:
        return None
    begun = [
        _begun_near(crop, view, paper, edge, candidates[number + 1 :], sharp) for number, edge in enumerate(candidates)
    ]
    row = RowOfSights(
        crop, view, paper, candidates, sharp, _once(begun, _LEAST_GAP_MM * view.px_per_mm), WIDEST_GAP * pitch_mm[1]
    )
    cards = row.only_way()
    if cards is None and row.find_hidden():
        cards = row.only_way()
    if cards is None:
        return None
    if light_lies_on(crop) and not evenly_laid([card.edge.x / view.px_per_mm for card in cards], pitch_mm):
        return None
    told = tuple(
        CardReading(card.sight.label, card.sight.confidence, card.corners, card.sight.face_up is True, card.sight.back)
        for card in cards
    )
    return told, min(row.clear[card.edge.x] for card in cards)


def _once(begun: Sequence[Begun | None], near: float) -> list[Begun]:
    """Each card once, left to right: one that was found from two edges near each other counts from the stronger."""
    kept: list[Begun] = []
    for card in begun:
        if card is None:
            continue
        last = kept[-1] if kept else None
        if (
            last is not None
            and card.sight.label
            and card.sight.label == last.sight.label
            and card.edge.x - last.edge.x < near
        ):
            if card.edge.rise > last.edge.rise:
                kept[-1] = card
        else:
            kept.append(card)
    return sorted(kept, key=lambda card: card.edge.x)


def _same(one: Begun, other: Begun, q: float) -> bool:
    """Whether two sights are of one card."""
    return one.sight.label == other.sight.label and abs(one.edge.x - other.edge.x) < _LEAST_GAP_MM * q


def _surely(begun: Begun) -> bool:
    """Whether a card begins there in any case: its index is named, and its edge shows."""
    return begun.sight.label is not None and begun.edge.rise >= EDGE_SURE and begun.edge.bordered


class RowOfSights:
    """Cards that begin somewhere in a row: faces surely, backs perhaps, since a strip of one looks like another."""

    def __init__(
        self,
        crop: Picture,
        view: Upright,
        paper: Paper,
        candidates: tuple[Edge, ...],
        sharp: Sharp,
        begun: list[Begun],
        widest_mm: float,
    ) -> None:
        self.crop, self.view, self.paper, self.candidates, self.sharp = crop, view, paper, candidates, sharp
        self.begun, self.widest_mm = begun, widest_mm
        self.clear: dict[float, float] = {}

    def find_hidden(self) -> bool:
        """Look between cards that do not explain what shows there for faces whose edge is hidden; True if one is."""
        q, found = self.view.px_per_mm, []
        for card, after in pairwise(self.begun):
            if card.edge.x + 2 * _LEAST_GAP_MM * q > after.edge.x or self._explained(card, after):
                continue
            near: list[Begun] = []
            for x in np.arange(card.edge.x + _LEAST_GAP_MM * q, after.edge.x - _LEAST_GAP_MM * q, _NEAR_MM[1] * q):
                edge = Edge(float(x), card.edge.slant, 0.0, 0.0)
                begun = _begun(self.crop, self.view, self.paper, edge, (after.edge,), self.sharp)
                near += [] if begun is None else [begun]
            groups = [near[k] for k in range(len(near)) if not any(_same(near[k], o, q) for o in near[:k])]
            for first in groups:
                same = [other for other in near if _same(first, other, q)]
                found.append(max(same, key=lambda begun: begun.sight.confidence))
        self.begun = sorted([*self.begun, *found], key=lambda begun: begun.edge.x)
        return bool(found)

    def only_way(self) -> list[Begun] | None:
        """The cards that explain the whole row, if just one choice of them does."""
        q, wide = self.view.px_per_mm, self.sharp.deck.card_mm[0]
        ways: list[list[list[Begun]]] = [[] for _ in self.begun]
        for number in reversed(range(len(self.begun))):
            card = self.begun[number]
            ends = abs(card.edge.x + wide * q - self.paper.right) <= _ENDS_MM * q
            named_later = any(_surely(later) for later in self.begun[number + 1 :])
            if ends and not named_later and self._explained(card, None):
                ways[number].append([card])
            for after in range(number + 1, len(self.begun)):
                if ways[after] and self._explained(card, self.begun[after]):
                    ways[number] += [[card, *rest] for rest in ways[after]]
                if _surely(self.begun[after]):
                    break  # a face that was named is there
            if len(ways[number]) > _MOST_WAYS:
                return None
        whole: list[list[Begun]] = []
        for number, card in enumerate(self.begun):
            if abs(card.edge.x - self.paper.left) <= _ENDS_MM * q:
                whole += ways[number]
            if _surely(card):
                break
        # An index without an edge may be a second one of the card before, as some decks have, that explains it.
        whole.sort(key=len)
        return whole[0] if whole and all(_same_cards(whole[0], way) for way in whole[1:]) else None

    def _explained(self, card: Begun, after: Begun | None) -> bool:
        """Whether all that shows of a card up to the next one is that card's own."""
        q, wide = self.view.px_per_mm, self.sharp.deck.card_mm[0]
        end = self.paper.right if after is None else after.edge.x
        gap_mm = (end - card.edge.x) / q
        if after is not None and not _LEAST_GAP_MM <= gap_mm <= min(self.widest_mm, wide + 1):
            return False
        shows_mm = min(wide, gap_mm)
        if card.sight.label is None:  # printing of backs looks like no edge
            self.clear[card.edge.x] = 1.0
            inside = [edge for edge in self.candidates if card.edge.x + q < edge.x < end - q]
            return all(edge.rise < EDGE_NONE for edge in inside)
        compared_mm = min(_LAST_COMPARED_MM, shows_mm) if after is None else shows_mm
        off = _strange_share(self.crop, self.view, card, self.paper.white, compared_mm, self.sharp.deck)
        # An index of another card would be little of what shows; none lies on the last card, all of which shows.
        most = (
            _STRANGE_SHARE
            if after is None
            else min(_STRANGE_SHARE, _STRANGE_MM2 / (shows_mm * self.sharp.deck.card_mm[1]))
        )
        self.clear[card.edge.x] = max(0.0, 1 - off / most)
        return off <= most


def _same_cards(fewest: list[Begun], way: list[Begun]) -> bool:
    """Whether a way to explain a row has no other cards than the one with the fewest, only second indices of them."""
    for card in way:
        if not any(card is kept for kept in fewest):
            before = [kept for kept in fewest if kept.edge.x < card.edge.x]
            if not before or before[-1].sight.label is None or before[-1].sight.label != card.sight.label:
                return False
    return len(way) > len(fewest)


def _begun_near(
    crop: Picture, view: Upright, paper: Paper, edge: Edge, after: tuple[Edge, ...], sharp: Sharp
) -> Begun | None:
    """The card that begins at an edge, or near a weak one: where an index hides the edge, that is not exact."""
    for away_mm in (0.0,) if edge.rise >= EDGE_SURE else _NEAR_MM:
        moved = replace(edge, x=edge.x + away_mm * view.px_per_mm)
        begun = _begun(crop, view, paper, moved, after, sharp)
        if begun is not None:
            return begun
    return None


def _begun(
    crop: Picture, view: Upright, paper: Paper, edge: Edge, after: tuple[Edge, ...], sharp: Sharp
) -> Begun | None:
    """The card that begins at an edge, if one does: its index is named, or its back is one that was enrolled."""
    gaps = [(other.x - edge.x) / view.px_per_mm for other in after if other.rise >= EDGE_NONE]
    shows_mm = min([gap for gap in gaps if gap >= LEAST_INDEX_GAP_MM] + [sharp.deck.card_mm[0]])
    seen = sharp.card_at(crop, view, paper, edge, shows_mm)
    if seen is None:
        return None
    corners, sight = seen
    if sight.label is not None:
        return Begun(edge, corners, sight)
    if sight.face_up is False and sight.back is not None and edge.rise >= EDGE_SURE and edge.bordered:
        return Begun(edge, corners, sight)
    return None


def _strange_share(
    crop: Picture, view: Upright, card: Begun, white: float, shows_mm: float, deck: EnrolledDeck
) -> float:
    """Share of what shows of a card that is not printed so on the face that it was named as."""
    printed = deck.printed
    if printed is None:
        return 1.0
    number = deck.labels.index(str(card.sight.label))
    high, wide = printed.faces.shape[2:]
    target = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - np.float32(0.5)
    move = cv2.getPerspectiveTransform(project(view.picture_to_crop, card.corners).astype(np.float32), target)
    seen = cv2.warpPerspective(crop, move, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = whiteness_redness(seen, white)[0]  # type: ignore[arg-type]
    inset, left = round(_INSET_MM * PX_PER_MM), round(_BORDER_MM * PX_PER_MM)
    last = round((min(shows_mm, deck.card_mm[0]) - _BEFORE_EDGE_MM) * PX_PER_MM)
    least = 1.0
    for softness in range(len(SOFTNESS_PX)):
        art = printed.soft(softness)[0][number, 0]
        lightest, darkest = lightest_and_darkest(art)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                part = seen[inset + dy : high - inset + dy, left + dx : last + dx]
                here = (slice(inset, high - inset), slice(left, last))
                least = min(least, float(not_printed(part, lightest[here], darkest[here]).mean()))
    return least
