"""Finding indices anywhere in a picture, at any angle, by a small network that runs in OpenCV."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from threading import local

import cv2
import numpy as np
import numpy.typing as npt

from vision.indices.letters import LETTERS, RANKS, SUITS
from vision.pictures import Picture, shrunk, u8

MODEL = Path(__file__).parent / "index_reader.onnx"
_STRIDE = 8
_UP = 1 + len(LETTERS) + len(SUITS)
"""Where in a cell the vector from suit to rank stands; letters and suits before it only helped to train."""
_HEIGHT_PX = 30.0
_LEAST_SCORE = 0.25
Map = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class IndexSight:
    """One index as the network sees it, in pixels of the picture.

    `up` is the unit vector from suit to rank and `score` how sure the detector is. `labels` are the probabilities of
    the 52 labels, four suits to a rank, once it was looked at closer; what they lack of 1 is that this is no index.
    """

    x: float
    y: float
    up: tuple[float, float]
    height_px: float
    score: float
    labels: Map = field(default_factory=lambda: np.zeros(len(RANKS) * len(SUITS), np.float32))


class IndexDetector:
    """The network. One detector may be shared by threads; each has a copy of its own."""

    def __init__(self, model: Path = MODEL) -> None:
        self._model = model
        self._own = local()

    def detect(self, picture: Picture, scale: float = 1.0) -> list[IndexSight]:
        """Indices in a BGR picture looked at `scale` times its size; they should be 14 to 65 px high then."""
        if scale != 1.0:
            kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
            # Halving is cheap; at least half of the last size is left to the exact one.
            halved = shrunk(picture, 0.5 ** max(0, int(np.log2(0.5 / scale))))
            picture = u8(cv2.resize(halved, size, interpolation=kind))
        height, width = picture.shape[:2]
        padded = cv2.copyMakeBorder(picture, 0, -height % _STRIDE, 0, -width % _STRIDE, cv2.BORDER_REPLICATE)
        net = self._net()
        net.setInput(cv2.dnn.blobFromImage(padded, 1 / 255))
        sights = _decode(np.asarray(net.forward(), np.float32)[0])
        return [replace(one, x=one.x / scale, y=one.y / scale, height_px=one.height_px / scale) for one in sights]

    def _net(self) -> cv2.dnn.Net:
        net: cv2.dnn.Net | None = getattr(self._own, "net", None)
        if net is None:
            net = self._own.net = cv2.dnn.readNetFromONNX(str(self._model), cv2.dnn.ENGINE_CLASSIC)
        return net


@lru_cache(maxsize=1)
def shipped_detector() -> IndexDetector:
    """The network that comes with the program."""
    return IndexDetector()


def distinct(sights: Sequence[IndexSight]) -> list[IndexSight]:
    """The surest of those that lie upon each other, the surest first."""
    kept: list[IndexSight] = []
    for sight in sorted(sights, key=lambda one: -one.score):
        if not any(lies_upon(sight, other) for other in kept):
            kept.append(sight)
    return kept


def lies_upon(sight: IndexSight, other: IndexSight) -> bool:
    """Whether two indices lie where only one can."""
    return bool(np.hypot(sight.x - other.x, sight.y - other.y) <= 0.4 * min(sight.height_px, other.height_px))


def _decode(out: Map) -> list[IndexSight]:
    score = 1 / (1 + np.exp(-out[0]))
    peak = (score >= _LEAST_SCORE) & (score >= cv2.dilate(score, np.ones((3, 3), np.uint8)) - 1e-6)
    sights = []
    for row, column in zip(*np.nonzero(peak), strict=True):
        cell = out[:, row, column]
        up = cell[_UP : _UP + 2]
        long = float(np.hypot(*up))
        if long < 0.3:
            continue
        dx, dy = np.clip(cell[_UP + 3 : _UP + 5], -1.5, 1.5)
        sights.append(
            IndexSight(
                x=float((column + 0.5 + dx) * _STRIDE),
                y=float((row + 0.5 + dy) * _STRIDE),
                up=(float(up[0] / long), float(up[1] / long)),
                height_px=float(_HEIGHT_PX * np.exp(np.clip(cell[_UP + 2], -2, 2))),
                score=float(score[row, column]),
            )
        )
    return distinct(sights)
