"""The shoe's end of its line: every telegram three times, orders answered at once."""

from collections.abc import Callable
from dataclasses import replace

from bench.clock import Schedule
from bench.protocol.angel_eye.messages import Message, pack
from bench.protocol.angel_eye.telegrams import (
    NAK_CODES,
    Damage,
    HostDecoder,
    Order,
    Reply,
    Telegram,
    encode_reply,
    encode_telegram,
)

COPIES = 3
COPY_GAP_S = 0.1
"""Between two copies of a telegram (engineering judgement)."""
FIRST_SEQ, LAST_SEQ = 0x31, 0x39
MOST_RESENT = 3
"""How often a telegram is sent once more because the host has refused it."""


class ShoeLine:
    """Sends what the shoe says, and hands orders to `obey`, which returns a refusal's code, or 0."""

    def __init__(
        self, send: Callable[[bytes], None], obey: Callable[[Order], int], schedule: Schedule, *, with_stx: bool = True
    ) -> None:
        self._send = send
        self._obey = obey
        self._schedule = schedule
        self._decoder = HostDecoder(with_stx=with_stx)
        self._seq = FIRST_SEQ
        self._sent = b""
        self._resent = 0
        self._obeying: list[bytes] | None = None
        """What is said while an order is carried out; it goes out after the answer."""
        self.numbers_copies = False
        """A defect: each copy of a telegram has a number of its own, so that it looks like another telegram."""

    def say(self, message: Message) -> None:
        """Tell the host, three times."""
        telegram = Telegram(self._seq, pack(message))
        for copy in range(COPIES):
            if copy and self.numbers_copies:
                telegram = replace(telegram, seq=self._next())
            line = encode_telegram(telegram)
            if copy == 0:
                self._sent, self._resent = line, 0
                self._send(line) if self._obeying is None else self._obeying.append(line)
            else:
                self._schedule(copy * COPY_GAP_S, lambda line=line: self._send(line))  # type: ignore[misc]
        self._next()

    def feed(self, data: bytes) -> None:
        """Take the host's bytes as they arrive, in pieces of any size."""
        for item in self._decoder.feed(data):
            match item:
                case Order():
                    self._obeying = []
                    code = self._obey(item)
                    said, self._obeying = self._obeying, None
                    self._send(b"".join([encode_reply(Reply(code if code in NAK_CODES else None)), *said]))
                case Damage(_, _, nak) if nak:
                    self._send(encode_reply(Reply(nak)))
                case Reply(code) if code is not None and self._resent < MOST_RESENT and self._sent:
                    self._resent += 1
                    self._send(self._sent)
                case _:
                    pass

    def _next(self) -> int:
        self._seq = self._seq + 1 if self._seq < LAST_SEQ else FIRST_SEQ
        return self._seq
