"""Instruments on loopback sockets, each answered by a thread: those emulated, and hostile ones."""

import contextlib
import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from bench.emulators.instruments.scpi import ScpiInstrument
from bench.instruments.base import Instrument
from bench.instruments.entry import InstrumentEntry
from bench.instruments.rack import Rack
from bench.instruments.visa import VisaSession
from bench.links import TcpPort
from evidence.events import AnyEvent, LinkBytes, LinkFault


@contextmanager
def served(instrument: ScpiInstrument) -> Iterator[str]:
    """The VISA resource at which an emulated instrument answers."""
    port = TcpPort()
    port.feed, instrument.send = instrument.feed, port.write
    stop, ring = os.pipe()

    def serve() -> None:
        while stop not in select.select([port.fileno(), stop], [], [])[0]:
            port.pump()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"TCPIP0::127.0.0.1::{port.address[1]}::SOCKET"
    finally:
        os.close(ring)
        thread.join()
        os.close(stop)
        port.close()


Answerer = Callable[[str], bytes | None]
"""What a hostile instrument sends for a line; None hangs up."""


@contextmanager
def hostile(answer: Answerer) -> Iterator[str]:
    """The VISA resource of an instrument that answers each line as told, for one client."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):
                client, _ = listener.accept()
                with client, client.makefile("rb") as lines:
                    for line in lines:
                        said = answer(line.decode().strip())
                        if said is None:
                            return
                        client.sendall(said)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"TCPIP0::127.0.0.1::{listener.getsockname()[1]}::SOCKET"
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def entry(driver: str, role: str, resource: str = "", **settings: object) -> InstrumentEntry:
    """One instrument with one channel, `out`, on address 1 unless told otherwise."""
    own = {name: settings.pop(name) for name in ("identity", "serial", "timeout_s") if name in settings}
    limits: dict[str, dict[str, object]] = {
        "power_supply": {"max_voltage_v": 25.0, "max_current_a": 1.5},
        "load": {"max_current_a": 5.0},
        "meter": {"quantity": "voltage"},
    }
    channel: dict[str, object] = {"name": "out", "address": 1} | limits.get(role, {}) | settings
    whole = {"name": "it", "role": role, "driver": driver, "resource": resource, "channel": [channel]} | own
    return msgspec.convert(whole, InstrumentEntry)


@contextmanager
def rack_of(*entries: InstrumentEntry) -> Iterator[tuple[Rack, list[AnyEvent]]]:
    """A rack through PyVISA, with what it puts in the journal."""
    emitted: list[AnyEvent] = []
    rack = Rack(entries, lambda one: VisaSession(one.resource, one.timeout_s), lambda _: emitted.append)
    try:
        yield rack, emitted
    finally:
        with contextlib.suppress(Exception):
            rack.close()


Kind = TypeVar("Kind", bound=Instrument)


@contextmanager
def driven(
    model: ScpiInstrument, kind: type[Kind], driver: str, **settings: object
) -> Iterator[tuple[Kind, Rack, list[AnyEvent]]]:
    """An instrument on a socket, and what drives it."""
    with served(model) as resource, rack_of(entry(driver, kind.role, resource, **settings)) as (rack, emitted):
        instrument = rack.instruments["it"]
        assert isinstance(instrument, kind)
        yield instrument, rack, emitted


def sent(emitted: list[AnyEvent]) -> list[str]:
    """What went over the wire, without the questions that follow each order."""
    written = [event for event in emitted if isinstance(event, LinkBytes) and event.direction == "tx"]
    lines = [line for event in written for line in bytes.fromhex(event.data).decode().splitlines()]
    return [line for line in lines if line not in {"*OPC?", "SYST:ERR?"} and not line.startswith("*ESE")]


def troubles(emitted: list[AnyEvent]) -> list[str]:
    return [event.kind for event in emitted if isinstance(event, LinkFault)]
