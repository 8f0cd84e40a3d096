"""A process that works for another ends with it, however that one ended."""

import ctypes
import os
import signal
import sys

_SET_PARENT_DEATH_SIGNAL = 1
"""`PR_SET_PDEATHSIG` of prctl(2)."""


def end_with(parent: int) -> None:
    """Have this process stopped (SIGTERM) when its parent, the process of this number, ends; also if it has already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:
        raise KeyboardInterrupt
