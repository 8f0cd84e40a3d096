"""A rig file read and checked: which devices, table software, camera and hands a run uses."""

import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.drivers.base import Role
from bench.instruments.injection import check_injections
from bench.instruments.registry import check_instruments
from bench.rig_entries import (
    DeviceEntry,
    IdentityEntry,
    RigFile,
)
from bench.security.access import check_security, lists_of
from evidence.errors import UsageError
from evidence.files import open_ordinary
from evidence.secrets import may_hold_secrets, strip
from evidence.tomlfile import load_toml, read_text
from evidence.tomlwrite import write_toml
from vision.calibration import Calibration, load_calibration
from vision.cameras import kind_of

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
