"""What cards lie on and among: plain, mottled, striped and printed grounds, and things that are not cards."""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, u8

Rng = np.random.Generator
Canvas = npt.NDArray[np.float32]


def random_ground(rng: Rng, size: tuple[int, int]) -> Picture:
    """A ground to lay cards on, `size` being width and height in pixels, BGR."""
    kinds: tuple[Callable[[Rng, int, int], Canvas], ...] = (_mottled, _mottled, _striped, _woven, _cluttered, _printed)
    width, height = size
    canvas = kinds[int(rng.integers(len(kinds)))](rng, width, height)
    return u8(np.clip(canvas, 0, 255).astype(np.uint8))


def smooth_noise(rng: Rng, width: int, height: int, cells: int) -> Canvas:
    """Noise of about unit spread whose spots are `1/cells` of the picture."""
    rough = rng.standard_normal((max(2, cells), max(2, cells))).astype(np.float32)
    return np.asarray(cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _colour(rng: Rng) -> Canvas:
    if rng.random() < 0.25:
        return np.asarray(np.full(3, rng.uniform(10, 235)) + rng.normal(0, 8, 3), np.float32)
    return np.asarray(rng.uniform(5, 215, 3), np.float32)


def _mottled(rng: Rng, width: int, height: int) -> Canvas:
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = _colour(rng)
    canvas += smooth_noise(rng, width, height, int(rng.integers(2, 8)))[:, :, None] * float(rng.uniform(0, 22))
    grain = smooth_noise(rng, width, height, int(rng.integers(30, 120)))[:, :, None]
    return np.asarray(canvas + grain * float(rng.uniform(0, 40)), np.float32)


def _striped(rng: Rng, width: int, height: int) -> Canvas:
    """Planks and grain, turned at random."""
    side = 2 * max(width, height)
    base, other = _colour(rng), _colour(rng)
    rows = np.interp(np.arange(side), np.arange(0, side, 3), rng.standard_normal(len(range(0, side, 3)))).astype(
        np.float32
    )
    weave = rows[:, None] + smooth_noise(rng, side, side, 6)
    weave = (np.tanh(weave * float(rng.uniform(0.6, 2))) + 1) / 2
    canvas = base + (other - base) * weave[:, :, None] * float(rng.uniform(0.2, 1))
    for y in range(0, side, int(rng.integers(40, 200))):
        canvas[y : y + 2] *= 0.6
    move = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 180)), 1)
    move[:, 2] += np.array([width / 2 - side / 2, height / 2 - side / 2])
    return np.asarray(cv2.warpAffine(np.asarray(canvas, np.float32), move, (width, height)), np.float32)


def _woven(rng: Rng, width: int, height: int) -> Canvas:
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    pitch = rng.uniform(3, 24, 2)
    turn = float(rng.uniform(0, np.pi))
    u = x * np.cos(turn) + y * np.sin(turn)
    v = y * np.cos(turn) - x * np.sin(turn)
    weave = np.sign(np.sin(2 * np.pi * u / pitch[0]) * np.sin(2 * np.pi * v / pitch[1]))
    soft = cv2.GaussianBlur(np.asarray(weave, np.float32), (0, 0), 0.8)
    base, other = _colour(rng), _colour(rng)
    return np.asarray(base + (other - base) * (soft[:, :, None] + 1) / 2, np.float32)


def _cluttered(rng: Rng, width: int, height: int) -> Canvas:
    canvas = _mottled(rng, width, height)
    for _ in range(int(rng.integers(4, 22))):
        draw_thing(rng, canvas, None)
    return canvas


def _printed(rng: Rng, width: int, height: int) -> Canvas:
    """Lettering and signs such as lie on any table, none of them an index."""
    canvas = _mottled(rng, width, height)
    face = cv2.FontFace("sans")
    drawn = np.clip(canvas, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(2, 12))):
        text = "".join(
            rng.choice(list("ABCDEFGHIKMNOPRSTUVWXYZ0123456789aceghikmorst♪★●■▲"))
            for _ in range(int(rng.integers(1, 9)))
        )
        at = (int(rng.integers(-20, width)), int(rng.integers(0, height)))
        colour = tuple(int(v) for v in rng.integers(0, 255, 3))
        cv2.putText(drawn, text, at, colour, face, int(rng.integers(8, 50)), int(rng.integers(300, 900)))
    return np.asarray(drawn, np.float32)


def draw_thing(rng: Rng, canvas: Canvas, cover: npt.NDArray[np.int32] | None) -> None:
    """Something that is no card, with an outline at times; where it lies, `cover` becomes -1."""
    height, width = canvas.shape[:2]
    colour = tuple(
        float(v)
        for v in (rng.uniform((90, 120, 150), (190, 210, 250)) if rng.random() < 0.3 else rng.uniform(0, 255, 3))
    )
    centre = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
    size = rng.uniform(0.04, 0.35, 2) * min(width, height)
    if rng.random() < 0.5:
        points = cv2.ellipse2Poly(
            (int(centre[0]), int(centre[1])),
            (int(size[0]) + 1, int(size[1]) + 1),
            int(rng.integers(0, 180)),
            0,
            360,
            12,
        )
    else:
        box = (centre, (float(size[0] * 2), float(size[1] * 2)), float(rng.uniform(0, 180)))
        points = cv2.boxPoints(box).astype(np.int32).tolist()
    shape = np.asarray(points, np.int32).reshape(-1, 1, 2)
    cv2.fillPoly(canvas, [shape], colour, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.polylines(canvas, [shape], True, tuple(v * 0.4 for v in colour), int(rng.integers(1, 4)), cv2.LINE_AA)
    if cover is not None:
        cv2.fillPoly(cover, [shape], -1)
