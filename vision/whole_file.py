"""Files that are written as a whole or not at all."""

import contextlib
import os
from pathlib import Path

from evidence.errors import UsageError


def write_whole(path: Path, data: bytes, what: str) -> None:
    """Put `data` at `path`, whose folder is made if need be; a reader sees the old file or the new one.

    Raises `UsageError` that calls the file `what` when the disk does not take it, and leaves nothing behind then.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise UsageError(f"{path}: cannot write {what}: {error.strerror}. Choose a folder you may write to.") from error
