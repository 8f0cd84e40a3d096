"""What every emulator needs as a process of its own: a port, a ready line, and a way to be stopped."""

import contextlib
import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.links import PtyPort, TcpPort
from evidence.errors import UsageError


def open_port(port: str, host: str, link: Path | None) -> PtyPort | TcpPort:
    """The port that `pty` or `tcp:PORT` names, a pty also by the name `link`. UsageError when it cannot be had."""
    kind, _, number = port.partition(":")
    if kind == "pty" and not number:
        return PtyPort(link)
    if kind == "tcp" and number.isdecimal() and int(number) <= 65535:
        if link is not None:
            raise UsageError("link: only a pty can be linked to. Leave it out, or use port pty.")
        return TcpPort(int(number), host)
    raise UsageError(f"port {port!r}: expected pty or tcp:PORT with a port from 0 (any free one) to 65535.")


@contextlib.contextmanager
def stopping(with_stdin: bool) -> Iterator[Callable[[], bool]]:
    """A function that turns True once the process has been asked to stop; the handlers before are put back."""
    asked: list[int] = []

    def stop(number: int, _: object) -> None:
        asked.append(number)

    def stopped() -> bool:
        if with_stdin and not asked and select.select([sys.stdin], [], [], 0)[0] and not os.read(0, 4096):
            asked.append(0)
        return bool(asked)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def say_ready(ready: Mapping[str, object]) -> None:
    """Print one line of JSON: whoever started this process waits for it."""
    sys.stdout.write(json.dumps({**ready, "pid": os.getpid()}) + "\n")
    sys.stdout.flush()
