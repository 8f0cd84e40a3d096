"""Looking at a picture for indices: where paper shows, coarse and fine, and closer at each one found."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.indices.detector import IndexDetector, IndexSight, distinct, lies_upon
from vision.indices.regions import Region
from vision.pictures import Picture, u8

READABLE_PX = (12.0, 72.0)
"""Heights of an index, as it is looked at, for which the network was trained."""
_MOST_INDICES = 160
_DOUBTFUL = 0.5
"""Of two looks at one index, each surer than this, that say different things neither counts alone."""


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


def surest(sights: Sequence[IndexSight]) -> list[IndexSight]:
    """Indices that were looked at closer, perhaps more than once: of each the surest look."""
    kept: list[IndexSight] = []
    for sight in sorted(sights, key=lambda one: -float(one.labels.max())):
        near = [n for n, other in enumerate(kept) if lies_upon(sight, other)]
        for n in near[:1]:
            other = kept[n]
            if sight.labels.max() > _DOUBTFUL and sight.labels.argmax() != other.labels.argmax():
                kept[n] = replace(other, labels=np.asarray((sight.labels + other.labels) / 2, np.float32))
        if not near:
            kept.append(sight)
    return kept
