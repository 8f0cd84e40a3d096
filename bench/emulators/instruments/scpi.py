"""The part of an emulated instrument that understands SCPI: messages, common commands, the error queue."""

import re
from collections import deque
from collections.abc import Callable

MAX_LINE = 4096
QUEUE = 20
COMMAND_ERROR = (-113, "Undefined header")
OUT_OF_RANGE = (-222, "Data out of range")
OVERFLOW = (-350, "Queue overflow")

Handler = Callable[[re.Match[str]], str | None]
"""What a command does; its answer, or None."""


class Refused(Exception):
    """The instrument does not do what it was told, and queues this error."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.error = (code, text)


class ScpiInstrument:
    """An instrument on a line: `feed` takes what comes, `send` what it says. Subclasses add commands."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.send: Callable[[bytes], None] = lambda _: None
        self._held = bytearray()
        self._errors: deque[tuple[int, str]] = deque(maxlen=QUEUE)
        self._enabled = 0
        self._commands: list[tuple[re.Pattern[str], Handler]] = []
        self._add(r"\*IDN\?", lambda _: self.identity)
        self._add(r"\*CLS", lambda _: self._errors.clear())
        self._add(r"\*RST", lambda _: self.reset())
        self._add(r"\*OPC\?", lambda _: "1")
        self._add(r"\*ESR\?", lambda _: str(32 if self._errors else 0))
        self._add(r"\*ESE\?", lambda _: str(self._enabled))
        self._add(r"\*ESE (\d{1,3})", self._enable)
        self._add(r"SYST(?:EM)?:ERR(?:OR)?(?::NEXT)?\?", lambda _: self._next_error())

    def feed(self, data: bytes) -> None:
        """Bytes from the host; each line is carried out when it has come whole."""
        self._held += data
        while (end := self._held.find(b"\n")) >= 0:
            line = self._held[:end].decode("latin-1").strip()
            del self._held[: end + 1]
            answers = [answer for unit in line.split(";") if (answer := self._carry_out(unit.strip())) is not None]
            if answers:
                self.send((";".join(answers) + "\n").encode())
        if len(self._held) > MAX_LINE:
            self._held.clear()
            self._queue(COMMAND_ERROR)

    def reset(self) -> None:
        """As after `*RST`."""

    def _add(self, command: str, handler: Handler) -> None:
        self._commands.append((re.compile(command, re.IGNORECASE), handler))

    def _carry_out(self, unit: str) -> str | None:
        unit = unit.removeprefix(":")
        if not unit:
            return None
        for pattern, handler in self._commands:
            if found := pattern.fullmatch(unit):
                try:
                    return handler(found)
                except Refused as refused:
                    self._queue(refused.error)
                    return None
        self._queue(COMMAND_ERROR)
        return None

    def _queue(self, error: tuple[int, str]) -> None:
        if len(self._errors) == QUEUE:
            self._errors[-1] = OVERFLOW
        else:
            self._errors.append(error)

    def _next_error(self) -> str:
        code, text = self._errors.popleft() if self._errors else (0, "No error")
        return f'{code:+d},"{text}"'

    def _enable(self, found: re.Match[str]) -> None:
        self._enabled = int(found[1]) & 0xFF
