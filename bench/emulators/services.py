"""An emulated device's network: a maintenance line and a page for its operator, each behind a login.

They answer within a process (`network`) and over real sockets (`service_ports`) alike.
"""

import base64
import re
from collections.abc import Callable, Iterable, Mapping

from bench.emulators.defects import DEFECTS
from evidence.errors import UsageError

KIND = "network"
"""What its defects are listed under."""
LINE_PORT, PAGE_PORT, DEBUG_PORT = 2323, 8080, 9600
ADDRESS = "emulated"
ACCOUNTS = {"line": {"service": "quartz-Heron-41"}, "page": {"supervisor": "basalt-Otter-77"}}
"""Who may log in: none of these stands in a list of default logins."""
MOST_BYTES = 4096
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
