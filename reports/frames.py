"""Pictures of the run folder, checked against their digest and made small enough to stand in a page."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from evidence.reading import attachments_folder

_SHA256 = re.compile(r"[0-9a-f]{64}")
_SOURCE_LIMIT_BYTES = 32 * 1024 * 1024
_PIXEL_LIMIT = 40_000_000
_LIGHT_BYTES = 16 * 1024
_WIDTHS_PX = (1280, 960, 720, 540, 400, 280)


@dataclass(frozen=True)
class Frame:
    """A picture ready to show (`data`, JPEG), or the reason why it is not shown (`trouble`)."""

    sha256: str
    data: bytes = b""
    annotated: bool = False
    trouble: str = ""


def load_frame(folder: Path, sha256: str, limit_bytes: int) -> Frame:
    """The picture a record names, annotated where the journal holds that too, at most `limit_bytes` long.

    A picture that is missing, or whose bytes do not have the digest it is named by, is never shown.
    """
    original, trouble = _sound(folder, sha256)
    if original is None:
        return Frame(sha256, trouble=trouble)
    drawn = original.with_name(f"{sha256}.annotated{original.suffix}")
    annotated = drawn.is_file() and drawn.stat().st_size <= _SOURCE_LIMIT_BYTES
    small = shrink((drawn if annotated else original).read_bytes(), limit_bytes)
    return (
        Frame(sha256, small, annotated) if small else Frame(sha256, trouble=f"picture {sha256[:12]} cannot be decoded")
    )


def load_picture(folder: Path, sha256: str) -> np.ndarray | None:
    """The picture a record names as it was taken, BGR; None where it is missing, damaged or no picture."""
    original, _ = _sound(folder, sha256)
    return None if original is None else _decode(original.read_bytes())


def _sound(folder: Path, sha256: str) -> tuple[Path | None, str]:
    """The file of a picture whose bytes have the digest it is named by, or why there is none."""
    if not _SHA256.fullmatch(sha256):
        return None, "the record names a picture by something that is no SHA-256"
    attachments = attachments_folder(folder)
    original = next(
        (p for p in (attachments / f"{sha256}{suffix}" for suffix in (".jpg", ".png")) if p.is_file()), None
    )
    if original is None:
        return None, f"picture {sha256[:12]} is missing from the journal"
    if original.stat().st_size > _SOURCE_LIMIT_BYTES:
        return None, f"picture {sha256[:12]} is larger than {_SOURCE_LIMIT_BYTES} bytes"
    if hashlib.sha256(original.read_bytes()).hexdigest() != sha256:
        return None, f"picture {sha256[:12]} is damaged: its bytes do not have the digest it is named by"
    return original, ""


def shrink(data: bytes, limit_bytes: int) -> bytes:
    """The picture as JPEG of at most `limit_bytes`, as wide as that allows; empty when it is no picture.

    A JPEG that is light already is passed through untouched; the full picture stays in the journal.
    """
    picture = _decode(data)
    if picture is None:
        return b""
    if data.startswith(b"\xff\xd8") and len(data) <= min(limit_bytes, _LIGHT_BYTES):
        return data
    small = b""
    for width_px in _widths(picture.shape[1], len(data), limit_bytes):
        factor = min(1.0, width_px / picture.shape[1])
        size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
        fitted = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if factor < 1 else picture
        small = cv2.imencode(".jpg", fitted, [cv2.IMWRITE_JPEG_QUALITY, 72])[1].tobytes()
        if len(small) <= limit_bytes:
            break
    return small


def _widths(width_px: int, size_bytes: int, limit_bytes: int) -> tuple[int, ...]:
    """Widths to try, beginning with one that is likely to fit: a picture's bytes go with its area."""
    likely = width_px * (limit_bytes / max(1, size_bytes)) ** 0.5 * 1.3
    return tuple(one for one in _WIDTHS_PX if one <= likely) or _WIDTHS_PX[-1:]


def _decode(data: bytes) -> np.ndarray | None:
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return (
        picture
        if picture is not None and picture.size and picture.shape[0] * picture.shape[1] <= _PIXEL_LIMIT
        else None
    )
