"""The reference table software on a WebSocket: one blank table for each connection, in-process or as a process.

What a peer sends is hostile: messages, connections and everything kept of them are bounded, and one that breaks the
format ends its own connection with the reason, nothing else.
"""

import hashlib
import itertools
import json
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from types import TracebackType

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection
from websockets.sync.server import serve as serve_websocket
from websockets.typing import Subprotocol

from bench.emulators.table_software.defects import check_defects
from bench.emulators.table_software.facts import Told
from bench.emulators.table_software.mutations import Reacts, mutated, only_mutations
from bench.emulators.table_software.software import ReferenceSoftware
from bench.software.cloudevents import (
    MAX_MESSAGE_BYTES,
    SUBPROTOCOL,
    MalformedMessage,
    decode,
    encode,
    event_of,
    fields_of,
    utc_now,
)
from bench.software.told import TOLD
from evidence.errors import UsageError
from evidence.events import SoftwareIdentity

MAKER = "cardcert"
PRODUCT = "reference table software"
VERSION = "1.0"
SOURCE = "software:reference"
MOST_CONNECTIONS = 8
POLICY_VIOLATION = 1008
MOST_PORT = 65535

_KINDS = {str(kind.__struct_config__.tag): kind for kind in TOLD}
_QUIET = logging.getLogger("cardcert.table_software")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


@cache
def identity() -> SoftwareIdentity:
    """Who this software is; the digest covers its own source files in the order of their names.

    A process runs what it has loaded, so the files are looked at once.
    """
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return SoftwareIdentity(maker=MAKER, product=PRODUCT, version=VERSION, sha256=digest.hexdigest())


def _converse(connection: ServerConnection, software: Reacts, who: SoftwareIdentity) -> None:
    """Serve one connection until its peer leaves or breaks the format."""
    numbers = itertools.count(1)

    def send(event_type: str, data: dict[str, object]) -> None:
        connection.send(encode(f"s{next(numbers)}", SOURCE, event_type, utc_now(), data))

    try:
        if connection.subprotocol != SUBPROTOCOL:
            connection.close(POLICY_VIOLATION, f"expected the subprotocol {SUBPROTOCOL}")
            return
        send("software.identity", fields_of(who))
        while True:
            message = decode(connection.recv())
            kind = _KINDS.get(message.type)
            if kind is not None:
                for directive in software.react(Told(message.id, event_of(message, kind))):  # type: ignore[arg-type]
                    send("software.directive", fields_of(directive))
            send("software.acknowledged", {"message": message.id})
    except MalformedMessage as error:
        # A close reason holds 123 bytes at most.
        connection.close(POLICY_VIOLATION, str(error).encode()[:120].decode(errors="ignore"))
    except ConnectionClosed:
        return


def _listen(host: str, port: int, defects: Collection[str], served: set[ServerConnection] | None = None) -> Server:
    """`served` holds the connections that are open, for whoever wants to cut them."""
    checked = check_defects(defects)
    served = set() if served is None else served
    who = identity()
    seats = threading.BoundedSemaphore(MOST_CONNECTIONS)

    def handle(connection: ServerConnection) -> None:
        if not seats.acquire(blocking=False):
            connection.close(1013, "too many connections")
            return
        served.add(connection)
        try:
            _converse(connection, mutated(ReferenceSoftware(checked), only_mutations(checked)), who)
        finally:
            served.discard(connection)
            seats.release()

    try:
        # Told here, because a socket that is made first would be left open.
        if not 0 <= port <= MOST_PORT:
            raise OverflowError(f"a port is from 0 to {MOST_PORT}")
        server = serve_websocket(
            handle,
            host,
            port,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            select_subprotocol=lambda _, offered: Subprotocol(SUBPROTOCOL) if SUBPROTOCOL in offered else None,
            origins=[None],  # no web page of a browser on this machine
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            ping_interval=None,
            close_timeout=1,
            logger=_QUIET,
        )
    except (OSError, OverflowError) as error:
        raise UsageError(f"{host}:{port}: cannot listen there ({error}). Choose another port.") from None
    # A connection that is just closing is looked at again soon: a run opens and closes one for every scenario.
    server.SHUTDOWN_POLLING_INTERVAL = 0.005
    return server


def _url(server: Server) -> str:
    host, port = server.socket.getsockname()[:2]
    return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"


class InProcessSoftware:
    """The software in a thread of this process, on a free loopback port: a context manager with its `url`."""

    def __init__(self, defects: Collection[str] = frozenset()) -> None:
        self._served: set[ServerConnection] = set()
        self._server = _listen("127.0.0.1", 0, defects, self._served)
        self.url = _url(self._server)
        self._thread = threading.Thread(target=self._server.serve_forever, name="table-software", daemon=True)

    def __enter__(self) -> "InProcessSoftware":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()

    def end(self) -> None:
        """Let the software die in the middle of whatever it does: its connections are cut at once."""
        for connection in list(self._served):
            connection.socket.shutdown(socket.SHUT_RDWR)


def serve(host: str, port: int, defects: Collection[str], ready: Callable[[str], None]) -> None:
    """Serve as a process of its own until SIGTERM or SIGINT. Port 0 takes a free one.

    `ready` is called once with a line of JSON: `{"emulator": "table", "url": "ws://...", "pid": ...}`.
    Raises UsageError for an unknown defect, or when the port cannot be had.
    """
    server = _listen(host, port, defects)
    stops = {signal.SIGTERM, signal.SIGINT}
    # Blocked before any thread starts, so that the signal waits for sigwait below instead of ending the process.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    thread = threading.Thread(target=server.serve_forever, name="table-software", daemon=True)
    thread.start()
    try:
        ready(json.dumps({"emulator": "table", "url": _url(server), "pid": os.getpid()}))
        signal.sigwait(stops)
    finally:
        server.shutdown()
        thread.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
