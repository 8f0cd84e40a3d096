"""An emulated device's identity line: it answers the GAT protocol about the image that it runs, or lies about it."""

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

import simpy

from bench.clock import run_real_time
from bench.emulators.defects import DEFECTS
from bench.emulators.lines import after
from bench.emulators.process import open_port, say_ready, stopping
from bench.links import PtyPort
from bench.protocol.gat import frames as f
from bench.protocol.gat import messages as m
from evidence.errors import UsageError
from evidence.files import open_ordinary

KIND = "identity"
"""What its defects are listed under."""
CALCULATION_S = 2.0


class EmulatedGat:
    """Answers for the component `main`, whose bytes are `image`. UsageError for a defect that it does not have."""

    def __init__(
        self,
        env: simpy.Environment,
        image: bytes,
        send: Callable[[bytes], None],
        *,
        component: str = "main",
        checksum: str = f.DEFAULT_CHECKSUM,
        defects: Iterable[str] = (),
    ) -> None:
        self._env = env
        self._send = send
        self._component = component
        self._checksum = f.CHECKSUMS[checksum]
        self._decoder = f.Decoder(frozenset(m.QUERIES), self._checksum)
        self.defects = frozenset(defects)
        known = identity_defects()
        for defect in sorted(self.defects - known):
            raise UsageError(f"identity: there is no defect {defect!r}; there are {', '.join(sorted(known))}.")
        self._genuine = image
        self._image = _patched(image) if self.defects & {"other_firmware", "canned_identity"} else image
        self._state = m.NONE
        self._result = b""
        self._run = 0

    def feed(self, data: bytes) -> None:
        """Take the host's bytes as they arrive, in pieces of any size."""
        for item in self._decoder.feed(data):
            if isinstance(item, f.Frame):
                self._send(f.encode(f.Frame(item.command | 0x80, self._reply(item)), self._checksum))

    def _reply(self, frame: f.Frame) -> bytes:
        match frame.command:
            case m.STATUS:
                return bytes([m.BUSY if self._state == m.RUNNING else m.READY])
            case m.LAST_STATUS:
                return bytes([self._state])
            case m.LAST_RESULT:
                return bytes([m.SPECIAL]) + self._result
            case _:
                return bytes([m.SPECIAL, self._begin(m.asked(frame.data))])

    def _begin(self, asked: m.Verification | None) -> int:
        if asked is None or asked.component != self._component or self._state == m.RUNNING:
            return m.FAILED
        try:
            digest = bytes.fromhex(asked.digest(self._image))
        except ValueError:
            return m.FAILED
        if "canned_identity" in self.defects:
            digest = m.ALGORITHMS[asked.algorithm](self._genuine).digest()
        self._state, self._result = m.RUNNING, b""
        self._run += 1
        run = self._run
        after(self._env, CALCULATION_S, lambda: self._end(run, digest))
        return m.RUNNING

    def _end(self, run: int, digest: bytes) -> None:
        if run == self._run:
            self._state, self._result = m.COMPLETE, digest


def identity_defects() -> frozenset[str]:
    """The defects that an identity line can have."""
    return frozenset(defect.name for defect in DEFECTS if KIND in defect.devices)


def _patched(image: bytes) -> bytes:
    """The image with its last byte changed, as a firmware of which only a constant was."""
    return image[:-1] + bytes([image[-1] ^ 1])


MAX_IMAGE = 256 * 1024 * 1024
"""Bytes of an image at most."""


def serve_identity(
    image: Path, *, port: str = "pty", host: str = "127.0.0.1", scale: float = 1.0, defects: Iterable[str] = ()
) -> None:
    """Answer for the image in a file on `port` (`pty` or `tcp:PORT`) until told to stop. UsageError for wrong input."""
    try:
        with open_ordinary(image) as file:
            data = file.read(MAX_IMAGE + 1)
    except OSError as error:
        raise UsageError(f"{image}: cannot be read ({error.strerror}).") from None
    if not data or len(data) > MAX_IMAGE:
        raise UsageError(f"{image}: {len(data)} bytes; expected an image of 1 to {MAX_IMAGE}.")
    if not 0 < scale <= 1000:
        raise UsageError(f"scale is {scale:g}; expected more than 0 and at most 1000 emulated seconds a second.")
    with contextlib.ExitStack() as stack:
        line = open_port(port, host, None)
        stack.callback(line.close)
        env = simpy.Environment()
        line.feed = EmulatedGat(env, data, line.write, defects=defects).feed
        with stopping(with_stdin=False) as stopped:
            say_ready({"emulator": "identity", "port": line.path if isinstance(line, PtyPort) else line.url})
            run_real_time(env, [line], stopped, scale)
