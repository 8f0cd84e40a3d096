"""What the decoder of JPEG prints to standard error: kept off the terminal, and taken as the sign of damage that it is.

The library that OpenCV decodes JPEG with fills in what a damaged file lacks, and says so on standard error alone.
"""

import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator

_OURS = b"Corrupt JPEG data"
_HARMLESS = b"extraneous bytes"
"""Some cameras put bytes before a marker; nothing of the picture is lost."""
_MOST_BYTES = 1 << 16
_guard = threading.Lock()


class Complaints:
    """What was complained of."""

    def __init__(self) -> None:
        self.of_damage = False


@contextlib.contextmanager
def complaints() -> Iterator[Complaints]:
    """Take in what is written to the process' standard error meanwhile; what is not the decoder's is passed on.

    For commands that read files: other threads' words are held up, and a process started meanwhile would inherit it.
    """
    told = Complaints()
    with _guard, tempfile.TemporaryFile(buffering=0) as kept:
        try:
            before = os.dup(2)
        except OSError:  # there is none
            yield told
            return
        os.dup2(kept.fileno(), 2)
        try:
            yield told
        finally:
            os.dup2(before, 2)
            os.close(before)
            kept.seek(0)
            lines = kept.read(_MOST_BYTES).splitlines(keepends=True)
            told.of_damage = kept.tell() == _MOST_BYTES  # nothing says so much of a whole file
            ours = [line for line in lines if line.startswith(_OURS)]
            told.of_damage |= any(_HARMLESS not in line for line in ours)
            rest = b"".join(line for line in lines if not line.startswith(_OURS))
            if rest:
                os.write(2, rest)
