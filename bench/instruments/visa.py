"""Sessions through PyVISA: its own backend for plain sockets, whatever VISA is installed for all else.

There is one resource manager of each kind in a process, kept to its end: closing one would close the sessions of the
other.
"""

import contextlib
import functools
import socket
import time
import warnings
from typing import Any

import pyvisa
from pyvisa import constants
from pyvisa.resources import MessageBasedResource

from bench.instruments.session import MAX_LINE, AnswerTooLong, NoAnswer
from evidence.errors import RigFault, UsageError

CHUNK = 128
"""Bytes asked for at once. Answers are shorter; one that drips in is noticed after so many drops at the latest."""
SLICE_S = 0.1
"""How long one read of PyVISA's own backend waits before the deadline is looked at again."""
MOST_DRAINED = 16 << 20
"""Bytes thrown away before the instrument counts as one that never stops."""
LONGEST_DRAIN_S = 10.0
"""So does one that still says something after this time, however little."""
FORMS = "a VISA resource such as TCPIP0::192.0.2.7::5025::SOCKET, TCPIP0::192.0.2.7::hislip0::INSTR or USB0::...::INSTR"


@functools.cache
def _manager(backend: str) -> pyvisa.ResourceManager:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # which optional interfaces are missing is nothing to a bench
        return pyvisa.ResourceManager(backend)


def check_resource(resource: str) -> None:
    """UsageError when this is no VISA resource name."""
    try:
        pyvisa.rname.ResourceName.from_string(resource)
    except (pyvisa.rname.InvalidResourceName, ValueError) as error:
        raise UsageError(f"resource {resource!r}: expected {FORMS}.") from error


class VisaSession:
    """An instrument at a VISA resource. RigFault when it cannot be opened."""

    def __init__(self, resource: str, timeout_s: float) -> None:
        check_resource(resource)
        self.resource = resource
        self._embedded = embedded = resource.upper().endswith("::SOCKET")
        try:
            opened = _manager("@py" if embedded else "").open_resource(resource, open_timeout=round(timeout_s * 1000))
        except Exception as error:  # noqa: BLE001 - backends raise whatever they like, a bare Exception among it
            raise RigFault(
                f"{resource}: cannot be opened ({type(error).__name__}: {error}). Check its address and that it is on."
            ) from None
        if not isinstance(opened, MessageBasedResource):
            opened.close()
            raise UsageError(f"resource {resource!r}: not an instrument that takes messages; expected {FORMS}.")
        self._instrument: MessageBasedResource | None = opened
        opened.read_termination = "\n"
        self._slice_s = SLICE_S if embedded else timeout_s
        opened.timeout = round(self._slice_s * 1000)
        if embedded:
            # Part of an answer is handed over when its end is late, instead of being lost in a time-out.
            opened.set_visa_attribute(constants.ResourceAttribute.suppress_end_enabled, False)
        # Asked for an answer's bytes thousands of times a second: the resource's own read looks up far more each time.
        library: Any = opened.visalib
        self._library, self._session = library, opened.session
        # That there is more to read is no news to whoever reads piece by piece.
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(library.ignore_warning(self._session, constants.StatusCode.success_max_count_read))
        self._held = bytearray()

    def write(self, *lines: bytes) -> None:
        if self._instrument is None:
            raise RigFault(f"{self.resource}: this session is closed.")
        try:
            # On a plain socket a second small piece would wait until the first is acknowledged, 40 ms as a rule.
            for piece in [b"\n".join(lines)] if self._embedded else lines:
                self._library.write(self._session, piece + b"\n")
        except (pyvisa.errors.Error, OSError) as error:
            raise self._gone(error) from None

    def read(self, timeout_s: float) -> bytes:
        held = self._held
        until_s = 0.0
        while (end := held.find(b"\n")) < 0:
            if len(held) > MAX_LINE:
                raise AnswerTooLong(f"{self.resource}: an answer of more than {MAX_LINE} bytes")
            got = self._some()
            held += got
            if b"\n" not in got:
                now_s = time.monotonic()
                until_s = until_s or now_s + timeout_s - (0 if got else self._slice_s)
                if now_s >= until_s:
                    raise NoAnswer(f"{self.resource}: no answer within {timeout_s:g} s")
        line = bytes(held[:end])
        del held[: end + 1]
        return line.rstrip(b"\r")

    def drain(self) -> int:
        size = len(self._held)
        self._held.clear()
        until_s = time.monotonic() + LONGEST_DRAIN_S
        while got := self._some():
            size += len(got)
            if size > MOST_DRAINED or time.monotonic() >= until_s:
                raise RigFault(f"{self.resource}: does not stop talking. Switch it off and on again.")
        return size

    def close(self) -> None:
        instrument, self._instrument = self._instrument, None
        if instrument is not None:
            with contextlib.suppress(pyvisa.errors.Error, OSError):  # whoever has gone is closed
                self._stack.close()
                instrument.close()

    def _some(self) -> bytes:
        """What comes within a slice of time, perhaps nothing."""
        if self._instrument is None:
            raise RigFault(f"{self.resource}: this session is closed.")
        try:
            data, _ = self._library.read(self._session, CHUNK)
        except pyvisa.errors.VisaIOError as error:
            if error.error_code != constants.StatusCode.error_timeout:
                raise self._gone(error) from None
            if self._hung_up():
                raise self._gone(ConnectionResetError("the other end has closed it")) from None
            return b""
        except (pyvisa.errors.Error, OSError) as error:
            raise self._gone(error) from None
        return bytes(data)

    def _hung_up(self) -> bool:
        """Whether a plain socket's other end is known to be closed, which PyVISA's own backend takes for silence."""
        sessions: Any = getattr(self._library, "sessions", {})
        line = getattr(sessions.get(self._session), "interface", None)
        if not self._embedded or not isinstance(line, socket.socket):
            return False
        try:
            return line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _gone(self, error: Exception) -> RigFault:
        self.close()
        return RigFault(
            f"{self.resource}: the connection is gone ({type(error).__name__}: {error}). Check cable and power."
        )
