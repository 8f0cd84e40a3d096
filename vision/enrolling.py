"""Enrolling a deck from picture files: one for each card, named by it, or sheets on which the cards lie in an order."""

import re
from collections.abc import Sequence
from pathlib import Path

from evidence.errors import UsageError
from vision.deck import EnrolledDeck
from vision.deck_from_faces import enrol
from vision.pictures import Picture
from vision.scene import JOKER, RANKS, SUITS
from vision.sheets import cards_apart
from vision.single_card import straight_card, straighten
from vision.sources import load_picture, stills

LETTERS: dict[str, dict[str, str]] = {
    "en": {},
    "fr": {"R": "K", "D": "Q", "V": "J", "1": "A"},
    "de": {"D": "Q", "B": "J"},
    "it": {"R": "K", "D": "Q", "C": "Q", "F": "J", "1": "A"},
    "es": {"R": "K", "C": "Q", "S": "J", "1": "A"},
}
"""What the indices of other languages are called here; file names may be written in them."""
STANDARD_ORDER = "A23456789TJQK/cdhs"
MOST_PICTURES = 200
_BACK = re.compile(r"back_([a-z0-9-]{1,32})")
_BACKS_APART = 0.08
"""Backs whose mean colours differ less than this, as shares of white, in every channel are taken for one another."""


def enrol_files(
    paths: Sequence[Path],
    card_mm: tuple[float, float] = (63.0, 88.0),
    order: str = STANDARD_ORDER,
    language: str = "en",
) -> EnrolledDeck:
    """Enrol picture files, or all of a folder. Names such as `Ah`, `10c`, `Jk` and `back_blue` tell what one shows.

    Every other picture is a sheet: its cards, row by row, follow each other in `order`, ranks and suits with a stroke
    between them, suit by suit, the joker last. Raises `UsageError` that says what is missing, doubled, or too alike.
    """
    files = [file for path in paths for file in (stills(path) if path.is_dir() else [path])]
    if not 1 <= len(files) <= MOST_PICTURES:
        raise UsageError(f"deck: expected 1 to {MOST_PICTURES} pictures, got {len(files)}")
    faces: dict[str, Picture] = {}
    backs: dict[str, Picture] = {}
    due = _labels_in(order)
    for path in files:
        picture, back, label = load_picture(path), _BACK.fullmatch(path.stem), label_of(path.stem, language)
        if back or label:
            card = straight_card(picture, card_mm)
            if card is None:
                raise UsageError(f"{path}: no outline of one card; photograph it again, alone on a darker ground")
            if back:
                backs[back[1]] = card
            else:
                _add(faces, label, card, path)
            continue
        cards = cards_apart(picture, card_mm)
        if not cards or len(cards) > len(due):
            raise UsageError(
                f"{path}: {len(cards)} cards are seen, {len(due)} are still due. A picture of one card is named by it, "
                f"such as Ah or back_blue; on a sheet all cards lie apart from each other on a darker ground"
            )
        for corners in cards:
            if due[0] in faces:
                raise UsageError(
                    f"{path}: taken for a sheet whose cards go on with {due[0]}, which was enrolled before. A picture "
                    f"of one card is named by it, such as Ah, 10c, Jk or back_blue"
                )
            _add(faces, due.pop(0), straighten(picture, corners, card_mm), path)
    deck = enrol(faces, backs, card_mm)
    require_distinct(deck)
    return deck


def label_of(name: str, language: str = "en") -> str:
    """The card that a file name means, empty if it means none. Suits are c, d, h and s in every language."""
    if name.lower() in ("jk", "joker"):
        return JOKER
    found = re.fullmatch(r"(10|.)([cdhs])", name)
    if not found:
        return ""
    rank = "T" if found[1] == "10" else found[1].upper()
    rank = LETTERS[language].get(rank, rank)
    return rank + found[2] if rank in RANKS else ""


def require_distinct(deck: EnrolledDeck) -> None:
    """Raise `UsageError` unless all 52 cards are there, and no two cards or backs are too alike to be told apart."""
    deck.require_complete()
    pairs = deck.never_told_apart()
    if pairs:
        told = ", ".join(f"{one} and {other} ({likeness:.3f})" for one, other, likeness in pairs[:6])
        raise UsageError(
            f"deck: {len(pairs)} pairs of cards cannot be told apart by their indices, by no camera, 1 being the same: "
            f"{told}. Was one enrolled under another's name? Or are the indices too small?"
        )
    for number, name in enumerate(deck.backs):
        for other in range(number):
            away = float(abs(deck.back_colours[number] - deck.back_colours[other]).max())
            if away < _BACKS_APART:
                raise UsageError(
                    f"deck: backs {deck.backs[other]} and {name} have the same colour; they cannot be told apart"
                )


def _labels_in(order: str) -> list[str]:
    ranks, _, suits = order.partition("/")
    if sorted(ranks) != sorted(RANKS) or sorted(suits) != sorted(SUITS):
        raise UsageError(
            f"deck: order {order[:40]!r}: expected all ranks, a stroke, all suits, such as {STANDARD_ORDER}"
        )
    labels = [rank + suit for suit in suits for rank in ranks]
    return [*labels, JOKER]


def _add(faces: dict[str, Picture], label: str, card: Picture, path: Path) -> None:
    if label in faces:
        raise UsageError(f"{path}: {label} was enrolled before; give each card once")
    faces[label] = card
