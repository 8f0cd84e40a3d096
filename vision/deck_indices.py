"""One index of an enrolled deck, wherever it was found: which card's it is, and how that card lies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.corners import Corners
from vision.deck import EnrolledDeck
from vision.indices.detector import IndexSight
from vision.indices.letters import RANKS, SUITS
from vision.pictures import Picture, Points, darkest_channel, project, u8, upright_rectangle
from vision.printed import Plane, whiteness_redness
from vision.resolved import Identity, Resolved, resolved_at

_SEARCH_MM = (2.0, 2.4)
"""How far an index may lie from where it is looked for, across and along."""
_TURNS_DEG, _WIDTHS = (-7.0, 0.0, 7.0), (0.8, 1.0, 1.3)
"""How much an index may be turned, and how wide it may be for its height: a camera that looks aslant makes it wide or
narrow."""
_STARTS, _LOOKS, _LIKELIEST, _STEPS = 3, 3, 3, 40
"""From how many of these starts an index is looked at, how often from each, how many of the likeliest cards are laid
upon it, and in how many steps at most."""
_MOST_TURNED, _MOST_MOVED = 0.4, 0.35
"""How far an index may be turned or stretched by that, and moved, as a share of its size."""
_ROUGHLY_PX_PER_MM = 1.0
_PAPER = 90.0
"""The percentile of light about an index that is paper."""
_MARGIN_MM = 0.5
"""Of a deck's index box: paper around the index."""
_SOFTENED = 1.2
"""A picture finer than indices are looked at, by so much, is made as soft first."""
_SURE, _LEAST_SHARE = 0.97, 0.2
"""The probability from which on what the network says counts, and that from which on it does not speak against it."""
_SURE_ALONE, _UNSURE = 0.9, 0.5
"""How sure the deck must be of a card, and the network at most of another, where they differ."""
_LIKE, _QUITE_LIKE, _VERY_LIKE = 0.86, 0.95, 0.96
"""How like an index must be to the nearest card where the network is sure that it is that one, where it is not sure,
and where it says another, but is not sure."""


@dataclass(frozen=True, slots=True, eq=False)
class DeckIndex:
    """One index: `label` is the card's, None where it is not sure, and `likeness`, up to 1, how like it is.

    `box` is the index's, `(4, 2)`, clockwise from its upper left. `confidence` is that of the label; without one, that
    of the network in what it says.
    """

    label: str | None
    confidence: float
    likeness: float
    box: Points

    @property
    def high_px(self) -> float:
        return float(np.linalg.norm(self.box[3] + self.box[2] - self.box[0] - self.box[1])) / 2


def deck_index(picture: Picture, sight: IndexSight, deck: EnrolledDeck, corners: Corners) -> DeckIndex:
    """What a deck says of something that may be an index in a BGR picture."""
    tries = _outlines(sight, corners, deck.card_mm)
    rough = [_roughly_like(picture, outline, deck, corners) for outline in tries]
    said = RANKS[int(sight.labels.argmax()) // 4] + SUITS[int(sight.labels.argmax()) % 4]
    share = float(sight.labels.max())
    wanted = (said,) if said in deck.labels else ()
    found, outline = Identity(None, 0.0, -1.0), tries[0]
    for number in np.argsort(rough)[::-1][:_STARTS]:
        laid = _laid(picture, tries[int(number)], deck, corners, wanted)
        found, outline = max(laid, (found, outline), key=lambda each: each[0].likeness)
        if found.likeness > _VERY_LIKE:
            break
    label, confidence = agreed(found, said, share)
    return DeckIndex(label, confidence, found.likeness, _index_box(outline, corners, deck.card_mm))


def _laid(
    picture: Picture, outline: Points, deck: EnrolledDeck, corners: Corners, wanted: tuple[str, ...]
) -> tuple[Identity, Points]:
    """Which card's an index is, and how that card lies: looked at again from where the last look left it, as long as
    that makes it more like an enrolled one."""
    best, at = Identity(None, 0.0, 0.0), outline
    for _ in range(_LOOKS):
        found, laid = _look(picture, outline, deck, corners, wanted)
        if found.likeness <= best.likeness:
            break
        best, at = found, outline if laid is None else laid
        if laid is None or found.likeness > _VERY_LIKE:
            break
        outline = laid
    return best, at


def agreed(found: Identity, said: str, share: float) -> tuple[str | None, float]:
    """The label that the deck finds and the network says with a probability, and how sure that is.

    None where one of them is sure, and the other does not agree at least as far as it is not; then how sure the network
    is of what it says."""
    if found.label == said and (share > _SURE or (share > _LEAST_SHARE and found.likeness > _QUITE_LIKE)):
        return said, max(found.confidence, share)
    if found.confidence > _SURE_ALONE and share < _UNSURE and found.likeness > _VERY_LIKE:
        return found.label, found.confidence
    if found.label is None and found.nearest == said and share > _SURE and found.likeness > _LIKE:
        return said, share * found.likeness
    return None, share


def _outlines(sight: IndexSight, corners: Corners, card_mm: tuple[float, float]) -> list[Points]:
    """How a card may lie whose index was seen so."""
    left, top, right, bottom = corners.index_mm
    up = np.asarray(sight.up, np.float64)
    px_per_mm = sight.height_px / (bottom - top - 2 * _MARGIN_MM)
    from_index = upright_rectangle(card_mm) - ((left + right) / 2, (top + bottom) / 2)
    outlines = []
    for turn in np.deg2rad(_TURNS_DEG):
        along = -(up * np.cos(turn) + np.array([-up[1], up[0]]) * np.sin(turn)) * px_per_mm
        for width in _WIDTHS:
            across = np.array([along[1], -along[0]]) * width
            outlines.append(np.array([sight.x, sight.y]) + from_index @ np.array([across, along]))
    return outlines


def _look(
    picture: Picture, outline: Points, deck: EnrolledDeck, corners: Corners, wanted: tuple[str, ...]
) -> tuple[Identity, Points | None]:
    """Which card's is the upper left index of a card that lies about so, and how that card lies."""
    view = _View(picture, outline, deck.card_mm, corners)
    resolved, (left, top, _, _) = view.resolved, corners.index_mm
    row, column, likeness = resolved.likeliest(view.planes)
    likely = [deck.labels[int(number)] for number in np.argsort(likeness)[::-1][:_LIKELIEST]]
    found, fit = _fitted(resolved, view.planes, (row, column), [*likely, *wanted])
    if fit is None:
        return found, None
    of_index = (upright_rectangle(deck.card_mm) - (left, top)) * resolved.px_per_mm - 0.5
    laid = of_index @ np.asarray(fit[:, :2], np.float64).T + fit[:, 2]
    return found, project(np.asarray(np.linalg.inv(view.move), np.float64), laid)


def _roughly_like(picture: Picture, outline: Points, deck: EnrolledDeck, corners: Corners) -> float:
    """How like the likeliest is the upper left index of a card that lies so, seen coarsely."""
    view = _View(picture, outline, deck.card_mm, corners, _ROUGHLY_PX_PER_MM)
    return float(view.resolved.likeliest(view.planes)[2].max())


class _View:
    """Whiteness and redness, `planes`, of where the upper left index of a card with this outline must lie, at the
    density of `resolved`; `move` takes the picture's pixels to theirs."""

    def __init__(
        self,
        picture: Picture,
        outline: Points,
        card_mm: tuple[float, float],
        corners: Corners,
        most_px_per_mm: float = np.inf,
    ) -> None:
        sides = np.linalg.norm(outline[[1, 3]] - outline[0], axis=1) / card_mm
        self.resolved = resolved_at(corners, min(float(sides.min()), most_px_per_mm))
        q, (left, top, right, bottom) = self.resolved.px_per_mm, corners.index_mm
        x, y = left - _SEARCH_MM[0], top - _SEARCH_MM[1]
        size = round((right + _SEARCH_MM[0] - x) * q), round((bottom + _SEARCH_MM[1] - y) * q)
        target = (upright_rectangle(card_mm) - (x, y)) * q - 0.5
        move = cv2.getPerspectiveTransform(outline.astype(np.float32), target.astype(np.float32))
        self.move = np.asarray(move, np.float64)
        seen = _seen(picture, self.move, size, float(sides.max()) / q)
        self.planes = np.stack(whiteness_redness(seen, float(np.percentile(darkest_channel(seen), _PAPER))))


def _fitted(
    resolved: Resolved, planes: Plane, at: tuple[int, int], likely: Sequence[str]
) -> tuple[Identity, npt.NDArray[np.float32] | None]:
    """Which card's an index is, at about this row and column of `planes`, once those of the likely cards are each laid
    upon it; and how it lies, `(2, 3)`, from its own pixels to theirs, None where none of them comes to lie on it."""
    best, how = Identity(None, 0.0, 0.0), None
    wide, high = resolved.indices.shape[4], resolved.indices.shape[3]
    for label in dict.fromkeys(likely):
        fit = _laid_upon(resolved.indices[1, resolved.labels.index(label), 0], planes[0], at)
        if fit is None:
            continue
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        found = resolved.name_index(np.stack([cv2.warpAffine(one, fit, (wide, high), flags=flags) for one in planes]))
        if found.likeness > best.likeness:
            best, how = replace(found, nearest=found.label or found.nearest), fit
    return best, how


def _laid_upon(index: Plane, seen: Plane, at: tuple[int, int]) -> npt.NDArray[np.float32] | None:
    """How an index comes to lie best upon what is seen, from about where its upper left pixel lies; None where it would
    have to be turned, stretched or moved too far."""
    start = np.array([[1, 0, at[1]], [0, 1, at[0]]], np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _STEPS, 1e-4)
    try:
        _, found = cv2.findTransformECC(index, seen, start.copy(), cv2.MOTION_AFFINE, stop, None, 3)  # type: ignore[call-overload]
    except cv2.error:  # nothing there is like it
        return None
    fit = np.asarray(found, np.float32)
    off = np.abs(fit - start)
    return fit if off[:, :2].max() < _MOST_TURNED and off[:, 2].max() < _MOST_MOVED * max(index.shape) else None


def _seen(picture: Picture, move: npt.NDArray[np.float64], size: tuple[int, int], shrinks: float) -> Picture:
    """A part of a picture moved into a view of this size, made as soft as the view is coarse."""
    if shrinks > _SOFTENED:
        width, height = size
        around = project(np.asarray(np.linalg.inv(move), np.float64), upright_rectangle((width, height)))
        low = np.clip(np.floor(around.min(axis=0)).astype(int) - 4, 0, None)
        high = np.ceil(around.max(axis=0)).astype(int) + 5
        part = picture[low[1] : high[1], low[0] : high[0]]
        if part.size:
            picture = u8(cv2.GaussianBlur(part, (0, 0), 0.5 * shrinks))
            move = move @ np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1]], np.float64)
    return u8(cv2.warpPerspective(picture, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def index_rectangle(corners: Corners) -> Points:
    """Where the upper left index of a deck's cards lies, in millimetres, `(4, 2)`."""
    left, top, right, bottom = corners.index_mm
    return np.asarray(upright_rectangle((right - left, bottom - top)) + np.array([left, top]), np.float64)


def _index_box(outline: Points, corners: Corners, card_mm: tuple[float, float]) -> Points:
    """The corners of the index of a card with this outline."""
    move = cv2.getPerspectiveTransform(upright_rectangle(card_mm).astype(np.float32), outline.astype(np.float32))
    return project(np.asarray(move, np.float64), index_rectangle(corners))
