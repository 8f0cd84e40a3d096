"""What stands behind `cardcert read IMAGE...`: pictures of a whole table, or of one card, read and told in words."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from evidence.errors import UsageError
from vision.annotate import annotate_table, describe, describe_dice
from vision.deck import EnrolledDeck, enrol_rendered, load_deck
from vision.layout import TableLayout, load_layout, standard_layout
from vision.markers import recalibrate
from vision.pictures import Picture
from vision.reader import TableReader
from vision.readings import ButtonReading, CardReading, DiceReading, PlaceReading
from vision.single_card import read_single_card
from vision.sources import load_picture

MAX_IMAGES = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class TableSight:
    """Everything read from one picture of a table."""

    places: tuple[PlaceReading, ...]
    dice: DiceReading
    devices: dict[str, bool | None]
    button: ButtonReading


def read_images(
    paths: Sequence[Path],
    out: TextIO,
    deck: Path | None = None,
    layout: Path | None = None,
    as_json: bool = False,
    annotate_to: Path | None = None,
) -> None:
    """Read pictures and write what they show to `out`, as text or as one JSON list.

    `deck` is an enrolled deck and `layout` a table layout; without them the shipped ones are used. `annotate_to` is a
    folder that receives each table picture with its readings drawn in. Raises `UsageError` for whatever cannot be read.
    """
    if not paths or len(paths) > MAX_IMAGES:
        raise UsageError(f"read: expected 1 to {MAX_IMAGES} pictures, got {len(paths)}")
    enrolled = enrol_rendered() if deck is None else load_deck(deck)
    table = standard_layout() if layout is None else load_layout(layout)
    rows = []
    for number, path in enumerate(paths):
        picture = load_picture(path)
        sight = read_picture(picture, table, enrolled, str(path))
        if annotate_to is not None and isinstance(sight, TableSight):
            _write(annotate_to, f"{number:04d}-{path.stem[:60]}.jpg", annotate_table(picture, sight.places, sight.dice))
        if as_json:
            rows.append({"image": str(path), **as_data(sight)})
        else:
            out.write(_as_text(str(path), sight))
    if as_json:
        out.write(json.dumps(rows, indent=2) + "\n")


def read_picture(picture: Picture, layout: TableLayout, deck: EnrolledDeck, where: str) -> TableSight | CardReading:
    """Read a table, known by its calibration markers wherever the camera stood, or else a single card.

    Raises `UsageError`, naming `where`, if the picture shows neither.
    """
    seen = recalibrate(picture, layout)
    if seen is not None:
        return read_table(picture, TableReader(seen, deck))
    card = read_single_card(picture, deck)
    if card is None:
        raise UsageError(
            f"{where}: shows neither a table (at least three of its calibration markers) nor one card; expected a "
            f"whole table, or one card on a darker ground, sharp and evenly lit"
        )
    return card


def read_table(picture: Picture, reader: TableReader) -> TableSight:
    """Read all there is to read in one camera picture."""
    return TableSight(
        tuple(reader.look(picture, place) for place in reader.layout.places),
        reader.dice(picture),
        {name: reader.device(picture, name) for name in reader.layout.devices},
        reader.button(picture),
    )


def as_data(sight: TableSight | CardReading) -> dict[str, Any]:
    """A reading as plain data for JSON; `null` where the camera abstains."""
    if isinstance(sight, CardReading):
        return {"kind": "card", **_card_data(sight)}
    dice = sight.dice
    return {
        "kind": "table",
        "places": {
            reading.place: {
                "count": reading.count,
                "face_up": list(reading.labels),
                "face_down": reading.face_down,
                "stacked": reading.stacked,
                "certainty": round(reading.certainty, 3),
                "cards": [_card_data(card) for card in reading.cards],
            }
            for reading in sight.places
        },
        "dice": {
            "covered": dice.covered,
            "flat": dice.flat,
            "leaning": dice.leaning,
            "outside": dice.outside,
            "total": dice.total,
            "certainty": round(dice.certainty, 3),
        },
        "devices": sight.devices,
        "button": {"position": sight.button.position, "certainty": round(sight.button.certainty, 3)},
    }


def _card_data(card: CardReading) -> dict[str, Any]:
    return {
        "label": card.label,
        "face_up": card.face_up,
        "back": card.back,
        "confidence": round(card.confidence, 3),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in card.corners],
    }


def _as_text(where: str, sight: TableSight | CardReading) -> str:
    if isinstance(sight, CardReading):
        what = f"card {sight.label}" if sight.label else "a face that is not of this deck, or not clear"
        if not sight.face_up:
            what = f"face down, {sight.back or 'unknown'} back"
        return f"{where}: {what} (confidence {sight.confidence:.2f})\n"
    lines = [f"{where}:"]
    lines += [f"  {reading.place:14s} {describe(reading)}" for reading in sight.places]
    lines.append(f"  {'dice':14s} {describe_dice(sight.dice)}")
    words = {True: "on the table", False: "not there", None: "not clear"}
    lines += [f"  {name:14s} {words[present]}" for name, present in sight.devices.items()]
    button = sight.button
    lines.append(f"  {'button':14s} {button.position or ('nowhere' if button.certainty else 'not read')}")
    return "\n".join(lines) + "\n"


def _write(folder: Path, name: str, data: bytes) -> None:
    partial = folder / f".{name}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(folder / name)
    except OSError as error:
        raise UsageError(f"{folder}: cannot write annotated pictures: {error.strerror}") from error
