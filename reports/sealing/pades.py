"""Signs the PDF (PAdES, ETSI EN 319 142-1) so that it stays PDF/A-3a and PDF/UA-1."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from asn1crypto import keys as asn1_keys
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.sign.fields import InvisSigSettings, SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner, Signer, SimpleSigner
from pyhanko_certvalidator.registry import SimpleCertificateStore

from evidence.errors import RigFault, UsageError
from reports.sealing.certificates import to_asn1
from reports.sealing.identity import PASSPHRASE, Identity, passphrase, secret_file
from reports.sealing.time_stamps import HttpTimeStamper
from reports.sealing.token import token_signer

FIELD = "Signature"
TOOLTIP = "Signature of the laboratory"


class _MetadataKept(IncrementalPdfFileWriter):
    """An update that leaves the document's metadata alone.

    pyHanko would write its own name and time into the XMP packet, in a form that PDF/A-3 does not allow. The moment of
    signing stands in the signature itself.
    """

    def _update_meta(self) -> None:
        pass


def sign_pdf(pdf: bytes, identity: Identity) -> bytes:
    """The PDF with one signature over all of it, added behind its last byte, which `pdf` is left as.

    The signature is not drawn: what the certificate says of it is printed in the document. With a time stamp where the
    identity names an authority. Raises UsageError for keys that do not open, RigFault when token or authority fail.
    """
    # The added part must begin on a line of its own.
    document = io.BytesIO(pdf if pdf.endswith(b"\n") else pdf + b"\n")
    stamp = identity.file.time_stamp
    stamper = HttpTimeStamper(stamp.url, stamp.timeout_s) if stamp else None
    metadata = PdfSignatureMetadata(field_name=FIELD, subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256")
    # Out of the page's bounds the field is neither drawn nor read aloud, and needs no tag (ISO 14289-1, 7.18.1).
    field = SigFieldSpec(
        FIELD,
        on_page=0,
        invis_sig_settings=InvisSigSettings(box_out_of_bounds=True),
        readable_field_name=TOOLTIP,
    )
    with _signer(identity) as signer:
        try:
            writer = _MetadataKept(document)
            signed: Any = PdfSigner(metadata, signer, timestamper=stamper, new_field_spec=field).sign_pdf(writer)
        except (PdfError, SigningError, ValueError, OSError) as error:
            raise RigFault(
                f"certificate.pdf: it could not be signed ({error}). Check identity {identity.path}."
            ) from None
    return bytes(signed.getvalue())


def unsigned_length(pdf: bytes) -> int:
    """How many bytes of an unsigned PDF come before what signing adds."""
    return len(pdf) + (not pdf.endswith(b"\n"))


@contextmanager
def _signer(identity: Identity) -> Iterator[Signer]:
    entry, chain = identity.file.certificate, [to_asn1(one) for one in identity.certificate_chain]
    if entry.pkcs11 is not None:
        with token_signer(identity.beside(entry.pkcs11.module), entry.pkcs11, chain) as signer:
            yield signer
        return
    path = identity.beside(entry.pkcs12 or entry.key)
    data = secret_file(path)
    try:
        key = load_pkcs12(data, passphrase()).key if entry.pkcs12 else load_pem_private_key(data, passphrase())
        if key is None:
            raise ValueError("it holds no key")
        plain = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    except (ValueError, TypeError) as error:
        raise UsageError(f"{path}: not a key that opens ({error}). Set {PASSPHRASE} if it is encrypted.") from None
    if key.public_key() != identity.certificate_chain[0].public_key():
        raise UsageError(f"{path}: this key does not belong to the first certificate named. Put the right one first.")
    store = SimpleCertificateStore()
    store.register_multiple(chain)
    yield SimpleSigner(signing_cert=chain[0], signing_key=asn1_keys.PrivateKeyInfo.load(plain), cert_registry=store)
