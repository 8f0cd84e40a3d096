"""`bundle.json`, the first entry of a bundle: what it holds, for whoever opens it by hand."""

from pathlib import Path

import msgspec

from evidence.errors import UsageError

SCHEMA = 1
KIND = "cardcert.bundle"


class About(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bundle is; nothing in it that does not follow from the run folder."""

    schema: int = SCHEMA
    kind: str = KIND
    files: int
    """Number of files of the run folder."""
    bytes: int
    """Their length together."""
    manifest_sha256: str
    read_me: str = "Below run/ is a run folder of cardcert. Check it: cardcert verify FILE --trust CERTIFICATE"


def lay_out(about: About) -> bytes:
    """The bytes of `bundle.json`."""
    return msgspec.json.format(msgspec.json.encode(about), indent=1) + b"\n"


def read_about(data: bytes, where: Path) -> About:
    """Read `bundle.json`. UsageError when it is none of a version that is known here."""
    try:
        about = msgspec.json.decode(data, type=About)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(
            f"{where}: its bundle.json is none of cardcert ({error}). Is this an evidence bundle?"
        ) from None
    if about.kind != KIND or about.schema != SCHEMA:
        raise UsageError(
            f"{where}: a bundle of kind {about.kind[:40]!r}, schema {about.schema}; expected {KIND}, schema {SCHEMA}. "
            f"Check it with the version that wrote it."
        )
    return about
