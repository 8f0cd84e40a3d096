"""What stands behind `cardcert read --count`: pictures of one spread or stack each, counted and told in words."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from evidence.errors import UsageError
from vision.annotate_counts import draw_count
from vision.annotated_files import annotated_paths, write_annotated
from vision.counting.fan import count_fan
from vision.counting.reading import CountReading, as_data
from vision.counting.side import count_side
from vision.counting.spread import count_spread
from vision.pictures import Picture
from vision.sources import load_picture

MAX_IMAGES = 10_000
COUNTS: dict[str, Callable[[Picture], CountReading]] = {
    "spread": count_spread,
    "fan": count_fan,
    "stack": partial(count_spread, kind="stack"),
    "side": count_side,
}
"""How each kind is counted. A stack from above is counted where it is staggered; a squared one from its side."""


def count_images(paths: Sequence[Path], kind: str, annotate: Path | None = None) -> list[dict[str, Any]]:
    """Count the cards in each picture; as plain data, `count` null where the camera abstains.

    `annotate` is a file or a folder for copies with the counted edges drawn in (`annotated_paths`).
    """
    if not paths or len(paths) > MAX_IMAGES:
        raise UsageError(f"read: expected 1 to {MAX_IMAGES} pictures, got {len(paths)}")
    rows = []
    for path, target in zip(paths, annotated_paths(paths, annotate), strict=True):
        picture = load_picture(path)
        reading = COUNTS[kind](picture)
        if target is not None:
            write_annotated(target, draw_count(picture, reading))
        rows.append({"image": str(path), **as_data(reading)})
    return rows


def tell(row: dict[str, Any]) -> str:
    """One count in words."""
    if row["count"] is not None:
        return f"{row['image']}: {row['count']} cards, certainty {row['certainty']:.2f}"
    between = f", {row['least']} to {row['most']}" if row["least"] is not None and row["most"] is not None else ""
    return f"{row['image']}: uncertain{between}: {row['why']}"
