"""From indices to cards: two opposite indices that say the same are one card; one alone is a card partly hidden."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from vision.indices.detector import IndexSight
from vision.indices.letters import RANKS, SUITS
from vision.pictures import Points

_CARD_MM = (63.0, 88.0)
_INDEX_WIDE = 0.5
"""Width of an index, as a share of its height."""
_DEPENDENT = 0.85
"""0 would take the indices of a card for independent, 1 for repetitions of one."""
_SAME = 0.8
_APART = {False: (1.6, 2.0, 1.5), True: (2.6, 1.1, 0.9)}
"""How many times as high one index of a card may be as the other, and how far below and beside each other they stand at
least, in heights; wider where both say the same for sure. Two so near cannot be those of two cards: each stands where
the other's card lies, and the upper card would hide the index of the lower one."""
_UPRIGHT, _ASKEW = 0.74, 0.35
"""How far beside each other, as a share of how far below, the indices of a card seen from above stand, and, as a
logarithm, how usual it is to differ. An index that may be that of two cards of one label is the likelier one's."""
_CLEARLY = (0.96, 1.25, (3.0, 7.0), (0.55, 0.95))
"""Two indices stand clearly as those of one card whatever they say: the cosine of how far they are turned from upside
down to each other, how many times as high one may be, heights by which one stands below the other, and how far beside
it, as a share of that. One of them may be partly hidden, and say something else for it."""
_CONTRADICTED = 0.5
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """One card: the probability of each of the 52 labels, and the indices it was read from. `corners` are those of the
    card if two of them tell where it lies, else those of the one index."""

    shares: Shares
    corners: Points
    indices: tuple[IndexSight, ...]
    corners_of_index: bool = False

    @property
    def best(self) -> tuple[str, float]:
        """The likeliest label and its probability."""
        number = int(self.shares.argmax())
        return RANKS[number // 4] + SUITS[number % 4], float(self.shares[number])


def label_shares(sights: Sequence[IndexSight]) -> Shares:
    """Probabilities of the 52 labels from all indices of one card.

    They are not independent: print that looks like another suit, or a blur, is the same at both corners. Two count as
    somewhat more than one, as much as `_DEPENDENT` leaves them.
    """
    logs = np.sum([np.log(np.asarray(sight.labels, np.float64) + 1e-6) for sight in sights], axis=0)
    logs /= len(sights) ** _DEPENDENT
    raised = np.exp(logs - np.max(logs))
    index = max(float(sight.labels.sum()) for sight in sights)
    return np.asarray(raised / raised.sum() * min(1.0, index))


def group_cards(sights: Sequence[IndexSight]) -> list[SeenCard]:
    """Cards from the indices of one picture."""
    pairs = sorted(
        ((strength, a, b) for a, b in combinations(range(len(sights)), 2) if (strength := _pair(sights[a], sights[b]))),
        key=lambda entry: -entry[0],
    )
    used: set[int] = set()
    cards: list[SeenCard] = []
    for _, a, b in pairs:
        if a in used or b in used:
            continue
        used |= {a, b}
        corners = _corners_of_pair(sights[a], sights[b])
        more = [n for n in range(len(sights)) if n not in used and _is_corner_index(sights[n], corners, sights[a])]
        used |= set(more)
        members = tuple(sights[n] for n in (a, b, *more))
        cards.append(SeenCard(label_shares(members), corners, members))
    left = [n for n in range(len(sights)) if n not in used]
    for a, b in combinations(left, 2):
        if a not in used and b not in used and _contradicting(sights[a], sights[b]):
            used |= {a, b}
            members = (sights[a], sights[b])
            cards.append(SeenCard(label_shares(members) * _CONTRADICTED, _corners_of_pair(*members), members))
    for n, sight in enumerate(sights):
        if n not in used:
            cards.append(SeenCard(label_shares([sight]), _index_box(sight), (sight,), True))
    return cards


def _frame(sight: IndexSight) -> tuple[Points, Points]:
    up = np.asarray(sight.up, np.float64)
    return np.array([-up[1], up[0]]), up


def _contradicting(a: IndexSight, b: IndexSight) -> bool:
    """Whether two indices that say different things stand clearly as those of one card."""
    turned, most, below, beside = _CLEARLY
    up = (np.asarray(a.up, np.float64) - np.asarray(b.up)) / 2
    height = (a.height_px + b.height_px) / 2
    across, down = (float(v) for v in _away(a, b, up))
    return (
        float(np.asarray(a.up) @ np.asarray(b.up)) < -turned
        and max(a.height_px, b.height_px) < most * min(a.height_px, b.height_px)
        and below[0] < down / height < below[1]
        and beside[0] < across / down < beside[1]
    )


def _away(a: IndexSight, b: IndexSight, up: Shares) -> Shares:
    """How far to the right of one index, and below it, another one stands, as `up` has it."""
    up = up / max(float(np.hypot(*up)), 1e-6)
    away = np.array([b.x - a.x, b.y - a.y])
    return np.array([away @ np.array([-up[1], up[0]]), -(away @ up)])


def _pair(a: IndexSight, b: IndexSight) -> float:
    """How well two indices stand as those of one card do; 0 when they do not."""
    against = -(a.up[0] * b.up[0] + a.up[1] * b.up[1])
    ratio = max(a.height_px, b.height_px) / min(a.height_px, b.height_px)
    same = float(a.labels @ b.labels)
    # Two that say the same for sure may be as far from each other as a card seen very much askew shows them.
    slack = 1.35 if same > _SAME else 1.0
    most, least_down, least_across = _APART[same > _SAME]
    if against < 0.85 / slack or ratio > most:
        return 0.0
    # Each alone may be seen a little turned.
    across, down = (float(v) for v in _away(a, b, np.asarray(a.up, np.float64) - np.asarray(b.up)))
    height = (a.height_px + b.height_px) / 2
    if not (least_down < down / height < 7.5 and least_across < across / height < 6.0):
        return 0.0
    if not 0.45 / slack < across / down < 1.25 * slack:
        return 0.0
    fit = np.exp(-0.5 * (np.log(across / down / _UPRIGHT) / _ASKEW) ** 2)
    return float(same * against * a.score * b.score * fit) if same > 0.02 else 0.0


def _corners_of_pair(a: IndexSight, b: IndexSight) -> Points:
    middle = np.array([(a.x + b.x) / 2, (a.y + b.y) / 2])
    up = np.asarray(a.up) - np.asarray(b.up)
    up = up / max(float(np.hypot(*up)), 1e-6)
    right = np.array([-up[1], up[0]])
    away = np.array([b.x - a.x, b.y - a.y])
    height = (a.height_px + b.height_px) / 2
    # Both distances are known; the index stands about 5.5 mm from the side and a third of its height from the top.
    px_per_mm = float(away @ right) / (_CARD_MM[0] - 2 * 5.6)
    long = float(-(away @ up)) + height * 1.0 + 2 * 3.8 * px_per_mm
    px_per_mm = (px_per_mm + long / _CARD_MM[1]) / 2
    half = (right * _CARD_MM[0] / 2 * px_per_mm, up * _CARD_MM[1] / 2 * px_per_mm)
    return np.array(
        [middle - half[0] + half[1], middle + half[0] + half[1], middle + half[0] - half[1], middle - half[0] - half[1]]
    )


def _index_box(sight: IndexSight) -> Points:
    right, up = _frame(sight)
    across, along = right * sight.height_px * _INDEX_WIDE / 2, up * sight.height_px / 2
    middle = np.array([sight.x, sight.y])
    return np.array(
        [middle - across + along, middle + across + along, middle + across - along, middle - across - along]
    )


def _is_corner_index(sight: IndexSight, corners: Points, like: IndexSight) -> bool:
    """Whether an index stands in a corner of a card that was found by two others."""
    if abs(sight.up[0] * like.up[0] + sight.up[1] * like.up[1]) < 0.9:
        return False
    x = corners[1] - corners[0]
    y = corners[3] - corners[0]
    at = np.array([sight.x, sight.y]) - corners[0]
    u, v = float(at @ x / (x @ x)), float(at @ y / (y @ y))
    return min(abs(u), abs(1 - u)) < 0.2 and min(abs(v), abs(1 - v)) < 0.25 and -0.05 < u < 1.05 and -0.05 < v < 1.05
