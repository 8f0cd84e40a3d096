"""The network of an emulated device within this process, at an address that only the emulated rig has."""

from collections.abc import Iterable

from bench.emulators.services import ADDRESS, Opener, services_of
from bench.links.link import Link
from bench.security.network import Answer
from evidence.errors import RigFault


class EmulatedConnection:
    """The bench's end of a connection to a service in this process; what is said is there at once."""

    rx_bytes = tx_bytes = 0

    def __init__(self, begin: Opener) -> None:
        self._inbox = bytearray()
        self._ended = False
        self._service = begin(self._inbox.extend, self._end)
        self._service.begin()

    def _end(self) -> None:
        self._ended = True

    def write(self, data: bytes) -> None:
        if self._ended:
            raise RigFault("the emulated service has hung up")
        self._service.feed(data)

    def read(self) -> bytes:
        data = bytes(self._inbox)
        self._inbox.clear()
        if not data and self._ended:
            raise RigFault("the emulated service has hung up")
        return data

    def fileno(self) -> int:
        return -1

    def ready(self) -> bool:
        return bool(self._inbox) or self._ended

    def close(self) -> None:
        self._ended = True


class EmulatedNetwork:
    """The network of a device that is emulated in this process: it needs no port of this machine."""

    address = ADDRESS

    def __init__(self, defects: Iterable[str] = ()) -> None:
        self._services = services_of(defects)

    def try_port(self, port: int) -> Answer:
        return "open" if port in self._services else "closed"

    def connect(self, port: int) -> Link:
        if port not in self._services:
            raise RigFault(f"{self.address} port {port}: no connection (refused).")
        return EmulatedConnection(self._services[port])
