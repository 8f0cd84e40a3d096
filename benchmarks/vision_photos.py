"""Photographs of real cards: found, straightened, enrolled, and read again after being disturbed.

    python benchmarks/vision_photos.py --photos DIR [--rounds N]

DIR holds one photograph of each card, named by its label (`Ah.jpg`, `Tc.png`). Each photograph is enrolled and then
read again turned, shrunk, darker or lighter, blurred and with noise; a wrong name is a misread. The photographs are
also read with the drawn deck, which does not know them: it should abstain.
"""

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from vision.deck import TOO_ALIKE, EnrolledDeck, enrol, enrol_rendered
from vision.pictures import Picture, u8
from vision.scene import LABELS
from vision.single_card import read_single_card, straight_card
from vision.sources import load_picture


def disturbed(picture: Picture, rng: np.random.Generator) -> Picture:
    height, width = picture.shape[:2]
    size = 900
    scale = float(rng.uniform(0.35, 0.6)) * size / max(height, width)
    move = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), scale)
    move[:, 2] += (size / 2 - width / 2, size / 2 - height / 2)
    edge = tuple(float(v) for v in np.median(picture[[0, -1]].reshape(-1, 3), axis=0))
    small = cv2.GaussianBlur(
        cv2.warpAffine(picture, move, (size, size), borderValue=edge), (0, 0), rng.uniform(0.5, 1.2)
    )
    noise = rng.standard_normal(small.shape, np.float32) * float(rng.uniform(2, 8))
    return u8(np.clip(small * float(rng.uniform(0.55, 1.05)) + noise, 0, 255).astype(np.uint8))


def verdict(picture: Picture, label: str, deck: EnrolledDeck) -> str:
    card = read_single_card(picture, deck)
    if card is None:
        return "no outline"
    if card.label is None:
        return "abstained"
    return "right" if card.label == label else f"MISREAD {label} as {card.label}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5, help="disturbed readings of each card")
    options = parser.parse_args()
    paths = {path.stem: path for path in sorted(options.photos.glob("*.*")) if path.stem in LABELS}
    photos = {label: load_picture(path) for label, path in paths.items()}
    drawn = enrol_rendered()
    straight = {label: straight_card(photo, drawn.card_mm) for label, photo in photos.items()}
    faces = {label: face for label, face in straight.items() if face is not None}
    print(f"{len(photos)} photographs, an outline found in {len(faces)}")
    unknown = Counter(verdict(photo, label, drawn) for label, photo in photos.items())
    print(f"with a deck that does not know them: {dict(unknown)}")
    deck = enrol(faces, {})
    doubles = {label for a, b, _ in deck.confusable(TOO_ALIKE) for label in (a, b)}
    print(f"too alike for a camera above a whole table: {' '.join(sorted(doubles)) or 'none'}")
    print(f"what a camera must resolve of them: {deck.need}; never told apart: {deck.never_told_apart() or 'none'}")
    rng = np.random.default_rng(1)
    plain = Counter(verdict(photos[label], label, deck) for label in faces)
    print(f"enrolled, the same photographs: {dict(plain)}")
    again = Counter(
        verdict(disturbed(photos[label], rng), label, deck) for label in faces for _ in range(options.rounds)
    )
    print(f"enrolled, {options.rounds} times disturbed: {dict(again)}")


if __name__ == "__main__":
    main()
