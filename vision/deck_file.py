"""The file in which an enrolled deck is kept: written all or nothing, and believed only where all of it can be."""

import io
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evidence.errors import UsageError
from vision.corners import corners_in
from vision.deck import PX_PER_MM, EnrolledDeck, vector_length
from vision.pictures import u8
from vision.printed import Printed
from vision.scene import LABELS
from vision.whole_file import read_whole, write_whole

_FORMAT = 1
_MAX_FILE_BYTES = 8 * 1024 * 1024
_DAMAGED = (
    ValueError, KeyError, OSError, EOFError, NotImplementedError, RuntimeError, OverflowError, MemoryError, SyntaxError,
    zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip
"""What zipfile and NumPy raise for a deck file that is damaged, encrypted, or claims to hold more than it does."""


def save_deck(deck: EnrolledDeck, path: Path) -> None:
    """Write a deck as one `.npz` file, all or nothing."""
    buffer = io.BytesIO()
    faces = {} if deck.printed is None else {"faces": deck.printed.faces, "back_faces": deck.printed.backs}
    if deck.corners is not None:
        faces |= {"corners": deck.corners.planes, "index_mm": np.array(deck.corners.index_mm, np.float64)}
    np.savez_compressed(
        buffer,
        format=np.array(_FORMAT),
        labels=np.array(deck.labels, dtype="U2"),
        vectors=deck.vectors,
        backs=np.array(deck.backs, dtype="U32"),
        back_colours=deck.back_colours,
        card_mm=np.array(deck.card_mm, np.float64),
        **faces,  # type: ignore[arg-type]
    )
    write_whole(path, buffer.getvalue(), "the deck")


def load_deck(path: Path) -> EnrolledDeck:
    """Read an enrolled deck. Raises `UsageError` on anything but a file that `save_deck` could have written."""
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
    most = len(LABELS) * vector_length()
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
    if vectors.shape != (len(labels), vector_length()) or colours.shape != (len(backs), 3) or size.shape != (2,):
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
