"""Files that are either there as a whole or not at all, and digests of files."""

import errno
import hashlib
import itertools
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from evidence.errors import CardcertError, RigFault, UsageError
from evidence.leftovers import clear_leftovers

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_ABSENT = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EEXIST}
_serial = itertools.count()
_TEMPORARY = re.compile(r"\..+\.\d+-\d+\.tmp")


def storage_error(doing: str, path: Path, error: OSError) -> CardcertError:
    """The error to raise when storing to `path` failed: what was tried, why it failed and how to mend it."""
    why = error.strerror or str(error)
    if error.errno in _FULL:
        return RigFault(f"{path}: no room for {doing} ({why}). Free space on this disk or choose another folder.")
    if error.errno in _FORBIDDEN:
        return UsageError(f"{path}: not allowed to do {doing} ({why}). Choose a folder you may write to.")
    if error.errno in _ABSENT:
        return UsageError(f"{path}: cannot do {doing} ({why}). Check that the path is right and names what it should.")
    return RigFault(f"{path}: {doing} failed ({why}). Check the disk.")


def write_all(fd: int, data: bytes) -> None:
    """Write every byte; the kernel may take them in pieces. OSError when it stops."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def make_empty(folder: Path) -> None:
    """Make a folder for what a command writes. Raises UsageError when something is there already, or it cannot be."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is not empty. Name another folder with --out.")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error("making", folder, error) from error


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put `data` at `path` so that a reader sees the old file or the new one, and a crash leaves one of the two.

    Not `durable`, this holds for a process that is killed but not for a loss of power until `sync_file` and
    `sync_folder` have been called. Raises UsageError or RigFault, and leaves no temporary file behind, when the disk
    does not take it.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{next(_serial)}.tmp")  # a name that `is_temporary` knows
    if durable:
        clear_stale(path)
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        try:
            try:
                write_all(fd, data)
                if durable:
                    os.fsync(fd)
            finally:
                os.close(fd)
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        if durable:
            sync_folder(path.parent)
    except OSError as error:
        raise storage_error("writing", path, error) from error


def is_temporary(name: str) -> bool:
    """Whether a file of this name is a half-written one that `write_atomic` left when its process was killed."""
    return _TEMPORARY.fullmatch(name) is not None


def clear_temporaries(folder: Path) -> None:
    """Remove what killed writers left half written, in a folder and those below it. Nobody may be writing there."""
    for parent, _, names in os.walk(folder):
        for name in names:
            if is_temporary(name):
                (Path(parent) / name).unlink(missing_ok=True)


def clear_stale(path: Path) -> None:
    """Remove what killed writers of this very file left."""
    clear_leftovers(path.parent, re.compile(re.escape(f".{path.name}.") + r"(\d{1,9})-\d+\.tmp"))


def sync_file(path: Path) -> None:
    """Make a file's content survive a loss of power. RigFault or UsageError when the disk does not take it."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise storage_error("syncing", path, error) from error


def sync_folder(folder: Path) -> None:
    """Make the names in a folder as durable as the files are."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def is_ordinary(path: Path) -> bool:
    """Whether this is a file, and no link, pipe or device that stands in its place."""
    return path.is_file() and not path.is_symlink()


def open_ordinary(path: Path) -> BinaryIO:
    """Open a file that may come from anybody. OSError when it cannot be had, or is no file: a pipe would hang us."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
    return os.fdopen(fd, "rb")


def read_bounded(path: Path, most_bytes: int = 256 * 1024 * 1024) -> bytes:
    """The bytes of a file that may come from anybody. OSError when it cannot be had, ValueError when it is no file or
    larger than `most_bytes`.
    """
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe in its place would hang us
    with open(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise ValueError("it is no ordinary file")
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise ValueError(f"it has over {most_bytes} bytes")
    return data


def sha256_file(path: Path) -> str:
    """SHA-256 of a file in lower-case hexadecimal. UsageError when it cannot be read, or is no ordinary file."""
    try:
        # Without O_NONBLOCK a pipe laid in the place of a file would hang us.
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(fd, "rb") as file:
            if not path.is_file():
                raise UsageError(f"{path}: expected an ordinary file, found something else. Put the file back.")
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise storage_error("reading", path, error) from error
