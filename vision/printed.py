"""What is printed on the cards of an enrolled deck, as sharp or as soft as a picture of them is.

A card's whole face tells more than its index: what shows of it must be what was enrolled, so that an edge of its
printing is not taken for that of another card, and another card not for its printing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, darkest_channel, u8

Plane = npt.NDArray[np.float32]
BoxMm = tuple[float, float, float, float]

_FAR_OFF = 0.16
"""A pixel whose whiteness lies so far outside what is printed within a pixel of it was not printed there."""
SOFTNESS_PX = (0.0, 0.7, 1.1, 1.6)
"""Standard deviations, in pixels of the deck's density, by which enrolled faces are made as soft as a picture is."""


@dataclass(frozen=True, eq=False)
class Printed:
    """`faces` is `(n, 2, height, width)` and `backs` `(m, height, width)` at the deck's density.

    The two planes of a face are its whiteness and its redness, as shares of paper white, 255 being all of it. Backs
    have whiteness only.
    """

    faces: Picture
    backs: Picture

    def plain(self, strips: Sequence[BoxMm], px_per_mm: float, face: float, back: float) -> BoxMm | None:
        """The first of several strips, left, top, right and bottom in mm, in which every face is at least so white as
        `face` says, and no back whiter than `back`."""
        for strip in strips:
            left, top, right, bottom = (round(v * px_per_mm) for v in strip)
            shown = self.faces[:, 0, top:bottom, left:right].mean(axis=(1, 2)) / 255
            if shown.min() >= face and (self.backs[:, top:bottom, left:right].mean(axis=(1, 2)) / 255 <= back).all():
                return strip
        return None

    def soft(self, softness: int) -> tuple[Plane, Plane]:
        """Faces and backs made soft by `SOFTNESS_PX[softness]`, as shares of 1."""
        return _soft(self, softness)


def printed(faces: Mapping[str, Picture], backs: Mapping[str, Picture], whites: Mapping[str, float]) -> Printed:
    """What is printed on cards, given as cameras see them, BGR at the deck's density, by label and by name of back.

    `whites` is the level of blank paper in each picture, by the same labels and names.
    """
    planes = [np.stack(whiteness_redness(card, whites[label])) for label, card in faces.items()]
    shares = [whiteness_redness(card, whites[name])[0] for name, card in backs.items()]
    shape = planes[0].shape[1:]
    return Printed(_as_bytes(np.array(planes)), _as_bytes(np.array(shares).reshape(-1, *shape)))


def whiteness_redness(picture: Picture, white: float) -> tuple[Plane, Plane]:
    """Both as shares of paper white, 0 to 1."""
    blue, green, red = cv2.split(picture)
    share = np.float32(1 / max(white, 1.0))
    redness = np.minimum(cv2.subtract(red, cv2.max(blue, green)) * share, 1)
    whiteness = np.minimum(darkest_channel(picture) * share, 1)
    return np.asarray(whiteness, np.float32), np.asarray(redness, np.float32)


def lightest_and_darkest(art: Plane) -> tuple[Plane, Plane]:
    """The lightest and the darkest that is printed within a pixel: no card lies more exactly than that."""
    near = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(art, near), np.float32), np.asarray(cv2.erode(art, near), np.float32)


def not_printed(seen: Plane, lightest: Plane, darkest: Plane) -> npt.NDArray[np.bool_]:
    """Where what shows was not printed so, by the lightest and the darkest that is printed about each pixel."""
    return np.asarray((seen > lightest + _FAR_OFF) | (seen < darkest - _FAR_OFF), np.bool_)


def _as_bytes(shares: npt.NDArray[np.float32]) -> Picture:
    return u8(np.round(np.clip(shares, 0, 1) * 255).astype(np.uint8))


def _shares(values: Picture) -> Plane:
    return np.asarray(values, np.float32) / np.float32(255)


@lru_cache(maxsize=16)
def _soft(of: Printed, softness: int) -> tuple[Plane, Plane]:
    sigma = SOFTNESS_PX[softness]
    faces, backs = _shares(of.faces), _shares(of.backs)
    if sigma == 0:
        return faces, backs
    for plane in (*faces.reshape(-1, *faces.shape[2:]), *backs):
        cv2.GaussianBlur(plane, (0, 0), sigma, dst=plane, borderType=cv2.BORDER_REPLICATE)
    return faces, backs
