"""What the decoder of JPEG prints to standard error: kept off the terminal, and taken as the sign of damage that it is.

The library that OpenCV decodes JPEG with fills in what a damaged file lacks, and says so on standard error alone.
"""

import contextlib
import os
import re
import tempfile
import threading
from collections.abc import Iterator

_OURS = b"Corrupt JPEG data"
_EXTRA = re.compile(rb"(\d+) extraneous bytes before marker 0x([0-9a-f]{2})")
_END_OF_IMAGE = b"\xff\xd9"
_MOST_BYTES = 1 << 16
_guard = threading.Lock()


class Complaints:
    """What was complained of."""

    def __init__(self) -> None:
        self.of_damage = False


@contextlib.contextmanager
def complaints(data: bytes) -> Iterator[Complaints]:
    """Take in what is written to the process' standard error while `data` is decoded; what is not the decoder's is
    passed on.

    Kept to the decoding alone: other threads' words are held up, and a process started meanwhile would inherit it.
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
            told.of_damage |= not all(_is_harmless(line, data) for line in ours)
            rest = b"".join(line for line in lines if not line.startswith(_OURS))
            if rest:
                os.write(2, rest)


def _is_harmless(line: bytes, data: bytes) -> bool:
    """Whether nothing of the picture is lost: some cameras put bytes before a marker, and pad the picture's end.

    Where packed data are left over at the end or before a restart, damage in the midst has made the decoder lose step:
    it fills the picture all the same.
    """
    told = _EXTRA.search(line)
    if told is None:
        return False
    count, marker = int(told[1]), int(told[2], 16)
    if marker == _END_OF_IMAGE[1]:
        end = data.rfind(_END_OF_IMAGE)
        return len(set(data[max(0, end - count) : end])) <= 1
    return not 0xD0 <= marker <= 0xD7
