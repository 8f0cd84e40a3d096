"""Whether an outline that nothing could be read from is a card's: noise, text, wood and tiles have outlines too.

A card has a plain border all around, sharp against its ground, something printed within it, and round corners.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, darkest_channel, u8, upright_rectangle

Light = npt.NDArray[np.float32]

PX_PER_MM = 4.0
MARGIN_MM = 5.0
_CARD_MM = (63.0, 88.0)
_BORDER_MM = (0.9, 1.9)
_GROUND_MM = (1.4, 3.4)
"""Within a card's side, and beside it, where border and ground are looked at."""
_LEAST_STEP, _STEPPING = 22.0, 0.85
"""Levels between border and ground, and the share of each side along which half of what is usual there is found."""
_MOST_UNEVEN = 0.09
"""How much a border may vary along a side, as a share of its level, apart from light that falls off evenly."""
_INK, _FACE_INK, _BACK_INK = 0.80, (0.012, 0.55), (0.40, 1.0)
"""What is darker than the first, as a share of the border, is printed; shares of a card that print covers."""
_PRINT_STEP, _LEAST_EDGED = 20.0, 0.012
"""Levels within a millimetre that are an edge of print, and the share of a card that lies at such edges."""
_MOST_PIECES = 60
"""A face is printed in fewer pieces: photographed court cards have 26 at most."""
_LIKE_GROUND, _MOST_GROUND = 16.0, 0.55
"""Levels within which something has the colour of the ground, and the share of a card that has it at most."""
_IN_CORNER_MM = 0.7
_LEAST_SIDE_PX = 34.0
_CORNER_SIDE_PX = 110.0
"""Shorter sides have too few pixels in them for a card, or for its round corners to show."""


def is_card_like(picture: Picture, corners: Points, face_up: bool) -> bool:
    """Whether corners `(4, 2)`, clockwise, in a BGR picture are those of a card that shows a back, or a face."""
    if float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min()) < _LEAST_SIDE_PX:
        return False
    flat = flattened(picture, corners)
    light = darkest_channel(flat).astype(np.float32)
    inside = _within_picture(picture, corners)
    border = _sides(light, -_BORDER_MM[1], -_BORDER_MM[0])
    levels = [float(np.median(side)) for side in border]
    if min(levels) < 40 or max(levels) > 2.2 * min(levels) or any(_uneven(side) > _MOST_UNEVEN for side in border):
        return False
    if not _printed(light, float(np.median(levels)), face_up):
        return False
    if not inside:
        return True
    if _shows_ground(flat):
        return False
    grounds = _sides(light, _GROUND_MM[0], _GROUND_MM[1])
    for side, ground in zip(border, grounds, strict=True):
        steps = side - ground
        usual = float(np.median(steps))
        if usual < _LEAST_STEP or float((steps > usual / 2).mean()) < _STEPPING:
            return False
    return _round_cornered(light, picture, corners)


def _shows_ground(flat: Picture) -> bool:
    """Whether most of what a flattened outline encloses is what lies beside it: then it is a frame printed on that."""
    near, far = (round((MARGIN_MM - mm) * PX_PER_MM) for mm in _GROUND_MM)
    skip, inset = round((MARGIN_MM + 5.0) * PX_PER_MM), round((MARGIN_MM + 3.6) * PX_PER_MM)
    soft = cv2.blur(flat, (5, 5)).astype(np.float32)
    turned = (soft, np.rot90(soft), np.rot90(soft, 2), np.rot90(soft, 3))
    ground = np.median([np.median(side[far:near, skip:-skip], axis=(0, 1)) for side in turned], axis=0)
    off = np.abs(soft[inset:-inset, inset:-inset] - ground).max(axis=2)
    return float((off < _LIKE_GROUND).mean()) > _MOST_GROUND


def flattened(picture: Picture, corners: Points) -> Picture:
    """A card and `MARGIN_MM` around it, upright at `PX_PER_MM`."""
    ring = corners if _upright(corners) else np.roll(corners, 1, axis=0)
    width, height = _CARD_MM
    target = (upright_rectangle((width, height)) + MARGIN_MM) * PX_PER_MM - 0.5
    scale = float(np.linalg.norm(ring[1] - ring[0])) / (width * PX_PER_MM)
    soft = picture if scale <= 1.2 else u8(cv2.GaussianBlur(picture, (0, 0), 0.4 * scale))
    move = cv2.getPerspectiveTransform(ring.astype(np.float32), target.astype(np.float32))
    size = (round((width + 2 * MARGIN_MM) * PX_PER_MM), round((height + 2 * MARGIN_MM) * PX_PER_MM))
    return u8(cv2.warpPerspective(soft, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def corner_levels(light: Light) -> list[float]:
    """What lies just within each corner of a flattened card, clockwise: where round corners leave the ground bare.

    Corners are where the sides of what shows would meet, as an outline from a small picture is a little off.
    """
    at = _IN_CORNER_MM / np.sqrt(2) * PX_PER_MM
    turned = (light, np.rot90(light), np.rot90(light, 2), np.rot90(light, 3))
    left, top, right, bottom = (_begins(turned[n]) for n in (0, 1, 2, 3))
    height, width = light.shape
    x0, y0, x1, y1 = left + at, top + at, width - 1 - right - at, height - 1 - bottom - at
    return [float(light[round(y), round(x)]) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def _begins(light: Light) -> float:
    """The column, to a fraction, at which a flattened card begins on its left."""
    margin, rows = round(MARGIN_MM * PX_PER_MM), len(light) // 4
    reach = round(3.0 * PX_PER_MM)
    line = light[rows:-rows, margin - reach : margin + round(1.8 * PX_PER_MM)].mean(axis=0)
    outside, inside = float(line[:4].mean()), float(line[-3:].mean())
    share = (line - outside) / (inside - outside if abs(inside - outside) > 1e-6 else 1e-6)
    first = int(np.argmax(share >= 0.5)) if (share >= 0.5).any() else reach
    before = float(share[first - 1]) if first else 0.0
    part = (0.5 - before) / max(float(share[first]) - before, 1e-6)
    return margin - reach + first - 1 + min(max(part, 0.0), 1.0)


def short_side_px(corners: Points) -> float:
    """The length of the shortest side."""
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min())


def shows_corners(corners: Points) -> bool:
    """Whether a card is large enough in its picture for round corners to be told from square ones."""
    return short_side_px(corners) >= _CORNER_SIDE_PX


def _upright(corners: Points) -> bool:
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return bool(sides[0] + sides[2] <= sides[1] + sides[3])


def _within_picture(picture: Picture, corners: Points) -> bool:
    """Whether ground shows beside the outline; a card that fills its picture has none."""
    height, width = picture.shape[:2]
    reach = _GROUND_MM[1] / _CARD_MM[0] * short_side_px(corners)
    low, high = corners.min(axis=0) - reach, corners.max(axis=0) + reach
    return bool(low.min() >= 0 and high[0] < width and high[1] < height)


def _sides(light: Light, nearest_mm: float, farthest_mm: float) -> list[Light]:
    """The mean light along each side, from the corners' round to round, between two distances outside of it."""
    height, width = light.shape
    margin, skip = MARGIN_MM * PX_PER_MM, (MARGIN_MM + 5.0) * PX_PER_MM
    first, last = (round(margin - mm * PX_PER_MM) for mm in (farthest_mm, nearest_mm))
    along_x, along_y = slice(round(skip), round(width - skip)), slice(round(skip), round(height - skip))
    last = max(last, first + 1)
    return [
        light[first:last, along_x].mean(axis=0),
        light[along_y, width - last : width - first].mean(axis=1),
        light[height - last : height - first, along_x].mean(axis=0),
        light[along_y, first:last].mean(axis=1),
    ]


def _uneven(side: Light) -> float:
    """How far the light along a side is from a straight line, leaving out the tenth that differs most."""
    at = np.linspace(-1, 1, len(side))
    off = np.abs(side - np.polyval(np.polyfit(at, side, 2), at))
    return float(np.sort(off)[: round(0.9 * len(off))].std() + np.percentile(off, 90)) / max(float(side.mean()), 1.0)


def _printed(light: Light, border: float, face_up: bool) -> bool:
    """Whether as much is printed within the border as on a face or a back, in pieces larger than noise."""
    inset = round((MARGIN_MM + 3.6) * PX_PER_MM)
    part = np.asarray(cv2.blur(light[inset:-inset, inset:-inset], (3, 3)), np.float32)
    share = float((part < _INK * border).mean())
    low, high = _FACE_INK if face_up else _BACK_INK
    if not low <= share <= high or _edged(part) < _LEAST_EDGED:
        return False
    return not face_up or _pieces(part < _INK * border) <= _MOST_PIECES


def _pieces(ink: npt.NDArray[np.bool_]) -> int:
    """How many separate pieces of print there are: a page of text has hundreds."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    return int((stats[1:, cv2.CC_STAT_AREA] >= 4).sum())


def _edged(part: Light) -> float:
    """The share of a picture that lies at edges of print; shade has none."""
    steps = np.abs(part[:, 4:] - part[:, :-4])[4:]
    steps = np.maximum(steps, np.abs(part[4:] - part[:-4])[:, 4:])
    return float((steps > _PRINT_STEP).mean())


def _round_cornered(light: Light, picture: Picture, corners: Points) -> bool:
    if not shows_corners(corners):
        return True
    border = float(np.median(np.concatenate(_sides(light, -_BORDER_MM[1], -_BORDER_MM[0]))))
    ground = float(np.median(np.concatenate(_sides(light, *_GROUND_MM))))
    round_ones = sum(level < (border + ground) / 2 for level in corner_levels(light))
    return round_ones >= 3
