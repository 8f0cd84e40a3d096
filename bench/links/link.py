"""What a link is: the bench's end of a stream of bytes to a device."""

from typing import Protocol

from bench.links.stream import Stream
from evidence.errors import RigFault


class Link(Protocol):
    """The bench's end of a connection to a device. Never blocks; wait with the clock."""

    @property
    def rx_bytes(self) -> int: ...
    @property
    def tx_bytes(self) -> int: ...

    def write(self, data: bytes) -> None:
        """Send bytes. RigFault when the far side is gone or has stopped taking any."""
        ...

    def read(self) -> bytes:
        """Whatever has arrived, perhaps nothing. RigFault when the far side is gone and nothing is left to read."""
        ...

    def fileno(self) -> int: ...
    def ready(self) -> bool: ...
    def close(self) -> None: ...


class StreamLink:
    """A link over one descriptor. `url` names it in messages."""

    def __init__(self, stream: Stream, url: str) -> None:
        self.url = url
        self.stream = stream
        self.wired = False
        """True when a `Wire` reads the descriptor, so that what `read` gives does not depend on the kernel's timing."""

    @property
    def rx_bytes(self) -> int:
        return self.stream.rx_bytes

    @property
    def tx_bytes(self) -> int:
        return self.stream.tx_bytes

    def write(self, data: bytes) -> None:
        self.stream.write(data)
        if self.stream.gone:
            raise self._vanished()
        if self.stream.lost_bytes:
            raise RigFault(
                f"{self.url}: takes no more bytes. Check its flow control, its cable and that it is running."
            )

    def read(self) -> bytes:
        stream = self.stream
        if self.wired:
            data = stream.take()
        else:
            if stream.outbox:
                stream.flush()
            data = stream.fetch()
        if stream.gone and not data:
            raise self._vanished()
        return data

    def fileno(self) -> int:
        if self.stream.fd < 0:
            raise self._vanished()
        return self.stream.fd

    def ready(self) -> bool:
        return bool(self.stream.inbox or self.stream.gone)

    def close(self) -> None:
        self.stream.close()

    def _vanished(self) -> RigFault:
        why = self.stream.gone
        return RigFault(f"{self.url}: the connection is gone ({why}). Check cable and power, then start again.")
