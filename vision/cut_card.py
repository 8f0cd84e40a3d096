"""Cut cards: plain plastic cards of one colour, without a face and without a back, that show where a shoe ends."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.card_like import MARGIN_MM, PX_PER_MM, Light, corner_levels, flattened, shows_corners
from vision.pictures import Picture, Points, middle_within, shrunk, u8
from vision.single_card import quadrilateral

_WORK_PX = 480
_LEAST_SHARE, _MOST_SHARE = 0.004, 0.75
"""Of a picture that a cut card covers."""
_EDGE = 11
"""Levels from a pixel to the next but one, in any channel, at which something ends."""
_SHAPE = (1.2, 1.65)
_LEAST_FILLING = 0.93
_LEAST_COLOUR, _LEAST_PURITY = 48.0, 0.33
"""Levels between the lightest and the darkest channel of coloured plastic, and the share of the lightest they are."""
_MOST_UNEVEN = 0.06
"""Of its own light, by which a plain card varies, apart from light that falls off evenly."""
_LEAST_STEP = 24.0
_ALONE = 0.97
"""Levels in some channel between a cut card and what lies around it, and how much of that must differ so."""
_MOST = 8
_NEUTRAL, _NEUTRAL_PURITY = 26.0, 0.14
"""Levels and share, likewise, that white, grey and black plastic have at most."""
_LIGHTER = 1.5
"""How many times as light as its ground such a one is at least: what is darker may be a shadow."""
COLOURLESS = "white or grey"
"""How light plastic is cannot be told from how much light falls on it."""
_STEEP_MM, _STEEP = 1.3, 0.7
"""Across a plain card's side, so much of the step from card to ground lies within this; shadows end more softly."""
_HUES = ((10, "red"), (22, "orange"), (35, "yellow"), (85, "green"), (100, "turquoise"), (130, "blue"), (150, "violet"))


@dataclass(frozen=True, slots=True, eq=False)
class CutCard:
    """Corners `(4, 2)` in pixels of the whole picture, clockwise with a short side first, and the plastic's colour."""

    corners: Points
    colour: str


def find_cut_cards(picture: Picture, origin_px: tuple[int, int] = (0, 0)) -> list[CutCard]:
    """All cut cards that lie whole and alone in a BGR picture, whose upper left pixel is `origin_px` of the whole one.

    White and grey ones are found where the picture is fine enough to show their round corners and steep sides, as a
    label else looks the same; nothing tells them from a blank card. Black ones are not found: a shadow looks the same.
    """
    if min(picture.shape[:2]) < 16:
        return []
    shrink = min(1.0, _WORK_PX / max(picture.shape[:2]))
    small = u8(cv2.GaussianBlur(shrunk(picture, shrink), (0, 0), 0.8))
    found = []
    outlines = [(corners, neutral) for neutral in (False, True) for corners in _outlines(small, neutral)]
    for corners, neutral in outlines:
        colour = _colour_of_plastic(picture, corners / shrink, neutral)
        if colour is not None:
            found.append(CutCard(corners / shrink + origin_px, colour))
    # Tiles and panes come in numbers; a shoe has one cut card, a table two.
    return found if len(found) <= _MOST else []


def outside(cards: Sequence[CutCard], outlines: Sequence[Points]) -> list[CutCard]:
    """The cut cards whose middle lies within none of these outlines: a picture card may show a plain patch."""
    return [card for card in cards if not any(middle_within(card.corners, outline) for outline in outlines)]


def _outlines(small: Picture, neutral: bool) -> list[Points]:
    """Corners of every region of one even, strong colour, or of none, that has a card's shape, the largest first."""
    wide = small.astype(np.int16)
    steps = np.zeros(small.shape[:2], np.int16)
    steps[:, 1:-1] = np.abs(wide[:, 2:] - wide[:, :-2]).max(axis=2)
    steps[1:-1] = np.maximum(steps[1:-1], np.abs(wide[2:] - wide[:-2]).max(axis=2))
    light = wide.max(axis=2)
    colour = light - wide.min(axis=2)
    if neutral:
        plain = (steps < _EDGE) & ((colour < _NEUTRAL) | (colour < _NEUTRAL_PURITY * light))
    else:
        plain = (steps < _EDGE) & (colour > _LEAST_COLOUR) & (colour > _LEAST_PURITY * light)
    mask = cv2.morphologyEx(plain.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    order = np.argsort(stats[1:, cv2.CC_STAT_AREA])[::-1][:12] + 1
    found = []
    for number in order:
        area = int(stats[number, cv2.CC_STAT_AREA])
        if not _LEAST_SHARE * mask.size <= area <= _MOST_SHARE * mask.size:
            continue
        # What ends at an edge begins a pixel and a half within it.
        grown = cv2.dilate((labels == number).astype(np.uint8), np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        hull = cv2.convexHull(max(contours, key=cv2.contourArea))
        full = float(cv2.contourArea(hull))
        if np.count_nonzero(grown) < _LEAST_FILLING * full:
            continue  # something is printed on it, or it is no rectangle
        corners = _card_shaped(hull, full)
        if corners is not None:
            found.append(corners)
    return found


def _card_shaped(hull: npt.NDArray[np.generic], full: float) -> Points | None:
    corners = quadrilateral(hull)
    if corners is None:
        return None
    corners = _widened(corners, 0.8)
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if lengths.min() < 12:
        return None
    if lengths[0] + lengths[2] > lengths[1] + lengths[3]:
        corners, lengths = np.roll(corners, 1, axis=0), np.roll(lengths, 1)
    shape = (lengths[1] + lengths[3]) / (lengths[0] + lengths[2])
    filling = full / max(float(cv2.contourArea(corners.astype(np.float32))), 1.0)
    opposite = max(lengths[0] / lengths[2], lengths[2] / lengths[0], lengths[1] / lengths[3], lengths[3] / lengths[1])
    return corners if _SHAPE[0] < shape < _SHAPE[1] and filling > 0.85 and opposite < 1.3 else None


def _widened(corners: Points, by_px: float) -> Points:
    """A quadrilateral whose sides lie farther out."""
    middle = corners.mean(axis=0)
    away = corners - middle
    return np.asarray(corners + away / np.linalg.norm(away, axis=1)[:, None] * by_px * 1.3)


def _colour_of_plastic(picture: Picture, corners: Points, neutral: bool) -> str | None:
    """The name of the colour, if nothing but it shows within, and something else all around it."""
    flat = flattened(picture, corners).astype(np.float32)
    inset = round((MARGIN_MM + 4.0) * PX_PER_MM)
    within = np.asarray(cv2.blur(flat[inset:-inset, inset:-inset], (5, 5)), np.float32)
    coarse = np.asarray(cv2.resize(within, (12, 16), interpolation=cv2.INTER_AREA), np.float32)
    smooth = _plane(coarse)
    own = np.median(coarse.reshape(-1, 3), axis=0)
    light = float(own.max())
    if (
        float(np.abs(coarse - smooth).max()) > _MOST_UNEVEN * 2 * light + 4
        or float(within.std(axis=(0, 1)).max()) > 0.2 * light
    ):
        return None
    around = np.abs(_ring(flat) - own).max(axis=1)
    if float((around > _LEAST_STEP).mean()) < _ALONE:
        return None
    if shows_corners(corners):
        ground = np.median(_ring(flat), axis=0)
        towards = (own - ground) / max(float(((own - ground) ** 2).sum()), 1.0)
        likeness = ((flat - ground) @ towards).astype(np.float32)
        if sum(level < 0.6 for level in corner_levels(likeness)) < 3:
            return None
        if neutral and (not _ends_steeply(likeness) or float(own.mean()) < _LIGHTER * float(ground.max())):
            return None
    elif neutral:
        return None
    return COLOURLESS if neutral else _name(own)


def _ends_steeply(likeness: Light) -> bool:
    """Whether a flattened card, 1 where it lies and 0 around it, ends within a millimetre or so on all four sides."""
    reach, margin = round(_STEEP_MM / 2 * PX_PER_MM), round(MARGIN_MM * PX_PER_MM)
    for turned in (likeness, np.rot90(likeness), np.rot90(likeness, 2), np.rot90(likeness, 3)):
        line = turned[len(turned) // 4 : -len(turned) // 4, : 2 * margin].mean(axis=0)
        steps = line[2 * reach :] - line[: -2 * reach]
        if float(steps.max()) < _STEEP:
            return False
    return True


def _plane(coarse: Light) -> Light:
    """The light that falls off evenly, fitted to a coarse picture."""
    height, width = coarse.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1).reshape(-1, 6)
    fitted, *_ = np.linalg.lstsq(terms, coarse.reshape(-1, 3), rcond=None)
    return np.asarray((terms @ fitted).reshape(coarse.shape), np.float32)


def _ring(flat: Light) -> Light:
    """Colours `(n, 3)` of what lies around a flattened card, its corners' surroundings included."""
    near, far = (round((MARGIN_MM - mm) * PX_PER_MM) for mm in (2.0, 4.5))
    height, width = flat.shape[:2]
    rows = [flat[far:near, far : width - far], flat[height - near : height - far, far : width - far]]
    columns = [flat[far : height - far, far:near], flat[far : height - far, width - near : width - far]]
    return np.concatenate([part.reshape(-1, 3) for part in (*rows, *columns)])


def _name(colour: Light) -> str:
    pixel = u8(np.clip(colour, 0, 255).reshape(1, 1, 3).astype(np.uint8))
    hue = int(cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0, 0])
    return next((name for most, name in _HUES if hue < most), "pink" if hue < 170 else "red")
