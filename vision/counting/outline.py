"""The outline of cards that lie together, and turning them upright."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, darkest_channel, project, u8, upright_rectangle

Light = npt.NDArray[np.float32]
Contour = npt.NDArray[np.int32]

WORK_PX_PER_MM = 4.0
MARGIN_MM = 6.0
_LEAST_SIDE_PX = 60
_LEAST_SHARE = 0.01
_MOST_PX = 2400
_GROUND_PX = 320
_RIM_SHARE = 0.04
_LIGHTER, _LIGHTER_LEVELS = 0.35, 16.0
"""How much lighter than the ground something is that lies on it, as a share of it and in levels at least."""
_HALF = 0.45
_OTHER, _OTHER_LEVELS, _OTHER_SPREADS = 0.25, 12.0, 4.0
"""How much lighter than the ground, in any channel, what may be a dark back is: as a share of it, in levels, and as a
multiple of how the ground itself differs from its mean."""
_DARKER = 0.3
"""What has less than this share of the ground's light is no shadow of a card."""
_HOLES = (0.6, 0.4, 0.3, 0.2, 0.12, 0.08)
"""Of the half of the width of the widest thing: wider holes are ground, narrower ones print on cards."""
_NARROW_HOLE = 0.02
"""Between cards and print that runs along them; looked for where no row is whole."""
_LEAST_ALIKE = 0.95
"""Of a row and its four sides: what they have in common at least."""
_SLACKS, _JOINED_SLACKS = (0.12, 0.06, 0.03, 0.015, 0.015), (0.03, 0.015, 0.015)
"""How far from a side, as a share of the row's shorter one, the outline is looked for, time after time."""
_LEAST_FILLED = 0.97
"""Of the quadrangle of a row to which something is joined, what the row fills at least."""
_TURNS_DEG = np.linspace(-6.0, 6.0, 25)
_OUTSIDE, _INSIDE, _STRAIGHT = 0.05, 0.35, 0.012
"""How far outside and inside the smallest rectangle a straight side may lie, and how straight it is."""
_LEAST_STRAIGHT = 0.4
"""Of a side's length, what must show at least."""
_THIN = 0.2
"""Of the half of a card's width: what is thinner on both sides is print on the ground."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The one piece of paper in a picture. `whiteness` and `brightness` are the darkest and the lightest channel of the
    picture, `mask` is 255 on the paper, `hull` lies around it, in pixels, after the picture was
    made `shrink` times as large.
    """

    whiteness: Picture
    brightness: Picture
    mask: Picture
    hull: Points
    shrink: float
    contour: Points
    above: Picture
    """255 on all that is as light as cards, whether it is a part of the one piece of paper or not."""
    other: Picture
    """255 on all that is neither ground nor in shadow, whether it is a part of the one piece of paper or not."""


def find_outlines(picture: Picture, least_hole: float = _HOLES[-1], *, white: bool = False) -> Iterator[Outline]:
    """The largest thing that lies on the ground, without what lies about it; nothing if another is nearly as large.

    Print may run around a part of the ground and touch the cards, and backs may be as dark as the ground. So there may
    be several outlines, which differ in the holes that are taken for a part of the cards; if all are narrower than
    `least_hole`, there is one.
    """
    if picture.ndim != 3 or min(picture.shape[:2]) < _LEAST_SIDE_PX:
        return
    shrink = min(1.0, _MOST_PX / max(picture.shape[:2]))
    if shrink < 1:
        picture = u8(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    brightness = u8(cv2.max(cv2.max(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2]))
    whiteness = darkest_channel(picture)
    seen: set[int] = set()
    above, other = _above_ground(picture)
    paper = _above_ground(u8(cv2.merge([whiteness] * 3)))[0] if white else above
    for mask in _filled(paper, least_hole):
        size = int(np.count_nonzero(mask))
        contour = None if size in seen else _largest(mask)
        seen.add(size)
        if contour is not None:
            filled = np.zeros(picture.shape[:2], np.uint8)
            cv2.drawContours(filled, [contour], -1, (255,), -1)
            hull = np.asarray(cv2.convexHull(contour), np.float64).reshape(-1, 2)
            points = contour.reshape(-1, 2).astype(np.float64)
            yield Outline(whiteness, brightness, filled, hull, shrink, points, above, other)


def find_row_outlines(picture: Picture) -> Iterator[tuple[Outline, Points]]:
    """Of these outlines that which is most like a row, and the row's corners, clockwise; then those, the largest first,
    that are a row once what lies between cards and narrow print is left out, or that something is joined to; at last
    those of what is white. None if none is like one."""
    outlines = list(find_outlines(picture))
    best, most = None, _LEAST_ALIKE
    for outline in outlines:
        corners, alike = quad(outline)
        # The first ones are larger: without its last card a row is as like a row.
        if alike > (most if best is None else most + 0.01):
            best, most = (outline, corners), alike
    if best is not None:
        yield best
    for outline in find_outlines(picture, _NARROW_HOLE):
        corners, alike = quad(outline)
        if best is not None and alike > most + 0.01:
            yield outline, corners
        straight = straight_sides(outline)
        if straight is None:
            continue
        corners, alike = quad(outline, straight, _JOINED_SLACKS)
        if alike > 0 and _filled_share(outline, corners) > _LEAST_FILLED:
            yield outline, corners
    for outline in find_outlines(picture, white=True):
        corners, alike = quad(outline)
        if alike > _LEAST_ALIKE:
            yield outline, corners


def _above_ground(picture: Picture) -> tuple[Picture, Picture]:
    """255 where a picture is as light as cards, in any channel, against the ground that its rim shows; and where it is
    anything else than that ground. Shadows are only darker."""
    shrink = min(1.0, _GROUND_PX / max(picture.shape[:2]))
    small = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.float32)
    ground, spread = _ground(small)
    ground = np.asarray(cv2.resize(ground, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    lighter = cv2.GaussianBlur(picture, (0, 0), 1.2).astype(np.float32) - ground
    least = np.maximum(_OTHER * ground, max(_OTHER_LEVELS, _OTHER_SPREADS * spread))
    dark = _lightest(lighter + ground) < _DARKER * _lightest(ground)
    other = (_lightest(lighter - least) > 0) | dark
    lightest = _lightest(lighter)
    sure = lightest > np.maximum(_LIGHTER * _lightest(ground), _LIGHTER_LEVELS)
    if not sure.any():
        return np.zeros(picture.shape[:2], np.uint8), _as_mask(other)
    # Half of the way to what is usual there: where a card ends, and not where its blur does.
    usual = float(np.percentile(lightest[sure], 75))
    above = sure & (lightest > _HALF * usual)
    return _as_mask(above), _as_mask(other | above)


def _as_mask(seen: npt.NDArray[np.bool_]) -> Picture:
    return u8(seen.astype(np.uint8) * 255)


def _lightest(picture: Light) -> Light:
    """The lightest of three channels."""
    return np.asarray(cv2.max(cv2.max(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2]), np.float32)


def _ground(small: Light) -> tuple[Light, float]:
    """The ground's light all over a picture, as it falls off along the picture's rim, and by how much the ground
    differs from it; print there is left out."""
    height, width = small.shape[:2]
    y, x = (grid.astype(np.float32) for grid in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j])
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    reach = max(2, round(_RIM_SHARE * min(height, width)))
    rim = np.ones((height, width), np.bool_)
    rim[reach:-reach, reach:-reach] = False
    seen, at = small[rim], terms[rim]
    kept = np.abs(seen - np.median(seen, axis=0)).max(axis=1) < 60
    for _ in range(4):
        if np.count_nonzero(kept) < 50:
            break
        fitted, *_rest = np.linalg.lstsq(at[kept], seen[kept], rcond=None)
        off = np.abs(seen - at @ fitted).max(axis=1)
        kept = off < max(8.0, 2.5 * float(np.median(off)))
    else:
        return np.asarray(np.clip(terms @ fitted, 1, 255), np.float32), float(np.median(off[kept]))
    middle = np.median(seen, axis=0)
    return np.broadcast_to(middle, small.shape).astype(np.float32), float(np.median(np.abs(seen - middle)))


def _filled(mask: Picture, least_hole: float) -> Iterator[Picture]:
    """A mask without its holes; then without the narrow ones alone."""
    closed = u8(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)))
    outer, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros_like(mask)
    cv2.drawContours(whole, outer, -1, (255,), -1)
    yield whole
    holes = u8(cv2.subtract(whole, closed))
    inner = cv2.distanceTransform(holes, cv2.DIST_L2, 3)
    wide = _half_width(whole)
    if float(inner.max()) <= least_hole * wide:
        return
    _, labels = cv2.connectedComponents(holes, connectivity=4)
    for most in _HOLES:
        large = np.unique(labels[inner > most * wide])
        yield u8(np.where(np.isin(labels, large[large > 0]), 0, whole))
    yield closed


def _half_width(mask: Picture) -> float:
    """The radius of the largest circle within a mask."""
    framed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    return float(cv2.distanceTransform(framed, cv2.DIST_L2, 3).max())


def _largest(mask: Picture) -> Contour | None:
    """The outline of the largest thing in a mask, without what is thin about it; None if another is nearly as large."""
    thin = 2 * max(1, round(_THIN * _half_width(mask))) + 1
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thin, thin))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, brush, borderType=cv2.BORDER_CONSTANT, borderValue=(0,))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    areas = sorted(((float(cv2.contourArea(contour)), number) for number, contour in enumerate(contours)), reverse=True)
    if not areas or areas[0][0] < _LEAST_SHARE * mask.size or (len(areas) > 1 and areas[1][0] > 0.1 * areas[0][0]):
        return None
    return np.asarray(contours[areas[0][1]], np.int32)


def quad(outline: Outline, corners: Points | None = None, slacks: tuple[float, ...] = _SLACKS) -> tuple[Points, float]:
    """Corners of cards that lie in a row, clockwise: where the lines along the four sides meet; and how much the row
    and its four sides have in common, as a share of both, 0 if it is no row.

    A side is where most of its outline lies, so that a card or print that sticks out does not lead it. The sides are
    looked for about those of the smallest rectangle, or about the lines between `corners`.
    """
    around, first, second = rectangle(outline.hull)
    corners, short = around if corners is None else corners, min(first, second)
    for slack in slacks:
        lines = []
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            length = float(np.linalg.norm(end - start))
            along = (end - start) / max(length, 1e-6)
            off = (outline.contour - start) @ np.array([-along[1], along[0]])
            at = (outline.contour - start) @ along
            inset = min(0.15 * length, 0.2 * short)
            near = outline.contour[(np.abs(off) < slack * short) & (at > inset) & (at < length - inset)]
            if len(near) < 8:
                return corners, 0.0
            fit = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
            vx, vy, x, y = np.asarray(fit, np.float64).ravel()
            lines.append(np.array([-vy, vx, x * vy - y * vx]))
        met = np.array([np.cross(before, line) for before, line in zip([lines[-1], *lines[:-1]], lines, strict=True)])
        if np.abs(met[:, 2]).min() < 1e-6:
            return corners, 0.0
        corners = met[:, :2] / met[:, 2:]
    within = np.zeros_like(outline.mask)
    cv2.fillConvexPoly(within, np.round(corners).astype(np.int32), (255,))
    both = float(np.count_nonzero(cv2.bitwise_and(within, outline.mask)))
    either = float(np.count_nonzero(cv2.bitwise_or(within, outline.mask)))
    return np.asarray(corners, np.float64), both / max(either, 1.0)


def straight_sides(outline: Outline) -> Points | None:
    """Corners of a row to which something is joined: where the lines meet along which most of the outline lies, near
    each side of the smallest rectangle; None if there is no such line at one of them."""
    corners, first, second = rectangle(outline.hull)
    short, middle = min(first, second), corners.mean(axis=0)
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.linalg.norm(end - start))
        along = (end - start) / max(length, 1e-6)
        inward = np.array([-along[1], along[0]])
        inward *= np.sign(float((middle - start) @ inward)) or 1.0
        at, off = (outline.contour - start) @ along - length / 2, (outline.contour - start) @ inward
        bins = np.arange(-_OUTSIDE, _INSIDE, _STRAIGHT) * short
        turned, shifted, most = 0.0, 0.0, _LEAST_STRAIGHT * length
        found = False
        for turn in np.tan(np.deg2rad(_TURNS_DEG)):
            votes, _ = np.histogram((off - turn * at)[np.abs(off) < 0.5 * short], bins)
            if votes.max() > most:
                found, most, turned = True, float(votes.max()), float(turn)
                shifted = float(bins[votes.argmax()]) + _STRAIGHT * short / 2
        if not found:
            return None
        through = start + along * length / 2 + inward * shifted
        across = along + inward * turned
        lines.append(np.array([-across[1], across[0], across[1] * through[0] - across[0] * through[1]]))
    met = np.array([np.cross(before, line) for before, line in zip([lines[-1], *lines[:-1]], lines, strict=True)])
    return None if np.abs(met[:, 2]).min() < 1e-6 else np.asarray(met[:, :2] / met[:, 2:], np.float64)


def _filled_share(outline: Outline, corners: Points) -> float:
    """What the outline fills of a quadrangle."""
    within = np.zeros_like(outline.mask)
    cv2.fillConvexPoly(within, np.round(corners).astype(np.int32), (255,))
    both = float(np.count_nonzero(cv2.bitwise_and(within, outline.mask)))
    return both / max(float(np.count_nonzero(within)), 1.0)


def rectangle(hull: Points) -> tuple[Points, float, float]:
    """The smallest rectangle around a hull: corners clockwise, and the lengths of its first and second side."""
    corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32))), np.float64)
    return corners, float(np.linalg.norm(corners[1] - corners[0])), float(np.linalg.norm(corners[2] - corners[1]))


def upright(channel: Picture, corners: Points, wide_mm: float, high_mm: float) -> Picture:
    """What lies within four corners, clockwise from the upper left, upright at `WORK_PX_PER_MM` with a margin."""
    width, height, margin = (v * WORK_PX_PER_MM for v in (wide_mm, high_mm, MARGIN_MM))
    move = _to_upright(corners, wide_mm, high_mm)
    size = (round(width + 2 * margin), round(height + 2 * margin))
    return u8(cv2.warpPerspective(channel, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def from_upright(corners: Points, wide_mm: float, high_mm: float, points: Points) -> Points:
    """Points of the upright picture where they lie in the one that it was made from."""
    back = np.linalg.inv(_to_upright(corners, wide_mm, high_mm))
    return project(np.asarray(back, np.float64), points)


def _to_upright(corners: Points, wide_mm: float, high_mm: float) -> npt.NDArray[np.float64]:
    width, height, margin = (v * WORK_PX_PER_MM for v in (wide_mm, high_mm, MARGIN_MM))
    target = (upright_rectangle((width, height)) + margin).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), target), np.float64)
