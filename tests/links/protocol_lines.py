"""Frames on the line, made from messages."""

from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.frames import Frame, encode


def line_of(kind: int, seq: int, payload: bytes = b"") -> bytes:
    return encode(Frame(kind, seq, payload))


def at_seq(packed: tuple[int, bytes], seq: int) -> tuple[int, int, bytes]:
    return packed[0], seq, packed[1]


EVENT = m.Dispensed("group", 1, 7)
EVENT_LINE = line_of(*at_seq(payloads.pack_event(EVENT), 1))
STATUS_LINE = line_of(*at_seq(payloads.pack_answer(m.Status("ready")), 2))
