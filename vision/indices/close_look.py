"""The closer look: an index, cut out upright at one size, and what a second small network says it shows."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import local

import cv2
import numpy as np
import numpy.typing as npt

from vision.indices.detector import IndexSight
from vision.indices.letters import LETTERS, RANK_OF, RANKS
from vision.pictures import Picture, shrunk, u8

MODEL = Path(__file__).parent / "close_look.onnx"
PATCH_PX = (48, 64)
INDEX_PX = 40.0
"""How high an index stands in its patch."""

_AGAIN = ((0.9, 0.0, 0.0), (1.1, 0.0, 0.0), (1.0, 3.0, 0.0), (1.0, -3.0, 0.0), (1.0, 0.0, 3.0), (1.0, 0.0, -3.0))
"""Size, and pixels of the patch to the right and up, by which a second look differs: it may be better centred."""
_SUREST = 3
"""So many of the looks, the surest, count."""
_PLAIN = 0.99
"""An index read with this certainty at the first look is not looked at again."""
_HOPELESS = 0.02
"""Nor is one that is an index with less than this probability."""
_NONE = len(LETTERS)
Shares = npt.NDArray[np.float64]


class CloseLook:
    """The network. One may be shared by threads; each has a copy of its own."""

    def __init__(self, model: Path = MODEL) -> None:
        self._model = model
        self._own = local()

    def labels(self, picture: Picture, sights: Sequence[IndexSight]) -> list[Shares]:
        """For each index seen in a BGR picture the probabilities of the 52 labels; what they lack of 1 is `no index`.

        Label `4 * rank + suit` with the ranks and suits of `vision.indices.letters`.
        """
        shares = self._look(picture, sights)
        unsure = [n for n, share in enumerate(shares) if share.max() < _PLAIN and share.sum() > _HOPELESS]
        again = [self._look(picture, [_moved(sights[n], *by) for n in unsure], by[0]) for by in _AGAIN]
        for place, n in enumerate(unsure):
            looks = [shares[n], *(look[place] for look in again)]
            shares[n] = np.mean(sorted(looks, key=np.max)[-_SUREST:], axis=0)
        return shares

    def _look(self, picture: Picture, sights: Sequence[IndexSight], zoom: float = 1.0) -> list[Shares]:
        if not sights:
            return []
        net: cv2.dnn.Net | None = getattr(self._own, "net", None)
        if net is None:
            net = self._own.net = cv2.dnn.readNetFromONNX(str(self._model), cv2.dnn.ENGINE_CLASSIC)
        patches = [cut_out(picture, sight, zoom) for sight in sights]
        net.setInput(cv2.dnn.blobFromImages(patches, 1 / 255))
        out = np.asarray(net.forward(), np.float64)
        letters, suits = _softmax(out[:, : _NONE + 1]), _softmax(out[:, _NONE + 1 :])
        ranks = np.zeros((len(patches), len(RANKS)))
        for place, rank in enumerate(RANK_OF):
            ranks[:, rank] += letters[:, place]
        return list((ranks[:, :, None] * suits[:, None, :]).reshape(len(patches), -1))


@lru_cache(maxsize=1)
def shipped_close_look() -> CloseLook:
    """The network that comes with the program."""
    return CloseLook()


def cut_out(picture: Picture, sight: IndexSight, zoom: float = 1.0) -> Picture:
    """The upright patch `(64, 48, 3)` about an index, which is `zoom` times 40 pixels high in it."""
    reach = int(1.4 * sight.height_px / min(zoom, 1.0)) + 2
    left, top = max(0, int(sight.x) - reach), max(0, int(sight.y) - reach)
    part = picture[top : int(sight.y) + reach + 1, left : int(sight.x) + reach + 1]
    if part.size == 0:
        return u8(np.zeros((PATCH_PX[1], PATCH_PX[0], 3), np.uint8))
    shrink = min(1.0, 1.25 * INDEX_PX / sight.height_px)
    if shrink < 0.9:
        part = shrunk(part, shrink)
    else:
        shrink = 1.0
    scale = zoom * INDEX_PX / (sight.height_px * shrink)
    ux, uy = sight.up
    move = np.array([[-uy, ux], [-ux, -uy]]) * scale
    at = np.array([sight.x + 0.5 - left, sight.y + 0.5 - top]) * shrink - 0.5
    shift = np.array(PATCH_PX) / 2 - 0.5 - move @ at
    kind = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_LINEAR
    return u8(
        cv2.warpAffine(part, np.column_stack([move, shift]), PATCH_PX, flags=kind, borderMode=cv2.BORDER_REPLICATE)
    )


def _moved(sight: IndexSight, _: float, right: float, up: float) -> IndexSight:
    """The index as if it lay a little further to its right and upwards, in pixels of its patch."""
    ux, uy = sight.up
    scale = sight.height_px / INDEX_PX
    return replace(sight, x=sight.x + scale * (up * ux - right * uy), y=sight.y + scale * (up * uy + right * ux))


def _softmax(logits: Shares) -> Shares:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
