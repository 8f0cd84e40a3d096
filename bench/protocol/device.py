"""The device's end of the reference protocol, for emulated devices and as a model for makers."""

from collections import deque
from collections.abc import Callable

from bench.clock import Cancel, Schedule
from bench.protocol import payloads
from bench.protocol.frames import Decoder, Frame, Garbage, encode
from bench.protocol.messages import EventMessage, Open, Opened, Reply, Request

EVENT_TIMEOUT_S = 0.5
"""How long an event waits for its acknowledgement before it is sent again."""
EVENT_TRIES = 5
"""How often an event is sent before the device waits for the host to speak first."""
MAX_WAITING = 256
"""Events kept for a host that does not acknowledge; the oldest are lost then, and the host sees it by their numbers."""


class DeviceEndpoint:
    """Answers the host's requests and sends events until they are acknowledged.

    `send` puts bytes on the line, `handle` answers a request at once (what comes of a command is told by `notify`),
    `schedule` runs the retransmission timer, `boot` is a number that differs after every start of the device.
    """

    def __init__(
        self,
        send: Callable[[bytes], None],
        handle: Callable[[Request], Reply],
        schedule: Schedule,
        *,
        boot: int = 1,
    ) -> None:
        self._send = send
        self._handle = handle
        self._schedule = schedule
        self._decoder = Decoder()
        self._events: deque[tuple[int, bytes]] = deque()
        self._cancel: Cancel | None = None
        self._host: int | None = None
        """The host with whom a session is open."""
        self._next_event = 1
        self._last_request: Frame | None = None
        self._last_answer = b""
        self._sending = False
        """The first of `_events` has been sent and waits for its acknowledgement."""
        self._tries_left = 0
        self._nak_heeded = False
        self._begin(boot)

    def feed(self, data: bytes) -> None:
        """Take bytes as they arrive, in pieces of any size."""
        damaged = 0
        for item in self._decoder.feed(data):
            if isinstance(item, Garbage):
                damaged = payloads.OTHER_VERSION if item.kind == "version" else payloads.DAMAGED
            else:
                self._take(item)
        if damaged and self._host is not None:
            self._nak(0, damaged)

    def notify(self, event: EventMessage) -> None:
        """Queue an event for the host. Sent at once when a session is open and nothing is waiting before it.

        ValueError when a value of the event does not fit its field.
        """
        kind, payload = payloads.pack_event(event)
        self._events.append((self._next_event, encode(Frame(kind, self._next_event, payload))))
        self._next_event = payloads.after(self._next_event)
        if len(self._events) > MAX_WAITING:
            self._events.popleft()
            self._sending = False
        self._send_event()

    def reset(self, boot: int) -> None:
        """The device has lost power and started again: session and waiting events are gone."""
        self._decoder.reset()
        self._begin(boot)

    def _begin(self, boot: int) -> None:
        self._stop_timer()
        self._boot = boot
        self._host = None
        self._last_request = None
        self._events.clear()
        self._next_event = 1
        self._sending = False
        self._tries_left = 0

    def _take(self, frame: Frame) -> None:
        if frame.kind == payloads.ACK:
            self._acknowledged(frame.seq)
        elif frame.kind == payloads.NAK:
            self._refused(frame)
        elif payloads.is_request(frame.kind):
            self._answer(frame)
        # Anything else is our own frame coming back from a line that echoes.

    def _answer(self, frame: Frame) -> None:
        if frame != self._last_request:
            try:
                request = payloads.unpack_request(frame.kind, frame.payload)
            except payloads.MalformedMessage as error:
                self._nak(frame.seq, error.reason)
                return
            another_host = isinstance(request, Open) and request.host != self._host
            if self._host is None and not isinstance(request, Open):
                self._nak(frame.seq, payloads.NOT_OPEN)
                return
            if not another_host and self._is_late(frame):
                return
            reply: Opened | Reply = self._open_session(request) if isinstance(request, Open) else self._handle(request)
            kind, payload = payloads.pack_answer(reply)
            self._last_request, self._last_answer = frame, encode(Frame(kind, frame.seq, payload))
        # For a repetition this is the answer that was lost; the request is not carried out twice.
        self._send(self._last_answer)
        if not self._tries_left:
            self._sending = False  # the host is there again
        self._send_event()

    def _is_late(self, frame: Frame) -> bool:
        """True for a request that came before the last one, and was held up on its way."""
        last = self._last_request
        return last is not None and not 0 < payloads.distance(last.seq, frame.seq) <= payloads.LAST_SEQ // 2

    def _open_session(self, request: Open) -> Opened:
        self._host = request.host
        self._stop_timer()
        self._sending = False
        if not request.resume:
            self._events.clear()
        elif request.boot == self._boot:
            while self._events and payloads.distance(self._events[0][0], request.last_event) <= payloads.LAST_SEQ // 2:
                self._events.popleft()
        return Opened(request.host, self._boot, self._events[0][0] if self._events else self._next_event)

    def _acknowledged(self, seq: int) -> None:
        if self._events and self._sending and seq == self._events[0][0]:
            self._stop_timer()
            self._events.popleft()
            self._sending = False
            self._send_event()

    def _refused(self, frame: Frame) -> None:
        if not self._sending:
            return
        seq, data = self._events[0]
        if frame.payload == bytes([payloads.DAMAGED]):
            # Once for each time it was sent in its turn, so that noise does not make the line busy.
            if not self._nak_heeded:
                self._nak_heeded = True
                self._send(data)
        elif frame.seq == seq:
            self._acknowledged(seq)  # the host will never understand it

    def _send_event(self) -> None:
        """Send the first waiting event unless one is under way."""
        if self._sending or not self._events or self._host is None:
            return
        self._sending = True
        self._tries_left = EVENT_TRIES
        self._send_once()

    def _send_once(self) -> None:
        self._stop_timer()
        if not self._sending or not self._tries_left:
            return
        self._tries_left -= 1
        self._nak_heeded = False
        self._cancel = self._schedule(EVENT_TIMEOUT_S, self._send_once)
        self._send(self._events[0][1])

    def _stop_timer(self) -> None:
        if self._cancel is not None:
            self._cancel()
            self._cancel = None

    def _nak(self, seq: int, reason: int) -> None:
        self._send(encode(Frame(payloads.NAK, seq, bytes([reason]))))
