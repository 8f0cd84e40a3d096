"""Many pictures one after another: what each shows as plain data, or what is wrong with it; none stops the others."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from evidence.errors import UsageError
from vision.annotated_files import annotated_paths, write_annotated
from vision.pictures import Picture
from vision.sources import load_picture

MAX_IMAGES = 10_000

Row = dict[str, Any]
"""What one picture shows; one that cannot be read has the `kind` `unread` and the reason as `error`."""
Look = Callable[[Picture, str], tuple[Row, Callable[[], Picture]]]
"""Reads a picture, named for messages: its row, and what draws the readings in."""


def require_number(paths: Sequence[Path]) -> None:
    """Raise `UsageError` for no picture at all, and for too many."""
    if not paths or len(paths) > MAX_IMAGES:
        raise UsageError(f"read: expected 1 to {MAX_IMAGES} pictures, got {len(paths)}")


def rows_of(paths: Sequence[Path], annotate: Path | None, look: Look) -> Iterator[Row]:
    """Look at each picture when its row is asked for; `annotate` as `annotated_paths` takes it.

    Raises `UsageError` for a wrong `annotate` or number of pictures, and where an annotated one cannot be written.
    """
    require_number(paths)
    for path, target in zip(paths, annotated_paths(paths, annotate), strict=True):
        try:
            row, draw = look(load_picture(path), str(path))
        except UsageError as error:
            yield {"image": str(path), "kind": "unread", "error": str(error)}
            continue
        if target is not None:
            write_annotated(target, draw())
        yield {"image": str(path), **row}
