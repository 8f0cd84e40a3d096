"""X.509 certificates: reading them, naming them, telling a test identity, finding out who vouches for a signer."""

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pyhanko_certvalidator import CertificateValidator, ValidationContext
from pyhanko_certvalidator.errors import PathError, ValidationError

from evidence.errors import UsageError
from evidence.files import open_ordinary

TEST_POLICY = x509.ObjectIdentifier("2.25.145874092363038705351515978392014680736")
"""Certificate policy that marks a test identity of cardcert: an OID of the UUID branch, so nobody else's."""
MOST_CERTIFICATES = 20
_LIMIT_BYTES = 256 * 1024


def read_certificates(path: Path) -> list[x509.Certificate]:
    """The certificates of a PEM or DER file, in order. UsageError when it holds none, or more than 20."""
    try:
        with open_ordinary(path) as file:
            data = file.read(_LIMIT_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot read this certificate: {error.strerror}. Check the name and its rights."
        ) from None
    found = parse_certificates(data)
    if not found:
        raise UsageError(f"{path}: expected 1 to {MOST_CERTIFICATES} certificates (X.509, PEM or DER), found none.")
    return found


def parse_certificates(data: bytes) -> list[x509.Certificate]:
    """The certificates in PEM or DER bytes; empty when they are not that, or more than 20."""
    if len(data) > _LIMIT_BYTES:
        return []
    try:
        if b"-----BEGIN" in data:
            found = x509.load_pem_x509_certificates(data)
        else:
            found = [x509.load_der_x509_certificate(data)]
    except ValueError:
        return []
    return found if len(found) <= MOST_CERTIFICATES else []


def to_pem(certificates: Iterable[x509.Certificate]) -> bytes:
    """The certificates as one PEM file."""
    return b"".join(certificate.public_bytes(Encoding.PEM) for certificate in certificates)


def to_asn1(certificate: x509.Certificate) -> asn1_x509.Certificate:
    """The same certificate as pyHanko takes it."""
    return asn1_x509.Certificate.load(certificate.public_bytes(Encoding.DER))


def from_asn1(certificate: asn1_x509.Certificate) -> x509.Certificate:
    """A certificate of pyHanko's as it is used here. ValueError when it cannot be read."""
    return x509.load_der_x509_certificate(certificate.dump())


def fingerprint(certificate: x509.Certificate) -> str:
    """SHA-256 of the certificate, in lower-case hexadecimal."""
    return hashlib.sha256(certificate.public_bytes(Encoding.DER)).hexdigest()


def key_digest(certificate: x509.Certificate) -> str:
    """SHA-256 of the certificate's public key (SubjectPublicKeyInfo, DER)."""
    key = certificate.public_key()
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def subject(certificate: x509.Certificate) -> str:
    """The subject as text, such as `CN=Table games laboratory,O=Example`."""
    return certificate.subject.rfc4514_string()


def is_test(certificates: Iterable[x509.Certificate]) -> bool:
    """Whether any of these certificates is marked as one of a test identity."""
    return any(_marked(certificate) for certificate in certificates)


def _marked(certificate: x509.Certificate) -> bool:
    try:
        policies = certificate.extensions.get_extension_for_class(x509.CertificatePolicies).value
    except (x509.ExtensionNotFound, x509.DuplicateExtension, ValueError):
        return False
    return any(policy.policy_identifier == TEST_POLICY for policy in policies)


def why_not_trusted(
    chain: Sequence[x509.Certificate],
    trusted: Sequence[x509.Certificate],
    moment: datetime,
    *,
    time_stamps: bool = False,
) -> str:
    """Why the first certificate of `chain` is not vouched for by one of `trusted` at `moment`; empty when it is.

    It is when it is one of them, or when a path of valid certificates leads from one of them to it. Nothing is fetched.
    `time_stamps`: it has to be a certificate for stamping the time.
    """
    leaf = chain[0]
    if not leaf.not_valid_before_utc <= moment <= leaf.not_valid_after_utc:
        until, begun = leaf.not_valid_after_utc, leaf.not_valid_before_utc
        return f"{subject(leaf)} is valid from {begun:%Y-%m-%d} to {until:%Y-%m-%d}, not at {moment:%Y-%m-%d %H:%M} UTC"
    if any(fingerprint(leaf) == fingerprint(one) for one in trusted):
        return ""
    context = ValidationContext(
        trust_roots=[to_asn1(one) for one in trusted], moment=moment, allow_fetching=False, revocation_mode="soft-fail"
    )
    stamping = {"time_stamping"} if time_stamps else None
    validator = CertificateValidator(to_asn1(leaf), [to_asn1(one) for one in chain[1:]], context)
    try:
        asyncio.run(validator.async_validate_usage(set() if time_stamps else {"digital_signature"}, stamping))
    except (PathError, ValidationError, ValueError) as error:
        return f"{subject(leaf)} is not vouched for by {' or '.join(map(subject, trusted))}: {error}"
    return ""
