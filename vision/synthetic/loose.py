"""Pictures of cards that lie loose on felt, at any place and angle: faces, backs, and plain plastic cut cards."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.pictures import Picture, u8
from vision.synthetic.cards import CARD_MM, back_image, card_outline_mask, face_image
from vision.synthetic.sprites import Homography, lay, make_sprite
from vision.synthetic.strokes import Colour

PLASTIC: dict[str, Colour] = {
    "yellow": (40, 214, 240),
    "red": (40, 36, 205),
    "green": (70, 160, 50),
    "blue": (190, 90, 30),
    "orange": (30, 120, 240),
}
"""The usual colours of cut cards, BGR."""
COLOURLESS: dict[str, Colour] = {"white": (248, 250, 250), "grey": (170, 172, 172), "black": (24, 24, 24)}
_FELT: Colour = (62, 96, 26)
_SPRITE_PX_PER_MM = 6.0


@dataclass(frozen=True, slots=True)
class LooseCard:
    """One card about a point in pixels. `what` is a label, `red` or `blue` for a back, or a colour and ` plastic`."""

    what: str
    x_px: float
    y_px: float
    turn_deg: float = 0.0
    px_per_mm: float = 3.2


def loose_picture(
    cards: Sequence[LooseCard], size: tuple[int, int] = (1280, 900), seed: int = 0, felt: Colour = _FELT
) -> Picture:
    """Cards on felt, each upon those before, as a camera with a little blur and noise sees them. BGR."""
    canvas = np.empty((size[1], size[0], 3), np.uint8)
    canvas[:] = felt
    rng = np.random.default_rng(seed)
    canvas = u8(cv2.add(canvas, rng.integers(0, 10, canvas.shape, np.uint8)))
    for card in cards:
        turn = np.deg2rad(card.turn_deg)
        cos, sin = np.cos(turn) * card.px_per_mm, np.sin(turn) * card.px_per_mm
        lay_art(canvas, art_of(card.what), np.array([[cos, -sin, card.x_px], [sin, cos, card.y_px], [0.0, 0.0, 1.0]]))
    soft = np.asarray(cv2.GaussianBlur(canvas.astype(np.float32), (0, 0), 0.8), np.float32)
    soft += rng.standard_normal(soft.shape, np.float32) * 4
    return u8(np.clip(np.round(soft), 0, 255).astype(np.uint8))


def lay_art(canvas: Picture, art: Picture, mm_to_px: Homography) -> None:
    """Draw one card, whose middle is the origin in millimetres, into a picture."""
    mask = card_outline_mask(_SPRITE_PX_PER_MM)
    lay(canvas, (0, 0), make_sprite(art, mask, _SPRITE_PX_PER_MM, sharpen_to=0.7), mm_to_px)


def art_of(what: str) -> Picture:
    """The side of a card that shows, as `LooseCard` names it."""
    colour, plain, _ = what.partition(" plastic")
    if plain:
        art = np.empty((round(CARD_MM[1] * _SPRITE_PX_PER_MM), round(CARD_MM[0] * _SPRITE_PX_PER_MM), 3), np.uint8)
        art[:] = (PLASTIC | COLOURLESS)[colour]
        return art
    return (back_image if what in ("red", "blue") else face_image)(what, _SPRITE_PX_PER_MM)
