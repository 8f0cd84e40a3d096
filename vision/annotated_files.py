"""Where annotated pictures are written: one file for one picture, a folder for several."""

import os
from collections.abc import Sequence
from pathlib import Path

import cv2

from evidence.errors import UsageError
from vision.pictures import Picture, encode_jpeg
from vision.whole_file import write_whole

_MOST_CHARACTERS, _MOST_BYTES = 60, 200
_ENDINGS = (".jpg", ".jpeg", ".png")


def annotated_paths(images: Sequence[Path], out: Path | None) -> list[Path | None]:
    """For each picture the file that receives its annotated copy; None each where `out` is None.

    One picture may be given a file whose name ends in .jpg or .png; else `out` is a folder. Raises `UsageError` for a
    name that is neither, for a file where a folder is needed, and for one of the pictures themselves.
    """
    if out is None:
        return [None] * len(images)
    ending = out.suffix.lower()
    if ending in _ENDINGS and not out.is_dir():
        if len(images) > 1:
            raise UsageError(f"--annotate {out}: {len(images)} pictures do not fit into one file; name a folder")
        targets = [out]
    elif ending and len(images) == 1 and not out.is_dir():
        raise UsageError(f"--annotate {out}: expected a name that ends in {', '.join(_ENDINGS)}, or a folder")
    else:
        targets = [out / f"{number:04d}-{_short(image.stem)}.jpg" for number, image in enumerate(images)]
    originals = {image.resolve() for image in images}
    for target in targets:
        if target.resolve() in originals:
            raise UsageError(f"--annotate {out}: would write over the picture {target} itself; choose another name")
    return list(targets)


def _short(stem: str) -> str:
    """The beginning of a name, so that more fits into the longest name that a disk takes."""
    return os.fsdecode(os.fsencode(stem[:_MOST_CHARACTERS])[:_MOST_BYTES])


def write_annotated(target: Path, drawn: Picture) -> None:
    """Write a drawn picture whole, as its name ends. Raises `UsageError` when the disk does not take it."""
    if target.suffix.lower() == ".png":
        data = cv2.imencode(".png", drawn, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes()
    else:
        data = encode_jpeg(drawn, 92)
    write_whole(target, data, "annotated pictures")
