"""An emulator as a copy of a process that has read all it needs: to read it costs more than all that it then does."""

import os
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection

from cardcert.__main__ import main

STARTS = get_context("forkserver")
STARTS.set_forkserver_preload(["cardcert.emulate", __name__])


def emulate(says: Connection, arguments: Sequence[str]) -> None:
    """Be `cardcert emulate`, as a process of its own; what it prints goes to the test."""
    os.dup2(says.fileno(), sys.stdout.fileno())
    says.close()
    sys.exit(main(["emulate", *arguments]))
