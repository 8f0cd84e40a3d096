"""Counting a stack by its edges, seen from the side: light edges of paper with dark lines between them.

The stack is cut into upright strips, and each is counted by itself: its dark lines repeat with the thickness of a card.
The count stands where the strips agree and no line is missing from the rhythm; else it is uncertain.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.counting.reading import CountReading, Mark, counted, uncertain
from vision.pictures import Picture, u8

Profile = npt.NDArray[np.float64]

MOST = 60
"""Higher stacks are not counted: the camera would have to be too near to see them whole."""
_STRIPS = 9
_LEAST_SIZE_PX = (60, 5)
_LEAST_CONTRAST = 40.0
_LEAST_STEP_PX = 2.6
"""Lines nearer to each other than this are not told apart."""
_PEAK_SHARE = 0.2
"""A line bends the light at least by this share of what the usual one does; what bends it less is dirt or noise."""
_NARROW, _WIDE = 0.6, 1.45
"""Of the usual distance of two lines: outside, a line is missing or one too many."""
_LEAST_AGREEING = 0.3
_SURE_NOISE = 4.0
"""A line bends the light so many times as much as noise does."""
_LIGHTER_NOISE, _BLURRED_ROWS = 2.0, 7
"""How much more noise there is in the stack's light than in the ground's; and to which distance from the stack its blur
reaches."""
_LEAST_BEND = 0.002
"""Share of the light by which it must bend from row to row along a dark line."""
_FAINTEST = 0.1
"""A dark line takes at least this share of the light away, before the lens blurs it."""
_AHEAD = 14
_LEAST_MARGIN, _GROUND_ROWS = 12, 4
"""Rows above and below the stack that are kept, and of them those that its blur does not reach."""


@dataclass(frozen=True, slots=True)
class _Strip:
    """One strip's count, and how regular its lines lie, 0 to 1; `doubt` where lines are out of rhythm."""

    count: int
    regular: float
    doubt: bool
    lower: tuple[float, ...] = ()
    """The row at which each card ends, the lowest first."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """The stack cut out and turned level: its upper left pixel in the turned picture, and how that was turned."""

    picture: Picture
    left: int
    top: int
    turn: npt.NDArray[np.float64]

    def marks(self, rows: tuple[float, ...]) -> tuple[Mark, ...]:
        """Rows of the stack as lines in the picture that it was cut from."""
        back = np.asarray(cv2.invertAffineTransform(self.turn), np.float64)
        ends = [(x, row) for row in rows for x in (0.0, float(self.picture.shape[1] - 1))]
        placed = [back @ (x + self.left, y + self.top, 1.0) for x, y in ends]
        points = [(float(x), float(y)) for x, y in placed]
        return tuple(zip(points[::2], points[1::2], strict=True))


def count_side(picture: Picture) -> CountReading:
    """Count the cards of one stack, 1 to 60, lying level in a picture of its side before something darker."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture, np.uint8)
    stack = _level_stack(grey)
    if stack is None:
        return uncertain("side", "no stack of light edges before something darker is seen")
    parts = _cut(stack.picture)
    strips = [found for part in parts if (found := _count_strip(part)) is not None]
    whole = _count_strip(_together(parts))
    if whole is None or not strips:
        return uncertain("side", "the edges are too soft to be told apart")
    marks = stack.marks(whole.lower)
    least = min(whole.count, *(strip.count for strip in strips))
    most = max(whole.count, *(strip.count for strip in strips))
    if whole.count == 1 and most > 1:
        return uncertain("side", "parts of the stack show lines between cards, others none", least, most, marks)
    if whole.doubt:
        return uncertain("side", "the lines between the cards do not follow each other evenly", least, most, marks)
    votes = Counter(strip.count for strip in strips if not strip.doubt)
    share = votes[whole.count] / len(parts)
    if share < _LEAST_AGREEING or votes.most_common(1)[0][0] != whole.count:
        return uncertain("side", "parts of the stack give other counts", least, most, marks)
    if whole.count > MOST:
        return uncertain("side", f"more than {MOST} cards", least, most, marks)
    return counted("side", whole.count, (0.5 + 0.5 * share) * whole.regular, marks)


def _level_stack(grey: Picture) -> _Stack | None:
    """The stack cut out and turned level, with a margin of a tenth of its height above and below."""
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    _, mask = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    if float(soft[mask > 0].mean() if mask.any() else 0) - float(
        soft[mask == 0].mean() if (mask == 0).any() else 255
    ) < (_LEAST_CONTRAST):
        return None
    # Dark lines between cards must not cut the stack apart.
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 3), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    largest = max(contours, key=cv2.contourArea)
    left, top, width, height = cv2.boundingRect(largest)
    if width < _LEAST_SIZE_PX[0] or height < _LEAST_SIZE_PX[1] or height > 4 * width:
        return None
    slope = _slope(np.asarray(closed, np.uint8), left, width)
    turn = cv2.getRotationMatrix2D((left + width / 2, top + height / 2), float(np.degrees(np.arctan(slope))), 1)
    level_picture = cv2.warpAffine(
        grey, turn, grey.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    margin = max(_LEAST_MARGIN, height // 8)
    rows = slice(max(0, top - margin), min(grey.shape[0], top + height + margin))
    inset = width // 14
    cut = u8(level_picture[rows, left + inset : left + width - inset])
    return _Stack(cut, left + inset, rows.start, np.asarray(turn, np.float64))


def _slope(mask: Picture, left: int, width: int) -> float:
    """How the stack's top and bottom lie, in y for each x; the median of short chords is not led by ragged corners."""
    inset = width // 8
    columns = np.arange(left + inset, left + width - inset, max(1, width // 200))
    ends = []
    for side in (mask, mask[::-1]):
        edge = side[:, columns].argmax(axis=0).astype(np.float64)
        half = len(columns) // 2
        steps = (edge[half : 2 * half] - edge[:half]) / (columns[half : 2 * half] - columns[:half])
        ends.append(float(np.median(steps)))
    return (ends[0] - ends[1]) / 2


def _cut(stack: Picture) -> list[Profile]:
    """The mean light of each row, strip by strip."""
    return [np.asarray(part.mean(axis=1), np.float64) for part in np.array_split(stack, _STRIPS, axis=1)]


def _together(parts: list[Profile]) -> Profile:
    """The mean of all strips, each moved up or down so that its lines lie upon those of its neighbours."""
    middle = len(parts) // 2
    moved = {middle: parts[middle]}
    for number in [*range(middle - 1, -1, -1), *range(middle + 1, len(parts))]:
        beside = moved[number + 1 if number < middle else number - 1]
        moved[number] = _moved_onto(parts[number], beside)
    return np.asarray(np.mean(list(moved.values()), axis=0), np.float64)


def _moved_onto(part: Profile, beside: Profile) -> Profile:
    """A strip moved by what brings its ends, and then its lines, upon those of the one beside it."""
    here, there = _ends(part), _ends(beside)
    if here is None or there is None:
        return part
    rows = np.arange(len(part), dtype=np.float64)
    rough = ((here[0] - there[0]) + (here[1] - there[1])) / 2
    target = _bend(beside, 0.8)
    tries = rough + np.arange(-1.5, 1.51, 0.25)
    shifted = [np.interp(rows + shift, rows, part) for shift in tries]
    fits = [float((_bend(each, 0.8) * target).sum()) for each in shifted]
    return np.asarray(shifted[int(np.argmax(fits))], np.float64)


def _count_strip(light: Profile) -> _Strip | None:
    """Count the cards of one strip from its rows' light; None where it cannot be told."""
    ends = _ends(light)
    if ends is None:
        return None
    top, bottom, ramp = ends
    height, blur = bottom - top, ramp / 2.5
    lines = _lines(light, top, bottom, max(_LEAST_STEP_PX, 0.9 * blur))
    if len(lines) > 2:
        usual = float(np.median(np.diff(lines)))
        lines = _lines(light, top, bottom, max(_LEAST_STEP_PX, 0.5 * usual))
    if not lines:
        # One card; or two whose line the lens has blurred away, of which it must be sure that there are not.
        half = max(height / 2, 1e-6)
        hidden = _FAINTEST * np.exp(-2 * (np.pi * blur / half) ** 2) * (2 * np.pi / half) ** 2
        return _Strip(1, 1.0, False, (bottom,)) if hidden > 2 * _LEAST_BEND else None
    marks = [top, *lines, bottom]
    usual = float(np.median(np.diff(lines))) if len(lines) > 2 else height / (len(lines) + 1)
    steps = [(b - a) / usual for a, b in pairwise(marks)]
    doubt = not all(_NARROW < step < _WIDE for step in steps)
    return _Strip(len(lines) + 1, max(0.0, 1 - float(np.std(steps))), doubt, (bottom, *reversed(lines)))


def _ends(light: Profile) -> tuple[float, float, float] | None:
    """Where the stack begins and ends, at half of the light there, and how many rows its light takes to rise."""
    bright = float(np.percentile(light, 92))
    ends = []
    for rows in (light, light[::-1]):
        # What is behind the stack and what it lies on need not be equally dark.
        dark = float(np.median(rows[:_GROUND_ROWS]))
        if bright - dark < _LEAST_CONTRAST / 2:
            return None
        # Light is uneven, so half of it is taken from what lies next within the stack.
        ahead = np.lib.stride_tricks.sliding_window_view(np.pad(rows, (0, _AHEAD), mode="edge"), _AHEAD + 1).max(axis=1)
        half = (np.maximum(ahead, dark + 0.3 * (bright - dark)) + dark) / 2
        lit = np.flatnonzero(rows >= half)
        if not lit.size or lit[0] == 0:
            return None
        first = int(lit[0])
        before = (rows[first] - half[first]) / max(rows[first] - rows[first - 1], 1e-6)
        rise = float(np.diff(rows[max(0, first - 6) : first + 6]).max())
        ends.append((first - min(float(before), 1.0), (float(ahead[first]) - dark) / max(rise, 1e-6)))
    (top, upper), (below, lower) = ends
    return top, len(light) - 1 - below, max(upper, lower)


def _bend(light: Profile, sigma: float) -> Profile:
    """How much the light bends upwards about each row, as a share of it: most along a dark line."""
    soft = _smooth(light, sigma)
    bend = np.zeros_like(soft)
    bend[1:-1] = soft[:-2] - 2 * soft[1:-1] + soft[2:]
    return np.asarray(bend / np.maximum(_smooth(light, 6.0), 1.0), np.float64)


def _lines(light: Profile, top: float, bottom: float, least_step: float) -> list[float]:
    """Rows of the dark lines between the ends of the stack, to a fraction of a row."""
    bend = _bend(light, max(0.7, 0.22 * least_step))
    reach = max(1, int(least_step))
    first, last = int(np.ceil(top + 0.8 * least_step)), int(np.floor(bottom - 0.8 * least_step))
    tops = [
        row
        for row in range(max(first, 1), min(last + 1, len(bend) - 1))
        if bend[row] > 0 and bend[row] >= bend[max(0, row - reach) : row + reach + 1].max()
    ]
    if not tops:
        return []
    usual = float(np.percentile([bend[row] for row in tops], 60))
    noise = _noise(light, bend, top)
    least = max(_PEAK_SHARE * usual, _SURE_NOISE * noise, _LEAST_BEND)
    found = []
    for row in (row for row in tops if bend[row] > least):
        left, here, right = bend[row - 1], bend[row], bend[row + 1]
        curve = left - 2 * here + right
        found.append(row + (0.5 * (left - right) / curve if curve < 0 else 0.0))
    return found


def _noise(light: Profile, bend: Profile, top: float) -> float:
    """By how much, as a share of the stack's light, noise bends the light: as that of the ground above is bent."""
    ground = slice(1, max(_GROUND_ROWS, int(top) - _BLURRED_ROWS))
    levels = np.abs(bend[ground]) * _smooth(light, 6.0)[ground]
    return float(np.median(levels) / max(float(np.percentile(light, 92)), 1.0)) * _LIGHTER_NOISE


def _smooth(values: Profile, sigma: float) -> Profile:
    reach = max(1, round(3 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    padded = np.pad(values, reach, mode="edge")
    return np.asarray(np.convolve(padded, kernel / kernel.sum(), mode="valid"), np.float64)
