"""An emulated device's network: a maintenance line and a page for its operator, each behind a login.

The same services answer within a process, at an address that only the emulated rig has, and over real sockets.
"""

import base64
import contextlib
import re
import select
import socket
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import simpy

from bench.clock import run_real_time
from bench.emulators.defects import DEFECTS
from bench.emulators.process import say_ready, stopping
from bench.links.link import Link
from bench.security.network import Answer
from evidence.errors import RigFault, UsageError

KIND = "network"
"""What its defects are listed under."""
LINE_PORT, PAGE_PORT, DEBUG_PORT = 2323, 8080, 9600
ADDRESS = "emulated"
ACCOUNTS = {"line": {"service": "quartz-Heron-41"}, "page": {"supervisor": "basalt-Otter-77"}}
"""Who may log in: none of these stands in a list of default logins."""
MOST_BYTES = 4096
MOST_CLIENTS = 20
MOST_TRIES = 3
"""Logins that the line takes before it hangs up."""

Send = Callable[[bytes], None]


class _Service:
    """What both kinds hold: the connection, and whom they know."""

    def __init__(self, send: Send, hang_up: Callable[[], None], accounts: Mapping[str, str], *, asks: bool) -> None:
        self._send = send
        self._hang_up = hang_up
        self._accounts = accounts
        self._asks = asks
        self._buffer = b""


class LineService(_Service):
    """Asks for a user and a password, and gives a prompt to whom it knows."""

    _user: str | None = None
    _tries = 0

    def begin(self) -> None:
        self._send(b"Carousel 54 maintenance\r\n" + (b"login: " if self._asks else b"> "))

    def feed(self, data: bytes) -> None:
        self._buffer = (self._buffer + data)[-MOST_BYTES:]
        while (end := self._buffer.find(b"\n")) >= 0:
            line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
            self._line(line.decode(errors="replace").strip())

    def _line(self, said: str) -> None:
        if not self._asks:
            self._send(b"> ")
        elif self._user is None:
            self._user = said
            self._send(b"Password: ")
        elif self._accounts.get(self._user) == said:
            self._asks = False
            self._send(b"\r\nLast failed login: never\r\n> ")
        else:
            self._user, self._tries = None, self._tries + 1
            self._send(b"\r\nLogin incorrect\r\n" + (b"login: " if self._tries < MOST_TRIES else b""))
            if self._tries >= MOST_TRIES:
                self._hang_up()


class PageService(_Service):
    """One page behind HTTP Basic."""

    def begin(self) -> None:
        """It says nothing until it is asked."""

    def feed(self, data: bytes) -> None:
        self._buffer = (self._buffer + data)[-MOST_BYTES:]
        if b"\r\n\r\n" not in self._buffer:
            return
        known = not self._asks or self._known(self._buffer)
        status = b"200 OK" if known else b'401 Unauthorized\r\nWWW-Authenticate: Basic realm="device"'
        self._send(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        self._hang_up()

    def _known(self, asked: bytes) -> bool:
        found = re.search(rb"\r\nAuthorization: Basic ([A-Za-z0-9+/=]+)\r\n", asked)
        if found is None:
            return False
        try:
            user, _, password = base64.b64decode(found[1]).decode().partition(":")
        except ValueError:
            return False
        return password != "" and self._accounts.get(user) == password


class DebugService:
    """A port that somebody left open."""

    def __init__(self, send: Send, hang_up: Callable[[], None], accounts: Mapping[str, str], *, asks: bool) -> None:
        pass

    def begin(self) -> None:
        """Nothing is said."""

    def feed(self, data: bytes) -> None:
        """Nothing is heard."""


Service = LineService | PageService | DebugService
Opener = Callable[[Send, Callable[[], None]], Service]


def services_of(defects: Iterable[str]) -> dict[int, Opener]:
    """By its usual port, how each service of the device is begun. UsageError for a defect that it does not have."""
    switched = frozenset(defects)
    for defect in sorted(switched - network_defects()):
        raise UsageError(f"network: there is no defect {defect!r}; there are {', '.join(sorted(network_defects()))}.")
    line, page = dict(ACCOUNTS["line"]), dict(ACCOUNTS["page"])
    if "default_login_left" in switched:
        line["admin"] = "admin"
    if "default_page_login_left" in switched:
        page["operator"] = "0000"
    asks = "login_not_asked" not in switched
    found: dict[int, Opener] = {
        LINE_PORT: lambda send, hang_up: LineService(send, hang_up, line, asks=asks),
        PAGE_PORT: lambda send, hang_up: PageService(send, hang_up, page, asks=True),
    }
    if "port_left_open" in switched:
        found[DEBUG_PORT] = lambda send, hang_up: DebugService(send, hang_up, {}, asks=False)
    return found


def network_defects() -> frozenset[str]:
    """The defects that the network of a device can have."""
    return frozenset(defect.name for defect in DEFECTS if KIND in defect.devices)


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
