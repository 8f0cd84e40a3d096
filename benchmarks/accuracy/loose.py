"""Cards of an enrolled deck that lie anywhere: apart, upon each other, seen from the side, under lamps.

Pictures of 1920 x 1080 show eight cards at 2.2 to 3.6 pixels a millimetre on random grounds. Where cards lie upon each
other every second one covers up to 30 % of the one before, or of another that lies near; a card both of whose indices
are covered in part or lie outside the picture is left out, unless it was read. One that was not read, and is seen
smaller than the deck says it must be, is too coarse.
"""

from collections import Counter

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.accuracy.conditions import glaring
from benchmarks.accuracy.designs import counted_apart, deck_of, readings_of
from benchmarks.accuracy.parts import Counts, Pairs, Part, as_list, reader_version
from vision.loose_deck import read_loose
from vision.pictures import Picture
from vision.scene import JOKER, LABELS
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.grounds import random_ground
from vision.synthetic.decks.scenes import CardTruth, Laid, lay_cards, photographed, placed

LOOSE = "enrolled, lying loose"
CONDITIONS = ("apart", "upon each other", "from the side", "glare", "all of them")
_PICTURE_PX = (1920, 1080)
_ACROSS, _DOWN = 4, 2
_PX_PER_MM, _SIDE_DEG = (2.2, 3.6), (20.0, 45.0)
_COVERED = 0.3
_WHOLE = 0.99
_ROUGH = 0.4
_ALL = CONDITIONS[-1]
Random = np.random.Generator


def loose(design: int, condition: str, scenes: int, first_seed: int) -> Part:
    """Pictures of eight cards of one design under one condition, read with the deck enrolled."""
    cv2.setNumThreads(1)
    deck, counts = deck_of(design), Counts()
    pairs: Pairs = Counter()
    errors: list[str] = []
    need = deck.need.px_per_mm if deck.need is not None else 0.0
    coarse = 0
    for number in range(scenes):
        rng = np.random.default_rng([first_seed, design, number, CONDITIONS.index(condition), 98])
        picture, truths = drawn(rng, design, condition)
        readings = [card for card in read_loose(picture, deck) if card.label is not None]
        own, stray = readings_of(truths, readings)
        seen = [(truth, cards) for truth, cards in zip(truths, own, strict=True) if cards or shows(truth)]
        for truth, cards in seen:
            wrong = [card.label for card in cards if card.label != truth.label]
            label = (wrong or [card.label for card in cards] or [None])[0]
            if label is None and density(truth) < need:
                coarse += 1
                continue
            pairs[str(truth.label), label] += 1
            errors += [f"picture {number}: {truth.label} read {label}" for label in wrong]
        pairs.update(("-", card.label) for card in stray)
        errors += [f"picture {number}: {card.label} where no card lies" for card in stray]
        counts += counted_apart([cards for _, cards in seen], stray)
    subject = f"design {design}"
    return Part(
        LOOSE, subject, condition, scenes, as_list(pairs), counts, errors, 0, coarse, [], need, reader_version()
    )


def drawn(rng: Random, design: int, condition: str) -> tuple[Picture, list[CardTruth]]:
    """Eight cards of a design as a camera takes them, and where they lie."""
    width, height = _PICTURE_PX
    per_mm, cards = float(rng.uniform(*_PX_PER_MM)), []
    at, angle = (0.0, 0.0), 0.0
    labels = rng.permutation([label for label in LABELS if label != JOKER])[: _ACROSS * _DOWN]
    for number, label in enumerate(labels):
        down, across = divmod(number, _ACROSS)
        if condition in (CONDITIONS[1], _ALL) and number % 2:
            angle += float(rng.uniform(-0.15, 0.15))
            step = float(rng.uniform(1 - _COVERED, 1.0)) * 63 * per_mm * float(rng.choice([-1, 1]))
            at = at[0] + np.cos(angle) * step, at[1] + np.sin(angle) * step
        else:
            angle = float(rng.uniform(0, 2 * np.pi))
            at = (across + 0.5) * width / _ACROSS, (down + 0.5) * height / _DOWN
        to_px = placed(rng, (31.5, 44.0), at, per_mm, angle, 0.15)
        if condition in (CONDITIONS[2], _ALL):
            to_px = _lowered(at[1], float(rng.uniform(*_SIDE_DEG))) @ to_px
        cards.append(Laid(deck_design(design), str(label), to_px))
    picture, truths = lay_cards(rng, random_ground(rng, (width, height)), cards)
    picture = photographed(rng, picture, _ROUGH)
    return glaring(picture, rng) if condition in (CONDITIONS[3], _ALL) else picture, truths


def _lowered(y: float, turn_deg: float) -> npt.NDArray[np.float64]:
    """What lies at a height of a picture, as seen by a camera so far from straight above."""
    share = float(np.cos(np.deg2rad(turn_deg)))
    return np.array([[1, 0, 0], [0, share, y * (1 - share)], [0, 0, 1]])


def shows(truth: CardTruth) -> bool:
    """Whether an index of a card shows as a whole."""
    return any(index.visible > _WHOLE for index in truth.indices)


def density(truth: CardTruth) -> float:
    """Pixels a millimetre of a card, where it is seen the smallest."""
    sides = np.linalg.norm(np.roll(truth.corners, -1, axis=0) - truth.corners, axis=1)
    return float((sides / (63, 88, 63, 88)).min())
