"""A short animation of one scenario: what the camera saw, look by look, each with its time and record number.

It is an animated WebP: every browser plays it, and it takes a tenth of what the same pictures take as a GIF.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

import cv2
import numpy as np

from evidence.events import Record
from reports.frames import load_picture

FRAMES_MAX = 24
WIDTH_PX, HEIGHT_PX, CAPTION_PX = 240, 160, 20
QUALITY = 28
LOOK_MS, LAST_MS = 700, 2000
_MARK = (40, 140, 240)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def scenario_animation(folder: Path, records: Sequence[Record], evidence: Collection[int]) -> bytes:
    """An animated WebP of a scenario's pictures in journal order; empty when there are fewer than two.

    Of more than `FRAMES_MAX` the evidence is kept first. Looks that a verdict rests on have a coloured border. Pictures
    that are missing or damaged are left out.
    """
    looks = [record for record in records if getattr(record.event, "frame", "")]
    start_ns = records[0].mono_ns if records else 0
    frames = []
    for record in _choose(looks, evidence):
        picture = load_picture(folder, str(getattr(record.event, "frame", "")))
        if picture is not None:
            frames.append(_frame(picture, record, start_ns, record.seq in evidence))
    if len(frames) < 2:
        return b""
    animation = cv2.Animation()
    animation.frames = frames
    animation.durations = [LOOK_MS] * (len(frames) - 1) + [LAST_MS]
    done, encoded = cv2.imencodeanimation(".webp", animation, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    return encoded.tobytes() if done else b""


def _choose(looks: Sequence[Record], evidence: Collection[int]) -> list[Record]:
    if len(looks) <= FRAMES_MAX:
        return list(looks)
    first = [record for record in looks if record.seq in evidence][:FRAMES_MAX]
    rest = [record for record in looks if record.seq not in evidence]
    room = FRAMES_MAX - len(first)
    kept = rest[:: -(-len(rest) // room)] if room and rest else []
    return sorted([*first, *kept], key=lambda record: record.seq)


def _frame(picture: np.ndarray, record: Record, start_ns: int, marked: bool) -> np.ndarray:
    canvas = np.full((HEIGHT_PX + CAPTION_PX, WIDTH_PX, 3), 24, np.uint8)
    factor = min(WIDTH_PX / picture.shape[1], HEIGHT_PX / picture.shape[0])
    size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
    fitted = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    left, top = (WIDTH_PX - size[0]) // 2, (HEIGHT_PX - size[1]) // 2
    canvas[top : top + size[1], left : left + size[0]] = fitted
    if marked:
        cv2.rectangle(canvas, (1, 1), (WIDTH_PX - 2, HEIGHT_PX - 2), _MARK, 3)
    caption = f"{(record.mono_ns - start_ns) / 1e9:.2f} s  #{record.seq}  {_place(record)}"
    cv2.putText(canvas, caption, (5, HEIGHT_PX + 14), _FONT, 0.4, (235, 235, 235), 1, cv2.LINE_AA)
    return canvas


def _place(record: Record) -> str:
    """Where it looked, in the letters that the drawing knows."""
    event = record.event
    place = str(getattr(event, "place", "") or getattr(event, "device", "") or str(event.__struct_config__.tag))
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in place[:24])
