"""Cards that lie by themselves, in light that falls from one side and throws their shadow to the other."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.pictures import Picture, u8
from vision.scene import SceneCard
from vision.synthetic.cards import CARD_MM, back_image, card_outline_mask, face_image
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.faces import design_back
from vision.synthetic.sprites import Sprite, cast_shadow, cut_out, make_sprite, shadow_margin

_PX_PER_MM = 2.0
_SHARPEN_TO = 0.7
_RIM: tuple[int, int, int] = (118, 120, 120)
_RIM_MM = 0.3
_PAPER: tuple[int, int, int] = (248, 250, 250)
_OWN_BORDER_MM = 4.0


@dataclass(frozen=True, slots=True)
class Light:
    """The shadow of one card: its darkness as a share of the light, how far it falls, and how softly it ends."""

    shadow: float = 0.52
    cast_mm: tuple[float, float] = (-0.6, 0.8)
    soft_mm: float = 0.9


ONE_LAMP = Light()
"""The light of the emulated rig."""
NO_SHADOW = Light(0.0, (0.0, 0.0), 0.2)
"""Light from all sides: of a card's edge its thin dark rim alone shows."""


@dataclass(frozen=True, slots=True)
class Back:
    """The backs of another deck than our own: the seed of their design, and how wide their white border is."""

    design: int
    border_mm: float = 3.0


def random_light(rng: np.random.Generator) -> Light:
    """Light from the right, from above or from below, so that each card throws a shadow on the one to its left.

    In steps, as each light needs sprites of its own.
    """
    from_deg = float(rng.choice([-60.0, -30.0, 0.0, 30.0, 45.0, 53.0]))
    far = float(rng.choice([0.8, 1.0, 1.2]))
    cast = (-far * float(np.cos(np.deg2rad(from_deg))), far * float(np.sin(np.deg2rad(from_deg))))
    return Light(float(rng.choice([0.4, 0.52, 0.65])), cast, float(rng.choice([0.7, 0.9, 1.1])))


def overhead_light(rng: np.random.Generator) -> Light:
    """Light of lamps above the table, in which a card of 0.3 mm throws a shadow of at most 0.25 mm."""
    from_deg = float(rng.choice([-60.0, -30.0, 0.0, 30.0, 45.0, 53.0]))
    far = float(rng.choice([0.05, 0.1, 0.15, 0.2, 0.25]))
    cast = (-far * float(np.cos(np.deg2rad(from_deg))), far * float(np.sin(np.deg2rad(from_deg))))
    return Light(float(rng.choice([0.4, 0.52, 0.65])), cast, float(rng.choice([0.2, 0.35, 0.5])))


@lru_cache(maxsize=160)
def _sprite(label: str, back: str, design: Back | None, light: Light) -> Sprite:
    art, mask = _art(label, back, design), card_outline_mask(_PX_PER_MM)
    return make_sprite(art, mask, _PX_PER_MM, light.shadow, light.cast_mm, light.soft_mm, _SHARPEN_TO)


def _art(label: str, back: str, design: Back | None) -> Picture:
    if label:
        return face_image(label, _PX_PER_MM)
    return back_image(back, _PX_PER_MM) if design is None else _designed_back(design.design, design.border_mm)


def _designed_back(design: int, border_mm: float) -> Picture:
    """The back of another deck, its pattern within a border of this width, with the dark rim that a cut edge has."""
    fine = 12.0
    art = design_back(deck_design(design), fine)
    size = (art.shape[1], art.shape[0])
    own = round(_OWN_BORDER_MM * fine)
    art = u8(cv2.resize(art[own:-own, own:-own], size, interpolation=cv2.INTER_LINEAR))
    for wide_mm, ink in ((border_mm, _PAPER), (_RIM_MM, _RIM)):
        wide = round(wide_mm * fine)
        if wide:
            cv2.rectangle(art, (0, 0), (size[0] - 1, size[1] - 1), ink, 2 * wide)
    small = (round(CARD_MM[0] * _PX_PER_MM), round(CARD_MM[1] * _PX_PER_MM))
    return u8(cv2.resize(art, small, interpolation=cv2.INTER_AREA))


def card_in_light(card: SceneCard, light: Light, back: Back | None = None) -> Sprite:
    """The side of a card that shows."""
    return _sprite(card.label, "", None, light) if card.face_up else _sprite("", card.back, back, light)


def pair_in_light(card: SceneCard, light: Light, back: Back | None, by_mm: float) -> Sprite:
    """Two cards of which the upper one lies `by_mm` to the right of the other, exactly upon it at 0.

    The upper card's edge is twice as high above the table: its shadow there falls twice as far and ends twice as
    softly, but is no darker, as no light comes through the lower card anyway. Light that both cards are in the way of
    is lost once.
    """
    twice_mm, twice_soft = (2 * light.cast_mm[0], 2 * light.cast_mm[1]), 2 * light.soft_mm
    margin = shadow_margin(_PX_PER_MM, twice_mm, twice_soft) + round(by_mm * _PX_PER_MM)
    art = _art(card.label if card.face_up else "", card.back, back)
    lower_art = cv2.copyMakeBorder(art, margin, margin, margin, margin, cv2.BORDER_REPLICATE).astype(np.float32)
    mask = card_outline_mask(_PX_PER_MM).astype(np.float32) / 255
    framed = cv2.copyMakeBorder(mask, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(0,))
    lower = np.asarray(framed, np.float32)
    aside, size = np.array([[1, 0, by_mm * _PX_PER_MM], [0, 1, 0]], np.float32), (lower.shape[1], lower.shape[0])
    upper = np.asarray(cv2.warpAffine(lower, aside, size), np.float32)
    upper_art = cv2.warpAffine(lower_art, aside, size, borderMode=cv2.BORDER_REPLICATE)
    on_lower = cast_shadow(upper, _PX_PER_MM, light.shadow, light.cast_mm, light.soft_mm)
    cast = np.maximum(
        cast_shadow(lower, _PX_PER_MM, light.shadow, light.cast_mm, light.soft_mm),
        cast_shadow(upper, _PX_PER_MM, light.shadow, twice_mm, twice_soft),
    )
    above = upper[:, :, None]
    both = upper_art * above + lower_art * (1 - on_lower)[:, :, None] * (1 - above)
    return cut_out(np.asarray(both, np.float32), np.maximum(upper, lower), cast, _PX_PER_MM, _SHARPEN_TO)
