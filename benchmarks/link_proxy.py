"""What the link proxy costs for each byte, beside a process that copies and does nothing else, in the same run.

    python benchmarks/link_proxy.py [--megabytes 64] [--rounds 5]

Both stand between two TCP ends of this process. Processor time is that of the copying process alone, read from the
kernel before and after; so other work on the machine does not count. Bulk goes through in pieces of 64 KiB; the small
rows send frames of the reference protocol, 20 bytes each, one by one, and wait for each at the other end.
"""

import argparse
import multiprocessing
import select
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json import loads
from pathlib import Path

from bench.protocol.frames import Frame, encode

ROOT = Path(__file__).parents[1]
PIECE = 65_536


def plain_copy(near: socket.socket, far_port: int) -> None:
    """Copy both ways between the first client of `near` and the far port."""
    client, _ = near.accept()
    far = socket.create_connection(("127.0.0.1", far_port))
    other = {client.fileno(): far, far.fileno(): client}
    by_fd = {client.fileno(): client, far.fileno(): far}
    while True:
        for fd in select.select(list(other), [], [])[0]:
            data = by_fd[fd].recv(PIECE)
            if not data:
                return
            other[fd].sendall(data)


@contextmanager
def copier(far_port: int) -> Iterator[tuple[int, int]]:
    """Process id and port of a plain copy."""
    near = socket.create_server(("127.0.0.1", 0))
    process = multiprocessing.get_context("fork").Process(target=plain_copy, args=(near, far_port), daemon=True)
    process.start()
    assert process.pid
    yield process.pid, near.getsockname()[1]
    process.kill()
    process.join()
    near.close()


@contextmanager
def proxy(far_port: int) -> Iterator[tuple[int, int]]:
    """Process id and port of the link proxy."""
    code = f"from bench.emulators.proxy import *; serve_proxy('socket://127.0.0.1:{far_port}', port='tcp:0')"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout
        port = int(loads(process.stdout.readline())["port"].rpartition(":")[2])
        yield process.pid, port
        process.terminate()


def cpu_s(pid: int) -> float:
    """Processor time of a process so far, by the kernel's clock for it (Linux)."""
    return time.clock_gettime((~pid << 3) | 2)


def bulk(near: socket.socket, far: socket.socket, frame: bytes, size: int) -> int:
    piece = frame * (PIECE // len(frame))
    pieces = size // len(piece)
    sender = threading.Thread(target=near.sendall, args=(piece * pieces,))
    sender.start()
    left = pieces * len(piece)
    while left:
        left -= len(far.recv(PIECE))
    sender.join()
    return pieces * len(piece)


def singly(near: socket.socket, far: socket.socket, frame: bytes, size: int) -> int:
    count = size // 200 // len(frame)
    for _ in range(count):
        near.sendall(frame)
        left = len(frame)
        while left:
            left -= len(far.recv(left))
    return count * len(frame)


def measure(kind: Callable[[int], object], load: Callable[..., int], frame: bytes, size: int) -> float:
    """Nanoseconds of processor time for each byte."""
    with socket.create_server(("127.0.0.1", 0)) as far_listener, kind(far_listener.getsockname()[1]) as (pid, port):  # type: ignore[attr-defined]
        near = socket.create_connection(("127.0.0.1", port))
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far, _ = far_listener.accept()
        near.sendall(frame)
        far.recv(len(frame))
        before = cpu_s(pid)
        sent = load(near, far, frame, size)
        used = cpu_s(pid) - before
        near.close()
        far.close()
    return used / sent * 1e9


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--megabytes", type=int, default=64)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    frame = encode(Frame(0x22, 7, bytes(range(0x20, 0x2A))))
    print(f"{'processor time per byte':32}{'plain copy':>12}{'proxy':>12}{'ratio':>8}")
    for name, load in (("in bulk", bulk), ("frame by frame", singly)):
        rows = {
            kind: [measure(kind, load, frame, options.megabytes << 20) for _ in range(options.rounds)]
            for kind in (copier, proxy)
        }
        plain, ours = (statistics.median(row) for row in rows.values())
        print(f"{name:32}{plain:9.1f} ns{ours:9.1f} ns{ours / plain:8.1f}")


if __name__ == "__main__":
    main()
