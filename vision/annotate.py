"""Drawing a reading into its evidence picture, for people. The stored picture itself stays as it was taken."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.pictures import Picture, Points, decode_picture, encode_jpeg, u8
from vision.readings import ButtonReading, CardReading, DiceReading, PlaceReading
from vision.synthetic.strokes import DRAWABLE, Colour, write
from vision.synthetic.suits import INKS, draw_suit
from vision.windows import Window

_SCALE = 3
"""Pictures of places are small; they are enlarged so that outlines and labels are crisp."""
_LONE_PX = 900
"""A smaller picture of a shaker by itself is enlarged to about this."""
_BAR_PX = 34
_UP: Colour = (80, 220, 120)
_DOWN: Colour = (240, 170, 60)
_UNREAD: Colour = (60, 80, 240)
_INK: Colour = (250, 250, 250)
_BAR: Colour = (34, 30, 28)
_PLATE: Colour = (250, 252, 252)


def annotate_place(jpeg: bytes, reading: PlaceReading, window: Window) -> bytes:
    """The evidence picture of a place with outlines, labels and count, as JPEG three times as large."""
    picture, origin = _enlarged(jpeg, window, reading.place)
    draw_place_cards(picture, reading, origin, _SCALE, 1.0)
    return encode_jpeg(
        _with_bar(picture, f"{reading.place.replace('/', ' ').replace('_', ' ')} - {describe(reading)}"), 92
    )


def annotate_dice(jpeg: bytes, reading: DiceReading, window: Window) -> bytes:
    """The evidence picture of the shaker with its dice outlined and their values."""
    picture, origin = _enlarged(jpeg, window, "the shaker")
    return encode_jpeg(_with_dice(picture, reading, origin, _SCALE), 92)


def draw_dice(picture: Picture, reading: DiceReading) -> Picture:
    """A picture of a shaker by itself with its dice outlined and their values."""
    by = max(1, round(_LONE_PX / max(picture.shape[:2])))
    large = u8(cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_CUBIC))
    return _with_dice(large, reading, np.zeros(2), by)


def _with_dice(picture: Picture, reading: DiceReading, origin: Points, by: int) -> Picture:
    for die in reading.dice:
        corners = (die.corners - origin + 0.5) * by
        _outline(picture, corners, _UP if die.pose == "flat" else _UNREAD, None)
        side = float(np.linalg.norm(corners[1] - corners[0]))
        text = str(die.value or die.pose.upper())
        size = max(13.0, (0.4 if die.value else 0.2) * side)
        half = 0.5 * size * len(text)
        x, y = corners.mean(axis=0)
        x = min(max(float(x), half), picture.shape[1] - half)
        _words(picture, text, (x, min(float(y) + 1.1 * side, picture.shape[0] - size)), size, _INK)
    return _with_bar(picture, f"dice - {describe_dice(reading)}")


def annotate_button(jpeg: bytes, reading: ButtonReading, positions: Sequence[str]) -> bytes:
    """The evidence picture of the button's spots, each with its position."""
    picture = decode_picture(jpeg, "picture of the button's spots")
    picture = u8(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
    side = picture.shape[1] // len(positions)
    for number, position in enumerate(positions):
        colour = _UP if position == reading.position else _INK
        _words(picture, position.replace("/", " ").upper(), (side * (number + 0.5), 9.0), 9.0, colour)
    text = f"button at {reading.position}" if reading.position else "no button" if reading.certainty else "not read"
    return encode_jpeg(_with_bar(picture, text.replace("/", " ")), 92)


def describe(reading: PlaceReading) -> str:
    """A reading in one plain line."""
    labels = " ".join(card.label or "unread" for card in reading.face_up)
    if reading.stacked:
        named = " ".join(str(card.label) for card in reading.named)
        top = f", top card {labels}" if labels else f", among them {named}" if named else ""
        return f"stacked, not countable{top}"
    if reading.count is None:
        lying = [f"a {card.cut_card} cut card" for card in reading.cards if card.cut_card]
        lying += [str(card.label) for card in reading.named]
        return "not read" + (f": {', '.join(lying)} {'lies' if len(lying) == 1 else 'lie'} there" if lying else "")
    if reading.count == 0:
        return "empty"
    parts = [f"{reading.count} card{'s' if reading.count > 1 else ''}"]
    if reading.face_down:
        parts.append(f"{reading.face_down} face down")
    if labels:
        parts.append(f"face up {labels}")
    return ", ".join(parts)


def describe_dice(reading: DiceReading) -> str:
    """A reading of the dice in one plain line."""
    if reading.covered:
        return "covered"
    if reading.certainty == 0:
        return "not read"
    parts = [f"{reading.flat} flat", f"{reading.leaning} leaning", f"{reading.outside} outside"]
    return ", ".join(parts) + (f", total {reading.total}" if reading.total is not None else "")


def _enlarged(jpeg: bytes, window: Window, area: str) -> tuple[Picture, Points]:
    picture = decode_picture(jpeg, f"picture of {area}")
    window.check(picture, f"picture of {area}")
    large = cv2.resize(picture, None, fx=_SCALE, fy=_SCALE, interpolation=cv2.INTER_CUBIC)
    return u8(large), np.array([window.left, window.top], np.float64)


def draw_place_cards(picture: Picture, reading: PlaceReading, origin: Points, scale: int, plate: float) -> None:
    """Outlines of all cards of a place, then the plates with their labels over them."""
    cards = reading.cards + reading.named
    outlines = [(card.corners - origin + 0.5) * scale for card in cards]
    for number, (card, outline) in enumerate(zip(cards, outlines, strict=True)):
        colour = _DOWN if not card.face_up else _UP if card.label else _UNREAD
        _outline(picture, outline, colour, outlines[number + 1] if number + 1 < len(outlines) else None)
    for card, outline in zip(cards, outlines, strict=True):
        _tag(picture, card, outline, plate)


def _outline(picture: Picture, corners: Points, colour: Colour, covering: Points | None) -> None:
    """Outline a card; where the next one covers it, only what shows."""
    points = corners.copy()
    if covering is not None:
        points[1] = corners[0] + (corners[1] - corners[0]) * _share_shown(corners[0], corners[1], covering[0])
        points[2] = corners[3] + (corners[2] - corners[3]) * _share_shown(corners[3], corners[2], covering[3])
    fixed = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [fixed], True, (20, 20, 20), 4, cv2.LINE_AA, 4)
    cv2.polylines(picture, [fixed], True, colour, 2, cv2.LINE_AA, 4)


def _share_shown(start: Points, end: Points, cover: Points) -> float:
    along = end - start
    return float(np.clip(np.dot(cover - start, along) / max(float(np.dot(along, along)), 1e-6), 0.05, 1.0))


def _tag(picture: Picture, card: CardReading, corners: Points, k: float) -> None:
    """Rank and suit on a small plate just above the card's upper left."""
    if not card.face_up:
        return
    at = corners[0] + (corners[1] - corners[0]) * 0.14 - (corners[3] - corners[0]) * 0.095
    x, y = float(at[0]), float(at[1])
    plate = [(round(x + sx * 17 * k), round(y + sy * 11 * k)) for sx, sy in ((-1, -1), (1, 1))]
    cv2.rectangle(picture, plate[0], plate[1], _PLATE, -1)
    cv2.rectangle(picture, plate[0], plate[1], _UP if card.label else _UNREAD, 1, cv2.LINE_AA)
    if card.label is None:
        _words(picture, "NOT READ", (x, y), 7.0 * k, _UNREAD)
    elif len(card.label) == 2 and card.label[1] in INKS:
        rank = "10" if card.label[0] == "T" else card.label[0]
        write(picture, rank, (x - 7 * k, y), 13.0 * k, INKS[card.label[1]], 0.16, squeeze=0.8)
        draw_suit(picture, card.label[1], (x + 8 * k, y), 13.0 * k)
    else:
        _words(picture, "JOKER", (x, y), 8.0 * k, _BAR)


def _words(picture: Picture, text: str, centre: tuple[float, float], height: float, colour: Colour) -> None:
    write(picture, "".join(c if c in DRAWABLE else " " for c in text.upper()), centre, height, colour, 0.16)


def _with_bar(picture: Picture, text: str) -> Picture:
    """A line of plain words under the picture."""
    bar = np.empty((_BAR_PX, picture.shape[1], 3), np.uint8)
    bar[:] = _BAR
    room = picture.shape[1] - 20
    scale = min(0.62, 0.62 * room / max(1, cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.62, 1)[0][0]))
    cv2.putText(bar, text, (10, 23), cv2.FONT_HERSHEY_SIMPLEX, scale, _INK, 1, cv2.LINE_AA)
    return u8(np.vstack([picture, bar]))
