"""Makes a test identity: keys and certificates with which the whole path of signing can be tried, marked as such."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from evidence.errors import UsageError
from evidence.files import storage_error, sync_folder, write_all
from reports.sealing.certificates import TEST_POLICY, to_pem

IDENTITY_FILE = "identity.toml"
TRUST_FILE = "trust.pem"
TEST_ORGANISATION = "TEST IDENTITY - certifies nothing"
LONGEST_NAME = 40
"""Characters; a common name in a certificate holds 64 at most."""
VALID_FOR = timedelta(days=3650)
_RSA_BITS = 3072

_IDENTITY = """\
# A test identity of cardcert: for trying out, worth nothing as a certification.
# The key files beside this one are secret. {trust} is what others need to check what this identity signed.
name = "{name}"

[manifest]
key = "manifest.key.pem"
certificate = "manifest.pem"

[certificate]
key = "certificate.key.pem"
certificate = "certificate.pem"
"""


def make_test_identity(folder: Path, name: str) -> list[Path]:
    """Make a test identity in `folder` and return its files. The key that vouched for the others is thrown away.

    Key files are readable by their owner only. Raises UsageError when the folder holds anything already, or when the
    name has no place in a certificate.
    """
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or '"' in name or "\\" in name:
        raise UsageError(
            f"name {name!r}: expected 1 to {LONGEST_NAME} printable characters without quotes and backslashes."
        )
    # The root is of a kind that every reader of PDF signatures knows.
    root_key, manifest_key = ec.generate_private_key(ec.SECP256R1()), Ed25519PrivateKey.generate()
    certificate_key = generate_private_key(65537, _RSA_BITS)
    root = _certificate(f"{name} TEST root", root_key, None, root_key)
    manifest = _certificate(f"{name} TEST manifest", manifest_key, root, root_key)
    certificate = _certificate(f"{name} TEST certificate", certificate_key, root, root_key)
    files = {
        "manifest.key.pem": _private(manifest_key),
        "certificate.key.pem": _private(certificate_key),
        "manifest.pem": to_pem([manifest, root]),
        "certificate.pem": to_pem([certificate, root]),
        TRUST_FILE: to_pem([root]),
        IDENTITY_FILE: _IDENTITY.format(name=name, trust=TRUST_FILE).encode(),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if any(folder.iterdir()):
            raise UsageError(f"{folder}: this folder is not empty, and keys are never written over. Name another one.")
        for file, content in files.items():
            _write_new(folder / file, content)
        sync_folder(folder)
    except OSError as error:
        raise storage_error("writing keys", folder, error) from None
    return [folder / file for file in files]


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey | Ed25519PrivateKey | RSAPrivateKey,
    issuer: x509.Certificate | None,
    issuer_key: ec.EllipticCurvePrivateKey,
) -> x509.Certificate:
    subject = x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, name),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, TEST_ORGANISATION),
        ]
    )
    root = issuer is None
    begins = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=5)  # a verifier's clock may be behind
    usage = x509.KeyUsage(
        digital_signature=not root, content_commitment=not root, key_cert_sign=root, crl_sign=root,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    extensions: Sequence[tuple[x509.ExtensionType, bool]] = (
        (x509.BasicConstraints(ca=root, path_length=0 if root else None), True),
        (usage, True),
        (x509.CertificatePolicies([x509.PolicyInformation(TEST_POLICY, None)]), False),
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False),
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + VALID_FOR)
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(issuer_key, hashes.SHA256())


def _private(key: Ed25519PrivateKey | RSAPrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write_new(path: Path, content: bytes) -> None:
    """Never over a file that is there, and never readable by others, not even for a moment."""
    mode = 0o600 if path.name.endswith(".key.pem") else 0o644
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        write_all(fd, content)
        os.fsync(fd)
    finally:
        os.close(fd)
