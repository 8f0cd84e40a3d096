"""Pictures of cards of drawn decks lying about, with what is to be read in them: for training and for measuring."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, decode_picture, project, u8
from vision.synthetic.cards import CARD_MM, card_outline_mask
from vision.synthetic.decks.design import DeckDesign
from vision.synthetic.decks.faces import design_back, design_face
from vision.synthetic.decks.glyphs import design_rank, rank_text
from vision.synthetic.decks.grounds import draw_thing, random_ground, smooth_noise

Rng = np.random.Generator
Canvas = npt.NDArray[np.float32]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
_DENSITY = 3.4
"""Pixels a millimetre at which faces are drawn before they are laid down."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexTruth:
    """One index: its middle, the unit vector from suit to rank, its height in pixels, and the share that shows."""

    x: float
    y: float
    up: tuple[float, float]
    height_px: float
    letters: str
    suit: str
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class CardTruth:
    """One card: `label` is None for a back. `corners` is `(4, 2)`, clockwise from the upper left of the card."""

    label: str | None
    corners: Points
    indices: tuple[IndexTruth, ...]
    design: int


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Where one card is to lie: `to_px` takes millimetres of the card to pixels of the picture."""

    design: DeckDesign
    label: str | None
    to_px: npt.NDArray[np.float64]


def lay_cards(rng: Rng, ground: Picture, cards: Sequence[Laid], clutter: int = 0) -> tuple[Picture, list[CardTruth]]:
    """Draw cards one upon the other and then `clutter` things; what shows of each index is worked out at the end."""
    canvas = ground.astype(np.float32)
    cover = np.zeros(ground.shape[:2], np.int32)
    for number, card in enumerate(cards, 1):
        _lay(rng, canvas, cover, card, number)
    for _ in range(clutter):
        draw_thing(rng, canvas, cover)
    truths = [_truth(card, number, cover) for number, card in enumerate(cards, 1)]
    return u8(np.clip(canvas, 0, 255).astype(np.uint8)), truths


def placed(
    rng: Rng, anchor_mm: tuple[float, float], at_px: tuple[float, float], px_per_mm: float, angle: float, tilt: float
) -> npt.NDArray[np.float64]:
    """Millimetres of a card to pixels: `anchor_mm` comes to lie at `at_px`; `tilt` is how strong the perspective is."""
    c, s = np.cos(angle) * px_per_mm, np.sin(angle) * px_per_mm
    flat = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    lean = np.eye(3)
    lean[2, :2] = rng.normal(0, tilt / (200 * px_per_mm), 2)
    squash = np.eye(3)
    squash[:2, :2] += rng.normal(0, tilt * 0.08, (2, 2))
    move = squash @ lean @ flat
    moved = project(move, [anchor_mm])[0]
    shift = np.eye(3)
    shift[:2, 2] = np.asarray(at_px) - moved
    return np.asarray(shift @ move, np.float64)


def photographed(rng: Rng, picture: Picture, rough: float = 1.0) -> Picture:
    """As a camera would take it: uneven light, glare, blur, a coarse sensor, noise, JPEG. `rough` 0 to 1."""
    height, width = picture.shape[:2]
    light = 1 + smooth_noise(rng, width, height, 2)[:, :, None] * float(rng.uniform(0, 0.25)) * rough
    if rng.random() < 0.2 * rough:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        yy, xx = np.mgrid[0:height, 0:width]
        spot = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * (rng.uniform(0.08, 0.4) * width) ** 2))
        light = light + spot[:, :, None] * float(rng.uniform(0.1, 0.8))
    if rng.random() < 0.15 * rough:
        yy, xx = np.mgrid[0:height, 0:width]
        turn = float(rng.uniform(0, 2 * np.pi))
        side = (xx - rng.uniform(0, width)) * np.cos(turn) + (yy - rng.uniform(0, height)) * np.sin(turn)
        lit = cv2.GaussianBlur((side > 0).astype(np.float32), (0, 0), 3)
        light = light * np.where(lit > 0.5, float(rng.uniform(0.45, 0.8)), 1.0)[:, :, None]
    tone = rng.normal(1, 0.07 * rough, 3) * rng.uniform(1 - 0.45 * rough, 1.05)
    canvas = np.asarray(picture * light * tone, np.float32)
    coarse = float(rng.uniform(1.0, 1 + 1.6 * rough))
    if rng.random() < 0.7 and coarse > 1.05:
        small = np.asarray(cv2.resize(canvas, None, fx=1 / coarse, fy=1 / coarse, interpolation=cv2.INTER_AREA))
        kind = int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
        canvas = _sensor(rng, small.astype(np.float32), rough)
        canvas = np.asarray(cv2.resize(canvas, (width, height), interpolation=kind), np.float32)
    else:
        canvas = _sensor(rng, canvas, rough)
    out = np.clip(canvas, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(round(95 - 55 * rough), 97))])
        return decode_picture(data.tobytes(), "drawn picture")
    return u8(out)


def _sensor(rng: Rng, canvas: Canvas, rough: float) -> Canvas:
    sigma = float(rng.uniform(0, 1.1 * rough))
    if sigma > 0.25:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), sigma), np.float32)
    if rng.random() < 0.12 * rough:
        reach = int(rng.integers(3, 6))
        kernel = np.zeros((reach, reach), np.float32)
        cv2.line(kernel, (0, int(rng.integers(reach))), (reach - 1, int(rng.integers(reach))), 1.0)
        canvas = np.asarray(cv2.filter2D(canvas, -1, kernel / kernel.sum()), np.float32)
    return canvas + rng.standard_normal(canvas.shape, np.float32) * float(rng.uniform(0, 9 * rough))


def _lay(rng: Rng, canvas: Canvas, cover: npt.NDArray[np.int32], card: Laid, number: int) -> None:
    face = design_back(card.design, _DENSITY) if card.label is None else design_face(card.design, card.label, _DENSITY)
    outline = card_outline_mask(_DENSITY)
    scale = float(np.sqrt(abs(np.linalg.det(card.to_px[:2, :2] / card.to_px[2, 2])))) / _DENSITY
    if scale < 0.75:
        sigma = 0.45 * (1 / scale - 0.6)
        face, outline = u8(cv2.GaussianBlur(face, (0, 0), sigma)), u8(cv2.GaussianBlur(outline, (0, 0), sigma))
    move = card.to_px @ np.diag([1 / _DENSITY, 1 / _DENSITY, 1.0])
    size = (canvas.shape[1], canvas.shape[0])
    mask = cv2.warpPerspective(outline, move, size).astype(np.float32) / 255
    laid = cv2.warpPerspective(face, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    reach = max(1.0, 2.2 * scale * _DENSITY / 3)
    fall = rng.uniform(-reach, reach, 2)
    shadow = cv2.warpAffine(mask, np.array([[1, 0, fall[0]], [0, 1, fall[1]]], np.float32), size)
    canvas *= 1 - cv2.GaussianBlur(shadow, (0, 0), reach)[:, :, None] * float(rng.uniform(0.1, 0.55))
    canvas += (laid.astype(np.float32) - canvas) * mask[:, :, None]
    cover[mask > 0.5] = number


def _truth(card: Laid, number: int, cover: npt.NDArray[np.int32]) -> CardTruth:
    corners = project(card.to_px, [(0, 0), (63, 0), (63, 88), (0, 88)])
    if card.label is None:
        return CardTruth(None, corners, (), card.design.seed)
    rank, suit = card.label[0], card.label[1]
    design = card.design
    mask = design_rank(design, rank)
    half_wide = max(design.suit_mm, design.rank_mm * mask.shape[1] / mask.shape[0]) / 2
    height_mm, middle = design.index_mm
    width, tall = CARD_MM
    spots = [(design.index_x_mm, middle, 1), (width - design.index_x_mm, tall - middle, -1)]
    if design.four_indices:
        spots += [(width - design.index_x_mm, middle, 1), (design.index_x_mm, tall - middle, -1)]
    letters = rank_text(rank, design.language)
    indices = []
    for x, y, sign in spots:
        across, along = np.meshgrid(
            np.linspace(-half_wide, half_wide, 5), np.linspace(-height_mm / 2, height_mm / 2, 9)
        )
        points = project(card.to_px, np.column_stack([x + across.ravel(), y + along.ravel()]))
        top, low, mid = project(card.to_px, [(x, y - sign * height_mm / 2), (x, y + sign * height_mm / 2), (x, y)])
        long = float(np.hypot(*(top - low)))
        up = (top - low) / max(long, 1e-6)
        indices.append(
            IndexTruth(
                float(mid[0]),
                float(mid[1]),
                (float(up[0]), float(up[1])),
                long,
                letters,
                suit,
                _shown(points, cover, number),
            )
        )
    return CardTruth(card.label, corners, tuple(indices), design.seed)


def _shown(points: Points, cover: npt.NDArray[np.int32], number: int) -> float:
    xs, ys = np.round(points).astype(int).T
    inside = (xs >= 0) & (ys >= 0) & (xs < cover.shape[1]) & (ys < cover.shape[0])
    return float((cover[ys[inside], xs[inside]] == number).sum() / len(points))


def random_crop(
    rng: Rng, designs: Sequence[DeckDesign], side: int, index_px: tuple[float, float]
) -> tuple[Picture, list[CardTruth]]:
    """A square picture with one to seven cards lying at random, in a fan or in a row, some face down."""
    design = designs[int(rng.integers(len(designs)))]
    height_mm, middle = design.index_mm
    px_per_mm = float(np.exp(rng.uniform(*np.log(index_px)))) / height_mm
    angle, tilt = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0, 1))
    at = rng.uniform(0.15, 0.85, 2) * side
    anchor = (design.index_x_mm, middle) if rng.random() < 0.7 else (31.5, 44.0)
    kind, count = rng.random(), int(rng.integers(1, 7))
    cards = []
    for k in range(count):
        mixed = kind > 0.7 and rng.random() < 0.3
        own = designs[int(rng.integers(len(designs)))] if mixed else design
        label = None if rng.random() < 0.12 else RANKS[int(rng.integers(13))] + SUITS[int(rng.integers(4))]
        if kind < 0.3:  # a fan about a point below the cards
            turn, spot = angle + k * float(rng.uniform(0.12, 0.3)), (float(rng.uniform(20, 42)), 120.0)
            to_px = placed(
                rng,
                spot,
                (float(at[0] - 85 * px_per_mm * np.sin(angle)), float(at[1] + 85 * px_per_mm * np.cos(angle))),
                px_per_mm,
                turn,
                tilt * 0.3,
            )
        elif kind < 0.5:  # a row
            step = k * float(rng.uniform(0.9, 1.1)) * px_per_mm * 15
            to_px = placed(
                rng,
                anchor,
                (float(at[0] + step * np.cos(angle)), float(at[1] + step * np.sin(angle))),
                px_per_mm,
                angle + float(rng.normal(0, 0.03)),
                tilt * 0.3,
            )
        else:
            spot_px = at if k == 0 else rng.uniform(-0.1, 1.1, 2) * side
            to_px = placed(
                rng,
                anchor,
                (float(spot_px[0]), float(spot_px[1])),
                px_per_mm * float(rng.uniform(0.9, 1.1)),
                float(rng.uniform(0, 2 * np.pi)),
                tilt,
            )
        cards.append(Laid(own, label, to_px))
    if rng.random() < 0.04:
        cards = []
    clutter = int(rng.integers(1, 4)) if rng.random() < 0.35 else 0
    return lay_cards(rng, random_ground(rng, (side, side)), cards, clutter)
