"""Round trips a second over a pty: link and driver beside the raw descriptor, in the same run.

    python benchmarks/link_round_trips.py [--trips 1000] [--rounds 25]

Every trip writes 9 bytes, the size of a status request, to a peer in a process of its own and waits for the 20 bytes of
its answer. The peer of the first rows makes two system calls and no more, so those rows show what the host side costs.
The peer of the last rows is a `DeviceEndpoint`, whose Python takes most of their time; the raw descriptor is shown with
that peer too. Short rounds alternate between the rows, so that whatever else the machine does meets all of them.
"""

import argparse
import itertools
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import serial

from bench.clock import WallClock
from bench.drivers.base import Emit
from bench.drivers.reference import ReferenceDriver
from bench.links import PtyPort, open_link
from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.device import DeviceEndpoint
from bench.protocol.frames import Frame, encode
from evidence.events import AnyEvent
from evidence.files import write_all
from evidence.journal import Journal

REQUEST, ANSWER = bytes(9), bytes(20)
Trip = Callable[[], object]


def answer_bytes(fd: int) -> None:
    os.set_blocking(fd, True)
    while True:
        received = 0
        while received < len(REQUEST):
            received += len(os.read(fd, len(REQUEST) - received))
        os.write(fd, ANSWER)


def answer_status(fd: int) -> None:
    os.set_blocking(fd, True)
    device = DeviceEndpoint(lambda data: write_all(fd, data), lambda _: m.Status("ready"), lambda *_: lambda: None)
    while True:
        device.feed(os.read(fd, 4096))


def raw(path: str) -> Trip:
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)

    def trip() -> None:
        os.write(fd, REQUEST)
        received = 0
        while received < len(ANSWER):
            received += len(os.read(fd, 4096))

    return trip


def raw_status(path: str) -> Trip:
    """Asks with frames made beforehand and looks at no answer."""
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    os.write(fd, encode(Frame(payloads.OPEN, 1, payloads.pack_request(m.Open(1))[1])))
    requests = itertools.cycle([encode(Frame(payloads.ASK_STATUS, seq)) for seq in range(1, payloads.LAST_SEQ + 1)])
    next(requests)

    def trip() -> None:
        os.write(fd, next(requests))
        while not os.read(fd, 4096).endswith(b"\x03"):
            pass

    trip()
    return trip


def pyserial(path: str) -> Trip:
    port = serial.Serial(path, timeout=5)

    def trip() -> None:
        port.write(REQUEST)
        port.read(len(ANSWER))

    return trip


def link(path: str) -> Trip:
    opened, clock = open_link(path), WallClock()

    def trip() -> None:
        opened.write(REQUEST)
        deadline = clock.deadline(5)
        received = 0
        while received < len(ANSWER):
            clock.wait([opened], deadline)
            received += len(opened.read())

    return trip


def driver(path: str, emit: Emit) -> Trip:
    return ReferenceDriver("toy", "shoe", open_link(path), WallClock(), emit, {}).status


def rate(trip: Trip, trips: int) -> float:
    start = time.perf_counter()
    for _ in range(trips):
        trip()
    return trips / (time.perf_counter() - start)


def measure(trips: int, rounds: int) -> dict[str, list[float]]:
    """Trips a second of each row, round by round."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        journal = stack.enter_context(Journal.create(Path(folder), time.monotonic_ns))

        def to_journal(event: AnyEvent) -> None:
            journal.append(event, source="bench:toy")

        rows: dict[str, tuple[Callable[[int], None], Callable[[str], Trip]]] = {
            "raw descriptor": (answer_bytes, raw),
            "pyserial": (answer_bytes, pyserial),
            "link": (answer_bytes, link),
            "raw descriptor, device": (answer_status, raw_status),
            "driver status": (answer_status, lambda path: driver(path, lambda _: None)),
            "driver status, journalled": (answer_status, lambda path: driver(path, to_journal)),
        }
        ready = {}
        for name, (answer, open_trip) in rows.items():
            port = PtyPort()
            peer = multiprocessing.get_context("fork").Process(target=answer, args=(port.fileno(),), daemon=True)
            peer.start()
            stack.callback(port.close)
            stack.callback(peer.join)
            stack.callback(peer.kill)
            ready[name] = open_trip(port.path)
        results: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(rounds):
            for name, trip in ready.items():
                results[name].append(rate(trip, trips))
        return results


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--trips", type=int, default=1000)
    arguments.add_argument("--rounds", type=int, default=25)
    options = arguments.parse_args()
    results = measure(options.trips, options.rounds)
    base_best, base_median = max(results["raw descriptor"]), statistics.median(results["raw descriptor"])
    print(f"{'round trips a second':28}{'best':>10}{'of raw':>8}{'median':>10}{'of raw':>8}")
    for name, rates in results.items():
        best, median = max(rates), statistics.median(rates)
        print(f"{name:28}{best:10,.0f}{best / base_best:8.2f}{median:10,.0f}{median / base_median:8.2f}")


if __name__ == "__main__":
    main()
