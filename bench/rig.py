"""The rig: which devices, table software, camera and hands a run uses, as a rig file describes them."""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, Protocol

import msgspec

from bench.aftermath import Aftermath
from bench.clock import Clock
from bench.drivers.base import Driver, Role
from bench.drivers.line import Line
from bench.eye import Eye
from bench.faults.script import FaultSpec
from bench.hands.protocol import Hands
from bench.injection import Injection
from bench.inputs import Given, Input
from bench.instruments.entry import InstrumentEntry
from bench.instruments.injection import InjectionEntry, Injections, check_injections
from bench.instruments.rack import Rack
from bench.instruments.registry import check_instruments
from bench.security.access import SecurityAccess, SecurityEntry, check_security, lists_of
from bench.software.link import SoftwareLink
from bench.taps import Control, LineControl
from evidence.errors import UsageError
from evidence.events import ApprovalRecord, DeviceChecked
from evidence.files import open_ordinary
from evidence.secrets import may_hold_secrets, strip
from evidence.tomlfile import load_toml, read_text
from evidence.tomlwrite import write_toml
from vision.calibration import Calibration, load_calibration
from vision.cameras import kind_of

Scale = Annotated[float, msgspec.Meta(gt=0, le=1000)]
Wait = Annotated[float, msgspec.Meta(ge=0, le=3600)]
"""Seconds; a day would be a slip of the pen, and `nan` or `inf` is no time at all."""


Side = Annotated[int, msgspec.Meta(ge=160, le=8192)]
"""Pixels of a picture, one way."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class SerialEntry(_Strict, frozen=True):
    """How the serial line is set, where the device is on one."""

    baudrate: Annotated[int, msgspec.Meta(ge=50, le=4_000_000)] = 115_200
    bytesize: Literal[5, 6, 7, 8] = 8
    parity: Literal["N", "E", "O", "M", "S"] = "N"
    stopbits: Literal[1, 2] = 1
    rtscts: bool = False
    xonxoff: bool = False


class IdentityEntry(_Strict, frozen=True):
    """The line over which a device answers for its firmware (the GAT protocol), and the image that it should run."""

    image: str
    """File with the image, read another way than over this line; its path counts from the rig file."""
    sha256: str
    """Digest of that file, as approved."""
    url: str = ""
    """As a device's; empty where the device is emulated in this process."""
    serial: SerialEntry = SerialEntry()
    component: str = "main"
    algorithm: Literal["SHA1", "SHA256", "SHA512"] = "SHA256"
    crc: Literal["ccitt-0000", "ccitt-ffff", "arc"] = "ccitt-0000"
    answer_timeout_s: Annotated[float, msgspec.Meta(gt=0, le=60)] = 1.0


class ListenEntry(_Strict, frozen=True):
    """A further connector of a device, of which the bench only listens: a service port, a network socket."""

    name: str
    url: str = ""
    """As a device's; empty where the device is emulated in this process."""
    serial: SerialEntry = SerialEntry()


class DeviceEntry(_Strict, frozen=True):
    name: str
    role: Role
    driver: str = "reference"
    url: str = ""
    """Serial port, `socket://host:port` or `rfc2217://host:port`; empty: the device is emulated in this process."""
    serial: SerialEntry = SerialEntry()
    control: str = ""
    """Address of an emulator's control, for fault injection and line taps, `http://host:port`."""
    line: str = ""
    """Address of the control of a proxy that `url` leads through (`cardcert emulate proxy`), `http://host:port`."""
    options: dict[str, int | str] = {}
    takes: dict[str, Wait] = {}
    """Seconds that each command of the device takes, such as `shuffle`, where it is known: what a plan costs."""
    silence_s: Wait = 0.0
    """How long the device may say nothing while it works; 0 for the default of its role."""
    identity: IdentityEntry | None = None
    security: SecurityEntry | None = None
    listen: list[ListenEntry] = []
    """Its other connectors; what comes out of them is recorded."""


class SoftwareEntry(_Strict, frozen=True):
    url: str = ""
    """`ws://host:port`; empty: the reference table software, started here."""
    ack_timeout_s: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 10.0
    line: str = ""
    """Address of the control of a proxy that `url` leads through, `http://host:port`."""
    settle_s: Wait = 0.0
    """For software that cannot acknowledge: how long nothing must come until it has reacted; 0 for one that can."""


class CameraEntry(_Strict, frozen=True):
    url: str = ""
    """`http://` (MJPEG), `rtsp://`, video device, video file or folder; empty: the emulated table is drawn here."""
    size_px: tuple[Side, Side] | None = None
    """What a USB camera is asked for: width and height of its pictures."""
    fps: Annotated[float, msgspec.Meta(ge=0, le=240)] = 0.0
    """What a USB camera is asked for: pictures a second; 0: it decides."""
    latency_s: Wait = 0.3
    """How long a picture may take from the lens to its arrival here, in real seconds."""
    layout: str = ""
    """Table layout file; empty: the standard layout."""
    calibration: str = ""
    """What `cardcert camera calibrate` wrote; empty: the camera's picture is as the layout says."""
    deck: str = ""
    """Enrolled deck file; empty: the deck that cardcert draws itself."""
    accuracy: str = ""
    """How often the deck was measured to be misread (`fixtures.camera_accuracy`); empty: it was not measured."""


class HandsEntry(_Strict, frozen=True):
    kind: Literal["emulated", "remote", "person"] = "emulated"
    url: str = ""
    operator: str = ""
    """Who stands at the table, where it is a person: every answer is recorded with this name."""
    timeout_s: Wait = 900.0
    """How long the person may take for an order; 0: for ever."""
    picture: str = ""
    """A file to draw each order into, such as `order.jpg`; empty: none."""


class ApprovalEntry(_Strict, frozen=True):
    device: str
    maker: str
    model: str
    firmware_sha256: str
    location: str
    procedure: str


class RigFile(_Strict, frozen=True):
    """A rig file as written; `load_rig` checks it."""

    name: str
    device: list[DeviceEntry]
    clock: Literal["virtual", "wall"] = "wall"
    time_scale: Scale = 1.0
    """Emulated seconds per real second; 1 on real hardware."""
    software: SoftwareEntry = SoftwareEntry()
    camera: CameraEntry = CameraEntry()
    hands: HandsEntry = HandsEntry()
    approval: list[ApprovalEntry] = []
    instrument: list[InstrumentEntry] = []
    injection: list[InjectionEntry] = []
    """Which faults instruments bring about, and how."""
    inputs: dict[str, Given] = {}
    """What the operator has given, in place of what a plan gives."""
    laboratory: dict[str, str] = {}


COMPONENT = re.compile(r"[A-Za-z0-9_.-]{1,40}")
MAX_IMAGE = 256 * 1024 * 1024
"""Bytes of a firmware image at most."""
MOST_CONNECTORS = 8

SILENCE_S: dict[Role, float] = {"shuffler": 180.0, "shoe": 20.0}
"""Three times the nominal work of each role: a shuffle takes up to 60 s, a group of seven up to 6 s."""


@dataclass(frozen=True, slots=True)
class RigPlan:
    """A checked rig file with its digest."""

    file: RigFile
    path: Path
    sha256: str
    """Digest of `stored`."""
    stored: bytes = b""
    """What a run folder keeps of the file: all of it but its secrets."""

    @property
    def emulated(self) -> bool:
        return self.file.clock == "virtual"


def load_rig(path: Path, *, alone: bool = False) -> RigPlan:
    """Read and check a rig file. Raises UsageError with the place and the remedy.

    `alone`: it lies in a run folder, where the files that it names do not lie beside it.
    """
    rig = load_toml(path, RigFile, "rig file")
    names = [device.name for device in rig.device]
    if not names:
        raise UsageError(f"{path}: this rig has no device. Add a [[device]] with name, role and url.")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{path}: two devices are called {name!r}. Give each its own name.")
        if not name.replace("_", "").replace("-", "").isalnum() or len(name) > 40:
            raise UsageError(f"{path}: device name {name!r}: use 1 to 40 letters, digits, '-' or '_'.")
        longer = next((other for other in names if other.startswith(f"{name}-")), None)
        if longer is not None:
            # A device's further lines are called so: `shuffler-identity`, `shuffler-service`.
            raise UsageError(f"{path}: device {longer!r} reads like a line of device {name!r}. Rename one of them.")
    virtual = rig.clock == "virtual"
    for device in rig.device:
        if virtual and device.url:
            raise UsageError(f'{path}: device {device.name!r} has a url, but time is virtual. Set clock = "wall".')
        if not virtual and not device.url:
            raise UsageError(f'{path}: device {device.name!r} has no url. Name its port, or set clock = "virtual".')
    _check_identities(path, rig.device, virtual=virtual, alone=alone)
    _check_connectors(path, rig.device, virtual=virtual, alone=alone)
    roles = {device.name: device.role for device in rig.device}
    check_instruments(rig.instrument, roles, str(path), emulated=virtual)
    check_injections(rig.injection, rig.instrument, names, str(path))
    _check_lines(path, rig, virtual=virtual)
    if virtual and (rig.camera.url or rig.software.url or rig.hands.kind != "emulated"):
        raise UsageError(f"{path}: virtual time needs camera, software and hands emulated here; remove their urls.")
    if not virtual:
        if not rig.camera.url:
            raise UsageError(f"{path}: the camera has no url. Name its stream, http://host:port/stream.mjpg.")
        try:
            kind_of(rig.camera.url)
        except UsageError as error:
            raise UsageError(f"{path}: [camera] url: {error}") from None
        if not rig.software.url:
            raise UsageError(f"{path}: the table software has no url. Name it, ws://host:port.")
        if rig.hands.kind == "emulated":
            raise UsageError(f'{path}: [hands] kind must be "person" or "remote" on a rig with a wall clock.')
    stored = _without_secrets(path)
    return RigPlan(file=rig, path=path, sha256=hashlib.sha256(stored).hexdigest(), stored=stored)


def read_image(path: Path, entry: IdentityEntry) -> bytes:
    """The image that a device should run. UsageError when it cannot be read, is too large, or is not the one named."""
    file = path.parent / entry.image
    try:
        with open_ordinary(file) as opened:
            image = opened.read(MAX_IMAGE + 1)
    except OSError as error:
        raise UsageError(f"{path}: image {entry.image!r}: cannot be read ({error.strerror}).") from None
    if not image or len(image) > MAX_IMAGE:
        raise UsageError(f"{path}: image {entry.image!r}: {len(image)} bytes; expected 1 to {MAX_IMAGE}.")
    found = hashlib.sha256(image).hexdigest()
    if found != entry.sha256:
        raise UsageError(
            f"{path}: image {entry.image!r} has SHA-256 {found}, and sha256 says {entry.sha256[:80]!r}. "
            "Lay the approved image there, or name its digest."
        )
    return image


def _check_lines(path: Path, rig: RigFile, *, virtual: bool) -> None:
    for name, line in [*((device.name, device.line) for device in rig.device), ("software", rig.software.line)]:
        if line and virtual:
            raise UsageError(f"{path}: {name}: in virtual time every line can go bad by itself; remove line.")
        if line and re.fullmatch(r"http://[^/:]+:\d{1,5}/?", line) is None:
            raise UsageError(f"{path}: {name}: line is {line!r}; expected the proxy's control, http://host:port.")


def _check_identities(path: Path, devices: Sequence[DeviceEntry], *, virtual: bool, alone: bool) -> None:
    for device in devices:
        entry = device.identity
        if entry is None:
            continue
        where = f"{path}: device {device.name!r}: identity"
        if virtual == bool(entry.url):
            how = "has a url, but time is virtual; remove it" if virtual else "has no url; name its port"
            raise UsageError(f"{where} {how}.")
        if not COMPONENT.fullmatch(entry.component):
            raise UsageError(f"{where} component: use 1 to 40 of A-Z, a-z, 0-9, '.', '_' and '-'.")
        if not alone:
            read_image(path, entry)


def _check_connectors(path: Path, devices: Sequence[DeviceEntry], *, virtual: bool, alone: bool) -> None:
    for device in devices:
        _check_listen(path, device, virtual=virtual)
        if device.security is not None:
            check_security(f"{path}: device {device.name!r}: security", device.security, virtual=virtual)
            if not alone:
                lists_of(path, device.security)


def _check_listen(path: Path, device: DeviceEntry, *, virtual: bool) -> None:
    names = [entry.name for entry in device.listen]
    if len(names) > MOST_CONNECTORS:
        raise UsageError(
            f"{path}: device {device.name!r}: {len(names)} connectors; expected at most {MOST_CONNECTORS}."
        )
    for entry in device.listen:
        where = f"{path}: device {device.name!r}: listen {entry.name[:40]!r}"
        if not COMPONENT.fullmatch(entry.name) or entry.name == "identity" or names.count(entry.name) > 1:
            raise UsageError(f"{where}: use 1 to 40 of A-Z, a-z, 0-9, '.', '_' and '-', another name for each.")
        if virtual == bool(entry.url):
            how = "has a url, but time is virtual; remove it" if virtual else "has no url; name its port"
            raise UsageError(f"{where} {how}.")


def calibration_of(rig: RigPlan) -> Calibration | None:
    """What the rig's camera was calibrated to; None if the rig names no calibration."""
    name = rig.file.camera.calibration
    return load_calibration(rig.path.parent / name) if name else None


def _without_secrets(path: Path) -> bytes:
    """The file as it is where it holds no secret; else its entries, without secrets and without comments."""
    text = read_text(path, "rig file")
    settings = tomllib.loads(text)
    if not may_hold_secrets(text, settings):
        return text.encode()
    head = "# What is confidential was taken out when this was stored, and the comments with it."
    return f"{head}\n{write_toml(strip(settings))}".encode()


class Identity(Protocol):
    """The line over which a device is asked for its firmware. RigFault when nobody answers there."""

    def ask(self) -> Sequence[DeviceChecked]:
        """Ask for digests that could not be foreseen, and say what was answered."""
        ...

    def listen(self) -> None:
        """Record what the device has said unasked."""
        ...


@dataclass(slots=True)
class Rig:
    """A rig set up for one scenario. Close it with the stack that built it."""

    clock: Clock
    devices: dict[str, Driver]
    controls: dict[str, Control]
    hands: Hands
    eye: Eye
    software: SoftwareLink
    approvals: Sequence[ApprovalRecord]
    silence: dict[str, float]
    inputs: Mapping[str, Input] = field(default_factory=dict)
    identities: Mapping[str, Identity] = field(default_factory=dict)
    """By device: the line over which it is asked for its firmware."""
    security: Mapping[str, SecurityAccess] = field(default_factory=dict)
    """By device: the network on which it is tried, and the lists."""
    listeners: Sequence[Line] = ()
    """Further connectors of devices, of which the bench only listens."""
    lines: dict[str, LineControl] = field(default_factory=dict)
    """What can spoil the line to a device, by the device's name."""
    rack: Rack | None = None
    """The instruments; None where the rig has none."""
    injections: Injections | None = None
    """The faults that those bring about."""
    injection: Injection | None = None
    """How faults reach what they befall."""
    aftermath: Aftermath | None = None
    """What earlier scenarios left at its devices; None where these are new."""
    stack: ExitStack = field(default_factory=ExitStack)

    def silence_s(self, device: str) -> float:
        """How long the device may say nothing while it works, in seconds."""
        return self.silence[device]

    def first(self, role: Role) -> str | None:
        """Name of the first device of this role, or None."""
        return next((name for name, driver in self.devices.items() if driver.role == role), None)

    def arm(self, fault: FaultSpec) -> None:
        """Arm a fault by the means this rig has. Without a means nothing is armed and the proof will fail."""
        if self.injection is not None:
            self.injection.arm(fault)

    def __enter__(self) -> "Rig":
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()
