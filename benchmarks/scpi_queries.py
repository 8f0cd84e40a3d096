"""SCPI queries a second through the bench, beside plain PyVISA with its own backend, in the same run.

    python -m benchmarks.scpi_queries [--queries 500] [--rounds 15]

The instrument is a socket answered by a process that makes two system calls a question. Short rounds alternate between
the rows, so that whatever else the machine does meets all of them. The last rows ask for the error queue after each
answer; the bench also has a number kept and asked for, three questions instead of two, before it believes a reading.
"""

import argparse
import multiprocessing
import socket
import statistics
import threading
import time
from collections.abc import Callable

import pyvisa
from pyvisa.resources import MessageBasedResource

from bench.instruments.scpi import Scpi
from bench.instruments.visa import VisaSession

READING, ERROR = b"+1.20000000E+01\n", b'+0,"No error"\n'
Asking = Callable[[], object]


def answer(listener: socket.socket, clients: int) -> None:
    """Answer one client after the other in threads of this process's own."""

    def serve(client: socket.socket) -> None:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number = b""
        while line := client.recv(4096):
            for part in line.splitlines():
                if part.startswith(b"*ESE "):
                    number = part[5:] + b"\n"
                else:
                    client.sendall(ERROR if part[:4] == b"SYST" else number if part == b"*ESE?" else READING)

    for _ in range(clients):
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    threading.Event().wait()


def plain(resource: str) -> MessageBasedResource:
    opened = pyvisa.ResourceManager("@py").open_resource(resource)
    assert isinstance(opened, MessageBasedResource)
    opened.read_termination = opened.write_termination = "\n"
    return opened


def rate(ask: Asking, queries: int) -> float:
    start = time.perf_counter()
    for _ in range(queries):
        ask()
    return queries / (time.perf_counter() - start)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--queries", type=int, default=500)
    arguments.add_argument("--rounds", type=int, default=15)
    options = arguments.parse_args()
    listener = socket.create_server(("127.0.0.1", 0))
    resource = f"TCPIP0::127.0.0.1::{listener.getsockname()[1]}::SOCKET"
    peer = multiprocessing.get_context("fork").Process(target=answer, args=(listener, 3), daemon=True)
    peer.start()
    visa, session = plain(resource), VisaSession(resource, 2.0)
    scpi = Scpi("it", VisaSession(resource, 2.0), 2.0, lambda _: None)

    def asked() -> bytes:
        session.write(b"MEAS:VOLT? (@1)")
        return session.read(2.0)

    def both() -> str:
        visa.query("MEAS:VOLT? (@1)")
        return visa.query("SYST:ERR?")

    rows: dict[str, tuple[Asking, str]] = {
        "plain PyVISA": (lambda: visa.query("MEAS:VOLT? (@1)"), "plain PyVISA"),
        "session": (asked, "plain PyVISA"),
        "plain PyVISA, error queue too": (both, "plain PyVISA, error queue too"),
        "reading, checked": (lambda: scpi.number("MEAS:VOLT? (@1)"), "plain PyVISA, error queue too"),
    }
    rates: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(options.rounds):
        for name, (ask, _) in rows.items():
            rates[name].append(rate(ask, options.queries))
    peer.kill()
    print(f"{'a second':32}{'best':>10}{'median':>10}{'of plain, median round':>26}")
    for name, (_, beside) in rows.items():
        ratio = statistics.median(one / other for one, other in zip(rates[name], rates[beside], strict=True))
        print(f"{name:32}{max(rates[name]):10,.0f}{statistics.median(rates[name]):10,.0f}{ratio:26.2f}")


if __name__ == "__main__":
    main()
