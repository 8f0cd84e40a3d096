"""Where in a picture cards may lie: paper stands out from its surroundings, whatever these are."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.indices.outlines import find_outlines
from vision.pictures import Picture, Points, u8

_WORK_PX = 480
_LEAST_SHARE = 0.0006
_LONE_CARD_PX = 125.0
"""Width at which a lone card is looked at: its index is then 18 to 40 pixels high."""
_MOST_REGIONS = 40

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Pixels `left, top, right, bottom` that may show cards, and the scales at which to look. `outline` is that of a
    lone card, `(4, 2)`, clockwise with a short side first, where the region shows one."""

    box: Box
    scales: tuple[float, ...]
    outline: Points | None = None


def find_regions(picture: Picture) -> list[Region]:
    """The lone cards of a BGR picture, and whatever else is paper. All of it when no paper stands out."""
    height, width = picture.shape[:2]
    shrink = min(1.0, _WORK_PX / max(height, width))
    small = shrunk(picture, shrink)
    lone = [_of_outline(outline / shrink, width, height) for outline in find_outlines(small)]
    others = []
    contours, _ = cv2.findContours(paper_mask(small), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:_MOST_REGIONS]:
        if cv2.contourArea(contour) < _LEAST_SHARE * small.shape[0] * small.shape[1]:
            break
        x, y, w, h = (value / shrink for value in cv2.boundingRect(contour))
        box = _widened((x, y, x + w, y + h), 4 + 0.04 * min(w, h), width, height)
        others.append(Region(box, _cluster_scales(box)))
    others = _without_inner([region for region in others if not any(_mostly(region.box, card.box) for card in lone)])
    return lone + others or [whole_picture(picture)]


def whole_picture(picture: Picture) -> Region:
    """All of a picture."""
    box = (0, 0, picture.shape[1], picture.shape[0])
    return Region(box, _cluster_scales(box))


def shrunk(picture: Picture, by: float) -> Picture:
    """The picture at `by` times its size, at most 1. Halving first is exact and cheap."""
    size = (max(1, round(picture.shape[1] * by)), max(1, round(picture.shape[0] * by)))
    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        even = picture[: 2 * half[1], : 2 * half[0]]
        picture = u8(cv2.resize(even, half, interpolation=cv2.INTER_AREA))
    return picture if by == 1 else u8(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


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
    """Two looks, the finer one at about 700 pixels across, or at the picture's own size where that is less."""
    long = max(box[2] - box[0], box[3] - box[1])
    fine = min(2.0, 760 / long) if long < 760 else max(760 / long, min(1.0, 1100 / long))
    return (fine, fine / 2)


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
