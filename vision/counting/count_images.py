"""What stands behind `cardcert read --count`: pictures of one spread or stack each, counted and told in words."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from vision.annotate_counts import draw_count
from vision.counting.fan import count_fan
from vision.counting.reading import CountReading, as_data
from vision.counting.side import count_side
from vision.counting.spread import count_spread
from vision.picture_rows import Row, rows_of
from vision.pictures import Picture

COUNTS: dict[str, Callable[[Picture], CountReading]] = {
    "spread": count_spread,
    "fan": count_fan,
    "stack": partial(count_spread, kind="stack"),
    "side": count_side,
}
"""How each kind is counted. A stack from above is counted where it is staggered; a squared one from its side."""


def count_images(paths: Sequence[Path], kind: str, annotate: Path | None = None) -> Iterator[Row]:
    """Count the cards in each picture; as plain data, `count` null where the camera abstains.

    `annotate` is a file or a folder for copies with the counted edges drawn in (`annotated_paths`). A picture that
    cannot be read has a row that says so.
    """

    def look(picture: Picture, _where: str) -> tuple[Row, Callable[[], Picture]]:
        reading = COUNTS[kind](picture)
        return as_data(reading), lambda: draw_count(picture, reading)

    return rows_of(paths, annotate, look)


def tell(row: dict[str, Any]) -> str:
    """One count in words."""
    if row["count"] is not None:
        doubt = f": {row['why']}" if row["why"] else ""
        return f"{row['image']}: {row['count']} cards, certainty {row['certainty']:.2f}{doubt}"
    between = f", {row['least']} to {row['most']}" if row["least"] is not None and row["most"] is not None else ""
    return f"{row['image']}: uncertain{between}: {row['why']}"
