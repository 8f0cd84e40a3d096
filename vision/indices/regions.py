"""Where in a picture cards may lie: paper stands out from its surroundings, whatever these are."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.indices.outlines import find_outlines
from vision.pictures import Picture, Points, darkest_channel, shrunk

_WORK_PX = 480
_LEAST_SHARE = 0.0006
_LEAST_BRIGHT = 0.004
"""Of a picture, beside the cards that were read, that could be paper by its light alone."""
_LONE_CARD_PX = 125.0
"""Width at which a lone card is looked at: its index is then 18 to 40 pixels high."""
_MOST_REGIONS = 40
_LEAST_LIGHT = 0.5
"""Where a lone card shows how light paper is, what is darker than this share of it is none."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Pixels `left, top, right, bottom` that may show cards, and the scales at which to look. `outline` is that of a
    lone card, `(4, 2)`, clockwise with a short side first, where the region shows one."""

    box: Box
    scales: tuple[float, ...]
    outline: Points | None = None


class Paper:
    """What of a BGR picture may be cards, looked for in a small copy of it."""

    def __init__(self, picture: Picture) -> None:
        self._height, self._width = picture.shape[:2]
        self._shrink = min(1.0, _WORK_PX / max(self._height, self._width))
        self._small = shrunk(picture, self._shrink)

    def lone_cards(self) -> list[Region]:
        """What has the outline of a card."""
        outlines = find_outlines(self._small)
        return [_of_outline(outline / self._shrink, self._width, self._height) for outline in outlines]

    def others(self, lone: Sequence[Region], read: Sequence[Points]) -> list[Region]:
        """All other paper, except where these outlines of cards lie that were read already."""
        if any(card.box == (0, 0, self._width, self._height) for card in lone):
            return []  # one card fills the picture
        light = darkest_channel(self._small)
        known = [outline * self._shrink for outline in read]
        least = _LEAST_LIGHT * max((_level(light, outline) for outline in known), default=0.0)
        unknown = np.full(light.shape, 255, np.uint8)
        for outline in known:
            cv2.fillPoly(unknown, [np.round(outline).astype(np.int32)], 0)
            cv2.polylines(unknown, [np.round(outline).astype(np.int32)], True, 0, 5)
        if np.count_nonzero((light >= least) & (unknown > 0)) < _LEAST_BRIGHT * light.size:
            return []
        mask = np.minimum(paper_mask(self._small), unknown)
        regions = []
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:_MOST_REGIONS]:
            if cv2.contourArea(contour) < _LEAST_SHARE * mask.size:
                break
            if _level(light, contour) < least:
                continue
            x, y, w, h = (value / self._shrink for value in cv2.boundingRect(contour))
            box = _widened((x, y, x + w, y + h), 4 + 0.04 * min(w, h), self._width, self._height)
            if not any(_mostly(box, card.box) for card in lone):
                regions.append(Region(box, _cluster_scales(box)))
        return _without_inner(regions)


def whole_picture(picture: Picture) -> Region:
    """All of a picture."""
    box = (0, 0, picture.shape[1], picture.shape[0])
    return Region(box, _cluster_scales(box))


def paper_mask(small: Picture) -> npt.NDArray[np.uint8]:
    """255 where a small BGR picture may show paper: light, of little colour, lighter than what is around it."""
    blue, green, red = cv2.split(small)
    darkest = cv2.GaussianBlur(cv2.min(cv2.min(blue, green), red), (3, 3), 0)
    light = darkest.astype(np.float32)
    colour = cv2.max(cv2.max(blue, green), red).astype(np.float32) - light
    around = cv2.blur(light, (81, 81))
    level = float(np.percentile(light[::2, ::2], 99))
    pale = colour < 0.38 * (light + 30)
    mask = ((light > around * 1.06 + 4) & pale & (light > 0.32 * level)) | ((light > 0.8 * level) & pale)
    whole = cv2.morphologyEx(mask.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    return np.asarray(closed, np.uint8)


def _level(light: Picture, ring: npt.NDArray[np.generic]) -> float:
    """How light the paper within a closed outline is."""
    corners = np.round(np.asarray(ring, np.float64).reshape(-1, 2)).astype(np.int32)
    x, y, wide, tall = cv2.boundingRect(corners)
    part = light[max(0, y) : y + tall, max(0, x) : x + wide]
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(inside, [corners - (max(0, x), max(0, y))], 1)
    values = part[inside > 0]
    return float(np.percentile(values, 80)) if values.size else 0.0


def _of_outline(outline: Points, width: int, height: int) -> Region:
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    short = float(np.linalg.norm(outline[1] - outline[0]))
    box = _widened((left, top, right, bottom), 2 + 0.04 * short, width, height)
    return Region(box, (min(3.0, _LONE_CARD_PX / short),), outline)


def _widened(box: tuple[float, float, float, float], by: float, width: int, height: int) -> Box:
    left, top, right, bottom = box
    return (
        max(0, int(left - by)),
        max(0, int(top - by)),
        min(width, int(right + by) + 1),
        min(height, int(bottom + by) + 1),
    )


def _cluster_scales(box: Box) -> tuple[float, ...]:
    """Three looks, the finest at about 700 pixels across, or at the picture's own size where that is less. The coarsest
    is for what shows of one card beside another: its index may be large."""
    long = max(box[2] - box[0], box[3] - box[1])
    fine = min(2.0, 760 / long) if long < 760 else max(760 / long, min(1.0, 1100 / long))
    return (fine, fine / 2, fine / 4)


def _mostly(inner: Box, outer: Box) -> bool:
    """Whether nine tenths of one box lie in another."""
    wide = min(inner[2], outer[2]) - max(inner[0], outer[0])
    tall = min(inner[3], outer[3]) - max(inner[1], outer[1])
    return min(wide, tall) > 0 and wide * tall > 0.9 * (inner[2] - inner[0]) * (inner[3] - inner[1])


def _without_inner(regions: Sequence[Region]) -> list[Region]:
    kept: list[Region] = []
    for region in regions:
        if not any(_mostly(region.box, other.box) for other in kept):
            kept.append(region)
    return kept
