"""What stands behind `cardcert read --count`: pictures of one spread or stack each, counted and told in words."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from evidence.errors import UsageError
from vision.counting.fan import count_fan
from vision.counting.reading import CountReading
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


def count_images(paths: Sequence[Path], kind: str) -> list[dict[str, Any]]:
    """Count the cards in each picture; as plain data, `count` null where the camera abstains."""
    if not paths or len(paths) > MAX_IMAGES:
        raise UsageError(f"read: expected 1 to {MAX_IMAGES} pictures, got {len(paths)}")
    return [{"image": str(path), **asdict(COUNTS[kind](load_picture(path)))} for path in paths]


def tell(row: dict[str, Any]) -> str:
    """One count in words."""
    if row["count"] is not None:
        return f"{row['image']}: {row['count']} cards, certainty {row['certainty']:.2f}"
    between = f", {row['least']} to {row['most']}" if row["least"] is not None and row["most"] is not None else ""
    return f"{row['image']}: uncertain{between}: {row['why']}"
