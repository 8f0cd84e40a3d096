"""How the command line says what is wrong: a line on standard error, without secrets, that no terminal obeys."""

import contextlib
import sys

from evidence.secrets import without_secrets
from reports.text import visible

MESSAGE_LIMIT = 4000
"""Characters of an error's message that are shown; it may repeat what a device, a peer or a file said."""


def tell_error(line: str) -> None:
    """Print one line of an error; where standard error takes nothing the exit status alone tells of it."""
    with contextlib.suppress(OSError):
        print(f"cardcert: {visible(without_secrets(line), MESSAGE_LIMIT)}", file=sys.stderr, flush=True)
