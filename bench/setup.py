"""How the parts of a rig come to be: what `RealSetup` and `EmulatedSetup` both are, and what they share."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Protocol

from bench.aftermath import Aftermath
from bench.clock import NS_PER_S, Clock
from bench.drivers.base import Driver, Emit
from bench.drivers.gat import GatCheck
from bench.drivers.line import Line
from bench.hands.protocol import Hands
from bench.injection import Injection
from bench.instruments.entry import InstrumentEntry
from bench.instruments.injection import Injections
from bench.instruments.session import Session
from bench.live_rig import Identity
from bench.rig import RigPlan, calibration_of, read_image
from bench.rig_entries import DeviceEntry, IdentityEntry, ListenEntry
from bench.security.access import SecurityEntry
from bench.security.network import Network
from bench.software.link import SoftwareLink
from bench.taps import Control, LineControl
from evidence.events import DeviceChecked
from vision.cameras import open_camera
from vision.lens import CorrectedSource
from vision.places import TableLayout
from vision.sources import FrameSource

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


def camera_of(rig: RigPlan, now_ns: Callable[[], int], *, corrected: bool = True) -> FrameSource:
    """The camera that a rig file names, through the correction of its lens where it was calibrated."""
    camera = rig.file.camera
    calibration = calibration_of(rig) if corrected else None
    latency_ns = round(camera.latency_s * rig.file.time_scale * NS_PER_S)
    source = open_camera(camera.url, now_ns, latency_ns, camera.size_px or (), camera.fps, rig.path.parent)
    return source if calibration is None else CorrectedSource(source, calibration.lens)


class AskedIdentity:
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


def check_options(entry: IdentityEntry) -> Mapping[str, Any]:
    """How a `GatCheck` of this line differs from others."""
    return {"checksum": entry.crc, "answer_timeout_s": entry.answer_timeout_s}
