"""The process that a command is: its standard streams, and how it ends."""

import atexit
import contextlib
import os
import sys
import threading

from cardcert.messages import tell_error


def hold_streams() -> bool:
    """Put something in the place of standard streams that are closed: the next file to be opened would take it, and get
    what is meant for the stream. False, after a word, where nobody could see what a command finds.
    """
    fine = sys.stdout is not None
    for number, mode in ((0, "r"), (1, "w"), (2, "w")):
        name = ("stdin", "stdout", "stderr")[number]
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - to the end
    if not fine:
        tell_error("standard output is closed, and what is found would go unseen; send it to a file, or to /dev/null")
    return fine


class Leaving:
    """Ends the process with `status` where threads are left that are within the camera library, or may be.

    The interpreter ends a thread as soon as it comes back from such a call, which that library does not survive: the
    process would abort, with that status instead. So it does where it was interrupted: after an interrupt within code
    made from text, as that of a named tuple is, the interpreter ends by that signal, though it was dealt with.
    """

    def __init__(self) -> None:
        self.status: int | None = None
        self.interrupted = False
        atexit.register(self._leave)  # what is registered later is done before

    def _leave(self) -> None:
        left = [thread for thread in threading.enumerate() if thread.daemon]
        if self.status is None or not (left or self.interrupted):
            return
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(self.status)
