"""Counting a fan: cards turned about one point, each upon the one before.

The cards' upper corners lie on a circle. The band of cards along it is unrolled and sheared until the cards' left edges
stand upright; then they are counted as those of a row are.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.counting.outline import WORK_PX_PER_MM, Outline, find_outline
from vision.counting.reading import CountReading, Mark, counted, uncertain
from vision.counting.row import Row, find_row
from vision.counting.spread import count_spread
from vision.pictures import Picture, Points, u8

_BAND_MM = (6.0, 46.0)
"""The part of the cards, below the circle, that is unrolled."""
_ENDS_SLACK_MM = 7.0
_END_MM = 25.0
"""What of the last card is not searched for edges of others: its own end."""
_LEAST_ROW = 4
_LEAST_FAN = 5
"""Fewer cards turn too little for the circle about which they are turned to be known."""
_MARGIN_MM = 14.0
_TRIES = 400
_NEAR = 0.008
"""A point of the outline lies on the circle when it is as near as this share of the outline's length."""
_LEAST_ON = 0.2
_STRAIGHT_TURNS = 6.0
"""A circle larger than so many card heights is a straight row."""
_SHEARS = np.arange(0.0, 0.75, 0.05)


@dataclass(frozen=True, slots=True)
class _Circle:
    x: float
    y: float
    radius: float

    def at(self, angle: float, reach: float, shrink: float) -> tuple[float, float]:
        """The point so far from the middle, in pixels of the whole picture."""
        return (self.x + reach * float(np.cos(angle))) / shrink, (self.y + reach * float(np.sin(angle))) / shrink


def count_fan(picture: Picture, card_mm: tuple[float, float] = (63.0, 88.0)) -> CountReading:
    """Count the cards of one fan, 1 to 54, that lies by itself on something darker, at any angle."""
    outline = find_outline(picture)
    if outline is None:
        return uncertain("fan", "no one piece of paper on something darker is seen")
    circle = _outer_circle(outline)
    if circle is None:
        straight = count_spread(picture, card_mm, "fan")
        if straight.count is None or 1 < straight.count < _LEAST_FAN:
            return uncertain("fan", "the cards' upper corners lie on no circle")
        return straight
    read = [_read(outline, circle, card_mm, mirrored) for mirrored in (False, True)]
    whole = [(row, marks) for row, marks in read if not row.doubt]
    if not whole:
        row, marks = max(read, key=lambda one: len(one[0].edges))
        return uncertain("fan", row.doubt, marks=marks)
    counts = sorted({len(row.edges) for row, _ in whole})
    # Seen from its other side a fan may show two or three straight lines of print, which are no row of many edges.
    if len(counts) > 1 and (counts[-1] < _LEAST_ROW or counts[0] > max(2, counts[-1] // _LEAST_ROW)):
        return uncertain("fan", "it can be read two ways", counts[0], counts[-1])
    count = counts[-1]
    row, marks = max((one for one in whole if len(one[0].edges) == count), key=lambda one: one[0].margin)
    if count < _LEAST_FAN:
        return uncertain("fan", "so few cards tell no circle; lay them in a row", count, marks=marks)
    if row.doubled:
        why = "cards lie exactly on one another, by their shadow"
        return uncertain("fan", why, count, count + row.doubled, marks)
    return counted("fan", count, row.margin, marks)


def _outer_circle(outline: Outline) -> _Circle | None:
    """The circle with most of the hull's points on it and all of the others within."""
    points = _dense(outline.hull)
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    short = min(cv2.minAreaRect(outline.hull.astype(np.float32))[1])
    near = _NEAR * length / np.pi
    rng = np.random.default_rng(0)
    best, most = None, _LEAST_ON * len(points)
    for _ in range(_TRIES):
        circle = _through(points[rng.choice(len(points), 3, replace=False)])
        if circle is None or not 0.8 * short < circle.radius < _STRAIGHT_TURNS * short:
            continue
        off = np.hypot(points[:, 0] - circle.x, points[:, 1] - circle.y) - circle.radius
        on = float((np.abs(off) < near).sum())
        if off.max() < 1.5 * near and on > most:
            best, most = circle, on
    return best


def _through(three: Points) -> _Circle | None:
    (ax, ay), (bx, by), (cx, cy) = three
    twice = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    if abs(twice) < 1e-6:
        return None
    a, b, c = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    x = (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / twice
    y = (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / twice
    return _Circle(float(x), float(y), float(np.hypot(ax - x, ay - y)))


def _dense(hull: Points) -> Points:
    """Points two pixels apart along a closed outline."""
    parts = []
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        steps = max(1, int(np.linalg.norm(end - start) / 2))
        parts.append(start + (end - start) * np.linspace(0, 1, steps, endpoint=False)[:, None])
    return np.vstack(parts)


def _read(
    outline: Outline, circle: _Circle, card_mm: tuple[float, float], mirrored: bool
) -> tuple[Row, tuple[Mark, ...]]:
    """The fan's edges along the circle; `mirrored` where each card lies upon the one to its right."""
    angles = np.linspace(0, 2 * np.pi, 1440, endpoint=False)
    reach = np.linspace(0.05, 1.02, 300) * circle.radius
    on = _sample(outline.mask, circle, angles[None, :], reach[:, None]) > 127
    covered = on.sum(axis=0) * (reach[1] - reach[0])
    lit = covered > 0.3 * covered.max()
    if lit.all() or not lit.any():
        return Row((), "it is no fan"), ()
    first = int(np.flatnonzero(lit & ~np.roll(lit, 1))[0])
    span = int(np.flatnonzero(~np.roll(lit, -first))[0])
    px_per_mm = float(np.median(np.roll(covered, -first)[:span])) / card_mm[1]
    if not px_per_mm > 0.5:
        return Row((), "it is too small"), ()
    middle_mm = circle.radius / px_per_mm - sum(_BAND_MM) / 2
    if middle_mm < card_mm[0] / 2:
        return Row((), "the cards are turned about a point within them"), ()
    start = angles[first] - 2 * _MARGIN_MM / middle_mm
    wide_mm = span * (angles[1] - angles[0]) * middle_mm + 4 * _MARGIN_MM
    columns = start + np.arange(round(wide_mm * WORK_PX_PER_MM)) / (middle_mm * WORK_PX_PER_MM)
    depths = circle.radius - np.arange(_BAND_MM[0], _BAND_MM[1], 1 / WORK_PX_PER_MM) * px_per_mm
    views = [
        _sample(channel, circle, columns[None, :], depths[:, None])
        for channel in (outline.whiteness, outline.brightness, outline.mask)
    ]
    # Angles grow clockwise in a picture, so that the unrolled band has its left card to the left, its top edge on top.
    if mirrored:
        views = [u8(view[:, ::-1]) for view in views]
    shear = max(_SHEARS, key=lambda share: _sharpness(_sheared(views[0], share)))
    white, bright, mask = (_sheared(view, shear) for view in views)
    inside = np.flatnonzero((mask > 127).mean(axis=0) > 0.5)
    if not inside.size:
        return Row((), "it is no fan"), ()
    slack = _ENDS_SLACK_MM * WORK_PX_PER_MM
    left, right = float(inside[0]), float(inside[-1])
    # The last card's right edge leans the other way: at half the band's height it is a card's width from its left one.
    last = right - card_mm[0] * WORK_PX_PER_MM
    clear = right - _END_MM * WORK_PX_PER_MM
    row = find_row(white, bright, left - slack / 2, last + slack, float(white.shape[0]), clear, fanned=True)
    per_px = (-1 if mirrored else 1) / (middle_mm * WORK_PX_PER_MM)
    begin = start + ((white.shape[1] - 1) / (middle_mm * WORK_PX_PER_MM) if mirrored else 0.0)
    marks = []
    for edge in row.edges:
        ends = []
        for y in (0.0, float(white.shape[0])):
            off = y - white.shape[0] / 2
            turned = begin + (edge.x + (edge.slant - shear) * off) * per_px
            below = circle.radius - (_BAND_MM[0] + y / WORK_PX_PER_MM) * px_per_mm
            ends.append(circle.at(float(turned), below, outline.shrink))
        marks.append((ends[0], ends[1]))
    if row.doubt:
        return row, tuple(marks)
    if abs(row.edges[0].x - left) > slack or abs(row.edges[-1].x - last) > slack:
        row = Row(row.edges, "the cards that show do not reach from one end to the other")
    return row, tuple(marks)


def _sample(channel: Picture, circle: _Circle, angle: Points, radius: Points) -> Picture:
    x = (circle.x + radius * np.cos(angle)).astype(np.float32)
    y = (circle.y + radius * np.sin(angle)).astype(np.float32)
    return u8(cv2.remap(channel, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0,)))


def _sheared(view: Picture, share: float) -> Picture:
    """The view with each row moved by its distance from the middle: what leans left going down stands upright."""
    height, width = view.shape[:2]
    move = np.array([[1.0, share, -share * height / 2], [0.0, 1.0, 0.0]])
    return u8(cv2.warpAffine(view, move, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _sharpness(view: Picture) -> float:
    """How steep the mean of all rows is from column to column."""
    line = view.mean(axis=0)
    return float((np.diff(line) ** 2).sum())
