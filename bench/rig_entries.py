"""What a rig file can hold: one structure for each of its tables."""

from typing import Annotated, Literal

import msgspec

from bench.drivers.base import Role
from bench.inputs import Given
from bench.instruments.entry import InstrumentEntry
from bench.instruments.injection import InjectionEntry
from bench.security.access import SecurityEntry

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
