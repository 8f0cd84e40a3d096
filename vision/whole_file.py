"""Files that are written as a whole or not at all, and read as a whole or refused."""

import contextlib
import hashlib
import os
import re
import stat
from pathlib import Path

from evidence.errors import UsageError
from evidence.leftovers import clear_leftovers


def read_whole(path: Path, most_bytes: int, what: str) -> bytes:
    """The bytes of an ordinary file, whoever made it. Raises `UsageError` that calls the file `what`."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe in its place would hang us
        with open(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise UsageError(f"{path}: cannot read {what}: it is no ordinary file. Name a file.")
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"{path}: cannot read {what}: {why}. Check the name and its rights.") from error
    if len(data) > most_bytes:
        raise UsageError(f"{path}: larger than {most_bytes} bytes; {what} is smaller. Name another file.")
    return data


def write_whole(path: Path, data: bytes, what: str) -> None:
    """Put `data` at `path`, whose folder is made if need be; a reader sees the old file or the new one.

    Raises `UsageError` that calls the file `what` when the disk does not take it, and leaves nothing behind then. What
    an earlier writer of this file left when it was killed goes with the next write, an hour later or more.
    """
    # Of its own for each file and process, and short: the name itself may be as long as a name can be.
    short = hashlib.blake2b(os.fsencode(path.name), digest_size=8).hexdigest()
    partial = path.parent / f".{short}.{os.getpid()}.tmp"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(path.parent, re.compile(rf"\.{short}\.(\d{{1,9}})\.tmp"))
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # else a name may outlast a loss of power without what it names
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise UsageError(f"{path}: cannot write {what}: {error.strerror}. Choose a folder you may write to.") from error
