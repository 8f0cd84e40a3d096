"""Photographs of real cards, read as those of a deck that nobody enrolled, and with the deck of the single ones.

A folder of them holds `labels.csv` with columns file, cards, kind and notes. `kind` is `single` (one card, its label in
`cards`) or `table` (labels whose suit may be `?`, in the order of the boxes `left,top,right,bottom` in `notes`).
"""

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy.designs import counted_apart
from benchmarks.accuracy.parts import Counts, Pairs, Part, as_list, reader_version
from evidence.errors import UsageError
from vision.believing import believable
from vision.deck_from_faces import enrol
from vision.indices.reader import shipped_reader
from vision.layout import standard_layout
from vision.loose_deck import read_loose
from vision.pictures import Picture, u8
from vision.readings import CardReading
from vision.single_card import straight_card
from vision.sources import load_picture

Box = tuple[float, ...]
Row = dict[str, str]
PHOTOGRAPHS = "photographs"
_EVERYWHERE = (0.0, 0.0, 1e9, 1e9)
_ROUNDS = 6
_SIZE_PX = 900


def labelled(folder: Path) -> list[Row]:
    """The rows of a folder's `labels.csv`. Raises `UsageError`."""
    file = folder / "labels.csv"
    try:
        with file.open(newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(
            f"{file}: cannot be read ({error}); expected the columns file, cards, kind and notes"
        ) from None
    for number, row in enumerate(rows, 2):
        cards, notes = (row.get("cards") or "").split(), row.get("notes") or ""
        if row.get("kind") not in ("single", "table") or not row.get("file"):
            raise UsageError(f"{file}, line {number}: expected a file, and single or table as its kind")
        if any(len(card) != 2 for card in cards) or (row["kind"] == "single" and len(cards) != 1):
            raise UsageError(f"{file}, line {number}: cards {row.get('cards')!r}; expected labels such as Ah, or A?")
        if row["kind"] == "table" and len(boxes_of(notes)) != len(cards):
            raise UsageError(f"{file}, line {number}: expected in notes a box left,top,right,bottom for each card")
    return rows


def boxes_of(notes: str) -> list[Box]:
    """The boxes that notes tell, none where they tell something else."""
    try:
        boxes = [tuple(float(v) for v in word.split(",")) for word in notes.removeprefix("boxes ").split()]
    except ValueError:
        return []
    return boxes if all(len(box) == 4 for box in boxes) else []


def unknown_photographs(folder: Path, rows: Sequence[Row], kind: str) -> Part:
    """All pictures of one kind, read without a deck."""
    pairs: Pairs = Counter()
    counts, errors, reader = Counts(), [], shipped_reader()
    own = [row for row in rows if row["kind"] == kind]
    for row in own:
        picture, labels = load_picture(folder / row["file"]), row["cards"].split()
        found = reader.read(picture)
        boxes = [_EVERYWHERE] if kind == "single" else boxes_of(row["notes"])
        homes, strays = assigned(found, boxes, labels)
        here = [pair_of(cards, label) for cards, label in zip(homes, labels, strict=True)]
        here += [("-", card.label) for card in strays if card.label is not None]
        pairs.update(here)
        errors += [f"{row['file']}: {true} read {label}" for true, label in here if label not in (None, true)]
        told = [card for card in believable(picture, found) if card.cut_card is None]
        counts += counted_apart(*assigned(told, boxes, labels))
    what = "single cards" if kind == "single" else "tables"
    return Part(PHOTOGRAPHS, "unknown deck", what, len(own), as_list(pairs), counts, errors, version=reader_version())


def assigned(
    cards: Sequence[CardReading], boxes: Sequence[Box], labels: Sequence[str]
) -> tuple[list[list[CardReading]], list[CardReading]]:
    """The readings of each box, and those that lie in none.

    Boxes of cards that lie upon each other overlap: one in several boxes goes to one whose label it has, if there is
    such a box, and else to the nearest.
    """
    own: list[list[CardReading]] = [[] for _ in boxes]
    stray = []
    for card in cards:
        x, y = card.corners.mean(axis=0)
        homes = [n for n, (left, top, right, bottom) in enumerate(boxes) if left <= x <= right and top <= y <= bottom]
        if not homes:
            stray.append(card)
            continue
        middle = [np.hypot(x - (b[0] + b[2]) / 2, y - (b[1] + b[3]) / 2) for b in boxes]
        corner = [min(np.hypot(x - u, y - v) for u in (b[0], b[2]) for v in (b[1], b[3])) for b in boxes]
        homes = [n for n in homes if card.label is not None and fits(card.label, labels[n])] or homes
        own[min(homes, key=(corner if card.index_only else middle).__getitem__)].append(card)
    return own, stray


def fits(name: str, label: str) -> bool:
    return name[0] == label[0] and label[1] in ("?", name[1])


def pair_of(cards: Sequence[CardReading], label: str) -> tuple[str, str | None]:
    """A labelled card and what was read of it; a suit that the label leaves open is what was read, if it was read as
    one suit alone."""
    named = [card.label for card in cards if card.label is not None]
    if not named:
        return label, None
    wrong = [name for name in named if not fits(name, label)] or named[1:]
    return (label, wrong[0]) if wrong or len(set(named)) > 1 else (named[0], named[0])


def enrolled_photographs(folder: Path, rows: Sequence[Row]) -> list[Part]:
    """The single cards enrolled as a deck, and read with it: as they are, and turned, shrunk and spoilt."""
    card_mm = standard_layout().card_mm
    photos = {row["cards"]: load_picture(folder / row["file"]) for row in rows if row["kind"] == "single"}
    faces = {label: face for label, photo in photos.items() if (face := straight_card(photo, card_mm)) is not None}
    if not faces:
        return []
    deck, rng = enrol(faces, {}), np.random.default_rng(1)
    parts = []
    for condition, rounds in (("as they are", 1), (f"spoilt {_ROUNDS} times", _ROUNDS)):
        pairs: Pairs = Counter()
        for label, photo in photos.items():
            for _ in range(rounds):
                cards = read_loose(photo if rounds == 1 else spoilt(photo, rng), deck)
                pairs[pair_of(cards, label)] += 1
        errors = [f"{true} read {label}" for true, label in pairs if label not in (None, true)]
        amount, version = rounds * len(photos), reader_version()
        parts.append(
            Part(PHOTOGRAPHS, "enrolled", condition, amount, as_list(pairs), Counts(), errors, version=version)
        )
    return parts


def spoilt(picture: Picture, rng: np.random.Generator) -> Picture:
    """A photograph turned, shrunk, darker or lighter, blurred and with noise."""
    height, width = picture.shape[:2]
    scale = float(rng.uniform(0.35, 0.6)) * _SIZE_PX / max(height, width)
    move = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), scale)
    move[:, 2] += (_SIZE_PX / 2 - width / 2, _SIZE_PX / 2 - height / 2)
    edge = tuple(float(v) for v in np.median(picture[[0, -1]].reshape(-1, 3), axis=0))
    turned = cv2.warpAffine(picture, move, (_SIZE_PX, _SIZE_PX), borderValue=edge)
    soft = cv2.GaussianBlur(turned, (0, 0), float(rng.uniform(0.5, 1.2)))
    noise = rng.standard_normal(soft.shape, np.float32) * float(rng.uniform(2, 8))
    return u8(np.clip(soft * float(rng.uniform(0.55, 1.05)) + noise, 0, 255).astype(np.uint8))
