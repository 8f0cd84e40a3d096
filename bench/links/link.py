"""What a link is: one end of a stream of bytes."""

from typing import Protocol


class Link(Protocol):
    """The bench's end of a connection to a device. Never blocks; wait with the clock."""

    @property
    def rx_bytes(self) -> int: ...
    @property
    def tx_bytes(self) -> int: ...

    def write(self, data: bytes) -> None:
        """Send bytes. RigFault when the far side is gone or takes nothing any more."""
        ...

    def read(self) -> bytes:
        """Whatever has arrived, perhaps nothing. RigFault when the far side is gone."""
        ...

    def fileno(self) -> int: ...
    def ready(self) -> bool: ...
    def close(self) -> None: ...
