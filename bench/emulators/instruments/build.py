"""Make an emulated instrument by the driver that is to drive it, and serve one as a process of its own."""

import contextlib
from collections.abc import Callable, Mapping
from urllib.parse import urldefrag

import simpy

from bench.clock import run_real_time
from bench.emulators.instruments.others import Emulated34980A, EmulatedLoad, EmulatedMeter, EmulatedSwitch
from bench.emulators.instruments.scpi import ScpiInstrument
from bench.emulators.instruments.supplies import EmulatedDP832, EmulatedE36300, EmulatedHMP
from bench.emulators.instruments.ties import RemoteTie, Tie
from bench.emulators.process import open_port, say_ready, stopping
from bench.links import TcpPort
from evidence.errors import UsageError

Lines = Mapping[int, str]

MODELS: dict[str, Callable[[Mapping[int, Tie], Lines], ScpiInstrument]] = {
    "keysight-e36300": lambda ties, _: EmulatedE36300(ties),
    "rigol-dp832": lambda ties, _: EmulatedDP832(ties),
    "rs-hmp": lambda ties, _: EmulatedHMP(ties),
    "rs-nge": lambda ties, _: EmulatedHMP(ties),
    "keysight-34970a": EmulatedSwitch,
    "keysight-34980a": Emulated34980A,
    "keysight-34465a": lambda ties, _: EmulatedMeter(ties),
    "ld400p": lambda ties, _: EmulatedLoad(ties),
}


def build_instrument(driver: str, ties: Mapping[int, Tie], lines: Lines) -> ScpiInstrument:
    """The model that `driver` drives, with what hangs on its channels. UsageError when none is emulated."""
    if driver not in MODELS:
        raise UsageError(f"driver {driver!r}: no instrument is emulated for it; there are {', '.join(MODELS)}.")
    return MODELS[driver](ties, lines)


def serve_instrument(
    driver: str, *, port: int = 0, host: str = "127.0.0.1", ties: Mapping[int, str] | None = None,
    stop_with_stdin: bool = False,
) -> None:  # fmt: skip
    """Run one instrument on a TCP port until told to stop.

    `ties` says which device hangs on which channel: the address of the device's control, and for a relay `#line` behind
    it. UsageError for what does not fit, RigFault when a device goes away.
    """
    addresses = {channel: urldefrag(url) for channel, url in (ties or {}).items()}
    with contextlib.ExitStack() as stack:
        line = open_port(f"tcp:{port}", host, None)
        stack.callback(line.close)
        instrument = build_instrument(
            driver,
            {channel: RemoteTie(address.url) for channel, address in addresses.items()},
            {channel: address.fragment for channel, address in addresses.items() if address.fragment},
        )
        line.feed, instrument.send = instrument.feed, line.write
        with stopping(stop_with_stdin) as stopped:
            number = line.address[1] if isinstance(line, TcpPort) else port
            say_ready(
                {
                    "emulator": "instrument",
                    "driver": driver,
                    "identity": instrument.identity,
                    "resource": f"TCPIP0::{host}::{number}::SOCKET",
                }
            )
            run_real_time(simpy.Environment(), [line], stopped)
