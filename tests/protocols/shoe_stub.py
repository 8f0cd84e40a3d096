"""A card-reading shoe written from docs/protocol-angel-eye.md alone: what a test sends and reads, byte by byte."""

import contextlib
import os
import select
import socket
import tty
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.clock import WallClock
from bench.drivers.angel_eye import AngelEyeDriver
from bench.drivers.base import Claim, Options
from bench.drivers.registry import load_driver
from bench.links import open_link
from evidence.events import AnyEvent, LinkBytes, LinkFault

PATIENT = {"answer_timeout_s": 20}
"""No answer is this late, however busy the machine."""


def xor(data: bytes) -> bytes:
    """The check, as two upper-case digits."""
    value = 0
    for byte in data:
        value ^= byte
    return f"{value:02X}".encode()


def telegram(seq: int, data: bytes) -> bytes:
    """One copy of what the shoe says."""
    body = bytes([seq]) + data + b"\x03"
    return b"\x05" + body + xor(body)


def order(text: str, *, with_stx: bool = True) -> bytes:
    """What the host says, for example LK01."""
    body = b"OP" + text.encode() + b"\x03"
    return b"\x02" + body + xor((b"\x02" if with_stx else b"") + body)


def card(hand: int, index: int, suit: int, rank: int, kind: bytes = b"D") -> bytes:
    """Type and data of a card."""
    return kind + bytes([0x80 | hand << 4 | index, 0x80 | suit << 4 | rank])


PLAYER, BANKER = 0, 1
ROUND = (
    card(PLAYER, 1, 3, 8), card(BANKER, 1, 1, 5), card(PLAYER, 2, 4, 13), card(BANKER, 2, 2, 1),
)  # fmt: skip
"""8s and Kh for the player, 5d and Ac for the banker."""


@dataclass
class Rig:
    """The driver, the descriptor of the shoe's end, and the journal."""

    driver: AngelEyeDriver
    fd: int
    journal: list[AnyEvent]
    seq: int = 0x30
    marks: int = 0
    heard: bytearray = field(default_factory=bytearray)

    def send(self, data: bytes) -> None:
        os.write(self.fd, data)

    def say(self, *messages: bytes, copies: int = 3) -> None:
        """Tell messages, each so many times under a number of its own."""
        for message in messages:
            self.seq = self.seq + 1 if self.seq < 0x39 else 0x31
            self.send(telegram(self.seq, message) * copies)

    def claims(self, number: int | None = None) -> list[Claim]:
        """The next claims: so many, or all that come before the mark that this sends after all the rest."""
        if number is None:
            self.marks += 1
            self.send(telegram(0x60 + self.marks, b"Mmark"))
        found: list[Claim] = []
        while number is None or len(found) < number:
            claim = self.driver.next_claim(CLOCK.deadline(60))
            assert claim is not None, "nothing more came"
            if number is None and getattr(claim, "detail", "").endswith(b"mark".hex()):
                return found
            found.append(claim)
        return found

    def read_until(self, wanted: bytes) -> bytes:
        """What the host has sent, once it holds `wanted`."""
        while wanted not in self.heard:
            assert select.select([self.fd], [], [], 20)[0], (wanted, bytes(self.heard))
            self.heard += os.read(self.fd, 4096)
        return bytes(self.heard)

    def faults(self) -> list[str]:
        return [event.kind for event in self.journal if isinstance(event, LinkFault)]

    def raw(self) -> bytes:
        """What the journal holds of the bytes that came."""
        return b"".join(
            bytes.fromhex(event.data)
            for event in self.journal
            if isinstance(event, LinkBytes) and event.direction == "rx"
        )


CLOCK = WallClock()


@contextlib.contextmanager
def over_pty(options: Options = PATIENT) -> Iterator[Rig]:
    """Driver and shoe's end of a pseudo-terminal."""
    master, slave = os.openpty()
    tty.setraw(slave)
    link = open_link(os.ttyname(slave))
    journal: list[AnyEvent] = []
    driver = load_driver("angel-eye")("shoe", "shoe", link, CLOCK, journal.append, options)
    assert isinstance(driver, AngelEyeDriver)
    try:
        yield Rig(driver, master, journal)
    finally:
        driver.close()
        os.close(slave)
        os.close(master)


@contextlib.contextmanager
def over_tcp(options: Options = PATIENT) -> Iterator[Rig]:
    """Driver and shoe's end of a connection, as behind a serial server."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        link = open_link(f"socket://127.0.0.1:{listener.getsockname()[1]}")
        connection, _ = listener.accept()
    journal: list[AnyEvent] = []
    driver = load_driver("angel-eye")("shoe", "shoe", link, CLOCK, journal.append, options)
    assert isinstance(driver, AngelEyeDriver)
    with connection:
        try:
            yield Rig(driver, connection.fileno(), journal)
        finally:
            driver.close()
