"""Counting a row of overlapping cards seen from above: a spread, or a stack fanned out sideways (staggered).

The row's outline gives its scale, as its short or its long side is a card's height. Every card but those that hide
exactly below another shows its edge; two that do throw a deeper shadow, and the count is then uncertain.
"""

import cv2
import numpy as np

from vision.counting.outline import (
    MARGIN_MM,
    WORK_PX_PER_MM,
    Outline,
    find_row_outlines,
    from_upright,
    upright,
)
from vision.counting.reading import CountKind, CountReading, Mark, counted, uncertain
from vision.counting.row import Row, find_row
from vision.pictures import Picture, Points

MOST = 54
_LEAST_ROW = 4
_LEAST_MARGIN = 0.1
"""Of 300 doubled rows two came nearer than this to the threshold from its wrong side, of 110 honest ones none from its
right side."""
_LEAST_CLEAR, _FAINTER = 3, 0.5
"""Where so many edges show, what rises by less than this share of the faintest of them is print."""
_ENDS_SLACK_MM = 3.0
_LEANING = (0.88, 1.14)
"""Of a card's width: what the last card seems to have where the camera leans along the row, or across it."""
_GROUND_MM, _BARE = 4.0, 0.35
"""How far before a row to which print is joined ground shows, and what of it print may cover."""
_RIM_MM = 0.3
"""From where a card ends to where its border begins."""
_END_BORDER_MM, _ABOUT_END_MM, _END_WHITE, _SAME_TINT = (0.6, 4.5), 75.0, 0.72, 0.05
"""How far from an end of a row the border of its card shows, how white that is, as a share of what is white so far
about it, and by how much its tint, the darkest channel as a share of the lightest, may differ from end to end."""
_LEAST_STEPS, _EVEN_STEPS, _UPRIGHT = 6, 1.8, (0.955, 1.045)
"""What a row without that border must be like: an edge that is missing, or a card whose edge does not show, is told."""
_END_MM = 25.0
"""What of the last card is not searched for edges of others: its own end."""
_LEANING_MM = 4.0
"""By how much the width of a single card may seem another where the camera leans; two show more than one's."""
_BORDER_MM, _EVEN_MM = (1.5, 6.5), 1.0
"""How wide the border of a back is, and by how much it may differ from side to side."""
_BEYOND_MM, _NEXT_MM, _CUT_OFF = 1.8, 3.0, 0.5
"""How far from an end of the row, to where at the very end of it, along which share of its height, other cards are
looked for."""
_STRIP_MM, _SHIFTED_MM, _ALIKE = 6.0, 1.3, 0.35
"""How far a card's picture is moved to lie on itself turned about, how far it may have to be, and how alike they are.
A squared stack shows 4 mm of its edge at least on one side, by which its upper card lies off the middle."""


def count_spread(
    picture: Picture, card_mm: tuple[float, float] = (63.0, 88.0), kind: CountKind = "spread"
) -> CountReading:
    """Count the cards of one row, 1 to 54, that lies by itself on something darker, at any angle."""
    first: CountReading | None = None
    for outline, corners in find_row_outlines(picture):
        reading, whole = _count(outline, corners, card_mm, kind)
        if whole:
            return reading
        first = first or reading
    return first or uncertain(kind, "nothing with the outline of one row of cards is seen on something darker")


def _count(
    outline: Outline, corners: Points, card_mm: tuple[float, float], kind: CountKind
) -> tuple[CountReading, bool]:
    """A count of the row with these corners, and whether there is one that is whole from end to end."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    first, second = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
    rows: list[Row] = []
    marks: dict[int, tuple[Mark, ...]] = {}
    for turn, (wide_px, high_px) in enumerate(((first, second), (second, first), (first, second), (second, first))):
        wide_mm = wide_px / max(high_px, 1e-6) * card_mm[1]
        if wide_mm > card_mm[0] - _LEANING_MM:
            turned = np.roll(corners, -turn, axis=0)
            row = _read(outline, turned, wide_mm, card_mm)
            shorter = _without_print(outline, turned, wide_mm, card_mm, row)
            if shorter is not None:
                turned, wide_mm = shorter
                row = _read(outline, turned, wide_mm, card_mm)
            rows.append(row)
            marks[id(rows[-1])] = _marks(outline, turned, wide_mm, card_mm, rows[-1])
    whole = [row for row in rows if not row.doubt]
    if not whole:
        clearest = max(rows, key=lambda row: len(row.edges), default=Row((), "it has no card's shape"))
        return uncertain(kind, clearest.doubt, marks=marks.get(id(clearest), ())), False
    return _choose(rows, _not_print(whole), marks, kind), True


def _not_print(whole: list[Row]) -> list[Row]:
    """Of several ways to read a row those whose edges are not so much fainter than the edges of one that has more."""
    most = max(whole, key=lambda row: len(row.edges))
    if len(most.edges) < _LEAST_CLEAR:
        return whole
    least = _FAINTER * min(edge.rise for edge in most.edges[1:])
    return [row for row in whole if len(row.edges) < 2 or min(edge.rise for edge in row.edges[1:]) >= least]


def _choose(rows: list[Row], whole: list[Row], marks: dict[int, tuple[Mark, ...]], kind: CountKind) -> CountReading:
    """What the whole ones among the ways to read a row say together."""
    counts = {len(row.edges) for row in whole}
    count = max(counts)
    # A few cards may have the shape of one card lying across; but print on a few cards is no row of many edges.
    if len(counts) > 1 and (count < _LEAST_ROW or sorted(counts)[-2] > max(2, count // _LEAST_ROW)):
        return uncertain(kind, "it can be read two ways", min(counts), max(counts))
    most = max(len(row.edges) for row in rows)
    if count <= 2 and most >= _LEAST_ROW:
        return uncertain(kind, "seen from another side more edges show", count)
    row = max((row for row in whole if len(row.edges) == count), key=lambda one: one.margin)
    lines = marks[id(row)]
    if count > MOST:
        return uncertain(kind, f"more than {MOST} cards", count, marks=lines)
    if kind == "stack" and count == 1:
        return uncertain(kind, "one card and a squared stack look alike from above; look from its side", 1, marks=lines)
    if row.doubled:
        why = "cards lie exactly on one another, by their shadow"
        return uncertain(kind, why, count, count + row.doubled, lines)
    if row.margin < _LEAST_MARGIN:
        return uncertain(kind, "one edge could as well be that of two cards, or of none", marks=lines)
    return counted(kind, count, row.margin, lines, told=row.told)


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
    slack, right = _ENDS_SLACK_MM * WORK_PX_PER_MM, start + wide_mm * WORK_PX_PER_MM
    card = card_mm[0] * WORK_PX_PER_MM
    high, clear = card_mm[1] * WORK_PX_PER_MM, right - _END_MM * WORK_PX_PER_MM
    starts, ends = (start - slack, start + slack), (right - _LEANING[1] * card, right - _LEANING[0] * card)
    row = find_row(views[0], views[1], starts, ends, high, clear)
    if row.doubt:
        return row
    about = [upright(mask, corners, wide_mm, card_mm[1]) for mask in (outline.above, outline.other)]
    if _goes_on(about[0], about[1], len(row.edges)):
        return Row(row.edges, "something that may be a card lies at an end of it")
    if not _ends_white(views[0], views[1]) and not _surely_whole(row, (right - row.edges[-1].x) / card):
        return Row(row.edges, "its last card has no white border: it may be two, or not be seen")
    near = abs(wide_mm - card_mm[0]) < _LEANING_MM and _evenly_bordered(views[0])
    if len(row.edges) == 1 and not (near or _is_one_card(views[0])):
        return Row(row.edges, "it has not the shape of one card; a squared stack is counted from its side")
    return row


def _ends_white(whiteness: Picture, brightness: Picture) -> bool:
    """Whether an upright row ends in the white border of its last card, as it begins with that of its first: as light
    as what is white about it, and of its tint, which light that falls off leaves as it is."""
    quarter, margin = len(whiteness) // 4, round(MARGIN_MM * WORK_PX_PER_MM)
    dark, light = (np.median(view[quarter:-quarter, margin:-margin], axis=0) for view in (whiteness, brightness))
    tint = dark / np.maximum(light, 1.0)
    near, far = (round(mm * WORK_PX_PER_MM) for mm in _END_BORDER_MM)
    first, last = slice(near, far), slice(-far, -near)
    lightest = float(np.percentile(dark[-round(_ABOUT_END_MM * WORK_PX_PER_MM) :], 95))
    tints = [float(tint[end][dark[end].argmax()]) for end in (first, last)]
    alike = abs(tints[0] - tints[1]) < _SAME_TINT
    return alike and float(dark[last].max()) > _END_WHITE * lightest


def _surely_whole(row: Row, last: float) -> bool:
    """Whether a row whose last card has no white border is told whole by its edges' distances alone: `last` is how much
    of it lies beyond the last edge, in widths of a card."""
    steps = np.diff([edge.x for edge in row.edges])
    return len(steps) >= _LEAST_STEPS and steps.max() < _EVEN_STEPS * steps.min() and _UPRIGHT[0] < last < _UPRIGHT[1]


def _without_print(
    outline: Outline, corners: Points, wide_mm: float, card_mm: tuple[float, float], row: Row
) -> tuple[Points, float] | None:
    """Corners and width of a row whose first edge lies within them, as print is joined to its left end; None if it is
    at the end, or no ground lies before it."""
    start, high = MARGIN_MM * WORK_PX_PER_MM, card_mm[1] * WORK_PX_PER_MM
    if not row.doubt or len(row.edges) < _LEAST_ROW or row.edges[0].x - start < _ENDS_SLACK_MM * WORK_PX_PER_MM:
        return None
    first = row.edges[0]
    rim = first.x - _RIM_MM * WORK_PX_PER_MM
    ends = np.array([(rim - first.slant * high / 2, start), (rim + first.slant * high / 2, start + high)])
    upper, lower = from_upright(corners, wide_mm, card_mm[1], ends)
    shorter = np.array([upper, corners[1], corners[2], lower]), wide_mm - (rim - start) / WORK_PX_PER_MM
    other = upright(outline.other, *shorter, card_mm[1])
    inset, margin = len(other) // 6, round(start)
    clear = slice(margin - round(_GROUND_MM * WORK_PX_PER_MM), margin - round(_BEYOND_MM * WORK_PX_PER_MM))
    bare = (other[inset:-inset, clear] > 127).mean(axis=0).min() < _BARE
    return shorter if bare else None


def _goes_on(above: Picture, other: Picture, count: int) -> bool:
    """Whether beyond the left or the right end of an upright row something lies along half of its height: a deep shadow
    cuts light cards off, and dark backs without a border at the very end may be taken for ground. About a single card,
    beyond any side."""
    margin = round(MARGIN_MM * WORK_PX_PER_MM)
    clear, next_to = (margin - round(mm * WORK_PX_PER_MM) for mm in (_BEYOND_MM, _NEXT_MM))
    views = [(above, slice(0, clear)), (other, slice(next_to, clear))]
    if count == 1:
        views += [(np.rot90(view), columns) for view, columns in views]
    for view, columns in views:
        inset = view.shape[0] // 6
        seen = (view[inset:-inset] > 127).mean(axis=0)
        if max(seen[columns].max(), seen[::-1][columns].max()) > _CUT_OFF:
            return True
    return False


def _is_one_card(view: Picture) -> bool:
    """Whether an upright picture shows one card: it looks the same upside down, with a stack's edge it does not."""
    margin = round(MARGIN_MM * WORK_PX_PER_MM)
    shrink = 0.5
    card = cv2.resize(view[margin:-margin, margin:-margin], None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    card = np.asarray(cv2.GaussianBlur(card, (0, 0), 1.0), np.float32)
    reach = round(_STRIP_MM * WORK_PX_PER_MM * shrink)
    turned = np.ascontiguousarray(card[::-1, ::-1])
    alike = cv2.matchTemplate(card, turned[reach:-reach, reach:-reach], cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    return best > _ALIKE and max(abs(x - reach), abs(y - reach)) <= _SHIFTED_MM * WORK_PX_PER_MM * shrink


def _evenly_bordered(view: Picture) -> bool:
    """Whether the white border of a back is as wide on each side as on the one across; a stack's edge widens one."""
    widths = [_border_mm(np.rot90(view, turn)) for turn in range(4)]
    return min(widths) > _BORDER_MM[0] and max(widths) < _BORDER_MM[1] and max(widths) - min(widths) < _EVEN_MM


def _border_mm(view: Picture) -> float:
    """How far from the left side of an upright picture of a card what is printed begins."""
    third, margin = len(view) // 3, round(MARGIN_MM * WORK_PX_PER_MM)
    line = view[third:-third, margin:].mean(axis=0)
    white = float(line[: round(_BORDER_MM[1] * WORK_PX_PER_MM)].max())
    lit = int(np.argmax(line >= 0.9 * white))
    darker = np.flatnonzero(line[lit:] < 0.85 * white)
    return float(lit + darker[0]) / WORK_PX_PER_MM if darker.size else 0.0
