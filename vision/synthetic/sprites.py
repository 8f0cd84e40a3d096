"""Sprites: things with an outline and a soft shadow, ready to be laid on the table at any place and angle."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, project, u8, upright_rectangle

Homography = npt.NDArray[np.float64]
Share = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sprite:
    """BGRA with premultiplied alpha; its middle is the thing's own middle, margins for the shadow included."""

    pixels: Picture
    px_per_mm: float

    def to_local(self) -> Homography:
        """Sprite pixels to millimetres about the middle of the thing."""
        height, width = self.pixels.shape[:2]
        step = 1 / self.px_per_mm
        # Pixel centres lie half a pixel in, so that a thing that is symmetrical stays so.
        return np.array(
            [[step, 0.0, (0.5 - width / 2) * step], [0.0, step, (0.5 - height / 2) * step], [0.0, 0.0, 1.0]]
        )


def make_sprite(
    picture: Picture,
    mask: Picture,
    px_per_mm: float,
    shadow: float = 0.4,
    shadow_mm: tuple[float, float] = (-0.5, 1.1),
    soft_mm: float = 1.1,
    sharpen_to: float = 1.0,
) -> Sprite:
    """Cut `picture` out along `mask` and lay a shadow under it.

    `shadow` is its darkness, moved by `shadow_mm` and blurred by `soft_mm`. `sharpen_to` is the standard deviation in
    pixels of the blur that keeps the sprite from aliasing when it is drawn smaller.
    """
    margin = shadow_margin(px_per_mm, shadow_mm, soft_mm)
    padded = cv2.copyMakeBorder(picture, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
    cover = cv2.copyMakeBorder(mask, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(0,))
    alpha = np.asarray(cover, np.float32) / np.float32(255)
    cast = cast_shadow(alpha, px_per_mm, shadow, shadow_mm, soft_mm)
    return cut_out(np.asarray(padded, np.float32), alpha, cast, px_per_mm, sharpen_to)


def shadow_margin(px_per_mm: float, shadow_mm: tuple[float, float], soft_mm: float) -> int:
    """What is left about a thing so that its shadow has room, in pixels."""
    return round((soft_mm * 2.5 + max(abs(shadow_mm[0]), abs(shadow_mm[1]))) * px_per_mm) + 2


def cast_shadow(alpha: Share, px_per_mm: float, shadow: float, shadow_mm: tuple[float, float], soft_mm: float) -> Share:
    """The share of the light that something takes which covers `alpha`."""
    move = np.array([[1, 0, shadow_mm[0] * px_per_mm], [0, 1, shadow_mm[1] * px_per_mm]], np.float32)
    moved = cv2.warpAffine(alpha, move, (alpha.shape[1], alpha.shape[0]))
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), max(0.3, soft_mm * px_per_mm)) * shadow, np.float32)


def cut_out(picture: Share, alpha: Share, cast: Share, px_per_mm: float, sharpen_to: float) -> Sprite:
    """What `alpha` covers of a picture, 0 to 255, above a shadow that takes the share `cast` of the light."""
    layers = np.dstack([picture * alpha[:, :, None], (alpha + (1 - alpha) * cast) * 255])
    if sharpen_to > 0:
        layers = np.asarray(cv2.GaussianBlur(layers, (0, 0), sharpen_to), np.float32)
    return Sprite(u8(np.clip(np.round(layers), 0, 255)), px_per_mm)


def lay(target: Picture, origin_px: tuple[int, int], sprite: Sprite, local_to_px: Homography) -> None:
    """Draw a sprite into `target`, whose upper left pixel is pixel `origin_px` of the whole picture."""
    height, width = sprite.pixels.shape[:2]
    to_px = local_to_px @ sprite.to_local()
    corners = project(to_px, upright_rectangle((width, height)))
    left, top = (int(np.floor(v)) - 1 for v in corners.min(axis=0))
    right, bottom = (int(np.ceil(v)) + 2 for v in corners.max(axis=0))
    x0, y0 = max(left, origin_px[0]), max(top, origin_px[1])
    x1, y1 = min(right, origin_px[0] + target.shape[1]), min(bottom, origin_px[1] + target.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    to_roi = np.array([[1.0, 0.0, -x0], [0.0, 1.0, -y0], [0.0, 0.0, 1.0]]) @ to_px
    warped = cv2.warpPerspective(sprite.pixels, to_roi, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    keep = cv2.bitwise_not(warped[:, :, 3])
    under = target[y0 - origin_px[1] : y1 - origin_px[1], x0 - origin_px[0] : x1 - origin_px[0]]
    faded = cv2.multiply(under, cv2.merge([keep, keep, keep]), scale=1 / 255)
    under[:] = cv2.add(faded, cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR))
