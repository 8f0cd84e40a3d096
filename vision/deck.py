"""A deck that was enrolled: what each card's corner index looks like, and the colours of its backs.

A card is recognised by its upper left index, rank and suit together, in whiteness and redness. What is seen is compared
with every enrolled card; the answer stands only if it lies clearly nearer to one card than to any rival.
"""

import io
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from evidence.errors import UsageError
from vision.corners import STANDARD_INDEX_MM, Corners, corners_in, corners_of
from vision.likeness import LEAST_LIKENESS, RIVAL_LIMIT, towards_rivals, unit_vectors
from vision.pictures import Picture, darkest_channel, u8
from vision.printed import BoxMm, Printed, printed
from vision.resolved import Identity, Need, need_of, never_told_apart
from vision.scene import BACKS, JOKER, LABELS
from vision.synthetic.cards import CARD_MM, back_image, face_image
from vision.whole_file import read_whole, write_whole

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
_FORMAT = 1
_MAX_FILE_BYTES = 8 * 1024 * 1024
_DAMAGED = (
    ValueError, KeyError, OSError, EOFError, NotImplementedError, RuntimeError, OverflowError, MemoryError, SyntaxError,
    zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip
"""What zipfile and NumPy raise for a deck file that is damaged, encrypted, or claims to hold more than it does."""


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
        seen = _windows(corner, white)
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

    def save(self, path: Path) -> None:
        """Write the deck as one `.npz` file, all or nothing."""
        buffer = io.BytesIO()
        faces = {} if self.printed is None else {"faces": self.printed.faces, "back_faces": self.printed.backs}
        if self.corners is not None:
            faces |= {"corners": self.corners.planes, "index_mm": np.array(self.corners.index_mm, np.float64)}
        np.savez_compressed(
            buffer,
            format=np.array(_FORMAT),
            labels=np.array(self.labels, dtype="U2"),
            vectors=self.vectors,
            backs=np.array(self.backs, dtype="U32"),
            back_colours=self.back_colours,
            card_mm=np.array(self.card_mm, np.float64),
            **faces,  # type: ignore[arg-type]
        )
        write_whole(path, buffer.getvalue(), "the deck")


def load_deck(path: Path) -> EnrolledDeck:
    """Read an enrolled deck. Raises `UsageError` on anything but a file that `EnrolledDeck.save` could have written."""
    data = read_whole(path, _MAX_FILE_BYTES, "the deck")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MAX_FILE_BYTES:
                raise ValueError("it unpacks to more than a deck holds")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return _checked(arrays)
    except _DAMAGED as error:
        raise UsageError(f"{path}: expected an enrolled deck: {error}; enrol it again") from error


def _array(arrays: Mapping[str, npt.NDArray[np.generic]], name: str, kinds: str = "iuf") -> npt.NDArray[np.generic]:
    """One array of a deck file, once it is sure that it has no more values than a deck needs. Raises `ValueError`."""
    array = arrays[name]
    most = len(LABELS) * _vector_length()
    # An array of empty texts has any number of values in no bytes at all; what is no array comes as bytes.
    if not isinstance(array, np.ndarray) or array.dtype.kind not in kinds or array.size > most:
        raise ValueError(f"its {name} are not those of a deck")
    return array


def _checked(arrays: Mapping[str, npt.NDArray[np.generic]]) -> EnrolledDeck:
    if int(np.asarray(_array(arrays, "format"), np.int64).item()) != _FORMAT:
        raise ValueError(f"format {arrays['format']}, this program reads {_FORMAT}")
    labels = tuple(str(label) for label in _array(arrays, "labels", "U").ravel())
    backs = tuple(str(name) for name in _array(arrays, "backs", "U").ravel())
    vectors = np.asarray(_array(arrays, "vectors"), np.float32)
    colours = np.asarray(_array(arrays, "back_colours"), np.float32)
    size = np.asarray(_array(arrays, "card_mm"), np.float64)
    if not labels or len(set(labels)) != len(labels) or not set(labels) <= set(LABELS) or len(backs) > 16:
        raise ValueError("its labels are not those of a deck")
    if vectors.shape != (len(labels), _vector_length()) or colours.shape != (len(backs), 3) or size.shape != (2,):
        raise ValueError("its arrays have the wrong shape")
    if not all(np.isfinite(part).all() for part in (vectors, colours, size)) or not (size > 10).all():
        raise ValueError("it holds numbers that cannot be")
    if (np.abs(np.linalg.norm(vectors, axis=1) - 1) > 1e-3).any():
        raise ValueError("its templates are not normalised")
    card_mm = (float(size[0]), float(size[1]))
    prints = _printed(arrays, len(labels), len(backs), card_mm)
    return EnrolledDeck(labels, vectors, backs, colours, card_mm, prints, corners_in(arrays, labels))


def _printed(
    arrays: Mapping[str, npt.NDArray[np.generic]], labels: int, backs: int, card_mm: tuple[float, float]
) -> Printed | None:
    """What is printed on the cards, where the file tells it. Raises `ValueError`."""
    if "faces" not in arrays:
        return None
    shape = tuple(round(v * PX_PER_MM) for v in (card_mm[1], card_mm[0]))
    faces, own = arrays["faces"], arrays["back_faces"]
    for array, due in ((faces, (labels, 2, *shape)), (own, (backs, *shape))):
        if not isinstance(array, np.ndarray) or array.dtype != np.uint8 or array.shape != due:
            raise ValueError("its faces have the wrong shape")
    return Printed(u8(faces), u8(own))


def enrol(
    images: Mapping[str, Picture],
    backs: Mapping[str, Picture],
    card_mm: tuple[float, float] = (float(CARD_MM[0]), float(CARD_MM[1])),
) -> EnrolledDeck:
    """Enrol a deck from straight, cropped pictures of its cards, upright, by label, and of its backs by name.

    Raises `UsageError` for an unknown label, and for a picture too small or of the wrong shape for a card.
    """
    if not images:
        raise UsageError("deck: no pictures of faces; expected one for each card")
    if len(backs) > 16 or any(not 0 < len(name) <= 32 for name in backs):
        raise UsageError("deck: expected at most 16 backs, named with 1 to 32 characters")
    for label in images:
        if label not in LABELS:
            raise UsageError(f"deck: card label: expected rank and suit such as Th, or Jk; got {label!r}")
    cards = {label: as_camera_sees(image, card_mm, f"deck: {label}") for label, image in images.items()}
    whites = {label: paper_level(card) for label, card in cards.items()}
    vectors = [_windows(index_corner(card), whites[label])[_middle_window()] for label, card in cards.items()]
    rears = {name: as_camera_sees(image, card_mm, f"deck: back {name}") for name, image in backs.items()}
    colours = []
    for name, card in rears.items():
        whites[f"back {name}"] = white = paper_level(card)
        left, top, right, bottom = (round(v * PX_PER_MM) for v in BACK_STRIP_MM)
        colours.append(back_colour(card[top:bottom, left:right], white))
    return EnrolledDeck(
        tuple(images),
        np.array(vectors, np.float32),
        tuple(backs),
        np.array(colours, np.float32).reshape(-1, 3),
        card_mm,
        printed(cards, {f"back {name}": card for name, card in rears.items()}, whites),
        corners_of(images, card_mm),
    )


@lru_cache(maxsize=1)
def enrol_rendered() -> EnrolledDeck:
    """The deck that the renderer draws, enrolled from its drawings."""
    faces = {label: face_image(label, 4.0) for label in LABELS}
    return enrol(faces, {name: back_image(name, 4.0) for name in BACKS})


def index_corner(card: Picture) -> Picture:
    """The index box of an upright card at `PX_PER_MM`, grown for the search; paper beyond the card is repeated."""
    left, top, width, height = _index_box()
    across, along = SEARCH_PX
    grown = cv2.copyMakeBorder(card, along, along, across, across, cv2.BORDER_REPLICATE)
    return u8(grown[top : top + height + 2 * along, left : left + width + 2 * across])


def corner_box() -> tuple[int, int, int, int]:
    """Left, top, width and height, in pixels of an upright card at `PX_PER_MM`, of what `identify` expects."""
    left, top, width, height = _index_box()
    across, along = SEARCH_PX
    return left - across, top - along, width + 2 * across, height + 2 * along


def back_colour(strip: Picture, white: float) -> Vector:
    """Mean BGR of a part of a back's pattern, as shares of paper white."""
    return np.asarray(strip.reshape(-1, 3).mean(axis=0) / white, np.float32)


def _index_box() -> tuple[int, int, int, int]:
    left, top, right, bottom = (round(v * PX_PER_MM) for v in INDEX_MM)
    return left, top, right - left, bottom - top


def _vector_length() -> int:
    _, _, width, height = _index_box()
    return 2 * width * height


def _middle_window() -> int:
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


def _windows(corner: Picture, white: float) -> Vector:
    """Unit vectors `(windows, d)` of every placement of the index box within a corner picture."""
    blue, green, red = cv2.split(corner)
    share = np.float32(1 / max(white, 1.0))
    whiteness = np.minimum(cv2.min(cv2.min(blue, green), red) * share, 1)
    redness = np.minimum(cv2.subtract(red, cv2.max(blue, green)) * share, 1)
    _, _, width, height = _index_box()
    views = (np.lib.stride_tricks.sliding_window_view(plane, (height, width)) for plane in (whiteness, redness))
    return unit_vectors(*(view.reshape(-1, height * width) for view in views))


@lru_cache(maxsize=32)
def index_vectors(deck: EnrolledDeck, softness: int) -> Vector:
    """Unit vectors `(n, d)` of the indices of a deck whose faces are known, made soft."""
    if deck.printed is None:
        raise ValueError("this deck has no faces")
    left, top, width, height = _index_box()
    faces = deck.printed.soft(softness)[0][:, :, top : top + height, left : left + width]
    return unit_vectors(*(faces[:, plane].reshape(len(faces), -1) for plane in range(2)))


@lru_cache(maxsize=32)
def _soft_likenesses(deck: EnrolledDeck, softness: int) -> Vector:
    vectors = index_vectors(deck, softness)
    return np.asarray(vectors @ vectors.T, np.float32)
