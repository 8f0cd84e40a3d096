"""What a writer that was killed left half written, beside the file that it wrote."""

import contextlib
import errno
import os
import re
import time
from pathlib import Path

_STALE_S = 3600.0
"""A folder may be shared with another machine, whose processes are not known here; nobody writes one file that long."""


def clear_leftovers(folder: Path, names: re.Pattern[str]) -> None:
    """Remove what was left in a folder an hour ago or earlier under these names, the first group of which is the number
    of a process that has ended. What cannot be removed stays."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            named = names.fullmatch(entry.name)
            if named is None or _lives(int(named[1])):
                continue
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > _STALE_S:
                with contextlib.suppress(OSError):
                    os.unlink(entry)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError as error:
        return error.errno != errno.ESRCH
    return True
