"""Pictures as arrays and as files: types, JPEG, and decoding that a hostile file cannot abuse."""

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from evidence.errors import UsageError

Picture = npt.NDArray[np.uint8]
"""BGR, `(height, width, 3)`, or one channel `(height, width)`."""
Points = npt.NDArray[np.float64]
"""`(n, 2)` points, x then y."""

MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_PIXELS = 48_000_000
"""Bounds on what is decoded: a 48-megapixel camera picture passes, a decompression bomb does not."""

_PNG_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""By the number of its kind of colours."""
_OTHERS = {
    b"\xff\xd8\xff": "a JPEG whose header is damaged",
    b"\x89PNG": "a PNG whose header is damaged",
    b"GIF8": "a GIF",
    b"BM": "a BMP",
    b"II*\0": "a TIFF",
    b"MM\0*": "a TIFF",
    b"\xff\x0a": "JPEG XL",
    b"\0\0\0\x0cJXL ": "JPEG XL",
    b"%PDF": "a PDF",
    b"<svg": "an SVG",
    b"<?xml": "XML",
}
"""Other files by how they begin, to say what somebody has given instead."""
_UNPACKED_AT_ONCE = 1 << 20
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def u8(array: npt.NDArray[Any]) -> Picture:
    """The array typed as 8-bit pixels, without a copy where it already is."""
    return np.asarray(array, dtype=np.uint8)


def darkest_channel(picture: Picture) -> Picture:
    """The least of blue, green and red at each pixel, `(height, width)`: ink of any colour is dark in it."""
    blue, green, red = cv2.split(picture)
    return u8(cv2.min(cv2.min(blue, green), red))


def upright_rectangle(size: tuple[float, float]) -> Points:
    """The corners `(4, 2)` of an upright rectangle at the origin, clockwise from the upper left; `size` is width and
    height."""
    width, height = size
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


def shrunk(picture: Picture, by: float) -> Picture:
    """The picture at `by` times its size, at most 1. Halving first is exact and cheap."""
    size = (max(1, round(picture.shape[1] * by)), max(1, round(picture.shape[0] * by)))
    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        even = picture[: 2 * half[1], : 2 * half[0]]
        picture = u8(cv2.resize(even, half, interpolation=cv2.INTER_AREA))
    return picture if by == 1 else u8(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR))


def encode_jpeg(picture: Picture, quality: int = 95) -> bytes:
    """JPEG without chroma subsampling, so that red suits keep their colour. The same picture gives the same bytes."""
    sampling = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
    options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    done, data = cv2.imencode(".jpg", picture, options)
    if not done:  # pragma: no cover - only out of memory
        raise UsageError("picture: could not be encoded as JPEG")
    return data.tobytes()


def decode_picture(data: bytes, where: str) -> Picture:
    """Decode a PNG or JPEG to BGR. `where` names the source in errors. Raises `UsageError` on anything else."""
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(f"{where}: {len(data)} bytes; at most {MAX_FILE_BYTES} are read; save a smaller picture")
    size = picture_size(data)
    if size is None:
        raise UsageError(f"{where}: expected a PNG or JPEG picture, got {_instead(data)}; save it as PNG or JPEG")
    width, height = size
    if width < 1 or height < 1 or width * height > MAX_PIXELS:
        raise UsageError(f"{where}: {width} x {height} pixels; expected 1 to {MAX_PIXELS} in all")
    if data[:4] == b"\x89PNG":
        data = _sound_png(data)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:  # also for no data at all
        picture = None
    if picture is None or picture.shape[:2] != (height, width):
        raise damaged(where)
    return u8(picture)


def damaged(where: str) -> UsageError:
    """What is raised for a picture of which not all can be decoded."""
    return UsageError(f"{where}: the picture is damaged and cannot be decoded; take or save it again")


def _instead(data: bytes) -> str:
    """What a file holds that is neither PNG nor JPEG, as far as its first bytes tell."""
    if not data:
        return "an empty file"
    if data[4:8] == b"ftyp":
        return {b"heic": "HEIC", b"heix": "HEIC", b"mif1": "HEIC", b"avif": "AVIF"}.get(data[8:12], "a film")
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    return next((kind for start, kind in _OTHERS.items() if data.startswith(start)), "something else")


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height stated in a PNG or JPEG header, None if it is neither. Decodes nothing."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        if len(data) < 24 or data[12:16] != b"IHDR":
            return None
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data[:3] == b"\xff\xd8\xff":
        return _jpeg_size(data)
    return None


def _sound_png(data: bytes) -> bytes:
    """A PNG with nothing but its picture; empty where that is not whole.

    The decoder prints complaints of its own about whatever it does not like, as many as a file makes it.
    """
    kept, packed, at = [data[:8]], [], 8
    while at + 12 <= len(data):
        end, kind = at + 12 + int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if end > len(data) or zlib.crc32(data[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            return b""
        if kind in _PNG_CHUNKS:
            kept.append(data[at:end])
        if kind == b"IDAT":
            packed.append(data[at + 8 : end - 4])
        if kind == b"IEND":
            return b"".join(kept) if _is_as_long_as_stated(data, packed) else b""
        at = end
    return b""


def _is_as_long_as_stated(data: bytes, packed: list[bytes]) -> bool:
    """Whether the packed rows of a PNG are what its header states; of an interlaced one only whether they unpack."""
    width, height = struct.unpack(">II", data[16:24])
    depth, colours, interlaced = data[24], data[25], data[28]
    if colours not in _PNG_CHANNELS:
        return False
    due = height * ((width * _PNG_CHANNELS[colours] * depth + 7) // 8 + 1)
    unpacking, rest, length = zlib.decompressobj(), b"".join(packed), 0
    try:
        while not unpacking.eof:
            piece = unpacking.decompress(rest, _UNPACKED_AT_ONCE)
            rest, length = unpacking.unconsumed_tail, length + len(piece)
            if length > due + (due if interlaced else 0) or not (piece or rest):
                break
    except zlib.error:
        return False
    return unpacking.eof and (bool(interlaced) or length == due)


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in _START_OF_FRAME:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if length < 2 or marker == 0xDA:
            return None
        at += 2 + length
    return None


def project(homography: npt.NDArray[np.float64], points: Points | Sequence[Sequence[float]]) -> Points:
    """Points `(n, 2)` carried through a 3 x 3 homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    lifted = np.hstack([flat, np.ones((len(flat), 1))]) @ homography.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:3], np.float64)


def holds(outline: Points, x: float, y: float) -> bool:
    """Whether a point lies within a closed outline `(n, 2)`."""
    return cv2.pointPolygonTest(outline.astype(np.float32).reshape(-1, 1, 2), (float(x), float(y)), False) >= 0


def middle_within(inner: Points, outer: Points) -> bool:
    """Whether the middle of one outline lies within another."""
    return holds(outer, *inner.mean(axis=0))
