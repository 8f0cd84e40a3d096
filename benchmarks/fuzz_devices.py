"""Damaged frames of the ANGEL EYE and GAT protocols, for `benchmarks.fuzz_frames`.

Random messages are damaged (bits, bytes lost or doubled, halves, noise between) and cut into pieces of random size. No
receiver raises anything or keeps more than one frame's bytes, and whatever is told stands in the stream, whole and with
a right check: nothing is invented.
"""

import random
from collections import Counter

from bench.protocol.angel_eye import telegrams as t
from bench.protocol.angel_eye.copies import Copies
from bench.protocol.angel_eye.messages import MalformedData, unpack
from bench.protocol.angel_eye.rounds import Rounds
from bench.protocol.gat import frames as g
from bench.protocol.gat import messages as gm

ROUND = 200
"""Frames between two looks at what came out."""


def damaged(frame: bytes, rng: random.Random) -> bytes:
    """The frame as a bad line delivers it; half of them are whole."""
    match rng.randrange(12):
        case 0:
            at = rng.randrange(len(frame))
            return frame[:at] + bytes([frame[at] ^ 1 << rng.randrange(8)]) + frame[at + 1 :]
        case 1:
            return frame[: rng.randrange(len(frame))]
        case 2:
            return frame[rng.randrange(len(frame)) :]
        case 3:
            at = rng.randrange(len(frame))
            return frame[:at] + frame[at + 1 :]
        case 4:
            at = rng.randrange(len(frame))
            return frame[:at] + frame[at : at + 1] + frame[at:]
        case 5:
            return rng.randbytes(rng.randrange(20)) + frame
        case _:
            return frame


def pieces(stream: bytes, rng: random.Random) -> list[bytes]:
    """The stream as it arrives: in pieces of random size."""
    found, at = [], 0
    while at < len(stream):
        size = rng.choice((1, 3, 7, 20, 100, 1000))
        found.append(stream[at : at + size])
        at += size
    return found


class AngelEye:
    """The shoe's telegrams, through decoder, copies, messages and books, as the driver has them."""

    def __init__(self) -> None:
        self.decoder = t.ShoeDecoder()
        self.copies = Copies(1)
        self.rounds = Rounds()
        self.stream = b""

    def frame(self, rng: random.Random) -> bytes:
        kind = rng.choice(b"DDDDdGEeSPCLMRXZ")
        size = t.FIXED.get(kind, rng.choice((0, 0, 2, 5)))
        data = bytes([kind]) + (rng.randbytes(size) if kind in t.FIXED else bytes(rng.choices(b"0123", k=size)))
        body = bytes([rng.randrange(0x31, 0x3A)]) + data + b"\x03"
        check = 0
        for byte in body:
            check ^= byte
        return (b"\x05" + body + b"%02X" % check) * rng.choice((1, 3)) + rng.choice((b"", b"", b"\x06", b"\x1502"))

    def hear(self, piece: bytes, tally: Counter[str]) -> None:
        for item in self.decoder.feed(piece):
            match item:
                case t.Damage(kind):
                    tally[f"thrown away: {kind}"] += 1
                case t.Reply():
                    tally["replies"] += 1
                case t.Telegram():
                    self.told(item, tally)
        if len(self.decoder._held) > t.MOST_DATA + 6:
            raise AssertionError("the decoder keeps more than one telegram")

    def told(self, item: t.Telegram, tally: Counter[str]) -> None:
        check = 0
        for byte in item.raw[1:-2]:
            check ^= byte
        sound = item.raw[:1] == b"\x05" and item.raw[-3:-2] == b"\x03" and int(item.raw[-2:], 16) == check
        if not sound or item.raw not in self.stream:
            raise AssertionError(f"a telegram that is not in the stream: {item.raw.hex(' ')}")
        tally["telegrams"] += 1
        if self.copies.judge(item) != "counts":
            tally["repetitions"] += 1
            return
        try:
            booked = list(self.rounds.take(unpack(item.data)))
        except MalformedData:
            tally["malformed"] += 1
            return
        if len(booked) > 2:
            raise AssertionError("one telegram became more than two claims")
        tally["claims"] += len(booked)


class Gat:
    """A device's replies, through the host's decoder."""

    def __init__(self) -> None:
        self.decoder = g.Decoder(frozenset(gm.REPLIES), g.CHECKSUMS[g.DEFAULT_CHECKSUM])
        self.stream = b""

    def frame(self, rng: random.Random) -> bytes:
        command = rng.choice((0x81, 0x82, 0x83, 0x84, 0x81, 0x85, 0x01))
        body = bytes([command, 4 + (size := rng.choice((0, 1, 2, 33, rng.randrange(252))))]) + rng.randbytes(size)
        value = 0
        for byte in body:
            value ^= byte << 8
            for _ in range(8):
                value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
        return body + value.to_bytes(2, "big")

    def hear(self, piece: bytes, tally: Counter[str]) -> None:
        for item in self.decoder.feed(piece):
            if isinstance(item, g.Garbage):
                tally[f"thrown away: {item.kind}"] += 1
                continue
            whole = g.encode(g.Frame(item.command, item.data), g.CHECKSUMS[g.DEFAULT_CHECKSUM])
            if whole not in self.stream:
                raise AssertionError(f"a frame that is not in the stream: {whole.hex(' ')}")
            tally["frames"] += 1
            for read in (gm.state_of, lambda data: gm.result_of(data, "SHA256")):
                try:
                    read(item.data)
                    tally["answers"] += 1
                except gm.MalformedReply:
                    tally["malformed"] += 1
        if len(self.decoder._held) > g.MAX_FRAME:
            raise AssertionError("the decoder keeps more than one frame")


RECEIVERS: dict[str, type[AngelEye] | type[Gat]] = {"angel-eye": AngelEye, "gat": Gat}


def play(protocol: str, frames: int, seed: int) -> Counter[str]:
    """So many frames through a bad line. AssertionError for whatever must not be."""
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    receiver = RECEIVERS[protocol]()
    for _ in range(0, frames, ROUND):
        stream = b"".join(damaged(receiver.frame(rng), rng) for _ in range(ROUND))
        # What was held back from the round before may come out only now.
        receiver.stream = receiver.stream[-600:] + stream
        for piece in pieces(stream, rng):
            receiver.hear(piece, tally)
    return tally
