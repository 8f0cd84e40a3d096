"""The parts of a rig, reached by the port names and addresses of its file."""

from contextlib import ExitStack
from pathlib import Path

import msgspec

from bench.aftermath import Aftermath
from bench.clock import Clock, WallClock
from bench.drivers.base import Driver, Emit
from bench.drivers.gat import GatCheck
from bench.drivers.line import Line
from bench.drivers.registry import load_driver
from bench.emulators.proxy import RemoteLine
from bench.emulators.rpc import RemoteDevice
from bench.hands.picture import OrderPicture
from bench.hands.prompted import PromptedHands
from bench.hands.protocol import Hands
from bench.hands.remote import RemoteHands
from bench.hands.terminal import Terminal
from bench.injection import Injection
from bench.instruments.entry import InstrumentEntry
from bench.instruments.injection import Injections
from bench.instruments.session import Session
from bench.instruments.visa import VisaSession
from bench.links import SerialSettings, open_link
from bench.live_rig import Identity
from bench.rig import RigPlan
from bench.rig_entries import DeviceEntry, IdentityEntry, ListenEntry
from bench.security.access import SecurityEntry
from bench.security.network import Network, TcpNetwork
from bench.setup import AskedIdentity, Defects, camera_of, check_options
from bench.software.link import SoftwareLink
from bench.taps import Control, LineControl
from vision.places import TableLayout
from vision.sources import FrameSource


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
        return AskedIdentity(
            self._rig, entry, GatCheck(device.name, link, self.clock, emit, **check_options(entry)), None
        )

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
