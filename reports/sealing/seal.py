"""Seals a run folder: the manifest over all of it, and with an identity its signature and the attestation."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from evidence.errors import UsageError
from evidence.files import sha256_file, write_atomic
from reports.certificate.build import PDF_NAME
from reports.manifest import ATTESTATION_NAME, FILE_NAME, SIGNATURE_NAME, Finding, write_manifest
from reports.run_view import RunView
from reports.sealing.attestation import PAYLOAD_TYPE, statement
from reports.sealing.certificates import parse_certificates, to_pem
from reports.sealing.dsse import EnvelopeError, unwrap, wrap
from reports.sealing.identity import Identity

SIGNER_NAME = "signer.pem"
"""The certificates of the key that signed manifest and attestation, its own first."""
_LIMIT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Seal:
    """Signatures of a run folder that hold. Who is to be trusted is another question."""

    chain: Sequence[x509.Certificate]
    statement: bytes
    """The attestation's statement, JSON."""


def seal(folder: Path, identity: Identity | None = None) -> None:
    """Write `manifest.json` over a run folder; with an identity sign `certificate.pdf` first, then manifest and result.

    Signatures from before are removed: they are not over what stands there now. Raises UsageError when the identity
    lies in the folder, which is passed on, and whatever `sign_pdf` raises.
    """
    for name in (SIGNATURE_NAME, ATTESTATION_NAME, SIGNER_NAME):
        (folder / name).unlink(missing_ok=True)
    if identity is None:
        write_manifest(folder)
        return
    if identity.path.resolve().is_relative_to(folder.resolve()):
        raise UsageError(
            f"{identity.path}: keys do not belong in a run folder, which is passed on. Move them elsewhere."
        )
    # What signs PDFs takes longer to load than all else together, and most runs are not signed.
    from reports.sealing.pades import sign_pdf  # noqa: PLC0415

    pdf = folder / PDF_NAME
    if pdf.is_file():
        write_atomic(pdf, sign_pdf(pdf.read_bytes(), identity))
    write_atomic(folder / SIGNER_NAME, to_pem(identity.manifest_chain))
    manifest = write_manifest(folder)
    content = statement(RunView.load(folder), sha256_file(manifest))
    write_atomic(folder / ATTESTATION_NAME, wrap(PAYLOAD_TYPE, content, identity.manifest_key))
    # Last: a folder that was cut off before here is unsigned.
    write_atomic(folder / SIGNATURE_NAME, identity.manifest_key.sign(manifest.read_bytes()))


def read_seal(folder: Path) -> tuple[Seal | None, list[Finding]]:
    """The signatures of a run folder, and what of them does not hold; None without findings for an unsigned folder."""
    present = [name for name in (SIGNATURE_NAME, ATTESTATION_NAME, SIGNER_NAME) if _stands(folder / name)]
    if not present:
        return None, []
    for name in (SIGNER_NAME, SIGNATURE_NAME, ATTESTATION_NAME):
        if name not in present:
            return None, [Finding(name, f"is missing, though {present[0]} is there")]
    chain = parse_certificates(_bytes(folder / SIGNER_NAME))
    if not chain or to_pem(chain) != _bytes(folder / SIGNER_NAME):
        return None, [Finding(SIGNER_NAME, "is not the list of certificates that it should be")]
    key = chain[0].public_key()
    if not isinstance(key, Ed25519PublicKey):
        return None, [Finding(SIGNER_NAME, "begins with the certificate of a key that is not of kind Ed25519")]
    signature = _bytes(folder / SIGNATURE_NAME)
    manifest = _bytes(folder / FILE_NAME)
    try:
        attested = unwrap(_bytes(folder / ATTESTATION_NAME), PAYLOAD_TYPE, key)
        wrong = ""
    except EnvelopeError as error:
        attested, wrong = b"", str(error)
    try:
        key.verify(signature, manifest)
    except InvalidSignature:
        return None, [_culprit(folder, manifest, attested)]
    return (None, [Finding(ATTESTATION_NAME, wrong)]) if wrong else (Seal(chain, attested), [])


def _culprit(folder: Path, manifest: bytes, attested: bytes) -> Finding:
    """Which file it is that makes the signature of the manifest fail, by what the others say of it."""
    if attested:
        if hashlib.sha256(manifest).hexdigest().encode() in attested:
            return Finding(SIGNATURE_NAME, "was altered: it is no signature over the manifest")
        return Finding(FILE_NAME, "was altered, or another key signed it: it is not the manifest that was attested")
    if hashlib.sha256(_bytes(folder / SIGNER_NAME)).hexdigest().encode() not in manifest:
        return Finding(SIGNER_NAME, "was altered or exchanged: neither manifest nor attestation is signed by this key")
    return Finding(SIGNATURE_NAME, "is no signature over the manifest, nor is the attestation signed: another key?")


def _stands(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _bytes(path: Path) -> bytes:
    """The file's bytes; empty, and so never signed by anybody, when it is none that can be read."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LIMIT_BYTES:
            return b""
        return path.read_bytes()
    except OSError:
        return b""
