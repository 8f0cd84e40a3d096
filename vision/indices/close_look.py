"""The closer look: an index, cut out upright at one size, and what a second small network says it shows."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import local

import cv2
import numpy as np
import numpy.typing as npt

from vision.indices.detector import IndexSight, Map
from vision.indices.letters import LETTERS, RANK_OF, RANKS
from vision.pictures import Picture, shrunk, u8

MODEL = Path(__file__).parent / "close_look.onnx"
PATCH_PX = (48, 64)
INDEX_PX = 40.0
"""How high an index stands in its patch."""

_AGAIN = (
    (0.9, 0.0, 0.0, 0.0),
    (1.1, 0.0, 0.0, 0.0),
    (1.0, 3.0, 0.0, 0.0),
    (1.0, -3.0, 0.0, 0.0),
    (1.0, 0.0, 3.0, 0.0),
    (1.0, 0.0, -3.0, 0.0),
    (1.0, 0.0, 0.0, 10.0),
    (1.0, 0.0, 0.0, -10.0),
)
_AT_FIRST = 4
"""So many of these are tried first; the others where those leave it unsure."""
_ONCE_MORE = tuple((1 + (zoom - 1) * 0.6, right * 0.7, up * 0.7, turn * 0.6) for zoom, right, up, turn in _AGAIN)
"""Size, pixels of the patch to the right and up, and degrees, by which further looks differ from the first, and then
from the surest: the index may be better centred or more upright there."""
_SUREST = 3
"""So many of the looks, the surest, count."""
_PLAIN = 0.99
"""An index read with this certainty at the first look is not looked at again."""
_HOPELESS = 0.05
"""Nor is one that is an index with less than this probability."""
_LIKELY = 0.3
"""Nor, a third time, one that says no label with more than this, nor one of which the surest looks are plain."""
_NONE = len(LETTERS)
Shares = npt.NDArray[np.float64]


class CloseLook:
    """The network. One may be shared by threads; each has a copy of its own."""

    def __init__(self, model: Path = MODEL) -> None:
        self._model = model
        self._own = local()

    def looked(self, picture: Picture, sights: Sequence[IndexSight]) -> list[IndexSight]:
        """Each index seen in a BGR picture with the probabilities of the 52 labels; what they lack of 1 is `no index`.

        Label `4 * rank + suit` with the ranks and suits of `vision.indices.letters`. One that was not sure at the first
        look lies where it was read most surely.
        """
        looked = self.glanced(picture, sights)
        unsure = [n for n, one in enumerate(looked) if one.labels.max() < _PLAIN and one.labels.sum() > _HOPELESS]
        looks = {n: [looked[n]] for n in unsure}
        self._look_again(picture, looks, {n: looked[n] for n in unsure}, _AGAIN[:_AT_FIRST])
        doubtful = [n for n in unsure if not _plain(looks[n])]
        self._look_again(picture, looks, {n: looked[n] for n in doubtful}, _AGAIN[_AT_FIRST:])
        likely = [n for n in doubtful if _worth_another(looks[n])]
        self._look_again(picture, looks, {n: looks[n][-1] for n in likely}, _ONCE_MORE)
        for n in unsure:
            looked[n] = replace(looks[n][-1], labels=_mean_of_surest(looks[n]))
        return looked

    def _look_again(
        self,
        picture: Picture,
        looks: dict[int, list[IndexSight]],
        about: dict[int, IndexSight],
        ways: Sequence[tuple[float, float, float, float]],
    ) -> None:
        """Add looks that differ in these ways from one at each of some indices; the surest comes last."""
        again = [(n, _moved(one, *way)) for n, one in about.items() for way in ways]
        for (n, one), share in zip(again, self._look(picture, [one for _, one in again]), strict=True):
            looks[n].append(replace(one, labels=share))
        for n in about:
            looks[n].sort(key=_sureness)

    def glanced(self, picture: Picture, sights: Sequence[IndexSight]) -> list[IndexSight]:
        """As `looked`, from the first look alone."""
        return [replace(one, labels=share) for one, share in zip(sights, self._look(picture, sights), strict=True)]

    def _look(self, picture: Picture, sights: Sequence[IndexSight]) -> list[Map]:
        if not sights:
            return []
        net: cv2.dnn.Net | None = getattr(self._own, "net", None)
        if net is None:
            net = self._own.net = cv2.dnn.readNetFromONNX(str(self._model), cv2.dnn.ENGINE_CLASSIC)
        patches = [cut_out(picture, sight) for sight in sights]
        net.setInput(cv2.dnn.blobFromImages(patches, 1 / 255))
        out = np.asarray(net.forward(), np.float64)
        letters, suits = _softmax(out[:, : _NONE + 1]), _softmax(out[:, _NONE + 1 :])
        ranks = np.zeros((len(patches), len(RANKS)))
        for place, rank in enumerate(RANK_OF):
            ranks[:, rank] += letters[:, place]
        return list((ranks[:, :, None] * suits[:, None, :]).reshape(len(patches), -1).astype(np.float32))


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


def _moved(sight: IndexSight, zoom: float, right: float, up: float, turn_deg: float) -> IndexSight:
    """The index as if it were larger by `zoom`, lay further to its right and upwards, in pixels of its patch, and were
    turned clockwise."""
    ux, uy = sight.up
    scale = sight.height_px / INDEX_PX
    cos, sin = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    return replace(
        sight,
        x=sight.x + scale * (up * ux - right * uy),
        y=sight.y + scale * (up * uy + right * ux),
        up=(float(cos * ux - sin * uy), float(sin * ux + cos * uy)),
        height_px=sight.height_px / zoom,
    )


def _worth_another(looks: Sequence[IndexSight]) -> bool:
    """Whether an index, looked at several times, the surest look last, may be read more surely by further looks."""
    return float(looks[-1].labels.max()) > _LIKELY and not _plain(looks)


def _plain(looks: Sequence[IndexSight]) -> bool:
    """Whether the surest of these looks leave no doubt."""
    return float(_mean_of_surest(looks).max()) >= _PLAIN


def _mean_of_surest(looks: Sequence[IndexSight]) -> Map:
    return np.asarray(np.mean([one.labels for one in looks[-_SUREST:]], axis=0), np.float32)


def _sureness(sight: IndexSight) -> float:
    return float(sight.labels.max())


def _softmax(logits: Shares) -> Shares:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
