"""Telling cards from felt: where an upright picture of a place shows paper.

Paper is white; felt and printing are not. Whiteness is the darkest of a pixel's three channels, so that coloured backs,
red suits and gold lines are all unlike paper, whatever their hue.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, darkest_channel, u8

_PAPER_SHARE = 0.50
"""Of the whitest level: above it a pixel is paper."""
_PAPER_TO_FELT = 1.5
"""Paper is at least so many times as bright as the brightest channel of the felt around it."""
_LEAST_AREA_MM2 = 500.0
_INK_ACROSS_MM = 10.0
"""How high ink that reaches to a card's border may stand there: the suit of an index, at most."""
_FELT_RANGE = (14.0, 200.0)
"""Levels of felt between which a picture can be read; beyond, it is too dark or washed out."""
_SATURATED = 253.5
"""Paper at this level has lost what is lighter than it, and with it the lines between cards."""
_FELT_COLOUR = 24.0
"""Of felt that can be told from paper by its colour: the least difference between its channels."""
_COLOURLESS = 0.45
"""Of that difference: below it, what is light is paper."""
_BARE_SLACK = 0.30
_BARE_SLACK_LEVELS = 9.0
_BARE_SHARE = 0.985
"""A place is bare when nearly all of it differs from the felt around it by no more than these."""


@dataclass(frozen=True, slots=True, eq=False)
class Paper:
    """One connected piece of paper in an upright picture, in upright pixels.

    `top` and `bottom` are its first row and one past its last row in each column; `left` and `right` bound its columns.
    """

    whiteness: Picture
    white: float
    top: npt.NDArray[np.float64]
    bottom: npt.NDArray[np.float64]
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class NoPaper:
    """Nothing but table, with a margin from 0 to 1 that says how clearly; None says that the camera cannot tell."""

    margin: float | None


def find_paper(picture: Picture, px_per_mm: float, margin_mm: float) -> Paper | NoPaper:
    """The one piece of paper in an upright picture whose outer `margin_mm` shows the table around the place."""
    whiteness = u8(cv2.min(cv2.min(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2]))
    margin_px = round(margin_mm * px_per_mm)
    felt_colour = _felt_colour(picture, margin_px)
    felt = float(felt_colour.max())
    white = lightest(whiteness)
    if not _FELT_RANGE[0] <= felt <= _FELT_RANGE[1]:
        return NoPaper(None)
    ratio = white / felt
    if ratio < _PAPER_TO_FELT:
        return NoPaper(_bareness(picture, felt_colour, margin_px, (_PAPER_TO_FELT - ratio) / 0.4))
    if white > _SATURATED:
        return NoPaper(None)
    _, mask = cv2.threshold(whiteness, _PAPER_SHARE * white, 255, cv2.THRESH_BINARY)
    return _one_piece(whiteness, white, u8(mask), px_per_mm) or NoPaper(None)


def paper_by_colour(picture: Picture, px_per_mm: float, margin_mm: float) -> Paper | None:
    """The one piece of paper in such a picture, told by having no colour where the table has: glare takes its darkness
    from felt, and its colour only where nothing shows any more. None where there is not one piece, or felt is grey."""
    soft = cv2.GaussianBlur(picture, (3, 3), 0)
    blue, green, red = cv2.split(soft)
    least = cv2.min(cv2.min(blue, green), red)
    colour = u8(cv2.subtract(cv2.max(cv2.max(blue, green), red), least))
    felt = _felt_colour(cv2.merge([colour, colour, colour]), round(margin_mm * px_per_mm))
    if felt[0] < _FELT_COLOUR:
        return None
    whiteness = darkest_channel(picture)
    white = lightest(whiteness)
    mask = (colour < _COLOURLESS * felt[0]) & (least > _PAPER_SHARE * white)
    return _one_piece(whiteness, white, mask.astype(np.uint8), px_per_mm)


def felt_share(picture: Picture, px_per_mm: float, margin_mm: float) -> npt.NDArray[np.float32] | None:
    """How much of the colour of the felt around the place each pixel has, 1 for all of it, less what it has of others.

    Light that all channels get alike does not change it until they are cut off. None where felt has too little colour.
    """
    soft = cv2.GaussianBlur(picture, (5, 5), 0).astype(np.float32)
    colour = soft - soft.mean(axis=2, keepdims=True)
    felt = _felt_colour(colour, round(margin_mm * px_per_mm))
    own = float(np.linalg.norm(felt))
    if float(felt.max() - felt.min()) < _FELT_COLOUR:
        return None
    along = colour @ (felt / own)
    beside = np.linalg.norm(colour - along[:, :, None] * (felt / own), axis=2)
    return np.asarray((along - beside) / own, np.float32)


def _one_piece(whiteness: Picture, white: float, mask: Picture, px_per_mm: float) -> Paper | None:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [contour for contour in contours if cv2.contourArea(contour) > _LEAST_AREA_MM2 * px_per_mm**2]
    if len(large) > 1:  # ink that reaches from one border of a card to the other parts its paper
        column = np.ones((round(_INK_ACROSS_MM * px_per_mm), 1), np.uint8)
        contours, _ = cv2.findContours(
            cv2.morphologyEx(mask, cv2.MORPH_CLOSE, column), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        large = [contour for contour in contours if cv2.contourArea(contour) > _LEAST_AREA_MM2 * px_per_mm**2]
    if len(large) != 1:
        return None
    filled = np.zeros_like(whiteness)
    cv2.drawContours(filled, large, 0, (255,), -1)
    occupied = filled.any(axis=0)
    columns = np.flatnonzero(occupied)
    top = np.where(occupied, filled.argmax(axis=0), 0).astype(np.float64)
    bottom = np.where(occupied, filled.shape[0] - filled[::-1].argmax(axis=0), 0).astype(np.float64)
    return Paper(whiteness, white, top, bottom, float(columns[0]), float(columns[-1] + 1))


def lightest(whiteness: Picture) -> float:
    """The level of the lightest hundredth of a picture."""
    sample = whiteness[::2, ::2].ravel()
    hundredth = max(1, sample.size // 100)
    return float(np.partition(sample, -hundredth)[-hundredth])


def _felt_colour(picture: npt.NDArray[np.generic], margin_px: int) -> npt.NDArray[np.float32]:
    """Median colour of the table above and below the place, BGR."""
    ring = np.concatenate([picture[:margin_px:2, ::2].reshape(-1, 3), picture[-margin_px::2, ::2].reshape(-1, 3)])
    return np.asarray(np.median(ring, axis=0), np.float32)


def _bareness(picture: Picture, felt: npt.NDArray[np.float32], margin_px: int, darkness: float) -> float | None:
    """How sure it is that no card lies where no paper shows; None when something else than felt does."""
    inside = picture[margin_px:-margin_px, margin_px:-margin_px]
    coarse = cv2.resize(inside, (inside.shape[1] // 4, inside.shape[0] // 4), interpolation=cv2.INTER_AREA)
    slack = _BARE_SLACK * float(felt.max()) + _BARE_SLACK_LEVELS
    alike = float((np.abs(coarse.astype(np.float32) - felt).max(axis=2) < slack).mean())
    return min(1.0, darkness, (alike - _BARE_SHARE) / (1 - _BARE_SHARE) * 1.5) if alike > _BARE_SHARE else None
