"""Cards laid at a place: squared, staggered or spread, with the small misses of a human hand."""

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.places import Box, Place, density_at
from vision.scene import Pile, SceneCard
from vision.synthetic.cards import back_image, card_outline_mask, face_image
from vision.synthetic.sprites import Homography, Sprite, lay, make_sprite

Faces = Callable[[str, float], Picture]
"""The face of a card by its label, as many pixels a millimetre as asked for."""

_SPRITE_PX_PER_MM = 2.0
_FINER_SPRITES = ((1.0, 2.0), (1.75, 4.0), (math.inf, 6.0))
"""Up to so many pixels a millimetre of the picture, sprites of so many are laid in it."""
_MISS_MM = 0.7
_MISS_DEG = 0.9
_SHADOW = 0.52

STACK_EDGE_MM = 4.2
"""What shows of the edge of a stack of two: hands square a stack only so well."""
_STACK_EDGE_PER_CARD_MM = 0.3
_STACK_EDGE_MOST_MM = 9.0
_LAYER_MM = 0.8


def lay_pile(
    canvas: Picture,
    origin_px: tuple[int, int],
    pile: Pile,
    place: Place,
    card_mm: tuple[float, float],
    hand: npt.NDArray[np.float64],
    mm_to_px: Homography,
    faces: Faces = face_image,
) -> None:
    """Draw a pile into `canvas`, whose upper left pixel is `origin_px` of the picture. `hand` holds the misses."""
    seen = density_at(mm_to_px, place.box.centre_mm)
    fine = next(sprite for most, sprite in _FINER_SPRITES if seen <= most)
    if pile.arrangement == "squared":
        _lay_squared(canvas, origin_px, pile, place.box, hand, mm_to_px, faces, fine)
        return
    for card, local in zip(pile.cards, lies(pile, place, card_mm, hand), strict=True):
        lay(canvas, origin_px, card_sprite(card, faces, fine), mm_to_px @ local)


def lies(
    pile: Pile, place: Place, card_mm: tuple[float, float], hand: npt.NDArray[np.float64]
) -> tuple[Homography, ...]:
    """Where each card lies whose side shows, first to last: from millimetres about its middle to those of the table."""
    if pile.arrangement == "squared":
        return (_uppermost(pile, place.box, hand),) if pile.cards else ()
    step = pitch_mm(pile, place, card_mm[0])
    first = -step * (len(pile.cards) - 1) / 2
    homographies = []
    for number in range(len(pile.cards)):
        x, y, turn = hand[number % len(hand)]
        shift = (first + step * number + x * min(_MISS_MM, step * 0.08), y * _MISS_MM)
        homographies.append(place.box.to_table(shift, turn * min(_MISS_DEG, step * 0.08)))
    return tuple(homographies)


def pitch_mm(pile: Pile, place: Place, card_width_mm: float) -> float:
    """How far apart the left edges of neighbouring cards lie; hands close up where the place is too narrow."""
    wanted = place.spread_pitch_mm if pile.arrangement == "spread" else place.stagger_pitch_mm
    gaps = len(pile.cards) - 1
    return wanted if gaps < 1 else min(wanted, (place.box.size_mm[0] - card_width_mm - 3) / gaps)


def edges_alike(count: int) -> int:
    """The lowest squared stack that looks from the side like one of `count` cards."""
    highest = 2 + math.ceil((_STACK_EDGE_MOST_MM - STACK_EDGE_MM) / _STACK_EDGE_PER_CARD_MM)
    return min(count, highest)


def _lay_squared(
    canvas: Picture,
    origin_px: tuple[int, int],
    pile: Pile,
    box: Box,
    hand: npt.NDArray[np.float64],
    mm_to_px: Homography,
    faces: Faces,
    px_per_mm: float,
) -> None:
    x, y, turn = hand[0]
    turn_deg = turn * _MISS_DEG
    count = len(pile.cards)
    if count > 1:
        edge = _edge_mm(count)
        layers = max(3, math.ceil(edge / _LAYER_MM))
        for number in range(layers):
            sunk = edge * (1 - number / layers)
            local = box.to_table((x * _MISS_MM + 0.25 * sunk, y * _MISS_MM + sunk - edge / 2), turn_deg)
            lay(canvas, origin_px, _layer_sprite(number % 2 == 0, px_per_mm), mm_to_px @ local)
    lay(canvas, origin_px, card_sprite(pile.cards[-1], faces, px_per_mm), mm_to_px @ _uppermost(pile, box, hand))


def _edge_mm(count: int) -> float:
    """How much of the edge of a squared stack shows under its top card."""
    return min(STACK_EDGE_MM + _STACK_EDGE_PER_CARD_MM * (count - 2), _STACK_EDGE_MOST_MM) if count > 1 else 0.0


def _uppermost(pile: Pile, box: Box, hand: npt.NDArray[np.float64]) -> Homography:
    """Where the top card of a squared stack lies."""
    x, y, turn = hand[0]
    return box.to_table((x * _MISS_MM, y * _MISS_MM - _edge_mm(len(pile.cards)) / 2), turn * _MISS_DEG)


@lru_cache(maxsize=64)
def _sprite_of(label: str, back: str, faces: Faces = face_image, px_per_mm: float = _SPRITE_PX_PER_MM) -> Sprite:
    art = back_image(back, px_per_mm) if back else faces(label, px_per_mm)
    mask = card_outline_mask(px_per_mm)
    return make_sprite(art, mask, px_per_mm, shadow=_SHADOW, shadow_mm=(-0.6, 0.8), soft_mm=0.9, sharpen_to=0.7)


def card_sprite(card: SceneCard, faces: Faces = face_image, px_per_mm: float = _SPRITE_PX_PER_MM) -> Sprite:
    """The side of a card that shows."""
    if card.face_up:
        return _sprite_of(card.label, "", faces=faces, px_per_mm=px_per_mm)
    return _sprite_of("", card.back, px_per_mm=px_per_mm)


@lru_cache(maxsize=2)
def _layer_sprite(dark: bool, px_per_mm: float) -> Sprite:
    """One visible layer of a stack's edge: paper, alternately in light and in shade."""
    mask = card_outline_mask(px_per_mm)
    grey = 178 if dark else 212
    art = np.full((*mask.shape, 3), grey, np.uint8)
    art = np.asarray(cv2.GaussianBlur(art, (3, 3), 0.5), np.uint8)
    return make_sprite(art, mask, px_per_mm, shadow=0.3, shadow_mm=(0.0, 0.4), soft_mm=0.6, sharpen_to=0.5)
