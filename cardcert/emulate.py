"""`cardcert emulate`: run one emulator by itself, in real time, on a pty, a TCP port or HTTP."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bench.emulators.gat import serve_identity
from bench.emulators.instruments.build import serve_instrument
from bench.emulators.proxy import serve_proxy
from bench.emulators.serve import serve_camera, serve_device
from bench.emulators.service_ports import serve_services
from bench.emulators.services import DEBUG_PORT, LINE_PORT, PAGE_PORT
from bench.emulators.table_software.server import serve as serve_table
from bench.instruments.registry import DRIVERS
from bench.links.framings import FRAMINGS
from evidence.errors import UsageError

LOOPBACK = "127.0.0.1"
DEVICES = {
    "shuffler": "an automatic shuffler that speaks the reference protocol",
    "shoe": "an automatic shoe that speaks the reference protocol",
    "card-shoe": "a shoe from which hands draw, with the protocol of the ANGEL EYE II-EX",
}
SERVICES = (
    ("line", LINE_PORT, "its maintenance line"),
    ("page", PAGE_PORT, "its operator's page"),
    ("debug", DEBUG_PORT, "what the defect port_left_open leaves open"),
)
INSTRUMENTS = {
    "power_supply": "a power supply", "switch": "a relay matrix", "meter": "a meter", "load": "an electronic load",
}  # fmt: skip

if TYPE_CHECKING:
    Group = argparse._SubParsersAction[argparse.ArgumentParser]


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("emulate", help="run one emulator as a process of its own", description=__doc__)
    emulators = parser.add_subparsers(dest="emulator", metavar="EMULATOR", required=True)

    for kind, text in DEVICES.items():
        device = _emulator(emulators, kind, text, run_device)
        device.add_argument("--port", default="pty", help="pty, or tcp:PORT (0: any free one); default pty")
        device.add_argument("--link", type=Path, help="make a symbolic link to the pty here")
        device.add_argument("--world", metavar="URL", help="table whose cards it moves (see: emulate camera)")
        device.add_argument("--control-port", type=int, default=0, help="port for fault injection and line taps")
        device.add_argument("--scale", type=float, default=1.0, help="emulated seconds per real second (default 1)")
        _breakable(device)
        _seeded(device)
    identity = _emulator(emulators, "identity", "a device's answers for its firmware (GAT protocol)", run_identity)
    identity.add_argument("--image", type=Path, required=True, help="the firmware that it should run")
    identity.add_argument("--port", default="pty", help="pty, or tcp:PORT (0: any free one); default pty")
    identity.add_argument("--scale", type=float, default=1.0, help="emulated seconds per real second (default 1)")
    _breakable(identity)
    services = _emulator(emulators, "services", "a device's services on a network, for security checks", run_services)
    for name, usual, text in SERVICES:
        help_ = f"port of {text} (0: any free one; default {usual})"
        services.add_argument(f"--{name}-port", type=int, default=usual, help=help_)
    _breakable(services)
    camera = _emulator(emulators, "camera", "the table and a camera above it (MJPEG over HTTP)", run_camera)
    camera.add_argument("--port", type=int, default=0, help="port of the stream (0: any free one)")
    camera.add_argument("--world-port", type=int, default=0, help="port of the table for devices and hands")
    camera.add_argument("--fps", type=float, default=20.0, help="frames a second (default 20)")
    _seeded(camera)
    proxy = _emulator(emulators, "proxy", "a bad line, between the bench and a device or table software", run_proxy)
    proxy.add_argument(
        "--to", required=True, metavar="URL", help="far side: serial port, socket://, rfc2217:// or ws://"
    )
    proxy.add_argument("--port", default="pty", help="bench's side: pty, tcp:PORT or a serial port; default pty")
    proxy.add_argument("--link", type=Path, help="make a symbolic link to the pty here")
    proxy.add_argument("--framing", choices=sorted(FRAMINGS), default="reference", help="how frames are told apart")
    proxy.add_argument("--control-port", type=int, default=0, help="port for faults of the line and what came of them")
    proxy.add_argument("--scale", type=float, default=1.0, help="run seconds per real second (default 1)")
    _seeded(proxy)
    for role, text in INSTRUMENTS.items():
        drivers = sorted(name for name, driver in DRIVERS.items() if driver.role == role)
        instrument = _emulator(
            emulators, role.replace("_", "-"), f"{text} that speaks SCPI on a TCP port", run_instrument
        )
        instrument.add_argument("--driver", choices=drivers, default=drivers[0], help="the driver that it is made for")
        instrument.add_argument("--port", type=int, default=0, help="port to listen on (0: any free one)")
        instrument.add_argument(
            "--tie", action="append", default=[], metavar="CHANNEL=URL",
            help="the emulated device on a channel, by its control address; for a relay with #LINE behind it",
        )  # fmt: skip
    table = _emulator(emulators, "table", "the reference table software (CloudEvents over WebSocket)", run_table)
    table.add_argument("--port", type=int, default=0, help="port to listen on (0: any free one)")
    _breakable(table)


def _emulator(
    group: "Group", name: str, text: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser = group.add_parser(name, help=text, description=f"Emulate {text}. Prints one line of JSON when ready.")
    parser.add_argument("--host", default=LOOPBACK, help="address to listen on (default: this machine only)")
    parser.set_defaults(run=run)
    return parser


def _breakable(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--defect", action="append", default=[], metavar="NAME", help="break a rule on purpose")


def _seeded(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, help="seed (default 1)")


def run_device(options: argparse.Namespace) -> int:
    serve_device(
        options.emulator,
        port=options.port,
        host=options.host,
        link=options.link,
        world_url=options.world,
        control_port=options.control_port,
        scale=options.scale,
        seed=options.seed,
        defects=frozenset(options.defect),
    )
    return 0


def run_identity(options: argparse.Namespace) -> int:
    serve_identity(
        options.image,
        port=options.port,
        host=options.host,
        scale=options.scale,
        defects=frozenset(options.defect),
    )
    return 0


def run_services(options: argparse.Namespace) -> int:
    ports = {usual: getattr(options, f"{name}_port") for name, usual, _ in SERVICES}
    serve_services(ports=ports, host=options.host, defects=frozenset(options.defect))
    return 0


def run_proxy(options: argparse.Namespace) -> int:
    serve_proxy(
        options.to,
        port=options.port,
        host=options.host,
        link=options.link,
        framing=options.framing,
        control_port=options.control_port,
        scale=options.scale,
        seed=options.seed,
    )
    return 0


def run_instrument(options: argparse.Namespace) -> int:
    ties: dict[int, str] = {}
    for tie in options.tie:
        channel, _, url = tie.partition("=")
        if not channel.isdecimal() or not url:
            raise UsageError(f"--tie {tie!r}: expected CHANNEL=URL, such as 1=http://127.0.0.1:47111 or 101=URL#exit.")
        ties[int(channel)] = url
    serve_instrument(options.driver, port=options.port, host=options.host, ties=ties)
    return 0


def run_camera(options: argparse.Namespace) -> int:
    serve_camera(
        port=options.port, host=options.host, world_port=options.world_port, fps=options.fps, seed=options.seed
    )
    return 0


def run_table(options: argparse.Namespace) -> int:
    serve_table(options.host, options.port, frozenset(options.defect), _say_ready)
    return 0


def _say_ready(line: str) -> None:
    print(line, flush=True)
