"""A drawing of the table that shows a person where an order is to be carried out."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from evidence.files import write_atomic
from vision.pictures import Picture, encode_jpeg, u8
from vision.places import Box, TableLayout
from vision.synthetic.strokes import Colour, write

_WIDTH_PX = 1200
_FELT: Colour = (70, 92, 44)
_PLAIN: Colour = (150, 165, 140)
_WANTED: Colour = (60, 200, 250)
_INK: Colour = (250, 250, 250)


class OrderPicture:
    """One file that always shows the present order: its places stand out, an arrow goes from the first to the second.

    For a viewer that draws the file anew when it changes.
    """

    def __init__(self, path: Path, layout: TableLayout) -> None:
        self.path = path
        self._layout = layout
        spots: dict[str, Box] = {name: place.box for name, place in layout.places.items()}
        self._spots = spots | {name: device.box for name, device in layout.devices.items()}

    def show(self, places: Sequence[str]) -> str:
        """Draw these places; the name of the file, or nothing when none of them is on the table."""
        wanted = [name for name in places if name in self._spots]
        if not wanted:
            return ""
        write_atomic(self.path, encode_jpeg(self.draw(wanted), 90), durable=False)
        return str(self.path)

    def draw(self, wanted: Sequence[str]) -> Picture:
        """The table from above, `(height, width, 3)`, BGR, with these places."""
        scale = _WIDTH_PX / self._layout.size_mm[0]
        height = round(self._layout.size_mm[1] * scale)
        canvas = u8(np.full((height, _WIDTH_PX, 3), _FELT, np.uint8))
        for name, box in self._spots.items():
            _outline(canvas, box, scale, _WANTED if name in wanted else _PLAIN, 5 if name in wanted else 1)
            middle = (box.centre_mm[0] * scale, box.centre_mm[1] * scale)
            words = name.replace("/", " ").replace("_", " ").upper()
            write(canvas, words, middle, 18.0 if name in wanted else 12.0, _WANTED if name in wanted else _INK)
        if len(wanted) > 1:
            start, end = (_point(self._spots[name].centre_mm, scale) for name in wanted[:2])
            cv2.arrowedLine(canvas, start, end, _WANTED, 3, cv2.LINE_AA, tipLength=0.04)
        return canvas


def _outline(canvas: Picture, box: Box, scale: float, colour: Colour, thickness: int) -> None:
    corners = cv2.boxPoints((box.centre_mm, box.size_mm, box.angle_deg))
    cv2.polylines(canvas, [np.round(corners * scale).astype(np.int32)], True, colour, thickness, cv2.LINE_AA)


def _point(at_mm: tuple[float, float], scale: float) -> tuple[int, int]:
    return round(at_mm[0] * scale), round(at_mm[1] * scale)
