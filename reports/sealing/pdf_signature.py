"""Reads the signature of a PDF: whether it holds, covers all of the file, and changes nothing of what was printed."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from asn1crypto import x509 as asn1_x509
from cryptography import x509
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.general import find_unique_cms_attribute
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from reports.sealing.certificates import from_asn1, subject

_LIMIT_BYTES = 256 * 1024 * 1024
_MAY_CHANGE = {"/AcroForm", "/Annots", "/Extensions", "/Perms"}
"""Entries of the catalog and of the first page that a signature adds."""


@dataclass(frozen=True, slots=True)
class PdfSignature:
    """A signature that holds over the whole of a PDF. Who is to be trusted is another question."""

    chain: Sequence[x509.Certificate]
    """The signer's certificate, then the others that came with it."""
    moment: datetime
    """When it was signed: as the time stamp says, or without one as the signer says."""
    stamp_chain: Sequence[x509.Certificate]
    """The certificates of the time-stamping authority; empty without a time stamp."""


@dataclass(frozen=True, slots=True)
class PdfSignatureError(Exception):
    """A signature that does not hold."""

    problem: str

    def __str__(self) -> str:
        return self.problem


def read_signature(pdf: bytes) -> PdfSignature | None:
    """The signature of a PDF, or None when it has none. PdfSignatureError with the first thing that does not hold."""
    if len(pdf) > _LIMIT_BYTES:
        raise PdfSignatureError(f"is of {len(pdf)} bytes, over the {_LIMIT_BYTES} that are looked at")
    try:
        return _read(pdf)
    except PdfSignatureError:
        raise
    except Exception as error:  # noqa: BLE001 - a hostile file may trip its reader anywhere; it then does not hold
        raise PdfSignatureError(f"cannot be read as a signed PDF ({type(error).__name__}: {error})") from None


def _read(pdf: bytes) -> PdfSignature | None:
    reader = PdfFileReader(io.BytesIO(pdf))
    signatures = list(reader.embedded_signatures)
    if not signatures:
        return None
    if len(signatures) > 1:
        raise PdfSignatureError(f"holds {len(signatures)} signatures, one is expected")
    signature = signatures[0]
    leaf = from_asn1(signature.signer_cert)
    # The signer's own certificate as root: here it matters only whether the signature fits it.
    own = ValidationContext(
        trust_roots=[signature.signer_cert], allow_fetching=False, moment=_claimed(signature, leaf),
        revocation_mode="soft-fail",
    )  # fmt: skip
    status = validate_pdf_signature(signature, own, skip_diff=True)
    if not status.intact:
        raise PdfSignatureError("was altered after it was signed")
    if not status.valid:
        raise PdfSignatureError(f"carries a signature that is not that of {subject(leaf)}")
    if status.coverage is not SignatureCoverageLevel.ENTIRE_FILE:
        raise PdfSignatureError("holds more than what was signed")
    if other := _other_change(reader):
        raise PdfSignatureError(f"{other} was changed in the very step that signed it")
    stamp = status.timestamp_validity
    if stamp is not None and not (stamp.intact and stamp.valid):
        raise PdfSignatureError("carries a time stamp that does not fit it")
    moment = stamp.timestamp if stamp is not None else _claimed(signature, leaf)
    chain = [leaf, *map(from_asn1, signature.other_embedded_certs)]
    return PdfSignature(chain, moment.astimezone(UTC), _stamp_chain(signature, stamp.signing_cert) if stamp else ())


def _claimed(signature: EmbeddedPdfSignature, leaf: x509.Certificate) -> datetime:
    """When the signer says that it was; the beginning of the certificate's validity if nothing is said."""
    said = signature.self_reported_timestamp
    return said.astimezone(UTC) if said is not None else leaf.not_valid_before_utc


def _stamp_chain(signature: EmbeddedPdfSignature, signer: asn1_x509.Certificate) -> list[x509.Certificate]:
    """The certificate of the authority, then the others that came with its stamp."""
    token = find_unique_cms_attribute(signature.signer_info["unsigned_attrs"], "signature_time_stamp_token")["content"]
    others = [choice.chosen for choice in token["certificates"] if choice.chosen.dump() != signer.dump()]
    return [from_asn1(signer), *map(from_asn1, others)]


def _other_change(reader: PdfFileReader) -> str:
    """What the added part changes beyond the signature and its field; empty when it is nothing."""
    if reader.total_revisions != 2 or reader.xrefs.refs_freed_in_revision(1):
        return f"its structure ({reader.total_revisions} revisions)"
    pages = 0
    for reference in reader.xrefs.explicit_refs_in_revision(1):
        if reader.xrefs.get_introducing_revision(reference) == 1:
            continue
        before: Any = reader.get_object(reference, revision=0)
        after: Any = reader.get_object(reference)
        name = f"object {reference.idnum}"
        if not (isinstance(before, generic.DictionaryObject) and isinstance(after, generic.DictionaryObject)):
            return name
        pages += before.get("/Type") == "/Page"
        if before.get("/Type") not in ("/Page", "/Catalog") or pages > 1 or _rest(before) != _rest(after):
            return name
        added = len(_annotations(after)) - len(_annotations(before))
        if _annotations(after)[: len(_annotations(before))] != _annotations(before) or added > 1:
            return f"{name} (annotations)"
    fields = reader.root["/AcroForm"]["/Fields"]
    return "the form" if len(fields) != 1 or "/AP" in fields[0] or "/XFA" in reader.root["/AcroForm"] else ""


def _annotations(holder: generic.DictionaryObject) -> list[str]:
    listed = holder.get("/Annots", ())
    return [repr(listed.raw_get(index)) for index in range(len(listed))] if listed else []


def _rest(holder: generic.DictionaryObject) -> dict[str, bytes]:
    found = {}
    for name in holder:
        if name not in _MAY_CHANGE:
            out = io.BytesIO()
            holder.raw_get(name).write_to_stream(out, None)
            found[str(name)] = out.getvalue()
    return found
