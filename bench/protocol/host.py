"""The host's end of the reference protocol: no input, no output. A driver moves the bytes and keeps the time."""

from collections import deque
from typing import Literal

from bench.protocol import payloads
from bench.protocol.frames import Decoder, Frame, Garbage, encode
from bench.protocol.messages import (
    AskStatus,
    Command,
    EventMessage,
    Identify,
    Identity,
    Open,
    Opened,
    Reply,
    Request,
    Result,
    Status,
)

TroubleKind = Literal["garbage", "crc", "sequence", "nak", "overflow", "lost"]
MAX_EVENTS = 1024
"""Events kept until they are taken; a device that sends more is not listened to further."""

_ANSWERS: dict[type, type] = {Open: Opened, Identify: Identity, AskStatus: Status, Command: Result}


class HostEndpoint:
    """Asks one question at a time and takes in what the device says by itself.

    After each call of `ask`, `again` and `feed` send `take_output()`. `events` fills up in the order of what happened;
    the owner empties it. `host` (0 to 0xFFFFFFFF) should differ from run to run, so that nothing an earlier run asked
    or was still to be answered can be taken for this one's.
    """

    def __init__(self, host: int, tries: int = 4) -> None:
        self.events: deque[EventMessage] = deque()
        self._troubles: list[tuple[TroubleKind, str]] = []
        self.answer: Opened | Reply | None = None
        self.refusal = 0
        """Why the device does not take the question at all, a number of `payloads.NAK_REASONS`; 0 if it does."""
        self._decoder = Decoder()
        self._output = bytearray()
        self._host = host
        self._seq = 0
        self._tries = tries
        self._tries_left = 0
        self._question: Open | Request | None = None
        self._frame = b""
        self._nak_heeded = False
        self._last_sent = b""
        self._refused = b""
        self._boot: int | None = None
        self._last_event = 0

    @property
    def done(self) -> bool:
        """True when the question has its answer, or was refused."""
        return self.answer is not None or self.refusal != 0

    @property
    def frame(self) -> bytes:
        """The bytes of the question put last, as they go out each time."""
        return self._frame

    def open_message(self) -> Open:
        """The message to begin with: a fresh session at first, the resumption of the last one later."""
        if self._boot is None:
            return Open(self._host)
        return Open(self._host, True, self._last_event, self._boot)

    def ask(self, question: Open | Request) -> None:
        """Put a question. One that has no answer yet is given up: its answer will not be taken for this one's."""
        kind, payload = payloads.pack_request(question)
        self._seq = payloads.after(self._seq)
        self._question, self._frame = question, encode(Frame(kind, self._seq, payload))
        self.answer, self.refusal = None, 0
        self._tries_left = self._tries
        self.again()

    def again(self) -> bool:
        """Send the question once more because no answer came in time. False when it has been tried often enough."""
        if self._question is None or not self._tries_left:
            return False
        self._tries_left -= 1
        self._nak_heeded = False
        self._output += self._frame
        self._last_sent = self._frame
        return True

    def give_up(self) -> None:
        """Expect no answer any more."""
        self._question = None

    def take_output(self) -> bytes:
        """The bytes to send now."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def take_troubles(self) -> list[tuple[TroubleKind, str]]:
        """What was wrong with the bytes fed since the last call."""
        troubles, self._troubles = self._troubles, []
        return troubles

    def take_refused(self) -> bytes:
        """The frame that the device refused since the last call because it came damaged; empty if there was none.

        Such a refusal bears no number: it is taken to mean the open question, and without one what was sent last.
        """
        refused, self._refused = self._refused, b""
        return refused

    def feed(self, data: bytes) -> None:
        """Take bytes as they arrive, in pieces of any size."""
        damaged = False
        for item in self._decoder.feed(data):
            if isinstance(item, Garbage):
                damaged = True
                self._note_garbage(item)
            elif payloads.is_event(item.kind):
                self._take_event(item)
            elif payloads.is_answer(item.kind):
                self._take_answer(item)
            elif item.kind == payloads.NAK:
                self._take_nak(item)
            else:
                self._troubles.append(("garbage", f"frame of kind {item.kind:#04x}, which no device sends"))
        if damaged and self._boot is not None:
            self._send(payloads.NAK, 0, bytes([payloads.DAMAGED]))

    def _take_answer(self, frame: Frame) -> None:
        if self._question is None or frame.seq != self._seq:
            self._troubles.append(("sequence", f"answer to question {frame.seq}, which is not being asked; dropped"))
            return
        try:
            answer = payloads.unpack_answer(frame.kind, frame.payload)
        except payloads.MalformedMessage as error:
            self._troubles.append(("garbage", f"answer {frame.seq}: {error}"))
            return
        if not isinstance(answer, _ANSWERS[type(self._question)]):
            asked, got = type(self._question).__name__, type(answer).__name__
            self._troubles.append(("garbage", f"answer {frame.seq}: {got} is no answer to {asked}"))
            return
        if isinstance(answer, Opened):
            if answer.host != self._host:
                self._troubles.append(("sequence", f"session opened for host {answer.host:08x}; dropped"))
                return
            self._opened(answer)
        self.answer, self._question = answer, None

    def _opened(self, opened: Opened) -> None:
        if opened.boot == self._boot:
            missing = payloads.distance(payloads.after(self._last_event), opened.next_event)
            # Behind: what came while the session was being opened comes again, and is dropped as a repetition.
            if missing == 0 or missing > payloads.LAST_SEQ // 2:
                return
            self._troubles.append(("lost", f"{missing} events lost before event {opened.next_event}"))
        elif self._boot is not None:
            self._troubles.append(("sequence", f"the device has started anew (boot {self._boot}, now {opened.boot})"))
        self._boot = opened.boot
        self._last_event = payloads.before(opened.next_event)

    def _take_event(self, frame: Frame) -> None:
        if self._boot is None:
            return  # meant for a host before us; opening the session clears it away
        if len(self.events) >= MAX_EVENTS:
            self._troubles.append(
                ("overflow", f"more than {MAX_EVENTS} events not taken; event {frame.seq} not accepted")
            )
            return
        ahead = payloads.distance(self._last_event, frame.seq)
        if frame.seq == 0 or ahead > payloads.LAST_SEQ // 2:
            self._troubles.append(("sequence", f"event {frame.seq} after event {self._last_event}; dropped"))
        elif ahead:
            if ahead > 1:
                self._troubles.append(("lost", f"{ahead - 1} events lost before event {frame.seq}"))
            self._last_event = frame.seq
            try:
                self.events.append(payloads.unpack_event(frame.kind, frame.payload))
            except payloads.MalformedMessage as error:
                self._troubles.append(("lost", f"event {frame.seq}: {error}"))
                self._send(payloads.NAK, frame.seq, bytes([error.reason]))
                return
        # A repetition is acknowledged too: the first acknowledgement was lost.
        self._send(payloads.ACK, frame.seq)

    def _take_nak(self, frame: Frame) -> None:
        reason = frame.payload[0] if len(frame.payload) == 1 else 0
        if reason not in payloads.NAK_REASONS:
            self._troubles.append(("garbage", f"NAK with payload {frame.payload.hex() or 'nothing'}"))
            return
        self._troubles.append(("nak", payloads.NAK_REASONS[reason]))
        damaged = reason in (payloads.DAMAGED, payloads.OTHER_VERSION) and frame.seq == 0
        if damaged:
            self._refused = self._last_sent if self._question is None else self._frame
        if self._question is None:
            return
        if damaged:
            # Once for each time it was sent in its turn, so that noise does not use up the tries.
            if not self._nak_heeded:
                self._nak_heeded = True
                self._output += self._frame
        elif frame.seq == self._seq:
            self.refusal, self._question = reason, None

    def _note_garbage(self, garbage: Garbage) -> None:
        if garbage.kind == "version":
            self._troubles.append(("garbage", "frame of another protocol version"))
        else:
            self._troubles.append((garbage.kind, f"{garbage.size} bytes thrown away"))

    def _send(self, kind: int, seq: int, payload: bytes = b"") -> None:
        self._last_sent = encode(Frame(kind, seq, payload))
        self._output += self._last_sent
