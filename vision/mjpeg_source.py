"""A camera behind an HTTP MJPEG stream (`multipart/x-mixed-replace`), read so that no old frame is ever used.

A thread reads the stream without pause and keeps only the newest JPEGs; whoever grabs decodes only what is used. This
end's buffer is kept about as small as a frame.
"""

import contextlib
import http.client
import socket
import threading
from collections.abc import Callable
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from evidence.errors import RigFault, UsageError
from vision.addresses import shown
from vision.newest import PASSED_OVER, NewestFrames
from vision.pictures import MAX_FILE_BYTES
from vision.sources import Frame, decode_whole

_MAX_LINE = 4096
_MAX_PART_HEADERS = 32
_MAX_DIGITS = 12
_CHUNK = 64 * 1024
_RECONNECT_S = 0.5
_READ_TIMEOUT_S = 3.0
_BUFFER_BYTES = 256 * 1024


class StreamBroken(Exception):
    """The stream ended or is not MJPEG. The reader connects again."""


class MjpegSource:
    """Reads an MJPEG URL, `http://` or `https://`; raises `UsageError` for another.

    `now_ns` is the run's clock, `latency_ns` how long on that clock a picture may take from lens to arrival.
    """

    def __init__(
        self,
        url: str,
        now_ns: Callable[[], int],
        latency_ns: int = 0,
        passed_over: int = PASSED_OVER,
        read_timeout_s: float = _READ_TIMEOUT_S,
    ) -> None:
        self._url = _checked_url(url)
        self._read_timeout_s = read_timeout_s
        self._frames: NewestFrames[bytes] = NewestFrames(now_ns, latency_ns, passed_over)
        self._guard = threading.Lock()
        self._socket: socket.socket | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mjpeg-source", daemon=True)
        self._thread.start()

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        """The newest frame that cannot have been begun before `after_ns`; None if none comes within `timeout_s`.

        A damaged one is passed over. Raises `RigFault` if the camera sent nothing else.
        """
        until, broken = monotonic() + timeout_s, None
        while (newest := self._frames.wait(after_ns, max(0.0, until - monotonic()))) is not None:
            try:
                picture = decode_whole(newest.data, "camera stream")
            except UsageError as error:
                broken, after_ns = RigFault(f"{error}; frame {newest.index} of {self._url.netloc}"), newest.stamp_ns + 1
            else:
                return Frame(picture, newest.stamp_ns, newest.index, newest.lost)
        if broken is not None:
            raise broken
        return None

    @property
    def trouble(self) -> str:
        """Why there is no frame, for messages; empty while frames arrive."""
        return self._frames.trouble

    def close(self) -> None:
        """Stop reading. Safe to call twice."""
        self._stop.set()
        self._frames.end()
        with self._guard:
            if self._socket is not None:
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)  # wakes the reader
        self._thread.join(self._read_timeout_s + 1)

    def _run(self) -> None:
        while not self._stop.is_set():
            connection = _connection(self._url, self._read_timeout_s)
            try:
                connection.connect()
                connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER_BYTES)
                with self._guard:
                    self._socket = connection.sock
                self._read(connection)
            except (OSError, http.client.HTTPException, StreamBroken, ValueError) as error:
                self._frames.note(f"{self._url.netloc}: {error or type(error).__name__}")
            finally:
                connection.close()
            self._stop.wait(_RECONNECT_S)

    def _read(self, connection: http.client.HTTPConnection) -> None:
        path = self._url.path or "/"
        connection.request("GET", f"{path}?{self._url.query}" if self._url.query else path)
        response = connection.getresponse()
        if response.status != 200:
            raise StreamBroken(f"expected HTTP 200, got {response.status}")
        kind = response.getheader("Content-Type", "") or ""
        if not kind.lower().startswith("multipart/"):
            raise StreamBroken(f"expected a multipart stream, got {kind[:60]!r}; give the URL of the MJPEG stream")
        while not self._stop.is_set():
            self._frames.keep(read_part(response))


def read_part(stream: http.client.HTTPResponse) -> bytes:
    """The next JPEG of a multipart stream. Raises `StreamBroken` at its end and beyond every bound."""
    length: int | None = None
    started = False
    for _ in range(_MAX_PART_HEADERS):
        line = stream.readline(_MAX_LINE + 1)
        if not line or len(line) > _MAX_LINE:
            raise StreamBroken("the stream ended" if not line else "a header line is too long")
        text = line.strip()
        if text.startswith(b"--"):
            started = True
        elif text.lower().startswith(b"content-length:"):
            digits = text.split(b":", 1)[1].strip()
            if not digits.isdigit() or len(digits) > _MAX_DIGITS or not 0 < int(digits) <= MAX_FILE_BYTES:
                raise StreamBroken(f"a picture of {digits[:20]!r} bytes is announced")
            length = int(digits)
        elif not text and started:
            break
    else:
        raise StreamBroken("a picture has too many header lines")
    return _exactly(stream, length) if length is not None else _until_end_of_image(stream)


def _exactly(stream: http.client.HTTPResponse, length: int) -> bytes:
    parts, missing = [], length
    while missing:
        part = stream.read(min(missing, _CHUNK))
        if not part:
            raise StreamBroken("the stream ended within a picture")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _until_end_of_image(stream: http.client.HTTPResponse) -> bytes:
    """A picture without announced length: up to the line that ends with JPEG's end mark."""
    data = bytearray()
    while len(data) <= MAX_FILE_BYTES:
        line = stream.readline(_CHUNK)
        if not line:
            raise StreamBroken("the stream ended within a picture")
        data += line
        if data[-4:].rstrip(b"\r\n").endswith(b"\xff\xd9"):
            return bytes(data)  # a line end after the mark does no harm
    raise StreamBroken("a picture is too large")


def _connection(url: SplitResult, timeout_s: float) -> http.client.HTTPConnection:
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    return kind(url.hostname or "", url.port, timeout=timeout_s)


def _checked_url(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port_is_fine = parts.port is None or 0 < parts.port < 65536
    except ValueError as error:
        raise UsageError(f"camera URL: expected http://host:port/path, got {shown(url)}") from error
    unprintable = any(ord(character) <= 32 or ord(character) == 127 for character in url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_fine or unprintable:
        raise UsageError(f"camera URL: expected http://host:port/path of an MJPEG stream, got {shown(url)}")
    if parts.username or parts.password:
        raise UsageError("camera URL: give no user or password in it; it would stand in the evidence")
    return parts
