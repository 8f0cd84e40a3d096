"""Photographs of a described table: perspective, uneven light, slight blur, sensor noise and hands that place by eye.

The undisturbed table is drawn once. A frame redraws only the parts that changed since the frame before, yet every frame
depends on seed, scene and index alone.
"""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points, project, u8
from vision.places import Box, TableLayout
from vision.scene import PLACES, POSITIONS, Pile, Scene
from vision.synthetic.cards import face_image
from vision.synthetic.felt import draw_felt
from vision.synthetic.objects import button_sprite, device_sprite, die_sprite, shaker_sprite
from vision.synthetic.piles import Faces, lay_pile, lies
from vision.synthetic.shown import Shown, shown_of
from vision.synthetic.sprites import lay
from vision.windows import Window

_PART_MARGIN_MM = 7.0
_NOISE_SIGMA = 3.2
_NOISE_ROOM = 96
"""How far the noise field is larger than a frame, so that each frame takes another part of it."""
_NOISE_STEP = 3583
"""Prime to the number of parts, so that all are taken before one comes again: two equal pictures are a fault."""
_CACHED_PARTS = 96
_LIGHT_UNIT = 200.0
_DIE_SPOTS_MM = ((-25.0, 13.0), (25.0, 13.0), (0.0, -25.0))
_OUTSIDE_SPOTS_MM = ((-92.0, -58.0), (92.0, -58.0), (92.0, 58.0))


@dataclass(frozen=True, slots=True)
class _Part:
    """One place, device, shaker or button spot: the pixels that it may change."""

    left: int
    top: int
    mask: Picture

    def meets(self, window: Window) -> bool:
        """True when a pixel of the part lies within the window."""
        left, top = max(0, window.left - self.left), max(0, window.top - self.top)
        right, bottom = window.left + window.width - self.left, window.top + window.height - self.top
        return right > 0 and bottom > 0 and bool(self.mask[top:bottom, left:right].any())


class Renderer:
    """Photographs scenes on one table with one camera. Not for several threads at once.

    `size_px` is the frame's width and height; the layout is scaled to it. `faces` draws the deck.
    """

    def __init__(
        self, layout: TableLayout, seed: int, size: tuple[int, int] = (1280, 720), faces: Faces = face_image
    ) -> None:
        self.layout = layout if layout.size_px == size else layout.scaled(size)
        self._seed = seed
        self._faces = faces
        rng = np.random.default_rng([seed, 0xCA4D])
        self._felt = draw_felt(self.layout, rng)
        self._light = _uneven_light(size, rng)
        self._noise = _noise_fields(size, rng)
        self._hands = {name: _hand(seed, number) for number, name in enumerate((*PLACES, "shaker", "button"))}
        self._parts = self._find_parts()
        self._within: dict[Window, tuple[str, ...]] = {}
        self._shown: dict[str, Hashable] = dict.fromkeys(self._parts, None)
        self._drawn: OrderedDict[tuple[str, Hashable], Picture] = OrderedDict()
        self._clean = _finish(self._felt, self._light)
        self._empty = self._clean.copy()

    def frame(self, scene: Scene, index: int) -> Picture:
        """Frame number `index` of a scene, BGR, `(height, width, 3)`."""
        return self.draw(shown_of(scene, self.layout), index)

    def draw(self, shown: Shown, index: int) -> Picture:
        """The picture of what parts of the table show, with the noise of frame number `index`."""
        self._show_all(shown)
        frame = np.empty_like(self._clean)
        self._expose(frame, index, (slice(None), slice(None)))
        return frame

    def draw_within(self, windows: Sequence[Window], shown: Shown, index: int) -> Picture:
        """The same picture, of which only the pixels within these windows are drawn; the others are anything."""
        self._show_all({name: shown[name] for window in windows for name in self.parts_within(window)})
        frame = np.empty_like(self._clean)
        for one in windows:
            self._expose(frame, index, (slice(one.top, one.top + one.height), slice(one.left, one.left + one.width)))
        return frame

    def _expose(self, frame: Picture, index: int, window: tuple[slice, slice]) -> None:
        """Take a window of the picture, with its noise."""
        more, less = self._noise
        dy, dx = divmod((self._seed + index * _NOISE_STEP) % _NOISE_ROOM**2, _NOISE_ROOM)
        height, width = self._clean.shape[:2]
        here = (slice(dy, dy + height), slice(dx, dx + width))
        # In place: a second picture's worth of memory costs more than the arithmetic.
        taken = frame[window]
        cv2.subtract(self._clean[window], less[here][window], dst=taken)
        cv2.add(taken, more[here][window], dst=taken)

    def outlines(self, place: str, pile: Pile) -> tuple[Points, ...]:
        """Corners of the cards of a pile whose side shows, `(4, 2)` pixels each, clockwise from the upper left."""
        layout = self.layout
        width, height = layout.card_mm
        corners = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
        locals_ = lies(pile, layout.places[place], layout.card_mm, self._hands[place])
        return tuple(project(layout.mm_to_px @ local, corners) for local in locals_)

    def parts_within(self, window: Window) -> tuple[str, ...]:
        """Names of the parts that may change a pixel of this window."""
        if window not in self._within:
            self._within[window] = tuple(name for name, part in self._parts.items() if part.meets(window))
        return self._within[window]

    def _show_all(self, shown: Shown) -> None:
        for name, state in shown.items():
            if self._shown[name] != state:
                self._show(name, state)
                self._shown[name] = state

    def _show(self, name: str, state: Hashable) -> None:
        part = self._parts[name]
        height, width = part.mask.shape[:2]
        window = (slice(part.top, part.top + height), slice(part.left, part.left + width))
        patch = self._empty[window] if state is None else self._patch(name, state)
        cv2.copyTo(patch, part.mask, self._clean[window])

    def _patch(self, name: str, state: Hashable) -> Picture:
        key = (name, state)
        if key in self._drawn:
            self._drawn.move_to_end(key)
            return self._drawn[key]
        part = self._parts[name]
        height, width = part.mask.shape[:2]
        window = (slice(part.top, part.top + height), slice(part.left, part.left + width))
        canvas = self._felt[window].copy()
        self._draw(canvas, (part.left, part.top), name, state)
        self._drawn[key] = _finish(canvas, self._light[window])
        if len(self._drawn) > _CACHED_PARTS:
            self._drawn.popitem(last=False)
        return self._drawn[key]

    def _draw(self, canvas: Picture, origin: tuple[int, int], name: str, state: Hashable) -> None:
        layout, to_px = self.layout, self.layout.mm_to_px
        if isinstance(state, Pile):
            place, hand = layout.places[name], self._hands[name]
            lay_pile(canvas, origin, state, place, layout.card_mm, hand, to_px, self._faces)
        elif name in layout.devices:
            device = layout.devices[name]
            lay(canvas, origin, device_sprite(device), to_px @ device.box.to_table())
        elif name == "shaker":
            self._draw_shaker(canvas, origin, state)
        else:
            spot = Box(layout.button_spots_mm[name.removeprefix("button/")], (1.0, 1.0))
            x, y, turn = self._hands["button"][POSITIONS.index(name.removeprefix("button/"))]
            sprite = button_sprite(layout.button_radius_mm)
            lay(canvas, origin, sprite, to_px @ spot.to_table((x * 1.5, y * 1.5), turn * 8))

    def _draw_shaker(self, canvas: Picture, origin: tuple[int, int], state: Hashable) -> None:
        shaker, to_px = self.layout.shaker, self.layout.mm_to_px
        covered = state == ("covered",)
        lay(canvas, origin, shaker_sprite(covered, shaker.radius_mm), to_px @ shaker.zone.to_table())
        if covered or not isinstance(state, tuple):
            return
        for number, die in enumerate(state):
            x, y, turn = self._hands["shaker"][number]
            spots = _OUTSIDE_SPOTS_MM if die.pose == "outside" else _DIE_SPOTS_MM
            at = spots[number % 3]
            sprite = die_sprite(die.value, die.pose, shaker.die_mm)
            lay(canvas, origin, sprite, to_px @ shaker.zone.to_table((at[0] + x * 2, at[1] + y * 2), turn * 50))

    def _find_parts(self) -> dict[str, _Part]:
        """The pixels of each part. A pixel belongs to one part only, so that the order of drawing means nothing."""
        layout = self.layout
        boxes: dict[str, tuple[Box, float]] = {p.name: (p.box, _PART_MARGIN_MM) for p in layout.places.values()}
        boxes |= {d.name: (d.box, _PART_MARGIN_MM) for d in layout.devices.values()}
        boxes["shaker"] = (layout.shaker.zone, 2.0)
        radius = layout.button_radius_mm
        for position in POSITIONS:
            boxes[f"button/{position}"] = (Box(layout.button_spots_mm[position], (2 * radius, 2 * radius)), 5.0)
        taken = np.zeros(layout.size_px[::-1], np.uint8)
        parts = {}
        for name, (box, margin) in boxes.items():
            outline = np.round(project(layout.mm_to_px, box.corners_mm(margin))).astype(np.int32)
            mask = np.zeros_like(taken)
            cv2.fillConvexPoly(mask, outline, (255,))
            mask[taken > 0] = 0
            taken |= mask
            left, top, width, height = cv2.boundingRect(mask)
            parts[name] = _Part(left, top, mask[top : top + height, left : left + width].copy())
        return parts


def _finish(canvas: Picture, light: Picture) -> Picture:
    """Light, then the lens' slight blur."""
    lit = cv2.multiply(canvas, light, scale=1 / _LIGHT_UNIT)
    return u8(cv2.GaussianBlur(lit, (3, 3), 0.55, borderType=cv2.BORDER_REPLICATE))


def _uneven_light(size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """A lamp above the middle, a brighter side somewhere: 0.70 to 0.98 of full light, as `_LIGHT_UNIT` is one."""
    width, height = size
    u = np.arange(width, dtype=np.float32)[None, :] / width - 0.5
    v = np.arange(height, dtype=np.float32)[:, None] / height - 0.45
    angle = rng.uniform(0, 2 * np.pi)
    side = 0.05 * (u * np.cos(angle) + v * np.sin(angle))
    light = 0.70 + 0.26 * np.exp(-(u * u * 2.6 + v * v * 3.2)) + side
    level = np.clip(light * _LIGHT_UNIT, 0, 255).astype(np.uint8)
    return u8(cv2.merge([level, level, level]))


def _noise_fields(size: tuple[int, int], rng: np.random.Generator) -> tuple[Picture, Picture]:
    """What noise adds and what it takes away, each 0 or more, larger than a frame."""
    shape = (size[1] + _NOISE_ROOM, size[0] + _NOISE_ROOM, 3)
    noise = np.round(rng.standard_normal(shape, np.float32) * _NOISE_SIGMA)
    return u8(np.clip(noise, 0, 255)), u8(np.clip(-noise, 0, 255))


def _hand(seed: int, number: int) -> npt.NDArray[np.float64]:
    """How far each of up to 64 things at a place misses its spot: x, y and turn, each within -1 to 1."""
    rng = np.random.default_rng([seed, 0x4A4D, number])
    return np.asarray(np.clip(rng.normal(0, 0.5, (64, 3)), -1, 1), np.float64)
