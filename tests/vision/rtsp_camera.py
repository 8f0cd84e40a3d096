"""A small RTSP camera on loopback: JPEG over RTP (RFC 2435), interleaved in the RTSP connection, nothing else."""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from itertools import count
from types import TracebackType

import cv2

from vision.pictures import Picture

_CLOCK_HZ = 90_000
_PAYLOAD = 1200
_SDP = (
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=table\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\na=control:track\r\n"
)


class RtspCamera:
    """Serves what `take` gives, `fps` pictures a second, to one viewer after another. Refuses RTP over UDP."""

    def __init__(self, take: Callable[[], Picture], fps: float = 50.0) -> None:
        self._take, self._period_s = take, 1 / fps
        self._server = socket.create_server(("127.0.0.1", 0))
        self._stop = threading.Event()
        self._viewer: socket.socket | None = None
        self.asked: list[str] = []
        """The transports that viewers asked for."""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self._server.getsockname()[1]}/table"

    def __enter__(self) -> "RtspCamera":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stop.set()
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(10)

    def hang_up(self) -> None:
        """Break off with the viewer of now; the next one is welcome."""
        if self._viewer is not None:
            with contextlib.suppress(OSError):
                self._viewer.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(OSError):
                connection, _ = self._server.accept()
                with connection:
                    self._viewer = connection
                    self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        lines = connection.makefile("rb")
        while words := lines.readline().split():
            heads = dict(line.split(b": ", 1) for line in iter(lines.readline, b"\r\n"))
            answer = [b"RTSP/1.0 200 OK", b"CSeq: " + heads[b"CSeq"].strip(), b"Session: 7"]
            body = b""
            if words[0] == b"OPTIONS":
                answer.append(b"Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
            elif words[0] == b"DESCRIBE":
                body = _SDP.encode()
                answer += [b"Content-Type: application/sdp", b"Content-Length: %d" % len(body)]
            elif words[0] == b"SETUP":
                self.asked.append(heads[b"Transport"].decode())
                if b"TCP" not in heads[b"Transport"]:
                    answer[0] = b"RTSP/1.0 461 Unsupported transport"
                answer.append(b"Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
            connection.sendall(b"\r\n".join(answer) + b"\r\n\r\n" + body)
            if words[0] == b"PLAY":
                self._play(connection)
                return

    def _play(self, connection: socket.socket) -> None:
        numbers = count()
        for frame in count():
            for last, payload in rtp_jpeg(self._take()):
                stamp = int(frame * self._period_s * _CLOCK_HZ)
                head = struct.pack(">BBHII", 0x80, 26 | (0x80 if last else 0), next(numbers) & 0xFFFF, stamp, 99)
                connection.sendall(struct.pack(">cBH", b"$", 0, len(head) + len(payload)) + head + payload)
            if self._stop.wait(self._period_s):
                return


def rtp_jpeg(picture: Picture) -> list[tuple[bool, bytes]]:
    """The payloads of one picture, whose sides are multiples of eight: header, first with quantisation tables, data."""
    height, width = picture.shape[:2]
    sampling = (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90, *sampling])[1].tobytes()
    tables, at = b"", 2
    while data[at + 1] != 0xDA:
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if data[at + 1] == 0xDB:
            body = data[at + 4 : at + 2 + length]
            tables += b"".join(body[k + 1 : k + 65] for k in range(0, len(body), 65))
        at += 2 + length
    scan = data[at + 2 + int.from_bytes(data[at + 2 : at + 4], "big") : -2]
    parts = []
    for offset in range(0, len(scan), _PAYLOAD):
        head = struct.pack(">I", offset) + bytes([1, 255, width // 8, height // 8])
        if offset == 0:
            head += struct.pack(">BBH", 0, 0, len(tables)) + tables
        parts.append((offset + _PAYLOAD >= len(scan), head + scan[offset : offset + _PAYLOAD]))
    return parts
