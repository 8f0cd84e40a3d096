"""Enrolling a deck from straight, cropped pictures of its faces and backs."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from evidence.errors import UsageError
from vision.corners import corners_of
from vision.deck import (
    BACK_STRIP_MM,
    PX_PER_MM,
    EnrolledDeck,
    as_camera_sees,
    back_colour,
    index_corner,
    middle_window,
    paper_level,
    windows,
)
from vision.pictures import Picture
from vision.printed import printed
from vision.scene import BACKS, LABELS
from vision.synthetic.cards import CARD_MM, back_image, face_image


def enrol(
    images: Mapping[str, Picture],
    backs: Mapping[str, Picture],
    card_mm: tuple[float, float] = (float(CARD_MM[0]), float(CARD_MM[1])),
) -> EnrolledDeck:
    """Enrol a deck from straight, cropped pictures of its cards, upright, by label, and of its backs by name.

    Raises `UsageError` for an unknown label, and for a picture too small or of the wrong shape for a card.
    """
    if not images:
        raise UsageError("deck: no pictures of faces; expected one for each card")
    if len(backs) > 16 or any(not 0 < len(name) <= 32 for name in backs):
        raise UsageError("deck: expected at most 16 backs, named with 1 to 32 characters")
    for label in images:
        if label not in LABELS:
            raise UsageError(f"deck: card label: expected rank and suit such as Th, or Jk; got {label!r}")
    cards = {label: as_camera_sees(image, card_mm, f"deck: {label}") for label, image in images.items()}
    whites = {label: paper_level(card) for label, card in cards.items()}
    vectors = [windows(index_corner(card), whites[label])[middle_window()] for label, card in cards.items()]
    rears = {name: as_camera_sees(image, card_mm, f"deck: back {name}") for name, image in backs.items()}
    colours = []
    for name, card in rears.items():
        whites[f"back {name}"] = white = paper_level(card)
        left, top, right, bottom = (round(v * PX_PER_MM) for v in BACK_STRIP_MM)
        colours.append(back_colour(card[top:bottom, left:right], white))
    return EnrolledDeck(
        tuple(images),
        np.array(vectors, np.float32),
        tuple(backs),
        np.array(colours, np.float32).reshape(-1, 3),
        card_mm,
        printed(cards, {f"back {name}": card for name, card in rears.items()}, whites),
        corners_of(images, card_mm),
    )


@lru_cache(maxsize=1)
def enrol_rendered() -> EnrolledDeck:
    """The deck that the renderer draws, enrolled from its drawings."""
    faces = {label: face_image(label, 4.0) for label in LABELS}
    return enrol(faces, {name: back_image(name, 4.0) for name in BACKS})
