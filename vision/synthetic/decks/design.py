"""What one drawn deck looks like: lettering, suit symbols, inks, where the index stands, and what fills the middle."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.synthetic.strokes import Colour

Rng = np.random.Generator

INDEX_LETTERS: dict[str, dict[str, str]] = {
    "en": {},
    "fr": {"J": "V", "Q": "D", "K": "R", "A": "1"},
    "de": {"J": "B", "Q": "D", "K": "K"},
    "it": {"J": "F", "Q": "D", "K": "R"},
    "es": {"J": "S", "Q": "C", "K": "R"},
}
"""Letters of the index by language where they differ from English; a ten is printed 10."""

BUILT_IN_FONTS = ("sans", "italic")
"""Lettering that comes with OpenCV; `strokes` is the stroke alphabet of our own."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """A source of glyphs: a font of OpenCV's by name, a font file, or `strokes`. `squeeze` narrows what is drawn."""

    font: str
    weight: int
    squeeze: float


@dataclass(frozen=True, slots=True)
class DeckDesign:
    """One deck. Lengths are millimetres on a card of 63 x 88; colours are BGR."""

    seed: int
    lettering: Lettering
    rank_mm: float
    suit_mm: float
    gap_mm: float
    """Between the rank and the suit symbol under it."""
    index_x_mm: float
    """Middle of the index column, from the card's left edge."""
    index_top_mm: float
    inks: dict[str, Colour]
    suit_shapes: dict[str, tuple[float, float, float]]
    """How each suit's symbol is widened, raised and bent."""
    font_suits: bool
    pip_mm: float
    pip_columns_mm: float
    framed_courts: bool
    framed_faces: bool
    four_indices: bool
    paper: Colour
    big_ace: bool
    magnum: bool
    """The suit symbol beside the index is replaced by a large one in the middle."""
    language: str = "en"

    @property
    def index_mm(self) -> tuple[float, float]:
        """Height of the whole index, and how far its middle lies below the card's upper edge."""
        height = self.rank_mm + self.gap_mm + self.suit_mm
        return height, self.index_top_mm + height / 2


def deck_design(seed: int, fonts: Sequence[Path] = (), language: str = "en") -> DeckDesign:
    """The deck of a seed. `fonts` are further font files that its lettering may come from."""
    rng = np.random.default_rng((seed, 53))
    rank_mm = float(rng.uniform(6.2, 9.5) if rng.random() < 0.6 else rng.uniform(9.5, 14.5))
    lettering = _lettering(rng, fonts)
    suit_mm = rank_mm * float(rng.uniform(0.52, 1.0))
    four = rng.random() < 0.18
    width = rank_mm * 0.95 * lettering.squeeze
    return DeckDesign(
        seed=seed,
        lettering=lettering,
        rank_mm=rank_mm,
        suit_mm=suit_mm,
        gap_mm=float(rng.uniform(0.4, 1.8)),
        index_x_mm=float(max(width / 2 + 1.2, rng.uniform(4.0, 6.4)) + rng.uniform(0, 1.0)),
        index_top_mm=float(rng.uniform(2.6, 5.6)),
        inks=_inks(rng),
        suit_shapes={suit: _bent(rng) for suit in "cdhs"},
        font_suits=bool(rng.random() < 0.3),
        pip_mm=float(rng.uniform(9, 15)),
        pip_columns_mm=float(rng.uniform(8.5, 12)),
        framed_courts=bool(rng.random() < 0.8),
        framed_faces=bool(rng.random() < 0.12),
        four_indices=bool(four),
        paper=tuple(int(v) for v in 255 - rng.integers(0, 14, 3)),  # type: ignore[arg-type]
        big_ace=bool(rng.random() < 0.6),
        magnum=bool(rng.random() < 0.1),
        language=language,
    )


def _lettering(rng: Rng, fonts: Sequence[Path]) -> Lettering:
    squeeze = float(rng.uniform(0.55, 1.05))
    draw = rng.random()
    if fonts and draw < 0.85:
        return Lettering(str(fonts[int(rng.integers(len(fonts)))]), 400, squeeze)
    if draw < 0.95:
        return Lettering("strokes", int(rng.integers(90, 230)), float(rng.uniform(0.75, 1.2)))
    return Lettering(BUILT_IN_FONTS[int(rng.integers(2))], int(rng.integers(300, 900)), squeeze)


def _inks(rng: Rng) -> dict[str, Colour]:
    black: Colour = tuple(int(v) for v in rng.integers(5, 60, 3))  # type: ignore[assignment]
    red: Colour = (int(rng.integers(10, 75)), int(rng.integers(5, 70)), int(rng.integers(150, 235)))
    inks: dict[str, Colour] = {"c": black, "s": black, "d": red, "h": red}
    if rng.random() < 0.12:
        inks["d"] = (int(rng.integers(150, 225)), int(rng.integers(60, 120)), int(rng.integers(0, 60)))
        inks["c"] = (int(rng.integers(10, 70)), int(rng.integers(100, 160)), int(rng.integers(0, 60)))
    return inks


def _bent(rng: Rng) -> tuple[float, float, float]:
    return float(rng.uniform(0.8, 1.15)), float(rng.uniform(0.88, 1.1)), float(rng.uniform(0.8, 1.25))
