"""Telling, in a row of cards, where two lie exactly on one another: together they throw a wider, deeper shadow.

What lies under a shadow is known: of a face it is paper, at most heights at least, and all backs are printed alike, so
that a card that shows more of itself tells what the shadow hides of another. What is missing from it is the shadow.
"""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.counting.outline import WORK_PX_PER_MM
from vision.edges import Edge
from vision.pictures import Picture

Light = npt.NDArray[np.float32]
Logs = npt.NDArray[np.float64]

_BEFORE_MM = np.arange(0.5, 2.01, 0.25)
"""Distances before an edge at which its shadow is looked at."""
_DEEPER = np.array([0.38, 0.38, 0.33, 0.26, 0.21, 0.16, 0.12])
"""How much more of the light, as its logarithm, two cards take there than one does."""
_AWAY_MM = np.arange(3.0, 3.76, 0.25)
"""Where no shadow falls."""
_ACROSS_MM = np.arange(0.0, 24.01, 0.25)
"""Distances from its own left edge at which what a card shows is kept."""
_CLEAR_MM = 3.0
_BAND_PX = 10
_BAND_INSET_MM = 5.0
_BORDER_MM = (0.8, 2.9)
_PLAIN_MM = (0.9, 1.6)
"""The white border that backs and faces have alike, and the part of it that shows paper without any doubt."""
_PRINT_MM = (3.6, 9.0)
_COLOURED = 0.7
"""Of what is printed beside the border, the darkest channel as a share of the lightest: a back's ink has less, paper
more, in shade or out of it."""
_DARK = 0.25
"""What is darker than this share of paper is a back's ink, whatever its colour."""
_NARROW_MM = 5.0
_PAPER = (0.9, 1.1)
_LEAST_BANDS = 5
_TWO_CARDS = 0.66
"""A shadow is that of two cards where what is missing of the light is this share of what two cards would add."""
_LEAST_KNOWN = 3
_ALIKE_MM, _SIMILAR_MM = 0.35, 0.8
"""Backs whose steps differ by no more show the same print under a shadow, or nearly the same."""
_PATTERN_MM = 7.0
"""Where a card shows more than this, its back's pattern lies under the shadow, and not its border."""
_COMPARED = 4
_MOST_DOUBLED = 3


def doubled(whiteness: Picture, brightness: Picture, edges: Sequence[Edge], high_px: float) -> int:
    """How many edges of a row, but for the first, throw the shadow of two cards; 0 where there is nothing to compare.

    `whiteness` is the darkest and `brightness` the lightest channel of an upright picture at `WORK_PX_PER_MM`.
    """
    if len(edges) < 3:
        return 0
    rows = _Rows(brightness.shape[0] / 2, high_px)
    steps = np.append(np.diff([edge.x for edge in edges]) / WORK_PX_PER_MM, np.inf)
    own = np.array([rows.beside(brightness, edge, _ACROSS_MM) for edge in edges])
    plain = np.median(own[:, :, _between(_ACROSS_MM, _PLAIN_MM)], axis=(1, 2))
    paper = np.array([np.median(plain[max(0, n - 3) : n + 4]) for n in range(len(edges))])
    own /= np.maximum(paper, 1.0)[:, None, None]
    backs = _backs(rows, whiteness, brightness, edges, steps, paper)
    shown = np.where((_ACROSS_MM[None, :] < steps[:, None] - _CLEAR_MM)[:, None, :], own, np.nan)
    of_backs = _median(shown[backs == 1])
    logs = np.full((len(edges), len(_BEFORE_MM)), np.nan)
    raw = np.full((len(edges), own.shape[1], len(_BEFORE_MM)), np.nan)
    for n in range(1, len(edges)):
        before = rows.beside(brightness, edges[n], -_BEFORE_MM) / max(paper[n - 1], 1.0)
        under = steps[n - 1] - _BEFORE_MM
        raw[n] = before
        if backs[n - 1] == 1:
            expected = np.array([np.interp(under, _ACROSS_MM, band, left=np.nan, right=np.nan) for band in of_backs])
            before = _median(before / np.maximum(expected, 0.05))
        elif backs[n - 1] == 0 and steps[n - 1] > _NARROW_MM:
            away = rows.beside(brightness, edges[n], -_AWAY_MM).mean(axis=1) / max(paper[n - 1], 1.0)
            plain_bands = before[(away > _PAPER[0]) & (away < _PAPER[1])]
            before = _median(plain_bands if len(plain_bands) >= _LEAST_BANDS else plain_bands[:0])
        else:
            before = _median(before)
        before[(under < _BORDER_MM[0]) | ((backs[n - 1] < 0) & (under > _BORDER_MM[1]))] = np.nan
        logs[n] = np.log(np.maximum(before, 0.02))
    on_back = np.append(-1, backs[:-1])
    alike = _beyond_alike(raw, on_back, steps)
    return _deep_ones(logs, on_back, np.where(np.isnan(alike), _beyond_usual(raw, on_back, steps), alike))


def _beyond_alike(raw: Logs, on_back: npt.NDArray[np.int_], steps: Logs) -> Logs:
    """What each shadow on a back takes beyond those on the same print: of backs that show as much of themselves."""
    beyond = np.full((len(raw), raw.shape[2]), np.nan)
    under = np.append(np.nan, steps[:-1])
    for n in np.flatnonzero(on_back == 1):
        others = np.flatnonzero((on_back == 1) & (np.arange(len(raw)) != n))
        others = others[np.argsort(np.abs(under[others] - under[n]))]
        near = np.abs(under[others] - under[n])
        others = others[near <= _ALIKE_MM] if (near <= _ALIKE_MM).sum() > 1 else others[near <= _SIMILAR_MM][:2]
        if len(others) > 1:
            share = raw[n] / np.maximum(np.median(raw[others], axis=0), 0.02)
            beyond[n] = np.log(np.maximum(np.median(share, axis=0), 0.02))
    return beyond


class _Rows:
    """The rows of an upright picture between the cards' round corners."""

    def __init__(self, middle: float, high_px: float) -> None:
        half = high_px / 2 - _BAND_INSET_MM * WORK_PX_PER_MM
        self._middle = middle
        self._y = np.arange(round(middle - half), round(middle + half), dtype=np.float64)

    def beside(self, channel: Picture, edge: Edge, at_mm: npt.NDArray[np.float64]) -> Light:
        """Mean levels `(bands, distances)` along lines beside an edge, to its right where `at_mm` is above 0."""
        x = edge.x + edge.slant * (self._y - self._middle)
        columns = (x[:, None] + at_mm[None, :] * WORK_PX_PER_MM).astype(np.float32)
        rows = np.repeat(self._y[:, None], len(at_mm), axis=1).astype(np.float32)
        seen = cv2.remap(channel, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        bands = max(1, len(self._y) // _BAND_PX)
        return np.asarray(seen[: bands * _BAND_PX].reshape(bands, -1, len(at_mm)).mean(axis=1), np.float32)


def _backs(
    rows: _Rows, whiteness: Picture, brightness: Picture, edges: Sequence[Edge], steps: Logs, paper: Logs
) -> npt.NDArray[np.int_]:
    """1 for each card that shows its back, 0 for a face, -1 where too little shows of it and the others differ."""
    kinds = np.full(len(edges), -1)
    for n, edge in enumerate(edges):
        beside = _between(_ACROSS_MM, (_PRINT_MM[0], min(float(steps[n]) - 0.45, _PRINT_MM[1])))
        if np.count_nonzero(beside) >= 2:
            dark, light = (rows.beside(channel, edge, _ACROSS_MM[beside]) for channel in (whiteness, brightness))
            # An index stands in the upper half.
            half = len(dark) // 2
            level, most = float(dark[half:].mean()), float(light[half:].mean())
            kinds[n] = int(level < _COLOURED * most or most < _DARK * float(paper[n]))
    # Taken for a back, a face only seems lighter; the other way about, a back's print would seem a shadow.
    told = kinds[kinds >= 0]
    return np.where(kinds < 0, 1, kinds) if told.size and told.all() else kinds


def _beyond_usual(raw: Logs, on_back: npt.NDArray[np.int_], steps: Logs) -> Logs:
    """What each shadow on a back's pattern takes beyond the usual one, as if the pattern were equally dark all over."""
    beyond = np.full((len(raw), raw.shape[2]), np.nan)
    on_pattern = (on_back == 1) & (np.append(0.0, steps[:-1]) > _PATTERN_MM)
    if np.count_nonzero(on_pattern) >= _COMPARED:
        logs = np.log(np.maximum(raw[on_pattern].mean(axis=1), 0.02))
        beyond[on_pattern] = logs - np.median(logs, axis=0)
    return beyond


def _deep_ones(logs: Logs, on_back: npt.NDArray[np.int_], beyond_alike: Logs) -> int:
    """How many shadows are much deeper than is usual in this row on what they fall on."""
    beyond = np.full(logs.shape, np.nan)
    for fallen_on in ((1,), (0, -1)):
        alike = np.isin(on_back, fallen_on)
        alike[0] = False
        told = int((~np.isnan(logs[alike]).all(axis=1)).sum())
        if told >= _COMPARED:
            beyond[alike] = logs[alike] - _median(logs[alike])
        elif told >= 2:
            several = (~np.isnan(logs[alike])).sum(axis=0) > 1
            beyond[alike] = np.where(several, logs[alike] - _lightest(logs[alike]), np.nan)
        elif len(logs) > _COMPARED:
            beyond[alike] = logs[alike] - _median(logs[1:])
    beyond = np.where(np.isnan(beyond), beyond_alike, beyond)
    known = ~np.isnan(beyond)
    weight = np.where(known, _DEEPER, 0.0)
    amount = -(np.where(known, beyond, 0.0) * weight).sum(axis=1) / np.maximum((weight**2).sum(axis=1), 1e-9)
    deep = (amount > _TWO_CARDS) & (known.sum(axis=1) >= _LEAST_KNOWN)
    return min(int(deep.sum()), _MOST_DOUBLED)


def _between(at: npt.NDArray[np.float64], bounds: tuple[float, float]) -> npt.NDArray[np.bool_]:
    return (at >= bounds[0]) & (at <= bounds[1])


def _median(values: npt.NDArray[np.floating]) -> Logs:
    """The median over the first axis of what is known; unknown where nothing is."""
    unknown = np.isnan(values).all(axis=0)
    if not len(values):
        return np.full(values.shape[1:], np.nan)
    filled = np.nanmedian(np.where(unknown, 0.0, values), axis=0)
    return np.asarray(np.where(unknown, np.nan, filled), np.float64)


def _lightest(values: Logs) -> Logs:
    unknown = np.isnan(values).all(axis=0)
    return np.where(unknown, np.nan, np.nanmax(np.where(unknown, 0.0, values), axis=0))
