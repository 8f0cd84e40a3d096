"""Bundles written by Python's own zipfile, so that hostile ones can be made that ours would never write."""

import io
import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

Part = tuple[str, bytes]


def parts(bundle: Path) -> list[Part]:
    """Names and contents of a bundle, in order."""
    with zipfile.ZipFile(bundle) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def pack(content: Iterable[Part], *, compressed: frozenset[str] = frozenset(), link: str = "") -> bytes:
    """A ZIP file as a bundle is laid out, but for what is asked otherwise."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in content:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.create_version, info.extract_version = 3, 10, 10
            mode = stat.S_IFLNK | 0o777 if name == link else stat.S_IFREG | 0o644
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED if name in compressed else zipfile.ZIP_STORED
            archive.writestr(info, data)
    return out.getvalue()
