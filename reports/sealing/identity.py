"""A signing identity as its `identity.toml` describes it: what signs manifest and PDF, and who stamps the time."""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12

from evidence.errors import UsageError
from evidence.files import open_ordinary
from evidence.tomlfile import load_toml
from reports.sealing.certificates import fingerprint, is_test, key_digest, read_certificates, subject
from reports.sealing.making import IDENTITY_FILE
from reports.signed_by import SignedBy

WHAT = "identity file"
PASSPHRASE = "CARDCERT_PASSPHRASE"
"""Environment variable with the passphrase of encrypted key files."""
PIN = "CARDCERT_PIN"
"""Environment variable with the PIN of a PKCS#11 token."""
_LIMIT_BYTES = 256 * 1024


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class ManifestKey(_Strict, frozen=True):
    """An Ed25519 key and its certificate, PEM files named from the folder of the identity file."""

    key: str
    certificate: str


class Token(_Strict, frozen=True):
    """A key on a PKCS#11 token. Its PIN is asked of the environment, never written here."""

    module: str
    """Path of the token's PKCS#11 library."""
    token: str
    """Label of the token."""
    key: str
    """Label of the private key."""


class CertificateKey(_Strict, frozen=True):
    """What signs the PDF: a key file with its certificate, a PKCS#12 file, or a token beside a certificate file."""

    key: str = ""
    certificate: str = ""
    """PEM: the signer's certificate, then those between it and its root."""
    pkcs12: str = ""
    pkcs11: Token | None = None


class TimeStamp(_Strict, frozen=True):
    url: str
    """Address of an RFC 3161 time-stamping authority, http or https."""
    timeout_s: float = 20.0


class IdentityFile(_Strict, frozen=True):
    name: str
    manifest: ManifestKey
    certificate: CertificateKey
    time_stamp: TimeStamp | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """A checked identity, its secrets not in `repr`."""

    file: IdentityFile
    path: Path
    manifest_key: Ed25519PrivateKey
    manifest_chain: Sequence[x509.Certificate]
    certificate_chain: Sequence[x509.Certificate]

    @property
    def kind(self) -> Literal["test", "laboratory"]:
        return "test" if is_test((*self.manifest_chain, *self.certificate_chain)) else "laboratory"

    def beside(self, name: str) -> Path:
        """A file that the identity file names."""
        return self.path.parent / name

    def signed_by(self) -> SignedBy:
        """What a certificate says of being signed by this identity."""
        stamped = self.file.time_stamp is not None
        return describe_signer(self.certificate_chain[0], self.manifest_chain[0], self.kind, time_stamp=stamped)


def describe_signer(
    certificate: x509.Certificate, manifest: x509.Certificate, kind: Literal["test", "laboratory"], *, time_stamp: bool
) -> SignedBy:
    """The statement about a signer, by the certificates that sign the PDF and the manifest."""
    return SignedBy(
        kind=kind,
        signer=subject(certificate),
        issuer=certificate.issuer.rfc4514_string(),
        certificate_sha256=fingerprint(certificate),
        serial_number=f"{certificate.serial_number:x}",
        valid_until=certificate.not_valid_after_utc.isoformat(timespec="seconds").replace("+00:00", "Z"),
        manifest_key_sha256=key_digest(manifest),
        time_stamp=time_stamp,
    )


def load_identity(path: Path) -> Identity:
    """Read an identity: an `identity.toml`, or the folder that holds it.

    Raises UsageError with the place and the remedy when anything is missing, does not belong together, or may be read
    by others. A token is not touched yet.
    """
    path = path / IDENTITY_FILE if path.is_dir() else path
    file = load_toml(path, IdentityFile, WHAT)
    ways = [bool(file.certificate.key), bool(file.certificate.pkcs12), file.certificate.pkcs11 is not None]
    if sum(ways) != 1:
        raise UsageError(f"{path}: [certificate] needs exactly one of `key`, `pkcs12` and `pkcs11`. Remove the others.")
    if not file.certificate.pkcs12 and not file.certificate.certificate:
        raise UsageError(
            f"{path}: [certificate] names no `certificate`. Name the PEM file of the signer's certificate."
        )
    if file.time_stamp is not None and not file.time_stamp.url.startswith(("http://", "https://")):
        raise UsageError(f"{path}: [time_stamp] url must begin with http:// or https://. Correct it.")
    key = _manifest_key(path.parent / file.manifest.key)
    chain = read_certificates(path.parent / file.manifest.certificate)
    public = chain[0].public_key()
    if not isinstance(public, Ed25519PublicKey) or _raw(public) != _raw(key.public_key()):
        raise UsageError(
            f"{path.parent / file.manifest.certificate}: the first certificate is not that of the Ed25519 key in "
            f"{file.manifest.key}. Put the right one first."
        )
    if file.certificate.pkcs12:
        signers = _pkcs12_chain(path.parent / file.certificate.pkcs12)
    else:
        signers = read_certificates(path.parent / file.certificate.certificate)
    return Identity(file, path, key, chain, signers)


def secret_file(path: Path) -> bytes:
    """The bytes of a key file. UsageError when it cannot be read, or when others than its owner can."""
    try:
        mode = path.stat().st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise UsageError(f"{path}: this key file is open to others than its owner. Do: chmod 600 {path}")
        with open_ordinary(path) as file:
            return file.read(_LIMIT_BYTES)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot read this key file: {error.strerror}. Check the name and its rights."
        ) from None


def passphrase() -> bytes | None:
    """The passphrase for encrypted key files, from the environment; None when there is none."""
    return os.environ[PASSPHRASE].encode() if os.environ.get(PASSPHRASE) else None


def _manifest_key(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(secret_file(path), passphrase())
    except (ValueError, TypeError) as error:
        raise UsageError(f"{path}: not a PEM key that opens ({error}). Set {PASSPHRASE} if it is encrypted.") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"{path}: expected an Ed25519 key, found {type(key).__name__}. Make one: cardcert keys new.")
    return key


def _pkcs12_chain(path: Path) -> list[x509.Certificate]:
    try:
        opened = load_pkcs12(secret_file(path), passphrase())
    except ValueError as error:
        raise UsageError(
            f"{path}: not a PKCS#12 file that opens ({error}). Set {PASSPHRASE} to its passphrase."
        ) from None
    if opened.cert is None or opened.key is None:
        raise UsageError(f"{path}: expected a key and its certificate, found only a part. Export both into it.")
    return [opened.cert.certificate, *(one.certificate for one in opened.additional_certs)]


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)
