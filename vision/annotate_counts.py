"""Drawing a count into a copy of its picture: every edge that was counted, numbered, and the count in words."""

import cv2
import numpy as np

from vision.annotate_cards import DARK, PAPER, UNREAD, UP, canvas_of, unit_of, with_bar
from vision.counting.reading import CountReading
from vision.pictures import Picture, Points
from vision.synthetic.strokes import Colour

_FONT = cv2.FONT_HERSHEY_DUPLEX
_LEAST_LETTERS_PX = 9.0


def draw_count(picture: Picture, reading: CountReading) -> Picture:
    """A copy of the picture, larger where it is small, with the edges and a line of words below."""
    canvas, by = canvas_of(picture)
    if canvas.ndim == 2:
        canvas = np.asarray(cv2.cvtColor(canvas, cv2.COLOR_GRAY2BGR), np.uint8)
    unit = unit_of(canvas)
    colour = UP if reading.count is not None else UNREAD
    lines = [(np.asarray(mark, np.float64) + 0.5) * by for mark in reading.marks]
    for line in lines:
        _line(canvas, line, colour, unit)
    _number(canvas, lines, colour, unit)
    return with_bar(canvas, words(reading), unit)


def words(reading: CountReading) -> str:
    """A count in one plain line."""
    if reading.count is not None:
        doubt = f": {reading.why}" if reading.why else ""
        return f"{reading.count} card{'' if reading.count == 1 else 's'}, certainty {reading.certainty:.2f}{doubt}"
    between = ""
    if reading.least is not None and reading.most is not None:
        between = f", {reading.least} to {reading.most}"
    return f"uncertain{between}: {reading.why}"


def _line(canvas: Picture, line: Points, colour: Colour, unit: float) -> None:
    start, end = (tuple(int(v) for v in np.round(point * 16)) for point in line)
    thin = max(1, round(1.6 * unit))
    cv2.line(canvas, start, end, DARK, thin + max(2, round(1.6 * unit)), cv2.LINE_AA, 4)
    cv2.line(canvas, start, end, colour, thin, cv2.LINE_AA, 4)


def _number(canvas: Picture, lines: list[Points], colour: Colour, unit: float) -> None:
    """Numbers beyond the edges' first ends: every one where there is room, else every fifth, and the last."""
    if not lines:
        return
    firsts = np.array([line[0] for line in lines])
    apart = float(np.median(np.linalg.norm(np.diff(firsts, axis=0), axis=1))) if len(lines) > 1 else 99.0
    wide = 1.6 if len(lines) > 9 else 1.2
    size = float(np.clip(apart / wide, _LEAST_LETTERS_PX * max(1.0, unit), 24 * unit))
    every = 1 if apart > 0.95 * wide * size else 5
    for number, line in enumerate(lines, 1):
        if number % every and number not in (1, len(lines)):
            continue
        if every > 1 and number != len(lines) and len(lines) - number < 2:
            continue
        away = line[0] - line[1]
        at = line[0] + away / max(float(np.linalg.norm(away)), 1e-6) * 1.1 * size
        _write(canvas, str(number), at, size, colour if every == 1 or number % 5 else PAPER)


def _write(canvas: Picture, text: str, middle: Points, size: float, colour: Colour) -> None:
    scale = size / 22
    (wide, high), _ = cv2.getTextSize(text, _FONT, scale, 1)
    x = int(np.clip(round(float(middle[0]) - wide / 2), 2, max(2, canvas.shape[1] - wide - 2)))
    y = int(np.clip(round(float(middle[1]) + high / 2), high + 2, canvas.shape[0] - 3))
    line = max(1, round(size / 16))
    cv2.putText(canvas, text, (x, y), _FONT, scale, DARK, line + 3, cv2.LINE_AA)
    cv2.putText(canvas, text, (x, y), _FONT, scale, colour, line, cv2.LINE_AA)
