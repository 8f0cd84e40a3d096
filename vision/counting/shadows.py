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

_BEFORE_MM = np.arange(0.5, 2.76, 0.25)
"""Distances before an edge at which its shadow is looked at."""
_AWAY_MM = np.arange(3.0, 3.76, 0.25)
"""Where no shadow falls."""
_GROUND_MM = np.arange(5.0, 7.01, 0.5)
_ACROSS_MM = np.arange(0.0, 24.01, 0.25)
"""Distances from its own left edge at which what a card shows is kept."""
_CLEAR_MM = 3.0
_BAND_PX = 10
_BAND_INSET_MM = 5.0
_BORDER_MM = (0.8, 2.9)
_PLAIN_MM = (0.9, 1.6)
"""The white border that backs and faces have alike, and the part of it that shows paper without any doubt."""
_PRINT_MM = (3.6, 9.0)
_LAST_MM = 0.8
"""Of what a card shows beside its border, the part that is looked at: borders are of many widths."""
_COLOURED = 0.88
"""Of what is printed beside the border, the darkest channel as a share of the lightest, as it is on the border: a
back's ink has less, paper more, in shade or out of it."""
_PALE = 0.9
"""Of its border's: what is darker beside it is a pale back."""
_UNLIKE = 0.1
"""Levels, as a share of paper, by which what is printed on one back may differ from what is on the others."""
_DARK = 0.25
"""What is darker than this share of paper is a back's ink, whatever its colour."""
_NARROW_MM = 5.0
_FEW_BACKS, _WIDE_MM, _FADED_MM = 2, 7.0, 2.4
_PAPER = (0.9, 1.1)
_LEAST_BANDS = 5
_PRINTED = 0.12
"""By which what lies beside an edge differs from height to height where more than pips are printed."""
_TWO_CARDS, _TWO_CARDS_AWAY, _AWAY_FROM_MM = 0.5, 0.75, 0.95
"""A shadow is that of two cards where it takes so much more of the light, as its logarithm, than one card's does."""
_LEAST_SHADOW = 0.05
_OUTLYING, _OUTLYING_SPREADS = 0.4, 7.0
"""Where the others are alike, a shadow that takes more by this, and by so many times their median difference, is not
that of one card either."""
_SURE = 1.5
"""What takes so much more is no print that lies askew."""
_ODD, _ODD_SHARE, _ODD_PLACES = 0.13, 0.6, 3
"""How far, as a logarithm and as a share of the deepest shadow, the light before an edge may be from what is usual, and
at how many distances."""
_UNAIDED = 0.55
"""How much of what is unlike a few others counts, where the whole row does not say so too."""
_AFTER_MM = (1.1, 2.05)
_SECOND_LINE = 0.1
"""Of a card that lies a little to the right of another, the line on that one's border: the light that it takes."""
_LEAST_KNOWN = 3
_ALIKE_MM, _SIMILAR_MM = 0.35, 0.8
"""Backs whose steps differ by no more show the same print under a shadow, or nearly the same."""
_COMPARED = 4
_MOST_DOUBLED = 3


def doubled(
    whiteness: Picture, brightness: Picture, edges: Sequence[Edge], high_px: float, fanned: bool = False
) -> int:
    """How many edges of a row, but for the first, throw the shadow of two cards; 0 where there is nothing to compare.

    `whiteness` is the darkest and `brightness` the lightest channel of an upright picture at `WORK_PX_PER_MM`.
    In a fan print is turned against its neighbours, and may well be lighter than theirs.
    """
    if len(edges) < 3:
        return 0
    rows = _Rows(brightness.shape[0] / 2, high_px)
    steps = np.append(np.diff([edge.x for edge in edges]) / WORK_PX_PER_MM, np.inf)
    own = np.array([rows.beside(brightness, edge, _ACROSS_MM) for edge in edges])
    plain = np.median(own[:, :, _between(_ACROSS_MM, _PLAIN_MM)], axis=(1, 2))
    paper = np.array([np.median(plain[max(0, n - 3) : n + 4]) for n in range(len(edges))])
    own /= np.maximum(paper, 1.0)[:, None, None]
    backs = _backs(rows, whiteness, brightness, edges, steps, paper, own)
    shown = np.where((_ACROSS_MM[None, :] < steps[:, None] - _CLEAR_MM)[:, None, :], own, np.nan)
    of_backs = _median(shown[backs == 1])
    logs = np.full((len(edges), len(_BEFORE_MM)), np.nan)
    raw = np.full((len(edges), own.shape[1], len(_BEFORE_MM)), np.nan)
    near = _second_lines(own, steps)
    for n in range(1, len(edges)):
        before = rows.beside(brightness, edges[n], -_BEFORE_MM) / max(paper[n - 1], 1.0)
        under = steps[n - 1] - _BEFORE_MM
        raw[n] = before
        if backs[n - 1] == 1:
            expected = np.array([np.interp(under, _ACROSS_MM, band, left=np.nan, right=np.nan) for band in of_backs])
            before = _median(before / np.maximum(expected, 0.05))
        elif backs[n - 1] == 0 and steps[n - 1] > _NARROW_MM:
            away = rows.beside(brightness, edges[n], -_AWAY_MM).mean(axis=1) / max(paper[n - 1], 1.0)
            if np.subtract(*np.percentile(away, (75, 25))) > _PRINTED:
                before = before[(away > _PAPER[0]) & (away < _PAPER[1])]
            before = _lighter_half(before) if len(before) >= _LEAST_BANDS else _median(before[:0])
        else:
            before = _median(before)
        before[(under < _BORDER_MM[0]) | ((backs[n - 1] < 0) & (under > _BORDER_MM[1]))] = np.nan
        logs[n] = np.log(np.maximum(before, 0.02))
    on_back = np.append(-1, backs[:-1])
    logs[0] = _on_ground(rows, brightness, edges[0])
    on_back = np.append(-1, backs[:-1])
    deep = _deep_ones(logs, on_back, _of_alike(raw, on_back, steps), fanned)
    return min(int((deep | near).sum()), _MOST_DOUBLED)


def _lighter_half(bands: Light) -> Logs:
    """What is usual in the lighter half of the bands: a shadow falls on all of them, pips on some."""
    return np.asarray(np.percentile(bands, 75, axis=0), np.float64)


def _on_ground(rows: "_Rows", brightness: Picture, edge: Edge) -> Logs:
    """The shadow that the first card throws on the ground; unknown at its very edge, as that is so much lighter."""
    before = rows.beside(brightness, edge, -_BEFORE_MM)
    ground = rows.beside(brightness, edge, -_GROUND_MM).mean(axis=1)
    logs = _median(np.log(np.maximum(before / np.maximum(ground, 1.0)[:, None], 0.02)))
    return np.asarray(np.where(_BEFORE_MM < 1.0, np.nan, logs), np.float64)


def _second_lines(own: Light, steps: Logs) -> npt.NDArray[np.bool_]:
    """Which cards show, on their white border, the edge of another one that lies a little to the right of them."""
    after = _between(_ACROSS_MM, _AFTER_MM)[None, :] & (_ACROSS_MM[None, :] < steps[:, None] - _CLEAR_MM)
    levels = np.where(after, np.median(own, axis=1), np.nan)
    usual = _median(levels)
    with np.errstate(invalid="ignore"):
        return np.asarray((levels < usual - _SECOND_LINE).any(axis=1), np.bool_)


def _of_alike(raw: Logs, on_back: npt.NDArray[np.int_], steps: Logs) -> Logs:
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
    rows: _Rows,
    whiteness: Picture,
    brightness: Picture,
    edges: Sequence[Edge],
    steps: Logs,
    paper: Logs,
    own: Light,
) -> npt.NDArray[np.int_]:
    """1 for each card that shows its back, 0 for a face, -1 where too little shows of it and the others differ."""
    kinds: npt.NDArray[np.int_] = np.full(len(edges), -1)
    border = _between(_ACROSS_MM, _PLAIN_MM)
    for n, edge in enumerate(edges):
        beside = _between(_ACROSS_MM, (_PRINT_MM[0], min(float(steps[n]) - 0.45, _PRINT_MM[1])))
        if np.count_nonzero(beside) >= 2:
            dark, light = (rows.beside(channel, edge, _ACROSS_MM) for channel in (whiteness, brightness))
            # An index stands in the upper half.
            half = len(dark) // 2
            end = float(_ACROSS_MM[beside][-1])
            beside &= min(end - _LAST_MM, _PRINT_MM[1] - 2 * _LAST_MM) <= _ACROSS_MM
            level, most = float(dark[half:, beside].mean()), float(light[half:, beside].mean())
            white = float(dark[:, border].mean()) / max(float(light[:, border].mean()), 1.0)
            kinds[n] = int(level < _COLOURED * white * most or most < _DARK * float(paper[n]))
            lit = _between(_ACROSS_MM, (_PRINT_MM[0], min(float(steps[n]) - _CLEAR_MM, _PRINT_MM[1])))
            if np.count_nonzero(lit) >= 2:
                pale = float(np.median(dark[half:, lit])) / max(float(np.median(dark[:, border])), 1.0)
                if pale < _PALE:
                    kinds[n] = 1
    if np.count_nonzero(kinds == 1) > 2:
        # Backs are all alike; a coloured face is like none of them.
        shown = np.where((_ACROSS_MM[None, :] < steps[:, None] - _CLEAR_MM)[:, None, :], own, np.nan)
        usual = _median(shown[kinds == 1])
        for n in map(int, np.flatnonzero(kinds == 1)):
            off = np.abs(shown[n] - usual)
            if (~np.isnan(off)).any() and float(np.nanmean(off)) > _UNLIKE:
                kinds[n] = 0
    few = np.flatnonzero(kinds == 1)
    if len(few) <= _FEW_BACKS:
        # A face in the deep shadow of two cards is as dark as a back; farther from that edge it is not.
        for n in few[(steps[few] > _WIDE_MM) & (steps[few] < _ACROSS_MM[-1])]:
            shown = own[n][:, _between(_ACROSS_MM, (float(steps[n]) - _CLEAR_MM, float(steps[n]) - _FADED_MM))]
            if float(np.median(shown)) > _PAPER[0]:
                kinds[n] = 0
    # Taken for a back, a face only seems lighter; the other way about, a back's print would seem a shadow.
    told = kinds[kinds >= 0]
    return np.where(kinds < 0, 1, kinds) if told.size and told.all() else kinds


def _deep_ones(logs: Logs, on_back: npt.NDArray[np.int_], of_alike: Logs, fanned: bool) -> npt.NDArray[np.bool_]:
    """Which shadows are much deeper than is usual in this row on what they fall on, or may be for all that is known."""
    usual = np.full(logs.shape, np.nan)
    told: npt.NDArray[np.bool_] = np.asarray((~np.isnan(logs)).any(axis=1), np.bool_)
    told[0] = False
    for fallen_on in ((1,), (0, -1)):
        alike = np.isin(on_back, fallen_on)
        compared = logs[alike & told]
        if len(compared) == 1:
            compared = logs[told]
        usual[alike] = _median(compared) if len(compared) >= _COMPARED else _lightest(compared)
    beyond = logs - usual
    anyhow = np.where(np.isnan(usual), _median(usual), usual)
    deep = _deeper(np.where(np.isnan(beyond), of_alike, beyond), anyhow)
    deep &= _deeper(of_alike, anyhow) | np.isnan(of_alike).all(axis=1) | (_share(beyond, usual) > _SURE)
    no_alike = np.isnan(_share(of_alike, anyhow))
    unknown = np.isnan(_share(beyond, usual)) & no_alike & (np.arange(len(logs)) > 0)
    deep |= unknown
    deep |= _outlying(beyond, usual, on_back) & (no_alike | _outlying(of_alike, anyhow, on_back))
    # Another card's white border, or its edge, before this one's.
    sign = np.sign(np.where(np.isnan(of_alike), beyond, of_alike))
    unaided = np.isnan(beyond) & ~np.isnan(of_alike)
    off = np.where(unaided, _UNAIDED, 1.0) * np.fmin(np.abs(beyond), np.abs(of_alike)) * (sign < 0 if fanned else 1)
    most = np.maximum(_ODD, _ODD_SHARE * np.nan_to_num(np.abs(usual)).max(axis=1))
    return np.asarray(deep | ((np.nan_to_num(off) > most[:, None]).sum(axis=1) >= _ODD_PLACES), np.bool_)


def _deeper(beyond: Logs, usual: Logs) -> npt.NDArray[np.bool_]:
    """Which shadows take more than one card's, and most of all away from the edge: print that lies there does not."""
    away = np.where(_BEFORE_MM < _AWAY_FROM_MM, np.nan, beyond)
    with np.errstate(invalid="ignore"):
        return np.asarray((_share(beyond, usual) > _TWO_CARDS) & (_share(away, usual) > _TWO_CARDS_AWAY), np.bool_)


def _outlying(beyond: Logs, usual: Logs, on_back: npt.NDArray[np.int_]) -> npt.NDArray[np.bool_]:
    """Which shadows take more than all others on the same do, where those are alike."""
    share = _share(beyond, usual)
    found = np.zeros(len(share), np.bool_)
    for fallen_on in ((1,), (0, -1)):
        alike = np.isin(on_back, fallen_on) & ~np.isnan(share)
        alike[0] = False
        if np.count_nonzero(alike) >= _COMPARED:
            off = share - np.median(share[alike])
            spread = float(np.median(np.abs(off[alike])))
            found |= alike & (off > max(_OUTLYING, _OUTLYING_SPREADS * spread))
    return np.asarray(found, np.bool_)


def _share(beyond: Logs, one: Logs) -> Logs:
    """How much more each shadow takes, as a share of what one card's takes; unknown where too little is known."""
    known = ~np.isnan(beyond) & ~np.isnan(one)
    usual = np.where(known, one, 0.0)
    share = (np.where(known, beyond, 0.0) * usual).sum(axis=1) / np.maximum((usual**2).sum(axis=1), 1e-9)
    number = known.sum(axis=1)
    tells = (number >= _LEAST_KNOWN) & (np.abs(usual).max(axis=1) > _LEAST_SHADOW)
    return np.asarray(np.where(tells, share, np.nan), np.float64)


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
    """The greatest over the first axis of what is known."""
    if not len(values):
        return np.full(values.shape[1:], np.nan)
    unknown = np.isnan(values).all(axis=0)
    return np.where(unknown, np.nan, np.nanmax(np.where(unknown, 0.0, values), axis=0))
