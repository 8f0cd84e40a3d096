"""Bytes through one descriptor that never blocks: what host links and emulator ports have in common."""

import os

CHUNK = 65_536
MAX_UNSENT = 1 << 20
"""Bytes that may wait for a far side that takes none, in one direction; what comes after is lost, as on a real line."""


class Stream:
    """A non-blocking descriptor with a buffer each way and counters.

    `gone` says why the far side can no longer be reached; it is empty as long as it can. Nothing here raises for that,
    because what it means depends on which end one is.
    """

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self.fd = fd
        self.gone = ""
        self.rx_bytes = 0
        self.tx_bytes = 0
        """Bytes taken over by `write`, whether the kernel has them already or not."""
        self.lost_bytes = 0
        self.inbox = bytearray()
        self.outbox = bytearray()

    def fetch(self) -> bytes:
        """What has arrived in the kernel; nothing when there was nothing or the far side is gone."""
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            self.gone = self.gone or error.strerror or str(error)
            return b""
        if not data:
            self.gone = self.gone or "closed by the far side"
        self.rx_bytes += len(data)
        return data

    def fill(self) -> int:
        """Fetch into `inbox`; the number of bytes."""
        data = self.fetch()
        self.inbox += data
        return len(data)

    def take(self) -> bytes:
        """Empty the `inbox`."""
        data = bytes(self.inbox)
        self.inbox.clear()
        return data

    def write(self, data: bytes) -> None:
        """Send, or keep in `outbox` what the kernel does not take at once."""
        if not self.outbox:
            sent = self._send(data)
            self.tx_bytes += sent
            if sent == len(data):
                return
            data = data[sent:]
        room = max(0, MAX_UNSENT - len(self.outbox))
        self.outbox += data[:room]
        self.tx_bytes += min(room, len(data))
        self.lost_bytes += max(0, len(data) - room)

    def flush(self) -> None:
        """Send more of what waits in `outbox`."""
        if self.outbox:
            del self.outbox[: self._send(self.outbox)]

    def close(self) -> None:
        """Give the descriptor back. May be called twice."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
            self.gone = self.gone or "closed here"

    def _send(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self.fd, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            self.gone = self.gone or error.strerror or str(error)
            return 0
