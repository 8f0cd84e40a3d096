"""Puts a run folder into one file."""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from evidence.errors import EvidenceDamaged, UsageError
from evidence.files import clear_stale, sha256_file, storage_error, sync_folder
from reports.bundle.about import About, lay_out
from reports.bundle.layout import (
    FIRST,
    FOLDER,
    MOST_BYTES,
    MOST_ENTRIES,
    Entry,
    directory,
    in_order,
    local_header,
    why_no_name,
)
from reports.manifest import FILE_NAME, check_manifest
from reports.sealing.seal import read_seal

SUFFIX = ".cardcert.zip"
_CHUNK = 1 << 20
_PRIVATE = (b"PRIVATE KEY-----", b"BEGIN OPENSSH PRIVATE")


def write_bundle(folder: Path, target: Path) -> Path:
    """Write the bundle of a run folder to `target` and return it. The same folder gives the same bytes.

    Raises EvidenceDamaged for a folder that is not as its manifest says, UsageError when a private key lies in it, when
    `target` is there already or when the folder is too large for one file, RigFault when the disk is full.
    """
    if not (folder / FILE_NAME).is_file():
        raise UsageError(
            f"{folder}: this is no finished run folder: it has no {FILE_NAME}. Name one: cardcert certify."
        )
    if target.exists():
        raise UsageError(f"{target}: there is such a file already. Name another one with -o, or remove it.")
    if target.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{target}: a bundle does not go into its own run folder. Name another place with -o.")
    findings = [*read_seal(folder)[1], *check_manifest(folder)]
    if findings:
        raise EvidenceDamaged(f"{folder}: {findings[0]}. A bundle is made of a sound folder only: cardcert verify.")
    files = _files(folder)
    about = lay_out(
        About(
            files=len(files),
            bytes=sum(path.stat().st_size for path in files.values()),
            manifest_sha256=sha256_file(folder / FILE_NAME),
        )
    )
    temporary = target.with_name(f".{target.name}.{os.getpid()}-0.tmp")
    clear_stale(target)
    try:
        try:
            with temporary.open("xb") as out:
                _write(out, about, files)
                out.flush()
                os.fsync(out.fileno())
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)
    except OSError as error:
        raise storage_error("writing a bundle", target, error) from None
    return target


def _files(folder: Path) -> dict[str, Path]:
    """The files by their names in the bundle, in its order."""
    found = {FOLDER + path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    names = in_order(found)
    if len(names) + 1 > MOST_ENTRIES or sum(path.stat().st_size for path in found.values()) > MOST_BYTES - (1 << 28):
        raise UsageError(f"{folder}: {len(names)} files are too much for one bundle. Pass the folder on as it is.")
    for name in names:
        if why := why_no_name(name):
            raise UsageError(f"{found[name]}: {why}. Rename the file and seal the folder anew: cardcert report.")
    return {name: found[name] for name in names}


def _write(out: BinaryIO, about: bytes, files: dict[str, Path]) -> None:
    entries = [Entry(FIRST, zlib.crc32(about), len(about), 0)]
    out.write(local_header(entries[0]) + about)
    for name, path in files.items():
        offset = out.tell()
        out.write(local_header(Entry(name, 0, 0, 0)))  # filled in below, when the content is known
        crc = size = 0
        for chunk in _content(path):
            crc, size = zlib.crc32(chunk, crc), size + len(chunk)
            out.write(chunk)
        entries.append(Entry(name, crc, size, offset))
        end = out.tell()
        out.seek(offset)
        out.write(local_header(entries[-1]))
        out.seek(end)
    out.write(directory(entries, out.tell()))


def _content(path: Path) -> Iterator[bytes]:
    """The file in pieces, looked through for a private key, also where two pieces meet."""
    before = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            if any(mark in before + chunk for mark in _PRIVATE):
                raise UsageError(f"{path}: a private key lies in the run folder. Remove it and seal the folder anew.")
            before = chunk[-32:]
            yield chunk
