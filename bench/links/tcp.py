"""Links over plain TCP, as behind a serial server in TCP mode."""

import socket

from bench.links.link import StreamLink
from bench.links.stream import Stream
from evidence.errors import RigFault

CONNECT_TIMEOUT_S = 5.0


class SocketLink(StreamLink):
    """A device behind `socket://host:port`. RigFault when nobody answers there."""

    def __init__(self, url: str, host: str, port: int) -> None:
        try:
            connection = socket.create_connection((host, port), timeout=CONNECT_TIMEOUT_S)
        except OSError as error:
            raise RigFault(
                f"{url}: nobody answers there ({error}). Check address and port, and that the device is running."
            ) from error
        # Small frames must not wait for each other's acknowledgement.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        super().__init__(Stream(connection.detach()), url)
