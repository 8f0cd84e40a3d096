"""The emulator's end of a connection: a pty, which looks like a serial port, or a TCP port, like a serial server.

A port calls `feed` with what arrives. In a process of its own `bench.clock.run_real_time` pumps it; in the process of
the bench a `Wire` does.
"""

import contextlib
import os
import socket
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from bench.links.stream import Stream
from evidence.errors import UsageError


def ignore(_: bytes) -> None:
    """What a port does with bytes until somebody listens."""


def do_nothing() -> None:
    """What a port does about its line's beginning and end until somebody cares."""


class EmulatorPort(Protocol):
    """What an emulator may do with its port, whatever carries the bytes."""

    feed: Callable[[bytes], None]
    """Called with what arrives."""
    before_hang_up: Callable[[], None]
    """Called before the line is cut from this side; a `Wire` uses it to bring over what was sent before."""

    def write(self, data: bytes) -> None:
        """Send to the host. What the host never takes, or what is sent while none is there, is lost."""
        ...

    def fill(self) -> int:
        """Fetch what has arrived and send what is waiting; the number of bytes fetched."""
        ...

    def deliver(self) -> None:
        """Hand what was fetched to `feed`, in one piece."""
        ...

    def pump(self) -> None:
        """Fetch and deliver."""
        ...

    def flush(self) -> None:
        """Send what is waiting, and fetch nothing."""
        ...

    def fileno(self) -> int: ...
    def close(self) -> None: ...

    @property
    def unsent(self) -> int: ...
    @property
    def rx_bytes(self) -> int: ...
    @property
    def tx_bytes(self) -> int: ...
    @property
    def hung_up(self) -> bool:
        """True when the line was cut from this side: to the host, the device has been unplugged."""
        ...


class PtyPort:
    """An emulated serial port; the host opens `path`. With `symlink` it can also be opened by a name of one's choice.

    UsageError when something that is no symbolic link stands at `symlink`.
    """

    def __init__(self, symlink: Path | None = None) -> None:
        self.feed: Callable[[bytes], None] = ignore
        self.before_hang_up: Callable[[], None] = do_nothing
        master, self._slave = os.openpty()
        # A new pty echoes and edits lines. Held open here, the slave end keeps its settings when the host leaves.
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._stream = Stream(master)
        self._symlink = symlink
        if symlink is not None:
            self._place(symlink)

    def write(self, data: bytes) -> None:
        if not self.hung_up:
            self._stream.write(data)

    def fill(self) -> int:
        if self.hung_up:
            return 0
        self._stream.flush()
        return self._stream.fill()

    def flush(self) -> None:
        if not self.hung_up:
            self._stream.flush()

    def deliver(self) -> None:
        if self._stream.inbox:
            self.feed(self._stream.take())

    def pump(self) -> None:
        self.fill()
        self.deliver()

    def fileno(self) -> int:
        return self._stream.fd

    def close(self) -> None:
        if not self.hung_up:
            self.before_hang_up()
            self._stream.close()
            os.close(self._slave)
            if self._symlink is not None:
                with contextlib.suppress(OSError):
                    self._symlink.unlink()

    @property
    def unsent(self) -> int:
        return len(self._stream.outbox)

    @property
    def rx_bytes(self) -> int:
        return self._stream.rx_bytes

    @property
    def tx_bytes(self) -> int:
        return self._stream.tx_bytes

    @property
    def hung_up(self) -> bool:
        return self._stream.fd < 0

    def _place(self, symlink: Path) -> None:
        try:
            if symlink.is_symlink():
                symlink.unlink()
            symlink.symlink_to(self.path)
        except OSError as error:
            self._symlink = None
            self.close()
            raise UsageError(
                f"{symlink}: cannot place the port there ({error.strerror}). Choose another path."
            ) from error


class TcpPort:
    """An emulated serial server for one client at a time; another may come when it has left. The host opens `url`.

    Listens on the loopback interface unless told otherwise; `port` 0 takes a free one. UsageError when it is taken.
    `on_connect` is called when a client has come, `on_leave` when it has gone or was thrown out.
    """

    def __init__(self, port: int = 0, host: str = "127.0.0.1") -> None:
        self.feed: Callable[[bytes], None] = ignore
        self.before_hang_up: Callable[[], None] = do_nothing
        self.on_connect: Callable[[], None] = do_nothing
        self.on_leave: Callable[[], None] = do_nothing
        try:
            self._listener = socket.create_server((host, port), backlog=8)
        except (OSError, OverflowError) as error:
            raise UsageError(f"{host}:{port}: cannot listen there ({error}). Choose another port.") from error
        self._listener.setblocking(False)
        self.address: tuple[str, int] = self._listener.getsockname()[:2]
        self.url = f"socket://{self.address[0]}:{self.address[1]}"
        self.hung_up = False
        self._client: Stream | None = None
        self._rx_before = 0
        self._tx_before = 0

    def write(self, data: bytes) -> None:
        if self._client is not None:
            self._client.write(data)

    def fill(self) -> int:
        if self._listener.fileno() < 0:
            return 0
        # A client that has left makes room first: one that reconnects at once must not find the line taken by itself.
        fetched = self._fetch()
        had_none = self._client is None
        self._accept()
        return self._fetch() if had_none else fetched

    def flush(self) -> None:
        if self._client is not None:
            self._client.flush()
            if self._client.gone:
                self._leave()

    def _fetch(self) -> int:
        if self._client is None:
            return 0
        self._client.flush()
        fetched = self._client.fill()
        if self._client.gone and not self._client.inbox:
            self._leave()
        return fetched

    def deliver(self) -> None:
        if self._client is not None and self._client.inbox:
            self.feed(self._client.take())

    def pump(self) -> None:
        self.fill()
        self.deliver()

    def fileno(self) -> int:
        return self._listener.fileno() if self._client is None else self._client.fd

    def hang_up(self) -> None:
        """Throw the client out and wait for the next."""
        if self._client is not None:
            self.before_hang_up()
        self._leave()
        self.hung_up = True

    def close(self) -> None:
        self.hang_up()
        self._listener.close()

    @property
    def unsent(self) -> int:
        return 0 if self._client is None else len(self._client.outbox)

    @property
    def rx_bytes(self) -> int:
        return self._rx_before + (0 if self._client is None else self._client.rx_bytes)

    @property
    def tx_bytes(self) -> int:
        return self._tx_before + (0 if self._client is None else self._client.tx_bytes)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if self._client is not None:
                connection.close()  # one line has one far end
                continue
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._client = Stream(connection.detach())
            self.hung_up = False
            self.on_connect()

    def _leave(self) -> None:
        if self._client is not None:
            self._rx_before, self._tx_before = self.rx_bytes, self.tx_bytes
            self._client.close()
            self._client = None
            self.on_leave()
