"""Counting a row of overlapping cards seen from above: a spread, or a stack fanned out sideways (staggered).

The row's outline gives its scale, as its short or its long side is a card's height. Every card but those that hide
exactly below another shows its edge; two that do throw a deeper shadow, and the count is then uncertain.
"""

import numpy as np

from vision.counting.outline import (
    MARGIN_MM,
    WORK_PX_PER_MM,
    Outline,
    find_outline,
    from_upright,
    rectangle,
    upright,
)
from vision.counting.reading import CountKind, CountReading, Mark, counted, uncertain
from vision.counting.row import Row, find_row
from vision.pictures import Picture, Points

MOST = 54
_LEAST_ROW = 4
_ENDS_SLACK_MM = 3.0
_SINGLE_SLACK_MM = 1.3
"""A single card's outline has a card's shape within this; a squared stack shows more of its edge."""


def count_spread(
    picture: Picture, card_mm: tuple[float, float] = (63.0, 88.0), kind: CountKind = "spread"
) -> CountReading:
    """Count the cards of one row, 1 to 54, that lies by itself on something darker, at any angle."""
    outline = find_outline(picture)
    if outline is None:
        return uncertain(kind, "no one piece of paper on something darker is seen")
    corners, first, second = rectangle(outline.hull)
    rows: list[Row] = []
    marks: dict[int, tuple[Mark, ...]] = {}
    for turn, (wide_px, high_px) in enumerate(((first, second), (second, first), (first, second), (second, first))):
        wide_mm = wide_px / max(high_px, 1e-6) * card_mm[1]
        if wide_mm > card_mm[0] - _ENDS_SLACK_MM:
            turned = np.roll(corners, -turn, axis=0)
            rows.append(_read(outline, turned, wide_mm, card_mm))
            marks[id(rows[-1])] = _marks(outline, turned, wide_mm, card_mm, rows[-1])
    whole = [row for row in rows if not row.doubt]
    counts = {len(row.edges) for row in whole}
    if not whole:
        clearest = max(rows, key=lambda row: len(row.edges), default=Row((), "it has no card's shape"))
        return uncertain(kind, clearest.doubt, marks=marks.get(id(clearest), ()))
    count = max(counts)
    # A few cards may have the shape of one card lying across; but print on a few cards is no row of many edges.
    if len(counts) > 1 and (count < _LEAST_ROW or sorted(counts)[-2] > max(2, count // _LEAST_ROW)):
        return uncertain(kind, "it can be read two ways", min(counts), max(counts))
    row = max((row for row in whole if len(row.edges) == count), key=lambda one: one.margin)
    lines = marks[id(row)]
    if count > MOST:
        return uncertain(kind, f"more than {MOST} cards", count, marks=lines)
    if kind == "stack" and count == 1:
        return uncertain(kind, "one card and a squared stack look alike from above; look from its side", 1, marks=lines)
    if row.doubled:
        why = "cards lie exactly on one another, by their shadow"
        return uncertain(kind, why, count, count + row.doubled, lines)
    return counted(kind, count, row.margin, lines)


def _marks(
    outline: Outline, corners: Points, wide_mm: float, card_mm: tuple[float, float], row: Row
) -> tuple[Mark, ...]:
    """The row's edges as lines in the picture."""
    top, high = MARGIN_MM * WORK_PX_PER_MM, card_mm[1] * WORK_PX_PER_MM
    ends = [
        (edge.x + edge.slant * high * down, top + high * (0.5 + down)) for edge in row.edges for down in (-0.5, 0.5)
    ]
    if not ends:
        return ()
    placed = from_upright(corners, wide_mm, card_mm[1], np.array(ends)) / outline.shrink
    points = [(float(x), float(y)) for x, y in placed]
    return tuple(zip(points[::2], points[1::2], strict=True))


def _read(outline: Outline, corners: Points, wide_mm: float, card_mm: tuple[float, float]) -> Row:
    """The row with these corners, clockwise from the upper left; in doubt unless its edges fill it from end to end."""
    views = [upright(channel, corners, wide_mm, card_mm[1]) for channel in (outline.whiteness, outline.brightness)]
    start = MARGIN_MM * WORK_PX_PER_MM
    slack, last = _ENDS_SLACK_MM * WORK_PX_PER_MM, start + (wide_mm - card_mm[0]) * WORK_PX_PER_MM
    row = find_row(views[0], views[1], start - slack, last + slack, card_mm[1] * WORK_PX_PER_MM)
    if row.doubt:
        return row
    if abs(row.edges[0].x - start) > slack or abs(row.edges[-1].x - last) > slack:
        return Row(row.edges, "the cards that show do not reach from one end to the other")
    if len(row.edges) == 1 and abs(wide_mm - card_mm[0]) > _SINGLE_SLACK_MM:
        return Row(row.edges, "it has not the shape of one card; a squared stack is counted from its side")
    return row
