"""An emulated device as the bench and its instruments meet it: a port, a place for faults, wires to probe."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from typing import Literal

import simpy

from bench.clock import schedule_on
from bench.emulators.defects import DEFECTS
from bench.emulators.firmware import Firmware
from bench.emulators.injector import Injector
from bench.emulators.mechanics import Mechanics
from bench.emulators.physics import LineEdge, Probe
from bench.emulators.world import Cards
from bench.protocol.device import DeviceEndpoint
from bench.protocol.messages import Identify, Reply, Request
from evidence.errors import UsageError

Role = Literal["shuffler", "shoe"]

PROBED = (
    "tray",
    "pick",
    "feed",
    "entry_roller",
    "vibrator",
    "entry",
    "exit",
    "mouth",
    "power",
    "lid",
    "overcurrent",
)
"""Lines that the probe is clipped on unless told otherwise: those that show whether cards move."""


class EmulatedDevice(ABC):
    """Base of the emulated devices. All randomness comes from the seed; all time is that of `env`."""

    role: Role

    def __init__(
        self,
        env: simpy.Environment,
        world: Cards,
        name: str,
        probed: Collection[str],
        defects: Iterable[str],
    ) -> None:
        self.env = env
        self.world = world
        self.name = name
        self.defects = frozenset(defects)
        self.probe = Probe(env, probed)
        self.faults = Injector(env, self.role)
        self.endpoint: DeviceEndpoint | None = None
        known = {defect.name for defect in DEFECTS if self.role in defect.devices}
        for defect in sorted(self.defects - known):
            raise UsageError(f"{self.role}: there is no defect {defect!r}; there are {', '.join(sorted(known))}.")

    @property
    @abstractmethod
    def mechanics(self) -> Mechanics: ...

    @property
    @abstractmethod
    def firmware(self) -> Firmware: ...

    def wire(self) -> None:
        """Join mechanics and firmware, once both are there."""
        self.mechanics.went_silent = self.firmware.keep_quiet
        self.firmware.clears_jams_silently = "silent_jam_recovery" in self.defects
        self.firmware.forgets_faults = "forgets_faults" in self.defects

    def connect(self, send: Callable[[bytes], None], boot: int = 1) -> DeviceEndpoint:
        """Put the reference protocol on a line: `send` takes the device's bytes, `.feed()` of the result the host's."""
        self.endpoint = DeviceEndpoint(send, self.handle, schedule_on(self.env), boot=boot)
        self.firmware.notify = self.endpoint.notify
        return self.endpoint

    def handle(self, request: Request) -> Reply:
        """Answer a request of the reference protocol, after noticing what hands have done since the last one."""
        if not isinstance(request, Identify):
            self._notice()
        return self.firmware.handle(request)

    def arm(self, name: str, **settings: object) -> None:
        """Arm a fault of the catalogue; settings are its parameters and its moment. UsageError when it does not fit."""
        self.faults.arm(name, settings)

    def disarm(self) -> None:
        """Forget every armed fault that has not happened yet, as before another scenario."""
        self.faults.disarm()

    def tap(self) -> list[LineEdge]:
        """Edges on the probed lines since the last call, oldest first."""
        self._notice()
        return self.probe.drain()

    def supply(self, voltage_v: float, limit_a: float) -> None:
        """A supply on the motors' rail gives so many volts, up to so many amperes."""
        self.mechanics.rail.supply(voltage_v, limit_a)

    def load(self, current_a: float) -> None:
        """A load on the same supply draws so many amperes."""
        self.mechanics.rail.load(current_a)

    def join_line(self, line: str, joined: bool) -> None:
        """Close or open the wire of a sensor line. UsageError when the device has no such line."""
        lines = self.mechanics.lines
        if line not in lines:
            raise UsageError(f"{self.name}: there is no line {line!r}; there are {', '.join(sorted(lines))}.")
        lines[line].join(joined)

    @property
    def rail(self) -> tuple[float, float]:
        """Volts on the rail, and amperes that its supply gives."""
        return self.mechanics.rail.voltage_v, self.mechanics.rail.supplied_a

    @property
    def current_a(self) -> float:
        """What the device draws now, in amperes."""
        return self.mechanics.rail.current_a

    def _notice(self) -> None:
        if self.mechanics.refresh():
            self.firmware.opened()
