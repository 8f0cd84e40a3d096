"""Drawing all that was read of a table into a copy of its picture: cards, how many lie where, dice."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.annotate import describe, draw_place_cards
from vision.annotate_cards import (
    PLASTIC,
    UNREAD,
    UP,
    draw_outline,
    draw_plate,
    plate_size,
    unit_of,
    with_bar,
)
from vision.pictures import Picture, Points, project, u8
from vision.places import Box, TableLayout
from vision.readings import DiceReading, PlaceReading
from vision.synthetic.strokes import Colour

_SCALE = 2
_CAPTION = 17.0
"""Height of a caption, before the picture's size is taken into account."""
_EMPTY: Colour = (150, 150, 150)


def draw_table(
    picture: Picture, layout: TableLayout, places: Sequence[PlaceReading], dice: DiceReading, told: str
) -> Picture:
    """The picture, twice as large, with every card and die outlined and every place's count. `told` are the dice."""
    canvas = u8(cv2.resize(picture, None, fx=_SCALE, fy=_SCALE, interpolation=cv2.INTER_CUBIC))
    unit = unit_of(canvas)
    for reading in places:
        draw_place_cards(canvas, reading, np.zeros(2), _SCALE, 0.8)
        for card in reading.cards:
            if card.cut_card is not None:
                draw_outline(canvas, (card.corners + 0.5) * _SCALE, PLASTIC, unit, marked=False)
    for reading in places:
        words, colour = _caption(reading)
        _below(canvas, _in_picture(layout, layout.places[reading.place].box), words, colour, unit)
    shaker = _in_picture(layout, layout.shaker.zone)
    for die in dice.dice:
        corners, colour = (die.corners + 0.5) * _SCALE, UP if die.value is not None else UNREAD
        draw_outline(canvas, corners, colour, unit, marked=False)
        _outwards(canvas, corners, shaker.mean(axis=0), str(die.value or die.pose), colour, unit)
    _below(canvas, shaker, f"dice: {told}", UP if dice.certainty else UNREAD, unit)
    read = sum(1 for reading in places if reading.count is not None or reading.stacked)
    cards = sum(reading.count or 0 for reading in places)
    text = f"{cards} cards counted; {read} of {len(places)} places read; dice: {told}"
    return with_bar(canvas, text, unit)


def _caption(reading: PlaceReading) -> tuple[str, Colour]:
    colour = UNREAD if reading.count is None and not reading.stacked else _EMPTY if reading.empty else UP
    return f"{reading.place.replace('/', ' ').replace('_', ' ')}: {describe(reading)}", colour


def _in_picture(layout: TableLayout, box: Box) -> Points:
    return np.asarray((project(layout.mm_to_px, box.corners_mm()) + 0.5) * _SCALE, np.float64)


def _below(canvas: Picture, corners: Points, words: str, colour: Colour, unit: float) -> None:
    """A plate with words under an area, within the picture."""
    high = plate_size(words, "", _CAPTION * unit)[1]
    _at(canvas, float(corners[:, 0].mean()), float(corners[:, 1].max()) + 0.8 * high, words, colour, unit)


def _outwards(canvas: Picture, corners: Points, middle: Points, words: str, colour: Colour, unit: float) -> None:
    """A plate beside a die, on its side away from the others."""
    own = corners.mean(axis=0)
    away = own - middle
    reach = float(np.linalg.norm(corners - own, axis=1).max()) + 0.9 * _CAPTION * unit
    x, y = own + away / max(float(np.linalg.norm(away)), 1e-6) * reach
    _at(canvas, float(x), float(y), words, colour, unit)


def _at(canvas: Picture, x: float, y: float, words: str, colour: Colour, unit: float) -> None:
    """A plate about a point, moved into the picture where it would leave it."""
    size = _CAPTION * unit
    wide, high = plate_size(words, "", size)
    left = float(np.clip(x - wide / 2, 3, max(3, canvas.shape[1] - wide - 3)))
    top = float(np.clip(y - high / 2, 3, max(3, canvas.shape[0] - high - 3)))
    draw_plate(canvas, (left, top, left + wide, top + high), words, "", colour, size)
