"""Telling, in a row of cards, where two lie exactly on one another: together they throw a shadow twice as wide.

Light that falls past an edge ends in a shadow as wide as the edge is high: that of two cards is that of one, stretched
to twice its width from the edge. Most edges of a row are those of one card, and tell how wide its shadow is; of each
edge it is then told how much of the difference between the two it shows, 0 for one card and 1 for two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf

import numpy as np

from vision.counting.surfaces import ACROSS_MM, Flags, Levels, Surfaces, between, median
from vision.edges import Edge
from vision.pictures import Picture

_BEFORE_MM = np.arange(0.75, 4.51, 0.25)
"""Distances before an edge at which its shadow is looked at."""
_RIM_MM = 0.3
"""From a card's edge to where its border begins, from which distances are measured."""
_ON_GROUND_MM, _GROUND_MM = (1.5, 4.0), np.arange(5.0, 7.01, 0.5)
"""Where the first card's shadow on the ground is seen beside so much lighter a card, and where there is none."""
_BARE, _PRINTED, _PRINT_ENDS_MM = 20.0, 1.3, 0.75
"""The percentile of the ground that is bare of print, how much lighter print is, and how far its blur reaches."""
_LEAST_BORDER_MM = 0.8
_LIGHTEST = 92.0
"""The percentile over the heights of a face that is paper: pips and courts leave some of it bare."""
_LEAST_LEVEL = 0.02
_LEAST_ALIKE, _LEAST_TELLING = 4, 3
"""Edges whose median tells what is usual, and cards which tell what is printed where no card is free of shadow."""
_ROUNDS = 2
_MIDDLE_MM = (1.25, 2.75)
_LEAST_SHADOW = 0.03
"""By which, as a logarithm, the shadows of one card and of two must differ somewhere."""
_LEAST_KNOWN = 0.2
"""Of that difference, squared, what must be seen at an edge."""
_NOISE = 0.02
_MISFIT_PULL, _LEVEL_PULL = 4.0, 6.0
"""How far a level as a whole may be off: as if so many distances said that it is not."""
_ASKEW_MM = 0.15
_MANY_ALIKE, _ASKEW_PULL, _ASKEW_PULL_OF_FEW = 8, 0.0004, 0.01
"""By how much what is printed may lie beside where it should, and how hard it is held there: few backs tell less well
what is printed, and what seems askew may be a shadow."""
_TWO_CARDS = 0.5
_TOLD, _FAINT = 0.08, 0.06
"""Where the shadows of one card and of two differ by less than the first, a pair might not show; by less than the
second, noise may look like one."""
_TWO_IN_FAINT, _SPREADS_IN_FAINT = 1.0, 8.0
"""There a pair is told where an edge seems to be of so much more than one card, and of so many times what is usual.
Not that of the first card, which lies on other stuff."""
_MUCH_UNEXPLAINED, _TWO_IN_DOUBT = 0.4, 0.25
"""Of a row most of whose shadows are not those of one card, so little may be a second card."""
_ODD = 4.0
"""How much what no shadow explains, as a logarithm, counts: it is another card's edge or border."""
_BETTER, _EXPLAINED = 0.6, 0.0375
"""That all cards show their backs is believed where it leaves so much less unexplained, and at no edge more than that,
as a logarithm."""
_LINE_MM, _LINE = (0.8, 2.4), 0.1
"""Of a card that lies a little to the right of another, the line on that one's border: the light that it takes."""
_BORDER_MM = 1.7
"""To where every border is white, that of a back of another deck too."""
_MOST_DOUBLED = 3

_LIGHTS = np.array(
    [
        (d, far, soft)
        for d in np.arange(0.15, 0.85, 0.05)
        for far in np.arange(0.2, 1.45, 0.15)
        for soft in np.arange(0.5, 1.7, 0.15)
    ]
)


def _shadow(lights: Levels, high: int) -> Levels:
    """The logarithm of the light that is left `(lights, distances)` before an edge `high` cards high."""
    past = (high * lights[:, 1:2] - _BEFORE_MM + _RIM_MM) / (high * lights[:, 2:3])
    covered = 0.5 * (1 + np.vectorize(erf)(past / np.sqrt(2)))
    return np.asarray(np.log(1 - lights[:, :1] * covered), np.float64)


_ONE, _TWO = _shadow(_LIGHTS, 1), _shadow(_LIGHTS, 2)


@dataclass(frozen=True, slots=True)
class Pairs:
    """`deep` edges of a row may be those of two cards; `clear`, 0 to 1, is how far from it the likest of the others is.

    Not `told`: no shadow is seen that would be wider at a pair, and what is told of the edges says little.
    """

    deep: int
    clear: float
    told: bool


def doubled(whiteness: Picture, brightness: Picture, edges: Sequence[Edge], high_px: float) -> Pairs:
    """Which edges of a row may be those of two cards.

    `whiteness` is the darkest and `brightness` the lightest channel of an upright picture at `WORK_PX_PER_MM`. Where
    others show a shadow, an edge of whose shadow too little is seen may be of two cards.
    """
    if len(edges) < 2:
        return Pairs(0, 1.0, told=False)
    surfaces = Surfaces(whiteness, brightness, edges, high_px)
    logs, thick, misfit = _told(surfaces)
    if not surfaces.backs.all():
        # Of close backs with wide borders little print shows: some may be taken for faces.
        other = Surfaces(whiteness, brightness, edges, high_px, all_backs=True)
        alike = _told(other)
        better = _left_over(*alike) < _BETTER * _left_over(logs, thick, misfit)
        if better and float(np.nan_to_num(alike[2], nan=1.0).max()) < _EXPLAINED:
            surfaces, (logs, thick, misfit) = other, alike
    differ, unknown, most = _differ(logs), np.isnan(thick), _TWO_CARDS
    if differ < _FAINT:
        spread = float(np.median(np.abs(thick[~unknown]))) if not unknown.all() else 0.0
        most = max(_TWO_IN_FAINT, _SPREADS_IN_FAINT * spread)
        thick[0], misfit[0] = 0.0, 0.0
    elif _unexplained(thick, misfit) > _MUCH_UNEXPLAINED:
        most = _TWO_IN_DOUBT
    likely = np.where(unknown, 1.0 if differ >= _FAINT else 0.0, np.maximum(thick, 0.0) + _ODD * misfit)
    deep = (likely > most) | _second_lines(surfaces, logs)
    clear = 1 - float(likely[~deep].max(initial=0.0)) / most
    return Pairs(min(int(deep.sum()), _MOST_DOUBLED), min(1.0, clear), differ >= _TOLD)


def _told(surfaces: Surfaces) -> tuple[Levels, Levels, Levels]:
    """Each edge's shadow, how many cards more than one it seems to be of, and what of it that leaves unexplained."""
    logs, askew = _row_shadows(surfaces)
    return logs, *thickness(logs, askew, surfaces.backs)


def _unexplained(thick: Levels, misfit: Levels) -> float:
    """How little the shadows of a row are like those of one card each, if its cards show the sides they are taken to;
    few pairs among many cards hardly count."""
    return float(np.mean(np.where(np.isnan(thick), 1.0, np.minimum(1.0, np.abs(thick) + _ODD * misfit))))


def _left_over(logs: Levels, thick: Levels, misfit: Levels) -> float:
    """The same, as a logarithm of light: light in which one card and two differ much leaves no more unexplained."""
    share = np.minimum(1.0, np.abs(thick)) * _differ(logs) + _ODD * misfit
    return float(np.mean(np.where(np.isnan(thick), 1.0, share)))


def _row_shadows(surfaces: Surfaces) -> tuple[Levels, Levels]:
    """Each edge's shadow `(edges, distances)` as a logarithm, and how it would change, per millimetre, if what is
    printed below it lay farther to the right."""
    shown = np.where((surfaces.step_at[:, :, None] - ACROSS_MM) > _BEFORE_MM[-1] - 1.0, surfaces.shown, np.nan)
    prints = median(shown[surfaces.backs])
    logs, askew = _with_prints(surfaces, prints)
    for _ in range(_ROUNDS if np.count_nonzero(surfaces.backs) >= _LEAST_TELLING else 0):
        logs, askew = _with_prints(surfaces, _refined(surfaces, prints, np.nan_to_num(median(logs[1:]))))
    return logs, askew


def _with_prints(surfaces: Surfaces, prints: Levels) -> tuple[Levels, Levels]:
    logs = np.full((len(surfaces.lines), len(_BEFORE_MM)), np.nan)
    askew = np.zeros_like(logs)
    logs[0] = _on_ground(surfaces)
    for n in range(1, len(logs)):
        seen = np.log(np.maximum(surfaces.before(n, _BEFORE_MM), _LEAST_LEVEL))
        under = surfaces.step_at[n - 1][:, None] - _BEFORE_MM
        if surfaces.backs[n - 1]:
            logs[n] = median(seen - _printed(prints, under))
            beside = [median(seen - _printed(prints, under + off)) for off in (_ASKEW_MM, -_ASKEW_MM)]
            askew[n] = np.nan_to_num((beside[0] - beside[1]) / (2 * _ASKEW_MM))
        else:
            logs[n] = np.percentile(seen, _LIGHTEST, axis=0)
        logs[n, surfaces.steps[n - 1] - _BEFORE_MM < _LEAST_BORDER_MM] = np.nan
    return logs, askew


def _printed(prints: Levels, at_mm: Levels) -> Levels:
    """The logarithm of what is printed on a back `(bands, distances)` at distances from its edge."""
    levels = [np.interp(at, ACROSS_MM, band, left=np.nan, right=np.nan) for at, band in zip(at_mm, prints, strict=True)]
    return np.asarray(np.log(np.maximum(levels, _LEAST_LEVEL)), np.float64)


def _refined(surfaces: Surfaces, prints: Levels, usual: Levels) -> Levels:
    """What is printed on the backs, told by what shows of all of them once the usual shadow is taken off."""
    before = surfaces.step_at[surfaces.backs][:, :, None] - ACROSS_MM
    light = np.exp(np.interp(before, _BEFORE_MM, usual, right=0.0))
    lit = np.where(before < _BEFORE_MM[0], np.nan, surfaces.shown[surfaces.backs] / light)
    told = (~np.isnan(lit)).sum(axis=0) >= _LEAST_TELLING
    return np.asarray(np.where(told, median(lit), prints), np.float64)


def _on_ground(surfaces: Surfaces) -> Levels:
    """The shadow that the first card throws on the ground; unknown at its very edge, as that is so much lighter.

    Print on the ground beside the card is left out.
    """
    at = np.append(_BEFORE_MM, _GROUND_MM)
    seen = surfaces.before(0, at)
    bare = float(np.percentile(seen[:, len(_BEFORE_MM) :], _BARE))
    printed = (seen > _PRINTED * bare) & (at >= _ON_GROUND_MM[0])
    near = np.abs(at[:, None] - at[None, :]) <= _PRINT_ENDS_MM
    seen = np.where((printed[:, :, None] & near[None]).any(axis=1), np.nan, seen)
    beyond = median(seen[:, len(_BEFORE_MM) :].T)
    share = seen[:, : len(_BEFORE_MM)] / np.where(np.isnan(beyond), bare, np.maximum(beyond, 1e-3))[:, None]
    logs = median(np.log(np.maximum(share, _LEAST_LEVEL)))
    return np.asarray(np.where(between(_BEFORE_MM, _ON_GROUND_MM), logs, np.nan), np.float64)


def thickness(logs: Levels, askew: Levels, backs: Flags) -> tuple[Levels, Levels]:
    """How many cards more than one each edge seems to be of, and what of its shadow that leaves unexplained; not a
    number where too little is known of it."""
    thick, misfit = np.full(len(logs), np.nan), np.full(len(logs), np.nan)
    known = np.flatnonzero((~np.isnan(logs)).any(axis=1))
    if not known.size:
        return thick, misfit
    usual = _usual(logs[known])
    more = _two_less_one(usual)
    if float(np.abs(more).max()) < _LEAST_SHADOW:
        return thick, misfit
    fallen_on = np.append(-1, backs[:-1])
    for n in known:
        alike = logs[known[fallen_on[known] == fallen_on[n]]]
        beyond = logs[n] - (median(alike) if len(alike) >= _LEAST_ALIKE else usual)
        seen = ~np.isnan(beyond)
        if float((more[seen] ** 2).sum()) < _LEAST_KNOWN * float((more**2).sum()):
            continue
        terms = np.stack([more[seen], np.ones(int(seen.sum())), _ASKEW_MM * askew[n, seen]], axis=1)
        pull = np.diag([1e-9, _LEVEL_PULL, _ASKEW_PULL if len(alike) >= _MANY_ALIKE else _ASKEW_PULL_OF_FEW])
        fit = np.linalg.solve(terms.T @ terms + pull, terms.T @ beyond[seen])
        thick[n] = fit[0]
        misfit[n] = float(np.sqrt(np.mean((beyond[seen] - terms @ fit) ** 2)))
    return thick, misfit


def _differ(logs: Levels) -> float:
    """By how much, as a logarithm, the shadows of two cards and of one differ at most in this light; on the ground
    little of a short one is seen."""
    usual = median(logs[1:])
    if np.isnan(usual).all():
        usual = logs[0]
    return 0.0 if np.isnan(usual).all() else float(np.abs(_two_less_one(usual)).max())


def _usual(logs: Levels) -> Levels:
    """The shadow of one card: that of most edges; of a few, the widest in the narrower half."""
    if len(logs) >= _LEAST_ALIKE:
        return median(logs)
    middle = logs[:, between(_BEFORE_MM, _MIDDLE_MM)]
    taken = -np.array([np.nanmean(each) if (~np.isnan(each)).any() else 0.0 for each in middle])
    return np.asarray(logs[np.argsort(taken, kind="stable")[(len(logs) - 1) // 2]], np.float64)


def _two_less_one(usual: Levels) -> Levels:
    """How the shadow of two cards differs from that of one, over all lights that may throw the usual one."""
    seen = ~np.isnan(usual)
    off = usual[seen] - _ONE[:, seen]
    level = off.sum(axis=1, keepdims=True) / (seen.sum() + _MISFIT_PULL)
    misfit = ((off - level) ** 2).sum(axis=1) + _MISFIT_PULL * level[:, 0] ** 2
    likely = np.exp(-0.5 * (misfit - misfit.min()) / _NOISE**2)
    return np.asarray(likely @ (_TWO - _ONE) / likely.sum(), np.float64)


def _second_lines(surfaces: Surfaces, logs: Levels) -> Flags:
    """Which cards show, on their white border, the edge of another one that lies a little to the right of them."""
    after = between(ACROSS_MM, _LINE_MM)
    before = surfaces.steps[:, None] - ACROSS_MM[after]
    light = np.interp(before, _BEFORE_MM, np.nan_to_num(median(logs[1:])), right=0.0)
    levels = np.where(before > _BEFORE_MM[0], np.log(np.median(surfaces.shown[:, :, after], axis=1)) - light, np.nan)
    border = np.where(ACROSS_MM[after] < _BORDER_MM, median(levels), np.nan)
    found = np.zeros(len(levels), np.bool_)
    for side in (False, True):
        alike = surfaces.backs == side
        usual = median(levels[alike]) if np.count_nonzero(alike) >= _LEAST_ALIKE else border
        found |= alike & (np.nan_to_num(levels - usual) < -_LINE).any(axis=1)
    return found
