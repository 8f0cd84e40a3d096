"""The conditions under which one deck is read for its accuracy: where the camera hangs, how cards lie, what light does.

Rows of all conditions lie as the layout has them, each card covering some 70 to 85 % of the one before; with `overlap`
they are laid anew, so that up to 30 % is covered.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.deck import INDEX_MM
from vision.pictures import Picture, Points, darkest_channel, project, u8
from vision.places import TableLayout

Random = np.random.Generator
Seen = Callable[[TableLayout, Random], TableLayout]
Spoilt = Callable[[Picture, Random], Picture]

_AWAY_MM = 2500.0
_EDGE_PX = 6
_DARK, _WHITE = 110, 242
"""Levels of the darkest channel: below the first something is print; at the second hardly anything is left of it."""
_LOST_SHARE = 0.5
_LAMPS_FOR_PX = 1280
"""Width of the picture that lamps are described for: a finer one shows the same lamps, larger in pixels."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`seen` changes where the camera hangs and how rows lie, `spoilt` the picture; `glare`: it may whiten parts."""

    seen: Seen = lambda layout, _: layout
    spoilt: Spoilt = lambda frame, _: frame
    glare: bool = False


def tilted(low_deg: float, high_deg: float) -> Seen:
    """A camera that looks from the players' side, so far from straight down, still with the whole table in view."""

    def see(layout: TableLayout, rng: Random) -> TableLayout:
        turn = np.deg2rad(rng.uniform(low_deg, high_deg))
        middle = np.array(layout.size_mm) / 2

        def photographed(points: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
            x, y = (points - middle).T
            away = _AWAY_MM - y * np.sin(turn)
            return np.stack([x / away, y * np.cos(turn) / away], axis=1)

        width, height = layout.size_mm
        whole = photographed(np.array([(0, 0), (width, 0), (width, height), (0, height)], float))
        low, high = whole.min(axis=0), whole.max(axis=0)
        room = np.array(layout.size_px) - 2 * _EDGE_PX
        scale = float((room / (high - low)).min())
        corners = (photographed(np.array(layout.corners_mm, float)) - (low + high) / 2) * scale
        corners += np.array(layout.size_px) / 2
        return layout.recalibrated(tuple((float(x), float(y)) for x, y in corners))

    return see


def overlapping(most: float) -> Seen:
    """Rows of which each card covers up to this share of the one before."""

    def see(layout: TableLayout, rng: Random) -> TableLayout:
        places = {}
        for name, place in layout.places.items():
            pitch = float(layout.card_mm[0] * (1 - rng.uniform(0.02, most)))
            room = int((place.box.size_mm[0] - layout.card_mm[0] - 3) / pitch) + 1
            countable = max(1, min(place.countable, room))
            places[name] = replace(place, spread_pitch_mm=pitch, stagger_pitch_mm=pitch, countable=countable)
        return replace(layout, places=places)

    return see


def blurred(most: float) -> Spoilt:
    return lambda frame, rng: u8(cv2.GaussianBlur(frame, (0, 0), rng.uniform(0.2, most)))


def noisy(most: float) -> Spoilt:
    def add(frame: Picture, rng: Random) -> Picture:
        noise = rng.standard_normal(frame.shape, np.float32)
        noise *= np.float32(rng.uniform(2, most))  # in place: a 2160p frame of numbers is 100 MB
        noise += frame
        return u8(np.clip(noise, 0, 255, out=noise).astype(np.uint8))

    return add


def glaring(frame: Picture, rng: Random) -> Picture:
    """One to three soft reflections of lamps, up to wholly white in their middle."""
    fine = frame.shape[1] / _LAMPS_FOR_PX
    height, width = (round(v / fine) for v in frame.shape[:2])
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    light = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        across, along = rng.uniform(width * 0.1, width * 0.9), rng.uniform(height * 0.1, height * 0.9)
        wide, high = rng.uniform(25, 120, 2)
        light += np.float32(rng.uniform(60, 255)) * np.exp(-(((x - across) / wide) ** 2 + ((y - along) / high) ** 2))
    if fine != 1:
        light = np.asarray(cv2.resize(light, frame.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    return u8(np.clip(frame + light[:, :, None], 0, 255).astype(np.uint8))


def lost_in_light(
    clean: Picture, spoilt: Picture, outlines: Sequence[Points], card_mm: tuple[float, float]
) -> list[bool]:
    """Of each card of a row whether light has wiped out its print, so that nobody could tell what it is.

    That is so where more than half of all its print that shows has become as white as paper, and also more than half
    of each index that shows. It is told by the picture as it was before and as it is, not by what a reader made of it.
    `outlines` are the cards' corners, each card upon the one before.
    """
    ink = darkest_channel(clean) < _DARK
    white = darkest_channel(u8(cv2.blur(spoilt, (3, 3)))) >= _WHITE
    width, height = card_mm
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    lost = []
    for number, outline in enumerate(outlines):
        move = np.asarray(cv2.getPerspectiveTransform(whole, outline.astype(np.float32)), np.float64)
        left, top, right, bottom = INDEX_MM
        boxes = [(left, top, right, bottom), (width - right, height - bottom, width - left, height - top)]
        parts = [outline] + [project(move, [(a, b), (c, b), (c, d), (a, d)]) for a, b, c, d in boxes]
        gone = []
        for part in parts:
            shows = np.zeros(clean.shape[:2], np.uint8)
            cv2.fillConvexPoly(shows, np.round(part).astype(np.int32), (1,))
            area = int(shows.sum())
            for upper in outlines[number + 1 :]:
                cv2.fillConvexPoly(shows, np.round(upper).astype(np.int32), (0,))
            printed = ink & (shows > 0)
            if int(shows.sum()) > 0.5 * area or part is outline:
                gone.append(int((printed & white).sum()) > _LOST_SHARE * int(printed.sum()))
        lost.append(all(gone))
    return lost


def one_after_another(*parts: Spoilt) -> Spoilt:
    def through(frame: Picture, rng: Random) -> Picture:
        for part in parts:
            frame = part(frame, rng)
        return frame

    return through


CONDITIONS: dict[str, Condition] = {
    "plain": Condition(),
    "blur up to 1 px": Condition(spoilt=blurred(1.0)),
    "noise up to 16 levels": Condition(spoilt=noisy(16)),
    "glare": Condition(spoilt=glaring, glare=True),
    "tilt up to 20 degrees": Condition(seen=tilted(0, 20)),
    "tilt of 20 to 45 degrees": Condition(seen=tilted(20, 45)),
    "overlap up to 30 %": Condition(seen=overlapping(0.3)),
    "all of them together": Condition(
        seen=lambda layout, rng: overlapping(0.3)(tilted(0, 45)(layout, rng), rng),
        spoilt=one_after_another(glaring, blurred(0.6), noisy(10)),
        glare=True,
    ),
}
