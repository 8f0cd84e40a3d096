"""Where the index of a lone card must be: the ink in two opposite corners, a rank with its suit under it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.indices.detector import IndexSight
from vision.pictures import Picture, Points, darkest_channel, project, u8

_CARD_MM = (63.0, 88.0)
_LOOK_MM = (-1.5, -1.5, 17.0, 33.0)
"""Left, top, right and bottom of what is searched, from the corner of the card."""
_MOST_PX_PER_MM = 5.0
_LEAST_PX_PER_MM = 0.9
_INK = 0.68
"""Ink is darker, in its darkest channel, than this share of the paper's level."""
_LEFTMOST_MM = 9.5
_RANK_MM = (3.2, 15.5)
_SUIT_MM = (2.2, 11.0)
_GAP_MM = 4.0
_ASIDE_MM = 2.6


@dataclass(frozen=True, slots=True)
class _Blot:
    """A box of ink in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    def with_(self, other: "_Blot") -> "_Blot":
        return _Blot(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


def indices_in_corners(picture: Picture, outline: Points) -> list[IndexSight]:
    """The indices, at most two, of a card with these corners `(4, 2)`, clockwise, the first side being a short one."""
    sights = [_in_corner(picture, turned) for turned in (outline, np.roll(outline, 2, axis=0))]
    return [sight for sight in sights if sight is not None]


def _in_corner(picture: Picture, corners: Points) -> IndexSight | None:
    card = np.array([(0, 0), (_CARD_MM[0], 0), _CARD_MM, (0, _CARD_MM[1])], np.float32)
    to_px = np.asarray(cv2.getPerspectiveTransform(card, corners.astype(np.float32)), np.float64)
    density = min(_MOST_PX_PER_MM, float(np.linalg.norm(corners[1] - corners[0])) / _CARD_MM[0])
    if density < _LEAST_PX_PER_MM:
        return None
    left, top, right, bottom = _LOOK_MM
    to_mm = np.array([[1 / density, 0, left], [0, 1 / density, top], [0, 0, 1.0]])
    size = (round((right - left) * density), round((bottom - top) * density))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(picture, to_px @ to_mm, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    index = _index_of(_blots(darkest_channel(u8(view)), density))
    if index is None:
        return None
    x = (index.left + index.right) / 2
    up, low, middle = project(to_px, [(x, index.top), (x, index.bottom), (x, (index.top + index.bottom) / 2)])
    height = float(np.hypot(*(up - low)))
    if height < 6:
        return None
    return IndexSight(
        float(middle[0]),
        float(middle[1]),
        (float((up - low)[0] / height), float((up - low)[1] / height)),
        height,
        1.0,
    )


def _blots(light: npt.NDArray[np.uint8], density: float) -> list[_Blot]:
    """Connected ink that does not run out of the searched part at the card's own edges, from the top down."""
    level = float(np.percentile(light, 85))
    mask = (light < _INK * level).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    blots = []
    for x, y, wide, tall, area in stats[1:].tolist():
        if x == 0 or y == 0 or area < max(2.0, 0.8 * density**2):
            continue
        left, top = _LOOK_MM[0] + x / density, _LOOK_MM[1] + y / density
        blots.append(_Blot(left, top, left + wide / density, top + tall / density))
    return sorted(blots, key=lambda blot: blot.top)


def _index_of(blots: Sequence[_Blot]) -> _Blot | None:
    near = [blot for blot in blots if blot.left < _LEFTMOST_MM]
    for n, first in enumerate(near):
        rank = first
        for other in near[n + 1 :]:  # a ten is two figures
            beside = min(rank.bottom, other.bottom) - max(rank.top, other.top) > 0.6 * (other.bottom - other.top)
            if beside and max(rank.left, other.left) - min(rank.right, other.right) < 2.0:
                rank = rank.with_(other)
        if not _RANK_MM[0] < rank.bottom - rank.top < _RANK_MM[1] or rank.right - rank.left > 12.5:
            continue
        for suit in near:
            under = -0.6 < suit.top - rank.bottom < _GAP_MM
            aside = abs((suit.left + suit.right) - (rank.left + rank.right)) / 2
            if under and aside < _ASIDE_MM and _SUIT_MM[0] < suit.bottom - suit.top < _SUIT_MM[1]:
                return rank.with_(suit)
    return None
