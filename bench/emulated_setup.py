"""The parts of a rig, emulated here in virtual time."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import lru_cache

import simpy

from bench.aftermath import Aftermath
from bench.clock import NS_PER_S, Clock, VirtualClock
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
from bench.emulators.services import network_defects
from bench.emulators.table_software.server import InProcessSoftware
from bench.emulators.world import World
from bench.hands.emulated import EmulatedHands
from bench.hands.protocol import Hands
from bench.injection import Injection
from bench.instruments.entry import InstrumentEntry
from bench.instruments.injection import Injections
from bench.instruments.session import LinkSession, Session
from bench.links import Wire, pty_pair
from bench.links.faulty import FaultyLine
from bench.links.faulty_port import FaultyPort
from bench.links.framings import Chunks, ReferenceFrames
from bench.live_rig import Identity
from bench.rig import RigPlan, read_image
from bench.rig_entries import DeviceEntry, IdentityEntry, ListenEntry
from bench.security.access import SecurityEntry
from bench.security.network import Network
from bench.setup import AskedIdentity, Defects, check_options
from bench.software.link import SoftwareLink
from bench.taps import Control, LineControl
from vision.layout import standard_layout
from vision.places import TableLayout
from vision.sources import FrameSource, RenderedSource
from vision.synthetic.renderer import Renderer


@lru_cache(maxsize=2)
def _renderer(seed: int) -> Renderer:
    """Drawing the empty table takes a while; it depends on the seed alone and is shared by all scenarios and rigs."""
    return Renderer(standard_layout(), seed)


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
        check = GatCheck(device.name, link, self._clock, emit, **check_options(entry))
        return AskedIdentity(self._rig, entry, check, f"{self._seed}:{self._name}:{device.name}:identity")

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
