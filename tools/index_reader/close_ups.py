"""Close-ups of single indices, drawn on their own, and of what is none: most of what the closer look is trained on.

An index is drawn large, put into a small picture as a camera would take it at any angle and distance, spoilt, and cut
out again upright, a little off. Fonts are those of a folder; every eighth is kept for measuring.

    python tools/index_reader/close_ups.py OUT --fonts DIR --shards 8 --each 5000
    python tools/index_reader/close_ups.py OUT --fonts DIR --held --shards 1 --each 5000
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from tools.index_reader.patches import NONE
from tools.index_reader.pictures import font_files
from tools.index_reader.suit_shapes import random_suit
from vision.indices.close_look import INDEX_PX, PATCH_PX
from vision.indices.letters import LETTERS, SUITS
from vision.synthetic.decks.design import Lettering
from vision.synthetic.decks.glyphs import rank_mask, suit_mask
from vision.synthetic.decks.grounds import smooth_noise

Rng = np.random.Generator
Canvas = npt.NDArray[np.float32]
Mask = npt.NDArray[np.float32]

_WIDE, _TALL, _INDEX = 84, 108, 48.0
_OTHER_LETTERS = "EGHLMNPTUWXYZ0&?"
_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Glyphs:
    """Masks of ranks and suits in many letterings."""

    def __init__(self, fonts: Sequence[Path]) -> None:
        cv2.setNumThreads(1)
        self.ranks: list[dict[str, Mask]] = []
        self.others: list[dict[str, Mask]] = []
        self.suits: list[dict[str, Mask]] = []
        sources = [Lettering(str(font), 400, 1.0) for font in fonts]
        sources += [Lettering("strokes", weight, 1.0) for weight in range(100, 230, 12)]
        for source in sources:
            masks = {letter: _small(rank_mask(source, letter)) for letter in LETTERS}
            if min(mask.shape[1] for mask in masks.values()) < 3:
                continue
            self.ranks.append(masks)
            if source.font != "strokes":
                self.others.append({letter: _small(rank_mask(source, letter)) for letter in _OTHER_LETTERS})
                signs = {suit: _small(rank_mask(source, sign)) for suit, sign in _SIGNS.items()}
                if len({mask.tobytes() for mask in signs.values()}) == len(signs):
                    self.suits.append(signs)

    def suit(self, rng: Rng, suit: str) -> Mask:
        draw = rng.random()
        if draw < 0.5:
            return _small(random_suit(rng, suit))
        if self.suits and draw < 0.75:
            return self.suits[int(rng.integers(len(self.suits)))][suit]
        steps = (np.linspace(0.8, 1.2, 7), np.linspace(0.88, 1.1, 4), np.linspace(0.75, 1.3, 8))
        shape = tuple(float(rng.choice(step)) for step in steps)
        return _small(suit_mask(suit, shape, False))  # type: ignore[arg-type]


def _small(mask: Mask) -> Mask:
    width = max(2, round(mask.shape[1] * 36 / mask.shape[0]))
    return np.asarray(cv2.resize(mask, (min(width, 66), 36), interpolation=cv2.INTER_AREA), np.float32)


def close_up(rng: Rng, glyphs: Glyphs) -> tuple[Canvas, int, int]:
    """A patch `(64, 48, 3)` from 0 to 255, what it says, and its suit or -1."""
    draw = rng.random()
    if draw < 0.7:
        canvas, letter, suit = _index(rng, glyphs)
        return _taken(rng, canvas, 0.0, (0.0, 0.0), 1.0), letter, suit
    return _none(rng, glyphs), NONE, -1


def _index(rng: Rng, glyphs: Glyphs) -> tuple[Canvas, int, int]:
    letter = int(rng.integers(13)) if rng.random() < 0.86 else int(rng.integers(13, len(LETTERS)))
    suit = int(rng.integers(4))
    font = glyphs.ranks[int(rng.integers(len(glyphs.ranks)))]
    canvas = _corner(rng)
    ink = _ink(rng, suit)
    _surroundings(rng, canvas, glyphs, suit, ink)
    _stamp_index(rng, canvas, font[LETTERS[letter]], glyphs.suit(rng, SUITS[suit]), ink, len(LETTERS[letter]) > 1)
    return canvas, letter, suit


def _stamp_index(
    rng: Rng, canvas: Canvas, rank: Mask, suit: Mask, ink: Canvas, ten: bool, parts: str = "both"
) -> tuple[float, float]:
    """Rank over suit about the middle; the heights at which the rank ends and the suit begins."""
    share, gap = float(rng.uniform(0.44, 0.7)), float(rng.uniform(0.0, 0.13))
    rank_high, suit_high = share * _INDEX, (1 - share - gap) * _INDEX
    squeeze = float(rng.uniform(0.55, 1.1)) * (float(rng.uniform(0.55, 0.95)) if ten else 1.0)
    rank_wide = float(np.clip(rank.shape[1] / rank.shape[0] * squeeze, 0.12, 1.25)) * rank_high
    suit_wide = float(np.clip(suit.shape[1] / suit.shape[0], 0.6, 1.25)) * suit_high * float(rng.uniform(0.9, 1.1))
    top, aside = _TALL / 2 - _INDEX / 2, float(rng.normal(0, 0.02)) * _INDEX
    weight = float(rng.normal(0, 1)) if rng.random() < 0.6 else 0.0
    if parts != "suit":
        _stamp(canvas, _weighted(rank, weight), (_WIDE / 2, top + rank_high / 2), (rank_wide, rank_high), ink)
    if parts != "rank":
        middle = top + _INDEX - suit_high / 2
        _stamp(canvas, suit, (_WIDE / 2 + aside, middle), (suit_wide, suit_high), ink)
    return top + rank_high, top + _INDEX - suit_high


def _weighted(mask: Mask, weight: float) -> Mask:
    """The same glyph, bolder or finer."""
    if abs(weight) < 0.3:
        return mask
    soft = cv2.GaussianBlur(mask, (0, 0), 1.4)
    level = 0.5 - 0.16 * float(np.clip(weight, -1.2, 2))
    out = np.clip((soft - level) * 3.5 + 0.5, 0, 1)
    return np.asarray(out if out.max() > 0.9 else mask, np.float32)


def _stamp(canvas: Canvas, mask: Mask, at: tuple[float, float], size: tuple[float, float], ink: Canvas) -> None:
    sx, sy = size[0] / mask.shape[1], size[1] / mask.shape[0]
    move = np.array([[sx, 0, at[0] - size[0] / 2], [0, sy, at[1] - size[1] / 2]])
    cover = cv2.warpAffine(mask, move, (canvas.shape[1], canvas.shape[0]), flags=cv2.INTER_LINEAR)[:, :, None]
    canvas += (ink - canvas) * cover


def _ink(rng: Rng, suit: int) -> Canvas:
    draw = rng.random()
    if SUITS[suit] in "dh":
        if draw < 0.06 and SUITS[suit] == "d":
            return rng.uniform((130, 50, 0), (235, 130, 70)).astype(np.float32)
        return rng.uniform((10, 0, 140), (85, 75, 250)).astype(np.float32)
    if draw < 0.06 and SUITS[suit] == "c":
        return rng.uniform((0, 90, 0), (80, 165, 70)).astype(np.float32)
    return np.asarray(rng.uniform(0, 60) + rng.normal(0, 6, 3), np.float32)


def _any_colour(rng: Rng) -> Canvas:
    if rng.random() < 0.35:
        return np.asarray(rng.uniform(5, 250) + rng.normal(0, 10, 3), np.float32)
    return rng.uniform(0, 240, 3).astype(np.float32)


def _ground(rng: Rng) -> Canvas:
    canvas = np.empty((_TALL, _WIDE, 3), np.float32)
    canvas[:] = _any_colour(rng)
    if rng.random() < 0.6:
        grain = smooth_noise(rng, _WIDE, _TALL, int(rng.integers(3, 40)))
        canvas += grain[:, :, None] * float(rng.uniform(4, 40))
    return canvas


def _corner(rng: Rng) -> Canvas:
    """Paper, whose left and upper edge lie where a card's do, with what is beyond."""
    paper = (255 - rng.uniform(0, 26) - rng.uniform(0, 8, 3)).astype(np.float32)
    canvas = _ground(rng) if rng.random() < 0.75 else np.full((_TALL, _WIDE, 3), paper * 0.96, np.float32)
    left = _WIDE / 2 - _INDEX * float(rng.uniform(0.27, 0.62))
    top = _TALL / 2 - _INDEX * float(rng.uniform(0.56, 0.95))
    reach = int(rng.integers(2, 14))
    cover = np.zeros((_TALL, _WIDE), np.uint8)
    box = (round(left), round(top))
    cv2.rectangle(cover, (box[0] + reach, box[1]), (_WIDE, _TALL), 255, -1)
    cv2.rectangle(cover, (box[0], box[1] + reach), (_WIDE, _TALL), 255, -1)
    cv2.circle(cover, (box[0] + reach, box[1] + reach), reach, 255, -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(cover, (0, 0), float(rng.uniform(1, 4))).astype(np.float32) / 255
    canvas *= 1 - soft[:, :, None] * float(rng.uniform(0, 0.7))
    canvas += (paper - canvas) * (cover[:, :, None] / np.float32(255))
    return canvas


def _surroundings(rng: Rng, canvas: Canvas, glyphs: Glyphs, suit: int, ink: Canvas) -> None:
    """What stands to the right of an index: pips, a court picture and its frame, another card, or nothing."""
    draw, edge = rng.random(), _WIDE / 2 + _INDEX * float(rng.uniform(0.27, 0.6))
    if draw < 0.27:
        mask = glyphs.suit(rng, SUITS[suit])
        size = _INDEX * float(rng.uniform(0.55, 1.2))
        for _ in range(int(rng.integers(1, 3))):
            at = (edge + size * mask.shape[1] / mask.shape[0] / 2, float(rng.uniform(0.1, 0.95)) * _TALL)
            turned = mask if rng.random() < 0.7 else mask[::-1]
            _stamp(canvas, np.ascontiguousarray(turned), at, (size * mask.shape[1] / mask.shape[0], size), ink)
    elif draw < 0.57:
        top = round(_TALL / 2 - _INDEX * float(rng.uniform(0.2, 0.75)))
        left = round(edge)
        court = _court(rng)
        canvas[max(0, top) :, left:] = court[max(0, top) :, left:]
        if rng.random() < 0.7:
            line = tuple(float(v) for v in _any_colour(rng) * 0.5)
            cv2.rectangle(canvas, (left, top), (_WIDE + 9, _TALL + 9), line, int(rng.integers(1, 3)), cv2.LINE_AA)
    elif draw < 0.72:
        _cover(rng, canvas, _WIDE / 2 + _INDEX * float(rng.uniform(0.3, 0.6)), float(rng.normal(0, 0.25)))


def _court(rng: Rng) -> Canvas:
    canvas = np.empty((_TALL, _WIDE, 3), np.float32)
    canvas[:] = rng.uniform(200, 255, 3)
    for _ in range(int(rng.integers(5, 18))):
        colour = tuple(float(v) for v in _any_colour(rng))
        at = (int(rng.integers(_WIDE)), int(rng.integers(_TALL)))
        size = (int(rng.integers(2, 30)), int(rng.integers(1, 18)))
        if rng.random() < 0.5:
            cv2.ellipse(canvas, at, size, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
            cv2.ellipse(canvas, at, size, float(rng.uniform(0, 180)), 0, 360, (20.0, 20.0, 20.0), 1, cv2.LINE_AA)
        else:
            to = (at[0] + size[0], at[1] + int(rng.integers(-24, 24)))
            cv2.line(canvas, at, to, colour, int(rng.integers(1, 9)), cv2.LINE_AA)
    return canvas


def _cover(rng: Rng, canvas: Canvas, x: float, turn: float) -> None:
    """Lay something over all that lies right of a line through `x`, leaning by `turn`."""
    yy, xx = np.mgrid[0:_TALL, 0:_WIDE].astype(np.float32)
    side = (xx - x) * np.cos(turn) + (yy - _TALL / 2) * np.sin(turn)
    over = _ground(rng) if rng.random() < 0.4 else np.full_like(canvas, rng.uniform(215, 255))
    canvas *= 1 - np.exp(-np.clip(-side, 0, 24) / rng.uniform(1, 5))[:, :, None] * float(rng.uniform(0, 0.6))
    canvas[side > 0] = over[side > 0]


def _none(rng: Rng, glyphs: Glyphs) -> Canvas:
    kind = rng.random()
    if kind < 0.2:  # an index turned, or far off, or of another size
        canvas, _, _ = _index(rng, glyphs)
        if kind < 0.1:
            turn = float(rng.choice([np.pi, np.pi, np.pi / 2, -np.pi / 2])) + float(rng.normal(0, 0.15))
            return _taken(rng, canvas, turn, (0.0, 0.0), 1.0)
        if kind < 0.16:
            angle, away = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.42, 1.0)) * INDEX_PX
            return _taken(rng, canvas, 0.0, (away * np.cos(angle), away * np.sin(angle)), 1.0)
        return _taken(rng, canvas, 0.0, (0.0, 0.0), float(rng.choice([0.45, 1.9])) * float(rng.uniform(0.85, 1.1)))
    suit = int(rng.integers(4))
    ink = _ink(rng, suit)
    if kind < 0.45:  # an index of which part is hidden, or was never there
        canvas = _corner(rng)
        font = glyphs.ranks[int(rng.integers(len(glyphs.ranks)))]
        letter = LETTERS[int(rng.integers(len(LETTERS)))]
        symbol = glyphs.suit(rng, SUITS[suit])
        parts = "both" if kind < 0.36 else str(rng.choice(["rank", "suit"]))
        _surroundings(rng, canvas, glyphs, suit, ink)
        rank_ends, suit_begins = _stamp_index(rng, canvas, font[letter], symbol, ink, letter == "10", parts)
        if kind < 0.36:
            _hide(rng, canvas, rank_ends, suit_begins)
    elif kind < 0.65:  # pips
        canvas = _corner(rng) if rng.random() < 0.5 else np.full((_TALL, _WIDE, 3), rng.uniform(215, 255), np.float32)
        mask = glyphs.suit(rng, SUITS[suit])
        x = float(rng.uniform(0.3, 0.7)) * _WIDE
        for _ in range(int(rng.integers(1, 5))):
            size = _INDEX * float(rng.uniform(0.35, 1.2))
            x = x if rng.random() < 0.5 else float(rng.uniform(0, _WIDE))
            turned = np.ascontiguousarray(mask if rng.random() < 0.5 else mask[::-1])
            wide = size * mask.shape[1] / mask.shape[0]
            _stamp(canvas, turned, (x, float(rng.uniform(0, _TALL))), (wide, size), ink)
    elif kind < 0.8:  # lettering that is no rank
        canvas = _corner(rng) if rng.random() < 0.6 else _ground(rng)
        other = glyphs.others[int(rng.integers(len(glyphs.others)))]
        letter = str(rng.choice(list(_OTHER_LETTERS)))
        colour = ink if rng.random() < 0.6 else _any_colour(rng)
        if rng.random() < 0.5:
            _stamp_index(rng, canvas, other[letter], glyphs.suit(rng, SUITS[suit]), colour, False)
        else:
            font = glyphs.ranks[int(rng.integers(len(glyphs.ranks)))]
            for n in range(int(rng.integers(1, 4))):
                mask = other[str(rng.choice(list(_OTHER_LETTERS)))] if rng.random() < 0.5 else font[LETTERS[n]]
                size = _INDEX * float(rng.uniform(0.2, 0.6))
                at = (_WIDE / 2 + float(rng.normal(0, 6)), _TALL / 2 + (n - 1) * size * 1.2)
                _stamp(canvas, mask, at, (size * mask.shape[1] / mask.shape[0], size), colour)
    elif kind < 0.92:
        canvas = _court(rng)
    else:
        canvas = _ground(rng)
    return _taken(rng, canvas, 0.0, (0.0, 0.0), 1.0)


def _hide(rng: Rng, canvas: Canvas, rank_ends: float, suit_begins: float) -> None:
    over = _ground(rng) if rng.random() < 0.5 else np.full_like(canvas, rng.uniform(205, 255))
    draw, top = rng.random(), _TALL / 2 - _INDEX / 2
    if draw < 0.35:
        canvas[: round(top + (rank_ends - top) * float(rng.uniform(0.35, 1.0)))] = over[0]
    elif draw < 0.6:
        start = round(suit_begins + (_TALL / 2 + _INDEX / 2 - suit_begins) * float(rng.uniform(-0.3, 0.5)))
        canvas[start:] = over[0]
    elif draw < 0.8:
        _cover(rng, canvas, _WIDE / 2 + float(rng.normal(0, 3)), float(rng.normal(0, 0.4)))
    else:
        _cover(rng, canvas, _WIDE / 2 + float(rng.normal(0, 5)), float(rng.choice([-1, 1])) * np.pi / 2)


def _taken(rng: Rng, canvas: Canvas, turn: float, off_px: tuple[float, float], zoom: float) -> Canvas:
    """Photograph the canvas from some distance and angle and cut the patch out again."""
    height = float(np.exp(rng.uniform(np.log(10.5), np.log(64))))
    angle = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.7 else float(rng.integers(4)) * np.pi / 2
    side = int(np.ceil(2.3 * height)) + 4
    scale = height / _INDEX
    skew = np.array([[1 + rng.normal(0, 0.07), rng.normal(0, 0.07)], [rng.normal(0, 0.05), 1.0]])
    to_native = _turned(angle) @ skew * scale
    sigma = max(0.0, 0.42 / scale - 0.3) + float(rng.uniform(0, 0.2))
    soft = cv2.GaussianBlur(canvas, (0, 0), sigma) if sigma > 0.3 else canvas
    move = np.column_stack([to_native, np.full(2, side / 2) - to_native @ np.array([_WIDE / 2, _TALL / 2])])
    native = cv2.warpAffine(soft, move, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    native = _spoilt(rng, np.asarray(native, np.float32), height)
    zoom = zoom * float(np.exp(rng.normal(0, 0.09))) * INDEX_PX / height
    lean = float(rng.normal(0, 0.09) if rng.random() < 0.55 else rng.uniform(-0.38, 0.38))
    back = _turned(turn - angle + lean) * zoom
    aim = np.array([PATCH_PX[0] / 2, PATCH_PX[1] / 2]) + rng.normal(0, 2.4, 2) + off_px
    shift = aim - back @ np.full(2, side / 2)
    if zoom < 0.7:
        native = cv2.GaussianBlur(native, (0, 0), 0.45 / zoom)
    kind = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_LINEAR
    patch = cv2.warpAffine(
        native, np.column_stack([back, shift]), PATCH_PX, flags=kind, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.clip(patch, 0, 255), np.float32)


def _turned(angle: float) -> npt.NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _spoilt(rng: Rng, native: Canvas, height: float) -> Canvas:
    """Light, tint, blur, noise, sharpening and JPEG at the picture's own size."""
    side = native.shape[0]
    if rng.random() < 0.5:
        slope = np.linspace(-1, 1, side, dtype=np.float32) * float(rng.normal(0, 0.15))
        native = native * (1 + (slope[:, None] if rng.random() < 0.5 else slope[None, :]))[:, :, None]
    native = native * (float(rng.uniform(0.3, 1.1)) * (1 + rng.normal(0, 0.08, 3))).astype(np.float32)
    if rng.random() < 0.25:  # haze and glare
        share = float(rng.uniform(0, 0.5))
        native = native * (1 - share) + float(rng.uniform(120, 255)) * share
    if rng.random() < 0.5:
        native = cv2.GaussianBlur(native, (0, 0), float(rng.uniform(0.25, 0.035 * height + 0.5)))
    if rng.random() < 0.15:
        reach = int(rng.integers(2, max(3, round(height * 0.1) + 2)))
        kernel = np.zeros((reach, reach), np.float32)
        cv2.line(kernel, (0, int(rng.integers(reach))), (reach - 1, int(rng.integers(reach))), 1.0)
        native = cv2.filter2D(native, -1, kernel / kernel.sum())
    native = native + rng.standard_normal(native.shape, np.float32) * float(rng.uniform(0, 10)) ** 1.1
    if rng.random() < 0.35:
        native = native + (native - cv2.GaussianBlur(native, (0, 0), 1.2)) * float(rng.uniform(0.3, 1.8))
    native = np.clip(native, 0, 255)
    if rng.random() < 0.4:
        native = 255 * (native / 255) ** float(rng.uniform(0.65, 1.5))
    if rng.random() < 0.75:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 97))]
        _, data = cv2.imencode(".jpg", native.astype(np.uint8), quality)
        native = cv2.imdecode(data, cv2.IMREAD_COLOR).astype(np.float32)
    return np.asarray(native, np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--fonts", type=Path, required=True)
    parser.add_argument("--held", action="store_true", help="draw with the fonts that are kept for measuring")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--each", type=int, default=5000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    fonts = [font for n, font in enumerate(font_files(options.fonts)) if (n % 8 == 0) == options.held]
    glyphs = Glyphs(fonts)
    for shard in range(options.first, options.first + options.shards):
        rng = np.random.default_rng((shard, 83 + options.held))
        drawn = [close_up(rng, glyphs) for _ in range(options.each)]
        name = f"{'held' if options.held else 'close'}-{shard:03d}.npz"
        np.savez(
            options.out / f"part-{name}",
            patches=np.stack([patch.astype(np.uint8) for patch, _, _ in drawn]),
            letters=np.array([letter for _, letter, _ in drawn], np.int64),
            suits=np.array([suit for _, _, suit in drawn], np.int64),
        )
        (options.out / f"part-{name}").rename(options.out / name)
        print(name, flush=True)


if __name__ == "__main__":
    main()
