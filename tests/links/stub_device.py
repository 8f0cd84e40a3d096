"""A device written from docs/protocol-reference.md alone, byte by byte, as a maker would; nothing here is the bench's.

It lives in a thread behind a pty or a TCP port and does exactly what a test tells it to do next.
"""

import os
import select
import socket
import threading
import tty
from collections.abc import Callable
from typing import Self


def crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE, bit by bit."""
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def frame(kind: int, seq: int, payload: bytes = b"", version: int = 1) -> bytes:
    """A frame on the line."""
    body = bytes([version, kind, seq >> 8, seq & 0xFF, len(payload)]) + payload
    body += bytes([crc(body) >> 8, crc(body) & 0xFF])
    line = b""
    for byte in body:
        line += bytes([0x10, byte ^ 0x20]) if byte in (0x02, 0x03, 0x10, 0x11, 0x13) else bytes([byte])
    return b"\x02" + line + b"\x03"


def frames_in(stream: bytes) -> list[tuple[int, int, bytes]]:
    """Kind, seq and payload of every good frame in a stream of whole frames."""
    found = []
    for piece in stream.split(b"\x02")[1:]:
        escaped, _, _ = piece.partition(b"\x03")
        body, at = b"", 0
        while at < len(escaped):
            if escaped[at] == 0x10:
                at += 1
                body += bytes([escaped[at] ^ 0x20])
            else:
                body += escaped[at : at + 1]
            at += 1
        if crc(body) == 0:
            found.append((body[1], body[2] << 8 | body[3], body[5:-2]))
    return found


OPENED = bytes([0, 0, 0, 1, 0, 1])
"""What follows the host number in an Opened: boot 1, the next event is number 1."""
READY = bytes([3, 0, 0, 0, 52, 0, 0, 0, 0, 0, 3])
"""Status: ready, no code, 52 cards inside, 3 cycles."""

Answerer = Callable[[int, int, bytes], bytes]
"""What to send for a frame of this kind, seq and payload."""


def obedient(kind: int, seq: int, payload: bytes) -> bytes:
    """Open, status and commands answered as they should be."""
    if kind == 0x20:
        return frame(0x40, seq, payload[:4] + OPENED)
    if kind == 0x22:
        return frame(0x42, seq, READY)
    if 0x30 <= kind <= 0x36:
        return frame(0x43, seq, b"\x01\x00\x00")
    return b""


class StubDevice:
    """Serves a descriptor in a thread: each frame that comes in is handed to `answer`, whose bytes go out."""

    def __init__(self, fd: int, answer: Answerer = obedient) -> None:
        self.answer = answer
        self.received: list[tuple[int, int, bytes]] = []
        self._fd = fd
        self._stop_r, self._stop_w = os.pipe()
        self._thread = threading.Thread(target=self._serve)

    def send(self, data: bytes) -> None:
        """Say something unasked."""
        os.write(self._fd, data)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._stop_w, b"x")
        self._thread.join()
        os.close(self._stop_r)
        os.close(self._stop_w)

    def _serve(self) -> None:
        held = b""
        while True:
            ready, _, _ = select.select([self._fd, self._stop_r], [], [])
            if self._stop_r in ready:
                return
            try:
                data = os.read(self._fd, 4096)
            except OSError:
                return
            if not data:
                return
            held += data
            whole, end, held = held.rpartition(b"\x03")
            for kind, seq, payload in frames_in(whole + end):
                self.received.append((kind, seq, payload))
                answer = self.answer(kind, seq, payload)
                if answer:
                    os.write(self._fd, answer)


def raw_pty() -> tuple[int, int, str]:
    """A pty in raw mode: master, slave, and the slave's path, which opens like a serial port."""
    master, slave = os.openpty()
    tty.setraw(slave)
    return master, slave, os.ttyname(slave)


def listening() -> tuple[socket.socket, str]:
    """A listening TCP socket on a free loopback port, and its URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, f"socket://127.0.0.1:{listener.getsockname()[1]}"
