"""Damaged frames of the reference protocol by the million: nothing breaks, grows or is believed that was never sent.

    python -m benchmarks.fuzz_frames [--protocol reference|angel-eye|gat] [--frames 1000000] [--seed 1]

The other two protocols are damaged by `benchmarks.fuzz_devices`; here it is the reference protocol.
Random frames go through a bad line, which drops, doubles, cuts, reorders and alters them, and noise is mixed in. What
comes out is cut into pieces of random size for three receivers: the decoder alone, a device in a session, and a host
that has just asked something. Checked for every piece:

- no receiver raises anything;
- the decoder accounts for every byte, and keeps no more than one frame's;
- a frame that comes out was sent. A damaged one that passes the checksum all the same is counted: a 16-bit checksum
  misses 1 in 65,536 of those damaged beyond what it is sure to find.
"""

import argparse
import random
import time
from collections import Counter
from itertools import count

from bench.links.faulty import FaultyLine
from bench.links.framings import ReferenceFrames
from bench.links.line_faults import Kind, LineFault
from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.device import DeviceEndpoint
from bench.protocol.frames import MAX_PAYLOAD, MAX_WIRE, Decoder, Frame, Garbage, encode
from bench.protocol.host import MAX_EVENTS, HostEndpoint
from benchmarks import fuzz_devices

KINDS: tuple[Kind, ...] = ("drop", "duplicate", "reorder", "truncate", "flip", "checksum", "break")
ROUND = 200
"""Frames between two looks at what came out."""
KNOWN = (
    payloads.OPEN, payloads.ASK_STATUS, *range(0x01, 0x08), *range(0x10, 0x18), *range(0x20, 0x28), *range(0x80, 0x90),
)  # fmt: skip


def some_frame(rng: random.Random) -> Frame:
    kind = rng.choice(KNOWN) if rng.random() < 0.8 else rng.randrange(256)
    size = rng.choice((0, 1, 4, 12, rng.randrange(MAX_PAYLOAD + 1)))
    return Frame(kind, rng.randrange(1 << 16), rng.randbytes(size))


class Receivers:
    """Three that listen to the same bytes."""

    def __init__(self) -> None:
        self.decoder = Decoder()
        self.accounted = 0
        self.device = DeviceEndpoint(lambda _: None, lambda _: m.Status("ready"), lambda *_: lambda: None)
        _, opening = payloads.pack_request(m.Open(1))
        self.device.feed(encode(Frame(payloads.OPEN, 1, opening)))
        self.numbers = count(1)
        self.host = HostEndpoint(1)
        self.host.ask(m.AskStatus())

    def hear(self, data: bytes, sent: set[Frame], tally: Counter[str]) -> None:
        for item in self.decoder.feed(data):
            if isinstance(item, Garbage):
                self.accounted += item.size
                tally[f"thrown away: {item.kind}"] += 1
            else:
                self.accounted += len(encode(item))
                tally["frames through" if item in sent else "frames never sent"] += 1
        self.device.feed(data)
        self.host.feed(data)
        self.host.take_output()
        self.host.take_troubles()
        if len(self.host.events) > MAX_EVENTS:
            raise AssertionError("the host keeps more events than it may")
        self.host.events.clear()
        if self.host.done:
            self.host.ask(m.AskStatus())


def play(frames: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    receivers = Receivers()
    line = FaultyLine(seed, ReferenceFrames)
    said = 0
    recent: set[Frame] = set()
    for start in range(0, frames, ROUND):
        size = min(ROUND, frames - start)
        batch = [some_frame(rng) for _ in range(size)]
        sent = recent | set(batch)
        recent = set(batch)
        for _ in range(rng.randrange(40)):
            line.arm(
                LineFault(
                    kind=rng.choice(KINDS), way="rx", first=rng.randrange(1, size + 1), count=rng.randrange(1, 4),
                    bits=rng.choice((1, 2, 3, 8, 64)), copies=rng.randrange(1, 3), later=rng.randrange(1, 4),
                )
            )  # fmt: skip
        heard = bytearray()
        for frame in batch:
            if rng.random() < 0.02:
                heard += rng.randbytes(rng.randrange(1, 40))
            heard += line.carry("rx", encode(frame), start)
        line.disarm()
        tally["frames damaged"] += len(line.take_deeds())
        while (due_ns := line.due_ns()) is not None:
            heard += b"".join(data for _, data in line.release(due_ns))
        said += len(heard)
        while heard:
            piece = rng.choice((1, 7, 64, 300, 4096))
            receivers.hear(bytes(heard[:piece]), sent, tally)
            del heard[:piece]
        held = said - receivers.accounted
        if not 0 <= held <= MAX_WIRE:
            raise AssertionError(f"seed {seed}, after {start + size} frames: {held} bytes unaccounted for")
    tally["frames"] = frames
    tally["bytes"] = said
    return tally


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--protocol", choices=("reference", *fuzz_devices.RECEIVERS), default="reference")
    arguments.add_argument("--frames", type=int, default=1_000_000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    started = time.process_time()
    if options.protocol == "reference":
        tally = play(options.frames, options.seed)
    else:
        tally = fuzz_devices.play(options.protocol, options.frames, options.seed)
    for name in sorted(tally):
        print(f"{name:32}{tally[name]:14,}")
    print(f"{'processor time':32}{time.process_time() - started:12,.1f} s")


if __name__ == "__main__":
    main()
