"""What stands behind `cardcert read IMAGE...`: pictures of a whole table, or of cards, read and told in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evidence.errors import UsageError
from vision.annotate import describe, describe_dice
from vision.annotate_cards import draw_cards
from vision.annotate_table import draw_table
from vision.believing import believable
from vision.cut_card import COLOURLESS
from vision.deck import EnrolledDeck
from vision.deck_file import load_deck
from vision.deck_from_faces import enrol_rendered
from vision.dice_images import dice_data
from vision.indices.reader import shipped_reader
from vision.layout import TableLayout, load_layout, standard_layout
from vision.loose_deck import read_loose
from vision.markers import recalibrate
from vision.picture_rows import Row, require_number, rows_of
from vision.pictures import Picture
from vision.reader import TableReader
from vision.readings import ButtonReading, CardReading, DiceReading, PlaceReading, rounded
from vision.sources import load_picture


@dataclass(frozen=True, slots=True, eq=False)
class TableSight:
    """Everything read from one picture of a table, and where in the picture its places are."""

    layout: TableLayout
    places: tuple[PlaceReading, ...]
    dice: DiceReading
    devices: dict[str, bool | None]
    button: ButtonReading


def read_images(
    paths: Sequence[Path], deck: Path | None = None, annotate: Path | None = None, layout: Path | None = None
) -> Iterator[Row]:
    """Read pictures; what each shows as plain data, `null` where the camera abstains. `tell` puts one into words.

    `deck` is an enrolled deck, by which all cards are then told. Without one, cards of any deck are read by their
    indices, and a table as the shipped deck has it. `layout` is a table layout, else the shipped one. `annotate` is a
    file for the one picture with its readings drawn in, or a folder for all of them (`annotated_paths`). A picture that
    cannot be read has a row that says so; raises `UsageError` for what is wrong with all of them.
    """
    enrolled = None if deck is None else load_deck(deck)
    if enrolled is not None:
        enrolled.require_complete()
    table = standard_layout() if layout is None else load_layout(layout)

    def look(picture: Picture, where: str) -> tuple[Row, Callable[[], Picture]]:
        sight = read_picture(picture, table, enrolled, where)
        return as_data(
            sight
        ), lambda: draw_cards(picture, sight) if isinstance(sight, tuple) else draw_sight(picture, sight)

    return rows_of(paths, annotate, look)


def cards_of_images(paths: Sequence[Path], deck: Path | None = None, layout: Path | None = None) -> list[CardReading]:
    """All cards of several pictures: those at the places of a table, or those that lie apart. Raises `UsageError`."""
    require_number(paths)
    enrolled = None if deck is None else load_deck(deck)
    table = standard_layout() if layout is None else load_layout(layout)
    cards: list[CardReading] = []
    for path in paths:
        picture = load_picture(path)
        seen = recalibrate(picture, table)
        if seen is not None:
            here = cards_on_table(picture, TableReader(seen, enrolled or enrol_rendered()))
        else:
            seen_cards = shipped_reader().read(picture) if enrolled is None else read_loose(picture, enrolled)
            here = [card for card in believable(picture, seen_cards, enrolled is None) if card.cut_card is None]
        if not here:
            raise UsageError(f"{path}: no card is seen; expected a table with its markers, or cards that lie apart")
        cards += here
    return cards


def cards_on_table(picture: Picture, reader: TableReader) -> list[CardReading]:
    """The cards of all places. Where the camera abstains, one that is not read stands for whatever lies there."""
    cards: list[CardReading] = []
    for place in reader.layout.places:
        reading = reader.look(picture, place)
        corners = np.zeros((4, 2))
        cards += [CardReading(None, 0.0, corners, True)] if reading.count is None else list(reading.cards)
    return cards


def read_picture(
    picture: Picture, layout: TableLayout, deck: EnrolledDeck | None, where: str
) -> TableSight | tuple[CardReading, ...]:
    """Read a table, known by its calibration markers wherever the camera stood, or else cards lying about.

    Raises `UsageError`, naming `where`, if the picture shows none of these.
    """
    seen = recalibrate(picture, layout)
    if seen is not None:
        return read_table(picture, TableReader(seen, deck or enrol_rendered()))
    found = shipped_reader().read(picture) if deck is None else read_loose(picture, deck)
    cards = tuple(believable(picture, found, look_for_more=deck is None))
    if not cards:
        raise UsageError(
            f"{where}: shows neither a table (at least three of its calibration markers) nor any card; expected a "
            f"whole table, or cards on a darker ground, sharp and evenly lit"
        )
    return cards


def draw_sight(picture: Picture, sight: TableSight) -> Picture:
    """A picture of a table with all that was read of it drawn in."""
    return draw_table(picture, sight.layout, sight.places, sight.dice, describe_dice(sight.dice))


def read_table(picture: Picture, reader: TableReader) -> TableSight:
    """Read all there is to read in one camera picture."""
    return TableSight(
        reader.layout,
        tuple(reader.look(picture, place) for place in reader.layout.places),
        reader.dice(picture),
        {name: reader.device(picture, name) for name in reader.layout.devices},
        reader.button(picture),
    )


def as_data(sight: TableSight | tuple[CardReading, ...]) -> dict[str, Any]:
    """A reading as plain data. `kind` is `table`, or `cards` with no places."""
    if isinstance(sight, tuple):
        return {"kind": "cards", "places": [], "cards": [_card_data(card) for card in sight]}
    dice, button = sight.dice, sight.button
    return {
        "kind": "table",
        "places": [
            {
                "place": reading.place,
                "count": reading.count,
                "face_up": [_card_data(card) for card in reading.face_up],
                "face_down": reading.face_down,
                "stacked": reading.stacked,
                "in_part": reading.in_part,
                "named": [_card_data(card) for card in reading.named],
                "certainty": round(reading.certainty, 3),
                "cut_cards": [card.cut_card for card in reading.cards if card.cut_card],
                "words": describe(reading),
            }
            for reading in sight.places
        ],
        "dice": dice_data(dice),
        "devices": sight.devices,
        "button": {"position": button.position, "certainty": round(button.certainty, 3)},
    }


def tell(row: dict[str, Any]) -> str:
    """One entry of `read_images` that was read, in words, a line for each place."""
    if row["kind"] == "cards":
        return "\n".join([f"{row['image']}:", *(f"  {_card_words(card)}" for card in row["cards"])])
    lines = [f"{row['image']}:"]
    lines += [f"  {place['place']:14s} {place['words']}" for place in row["places"]]
    lines.append(f"  {'dice':14s} {row['dice']['words']}")
    words = {True: "on the table", False: "not there", None: "not clear"}
    lines += [f"  {name:14s} {words[present]}" for name, present in row["devices"].items()]
    button = row["button"]
    lines.append(f"  {'button':14s} {button['position'] or ('nowhere' if button['certainty'] else 'not read')}")
    return "\n".join(lines)


def _card_words(card: dict[str, Any]) -> str:
    if card["cut_card"] == COLOURLESS:
        return f"a blank card, or a {COLOURLESS} cut card"
    if card["cut_card"]:
        return f"a cut card, {card['cut_card']}"
    if not card["face_up"]:
        return f"a card face down, {card['back'] or 'unknown'} back"
    if card["label"] is None:
        return "a face that is not clear, or not of this deck"
    return f"card {card['label']}, confidence {card['confidence']:.2f}"


def _card_data(card: CardReading) -> dict[str, Any]:
    return {
        "label": card.label,
        "face_up": card.face_up,
        "back": card.back,
        "cut_card": card.cut_card,
        "confidence": round(card.confidence, 3),
        "corners_of": "index" if card.index_only else "card",
        "corners": rounded(card.corners),
    }
