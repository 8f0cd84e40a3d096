"""What the shadows in a row of cards fall on: where each card's edge lies, which side it shows, what is printed there.

Distances are millimetres from a card's own left edge, levels are shares of paper's. All backs are printed alike, so
that those which show more of themselves tell what a shadow hides of another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.counting.outline import WORK_PX_PER_MM
from vision.edges import Edge
from vision.pictures import Picture

Levels = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

ACROSS_MM = np.arange(0.0, 24.01, 0.25)
"""Distances at which what a card shows is kept."""
_BAND_PX = 10
_BAND_INSET_MM = 5.0
_NEAR_MM = np.arange(-1.5, 1.51, 0.125)
_NEAR_SPREADS_MM = (0.6, 0.35, 0.35)
"""How far from the line that was found first the rise at an edge is looked for, time after time."""
_ASKEW_MM = 0.08
_RISE_MM = np.arange(0.125, 1.51, 0.125)
_ALIGNED, _MOST_OFF_MM, _LEAST_ALIKE = 2, 0.3, 4
_PLAIN_MM = (0.7, 1.4)
"""A part of the white border, which backs and faces have alike."""
_NEIGHBOURS = 3
_PRINT_MM = (2.4, 14.0)
"""Where the sides of cards differ, if their print does."""
_SHADED_MM = 0.6
_COLOURED = 0.88
"""Of ink, the darkest channel as a share of the lightest; paper has more, in shade or out of it."""
_LEAST_PRINT, _PREFER = 10, 1.5
_PALE, _CLEAR_MM = 0.9, 3.0
"""What is darker, as a share of paper and out of every shadow, is grey ink."""


@dataclass(frozen=True, slots=True)
class Line:
    """A card's left edge, midway between its rim and its border: `x` at half height, `slant` in x per y, in pixels."""

    x: float
    slant: float


class Surfaces:
    """The cards of an upright row at `WORK_PX_PER_MM`: `whiteness` and `brightness` are its darkest and its lightest
    channel. `all_backs` where each is taken to show its back, and not asked for its side."""

    def __init__(
        self,
        whiteness: Picture,
        brightness: Picture,
        edges: Sequence[Edge],
        high_px: float,
        *,
        all_backs: bool = False,
    ) -> None:
        half = high_px / 2 - _BAND_INSET_MM * WORK_PX_PER_MM
        self._middle = brightness.shape[0] / 2
        bands = max(1, int(2 * half) // _BAND_PX)
        self._y = np.arange(bands * _BAND_PX) + round(self._middle - half)
        self.band_y: Levels = self._y.reshape(bands, -1).mean(axis=1) - self._middle
        self._brightness, self._all_backs = brightness, all_backs
        self._look(whiteness, [self._placed(whiteness, edge) for edge in edges])
        if len(edges) >= _LEAST_ALIKE and self.backs.all():
            self._look(whiteness, self._alike())

    def _look(self, whiteness: Picture, lines: list[Line]) -> None:
        """See what the cards with these edges show."""
        self.lines = lines
        self.steps: Levels = np.append(np.diff([line.x for line in lines]) / WORK_PX_PER_MM, np.inf)
        slants = np.array([line.slant for line in lines])
        turned = np.append(np.diff(slants), 0.0)[:, None] * self.band_y[None, :] / WORK_PX_PER_MM
        self.step_at: Levels = self.steps[:, None] + turned
        """`(cards, bands)`: how much of each card shows in each band, infinitely much of the last."""
        light = np.array([self._beside(self._brightness, line, ACROSS_MM) for line in lines])
        dark = np.array([self._beside(whiteness, line, ACROSS_MM) for line in lines])
        plain = between(ACROSS_MM, _PLAIN_MM)
        own = np.median(light[:, :, plain], axis=(1, 2))
        self.paper: Levels = _evened(np.array([line.x for line in lines]), own)
        self.shown: Levels = light / self.paper[:, None, None]
        """`(cards, bands, distances)`: what each card shows, and beyond it what lies on it."""
        tint = dark / np.maximum(light, 1.0)
        tint /= max(float(np.median(tint[:, :, plain])), 0.01)
        white = np.maximum(np.median(dark[:, :, plain], axis=(1, 2)), 1.0)
        if self._all_backs:
            self.backs: Flags = np.ones(len(lines), np.bool_)
        else:
            self.backs = self._backs(tint, dark / white[:, None, None])

    def before(self, number: int, at_mm: Levels) -> Levels:
        """Levels `(bands, distances)` to the left of an edge, as shares of the paper of the card before."""
        seen = self._beside(self._brightness, self.lines[number], -at_mm)
        return np.asarray(seen / self.paper[max(0, number - 1)], np.float64)

    def _beside(self, channel: Picture, line: Line, at_mm: Levels) -> Levels:
        x = line.x + line.slant * (self._y - self._middle)
        columns = (x[:, None] + at_mm[None, :] * WORK_PX_PER_MM).astype(np.float32)
        rows = np.repeat(self._y[:, None], len(at_mm), axis=1).astype(np.float32)
        seen = cv2.remap(channel, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen.reshape(-1, _BAND_PX, len(at_mm)).mean(axis=1), np.float64)

    def _placed(self, whiteness: Picture, edge: Edge) -> Line:
        """The straight line along which the border begins, to a fraction of a pixel: slants tried are coarse."""
        start = Line(edge.x, edge.slant)
        rise = np.maximum(np.diff(self._beside(whiteness, start, _NEAR_MM), axis=1), 0.0) ** 2
        at = (_NEAR_MM[1:] + _NEAR_MM[:-1]) / 2
        along: Levels = np.zeros(len(rise))
        fit: Levels = np.zeros(2)
        for spread in _NEAR_SPREADS_MM:
            weight = rise * np.exp(-0.5 * ((at[None, :] - along[:, None]) / spread) ** 2)
            where = (weight * at).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6)
            kept = np.ones(len(where), np.bool_)
            for _ in range(3):
                fit = _line(self.band_y[kept], where[kept])
                off = np.abs(where - (fit[0] * self.band_y + fit[1]))
                kept = off <= max(_ASKEW_MM, 2.5 * float(np.median(off)))
            along = fit[0] * self.band_y + fit[1]
        return Line(edge.x + float(fit[1]) * WORK_PX_PER_MM, edge.slant + float(fit[0]) * WORK_PX_PER_MM)

    def _alike(self) -> list[Line]:
        """The edges of a row of backs moved so that their borders grow white at the same distance, whatever
        they lie on. Not that of the first: the ground is so much darker than cards."""
        lines = list(self.lines)
        moved = range(1, len(lines))
        for _ in range(_ALIGNED):
            rises = np.array([np.median(self._beside(self._brightness, lines[n], _RISE_MM), axis=0) for n in moved])
            rises /= np.maximum(rises[:, -1:], 1.0)
            usual = np.median(rises, axis=0)
            steep = np.gradient(usual, _RISE_MM)
            off = (usual - rises) @ steep / max(float(steep @ steep), 1e-6)
            for n, mm in zip(moved, np.clip(off - np.median(off), -_MOST_OFF_MM, _MOST_OFF_MM), strict=True):
                lines[n] = Line(lines[n].x + float(mm) * WORK_PX_PER_MM, lines[n].slant)
        return lines

    def _backs(self, tint: Levels, dark: Levels) -> Flags:
        """Which cards show their back. Shadows take as much of each channel, so that the tint of ink remains."""
        reach = self.step_at[:, :, None] - ACROSS_MM
        printed = between(ACROSS_MM, _PRINT_MM)
        seen = np.where((reach > _SHADED_MM) & printed, tint, np.nan)
        # An index stands in the upper half.
        half = len(self.band_y) // 2
        bare = np.where((reach > _CLEAR_MM) & printed, dark, np.nan)
        backs = (_typical(seen[:, half:]) < _COLOURED) | (_typical(bare[:, half:]) < _PALE)
        for _ in range(3):
            if not backs.any():
                break
            usual = median(seen[backs])
            told = backs.copy()
            for n in range(len(seen)):
                ink = (usual < _COLOURED) & ~np.isnan(seen[n])
                if np.count_nonzero(ink) < _LEAST_PRINT:
                    continue
                as_back, as_face = np.abs(seen[n] - usual)[ink], np.abs(seen[n] - 1.0)[ink]
                # What hardly differs is like most of the row.
                prefer = _PREFER if np.count_nonzero(backs) * 2 > len(backs) else 1 / _PREFER
                told[n] = bool(np.median(as_back) < prefer * np.median(as_face))
            if (told == backs).all():
                break
            backs = told
        return backs


def _evened(at: Levels, levels: Levels) -> Levels:
    """The level at each card as those about it tell: along a straight line through their medians, as light falls off
    along a row, and at its ends they all lie to one side."""
    told = np.empty(len(at))
    for n in range(len(at)):
        first_near = max(0, min(n - _NEIGHBOURS, len(at) - 2 * _NEIGHBOURS - 1))
        near = slice(first_near, first_near + 2 * _NEIGHBOURS + 1)
        off, level = at[near] - at[n], levels[near]
        first, second = np.triu_indices(len(off), 1)
        few = len(at) < _LEAST_ALIKE
        steep = 0.0 if few else float(np.median((level[second] - level[first]) / (off[second] - off[first])))
        told[n] = max(1.0, float(np.median(level - steep * off)))
    return told


def _typical(levels: Levels) -> Levels:
    """The median of what is known of each card; that of paper where nothing is."""
    flat = levels.reshape(len(levels), -1).T
    return np.nan_to_num(median(flat), nan=1.0)


def between(at: Levels, bounds: tuple[float, float]) -> Flags:
    """Which distances lie within bounds."""
    return (at >= bounds[0]) & (at <= bounds[1])


def median(values: Levels) -> Levels:
    """The median over the first axis of what is known; unknown, not a number, where nothing is."""
    if not len(values):
        return np.full(values.shape[1:], np.nan)
    # What is not a number is sorted to the end.
    ordered, known = np.sort(values, axis=0), (~np.isnan(values)).sum(axis=0)
    middle = np.maximum(known - 1, 0) // 2, np.minimum(known // 2, len(values) - 1)
    lower, upper = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in middle)
    return np.asarray(np.where(known > 0, (lower + upper) / 2, np.nan), np.float64)


def _line(at: Levels, values: Levels) -> Levels:
    """Slope and height at 0 of the straight line nearest to values."""
    middle = at.mean()
    slope = float((at - middle) @ values) / max(float((at - middle) @ (at - middle)), 1e-9)
    return np.array([slope, values.mean() - slope * middle])
