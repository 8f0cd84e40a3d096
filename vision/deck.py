"""A deck that was enrolled: what each card's corner index looks like, and the colours of its backs.

A card is recognised by its upper left index, rank and suit together, in whiteness and redness. What is seen is compared
with every enrolled card; the answer stands only if it lies clearly nearer to one card than to any rival.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from evidence.errors import UsageError
from vision.corners import STANDARD_INDEX_MM, Corners
from vision.likeness import LEAST_LIKENESS, RIVAL_LIMIT, towards_rivals, unit_vectors
from vision.pictures import Picture, darkest_channel, u8
from vision.printed import BoxMm, Printed
from vision.resolved import Identity
from vision.scene import JOKER, LABELS
from vision.synthetic.cards import CARD_MM
from vision.told_apart import Need, need_of, never_told_apart

Vector = npt.NDArray[np.float32]

PX_PER_MM = 1.25
"""Density at which indices are compared."""
INDEX_MM = STANDARD_INDEX_MM
"""Left, top, right and bottom of the index on the card."""
BACK_STRIP_MM = (4.8, 12.0, 13.0, 76.0)
"""The part of a back whose colour is compared: it shows even where the next card lies close."""
PLAIN_FROM_MM = 45.0
PLAIN_FACE, PLAIN_BACK = 0.88, 0.6
"""Whiteness of what is taken for a plain part of every face, and of backs there."""
SEARCH_PX = (1, 2)
"""How far off, across and along, an index may lie from where the card's outline says.

More along: a neighbour underneath that sticks out above a card makes that card's outline seem to begin higher.
"""

_CAMERA_PX_PER_MM = 0.85
"""Enrolled pictures are first brought down to what a camera above the table resolves."""
_CAMERA_BLUR_PX = 0.6
TOO_ALIKE = 0.96
"""Two cards with indices more alike than this are never named: what a camera adds would decide between them."""


@dataclass(frozen=True, eq=False)
class EnrolledDeck:
    """`vectors` is `(n, d)`, one unit vector a label; `back_colours` is `(m, 3)`, BGR shares of paper white."""

    labels: tuple[str, ...]
    vectors: Vector
    backs: tuple[str, ...]
    back_colours: Vector
    card_mm: tuple[float, float] = (float(CARD_MM[0]), float(CARD_MM[1]))
    printed: Printed | None = None
    """All that is printed on the cards; a deck enrolled by an earlier version has only its indices."""
    corners: Corners | None = None
    """The corners of its faces as fine as they were enrolled; a deck enrolled by an earlier version has none."""

    @cached_property
    def _likenesses(self) -> Vector:
        return np.asarray(self.vectors @ self.vectors.T, np.float32)

    @cached_property
    def plain_mm(self) -> BoxMm:
        """The part at the lower left of cards that tells faces from backs: where no face has anything printed."""
        left, _, right, bottom = BACK_STRIP_MM
        standard = (left, PLAIN_FROM_MM, right, bottom)
        if self.printed is None:
            return standard
        strips = [
            (left, top, right - narrower, low)
            for top, low in ((PLAIN_FROM_MM, bottom), (PLAIN_FROM_MM, 66.0), (PLAIN_FROM_MM, 60.0), (54.0, bottom))
            for narrower in (0.0, 2.0, 4.0, 5.0, 6.0)
        ]
        return self.printed.plain(strips, PX_PER_MM, PLAIN_FACE, PLAIN_BACK) or standard

    @cached_property
    def need(self) -> Need | None:
        """What a camera must resolve of this deck; None for one that was enrolled by an earlier version."""
        return None if self.corners is None else need_of(self.corners)

    @cached_property
    def alike_from_afar(self) -> bool:
        """Whether a camera above a whole table takes some of its indices for too alike."""
        return bool(self.confusable(TOO_ALIKE))

    def never_told_apart(self) -> tuple[tuple[str, str, float], ...]:
        """Pairs of cards that are never named, and how alike they are, 1 being the same; the most alike first."""
        return self.confusable(TOO_ALIKE) if self.corners is None else never_told_apart(self.corners)

    @property
    def missing(self) -> tuple[str, ...]:
        """Labels of a full deck that were not enrolled."""
        return tuple(label for label in LABELS if label not in self.labels)

    def require_complete(self) -> None:
        """Raise `UsageError` unless all 52 cards are enrolled: one that was left out could be taken for one like it."""
        missing = [label for label in self.missing if label != JOKER]
        if missing:
            raise UsageError(
                f"deck: {len(missing)} cards are not enrolled, among them {', '.join(missing[:5])}; enrol all 52, and "
                f"the joker if the game has one"
            )

    def confusable(self, likeness: float = 0.9) -> tuple[tuple[str, str, float], ...]:
        """Pairs of cards whose indices are at least so alike (1 is the same), the most alike first.

        Those above `TOO_ALIKE` are never named.
        """
        pairs = [
            (self.labels[i], self.labels[j], float(self._likenesses[i, j]))
            for i in range(len(self.labels))
            for j in range(i + 1, len(self.labels))
            if self._likenesses[i, j] >= likeness
        ]
        return tuple(sorted(pairs, key=lambda pair: -pair[2]))

    def identify(self, corner: Picture, white: float) -> Identity:
        """Name the card whose corner this is.

        `corner` is BGR at `PX_PER_MM`, the index box of an upright card grown by `SEARCH_PX`; `white` is
        the level of blank paper in the picture.
        """
        seen = windows(corner, white)
        likeness = seen @ self.vectors.T
        return self.named(likeness[int(likeness.max(axis=1).argmax())])

    def named(self, likeness: Vector, softness: int | None = None) -> Identity:
        """Name the card of a sight by its likeness, `(n,)`, to each enrolled card, or to it made soft."""
        best = int(likeness.argmax())
        score = float(likeness[best])
        alike = self._likenesses if softness is None else _soft_likenesses(self, softness)
        towards = float(towards_rivals(likeness, alike[best], best).max())
        confidence = min(1.0, max(0.0, (1 - 2 * towards))) * min(1.0, max(0.0, (score - 0.5) / 0.4))
        if score < LEAST_LIKENESS or towards > RIVAL_LIMIT or self._has_double(best):
            return Identity(None, 0.0, score)
        return Identity(self.labels[best], confidence, score)

    def _has_double(self, number: int) -> bool:
        """Whether another card is too much like this one."""
        return bool((self._likenesses[number] > TOO_ALIKE).sum() > 1)

    def back_name(self, colour: Vector) -> str | None:
        """The enrolled back nearest to a mean BGR colour (shares of paper white); None if none is near."""
        if not self.backs:
            return None
        away = np.abs(self.back_colours - colour).max(axis=1)
        return self.backs[int(away.argmin())] if away.min() < 0.16 else None


def index_corner(card: Picture) -> Picture:
    """The index box of an upright card at `PX_PER_MM`, grown for the search; paper beyond the card is repeated."""
    left, top, width, height = index_box()
    across, along = SEARCH_PX
    grown = cv2.copyMakeBorder(card, along, along, across, across, cv2.BORDER_REPLICATE)
    return u8(grown[top : top + height + 2 * along, left : left + width + 2 * across])


def corner_box() -> tuple[int, int, int, int]:
    """Left, top, width and height, in pixels of an upright card at `PX_PER_MM`, of what `identify` expects."""
    left, top, width, height = index_box()
    across, along = SEARCH_PX
    return left - across, top - along, width + 2 * across, height + 2 * along


def back_colour(strip: Picture, white: float) -> Vector:
    """Mean BGR of a part of a back's pattern, as shares of paper white."""
    return np.asarray(strip.reshape(-1, 3).mean(axis=0) / white, np.float32)


def index_box() -> tuple[int, int, int, int]:
    """Left, top, width and height of the index, in pixels of an upright card at `PX_PER_MM`."""
    left, top, right, bottom = (round(v * PX_PER_MM) for v in INDEX_MM)
    return left, top, right - left, bottom - top


def vector_length() -> int:
    """How many numbers the unit vector of an index has."""
    _, _, width, height = index_box()
    return 2 * width * height


def middle_window() -> int:
    """The number among `windows` of the one that lies where the card's outline says."""
    across, along = SEARCH_PX
    return (2 * across + 1) * along + across


def paper_level(card: Picture) -> float:
    """The level of blank paper in a picture of one card."""
    return float(np.percentile(darkest_channel(card), 96))


def as_camera_sees(image: Picture, card_mm: tuple[float, float], where: str) -> Picture:
    """A straight, cropped picture of a card at `PX_PER_MM`, no sharper than a camera above a table would take it."""
    height, width = image.shape[:2]
    if image.ndim != 3 or min(height, width) < 40:
        raise UsageError(f"{where}: expected a colour picture of at least 40 x 40 pixels, got {image.shape}")
    if abs(height / width - card_mm[1] / card_mm[0]) > 0.12 * card_mm[1] / card_mm[0]:
        raise UsageError(
            f"{where}: expected an upright card of {card_mm[0]} x {card_mm[1]} mm, got {width} x {height} px"
        )
    far = (round(card_mm[0] * _CAMERA_PX_PER_MM), round(card_mm[1] * _CAMERA_PX_PER_MM))
    small = cv2.GaussianBlur(cv2.resize(image, far, interpolation=cv2.INTER_AREA), (0, 0), _CAMERA_BLUR_PX)
    near = (round(card_mm[0] * PX_PER_MM), round(card_mm[1] * PX_PER_MM))
    return u8(cv2.resize(small, near, interpolation=cv2.INTER_LINEAR))


def windows(corner: Picture, white: float) -> Vector:
    """Unit vectors `(windows, d)` of every placement of the index box within a corner picture."""
    blue, green, red = cv2.split(corner)
    share = np.float32(1 / max(white, 1.0))
    whiteness = np.minimum(cv2.min(cv2.min(blue, green), red) * share, 1)
    redness = np.minimum(cv2.subtract(red, cv2.max(blue, green)) * share, 1)
    _, _, width, height = index_box()
    views = (np.lib.stride_tricks.sliding_window_view(plane, (height, width)) for plane in (whiteness, redness))
    return unit_vectors(*(view.reshape(-1, height * width) for view in views))


@lru_cache(maxsize=32)
def index_vectors(deck: EnrolledDeck, softness: int) -> Vector:
    """Unit vectors `(n, d)` of the indices of a deck whose faces are known, made soft."""
    if deck.printed is None:
        raise ValueError("this deck has no faces")
    left, top, width, height = index_box()
    faces = deck.printed.soft(softness)[0][:, :, top : top + height, left : left + width]
    return unit_vectors(*(faces[:, plane].reshape(len(faces), -1) for plane in range(2)))


@lru_cache(maxsize=32)
def _soft_likenesses(deck: EnrolledDeck, softness: int) -> Vector:
    vectors = index_vectors(deck, softness)
    return np.asarray(vectors @ vectors.T, np.float32)
