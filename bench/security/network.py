"""The one address of a device that its rig file names, by TCP connections alone."""

import errno
import ipaddress
import socket
from typing import Literal, Protocol

from bench.links.link import Link, StreamLink
from bench.links.stream import Stream
from evidence.errors import RigFault, UsageError

Answer = Literal["open", "closed", "silent"]
"""What came of a connection: it came about, it was refused, or nothing came back in time."""

_REFUSED = {errno.ECONNREFUSED, errno.ECONNRESET}


class Network(Protocol):
    """What a bench can do at the address of a device, on a network or emulated."""

    @property
    def address(self) -> str: ...

    def try_port(self, port: int) -> Answer:
        """Whether a connection comes about; it is closed at once."""
        ...

    def connect(self, port: int) -> Link:
        """A connection. RigFault when none comes about."""
        ...


def check_address(where: str, address: str, *, beyond_loopback: bool) -> None:
    """UsageError for what is no address, for one of many hosts, and for another machine's unless that is allowed."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        raise UsageError(
            f"{where}: address {address[:60]!r} is none; expected one IP address such as 192.168.7.20. "
            "Names are not looked up: they may lead elsewhere."
        ) from None
    if found.is_multicast or found.is_unspecified or found == ipaddress.ip_address("255.255.255.255"):
        raise UsageError(f"{where}: {address} is not the address of one device. Name that one.")
    if not found.is_loopback and not beyond_loopback:
        raise UsageError(
            f"{where}: {address} is another machine. Its ports and logins are tried only where the rig file says "
            "beyond_loopback = true: then whoever answers for that device and its network has agreed."
        )


class TcpNetwork:
    """A device's address on a network that the bench is plugged into."""

    def __init__(self, address: str, connect_timeout_s: float) -> None:
        self.address = address
        self._timeout_s = connect_timeout_s

    def try_port(self, port: int) -> Answer:
        try:
            with socket.create_connection((self.address, port), timeout=self._timeout_s):
                return "open"
        except OSError as error:
            return "closed" if error.errno in _REFUSED else "silent"

    def connect(self, port: int) -> Link:
        try:
            connection = socket.create_connection((self.address, port), timeout=self._timeout_s)
        except OSError as error:
            raise RigFault(f"{self.address} port {port}: no connection ({error.strerror or error}).") from error
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return StreamLink(Stream(connection.detach()), f"{self.address} port {port}")
