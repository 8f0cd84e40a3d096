"""An emulated device as the bench and its instruments meet it: a port, a place for faults, wires to probe."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Literal

import simpy

from bench.clock import schedule_on
from bench.emulators.defects import DEFECTS
from bench.emulators.firmware import Firmware
from bench.emulators.injector import Injector
from bench.emulators.lines import Line, LineEdge, Probe, after
from bench.emulators.mechanics import Mechanics
from bench.emulators.world import Cards
from bench.faults.catalogue import catalogue
from bench.protocol.device import DeviceEndpoint
from bench.protocol.messages import Command, Identify, Reply, Request, Result
from evidence.errors import UsageError

Role = Literal["shuffler", "shoe"]

RESTART_S = 0.5
"""How long the electronics take to start (engineering judgement)."""
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
        self.send: Callable[[bytes], None] = lambda _: None
        """Puts bytes on its line."""
        self.connectors: dict[str, Callable[[bytes], None]] = {}
        """Its further connectors by name, each with what sends bytes there."""
        self.dark = False
        """True while the electronics have no power, or hang: nothing is heard and nothing said."""
        self._boot = 1
        self.image_sha256 = ""
        """Digest of the program memory where it differs from what the device claims; empty where it does not."""
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
        mechanics, firmware = self.mechanics, self.firmware
        mechanics.went_silent = firmware.keep_quiet
        mechanics.went_dark = self._go_dark
        mechanics.spoofed = firmware.spoof
        mechanics.forgot_history = firmware.forget_history
        mechanics.button.rose = firmware.button_pressed
        mechanics.stop_button.rose = firmware.stop_pressed
        self.firmware.clears_jams_silently = "silent_jam_recovery" in self.defects
        self.firmware.forgets_faults = "forgets_faults" in self.defects

    def connect(self, send: Callable[[bytes], None], boot: int = 1) -> DeviceEndpoint:
        """Put the reference protocol on a line: `send` takes the device's bytes, `.feed()` of the result the host's."""
        self._boot, self.send = boot, send
        self.endpoint = DeviceEndpoint(
            lambda data: None if self.dark else send(data), self.handle, schedule_on(self.env), boot=boot
        )
        self.firmware.notify = self.endpoint.notify
        return self.endpoint

    def feed(self, data: bytes) -> None:
        """Take the host's bytes, once `connect` has been called."""
        if self.endpoint is not None and not self.dark:
            self.endpoint.feed(data)

    def handle(self, request: Request) -> Reply:
        """Answer a request of the reference protocol, after noticing what hands have done since the last one."""
        if isinstance(request, Identify):
            self._alter_identity()
            return self.firmware.handle(request)
        self._notice()
        if isinstance(request, Command) and self.faults.take("busy_refused"):
            return Result(accepted=False, code="BUSY")
        return self.firmware.handle(request)

    def _alter_identity(self) -> None:
        """Another program is in the device, or only a part of one."""
        firmware = self.firmware
        if self.faults.take("firmware_changed"):
            other = hashlib.sha256(f"another image of {firmware.identity.model}".encode()).hexdigest()
            firmware.identity = replace(firmware.identity, firmware_sha256=other)
            self.image_sha256 = other
        if self.faults.take("authentication_canned"):
            self.image_sha256 = hashlib.sha256(f"a patched image of {firmware.identity.model}".encode()).hexdigest()
        if due := self.faults.take("update_interrupted"):
            part = f"{due.whole('percent')} % of an image for {firmware.identity.model}"
            self.image_sha256 = hashlib.sha256(part.encode()).hexdigest()
            firmware.identity = replace(firmware.identity, firmware="loader", firmware_sha256=self.image_sha256)
            firmware.bricked = True
            firmware.boot("MEMORY_ERROR")

    def image(self) -> str:
        """SHA-256 of the program memory as a laboratory reads it out with its own tool, past the firmware."""
        return self.image_sha256 or self.firmware.identity.firmware_sha256

    def _go_dark(self, dark_s: float, code: str) -> None:
        """The electronics stop; after a while (never for 0) they start again with this code standing."""
        self.dark = True
        # The firmware may be what has just moved the part that this befalls: it stops with the next event.
        after(self.env, 0.0, self.firmware.power_off)
        if dark_s:
            after(self.env, dark_s, lambda: self._start_again(code))

    def _start_again(self, code: str) -> None:
        self.dark = False
        self._boot += 1
        self.firmware.boot(code)
        if self.endpoint is not None:
            self.endpoint.reset(self._boot)

    def arm(self, name: str, **settings: object) -> None:
        """Arm a fault of the catalogue; settings are its parameters and its moment. UsageError when it does not fit.

        The probe is clipped on the lines that would show it, as a laboratory does before it injects.
        """
        self.faults.arm(name, settings)
        self.clip(name, **settings)

    def clip(self, name: str, **settings: object) -> None:
        """Clip the probe on the lines that would show a fault of the catalogue.

        Of a sensor's own end it shows at once how it stands: whether the wire follows cannot be told without that.
        """
        line = settings.get("line")
        own = [str(line), f"{line}_sensor"] if line else []
        shown = {*catalogue()[name].proof.lines, *own}
        for sensor in self.mechanics.lines.values():
            if sensor.sensor_name in shown - self.probe.lines:
                self.probe.clip_on([sensor.sensor_name])
                self.probe.record(sensor.sensor_name, sensor.sensed)
        self.probe.clip_on(shown)

    def disarm(self) -> None:
        """Forget every armed fault that has not happened yet, and put right what others left behind.

        As before another scenario: what a laboratory does to a device that is to be tried again.
        """
        self.faults.disarm()
        self.probe.unclip()  # clipped on anew, it shows again how a sensor stands
        self.mechanics.put_right()
        self.image_sha256 = ""
        if self.firmware.put_right():
            self._start_again("POWER_LOST")  # another program was loaded

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
        self._line(line).join(joined)
        self.mechanics.rail.measure()

    def bridge_line(self, line: str, bridged: bool) -> None:
        """Bridge the contacts of a line, as a finger on a key does, or let go. UsageError as above.

        Whoever pulls the controller's own line for a restart has it start anew.
        """
        self._line(line).bridge(bridged)
        if line == "reset" and bridged:
            self._go_dark(RESTART_S, "MEMORY_ERROR")

    def actuate(self, actuator: str, on: bool) -> None:
        """Feed a laboratory's solenoid or brake on it, or no longer. UsageError when it has none of that name."""
        self.mechanics.actuate(actuator, on)

    def _line(self, name: str) -> Line:
        lines = self.mechanics.lines
        if name not in lines:
            raise UsageError(f"{self.name}: there is no line {name!r}; there are {', '.join(sorted(lines))}.")
        return lines[name]

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
            if self.dark:
                self._start_again("POWER_LOST")
            self.firmware.opened()
