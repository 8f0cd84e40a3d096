"""Things that are not cards: device bodies, the dice shaker with its dice, and the dealer button."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision.pictures import Picture, u8
from vision.places import DeviceSpot
from vision.scene import DiePose
from vision.synthetic.felt import marker_image
from vision.synthetic.sprites import Sprite, make_sprite
from vision.synthetic.strokes import Colour, write

_S = 4
"""Pixels per millimetre in which things are drawn."""

_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_DIE_RED: Colour = (44, 30, 190)
_DIE_SIDE: Colour = (30, 20, 132)
_WHITE: Colour = (246, 248, 248)
_GOLD: Colour = (92, 176, 212)


def device_sprite(device: DeviceSpot) -> Sprite:
    """The body of a shuffler or shoe from above, with its marker."""
    width, height = (round(v * _S) for v in device.box.size_mm)
    body = np.zeros((height, width, 3), np.uint8)
    mask = np.zeros((height, width), np.uint8)
    _slab(mask, 0, 10 * _S, (255,))
    _slab(body, 0, 10 * _S, (18, 18, 20))
    for k in range(8):  # a bevel that catches light
        _slab(body, round((0.5 + 0.45 * k) * _S), 10 * _S, (30 + 4 * k, 29 + 4 * k, 30 + 4 * k))
    ramp = np.linspace(1.14, 0.86, height)[:, None, None]
    body = np.clip(body * ramp, 0, 255).astype(np.uint8)
    art = marker_image(device.marker, round(device.marker_size_mm * 4 / 3 * _S))
    middle_y = round(height * (0.40 if device.name == "shuffler" else 0.54))
    y, x = middle_y - art.shape[0] // 2, width // 2 - art.shape[1] // 2
    if device.name == "shuffler":
        _shuffler_details(body)
    else:
        _shoe_details(body)
    body[y : y + art.shape[0], x : x + art.shape[1]] = art
    return make_sprite(body, mask, _S, shadow=0.55, shadow_mm=(-1.5, 3.2), soft_mm=2.4, sharpen_to=1.4)


def _shuffler_details(body: Picture) -> None:
    height, width = body.shape[:2]
    y = round(height * 0.80)
    cv2.rectangle(body, (width // 2 - 34 * _S, y), (width // 2 + 34 * _S, y + 15 * _S), (14, 14, 16), -1)
    cv2.rectangle(
        body, (width // 2 - 34 * _S, y), (width // 2 + 34 * _S, y + 15 * _S), (96, 96, 98), _S // 2, cv2.LINE_AA
    )
    for k in range(4):
        top = y + (3 + 3 * k) * _S
        cv2.line(body, (width // 2 - 29 * _S, top), (width // 2 + 29 * _S, top), (46, 46, 50), _S // 2)
    for k, colour in enumerate(((70, 190, 60), (60, 180, 220), (120, 60, 50))):
        cv2.circle(body, (width - 20 * _S + 5 * k * _S, y + 8 * _S), round(1.6 * _S), colour, -1, cv2.LINE_AA)
    write(body, "SHUFFLER", (24 * _S, y + 7.5 * _S), 4.6 * _S, (170, 172, 176), 0.15)


def _shoe_details(body: Picture) -> None:
    height, width = body.shape[:2]
    lip = np.array(
        [(0, height * 0.3), (15 * _S, height * 0.24), (15 * _S, height * 0.84), (0, height * 0.78)], np.int32
    )
    cv2.fillConvexPoly(body, lip, (84, 86, 90), cv2.LINE_AA)
    cv2.line(
        body, (15 * _S, round(height * 0.24)), (15 * _S, round(height * 0.84)), (150, 152, 156), _S // 2, cv2.LINE_AA
    )
    cv2.rectangle(body, (3 * _S, round(height * 0.36)), (8 * _S, round(height * 0.72)), (18, 18, 20), -1)
    top = round(height * 0.08)
    cv2.rectangle(body, (28 * _S, top), (width - 28 * _S, top + 13 * _S), (34, 30, 24), -1)
    cv2.rectangle(body, (28 * _S, top), (width - 28 * _S, top + 13 * _S), (98, 98, 100), _S // 2, cv2.LINE_AA)
    write(body, "READY", (width / 2, top + 6.5 * _S), 6.0 * _S, (196, 206, 96), 0.15)
    write(body, "DEALING SHOE", (width / 2, height - 13 * _S), 4.6 * _S, (170, 172, 176), 0.15)


@lru_cache(maxsize=2)
def shaker_sprite(covered: bool, radius_mm: float) -> Sprite:
    """The shaker: an open tray in which dice can be seen, or its opaque cover."""
    size = round(2 * radius_mm * _S)
    art = np.zeros((size, size, 3), np.uint8)
    mask = np.zeros((size, size), np.uint8)
    middle, r = (size // 2, size // 2), size // 2 - 1
    cv2.circle(mask, middle, r, (255,), -1, cv2.LINE_AA)
    rings: Sequence[tuple[float, Colour]]
    if covered:
        rings = [(1.0, (26, 26, 28)), (0.95, (60, 58, 56)), (0.91, (38, 36, 36))]
    else:
        rings = [
            (1.0, (30, 58, 84)),
            (0.965, (66, 116, 160)),
            (0.93, (34, 62, 92)),
            (0.89, (22, 24, 26)),
            (0.86, (46, 44, 42)),
        ]
    for share, colour in rings:
        cv2.circle(art, middle, round(r * share), colour, -1, cv2.LINE_AA)
    if covered:
        for k in range(26):  # a polished dome
            light = 40 + 3 * k
            at = (middle[0] - round(r * 0.012 * k), middle[1] - round(r * 0.014 * k))
            cv2.circle(art, at, round(r * (0.86 - 0.028 * k)), (light, light - 1, light - 2), -1, cv2.LINE_AA)
        cv2.circle(art, middle, round(9 * _S), (40, 84, 112), -1, cv2.LINE_AA)
        cv2.circle(art, middle, round(8 * _S), _GOLD, -1, cv2.LINE_AA)
        cv2.circle(art, (middle[0] - 2 * _S, middle[1] - 2 * _S), round(3.4 * _S), (150, 214, 236), -1, cv2.LINE_AA)
    return make_sprite(art, mask, _S, shadow=0.5, shadow_mm=(-1.2, 2.6), soft_mm=2.2, sharpen_to=1.4)


@lru_cache(maxsize=24)
def die_sprite(value: int, pose: DiePose, die_mm: float) -> Sprite:
    """A die from above. A leaning one shows a foreshortened top and a side face."""
    px = round(die_mm * _S)
    top = _die_face(value, px, _DIE_RED)
    if pose != "leaning":
        mask = np.zeros((px, px), np.uint8)
        _slab(mask, 0, px // 7, (255,))
        return make_sprite(top, mask, _S, shadow=0.5, shadow_mm=(-0.6, 1.4), soft_mm=1.2, sharpen_to=1.4)
    side = _die_face(7 - value if value in (1, 6) else value % 6 + 1, px, _DIE_SIDE)
    upper = cv2.resize(top, (px, round(px * 0.78)), interpolation=cv2.INTER_AREA)
    lower = cv2.resize(side, (px, round(px * 0.62)), interpolation=cv2.INTER_AREA)
    art = u8(np.vstack([upper, lower]))
    mask = np.zeros(art.shape[:2], np.uint8)
    _slab(mask, 0, px // 7, (255,))
    return make_sprite(art, mask, _S, shadow=0.55, shadow_mm=(-1.0, 2.2), soft_mm=1.8, sharpen_to=1.4)


def _die_face(value: int, px: int, colour: Colour) -> Picture:
    face = np.empty((px, px, 3), np.uint8)
    face[:] = tuple(round(c * 0.62) for c in colour)
    _slab(face, px // 16, px // 7, colour)
    for x, y in _PIPS[value]:
        centre = (round(px * (0.5 + 0.27 * x)), round(px * (0.5 + 0.27 * y)))
        cv2.circle(face, centre, round(px * 0.105), _WHITE, -1, cv2.LINE_AA)
    return face


@lru_cache(maxsize=2)
def button_sprite(radius_mm: float) -> Sprite:
    """The dealer button: a white disc with a dark ring and its word."""
    size = round(2 * radius_mm * _S)
    art = np.zeros((size, size, 3), np.uint8)
    mask = np.zeros((size, size), np.uint8)
    middle, r = (size // 2, size // 2), size // 2 - 1
    cv2.circle(mask, middle, r, (255,), -1, cv2.LINE_AA)
    for share, colour in ((1.0, (170, 172, 172)), (0.95, _WHITE), (0.84, (30, 28, 28)), (0.77, _WHITE)):
        cv2.circle(art, middle, round(r * share), colour, -1, cv2.LINE_AA)
    write(art, "DEALER", (size / 2, size / 2), 7.4 * _S, (30, 28, 28), 0.2, squeeze=0.8)
    return make_sprite(art, mask, _S, shadow=0.5, shadow_mm=(-0.6, 1.4), soft_mm=1.2, sharpen_to=1.4)


def _slab(canvas: Picture, inset: int, radius: int, colour: tuple[int, ...]) -> None:
    """Fill a rectangle with round corners, `inset` pixels within the canvas."""
    right, bottom = canvas.shape[1] - 1 - inset, canvas.shape[0] - 1 - inset
    r = max(1, min(radius - inset // 2, (right - inset) // 2, (bottom - inset) // 2))
    cv2.rectangle(canvas, (inset + r, inset), (right - r, bottom), colour, -1)
    cv2.rectangle(canvas, (inset, inset + r), (right, bottom - r), colour, -1)
    for x in (inset + r, right - r):
        for y in (inset + r, bottom - r):
            cv2.circle(canvas, (x, y), r, colour, -1, cv2.LINE_AA)
