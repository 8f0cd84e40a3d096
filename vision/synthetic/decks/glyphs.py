"""Ink masks of a deck's ranks and suit symbols: 0 to 1, cropped to what is inked."""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthetic.decks.design import INDEX_LETTERS, DeckDesign, Lettering
from vision.synthetic.strokes import ink, lettering
from vision.synthetic.suits import suit_shape

Mask = npt.NDArray[np.float32]

_DRAW_PX = 96
_SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def rank_text(rank: str, language: str) -> str:
    """What stands in the index for a rank such as `T` or `K`."""
    return INDEX_LETTERS[language].get(rank, "10" if rank == "T" else rank)


@lru_cache(maxsize=4096)
def rank_mask(source: Lettering, text: str) -> Mask:
    """The rank as this lettering draws it, about a hundred pixels high."""
    canvas = np.zeros((2 * _DRAW_PX, 5 * _DRAW_PX, 3), np.uint8)
    if source.font == "strokes":
        _, strokes = lettering(text, 0.2)
        weight = source.weight / 1000
        left, top = _DRAW_PX * (0.5 + weight), _DRAW_PX * 0.5
        ink(canvas, strokes, lambda p: np.asarray(p * _DRAW_PX + (left, top)), weight * _DRAW_PX, (255, 255, 255))
    else:
        face = _font(source.font)
        cv2.putText(
            canvas, text, (_DRAW_PX // 2, round(1.5 * _DRAW_PX)), (255, 255, 255), face, _DRAW_PX, source.weight
        )
    mask = _cropped(canvas[:, :, 0])
    width_px = max(4, round(mask.shape[1] * source.squeeze * (0.86 if len(text) > 1 else 1.0)))
    return np.asarray(cv2.resize(mask, (width_px, mask.shape[0]), interpolation=cv2.INTER_AREA), np.float32)


@lru_cache(maxsize=4096)
def suit_mask(suit: str, shape: tuple[float, float, float], from_font: bool) -> Mask:
    """The suit's symbol, widened, raised and bent as a deck has it."""
    wide, tall, bend = shape
    canvas = np.zeros((2 * _DRAW_PX, 2 * _DRAW_PX, 3), np.uint8)
    if from_font:
        cv2.putText(
            canvas, _SUIT_SIGNS[suit], (_DRAW_PX // 2, round(1.4 * _DRAW_PX)), (255, 255, 255), _font("sans"), 96, 400
        )
    else:
        for polygon in suit_shape(suit):
            x = np.sign(polygon[:, 0]) * (np.abs(polygon[:, 0]) * 2) ** bend / 2
            points = np.column_stack([x, polygon[:, 1]]) * _DRAW_PX + _DRAW_PX
            cv2.fillPoly(canvas, [np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)], (255,) * 3, cv2.LINE_AA, 4)
    mask = _cropped(canvas[:, :, 0])
    size = (max(4, round(mask.shape[1] * wide)), max(4, round(mask.shape[0] * tall)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.float32)


def design_rank(design: DeckDesign, rank: str) -> Mask:
    """The rank in a deck's own lettering."""
    return rank_mask(design.lettering, rank_text(rank, design.language))


def design_suit(design: DeckDesign, suit: str) -> Mask:
    """The suit's symbol in a deck's own shape."""
    return suit_mask(suit, design.suit_shapes[suit], design.font_suits)


@lru_cache(maxsize=64)
def _font(name: str) -> cv2.FontFace:
    return cv2.FontFace(name)


def _cropped(canvas: npt.NDArray[np.uint8]) -> Mask:
    ys, xs = np.nonzero(canvas > 40)
    if not ys.size:
        return np.zeros((4, 4), np.float32)
    cut = canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    return np.asarray(cut / np.float32(255), np.float32)
