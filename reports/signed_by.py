"""Who signs a run folder, as its reports state it. Decided before the certificate is printed, which is then signed."""

from typing import Literal

import msgspec


class SignedBy(msgspec.Struct, frozen=True, kw_only=True):
    """What a certificate says of its own signature; the content of `signature` in `certificate.json`.

    `kind` is `none`, `test` (a test identity: worth nothing outside a rehearsal) or `laboratory`. A report shows the
    first two loudly.
    """

    kind: Literal["none", "test", "laboratory"] = "none"
    signer: str = ""
    """Subject of the certificate that signs the PDF, `CN=..., O=...`."""
    issuer: str = ""
    certificate_sha256: str = ""
    """Of the certificate's DER bytes: what other programs show as its fingerprint."""
    serial_number: str = ""
    """In hexadecimal."""
    valid_until: str = ""
    """End of the certificate's validity, UTC, ISO 8601."""
    manifest_key_sha256: str = ""
    """Of the public key (SubjectPublicKeyInfo) that signs manifest and attestation."""
    time_stamp: bool = False
    """Whether a time-stamping authority will confirm the moment of signing."""


UNSIGNED = SignedBy()
