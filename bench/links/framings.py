"""Where frames begin and end on a line, for whoever must meet whole ones: the fault engine and the proxy.

A framing takes bytes as they come and gives whole frames back; bytes between frames are pieces of their own. What comes
out, joined, is what went in.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random

from bench.protocol.frames import Decoder, Frame
from bench.protocol.payloads import is_answer, is_request
from evidence.errors import UsageError

MAX_FRAME = 1 << 20
"""Longest frame that is waited for in bytes; what has grown longer is taken for garbage."""


class Framing(ABC):
    """Cuts one direction of a line into frames. `held` is the beginning of the next one."""

    spoils = False
    """True when frames carry a checksum that `spoil` can make wrong."""

    def __init__(self) -> None:
        self.held = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The frames, and the pieces between them, that end in these bytes."""
        self.held += data
        pieces: list[bytes] = []
        while self.held and (size := self.size()):
            pieces.append(bytes(self.held[:size]))
            del self.held[:size]
        if len(self.held) > MAX_FRAME:
            pieces.append(self.flush())
        return pieces

    def skip(self, data: bytes) -> None:
        """Let bytes go by of which nobody wants the frames: as `feed`, and quicker where a framing can be."""
        self.feed(data)

    def flush(self) -> bytes:
        """Give up waiting: the beginning of a frame as it is."""
        piece = bytes(self.held)
        self.held.clear()
        return piece

    @abstractmethod
    def size(self) -> int:
        """Bytes of the piece at the beginning of `held`, which is not empty; 0 when its end has not come yet."""

    def question(self, frame: bytes) -> int | None:
        """The number of the bench's question that a frame is, or answers; None for any other and where none is told."""
        return None

    def spoil(self, frame: bytes, rng: Random) -> bytes:
        """The frame with a wrong checksum and nothing else wrong."""
        raise UsageError("this line's frames have no checksum that could be wrong; use flip.")


class Chunks(Framing):
    """No frames: whatever arrives at once is one."""

    def size(self) -> int:
        return len(self.held)


class Lines(Framing):
    """Text, a line each, as instruments and consoles speak."""

    def skip(self, data: bytes) -> None:
        self.held += data
        del self.held[: self.held.rfind(b"\n") + 1]
        if len(self.held) > MAX_FRAME:
            self.held.clear()

    def size(self) -> int:
        return self.held.find(b"\n") + 1


class ReferenceFrames(Framing):
    """The reference protocol: from STX to ETX, neither of which occurs inside."""

    spoils = True

    def skip(self, data: bytes) -> None:
        self.held += data
        del self.held[: self.held.rfind(b"\x03") + 1]
        start = self.held.rfind(b"\x02")
        if start < 0 or len(self.held) > MAX_FRAME:
            self.held.clear()
        else:
            del self.held[:start]

    def size(self) -> int:
        start = self.held.find(b"\x02")
        if start:
            return len(self.held) if start < 0 else start
        end = self.held.find(b"\x03")
        restart = self.held.find(b"\x02", 1, end if end >= 0 else len(self.held))
        return restart if restart > 0 else end + 1

    def question(self, frame: bytes) -> int | None:
        for found in Decoder().feed(frame):
            if isinstance(found, Frame) and (is_request(found.kind) or is_answer(found.kind)):
                return found.seq
        return None

    def spoil(self, frame: bytes, rng: Random) -> bytes:
        # The checksum stands before ETX, each of its bytes escaped or not.
        found = re.search(rb"((?:\x10.|[^\x10])(?:\x10.|[^\x10]))\x03\Z", frame, re.DOTALL)
        if not frame.startswith(b"\x02") or found is None:
            return frame
        sum_ = bytearray(re.sub(rb"\x10(.)", lambda escaped: bytes((escaped[1][0] ^ 0x20,)), found[1], flags=re.DOTALL))
        sum_[rng.randrange(2)] ^= 1 << rng.randrange(8)
        sent = re.sub(rb"[\x02\x03\x10\x11\x13]", lambda byte: bytes((0x10, byte[0][0] ^ 0x20)), bytes(sum_))
        return frame[: found.start(1)] + sent + b"\x03"


class WebSocketFrames(Framing):
    """A WebSocket: the HTTP handshake up to its empty line, then messages as RFC 6455 frames them."""

    def __init__(self) -> None:
        super().__init__()
        self._shaken = False

    def size(self) -> int:
        held = self.held
        if not self._shaken:
            end = held.find(b"\r\n\r\n")
            self._shaken = end >= 0
            return end + 4 if self._shaken else 0
        if len(held) < 2:
            return 0
        extended = {126: 2, 127: 8}.get(held[1] & 0x7F, 0)
        head = 2 + extended + (4 if held[1] & 0x80 else 0)
        if len(held) < head:
            return 0
        payload = int.from_bytes(held[2 : 2 + extended], "big") if extended else held[1] & 0x7F
        return head + payload if len(held) >= head + payload else 0


FRAMINGS: dict[str, Callable[[], Framing]] = {
    "chunks": Chunks,
    "lines": Lines,
    "reference": ReferenceFrames,
    "websocket": WebSocketFrames,
}
"""Framings by the name that rig files and the proxy use."""


def find_framing(name: str) -> Callable[[], Framing]:
    """UsageError when there is none of this name."""
    if name not in FRAMINGS:
        raise UsageError(f"framing {name!r}: expected one of {', '.join(FRAMINGS)}.")
    return FRAMINGS[name]
