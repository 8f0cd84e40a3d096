"""The bench's end of the link to table software: tell it what happens, take its directives.

One message out, then whatever comes until that message is acknowledged. Anything else that can happen on the line is
a RigFault, and after one the connection is gone for good: a late acknowledgement dies with it instead of being paired
with the next message.
"""

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Literal

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidURI, WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from bench.clock import WallClock
from bench.software.cloudevents import (
    MAX_MESSAGE_BYTES,
    SUBPROTOCOL,
    EventT,
    MalformedMessage,
    Message,
    decode,
    encode,
    event_of,
)
from bench.software.told import forwarded, told_fields
from evidence.errors import RigFault, UsageError
from evidence.events import AnyEvent, Directive, Event, LinkFault, Record, SoftwareAcknowledged, SoftwareIdentity

__all__ = ["SoftwareLink", "forwarded"]

MAX_DIRECTIVES = 100
"""Directives between two acknowledgements before the software counts as flooding."""
MAX_FIELD_CHARS = 500
"""Longest text in a directive; a reason is a sentence or two."""
MAX_COUNT = 1000
MAX_AMOUNT_CENTS = 1_000_000_000
LONGEST_CLOSE_S = 2.0
TRY_AGAIN_S = 0.2
"""Between two tries to reach software that has been there before."""

Kind = Literal["timeout", "garbage", "sequence", "closed", "overflow"]


class _Acknowledgement(Event, frozen=True, tag="software.acknowledged"):
    """An acknowledgement as it comes over the line; how many directives came before it, the bench counts itself."""

    message: str


class SoftwareLink:
    """One connection to table software at `url` (`ws://` or `wss://`).

    `ack_timeout_s` bounds, in real seconds, the opening, the identity and each acknowledgement: software runs in real
    time even where the rest of the rig does not. `emit` journals an event; the link journals acknowledgements and
    its own faults, the caller journals the identity and the directives it is handed.

    With `settle_s` the software is one that cannot acknowledge: a message counts as reacted to when nothing has come
    for that long, and nothing is journaled as acknowledged. With `awaited` it is one that has been there before, and
    may just be starting again: as long as nobody answers it is tried anew until that time is over.
    """

    def __init__(
        self,
        url: str,
        ack_timeout_s: float,
        emit: Callable[[AnyEvent], object],
        settle_s: float | None = None,
        *,
        awaited: bool = False,
    ) -> None:
        self._url = url
        self._ack_timeout_s = ack_timeout_s
        self._emit = emit
        self._settle_s = settle_s
        self._awaited = awaited
        self.met = False
        """True once it has said who it is."""
        self._stack = ExitStack()
        self._connection: ClientConnection | None = None
        self._closed_because = "it was never opened"
        self._told: set[str] = set()
        self._directive_ids: set[str] = set()

    def connect(self) -> SoftwareIdentity:
        """Open the connection and take the software's identity, a blank table on both sides.

        Raises UsageError when the url is no WebSocket address, RigFault when nobody answers, the subprotocol is not
        spoken, or no identity comes.
        """
        self.close()
        self._told.clear()
        self._directive_ids.clear()
        deadline = _Deadline(self._ack_timeout_s)
        connection = self._open(deadline)
        if connection.subprotocol != SUBPROTOCOL:
            raise self._fault(
                "garbage", f"it does not speak the WebSocket subprotocol {SUBPROTOCOL!r}. Let it offer that"
            )
        message = self._receive(deadline, f"no identity within {self._ack_timeout_s:g} s of connecting")
        if message.type != "software.identity":
            raise self._fault(
                "garbage", f"its first message was of type cardcert.{message.type}; expected its identity"
            )
        identity = self._event(message, SoftwareIdentity)
        self.met = True
        return identity

    def tell(self, record: Record) -> list[Directive]:
        """Send one event and wait for its acknowledgement; returns the directives that came until then, in order.

        Directives that came unasked since the last acknowledgement are among them. Raises RigFault.
        """
        connection = self._connection
        if connection is None:
            raise RigFault(
                f"table software {self._url}: cannot be told anything, {self._closed_because}. Connect again."
            )
        message_id = f"e{record.seq}"
        tag = str(record.event.__struct_config__.tag)
        text = encode(message_id, record.source, tag, record.utc, told_fields(record.event))
        if len(text.encode()) > MAX_MESSAGE_BYTES:
            raise RigFault(
                f"{message_id}: a message of {len(text)} characters is too long for the link to table software."
            )
        deadline = _Deadline(self._ack_timeout_s)
        self._told.add(message_id)
        try:
            connection.send(text)
        except (ConnectionClosed, OSError) as error:
            raise self._fault("closed", f"it closed the connection before {message_id} ({_why(error)})") from error
        if self._settle_s is None:
            return self._until_acknowledged(message_id, tag, deadline)
        return self._until_quiet(self._settle_s)

    def close(self) -> None:
        """Close the connection; harmless when there is none. Takes at most two seconds against a dead peer."""
        if self._connection is not None:
            self._connection = None
            self._closed_because = "the connection was closed"
            self._stack.close()

    # --- the line ---

    def _open(self, deadline: "_Deadline") -> ClientConnection:
        try:
            uri = parse_uri(self._url)
        except InvalidURI as error:
            raise UsageError(
                f"table software {self._url!r}: expected an address like ws://host:port ({error})"
            ) from error
        told = False
        while True:
            try:
                connection = self._connected((uri.host, uri.port), deadline)
                break
            except TimeoutError as error:
                raise self._fault("timeout", f"no WebSocket handshake within {self._ack_timeout_s:g} s") from error
            except (OSError, WebSocketException, ValueError, EOFError) as error:
                if not (self._awaited and _nobody_there(error)) or deadline.passed:
                    raise self._fault(
                        "closed", f"cannot connect ({_why(error)}). Start it, or mend its url in the rig file"
                    ) from error
                if not told:
                    waits = f"nobody answers ({_why(error)}); tried again for {self._ack_timeout_s:g} s"
                    self._emit(LinkFault(link="software", kind="closed", detail=waits))
                told = True
            WallClock().pause(TRY_AGAIN_S)
        self._connection = connection
        return connection

    def _connected(self, address: tuple[str, int], deadline: "_Deadline") -> ClientConnection:
        # A socket of our own: no proxy of the environment, and no redirect to another place.
        line = socket.create_connection(address, timeout=deadline.left_s())
        return self._stack.enter_context(
            connect(
                self._url,
                sock=line,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                proxy=None,
                open_timeout=deadline.left_s(),
                ping_interval=None,
                close_timeout=min(self._ack_timeout_s, LONGEST_CLOSE_S),
                max_size=MAX_MESSAGE_BYTES,
            )
        )

    def _receive(self, deadline: "_Deadline", overdue: str) -> Message:
        message = self._receive_or_none(deadline)
        if message is None:
            raise self._fault("timeout", overdue)
        return message

    def _receive_or_none(self, deadline: "_Deadline") -> Message | None:
        if self._connection is None:
            raise RigFault(f"table software {self._url}: {self._closed_because}.")
        try:
            return decode(self._connection.recv(deadline.left_s()))
        except TimeoutError:
            return None
        except ConnectionClosed as error:
            if error.sent is not None and error.sent.code == 1009:
                raise self._fault("overflow", f"a message of more than {MAX_MESSAGE_BYTES} bytes came") from error
            raise self._fault("closed", f"it closed the connection ({_why(error)})") from error
        except MalformedMessage as error:
            raise self._fault("garbage", str(error)) from error

    # --- what comes ---

    def _until_acknowledged(self, message_id: str, tag: str, deadline: "_Deadline") -> list[Directive]:
        directives: list[Directive] = []
        overdue = f"no acknowledgement of {message_id} ({tag}) within {self._ack_timeout_s:g} s"
        while True:
            message = self._receive(deadline, overdue)
            if message.type == "software.acknowledged":
                acknowledged = self._event(message, _Acknowledgement).message
                if acknowledged != message_id:
                    raise self._fault("sequence", f"it acknowledged {acknowledged[:40]!r}; expected {message_id!r}")
                self._emit(SoftwareAcknowledged(message=message_id, directives=len(directives)))
                return directives
            self._take(message, directives)

    def _until_quiet(self, settle_s: float) -> list[Directive]:
        directives: list[Directive] = []
        while (message := self._receive_or_none(_Deadline(settle_s))) is not None:
            if message.type != "software.acknowledged":
                self._take(message, directives)
        return directives

    def _take(self, message: Message, directives: list[Directive]) -> None:
        """Check one directive and add it."""
        if message.type != "software.directive":
            raise self._fault("garbage", f"a message of type cardcert.{message.type[:60]} came; expected a directive")
        directive = self._event(message, Directive)
        if len(directives) == MAX_DIRECTIVES:
            raise self._fault("overflow", f"more than {MAX_DIRECTIVES} directives came before an acknowledgement")
        for name, value in msgspec.structs.asdict(directive).items():
            if isinstance(value, str) and len(value) > MAX_FIELD_CHARS:
                raise self._fault(
                    "garbage", f"a directive's {name} has {len(value)} characters; the most is {MAX_FIELD_CHARS}"
                )
        if not 0 <= directive.amount_cents <= MAX_AMOUNT_CENTS:
            raise self._fault(
                "garbage",
                f"directive {directive.id!r} has amount_cents {directive.amount_cents}; "
                f"expected 0 to {MAX_AMOUNT_CENTS}",
            )
        if not 0 <= directive.count <= MAX_COUNT:
            raise self._fault(
                "garbage", f"directive {directive.id!r} has count {directive.count}; expected 0 to {MAX_COUNT}"
            )
        if not directive.id or directive.id in self._directive_ids:
            raise self._fault(
                "sequence", f"directive id {directive.id!r} came before; an id is used once in a connection"
            )
        if directive.cause and directive.cause not in self._told:
            raise self._fault(
                "sequence", f"directive {directive.id!r} names the cause {directive.cause!r}, never told to it"
            )
        self._directive_ids.add(directive.id)
        directives.append(directive)

    def _event(self, message: Message, kind: type[EventT]) -> EventT:
        try:
            return event_of(message, kind)
        except MalformedMessage as error:
            raise self._fault("garbage", str(error)) from error

    def _fault(self, kind: Kind, what: str) -> RigFault:
        """Journal the fault, give the connection up, and return the error to raise."""
        self._emit(LinkFault(link="software", kind=kind, detail=what))
        self.close()
        self._closed_because = f"the connection was given up: {what}"
        return RigFault(f"table software {self._url}: {what}.")


class _Deadline:
    """A moment of real time. Not the run's clock: the software at the other end knows only real seconds."""

    def __init__(self, seconds: float) -> None:
        self._at_s = time.monotonic() + seconds

    @property
    def passed(self) -> bool:
        return time.monotonic() >= self._at_s

    def left_s(self) -> float:
        return max(0.001, self._at_s - time.monotonic())


def _nobody_there(error: Exception) -> bool:
    """Whether nobody answers: none listens, or a proxy in the line does and hangs up, for behind it none does."""
    told = error.__cause__ if isinstance(error, InvalidMessage) else error
    return isinstance(told, EOFError | ConnectionError | ConnectionClosed)


def _why(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
