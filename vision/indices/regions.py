"""Where in a picture cards may lie: paper stands out from its surroundings, whatever these are."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points

_WORK_PX = 480
_LEAST_SHARE = 0.0006
_CARD_SHAPE = (1.2, 1.68)
_LEAST_FILLING = 0.88
_LONE_CARD_PX = 130.0
"""Width at which a lone card is looked at: its index is then 25 to 45 pixels high."""
_SCALES = (1.0, 2.0)


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Pixels `left, top, right, bottom` that may show cards, and the scales at which to look. `outline` is that of a
    lone card, `(4, 2)`, where the region has one's shape."""

    box: tuple[int, int, int, int]
    scales: tuple[float, ...]
    outline: Points | None = None


def find_regions(picture: Picture) -> list[Region]:
    """The regions of a BGR picture, the largest first. All of it when paper does not stand out."""
    height, width = picture.shape[:2]
    shrink = min(1.0, _WORK_PX / max(height, width))
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    mask = paper_mask(small)  # type: ignore[arg-type]
    regions = []
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:40]:
        if cv2.contourArea(contour) < _LEAST_SHARE * mask.size:
            break
        regions.append(_region(contour, shrink, width, height))
    covered = sum((r.box[2] - r.box[0]) * (r.box[3] - r.box[1]) for r in regions)
    if not regions or (covered > 0.8 * width * height and all(region.outline is None for region in regions)):
        return [Region((0, 0, width, height), _cluster_scales(width, height))]
    return _without_inner(regions)


def paper_mask(small: Picture) -> npt.NDArray[np.uint8]:
    """255 where a small BGR picture may show paper: light, of little colour, lighter than what is around it."""
    light = cv2.GaussianBlur(small.min(axis=2), (3, 3), 0).astype(np.float32)
    colour = small.max(axis=2).astype(np.float32) - light
    around = cv2.blur(light, (81, 81))
    level = float(np.percentile(light, 99))
    pale = colour < 0.38 * (light + 30)
    mask = ((light > around * 1.06 + 4) & pale & (light > 0.32 * level)) | ((light > 0.8 * level) & pale)
    whole = cv2.morphologyEx(mask.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    return np.asarray(closed, np.uint8)


def _region(outline: npt.NDArray[np.generic], shrink: float, width: int, height: int) -> Region:
    contour = np.asarray(outline, np.int32)
    hull = cv2.convexHull(contour)
    centre, sides, angle = cv2.minAreaRect(hull)
    short, long = sorted(sides)
    full = float(cv2.contourArea(hull)) / max(short * long, 1.0)
    x, y, w, h = cv2.boundingRect(contour)
    margin = 4 + 0.06 * short / shrink
    box = (
        max(0, int(x / shrink - margin)),
        max(0, int(y / shrink - margin)),
        min(width, int((x + w) / shrink + margin) + 1),
        min(height, int((y + h) / shrink + margin) + 1),
    )
    lone = full > _LEAST_FILLING and _CARD_SHAPE[0] < long / max(short, 1.0) < _CARD_SHAPE[1]
    if not lone:
        return Region(box, _cluster_scales(box[2] - box[0], box[3] - box[1]))
    scale = min(3.0, _LONE_CARD_PX / (short / shrink))
    return Region(box, (scale,), np.asarray(cv2.boxPoints((centre, sides, angle)), np.float64) / shrink)


def _cluster_scales(width: int, height: int) -> tuple[float, ...]:
    """Two looks, the finer one at about 700 pixels across, or at the picture's own size where that is less."""
    long = max(width, height)
    fine = min(2.0, 760 / long) if long < 760 else max(760 / long, min(1.0, 1100 / long))
    return (fine, fine / 2)


def _without_inner(regions: list[Region]) -> list[Region]:
    kept: list[Region] = []
    for region in regions:
        a = region.box
        if not any(b.box[0] <= a[0] and b.box[1] <= a[1] and b.box[2] >= a[2] and b.box[3] >= a[3] for b in kept):
            kept.append(region)
    return kept
