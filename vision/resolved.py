"""The indices of an enrolled deck as sharp as a camera sees them, and which card one is.

A camera's density is how many of its pixels a millimetre of the table takes. A small index asks for a higher one than a
large index. Indices are compared at the density of the camera, so that nothing that it shows is thrown away.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.corners import KEPT_PX_PER_MM, Corners
from vision.likeness import LEAST_LIKENESS, RIVAL_LIMIT, towards_rivals, unit_vectors
from vision.pictures import Picture, Points, u8
from vision.printed import BoxMm, Plane, whiteness_redness

_LEAST_CLEARNESS = 4.0
LEAST_USUAL_CLEARNESS = 5.5
"""Half the distance to a rival, in misfits of one pixel of the camera, from which on a card is named.

Over 3,400 sights of drawn decks at densities good and bad, the one that was nearest to a wrong card had 1.0."""
_LEAST_MISFIT = 0.1
USUAL_MISFIT = 0.3

_FINER = 1.4
"""Indices are compared at so many times the camera's density, but at no more than this many pixels of one index."""
_MOST_PX = 3600
_LENS_PX = 0.78
"""Blur of a sharp picture in pixels of the camera: of the lens, of the pixels themselves, and of turning it upright."""
_SOFT_PX = (0.0, 0.5, 0.85, 1.2)
"""Blur beyond that, as softer pictures have it. The second is taken for the search."""
_SEARCH_MM = (0.8, 1.6)
"""How far an index may lie from where the card's outline says, across and along."""
_HALVED_FROM = 2.4
"""From this density on an index is searched at half of it first; the likest few are then looked at in full."""
_LOOKED_AT_TWICE = 8
_STEP = 1.2
LEAST_DENSITY, MOST_DENSITY = 0.6, 3.0
_SHADOW_MM = 1.6
_LEAST_WIDE_MM = 3.0
_WIDTHS_PX = 4
"""Of an index that is partly covered so many columns are taken as are a multiple of this."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A named face: `label` is None when no enrolled card is clearly nearest. `confidence` is 0 to 1.

    `nearest` is the card that is nearest, clearly or not, where the sight is like a card at all.
    """

    label: str | None
    confidence: float
    likeness: float
    nearest: str | None = None


@dataclass(frozen=True, eq=False)
class Resolved:
    """`indices` is `(softness, n, 2, height, width)`, shares of paper white at `px_per_mm`, of the box `index_mm`."""

    labels: tuple[str, ...]
    density: float
    px_per_mm: float
    index_mm: BoxMm
    indices: Plane

    def identify(
        self,
        crop: Picture,
        corners: Points,
        card_mm: tuple[float, float],
        white: float,
        shows_mm: float,
        search_mm: tuple[float, float] = _SEARCH_MM,
    ) -> Identity:
        """Name the card with these corners `(4, 2)` in a picture, of which `shows_mm` from the left is not covered.

        `white` is the level of blank paper; the index may lie off by `search_mm`, across and along.
        """
        q, (left, top, right, _) = self.px_per_mm, self.index_mm
        high, wide = self.indices.shape[3:]
        if shows_mm - _SHADOW_MM < right:
            wide = min(wide, int((shows_mm - _SHADOW_MM - left) * q) // _WIDTHS_PX * _WIDTHS_PX)
        if wide < _LEAST_WIDE_MM * q:
            return Identity(None, 0.0, 0.0)
        across, along = (round(v * q) for v in search_mm)
        x, y = left * q - across, top * q - along
        target = np.array([(0, 0), (card_mm[0], 0), card_mm, (0, card_mm[1])]) * q - (x, y) - 0.5
        move = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
        size = (wide + 2 * across, high + 2 * along)
        view = u8(cv2.warpPerspective(crop, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        planes = np.stack(whiteness_redness(view, white))
        row, column, most = self._place(planes, wide)
        seen = _units(planes[None, :, row : row + high, column : column + wide])
        likeness = (_vectors(self, wide) @ seen[0]).reshape(len(_SOFT_PX), -1)
        softness = int(likeness.max(axis=1).argmax())
        return self._named(np.maximum(likeness[softness], most), _likenesses(self, wide, softness))

    def indices_alike(self, softness: int = 1, *, moved: bool = True) -> Plane:
        """How alike each two indices are, `(n, n)`, 1 being the same: where each lies as it is most like the other, or
        unless `moved` where it was enrolled."""
        alike = _alike(_units(self.indices[softness]))
        if not moved:
            return alike
        return np.asarray(np.minimum(alike + _gained_by_moving(self), 1), np.float32)

    def likeliest(self, planes: Plane) -> tuple[int, int, Plane]:
        """Where in `planes`, `(2, height, width)`, shares of paper at `px_per_mm`, an index lies that is neither turned
        nor larger: the row and column of its upper left pixel, and how like each card's it is there, `(n,)`."""
        high, wide = self.indices.shape[3:]
        if planes.shape[1] < high or planes.shape[2] < wide:
            return 0, 0, np.full(len(self.labels), -1, np.float32)
        return self._place(planes, wide)

    def name_index(self, planes: Plane) -> Identity:
        """Name the card whose whole index, as it was enrolled, fills `planes`."""
        wide = self.indices.shape[4]
        likeness = (_vectors(self, wide) @ _units(planes[None])[0]).reshape(len(_SOFT_PX), -1)
        softness = int(likeness.max(axis=1).argmax())
        return self._named(likeness[softness], _likenesses(self, wide, softness))

    def _place(self, planes: Plane, wide: int) -> tuple[int, int, Plane]:
        """Row and column of the window of a grown index box that is most like an index, and how like each index the
        window is that is most like that one, `(n,)`; where that was not looked for, -1."""
        high, halve = self.indices.shape[3], self.px_per_mm >= _HALVED_FROM
        vectors = _vectors(self, wide).reshape(len(_SOFT_PX), len(self.labels), -1)[1]
        rows, columns = planes.shape[1] - high + 1, planes.shape[2] - wide + 1
        if not halve:
            likeness = _windows_like(
                planes, vectors, (high, wide), [(y, x) for y in range(rows) for x in range(columns)]
            )
            row, column = divmod(int(likeness.max(axis=1).argmax()), columns)
            return row, column, likeness.max(axis=0)
        small = np.stack([cv2.resize(plane, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for plane in planes])
        half = (high // 2, wide // 2)
        spots = [(y, x) for y in range(small.shape[1] - half[0] + 1) for x in range(small.shape[2] - half[1] + 1)]
        likeness = _windows_like(small, _halved(self, wide), half, spots)
        nearest = np.argsort(likeness.max(axis=0))[::-1][:_LOOKED_AT_TWICE]
        roughly = {spots[int(likeness[:, label].argmax())] for label in nearest}
        near = {
            (min(max(2 * y + dy, 0), rows - 1), min(max(2 * x + dx, 0), columns - 1))
            for y, x in roughly
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
        }
        spots = sorted(near)
        finely = _windows_like(planes, vectors[nearest], (high, wide), spots)
        row, column = spots[int(finely.max(axis=1).argmax())]
        most = np.full(len(self.labels), -1, np.float32)
        most[nearest] = finely.max(axis=0)
        return row, column, most

    def _named(self, likeness: Plane, alike: Plane) -> Identity:
        best = int(likeness.argmax())
        score = max(float(likeness[best]), 1e-6)
        apart = np.sqrt(np.maximum(2 * (1 - alike[best]), 1e-9))
        towards = towards_rivals(likeness, alike[best], best)
        misfit = max(_LEAST_MISFIT, float(np.sqrt(max(0.0, 1 / score**2 - 1))))
        clear = apart * (1 - 2 * towards) / 2 * self.sights / misfit
        clear[best] = np.inf
        least = float(clear.min())
        usual = np.delete(apart, best) / 2 * self.sights / USUAL_MISFIT
        if usual.size and usual.min() < LEAST_USUAL_CLEARNESS:
            least = 0.0
        if score < LEAST_LIKENESS or towards.max() > RIVAL_LIMIT or least < _LEAST_CLEARNESS:
            return Identity(None, 0.0, score, self.labels[best] if score >= LEAST_LIKENESS else None)
        confidence = min(1.0, least / (2 * _LEAST_CLEARNESS)) * min(1.0, max(0.0, (score - 0.5) / 0.4))
        return Identity(self.labels[best], confidence, score)

    @property
    def sights(self) -> float:
        """The root of how many pixels of the camera one index takes."""
        high, wide = self.indices.shape[3:]
        return float(np.sqrt(high * wide)) / _FINER


def resolved_at(corners: Corners, density: float) -> Resolved:
    """The indices as a camera of this density, or of the nearest lower one of a ladder, sees them."""
    return _resolved(corners, rung_of(density))


def usually_resolved(corners: Corners, rung: int) -> Resolved:
    """The same for a number of the ladder, in sharp pictures and in usual ones alone; not kept for the next time."""
    return _made(corners, rung, _SOFT_PX[:2])


def density_of(rung: int) -> float:
    """The density, in pixels a millimetre, at a number of the ladder."""
    return LEAST_DENSITY * _STEP**rung


def rung_of(density: float) -> int:
    """The number of the rung of the ladder at or just below a density."""
    held = min(max(density, LEAST_DENSITY), MOST_DENSITY)
    return int(np.floor(np.log(held / LEAST_DENSITY) / np.log(_STEP) + 0.3))


@lru_cache(maxsize=16)
def _resolved(corners: Corners, rung: int) -> Resolved:
    return _made(corners, rung, _SOFT_PX)


def _made(corners: Corners, rung: int, softnesses: tuple[float, ...]) -> Resolved:
    left, top, right, bottom = corners.index_mm
    density = min(density_of(rung), MOST_DENSITY)
    q = min(_FINER * density, float(np.sqrt(_MOST_PX / ((right - left) * (bottom - top)))))
    density = min(density, q / _FINER)
    size = (max(2, round((right - left) * q)), max(2, round((bottom - top) * q)))
    step = KEPT_PX_PER_MM / q
    move = np.array(
        [[step, 0, left * KEPT_PX_PER_MM + step / 2 - 0.5], [0, step, top * KEPT_PX_PER_MM + step / 2 - 0.5]]
    )
    planes = corners.planes.astype(np.float32) / np.float32(255)
    indices = np.empty((len(softnesses), *planes.shape[:2], size[1], size[0]), np.float32)
    for number, soft in enumerate(softnesses):
        sigma = np.hypot(_LENS_PX, soft) / density * KEPT_PX_PER_MM
        for face, both in enumerate(planes):
            for plane, picture in enumerate(both):
                blurred = cv2.GaussianBlur(picture, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
                indices[number, face, plane] = cv2.warpAffine(
                    blurred, move, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
                )
    return Resolved(corners.labels, density, q, corners.index_mm, indices)


def _units(planes: Plane) -> Plane:
    """Unit vectors `(n, d)` of `(n, 2, height, width)`: whiteness about its mean, and redness."""
    flat = planes.reshape(len(planes), 2, -1)
    return unit_vectors(flat[:, 0], flat[:, 1])


def _alike(vectors: Plane) -> Plane:
    """How alike each two are; where nothing is printed it is like any other, as nothing tells what it is."""
    alike = np.asarray(vectors @ vectors.T, np.float32)
    blank = ~vectors.any(axis=1)
    alike[blank] = alike[:, blank] = 1
    return alike


@lru_cache(maxsize=32)
def _vectors(of: Resolved, wide: int) -> Plane:
    """Unit vectors `(softness * n, d)` of the left part of the indices."""
    part = of.indices[..., :wide]
    return _units(part.reshape(-1, *part.shape[2:]))


@lru_cache(maxsize=32)
def _halved(of: Resolved, wide: int) -> Plane:
    planes = of.indices[1, :, :, : of.indices.shape[3] // 2 * 2, : wide // 2 * 2]
    n, two, high, across = planes.shape
    return _units(planes.reshape(n, two, high // 2, 2, across // 2, 2).mean(axis=(3, 5)))


@lru_cache(maxsize=128)
def _likenesses(of: Resolved, wide: int, softness: int) -> Plane:
    vectors = _vectors(of, wide).reshape(len(_SOFT_PX), len(of.labels), -1)[softness]
    return np.asarray(np.minimum(vectors @ vectors.T + _gained_by_moving(of), 1), np.float32)


@lru_cache(maxsize=48)
def _gained_by_moving(of: Resolved) -> Plane:
    """How much more alike two indices are when one is moved, `(n, n)`, 0 or more: none was enrolled at quite the same
    place as another, and none is seen there."""
    planes = of.indices[1]
    q = of.px_per_mm
    if q >= _HALVED_FROM:
        n, two, high, wide = planes.shape
        even = planes[:, :, : high // 2 * 2, : wide // 2 * 2]
        planes, q = even.reshape(n, two, high // 2, 2, wide // 2, 2).mean(axis=(3, 5)), q / 2
    high, wide = planes.shape[2:]
    reach = max(1, round(_SEARCH_MM[0] * q))
    grown = np.pad(planes, ((0, 0), (0, 0), (reach, reach), (reach, reach)), mode="edge")
    still = _units(planes)
    alike = still @ still.T
    most = alike.copy()
    for y in range(2 * reach + 1):
        for x in range(2 * reach + 1):
            moved = _units(grown[:, :, y : y + high, x : x + wide])
            np.maximum(most, still @ moved.T, out=most)
    return np.asarray(np.maximum(most, most.T) - alike, np.float32)


def _windows_like(planes: Plane, vectors: Plane, shape: tuple[int, int], spots: list[tuple[int, int]]) -> Plane:
    """How like each of the vectors the windows at these rows and columns are, `(windows, n)`."""
    high, wide = shape
    windows = np.stack([planes[:, y : y + high, x : x + wide] for y, x in spots])
    return np.asarray(_units(windows) @ vectors.T, np.float32)
