"""Cutting the picture of one area out of a frame, and turning it upright in millimetres."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from evidence.errors import UsageError
from vision.pictures import Picture, Points, project, u8
from vision.places import Box, Homography, TableLayout

PLACE_MARGIN_MM = 6.0
DEVICE_MARGIN_MM = 12.0
BUTTON_MARGIN_MM = 10.0


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of pixels of the whole picture and the box on the table that it was cut for."""

    box: Box
    margin_mm: float
    left: int
    top: int
    width: int
    height: int

    def cut(self, image: Picture) -> Picture:
        return image[self.top : self.top + self.height, self.left : self.left + self.width]

    def check(self, crop: Picture, where: str) -> None:
        """Raise `UsageError` unless a crop has this window's size."""
        height, width = crop.shape[:2]
        if (width, height) != (self.width, self.height):
            raise UsageError(
                f"{where}: expected a picture of {self.width} x {self.height} pixels, got {width} x {height}; "
                f"use the layout with which the picture was taken"
            )


def window_for(layout: TableLayout, box: Box, margin_mm: float) -> Window:
    """The window of whole pixels that holds a box grown by a margin, kept within the picture."""
    corners = project(layout.mm_to_px, box.corners_mm(margin_mm))
    left, top = (max(0, int(np.floor(v))) for v in corners.min(axis=0))
    right = min(layout.size_px[0], int(np.ceil(corners[:, 0].max())) + 1)
    bottom = min(layout.size_px[1], int(np.ceil(corners[:, 1].max())) + 1)
    return Window(box, margin_mm, left, top, right - left, bottom - top)


@dataclass(frozen=True, slots=True)
class Upright:
    """How to see a window's box upright: `px_per_mm` pixels a millimetre, the margin around it included.

    `upright_to_crop` gives pixels of the crop as it was cut out, of which a `reduced` one is a smaller copy.
    """

    window: Window
    px_per_mm: float
    size: tuple[int, int]
    crop_to_upright: Homography
    upright_to_crop: Homography

    def rectify(self, crop: Picture) -> Picture:
        return u8(
            cv2.warpPerspective(
                crop, self.crop_to_upright, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
        )

    @property
    def picture_to_crop(self) -> Homography:
        """Pixels of the whole picture to those of the crop."""
        away = np.array([[1, 0, -self.window.left], [0, 1, -self.window.top], [0, 0, 1]], np.float64)
        return np.asarray(np.linalg.inv(self.upright_to_crop @ self.crop_to_upright) @ away, np.float64)

    def reduced(self, shares: tuple[float, float]) -> "Upright":
        """The same for a crop that was made smaller by these shares, across and down."""
        x, y = (1 / share for share in shares)
        back = np.array([[x, 0, x / 2 - 0.5], [0, y, y / 2 - 0.5], [0, 0, 1]])
        return replace(self, crop_to_upright=np.asarray(self.crop_to_upright @ back, np.float64))

    def to_picture(self, points: Points) -> Points:
        """Upright pixels to pixels of the whole picture."""
        return project(self.upright_to_crop, points) + np.array([self.window.left, self.window.top], np.float64)


def upright(layout: TableLayout, window: Window, px_per_mm: float) -> Upright:
    """The map that turns a window's box upright."""
    box, margin = window.box, window.margin_mm
    width, height = (round((v + 2 * margin) * px_per_mm) for v in box.size_mm)
    local_to_upright = np.array([[px_per_mm, 0, width / 2 - 0.5], [0, px_per_mm, height / 2 - 0.5], [0, 0, 1]])
    crop_to_picture = np.array([[1, 0, window.left], [0, 1, window.top], [0, 0, 1]], np.float64)
    table_to_local = np.linalg.inv(box.to_table())
    move = local_to_upright @ table_to_local @ layout.px_to_mm @ crop_to_picture
    back = np.asarray(np.linalg.inv(move), np.float64)
    return Upright(window, px_per_mm, (width, height), np.asarray(move, np.float64), back)
