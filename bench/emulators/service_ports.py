"""The services of an emulated device on TCP ports of this machine."""

import contextlib
import select
import socket
from collections.abc import Iterable, Mapping
from functools import partial

import simpy

from bench.clock import run_real_time
from bench.emulators.process import say_ready, stopping
from bench.emulators.services import MOST_BYTES, Opener, Service, services_of
from evidence.errors import UsageError

MOST_CLIENTS = 20


class ServicePort:
    """One service on a TCP port, for several clients at a time. UsageError when the port is taken."""

    unsent = 0

    def __init__(self, begin: Opener, port: int, host: str) -> None:
        self._begin = begin
        try:
            self._listener = socket.create_server((host, port), backlog=16)
        except (OSError, OverflowError) as error:
            raise UsageError(f"{host}:{port}: cannot listen there ({error}). Choose another port.") from error
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._ready = select.epoll()
        self._ready.register(self._listener, select.EPOLLIN)
        self._clients: dict[int, tuple[socket.socket, Service]] = {}

    def fileno(self) -> int:
        return self._ready.fileno()

    def pump(self) -> None:
        """Take in whoever comes, and hear what the others say."""
        for fd, _ in self._ready.poll(0):
            if fd == self._listener.fileno():
                self._accept()
            elif fd in self._clients:
                self._hear(*self._clients[fd])

    def close(self) -> None:
        for client, _ in list(self._clients.values()):
            self._leave(client)
        self._ready.close()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            client, _ = self._listener.accept()
            if len(self._clients) >= MOST_CLIENTS:
                client.close()
                return
            client.setblocking(False)
            service = self._begin(partial(self._say, client), partial(self._leave, client))
            self._clients[client.fileno()] = client, service
            self._ready.register(client, select.EPOLLIN)
            service.begin()

    def _hear(self, client: socket.socket, service: Service) -> None:
        try:
            data = client.recv(MOST_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            service.feed(data)
        else:
            self._leave(client)

    @staticmethod
    def _say(client: socket.socket, data: bytes) -> None:
        # All that a service says at once fits into an empty buffer; whoever reads nothing misses it.
        with contextlib.suppress(OSError):
            client.send(data)

    def _leave(self, client: socket.socket) -> None:
        if self._clients.pop(client.fileno(), None) is not None:
            self._ready.unregister(client)
            client.close()


def serve_services(
    *, ports: Mapping[int, int] | None = None, host: str = "127.0.0.1", defects: Iterable[str] = ()
) -> None:
    """Answer on TCP ports until told to stop. `ports` has for a usual port another one; 0 takes a free one.

    UsageError for a port that is taken, and for a defect that there is not.
    """
    given = ports or {}
    if host not in ("127.0.0.1", "::1"):
        raise UsageError(f"{host}: these services have known weaknesses and are for this machine alone.")
    with contextlib.ExitStack() as stack:
        served: dict[int, ServicePort] = {}
        for usual, begin in services_of(defects).items():
            served[usual] = ServicePort(begin, given.get(usual, usual), host)
            stack.callback(served[usual].close)
        with stopping(with_stdin=False) as stopped:
            say_ready({"emulator": "services", "ports": {str(usual): port.port for usual, port in served.items()}})
            run_real_time(simpy.Environment(), list(served.values()), stopped)
