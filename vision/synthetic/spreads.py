"""Pictures of cards by themselves from above: a spread or a fan of up to 54 on felt, at any angle, in any light.

What differs from table to table differs here: how the camera leans, how far it is, from where and how hard the light
falls, how carelessly hands lay cards, the backs' artwork, and print on the felt.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, project, u8
from vision.places import Box, Place
from vision.scene import Pile, SceneCard
from vision.synthetic.cards import CARD_MM
from vision.synthetic.piles import lay_pile
from vision.synthetic.spread_light import ONE_LAMP, Back, Light, card_in_light, pair_in_light, random_light
from vision.synthetic.sprites import lay

Matrix = npt.NDArray[np.float64]
_PRINTS = ((70, 190, 225), (60, 60, 190), (205, 215, 215))
_FELTS = ((62, 96, 26), (96, 60, 24), (40, 34, 96), (52, 50, 50))


@dataclass(frozen=True, slots=True)
class SpreadView:
    """How cards lie and how they are photographed. `doubled` is the number of a card that lies on another like it."""

    pitch_mm: float = 9.0
    turn_deg: float = 0.0
    px_per_mm: float = 3.0
    blur_px: float = 0.8
    noise: float = 4.0
    unevenness: float = 0.3
    felt: int = 0
    doubled: int | None = None
    doubled_by_mm: float = 0.0
    """How far to the right of the card beneath it that other one lies; 0 exactly upon it."""
    light: Light = ONE_LAMP
    tilt_deg: float = 0.0
    """Between the camera's axis and the plumb line."""
    tilt_toward_deg: float = 0.0
    distance: float = 1.6
    """Of the camera, as a multiple of the longer side of what it shows."""
    miss_deg: float = 0.25
    """Standard deviation of how cards are turned against each other; twice that is the most."""
    back: Back | None = None
    """None for the backs of our own deck."""
    printed: bool = False
    """Lines of print on the felt, some of them below the cards."""


def random_view(rng: np.random.Generator) -> SpreadView:
    """A view as somebody holding a camera above a table might take it."""
    return SpreadView(
        pitch_mm=float(rng.uniform(4.5, 16.0)),
        turn_deg=float(rng.uniform(-180, 180)),
        px_per_mm=float(rng.uniform(2.4, 3.2)),
        blur_px=float(rng.uniform(0.4, 1.1)),
        noise=float(rng.uniform(1, 8)),
        unevenness=float(rng.uniform(0.05, 0.4)),
        felt=int(rng.integers(len(_FELTS))),
        light=random_light(rng),
        tilt_deg=float(rng.uniform(0, 20) if rng.random() < 0.6 else 0.0),
        tilt_toward_deg=float(rng.uniform(-180, 180)),
        distance=float(rng.uniform(1.2, 2.4)),
        miss_deg=float(rng.uniform(0.1, 0.7)),
        back=Back(int(rng.integers(1, 1000)), float(rng.uniform(2.5, 4.5))) if rng.random() < 0.5 else None,
        printed=bool(rng.random() < 0.35),
    )


def spread_picture(cards: tuple[SceneCard, ...], view: SpreadView, rng: np.random.Generator) -> Picture:
    """A spread, each card upon the one before, hands missing by a little. BGR."""
    count = len(cards)
    steps = view.pitch_mm * np.clip(1 + rng.normal(0, 0.08, count), 0.8, 1.2)
    left = np.concatenate([[0.0], np.cumsum(steps)])[:count]
    places = []
    for number in range(count):
        miss = np.clip(rng.normal(0, 0.5, 3), -1, 1) * min(1.0, view.pitch_mm / 8)
        places.append(_rigid(left[number] + 0.15 * miss[0], 0.7 * miss[1], 2 * view.miss_deg * miss[2]))
    return _photograph(cards, places, view, rng)


def fan_picture(
    cards: tuple[SceneCard, ...], view: SpreadView, rng: np.random.Generator, radius_mm: float = 130.0
) -> Picture:
    """A fan: each card turned about a point `radius_mm` below its middle, `pitch_mm` apart at its upper end."""
    count = len(cards)
    steps = view.pitch_mm / (radius_mm + CARD_MM[1] / 2) * np.clip(1 + rng.normal(0, 0.08, count), 0.8, 1.2)
    turns = np.concatenate([[0.0], np.cumsum(steps)])[:count]
    places = []
    for turn in np.degrees(turns - turns.mean()):
        miss = np.clip(rng.normal(0, 0.5, 2), -1, 1) * min(1.0, view.pitch_mm / 8)
        pivot = _rigid(0.0, radius_mm, float(turn))
        places.append(pivot @ _rigid(0.15 * miss[0], -radius_mm + 0.7 * miss[1], 0.0))
    return _photograph(cards, places, view, rng)


def squared_picture(cards: tuple[SceneCard, ...], view: SpreadView, rng: np.random.Generator) -> Picture:
    """A stack squared by hand: its upper card, and the edges of those below it."""
    place = Place("stack", Box((0.0, 0.0), (CARD_MM[0] + 8.0, CARD_MM[1] + 16.0)), 10.0, 5.0, len(cards))
    hand = np.clip(rng.normal(0, 0.5, (1, 3)), -1, 1)

    def lay_stack(canvas: Picture, to_px: Matrix) -> None:
        lay_pile(canvas, (0, 0), Pile(cards, "squared"), place, CARD_MM, hand, to_px)

    return _photograph(cards[-1:], [_rigid(0.0, 0.0, 0.0)], view, rng, lay_stack)


def _photograph(
    cards: tuple[SceneCard, ...],
    places: list[Matrix],
    view: SpreadView,
    rng: np.random.Generator,
    lay_them: Callable[[Picture, Matrix], None] | None = None,
) -> Picture:
    """Lay cards at their places, their middles in millimetres, on felt just large enough, and photograph them.

    `lay_them` lays them in another way, with the matrix from millimetres to pixels.
    """
    width, height = CARD_MM
    outline = np.array(
        [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    )
    turned = _rigid(0.0, 0.0, view.turn_deg)
    corners: Points = np.vstack([project(turned @ place, outline) for place in places])
    to_px, size = _camera(corners, view)
    to_px = to_px @ turned
    canvas = np.empty((size[1], size[0], 3), np.uint8)
    canvas[:] = _FELTS[view.felt]
    canvas = u8(cv2.add(canvas, rng.integers(0, 10, canvas.shape, np.uint8)))
    if view.printed:
        _print_on(canvas, view, rng)
    if lay_them is not None:
        lay_them(canvas, to_px)
    for number, (card, place) in enumerate(() if lay_them is not None else zip(cards, places, strict=True)):
        at = to_px @ place
        if number == view.doubled:
            lay(canvas, (0, 0), pair_in_light(card, view.light, view.back, view.doubled_by_mm), at)
        else:
            lay(canvas, (0, 0), card_in_light(card, view.light, view.back), at)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = (x / size[0] - 0.5) * np.cos(angle) + (y / size[1] - 0.5) * np.sin(angle)
    light = 0.93 - view.unevenness * (along - along.min()) / (along.max() - along.min())
    lit = canvas.astype(np.float32) * light[:, :, None]
    soft = np.asarray(cv2.GaussianBlur(lit, (0, 0), view.blur_px), np.float32)
    soft += rng.standard_normal(soft.shape, np.float32) * view.noise
    return u8(np.clip(np.round(soft), 0, 255).astype(np.uint8))


def _camera(corners: Points, view: SpreadView) -> tuple[Matrix, tuple[int, int]]:
    """The matrix from millimetres to pixels for a camera that leans, and the picture's width and height."""
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    away = view.distance * float((corners.max(axis=0) - corners.min(axis=0)).max() + 100.0)
    lean, toward = np.deg2rad(view.tilt_deg), np.deg2rad(view.tilt_toward_deg)
    along = np.array([np.cos(toward), np.sin(toward)])
    # What lies toward the lean is farther away; distances along it are foreshortened.
    flat = np.eye(2) + (np.cos(lean) - 1) * np.outer(along, along)
    recede = np.sin(lean) * along / away
    to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    lens = np.array([[*(view.px_per_mm * flat[0]), 0], [*(view.px_per_mm * flat[1]), 0], [*recede, 1.0]]) @ to_middle
    seen = project(lens, corners)
    margin = 25.0 * view.px_per_mm
    low, high = seen.min(axis=0) - margin, seen.max(axis=0) + margin
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
    return shift @ lens, (round(high[0] - low[0]), round(high[1] - low[1]))


def _print_on(canvas: Picture, view: SpreadView, rng: np.random.Generator) -> None:
    """Lines, arcs and words as layouts bear them: thin, yellow, red or white."""
    ink = _PRINTS[int(rng.integers(len(_PRINTS)))]
    height, width = canvas.shape[:2]
    thick = max(1, round(view.px_per_mm * float(rng.uniform(0.6, 1.8))))
    for _ in range(int(rng.integers(1, 4))):
        ends = [(int(rng.integers(width)), int(rng.integers(height))) for _ in range(2)]
        cv2.line(canvas, ends[0], ends[1], ink, thick, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 3))):
        middle = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.circle(canvas, middle, int(rng.integers(20, 120) * view.px_per_mm), ink, thick, cv2.LINE_AA)
    at = (int(rng.integers(width)), int(rng.integers(height)))
    cv2.putText(canvas, "INSURANCE", at, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * view.px_per_mm, ink, thick, cv2.LINE_AA)


def _rigid(x: float, y: float, turn_deg: float) -> Matrix:
    turn = np.deg2rad(turn_deg)
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    return np.array([[cos, -sin, x], [sin, cos, y], [0.0, 0.0, 1.0]])
