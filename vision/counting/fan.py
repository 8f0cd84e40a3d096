"""Counting a fan: cards turned about one point, each upon the one before.

The cards' upper corners lie on a circle. The band of cards along it is unrolled and sheared until the cards' left edges
stand upright; then they are counted as those of a row are.
"""

import cv2
import numpy as np

from vision.counting.fan_shape import Fan, fans
from vision.counting.outline import WORK_PX_PER_MM, Outline, find_outlines
from vision.counting.reading import CountReading, Mark, counted, uncertain
from vision.counting.row import Row, find_row
from vision.counting.spread import count_spread
from vision.pictures import Picture, Points, u8

_BAND_MM = (6.0, 46.0)
"""The part of the cards, below the circle, that is unrolled."""
_STARTS_MM, _ENDS_MM = 2.5, (-5.3, 3.0)
"""How far from its place the first edge may be, and the last one: cameras lean. A card more would lie farther."""
_LEAST_ROW, _LEAST_STRAIGHT = 4, 5
_TALLER = 1.06
"""How much higher or lower than it should what shows may be, on the median of all angles."""
_MARGIN_MM = 14.0
_SHEARS = np.arange(0.0, 0.75, 0.05)


def count_fan(picture: Picture, card_mm: tuple[float, float] = (63.0, 88.0)) -> CountReading:
    """Count the cards of one fan, 1 to 54, that lies by itself on something darker, at any angle."""
    read: list[tuple[Row, tuple[Mark, ...]]] = []
    whole: list[tuple[Row, tuple[Mark, ...]]] = []
    # Print that touches the cards may make them seem larger; of what is no fan nothing can be read from end to end.
    for outline in find_outlines(picture):
        for fan in fans(outline, card_mm):
            read += [_read(outline, fan, card_mm, mirrored) for mirrored in (False, True)]
        whole = [one for one in read if not one[0].doubt]
        if whole:
            break
    if not read:
        straight = count_spread(picture, card_mm, "fan")
        # A fan of a few cards may seem a row, and one of its edges be too aslant for that.
        if straight.count is None or 1 < straight.count < _LEAST_STRAIGHT:
            return uncertain("fan", "it has not the outline of a fan")
        return straight
    if not whole:
        row, marks = max(read, key=lambda one: len(one[0].edges))
        return uncertain("fan", row.doubt, marks=marks)
    counts = sorted({len(row.edges) for row, _ in whole})
    # Seen from its other side a fan may show two or three straight lines of print, which are no row of many edges.
    if len(counts) > 1 and (counts[-1] < _LEAST_ROW or counts[0] > max(2, counts[-1] // _LEAST_ROW)):
        return uncertain("fan", "it can be read two ways", counts[0], counts[-1])
    count = counts[-1]
    row, marks = max((one for one in whole if len(one[0].edges) == count), key=lambda one: one[0].margin)
    if any(len(one.edges) > count for one, _ in read):
        return uncertain("fan", "more edges show than make a fan", count, marks=marks)
    if row.doubled:
        why = "cards lie exactly on one another, by their shadow"
        return uncertain("fan", why, count, count + row.doubled, marks)
    return counted("fan", count, row.margin, marks, told=row.told)


def _read(outline: Outline, fan: Fan, card_mm: tuple[float, float], mirrored: bool) -> tuple[Row, tuple[Mark, ...]]:
    """The fan's edges along the circle; `mirrored` where each card lies upon the one to its right."""
    angles = np.linspace(0, 2 * np.pi, 1440, endpoint=False)
    reach = np.linspace(0.05, 1.02, 300) * fan.radius
    on = _sample(outline.mask, fan, angles[None, :], reach[:, None]) > 127
    covered = on.sum(axis=0) * (reach[1] - reach[0])
    lit = covered > 0.3 * covered.max()
    if lit.all() or not lit.any():
        return Row((), "it is no fan"), ()
    first = int(np.flatnonzero(lit & ~np.roll(lit, 1))[0])
    span = int(np.flatnonzero(~np.roll(lit, -first))[0])
    px_per_mm = fan.px_per_mm
    if not px_per_mm > 0.5:
        return Row((), "it is too small"), ()
    # Beside each other cards reach from the inner circle of their lower edges to that of their upper corners.
    tallest = fan.radius - np.sqrt(fan.radius**2 - (card_mm[0] / 2 * px_per_mm) ** 2) + card_mm[1] * px_per_mm
    tall = float(np.median(np.roll(covered, -first)[:span]))
    if not card_mm[1] * px_per_mm / _TALLER < tall < _TALLER * tallest:
        return Row((), "something lies beside it"), ()
    middle_mm = fan.radius / px_per_mm - sum(_BAND_MM) / 2
    if middle_mm < card_mm[0] / 2:
        return Row((), "the cards are turned about a point within them"), ()
    start = angles[first] - 2 * _MARGIN_MM / middle_mm
    wide_mm = span * (angles[1] - angles[0]) * middle_mm + 4 * _MARGIN_MM
    columns = start + np.arange(round(wide_mm * WORK_PX_PER_MM)) / (middle_mm * WORK_PX_PER_MM)
    depths = fan.radius - np.arange(_BAND_MM[0], _BAND_MM[1], 1 / WORK_PX_PER_MM) * px_per_mm
    views = [
        _sample(channel, fan, columns[None, :], depths[:, None])
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
    left, right = float(inside[0]), float(inside[-1])
    # The last card's right edge leans the other way: at half the band's height it is a card's width from its left one.
    last = right - card_mm[0] * WORK_PX_PER_MM
    # What stands farther to the right is the last card's own print: a card there would stick out.
    first_at, last_at = (
        (at + low * WORK_PX_PER_MM, at + high * WORK_PX_PER_MM)
        for at, (low, high) in ((left, (-_STARTS_MM, _STARTS_MM)), (last, _ENDS_MM))
    )
    row = find_row(white, bright, first_at, last_at, float(white.shape[0]), last_at[1])
    per_px = (-1 if mirrored else 1) / (middle_mm * WORK_PX_PER_MM)
    begin = start + ((white.shape[1] - 1) / (middle_mm * WORK_PX_PER_MM) if mirrored else 0.0)
    marks = []
    for edge in row.edges:
        ends = []
        for y in (0.0, float(white.shape[0])):
            off = y - white.shape[0] / 2
            turned = begin + (edge.x + (edge.slant - shear) * off) * per_px
            below = fan.radius - (_BAND_MM[0] + y / WORK_PX_PER_MM) * px_per_mm
            ends.append(fan.at(float(turned), below, outline.shrink))
        marks.append((ends[0], ends[1]))
    if row.doubt:
        return row, tuple(marks)
    if len(row.edges) < 2:
        return Row(row.edges, "one card alone shows no fan"), tuple(marks)
    return row, tuple(marks)


def _sample(channel: Picture, fan: Fan, angle: Points, radius: Points) -> Picture:
    x = (fan.x + radius * np.cos(angle)).astype(np.float32)
    y = (fan.y + radius * np.sin(angle)).astype(np.float32)
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
