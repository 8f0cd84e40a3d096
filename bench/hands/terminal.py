"""Asking a person at a terminal: one order, one answer, with who gave it and how long it took."""

import os
import select
import sys
import termios
from time import monotonic
from typing import Literal, TextIO

from bench.drivers.base import Emit
from evidence.errors import RigFault, UsageError
from evidence.events import OperatorAnswered

LONGEST_ANSWER = 500
"""Characters of an answer that are kept."""
_CHUNK = 4096
_CLOSED = "hands: the terminal was closed before the dealer had answered. Run again from a terminal."


class Terminal:
    """A person who answers at a terminal; every answer is handed to `emit` before anything follows from it.

    What was typed before an order was shown is no answer to it. Waits in real time, `timeout_s` at most for each answer
    (0: for ever). UsageError when there is no terminal to ask at.
    """

    def __init__(
        self,
        emit: Emit,
        operator: str = "",
        timeout_s: float = 0.0,
        answers: TextIO | None = None,
        prompts: TextIO | None = None,
    ) -> None:
        self._emit = emit
        self._timeout_s = timeout_s
        self._answers = answers or sys.stdin
        self._prompts = prompts or sys.stdout
        if not self._answers.isatty():
            raise UsageError(
                'hands: kind "person" needs a terminal to prompt at, and standard input is not one. '
                'Run from a terminal, or set [hands] kind = "remote" in the rig file.'
            )
        self._operator = operator

    def ask(self, order: str, picture: str = "") -> None:
        """Give an order and wait until it is done. RigFault when it cannot be done, or nobody answers."""
        shown = f" ({picture} shows where)" if picture else ""
        began = monotonic()
        self._show(f"DEALER: {order}{shown}. Then press Enter, or type no and why it cannot be done. ")
        while True:
            answer = self._line(began)
            if answer is None:
                self._record(order, "none", "", began)
                raise RigFault(f"hands: nobody answered within {self._timeout_s:g} s: {order}. Go on with --resume.")
            word, _, why = answer.strip().partition(" ")
            if not word:
                self._record(order, "done", "", began)
                return
            if word.lower().rstrip(":,") == "no":
                self._record(order, "cannot", why.strip(), began)
                raise RigFault(f"hands: it could not be done: {order}: {why.strip() or 'no reason given'}")
            self._show("Press Enter when it is done, or type no and why it cannot be done. ")

    def _record(self, order: str, answer: Literal["done", "cannot", "none"], note: str, began: float) -> None:
        self._emit(
            OperatorAnswered(
                order=order,
                answer=answer,
                note=note[:LONGEST_ANSWER],
                operator=self._operator,
                waited_s=round(monotonic() - began, 1),
            )
        )

    def _show(self, text: str) -> None:
        try:
            termios.tcflush(self._answers.fileno(), termios.TCIFLUSH)
            self._prompts.write(text)
            self._prompts.flush()
        except (OSError, termios.error) as error:
            raise RigFault(_CLOSED) from error

    def _line(self, began: float) -> str | None:
        """The next line; None when the time is over. RigFault when the terminal is closed."""
        fd, typed = self._answers.fileno(), b""
        while b"\n" not in typed and b"\r" not in typed:
            left = began + self._timeout_s - monotonic() if self._timeout_s else None
            if left is not None and left <= 0:
                return None
            if not select.select([fd], [], [], left)[0]:
                return None
            try:
                more = os.read(fd, _CHUNK)
            except OSError:  # what Linux says of a terminal whose other side is gone
                more = b""
            if not more:
                raise RigFault(_CLOSED)
            typed = (typed + more)[-_CHUNK:]
        return typed.decode("utf-8", "replace").replace("\r", "\n").partition("\n")[0]
