"""The upper left corners of a deck's faces, as fine as they were enrolled, and where its own index lies in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, u8
from vision.printed import BoxMm, whiteness_redness

KEPT_PX_PER_MM = 4.0
"""Density at which the corners of faces are kept."""
CORNER_MM = (16.0, 42.0)
"""Width and height of the upper left part of each face that is kept."""
STANDARD_INDEX_MM: BoxMm = (1.6, 2.4, 14.0, 32.0)

_INK = 0.25
_EDGE_MM = 1.2
_FIRST_PIPS_MM = 13.0
_FRAME_MM = (6.0, 8.0)
_ROWS_APART_MM, _COLUMNS_APART_MM = 3.5, 0.5
_AROUND_MM = 0.5


@dataclass(frozen=True, eq=False)
class Corners:
    """`planes` is `(n, 2, 168, 64)`: whiteness and redness of each face's upper left corner, 255 being all of paper
    white, at `KEPT_PX_PER_MM`. `index_mm` is where on the card the deck's own index lies: left, top, right, bottom."""

    labels: tuple[str, ...]
    planes: Picture
    index_mm: BoxMm


def corners_of(faces: Mapping[str, Picture], card_mm: tuple[float, float]) -> Corners:
    """The corners of straight, cropped pictures of upright cards, by label."""
    size = tuple(round(v * KEPT_PX_PER_MM) for v in card_mm)
    wide, high = _size_px()
    planes = []
    for face in faces.values():
        shrinks = face.shape[1] > size[0]
        card = u8(cv2.resize(face, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR))
        white = float(np.percentile(card.min(axis=2), 96))
        corner = np.full((2, high, wide), np.array([1.0, 0.0])[:, None, None], np.float32)  # beyond a small card
        seen = np.stack(whiteness_redness(card, white))[:, :high, :wide]
        corner[:, : seen.shape[1], : seen.shape[2]] = seen
        planes.append(corner)
    kept = u8(np.round(np.clip(np.array(planes), 0, 1) * 255).astype(np.uint8))
    labels = tuple(faces)
    return Corners(labels, kept, _index_box(labels, kept))


def _index_box(labels: Sequence[str], planes: Picture) -> BoxMm:
    """Where the index lies, from cards with pips: an ace has nothing but its index on the left, and the others'
    indices stand where the ace's does."""
    q = KEPT_PX_PER_MM
    ink = planes[:, 0] < (1 - _INK) * 255
    edge = round(_EDGE_MM * q)
    ink[:, :edge] = ink[:, :, :edge] = False
    of_aces = ink[[number for number, label in enumerate(labels) if label[0] == "A"]]
    aces = np.asarray(of_aces.any(axis=0), np.bool_)
    lines = np.flatnonzero(aces[round(_FRAME_MM[1] * q) :, : round(_FIRST_PIPS_MM * q)].mean(axis=0) > 0.8)
    lines = lines[lines > _FRAME_MM[0] * q]
    index = aces[:, : int(lines[0]) - 1 if lines.size else round(_FIRST_PIPS_MM * q)]
    rows = np.flatnonzero(index.any(axis=1))
    if not rows.size:
        return STANDARD_INDEX_MM
    ends = np.flatnonzero(np.diff(rows) > _ROWS_APART_MM * q)
    top, bottom = int(rows[0]), int(rows[ends[0]] if ends.size else rows[-1])
    columns = np.flatnonzero(index[top : bottom + 1].any(axis=0))
    left, right = int(columns[0]), int(columns[-1])
    middle = (left + right) / 2
    for label, face in zip(labels, ink, strict=True):
        used = face[top : bottom + 1].any(axis=0)
        if label[0] not in "A23456789T" or not used[: right + 1].any():
            continue
        left = min(left, int(np.flatnonzero(used)[0]))
        gaps = np.flatnonzero(~used[int(middle) :])
        wide = [at for at in gaps if not used[int(middle) + at : int(middle) + at + round(_COLUMNS_APART_MM * q)].any()]
        if wide and label[0] != "T":
            right = max(right, int(middle) + int(wide[0]) - 1)
    right = max(right, round(2 * middle - left))
    box = np.array([left, top, right + 1, bottom + 1]) / q + np.array([-1, -1, 1, 1]) * _AROUND_MM
    most = (STANDARD_INDEX_MM[2], CORNER_MM[1] - 0.5)
    return max(0.5, float(box[0])), max(0.5, float(box[1])), min(most[0], float(box[2])), min(most[1], float(box[3]))


def corners_in(arrays: Mapping[str, npt.NDArray[np.generic]], labels: tuple[str, ...]) -> Corners | None:
    """The corners that a deck file holds, if it holds any. Raises `ValueError` for others than `corners_of` gives."""
    if "corners" not in arrays:
        return None
    planes, box = arrays["corners"], arrays["index_mm"]
    wide, high = _size_px()
    if not isinstance(planes, np.ndarray) or planes.dtype != np.uint8 or planes.shape != (len(labels), 2, high, wide):
        raise ValueError("its corners have the wrong shape")
    if not isinstance(box, np.ndarray) or box.dtype.kind != "f" or box.shape != (4,):
        raise ValueError("the box of its index is not four numbers")
    left, top, right, bottom = (float(v) for v in box)
    if not (0 <= left < right - 1 <= CORNER_MM[0] and 0 <= top < bottom - 1 <= CORNER_MM[1]):
        raise ValueError("the box of its index cannot be")
    return Corners(labels, u8(planes), (left, top, right, bottom))


def _size_px() -> tuple[int, int]:
    return round(CORNER_MM[0] * KEPT_PX_PER_MM), round(CORNER_MM[1] * KEPT_PX_PER_MM)
