"""`manifest.json`: the SHA-256 of every file of a run folder, so that one changed byte anywhere is found."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from evidence.errors import CardcertError, UsageError
from evidence.files import read_bounded, sha256_file, write_atomic
from reports.text import visible

FILE_NAME = "manifest.json"
SCHEMA = 1
_LIMIT_BYTES = 64 * 1024 * 1024
SIGNATURE_NAME = f"{FILE_NAME}.sig"
ATTESTATION_NAME = "attestation.dsse.json"
SIGNED_BY_THEMSELVES = frozenset({FILE_NAME, SIGNATURE_NAME, ATTESTATION_NAME})
"""Files that cannot stand in the manifest, because they are made from it. They carry their own signatures."""


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file: its path within the run folder with `/`, its length and its digest."""

    path: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every file of a run folder but the manifest itself, its signature and the attestation, sorted by path."""

    schema: int
    files: list[FileEntry]


@dataclass(frozen=True)
class Finding:
    """One file that is not as the manifest says."""

    path: str
    problem: str

    def __str__(self) -> str:
        return f"{visible(self.path)}: {self.problem}"


def write_manifest(run_folder: Path) -> Path:
    """Write `manifest.json` over all files of a run folder, sorted, and return its path.

    The same files give the same bytes. Raises UsageError for anything that is no ordinary file: a link could change
    what it names without changing the folder.
    """
    folder = Path(run_folder)
    files = []
    for path in _files(folder):
        if path.is_symlink() or not path.is_file():
            raise UsageError(
                f"{path}: a run folder holds ordinary files only. Put the file itself in the link's place."
            )
        files.append(FileEntry(_name(folder, path), path.stat().st_size, sha256_file(path)))
    target = folder / FILE_NAME
    write_atomic(target, _lay_out(Manifest(SCHEMA, files)))
    return target


def check_manifest(run_folder: Path) -> list[Finding]:
    """What is not as the manifest says: files that changed, are gone, or were added. Empty when all holds."""
    folder = Path(run_folder)
    try:
        manifest, exact = _read(folder / FILE_NAME)
    except UsageError as error:
        return [Finding(FILE_NAME, str(error))]
    findings = []
    present = {_name(folder, path): path for path in _files(folder)}
    listed: set[str] = set()
    for entry in manifest.files:
        if entry.path in listed or not _is_inside(entry.path):
            findings.append(Finding(entry.path, "stands twice in the manifest, or lies outside the run folder"))
        elif problem := _compare(entry, present.get(entry.path)):
            findings.append(Finding(entry.path, problem))
        listed.add(entry.path)
    findings += [Finding(name, "was added: the manifest does not list it") for name in present if name not in listed]
    if not (findings or exact):
        findings.append(Finding(FILE_NAME, "was altered: it is not laid out as it was written"))
    return findings


def _lay_out(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def _compare(entry: FileEntry, path: Path | None) -> str:
    if path is None:
        return "is missing"
    if path.is_symlink() or not path.is_file():
        return "is no ordinary file any more"
    size = path.stat().st_size
    if size != entry.bytes:
        return f"has {size} bytes, {entry.bytes} were recorded"
    try:
        digest = sha256_file(path)
    except CardcertError as error:
        return f"cannot be read: {error}"
    return "" if digest == entry.sha256 else f"was altered: its SHA-256 is {digest}"


def _read(path: Path) -> tuple[Manifest, bool]:
    """The manifest, and whether its bytes are laid out as they are written here."""
    try:
        if path.is_symlink():
            raise UsageError("expected an ordinary file. Take it from a sound copy")
        content = read_bounded(path, _LIMIT_BYTES)
        manifest = msgspec.json.decode(content, type=Manifest)
    except OSError as error:
        raise UsageError(f"cannot be read ({error.strerror}). Take the run folder from a sound copy") from error
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise UsageError(f"is no manifest ({error}). Take the run folder from a sound copy") from error
    if manifest.schema != SCHEMA:
        raise UsageError(f"has schema {manifest.schema}, expected {SCHEMA}. Check it with the version that wrote it")
    return manifest, _lay_out(manifest) == content


def _files(folder: Path) -> Iterator[Path]:
    """Every file, link and other entry below a folder, sorted by path, links not followed; without the manifest."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: expected a run folder, found none. Name the folder given to certify as --out.")
    found = []
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        found += [Path(parent) / name for name in (*names, *links)]
    own = {folder / name for name in SIGNED_BY_THEMSELVES}
    yield from sorted((path for path in found if path not in own), key=lambda path: _name(folder, path))


def _name(folder: Path, path: Path) -> str:
    name = path.relative_to(folder).as_posix()
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{visible(name)}: this file name is not UTF-8. Rename the file.") from None
    return name


def _is_inside(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts
