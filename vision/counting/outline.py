"""The outline of cards that lie together, and turning them upright."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, project, u8

WORK_PX_PER_MM = 4.0
MARGIN_MM = 6.0
_LEAST_SIDE_PX = 60
_LEAST_SHARE = 0.01
_MOST_PX = 2400


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The one piece of paper in a picture. `whiteness` and `brightness` are the darkest and the lightest channel of the
    picture, `mask` is 255 on the paper, `hull` lies around it, in pixels, after the picture was
    made `shrink` times as large.
    """

    whiteness: Picture
    brightness: Picture
    mask: Picture
    hull: Points
    shrink: float = 1.0


def find_outline(picture: Picture) -> Outline | None:
    """The largest piece of paper, if there is no other nearly as large; None where none stands out."""
    if picture.ndim != 3 or min(picture.shape[:2]) < _LEAST_SIDE_PX:
        return None
    shrink = min(1.0, _MOST_PX / max(picture.shape[:2]))
    if shrink < 1:
        picture = u8(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    whiteness = u8(cv2.min(cv2.min(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2]))
    soft = cv2.GaussianBlur(whiteness, (0, 0), 1.5)
    _, mask = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    # The white borders hold a spread together; what shows between them is filled in.
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    areas = sorted(((float(cv2.contourArea(contour)), number) for number, contour in enumerate(contours)), reverse=True)
    if not areas or areas[0][0] < _LEAST_SHARE * whiteness.size or (len(areas) > 1 and areas[1][0] > 0.1 * areas[0][0]):
        return None
    contour = contours[areas[0][1]]
    filled = np.zeros_like(whiteness)
    cv2.drawContours(filled, [contour], -1, (255,), -1)
    hull = np.asarray(cv2.convexHull(contour), np.float64).reshape(-1, 2)
    brightness = u8(cv2.max(cv2.max(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2]))
    return Outline(whiteness, brightness, filled, hull, shrink)


def rectangle(hull: Points) -> tuple[Points, float, float]:
    """The smallest rectangle around a hull: corners clockwise, and the lengths of its first and second side."""
    corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32))), np.float64)
    return corners, float(np.linalg.norm(corners[1] - corners[0])), float(np.linalg.norm(corners[2] - corners[1]))


def upright(channel: Picture, corners: Points, wide_mm: float, high_mm: float) -> Picture:
    """What lies within four corners, clockwise from the upper left, upright at `WORK_PX_PER_MM` with a margin."""
    width, height, margin = (v * WORK_PX_PER_MM for v in (wide_mm, high_mm, MARGIN_MM))
    move = _to_upright(corners, wide_mm, high_mm)
    size = (round(width + 2 * margin), round(height + 2 * margin))
    return u8(cv2.warpPerspective(channel, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def from_upright(corners: Points, wide_mm: float, high_mm: float, points: Points) -> Points:
    """Points of the upright picture where they lie in the one that it was made from."""
    back = np.linalg.inv(_to_upright(corners, wide_mm, high_mm))
    return project(np.asarray(back, np.float64), points)


def _to_upright(corners: Points, wide_mm: float, high_mm: float) -> npt.NDArray[np.float64]:
    width, height, margin = (v * WORK_PX_PER_MM for v in (wide_mm, high_mm, MARGIN_MM))
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) + np.float32(margin)
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), target), np.float64)
