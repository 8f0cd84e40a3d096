"""Looking at a picture for indices: where paper shows, coarse and fine, and closer at each one found."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.indices.close_look import CloseLook
from vision.indices.detector import IndexDetector, IndexSight, distinct
from vision.indices.regions import Region
from vision.pictures import Picture, u8

READABLE_PX = (12.0, 72.0)
"""Heights of an index, as it is looked at, for which the network was trained."""
_MOST_INDICES = 160


def look_for_indices(picture: Picture, regions: Sequence[Region], detector: IndexDetector) -> list[IndexSight]:
    """All indices that the detector finds in the regions of a BGR picture, each once, the surest first."""
    sights: list[IndexSight] = []
    for region in regions:
        left, top, right, bottom = region.box
        crop = picture[top:bottom, left:right]
        for scale in region.scales:
            found = detector.detect(u8(crop), scale)
            sights += [
                replace(one, x=one.x + left, y=one.y + top)
                for one in found
                if READABLE_PX[0] < one.height_px * scale < READABLE_PX[1]
            ]
    return distinct(sights)[:_MOST_INDICES]


def look_closer(picture: Picture, sights: Sequence[IndexSight], close: CloseLook) -> list[IndexSight]:
    """The same indices with what the closer look says of each."""
    shares = close.labels(picture, sights)
    return [replace(sight, labels=labels.astype(np.float32)) for sight, labels in zip(sights, shares, strict=True)]
