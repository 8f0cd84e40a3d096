"""Drawing cards that were read, wherever they lie, into a copy of their picture: outlines, labels and confidence."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.pictures import Picture, Points, u8
from vision.readings import CardReading
from vision.synthetic.strokes import Colour
from vision.synthetic.suits import BLACK, RED, draw_suit

UP: Colour = (90, 214, 120)
DOWN: Colour = (245, 176, 66)
UNREAD: Colour = (70, 84, 245)
PLASTIC: Colour = (60, 214, 250)
PAPER: Colour = (252, 252, 252)
DARK: Colour = (30, 26, 24)
_WANTED_PX, _MOST_ENLARGED = 1400, 3.0
_FONT = cv2.FONT_HERSHEY_DUPLEX
_INDEX_SHARE = (0.30, 0.36)
"""Of a card's width and height, about each of its corners, that a plate must leave free."""


def canvas_of(picture: Picture) -> tuple[Picture, float]:
    """A copy to draw upon, enlarged where the picture is small, and by how much."""
    by = float(np.clip(_WANTED_PX / max(picture.shape[:2]), 1.0, _MOST_ENLARGED))
    if by == 1.0:
        return picture.copy(), 1.0
    return u8(cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_CUBIC)), by


def unit_of(canvas: Picture) -> float:
    """The size that lines and letters go by: 1 in a picture of about 1400 pixels."""
    return max(0.5, float(np.sqrt(canvas.shape[0] * canvas.shape[1])) / 1150)


def draw_cards(picture: Picture, cards: Sequence[CardReading]) -> Picture:
    """A copy of the picture, larger where it is small, with every card in it and a line of words below."""
    canvas, by = canvas_of(picture)
    unit = unit_of(canvas)
    outlines = [(card.corners + 0.5) * by for card in cards]
    for card, outline in zip(cards, outlines, strict=True):
        draw_outline(canvas, outline, _colour(card), unit)
    taken = [area for card, outline in zip(cards, outlines, strict=True) for area in _indices(card, outline)]
    for card, outline in zip(cards, outlines, strict=True):
        taken.append(_plate(canvas, card, outline, unit, taken))
    return with_bar(canvas, _summary(cards), unit)


def draw_outline(canvas: Picture, corners: Points, colour: Colour, unit: float, marked: bool = True) -> None:
    """A closed outline that shows on any ground, with a dot at its first corner."""
    fixed = np.round(corners * 16).astype(np.int32).reshape(-1, 1, 2)
    thin = max(1, round(2.4 * unit))
    cv2.polylines(canvas, [fixed], True, DARK, thin + max(2, round(2.6 * unit)), cv2.LINE_AA, 4)
    cv2.polylines(canvas, [fixed], True, colour, thin, cv2.LINE_AA, 4)
    if marked:
        x, y = (round(float(v)) for v in corners[0])
        cv2.circle(canvas, (x, y), max(3, round(6.5 * unit)), DARK, -1, cv2.LINE_AA)
        cv2.circle(canvas, (x, y), max(2, round(4.5 * unit)), colour, -1, cv2.LINE_AA)


def with_bar(canvas: Picture, text: str, unit: float) -> Picture:
    """The picture with a line of plain words under it, as small as its width asks for."""
    high = round(46 * unit)
    bar = np.empty((high, canvas.shape[1], 3), np.uint8)
    bar[:] = DARK
    size = 0.8 * unit
    wide = cv2.getTextSize(text, _FONT, size, 1)[0][0]
    size *= min(1.0, (canvas.shape[1] - 24 * unit) / max(1, wide))
    line = max(1, round(1.3 * size))
    cv2.putText(bar, text, (round(12 * unit), round(30 * unit)), _FONT, size, PAPER, line, cv2.LINE_AA)
    return u8(np.vstack([canvas, bar]))


def draw_plate(
    canvas: Picture, box: tuple[float, float, float, float], text: str, suit: str, colour: Colour, size: float
) -> None:
    """A plate with words, and a suit's symbol after the first of them where one is given."""
    left, top, right, bottom = (round(v) for v in box)
    edge = max(1, round(size / 11))
    cv2.rectangle(canvas, (left - edge, top - edge), (right + edge, bottom + edge), DARK, -1)
    cv2.rectangle(canvas, (left, top), (right, bottom), PAPER, -1)
    cv2.rectangle(canvas, (left, top), (right, bottom), colour, edge)
    x, base = left + 0.45 * size, (top + bottom) / 2 + 0.36 * size
    first, _, rest = text.partition(" ") if suit else ("", "", text)
    if suit:
        ink = RED if suit in "dh" else BLACK
        x += _write(canvas, first, (x, base), size, ink, True) + 0.55 * size
        draw_suit(canvas, suit, (x, (top + bottom) / 2), 0.85 * size)
        x += 0.7 * size
    if rest:
        _write(canvas, rest, (x, base if not suit else base - 0.08 * size), size * (0.62 if suit else 0.8), DARK, False)


def plate_size(text: str, suit: str, size: float) -> tuple[float, float]:
    """Width and height of a plate with these words, `size` high."""
    if not suit:
        return _wide(text, 0.8 * size, False) + 0.9 * size, 1.5 * size
    first, _, rest = text.partition(" ")
    return _wide(first, size, True) + 2.1 * size + (_wide(rest, 0.62 * size, False) if rest else 0.0), 1.5 * size


def _plate(
    canvas: Picture, card: CardReading, outline: Points, unit: float, taken: Sequence[tuple[float, ...]]
) -> tuple[float, float, float, float]:
    text, suit = _words(card)
    high = float(np.linalg.norm(outline[3] - outline[0])) * (2.2 if card.index_only else 1.0)
    size = float(np.clip(0.11 * high, 15 * unit, 44 * unit))
    box = _free_place(canvas, outline, plate_size(text, suit, size), taken, card.index_only)
    draw_plate(canvas, box, text, suit, _colour(card), size)
    return box


def _free_place(
    canvas: Picture,
    outline: Points,
    wide_high: tuple[float, float],
    taken: Sequence[tuple[float, ...]],
    beside: bool,
) -> tuple[float, float, float, float]:
    """Where a plate covers no index and no other plate: the card's middle, or else beside its outline."""
    (x, y), (wide, high) = outline.mean(axis=0), wide_high
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    gap = 0.35 * high
    around = [(x, top - gap - high / 2), (x, bottom + gap + high / 2)]
    around += [(right + gap + wide / 2, y), (left - gap - wide / 2, y)]
    middles = around if beside else [(x, y), (x, y + 1.3 * high), (x, y - 1.3 * high), *around]
    tall, broad = canvas.shape[:2]
    boxes = []
    for middle_x, middle_y in middles:
        a = float(np.clip(middle_x, wide / 2 + 3, max(broad - wide / 2 - 3, wide / 2 + 3)))
        b = float(np.clip(middle_y, high / 2 + 3, max(tall - high / 2 - 3, high / 2 + 3)))
        boxes.append((a - wide / 2, b - high / 2, a + wide / 2, b + high / 2))
    return min(boxes, key=lambda box: (round(sum(_shared(box, other) for other in taken)), boxes.index(box)))


def _indices(card: CardReading, outline: Points) -> list[tuple[float, ...]]:
    """Boxes around what a plate must not cover: the index, or the two corners that hold it."""
    if card.index_only:
        return [(*outline.min(axis=0), *outline.max(axis=0))]
    if not card.face_up:
        return []
    boxes = []
    for at in (0, 2):
        corner, across, along = outline[at], outline[at ^ 1], outline[at ^ 3]
        ends = [corner + (across - corner) * u + (along - corner) * v for u in (0, 1) for v in (0, 1)]
        inner = [corner + (end - corner) * _INDEX_SHARE[0] for end in ends]
        boxes.append((*np.min(inner, axis=0), *np.max(inner, axis=0)))
    return boxes


def _shared(a: Sequence[float], b: Sequence[float]) -> float:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return float(wide * high) if wide > 0 and high > 0 else 0.0


def _words(card: CardReading) -> tuple[str, str]:
    """What stands on a card's plate, and the suit whose symbol is drawn after its rank."""
    if card.cut_card is not None:
        return f"{card.cut_card} cut card", ""
    if not card.face_up:
        return f"face down{', ' + card.back if card.back else ''}", ""
    if card.label is None:
        return "not read", ""
    if len(card.label) == 2 and card.label[1] in "cdhs":
        return f"{card.label[0].replace('T', '10')} {card.confidence:.2f}", card.label[1]
    return f"joker {card.confidence:.2f}", ""


def _colour(card: CardReading) -> Colour:
    if card.cut_card is not None:
        return PLASTIC
    return DOWN if not card.face_up else UP if card.label else UNREAD


def _summary(cards: Sequence[CardReading]) -> str:
    plain = [card for card in cards if card.cut_card is None]
    counts = (
        (sum(1 for card in plain if card.label), "read"),
        (sum(1 for card in plain if card.face_up and not card.label), "not read"),
        (sum(1 for card in plain if not card.face_up), "face down"),
    )
    parts = [f"{len(plain)} card{'' if len(plain) == 1 else 's'}"] if plain else []
    parts += [f"{count} {what}" for count, what in counts if count]
    parts += [f"{card.cut_card} cut card" for card in cards if card.cut_card is not None]
    return ", ".join(parts) or "no card"


def _wide(text: str, size: float, bold: bool) -> float:
    return float(cv2.getTextSize(text, _FONT, size / 22, _line(size, bold))[0][0])


def _write(canvas: Picture, text: str, at: tuple[float, float], size: float, ink: Colour, bold: bool) -> float:
    """Write words from a point on their base line, `size` high; return how wide they are."""
    where = (round(at[0]), round(at[1]))
    cv2.putText(canvas, text, where, _FONT, size / 22, ink, _line(size, bold), cv2.LINE_AA)
    return _wide(text, size, bold)


def _line(size: float, bold: bool) -> int:
    return max(1, round(size / (11 if bold else 18)))
