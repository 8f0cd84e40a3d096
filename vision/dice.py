"""Reading dice: red dice with white pips, flat in the shaker, leaning, or fallen outside."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, u8
from vision.places import Shaker
from vision.readings import DiceReading, DieReading

Vector = npt.NDArray[np.float32]

_LEAST_RED = 0.70
"""Redness of dice as a share of the felt's level."""
_LEAST_FELT = 20.0
"""Darkest felt by whose light dice are still read."""
_KNOB = 1.2
"""The cover's knob is brighter than so many times the felt, the shaker's floor darker."""
_SIDE_SLACK = 0.14
"""How far, as a share, the sides of a flat die may differ from what the layout says."""
_TEMPLATE_PX = 32
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_LEAST_LIKENESS = 0.70
_LEAST_LEAD = 0.08


def read_dice(picture: Picture, shaker: Shaker, px_per_mm: float) -> DiceReading:
    """Read an upright picture centred on the shaker."""
    felt = _felt(picture)
    contours = _red_things(picture, shaker, px_per_mm)
    if contours is None or felt < _LEAST_FELT:
        return DiceReading(0, 0, 0, None, 0.0)
    if not contours:
        return _nothing_red(picture, felt, px_per_mm)
    middle = np.array([(picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2])
    dice, certainty = [], 1.0
    for contour in contours:
        (cx, cy), (w, h), angle = cv2.minAreaRect(contour)
        corners = np.asarray(cv2.boxPoints(((cx, cy), (w, h), angle)), np.float64)
        long, short = max(w, h) / px_per_mm / shaker.die_mm, min(w, h) / px_per_mm / shaker.die_mm
        away = float(np.hypot(cx - middle[0], cy - middle[1])) / px_per_mm
        certainty = min(certainty, abs(away - shaker.radius_mm) / 6.0)
        value, clear = None, 1.0
        if away > shaker.radius_mm:
            pose = "outside"
        elif abs(short - 1) < _SIDE_SLACK and abs(long - 1) < _SIDE_SLACK:
            pose = "flat"
            value, clear = _value(picture, corners)
        elif 1.2 < long < 1.7 and 0.8 < short < 1.2:
            pose = "leaning"
            clear = min(1.0, (long - 1.2) / 0.08)
        else:
            return DiceReading(0, 0, 0, None, 0.0)
        certainty = min(certainty, clear)
        dice.append(DieReading(pose, value, corners))
    poses = [die.pose for die in dice]
    flat, leaning, outside = (poses.count(pose) for pose in ("flat", "leaning", "outside"))
    values = [die.value for die in dice if die.value is not None]
    total = sum(values) if flat == len(dice) == len(values) == 3 else None
    return DiceReading(flat, leaning, outside, total, certainty, False, tuple(dice))


def redness(picture: Picture) -> Picture:
    """255 where a picture is as red as dice, by the light that its upper and lower rim show on felt."""
    others = cv2.max(picture[:, :, 0], picture[:, :, 1])
    red = cv2.subtract(picture[:, :, 2], others)
    _, mask = cv2.threshold(red, _LEAST_RED * _felt(picture), 255, cv2.THRESH_BINARY)
    return u8(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))


def _felt(picture: Picture) -> float:
    return float(np.median(picture[:: max(1, picture.shape[0] - 1)].max(axis=2)))


def _red_things(picture: Picture, shaker: Shaker, px_per_mm: float) -> list[Points] | None:
    """Outlines of red things of about a die's size; None when something red is of no such size."""
    contours, _ = cv2.findContours(redness(picture), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    die_px = (shaker.die_mm * px_per_mm) ** 2
    sizes = [float(cv2.contourArea(contour)) / die_px for contour in contours]
    if any(0.12 < size < 0.6 or size > 2.0 for size in sizes):
        return None
    return [np.asarray(contour) for contour, size in zip(contours, sizes, strict=True) if size >= 0.6]


def _nothing_red(picture: Picture, felt: float, px_per_mm: float) -> DiceReading:
    """Without dice the shaker is covered, with a knob brighter than felt in its middle, or empty with a dark floor."""
    middle_y, middle_x = picture.shape[0] // 2, picture.shape[1] // 2
    half = round(5 * px_per_mm)
    knob = float(picture[middle_y - half : middle_y + half, middle_x - half : middle_x + half].max(axis=2).mean())
    if knob > _KNOB * felt:
        return DiceReading(0, 0, 0, None, min(1.0, (knob / felt - _KNOB) / 0.2), covered=True)
    return DiceReading(0, 0, 0, None, min(1.0, max(0.0, (_KNOB - 0.3 - knob / felt) / 0.2)))


def _value(picture: Picture, corners: Points) -> tuple[int | None, float]:
    """The pips of a flat die, and how clear they are."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * (_TEMPLATE_PX - 1)
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    face = u8(cv2.warpPerspective(picture, move, (_TEMPLATE_PX, _TEMPLATE_PX)))
    seen = cv2.min(face[:, :, 0], face[:, :, 1]).astype(np.float32).ravel()
    seen -= seen.mean()
    norm = float(np.linalg.norm(seen))
    if norm < 1:
        return None, 0.0
    scores = sorted(
        ((max(float(seen @ view) / norm for view in views), value) for value, views in _TEMPLATES.items()), reverse=True
    )
    (best, value), (second, _) = scores[0], scores[1]
    if best < _LEAST_LIKENESS or best - second < _LEAST_LEAD:
        return None, 0.0
    return value, min(1.0, (best - _LEAST_LIKENESS) / 0.15, (best - second - _LEAST_LEAD) / 0.08)


def _templates() -> dict[int, list[Vector]]:
    views = {}
    for value, pips in _PIPS.items():
        face = np.zeros((_TEMPLATE_PX * 4, _TEMPLATE_PX * 4), np.float32)
        for x, y in pips:
            centre = (round(face.shape[1] * (0.5 + 0.27 * x)), round(face.shape[0] * (0.5 + 0.27 * y)))
            cv2.circle(face, centre, round(face.shape[0] * 0.105), (255,), -1)
        small = cv2.resize(face, (_TEMPLATE_PX, _TEMPLATE_PX), interpolation=cv2.INTER_AREA)
        small = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.4), np.float32)
        turned = [small] if value in (1, 4, 5) else [small, np.rot90(small)]
        views[value] = [_unit(np.asarray(view, np.float32)) for view in turned]
    return views


def _unit(view: Vector) -> Vector:
    flat = view.ravel() - view.mean()
    return np.asarray(flat / np.linalg.norm(flat), np.float32)


_TEMPLATES = _templates()
