"""Looking at a picture for indices: where paper shows, coarse and fine, and closer where it is worth it."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.indices.detector import IndexDetector, IndexSight, distinct
from vision.indices.regions import Region
from vision.pictures import Picture, u8

READABLE_PX = (12.0, 72.0)
"""Heights of an index, as it is looked at, for which the network was trained."""
_CLOSE_PX = 38.0
_CLOSE_SIDE_PX = 96
_CLOSER = (1.0, 0.8)
_SURE = 0.999


def look_for_indices(picture: Picture, regions: Sequence[Region], detector: IndexDetector) -> list[IndexSight]:
    """All indices in the regions of a BGR picture, each once."""
    sights: list[IndexSight] = []
    for region in regions:
        left, top, right, bottom = region.box
        crop = picture[top:bottom, left:right]
        for scale in region.scales:
            found = detector.detect(u8(crop), scale)
            sights += [
                _moved(one, left, top) for one in found if READABLE_PX[0] < one.height_px * scale < READABLE_PX[1]
            ]
    return [look_closer(picture, sight, detector) for sight in distinct(sights)]


def look_closer(picture: Picture, sight: IndexSight, detector: IndexDetector) -> IndexSight:
    """The same index, looked at again upright and at the best sizes; what all looks say together."""
    if float(sight.letters.max()) > _SURE and float(sight.suits.max()) > _SURE:
        return sight
    logs_letters, logs_suits = np.log(sight.letters + 1e-6), np.log(sight.suits + 1e-6)
    looks, score = 1, sight.score
    for share in _CLOSER:
        again = _close(picture, sight, _CLOSE_PX * share, detector)
        if again is None:
            continue
        logs_letters += np.log(again.letters + 1e-6)
        logs_suits += np.log(again.suits + 1e-6)
        score = max(score, again.score)
        looks += 1
    if looks == 1:
        return sight
    letters, suits = np.exp(logs_letters / looks), np.exp(logs_suits / looks)
    return IndexSight(sight.x, sight.y, sight.up, sight.height_px, score, _whole(letters), _whole(suits))


def _close(picture: Picture, sight: IndexSight, height_px: float, detector: IndexDetector) -> IndexSight | None:
    """What stands upright in the middle of a small picture of this index."""
    scale = height_px / sight.height_px
    ux, uy = sight.up
    # The index's own up becomes the picture's up.
    turn = np.array([[-uy, ux], [-ux, -uy]]) * scale
    side = _CLOSE_SIDE_PX
    shift = np.array([side / 2, side / 2]) - turn @ np.array([sight.x, sight.y])
    move = np.column_stack([turn, shift]).astype(np.float32)
    kind = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    patch = cv2.warpAffine(picture, move, (side, side), flags=kind, borderMode=cv2.BORDER_REPLICATE)
    for again in detector.detect(u8(patch)):
        near = np.hypot(again.x - side / 2, again.y - side / 2) < 0.35 * height_px
        if near and again.up[1] < -0.8:
            return again
    return None


def _whole(shares: np.typing.NDArray[np.float32]) -> np.typing.NDArray[np.float32]:
    return np.asarray(shares / max(float(shares.sum()), 1e-9), np.float32)


def _moved(sight: IndexSight, left: int, top: int) -> IndexSight:
    return IndexSight(sight.x + left, sight.y + top, sight.up, sight.height_px, sight.score, sight.letters, sight.suits)
