"""How the parts of a rig come to be: emulated here in virtual time, or reached by the addresses of a rig file."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import msgspec
import simpy

from bench.aftermath import Aftermath
from bench.clock import NS_PER_S, Clock, VirtualClock, WallClock
from bench.drivers.base import Driver, Emit
from bench.drivers.gat import GatCheck
from bench.drivers.line import Line
from bench.drivers.registry import load_driver
from bench.emulators.build import CARD_SHOE, EmulatedDevice, build_card_shoe, build_device
from bench.emulators.faulty_camera import FaultySource
from bench.emulators.gat import EmulatedGat, identity_defects
from bench.emulators.instruments.build import build_instrument
from bench.emulators.instruments.ties import ACROSS, FEEDS
from bench.emulators.network import EmulatedNetwork
from bench.emulators.proxy import RemoteLine
from bench.emulators.rpc import RemoteDevice
from bench.emulators.services import network_defects
from bench.emulators.table_software.server import InProcessSoftware
from bench.emulators.world import World
from bench.hands.emulated import EmulatedHands
from bench.hands.picture import OrderPicture
from bench.hands.prompted import PromptedHands
from bench.hands.protocol import Hands
from bench.hands.remote import RemoteHands
from bench.hands.terminal import Terminal
from bench.injection import Injection
from bench.instruments.entry import InstrumentEntry
from bench.instruments.injection import Injections
from bench.instruments.session import LinkSession, Session
from bench.instruments.visa import VisaSession
from bench.links import SerialSettings, Wire, open_link, pty_pair
from bench.links.faulty import FaultyLine
from bench.links.faulty_port import FaultyPort
from bench.links.framings import Chunks, ReferenceFrames
from bench.rig import DeviceEntry, Identity, IdentityEntry, ListenEntry, RigPlan, calibration_of, read_image
from bench.security.access import SecurityEntry
from bench.security.network import Network, TcpNetwork
from bench.software.link import SoftwareLink
from bench.taps import Control, LineControl
from evidence.events import DeviceChecked
from vision.cameras import open_camera
from vision.layout import standard_layout
from vision.lens import CorrectedSource
from vision.places import TableLayout
from vision.sources import FrameSource, RenderedSource
from vision.synthetic.renderer import Renderer

Defects = Mapping[str, frozenset[str]]
"""Defects of emulators by what they are on: a device's role, or `software`."""


class Setup(Protocol):
    """Makes the parts of one rig. `begin` comes first, anew for every scenario, and `injection` last."""

    @property
    def clock(self) -> Clock: ...

    @property
    def aftermath(self) -> Aftermath | None:
        """What scenarios leave at devices; None where each has new ones."""
        ...

    def begin(self, scenario: str, defects: Defects) -> Clock: ...

    def restart_clock(self) -> None: ...

    def device(self, entry: DeviceEntry, emit: Emit, stack: ExitStack) -> Driver: ...

    def identity(self, device: DeviceEntry, entry: IdentityEntry, emit: Emit, stack: ExitStack) -> Identity: ...

    def network(self, device: DeviceEntry, entry: SecurityEntry) -> Network: ...

    def connector(self, device: DeviceEntry, entry: ListenEntry, emit: Emit, stack: ExitStack) -> Line: ...

    def controls(self) -> dict[str, Control]: ...

    def lines(self) -> dict[str, LineControl]: ...

    def instrument(self, entry: InstrumentEntry, stack: ExitStack) -> Session: ...

    def injection(self, hands: Hands, injections: Injections | None) -> Injection: ...

    def hands(self, emit: Emit, layout: TableLayout) -> Hands: ...

    def camera(self) -> FrameSource: ...

    def software(self, emit: Emit, stack: ExitStack) -> SoftwareLink: ...


@lru_cache(maxsize=2)
def _renderer(seed: int) -> Renderer:
    """Drawing the empty table takes a while; it depends on the seed alone and is shared by all scenarios and rigs."""
    return Renderer(standard_layout(), seed)


def camera_of(rig: RigPlan, now_ns: Callable[[], int], *, corrected: bool = True) -> FrameSource:
    """The camera that a rig file names, through the correction of its lens where it was calibrated."""
    camera = rig.file.camera
    calibration = calibration_of(rig) if corrected else None
    latency_ns = round(camera.latency_s * rig.file.time_scale * NS_PER_S)
    source = open_camera(camera.url, now_ns, latency_ns, camera.size_px or (), camera.fps, rig.path.parent)
    return source if calibration is None else CorrectedSource(source, calibration.lens)


class RealSetup:
    """Parts reached by port names and addresses, in real time."""

    def __init__(self, rig: RigPlan, start_ns: int = 0, aftermath: Aftermath | None = None) -> None:
        self._rig = rig
        self.clock: Clock = WallClock(rig.file.time_scale, start_ns)
        self.aftermath: Aftermath | None = aftermath or Aftermath()
        self._controls: dict[str, Control] = {}
        self._lines: dict[str, LineControl] = {}
        self._software: SoftwareLink | None = None

    def begin(self, scenario: str, defects: Defects) -> Clock:
        self._controls = {}
        self._lines = {}
        return self.clock

    def restart_clock(self) -> None:
        """Real time does not begin anew."""

    def device(self, entry: DeviceEntry, emit: Emit, stack: ExitStack) -> Driver:
        link = open_link(entry.url, SerialSettings(**msgspec.structs.asdict(entry.serial)))
        stack.callback(link.close)
        driver = load_driver(entry.driver)(entry.name, entry.role, link, self.clock, emit, entry.options)
        stack.callback(driver.close)
        if entry.control:
            self._controls[entry.name] = RemoteDevice(entry.control, self.clock.now_ns)
        if entry.line:
            self._lines[entry.name] = RemoteLine(entry.line, self.clock.now_ns)
        return driver

    def identity(self, device: DeviceEntry, entry: IdentityEntry, emit: Emit, stack: ExitStack) -> Identity:
        link = open_link(entry.url, SerialSettings(**msgspec.structs.asdict(entry.serial)))
        stack.callback(link.close)
        return _Identity(self._rig, entry, GatCheck(device.name, link, self.clock, emit, **_of(entry)), None)

    def network(self, device: DeviceEntry, entry: SecurityEntry) -> Network:
        return TcpNetwork(entry.address, entry.connect_timeout_s)

    def connector(self, device: DeviceEntry, entry: ListenEntry, emit: Emit, stack: ExitStack) -> Line:
        link = open_link(entry.url, SerialSettings(**msgspec.structs.asdict(entry.serial)))
        stack.callback(link.close)
        return Line(f"{device.name}-{entry.name}", link, self.clock, emit)

    def controls(self) -> dict[str, Control]:
        return self._controls

    def lines(self) -> dict[str, LineControl]:
        return self._lines

    def instrument(self, entry: InstrumentEntry, stack: ExitStack) -> Session:
        return VisaSession(entry.resource, entry.timeout_s)

    def injection(self, hands: Hands, injections: Injections | None) -> Injection:
        return Injection(hands, injections, self._controls, self._lines)

    def hands(self, emit: Emit, layout: TableLayout) -> Hands:
        hands = self._rig.file.hands
        if hands.kind == "remote":
            return RemoteHands(hands.url)
        picture = OrderPicture(Path(hands.picture), layout) if hands.picture else None
        return PromptedHands(Terminal(emit, hands.operator, hands.timeout_s), picture)

    def camera(self) -> FrameSource:
        return camera_of(self._rig, self.clock.now_ns)

    def software(self, emit: Emit, stack: ExitStack) -> SoftwareLink:
        entry = self._rig.file.software
        if entry.line:
            self._lines["software"] = RemoteLine(entry.line, self.clock.now_ns)
        # One that was there in an earlier scenario may have died in it, and be on its way back.
        awaited = self._software is not None and self._software.met
        link = SoftwareLink(entry.url, entry.ack_timeout_s, emit, entry.settle_s or None, awaited=awaited)
        link.met = awaited
        self._software = link
        stack.callback(link.close)
        return link


class EmulatedSetup:
    """Everything emulated in this process, in virtual time, over a real pty for each device and a real WebSocket."""

    def __init__(self, rig: RigPlan, seed: int, start_ns: int = 0) -> None:
        self._rig = rig
        self._seed = seed
        self._defects: Defects = {}
        self._name = ""
        self.aftermath: Aftermath | None = None
        self._env = simpy.Environment(initial_time=start_ns / NS_PER_S)
        self._clock = VirtualClock(self._env)
        self._world = World()
        self._controls: dict[str, Control] = {}
        self._lines: dict[str, LineControl] = {}
        self._devices: dict[str, EmulatedDevice] = {}
        self._camera: FaultySource | None = None
        self._end_software: Callable[[], None] | None = None
        self._renderer = _renderer(seed)

    @property
    def clock(self) -> Clock:
        return self._clock

    def begin(self, scenario: str, defects: Defects) -> Clock:
        # What is random in a scenario depends on the run's seed and on its own name, not on what ran before it.
        # A defective run goes by its scenario's name, so that it differs from the compliant one by its defect alone.
        name = self._name = scenario.partition("+")[0]
        self._env = simpy.Environment(initial_time=self._clock.now_ns() / NS_PER_S)
        self._clock = VirtualClock(self._env)
        self._world = World(f"{self._seed}:{name}", [entry.name for entry in self._rig.file.device])
        self._controls = {}
        self._lines = {}
        self._devices = {}
        self._defects = defects
        return self._clock

    def restart_clock(self) -> None:
        self._clock = VirtualClock(simpy.Environment())

    def device(self, entry: DeviceEntry, emit: Emit, stack: ExitStack) -> Driver:
        link, port = pty_pair()
        stack.callback(port.close)
        stack.callback(link.close)
        card_shoe = entry.driver == CARD_SHOE
        line = FaultyLine(f"{self._seed}:{entry.name}", Chunks if card_shoe else ReferenceFrames)
        self._lines[entry.name] = line
        faulty = FaultyPort(port, line, self._env)
        defects = self._defects.get(entry.role, frozenset()) - identity_defects() - network_defects()
        if card_shoe:
            self._controls[entry.name] = build_card_shoe(entry.name, self._env, self._world, faulty, defects)
        else:
            device = build_device(entry.role, entry.name, self._env, self._world, faulty, self._seed, defects)
            self._devices[entry.name] = self._controls[entry.name] = device
        self._clock.attach(Wire(link, port))
        driver = load_driver(entry.driver)(entry.name, entry.role, link, self._clock, emit, entry.options)
        stack.callback(driver.close)
        return driver

    def identity(self, device: DeviceEntry, entry: IdentityEntry, emit: Emit, stack: ExitStack) -> Identity:
        link, port = pty_pair()
        stack.callback(port.close)
        stack.callback(link.close)
        defects = self._defects.get(device.role, frozenset()) & identity_defects()
        image = read_image(self._rig.path, entry)
        answering = EmulatedGat(
            self._env, image, port.write, component=entry.component, checksum=entry.crc, defects=defects
        )
        port.feed = answering.feed
        self._clock.attach(Wire(link, port))
        if device.name in self._devices:
            self._devices[device.name].connectors["identity"] = port.write
        check = GatCheck(device.name, link, self._clock, emit, **_of(entry))
        return _Identity(self._rig, entry, check, f"{self._seed}:{self._name}:{device.name}:identity")

    def network(self, device: DeviceEntry, entry: SecurityEntry) -> Network:
        return EmulatedNetwork(self._defects.get(device.role, frozenset()) & network_defects())

    def connector(self, device: DeviceEntry, entry: ListenEntry, emit: Emit, stack: ExitStack) -> Line:
        link, port = pty_pair()
        stack.callback(port.close)
        stack.callback(link.close)
        self._clock.attach(Wire(link, port))
        if device.name in self._devices:
            self._devices[device.name].connectors[entry.name] = port.write
        return Line(f"{device.name}-{entry.name}", link, self._clock, emit)

    def controls(self) -> dict[str, Control]:
        return self._controls

    def lines(self) -> dict[str, LineControl]:
        return self._lines

    def instrument(self, entry: InstrumentEntry, stack: ExitStack) -> Session:
        link, port = pty_pair()
        lines = {
            channel.address: FEEDS + channel.actuator
            if channel.actuator
            else f"{ACROSS if channel.across else ''}{channel.line}"
            for channel in entry.channel
            if channel.line or channel.actuator
        }
        ties = {
            channel.address: self._devices[channel.device]
            for channel in entry.channel
            if channel.device in self._devices
        }
        instrument = build_instrument(entry.driver, ties, lines)
        port.feed, instrument.send = instrument.feed, port.write
        self._clock.attach(Wire(link, port))
        stack.callback(port.close)
        return LinkSession(link, self._clock)

    def injection(self, hands: Hands, injections: Injections | None) -> Injection:
        return Injection(hands, injections, self._controls, self._lines, self._camera, self._end_software)

    def hands(self, emit: Emit, layout: TableLayout) -> Hands:
        return EmulatedHands(self._world)

    def camera(self) -> FrameSource:
        self._camera = FaultySource(RenderedSource(self._world.scene, self._renderer, self._clock.now_ns))
        return self._camera

    def software(self, emit: Emit, stack: ExitStack) -> SoftwareLink:
        served = stack.enter_context(InProcessSoftware(self._defects.get("software", frozenset())))
        self._end_software = served.end
        link = SoftwareLink(served.url, self._rig.file.software.ack_timeout_s, emit)
        stack.callback(link.close)
        return link


class _Identity:
    """What a device cannot foresee comes from the run's seed where all is emulated, else from the system."""

    def __init__(self, rig: RigPlan, entry: IdentityEntry, check: GatCheck, seed: str | None) -> None:
        self._rig = rig
        self._entry = entry
        self._check = check
        self._rng = random.SystemRandom() if seed is None else random.Random(seed)

    def ask(self) -> Sequence[DeviceChecked]:
        entry = self._entry
        return self._check.check(read_image(self._rig.path, entry), entry.component, entry.algorithm, self._rng)

    def listen(self) -> None:
        self._check.listen()


def _of(entry: IdentityEntry) -> Mapping[str, Any]:
    return {"checksum": entry.crc, "answer_timeout_s": entry.answer_timeout_s}
