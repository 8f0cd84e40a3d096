"""Run one emulator as a process of its own, in real time: a device on a pty or TCP port, or the table with its camera.

Each prints one line of JSON to standard output when it is ready, and stops on SIGTERM, on SIGINT, or, when asked to,
as soon as its standard input is closed.
"""

import contextlib
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import simpy

from bench.clock import NS_PER_S, run_real_time
from bench.emulators.build import Emulated, EmulatedDevice, build_card_shoe, build_device
from bench.emulators.card_shoe.shoe import POLL_S
from bench.emulators.process import open_port, say_ready, stopping
from bench.emulators.rpc import Mailbox, RemoteWorld, RpcServer, Tapped
from bench.emulators.world import World
from bench.faults.catalogue import catalogue
from bench.hands.emulated import EmulatedHands
from bench.hands.protocol import Hands
from bench.links import PtyPort
from evidence.errors import UsageError
from vision.layout import standard_layout
from vision.mjpeg_server import MjpegServer
from vision.pictures import encode_jpeg
from vision.synthetic.renderer import Renderer

HANDS = tuple(name for name in vars(Hands) if not name.startswith("_"))
"""What hands can be asked to do from another process."""
ASK_S = 0.1
"""Real seconds between two questions of a device to the world of another process, so that it has time for the rest."""
WORLD = ("count", "counts", "move", "turn", "opened", "pulled", "label")
"""What a device's mechanics may do to the world of another process."""
PACK = 52
MAX_FPS = 120.0
MAX_SCALE = 1000.0


def serve_device(
    kind: Literal["shuffler", "shoe", "card-shoe"],
    *,
    port: str = "pty",
    host: str = "127.0.0.1",
    link: Path | None = None,
    world_url: str | None = None,
    control_port: int = 0,
    scale: float = 1.0,
    seed: int = 1,
    defects: Iterable[str] = (),
    stop_with_stdin: bool = False,
) -> None:
    """Run one device on `port` (`pty` or `tcp:PORT`) until told to stop.

    A `card-shoe` speaks the protocol of the ANGEL EYE II-EX, the others the reference protocol.

    It moves the cards of the world at `world_url`, or of one of its own, where a pack of 52 lies in its tray.
    UsageError for an option that does not fit, RigFault when that world goes away.
    """
    if not 0 < scale <= MAX_SCALE:
        raise UsageError(
            f"scale is {scale:g}; expected more than 0 and at most {MAX_SCALE:g} emulated seconds a second."
        )
    with contextlib.ExitStack() as stack:
        line = open_port(port, host, link)
        stack.callback(line.close)
        env = simpy.Environment()
        world: World | RemoteWorld
        if world_url:
            world = RemoteWorld(world_url)
        else:
            world = World(seed)
            EmulatedHands(world).place_pack(PACK)
            EmulatedHands(world).load("shuffler" if kind == "shuffler" else "shoe")
        device: Emulated = (
            build_card_shoe("shoe", env, world, line, defects, POLL_S if not world_url else max(POLL_S, ASK_S * scale))
            if kind == "card-shoe"
            else build_device(kind, kind, env, world, line, seed, defects)
        )
        mailbox = Mailbox()
        stack.callback(mailbox.close)
        methods = device_methods(device, mailbox)
        if isinstance(world, World):
            methods |= table_methods(world)
        control = RpcServer(methods, control_port, host)
        stack.callback(control.close)
        address = line.path if isinstance(line, PtyPort) else line.url
        with stopping(stop_with_stdin) as stopped:
            say_ready({"emulator": kind, "port": address, "link": str(link or ""), "control": control.url})
            run_real_time(env, [line, mailbox], stopped, scale)


def serve_camera(
    *,
    port: int = 0,
    host: str = "127.0.0.1",
    world_port: int = 0,
    fps: float = 20.0,
    seed: int = 1,
    stop_with_stdin: bool = False,
) -> None:
    """Keep a table, serve its picture as MJPEG and its cards and hands to other processes, until told to stop."""
    if not 0 < fps <= MAX_FPS:
        raise UsageError(f"fps is {fps:g}; expected more than 0 and at most {MAX_FPS:g} frames a second.")
    world = World(seed)
    renderer = Renderer(standard_layout(), seed)
    frames = itertools.count()
    with contextlib.ExitStack() as stack:
        table = RpcServer(table_methods(world), world_port, host)
        stack.callback(table.close)
        camera = MjpegServer(lambda: encode_jpeg(renderer.frame(world.scene(), next(frames))), host, port, fps)
        stack.enter_context(camera)
        with stopping(stop_with_stdin) as stopped:
            say_ready({"emulator": "camera", "stream": camera.url, "world": table.url})
            run_real_time(simpy.Environment(), [], stopped)


def device_methods(device: Emulated, mailbox: Mailbox) -> dict[str, Callable[..., object]]:
    """What a bench can call on a device's control port; `mailbox` must be pumped by the device's thread."""

    def arm(name: str, settings: dict[str, int | float | str]) -> object:
        return mailbox.call(lambda: device.arm(name, **settings))

    def clip(name: str, settings: dict[str, int | float | str]) -> object:
        if name not in catalogue():
            raise UsageError(f"there is no fault {name[:60]!r}")
        return mailbox.call(lambda: device.clip(name, **settings))

    def disarm() -> object:
        return mailbox.call(device.disarm)

    def tap() -> object:
        return mailbox.call(lambda: Tapped(now_ns=round(device.env.now * NS_PER_S), edges=device.tap()))

    def current() -> object:
        return mailbox.call(lambda: device.current_a)

    def image() -> object:
        return mailbox.call(device.image)

    own: dict[str, Callable[..., object]] = {
        "arm": arm,
        "clip": clip,
        "disarm": disarm,
        "tap": tap,
        "current": current,
        "image": image,
    }
    tied = tied_methods(device, mailbox) if isinstance(device, EmulatedDevice) else {}
    return {f"device.{name}": method for name, method in (own | tied).items()}


def tied_methods(device: EmulatedDevice, mailbox: Mailbox) -> dict[str, Callable[..., object]]:
    """What instruments tied to a device with a drive rail can do to it, for `device_methods`."""

    def supply(voltage_v: float, limit_a: float) -> object:
        return mailbox.call(lambda: device.supply(voltage_v, limit_a))

    def load(current_a: float) -> object:
        return mailbox.call(lambda: device.load(current_a))

    def join_line(line: str, joined: bool) -> object:
        return mailbox.call(lambda: device.join_line(line, joined))

    def bridge_line(line: str, bridged: bool) -> object:
        return mailbox.call(lambda: device.bridge_line(line, bridged))

    def actuate(actuator: str, on: bool) -> object:
        return mailbox.call(lambda: device.actuate(actuator, on))

    def rail() -> object:
        return mailbox.call(lambda: device.rail)

    return {
        "supply": supply,
        "load": load,
        "join_line": join_line,
        "bridge_line": bridge_line,
        "actuate": actuate,
        "rail": rail,
    }


def table_methods(world: World) -> dict[str, Callable[..., object]]:
    """What other processes can call on a world: its cards for devices, its hands for benches."""
    hands = EmulatedHands(world)
    methods: dict[str, Callable[..., object]] = {f"world.{name}": getattr(world, name) for name in WORLD}
    return methods | {f"hands.{name}": getattr(hands, name) for name in HANDS}
