"""Drawing the faces and backs of a deck design."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, u8
from vision.synthetic.cards import CARD_MM, HALF_PIPS, MIDDLE_PIPS
from vision.synthetic.decks.design import DeckDesign
from vision.synthetic.decks.glyphs import Mask, design_rank, design_suit

Canvas = npt.NDArray[np.float32]

_COURT_INKS = (
    (40, 40, 200),
    (30, 190, 235),
    (150, 70, 30),
    (30, 30, 30),
    (60, 160, 230),
    (120, 150, 60),
    (190, 215, 240),
)


def design_face(design: DeckDesign, label: str, px_per_mm: float) -> Picture:
    """One face, upright, BGR, `(88, 63)` mm at the given density."""
    width, height = round(CARD_MM[0] * px_per_mm), round(CARD_MM[1] * px_per_mm)
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = design.paper
    rank, suit = label[0], label[1]
    rng = np.random.default_rng((design.seed, ord(rank), ord(suit)))
    if rank in "JQK":
        _court(canvas, design, suit, px_per_mm, rng)
    else:
        _pips(canvas, design, rank, suit, px_per_mm)
    if design.framed_faces and rank not in "JQK":
        _frame(canvas, px_per_mm, 5.0 + design.index_x_mm, 6.0)
    _indices(canvas, design, rank, suit, px_per_mm)
    return u8(np.clip(canvas, 0, 255).astype(np.uint8))


def design_back(design: DeckDesign, px_per_mm: float) -> Picture:
    """The back: a pattern of lines within a border."""
    rng = np.random.default_rng((design.seed, 7))
    width, height = round(CARD_MM[0] * px_per_mm), round(CARD_MM[1] * px_per_mm)
    ground = tuple(int(v) for v in rng.integers(20, 200, 3))
    line = tuple(int(v) for v in rng.integers(120, 255, 3))
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = ground
    step = int(rng.integers(4, 12) * px_per_mm / 2)
    thick = max(1, round(px_per_mm * float(rng.uniform(0.3, 0.9))))
    for offset in range(-height, width + height, max(3, step)):
        cv2.line(canvas, (offset, 0), (offset + height, height), line, thick, cv2.LINE_AA)
        if rng.random() < 0.9:
            cv2.line(canvas, (offset, height), (offset + height, 0), line, thick, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 6))):
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.circle(canvas, centre, int(rng.integers(3, 14) * px_per_mm), line, thick, cv2.LINE_AA)
    border = round(px_per_mm * float(rng.choice([0.0, 2.5, 4.0])))
    if border:
        cv2.rectangle(canvas, (0, 0), (width - 1, height - 1), design.paper, 2 * border)
    return u8(canvas)


def _indices(canvas: Canvas, design: DeckDesign, rank: str, suit: str, px_per_mm: float) -> None:
    colour = design.inks[suit]
    width, height = CARD_MM
    spots = [(design.index_x_mm, False), (width - design.index_x_mm, True)]
    if design.four_indices:
        spots += [(width - design.index_x_mm, False), (design.index_x_mm, True)]
    top = design.index_top_mm
    for x, turned in spots:
        rank_y = top + design.rank_mm / 2
        suit_y = top + design.rank_mm + design.gap_mm + design.suit_mm / 2
        for mask, y, size in (
            (design_rank(design, rank), rank_y, design.rank_mm),
            (design_suit(design, suit), suit_y, design.suit_mm),
        ):
            at = height - y if turned else y
            stamp(canvas, mask, (x * px_per_mm, at * px_per_mm), size * px_per_mm, colour, turned)


def _pips(canvas: Canvas, design: DeckDesign, rank: str, suit: str, px_per_mm: float) -> None:
    mask, colour = design_suit(design, suit), design.inks[suit]
    if rank == "A":
        size = design.pip_mm * (2.4 if design.big_ace and suit == "s" else 1.3)
        stamp(canvas, mask, (31.5 * px_per_mm, 44 * px_per_mm), size * px_per_mm, colour, False)
        return
    if design.magnum:
        stamp(canvas, mask, (33 * px_per_mm, 46 * px_per_mm), 34 * px_per_mm, colour, False)
        return
    columns = (31.5 - design.pip_columns_mm, 31.5, 31.5 + design.pip_columns_mm)
    spots = [(columns[c], y, False) for c, y in (*HALF_PIPS[rank], *MIDDLE_PIPS.get(rank, ()))]
    spots += [(63 - columns[c], 88 - y, True) for c, y in HALF_PIPS[rank]]
    for x, y, turned in spots:
        stamp(canvas, mask, (x * px_per_mm, y * px_per_mm), design.pip_mm * px_per_mm, colour, turned)


def _court(canvas: Canvas, design: DeckDesign, suit: str, px_per_mm: float, rng: np.random.Generator) -> None:
    """A two-headed picture of bright shapes with dark outlines; which court it is, only the index tells."""
    left = max(9.0, design.index_x_mm + design.rank_mm * 0.45) + float(rng.uniform(-1, 2))
    box = [round(v * px_per_mm) for v in (left, 7.0, 63 - left, 81.0)]
    width, height = box[2] - box[0], (box[3] - box[1]) // 2
    if width < 8 or height < 8:
        return
    half = np.empty((height, width, 3), np.uint8)
    half[:] = design.paper
    for _ in range(int(rng.integers(9, 24))):
        colour = tuple(int(np.clip(c + rng.integers(-30, 30), 0, 255)) for c in _COURT_INKS[int(rng.integers(7))])
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        size = (max(2, int(rng.integers(2, 14) * px_per_mm)), max(2, int(rng.integers(1, 9) * px_per_mm)))
        kind = rng.random()
        if kind < 0.4:
            angle = float(rng.uniform(0, 180))
            cv2.ellipse(half, centre, size, angle, 0, 360, colour, -1, cv2.LINE_AA)
            cv2.ellipse(half, centre, size, angle, 0, 360, (20, 20, 20), 1, cv2.LINE_AA)
        elif kind < 0.75:
            points = rng.normal(centre, list(size), (int(rng.integers(3, 6)), 2)).astype(np.int32)
            cv2.fillPoly(half, [points.reshape(-1, 1, 2)], colour, cv2.LINE_AA)
            cv2.polylines(half, [points.reshape(-1, 1, 2)], True, (20, 20, 20), 1, cv2.LINE_AA)
        else:
            step = max(2, round(px_per_mm * float(rng.uniform(0.8, 2))))
            for k in range(int(rng.integers(3, 9))):
                y = centre[1] + k * step
                cv2.line(
                    half, (centre[0], y), (centre[0] + size[0], y + size[1]), colour, max(1, step // 2), cv2.LINE_AA
                )
    cv2.ellipse(
        half,
        (width // 2, round(height * 0.42)),
        (round(5 * px_per_mm), round(7 * px_per_mm)),
        0,
        0,
        360,
        (190, 215, 240),
        -1,
        cv2.LINE_AA,
    )
    whole = np.vstack([half, half[::-1, ::-1]]).astype(np.float32)
    canvas[box[1] : box[1] + 2 * height, box[0] : box[2]] = whole
    if design.framed_courts:
        _frame(canvas, px_per_mm, left, 7.0)
    pip = design.pip_mm * 0.8
    inside = left + pip * 0.6
    for across, down, turned in ((inside, 8.5 + pip / 2, False), (63 - inside, 79.5 - pip / 2, True)):
        stamp(
            canvas,
            design_suit(design, suit),
            (across * px_per_mm, down * px_per_mm),
            pip * px_per_mm,
            design.inks[suit],
            turned,
        )


def _frame(canvas: Canvas, px_per_mm: float, left_mm: float, top_mm: float) -> None:
    a = (round(left_mm * px_per_mm), round(top_mm * px_per_mm))
    b = (round((63 - left_mm) * px_per_mm), round((88 - top_mm) * px_per_mm))
    cv2.rectangle(canvas, a, b, (110, 60, 40), max(1, round(0.35 * px_per_mm)), cv2.LINE_AA)


def stamp(
    canvas: Canvas,
    mask: Mask,
    centre_px: tuple[float, float],
    height_px: float,
    colour: tuple[int, int, int],
    turned: bool,
) -> None:
    """Ink a glyph `height_px` high centred on a point, upside down when `turned`; sub-pixel positions are kept."""
    scale = height_px / mask.shape[0]
    glyph = mask[::-1, ::-1] if turned else mask
    small = cv2.resize(glyph, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    x, y = centre_px[0] - small.shape[1] / 2, centre_px[1] - small.shape[0] / 2
    left, top = int(np.floor(x)), int(np.floor(y))
    move = np.array([[1, 0, x - left], [0, 1, y - top]], np.float32)
    shifted = cv2.warpAffine(small, move, (small.shape[1] + 1, small.shape[0] + 1))
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(canvas.shape[1], left + shifted.shape[1]), min(canvas.shape[0], top + shifted.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    cover = shifted[y0 - top : y1 - top, x0 - left : x1 - left, None]
    part = canvas[y0:y1, x0:x1]
    part += (np.asarray(colour, np.float32) - part) * cover
