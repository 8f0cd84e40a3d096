"""Pictures of a stack of cards from the side: edges of paper, dark lines between them, uneven light, blur and noise."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, u8

_FINE = 6
"""Rows drawn for each row of the picture."""
Grey = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SideView:
    """How a stack is photographed. `card_px` is a card's thickness in the picture; the others are shares or pixels."""

    card_px: float = 9.0
    width_px: int = 640
    blur: float = 0.14
    """Of a card's thickness, as a standard deviation."""
    noise: float = 5.0
    tilt_deg: float = 0.5
    unevenness: float = 0.4
    """How much darker the darkest part of the stack is lit than the lightest."""
    near: bool = False
    """The stack fills the picture from side to side."""
    gap: float = 0.16
    """Width of the dark line between two cards, as a share of a card."""


def random_view(rng: np.random.Generator) -> SideView:
    """A view as a camera beside the table might have it."""
    return SideView(
        card_px=float(rng.uniform(6.5, 16)),
        width_px=int(rng.integers(420, 900)),
        blur=float(rng.uniform(0.05, 0.13)),
        noise=float(rng.uniform(1, 9)),
        tilt_deg=float(rng.uniform(-2, 2)),
        unevenness=float(rng.uniform(0.1, 0.55)),
        near=bool(rng.random() < 0.5),
        gap=float(rng.uniform(0.1, 0.22)),
    )


def side_picture(count: int, view: SideView, rng: np.random.Generator) -> Picture:
    """A stack of `count` cards, 0 or more, from the side, before a dark ground. BGR."""
    height = round(view.card_px * max(count, 1) + 60)
    canvas = np.full((height * _FINE, view.width_px), 34.0, np.float32)
    canvas += _waves(canvas.shape, rng, 90, 5.0)
    _draw_cards(canvas, count, view, rng)
    tilt = cv2.getRotationMatrix2D((view.width_px / 2, canvas.shape[0] / 2), 0, 1)
    tilt[1, 0] = np.tan(np.deg2rad(view.tilt_deg)) * _FINE
    tilt[1, 2] = -tilt[1, 0] * view.width_px / 2
    canvas = np.asarray(
        cv2.warpAffine(canvas, tilt, canvas.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )
    grey = np.asarray(cv2.resize(canvas, (view.width_px, height), interpolation=cv2.INTER_AREA), np.float32)
    grey *= 1 - view.unevenness * _ramp(grey.shape, rng)
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), max(0.3, view.blur * view.card_px)))
    colour = np.dstack([grey * 0.94, grey, grey * 0.99])
    colour += rng.standard_normal(colour.shape, np.float32) * view.noise
    return u8(np.clip(np.round(colour), 0, 255).astype(np.uint8))


def _draw_cards(canvas: Grey, count: int, view: SideView, rng: np.random.Generator) -> None:
    rows, width = canvas.shape
    thick = view.card_px * _FINE * np.clip(1 + rng.normal(0, 0.035, count), 0.85, 1.15)
    bottom = rows - 30 * _FINE
    inset = -10 if view.near else round(0.06 * width)
    sway = _waves((1, width), rng, 300, 0.12 * view.card_px * _FINE)[0]
    y = np.arange(rows, dtype=np.float32)[:, None]
    for number in range(count):
        top = bottom - float(thick[number])
        ragged = np.clip(rng.normal(0, 0.004 * width, 2), -9, 9)
        x0, x1 = int(max(0, inset + ragged[0])), int(min(width, width - inset + ragged[1]))
        paper = rng.uniform(186, 232) + _waves((1, x1 - x0), rng, 40, 5.0)[0]
        # A card bends a little, and so do all above it.
        start, end = top + sway[x0:x1], bottom + sway[x0:x1]
        band = slice(max(0, int(start.min()) - 2), min(rows, int(end.max()) + 3))
        cover = np.clip(np.minimum(y[band] - start, end - y[band]) + 0.5, 0, 1)
        # Paper is lightest along its middle; towards its faces it turns into the dark line.
        gap = view.gap * thick[number] * (0.7 + 0.6 * _share(x1 - x0, rng))
        edge = np.clip(np.minimum(y[band] - start, end - y[band]) / max(float(gap.mean()), 1e-3), 0, 1)
        depth = rng.uniform(0.45, 0.8) * (0.55 + 0.45 * _share(x1 - x0, rng))
        shade = paper * (1 - depth * (1 - edge))
        part = canvas[band, x0:x1]
        part += (shade - part) * cover
        bottom = top


def _share(width: int, rng: np.random.Generator) -> Grey:
    """Something that varies along a card, 0 to 1."""
    return np.asarray(np.clip(0.5 + _waves((1, width), rng, 60, 0.35)[0], 0, 1), np.float32)


def _waves(shape: tuple[int, ...], rng: np.random.Generator, length: int, size: float) -> Grey:
    """Soft random unevenness of about this wave length in pixels, and this standard deviation."""
    cells = tuple(max(2, extent // length + 2) for extent in shape)
    coarse = rng.standard_normal(cells, np.float32) * size
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _ramp(shape: tuple[int, ...], rng: np.random.Generator) -> Grey:
    """Light that falls off from one side, 0 to 1."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = (x / shape[1] - 0.5) * np.cos(angle) + (y / shape[0] - 0.5) * np.sin(angle)
    along = along - along.min()
    return np.asarray(along / max(float(along.max()), 1e-6), np.float32)
