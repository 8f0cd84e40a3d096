"""Serving pictures as a network camera does: `/stream.mjpg` and `/snapshot.jpg`."""

import contextlib
import socket
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any, ClassVar

from evidence.errors import RigFault

BOUNDARY = "cardcert-frame"
_CLIENT_TIMEOUT_S = 5.0
_REFUSAL_S = 0.2
_BUFFER_BYTES = 256 * 1024
_BUSY = b"HTTP/1.0 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


Page = tuple[str, Callable[[], bytes]]
"""A media type, and what gives the content."""


class MjpegServer:
    """An HTTP camera. `frame_fn` gives the next JPEG and is called by one thread at a time.

    Listens on `host` (loopback unless told otherwise) and `port` (0 picks a free one). At most `max_clients`
    connections are open at once; others are told status 503. `pages` are served beside the pictures, by path. Raises
    `RigFault` if the port cannot be had.
    """

    def __init__(
        self,
        frame_fn: Callable[[], bytes],
        host: str = "127.0.0.1",
        port: int = 0,
        fps: float = 25.0,
        max_clients: int = 8,
        pages: Mapping[str, Page] | None = None,
    ) -> None:
        shared = _Shared(frame_fn, 1 / fps, pages or {})
        handler = type("CameraHandler", (_Handler,), {"shared": shared})
        try:
            self._server = _BoundedServer((host, port), handler, max_clients)
        except (OSError, OverflowError) as error:
            raise RigFault(f"camera server: cannot listen on {host}:{port}: {error}. Choose another port.") from error
        self._shared = shared
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.1,), name="mjpeg-server", daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Of the stream."""
        return f"http://{self._server.server_address[0]!s}:{self.port}/stream.mjpg"

    def start(self) -> "MjpegServer":
        self._thread.start()
        return self

    def close(self) -> None:
        """End every stream and stop listening. Safe to call twice."""
        self._shared.stop.set()
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join(5)
        self._server.server_close()

    def __enter__(self) -> "MjpegServer":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


class _BoundedServer(ThreadingHTTPServer):
    """One thread a connection, but never more than `max_clients` of them."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], max_clients: int) -> None:
        self._places = threading.BoundedSemaphore(max_clients)
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        with contextlib.suppress(OSError):
            request.settimeout(_REFUSAL_S)
            request.recv(4096)  # an unread request would make the answer be thrown away with the connection
            request.sendall(_BUSY)
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()


class _Shared:
    """What all connections of one server share."""

    def __init__(self, frame_fn: Callable[[], bytes], period_s: float, pages: Mapping[str, Page]) -> None:
        self._frame_fn = frame_fn
        self.pages = pages
        self._lock = threading.Lock()
        self.period_s = period_s
        self.stop = threading.Event()

    def frame(self) -> bytes:
        with self._lock:
            return self._frame_fn()


class _Handler(BaseHTTPRequestHandler):
    shared: ClassVar[_Shared]
    timeout = _CLIENT_TIMEOUT_S
    server_version = "cardcert-camera"
    sys_version = ""

    def do_GET(self) -> None:
        try:
            path = self.path.partition("?")[0]
            if path == "/stream.mjpg":
                self._stream()
            elif path == "/snapshot.jpg":
                self._send("image/jpeg", self.shared.frame())
            elif path in self.shared.pages:
                kind, content = self.shared.pages[path]
                self._send(kind, content())
            else:
                self.send_error(404, "expected /stream.mjpg or /snapshot.jpg")
        except OSError:
            self.close_connection = True  # the client went away

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)

    def _stream(self) -> None:
        self.close_connection = True
        # A large buffer would fill with frames that are old by the time a slow reader gets to them.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
        self.send_response(200)
        self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        due = monotonic()
        while not self.shared.stop.is_set():
            data = self.shared.frame()
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data + b"\r\n")
            due = max(due + self.shared.period_s, monotonic())
            self.shared.stop.wait(max(0.0, due - monotonic()))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Stay silent: a camera does not write to the terminal of whoever looks at it."""
