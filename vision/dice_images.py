"""What stands behind `cardcert read --dice`: pictures of a shaker by itself, from above, without a table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.annotate import describe_dice, draw_dice
from vision.dice import read_dice, redness
from vision.picture_rows import Row, rows_of
from vision.pictures import Picture, u8
from vision.places import Shaker
from vision.readings import DiceReading, rounded

_READ_AT = 1.6
"""Pixels a millimetre in which dice are read, as on a table."""
_LEAST_OF_LARGEST = 0.3
"""Red things smaller than this share of the largest are no dice."""
_SCALES = (0.8, 60.0)
"""Pixels a millimetre of pictures that are read: with fewer a pip is less than two pixels wide."""
_NOT_READ = DiceReading(0, 0, 0, None, 0.0)


def read_lone_dice(picture: Picture, shaker: Shaker) -> DiceReading:
    """Read a picture of the shaker from above, its middle in the picture's. The dice themselves tell the scale, or
    where none shows the width of the picture, which is then that of the shaker's zone."""
    scale = _scale(picture, shaker)
    if not _SCALES[0] <= scale <= _SCALES[1]:
        return _NOT_READ
    by = _READ_AT / scale
    kind = cv2.INTER_AREA if by < 1 else cv2.INTER_CUBIC
    reading = read_dice(u8(cv2.resize(picture, None, fx=by, fy=by, interpolation=kind)), shaker, _READ_AT)
    dice = tuple(replace(die, corners=(die.corners + 0.5) / by - 0.5) for die in reading.dice)
    return replace(reading, dice=dice)


def dice_images(paths: Sequence[Path], shaker: Shaker, annotate: Path | None = None) -> Iterator[Row]:
    """Read the dice of each picture; as plain data, `certainty` 0 where the camera abstains.

    `annotate` is a file or a folder for copies with the dice drawn in (`annotated_paths`).
    """

    def look(picture: Picture, _where: str) -> tuple[Row, Callable[[], Picture]]:
        reading = read_lone_dice(picture, shaker)
        return {"kind": "dice", **dice_data(reading)}, lambda: draw_dice(picture, reading)

    return rows_of(paths, annotate, look)


def dice_data(reading: DiceReading) -> dict[str, Any]:
    """A reading of dice as plain data."""
    return {
        "covered": reading.covered,
        "flat": reading.flat,
        "leaning": reading.leaning,
        "outside": reading.outside,
        "total": reading.total,
        "certainty": round(reading.certainty, 3),
        "words": describe_dice(reading),
        "dice": [
            {
                "pose": die.pose,
                "pips": die.value,
                "corners": rounded(die.corners),
            }
            for die in reading.dice
        ],
    }


def tell(row: Row) -> str:
    """The dice of one picture in words."""
    pips = [str(die["pips"] or die["pose"]) for die in row["dice"]]
    return f"{row['image']}: dice {row['words']}" + (f" ({', '.join(pips)})" if pips else "")


def _scale(picture: Picture, shaker: Shaker) -> float:
    """Pixels a millimetre."""
    contours, _ = cv2.findContours(redness(picture), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sizes = [float(cv2.contourArea(contour)) for contour in contours]
    least = _LEAST_OF_LARGEST * max(sizes, default=0.0)
    # A die that leans shows more than one of its sides, but no side that is shorter.
    sides = [
        min(cv2.minAreaRect(contour)[1]) + 1 for contour, size in zip(contours, sizes, strict=True) if size > least
    ]
    if not sides:
        return float(picture.shape[1] / shaker.zone.size_mm[0])
    return float(np.median(sides)) / shaker.die_mm
