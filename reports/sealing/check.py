"""Checks what a run folder's reports and signatures say: of the run, of each other, and of who signed them."""

import importlib.metadata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from cryptography import x509

from evidence.errors import CardcertError
from evidence.files import sha256_file
from reports.certificate.build import JSON_NAME, PDF_NAME, load_words, render_certificate
from reports.junit import FILE_NAME as JUNIT_NAME
from reports.junit import junit_bytes
from reports.manifest import ATTESTATION_NAME, FILE_NAME, SIGNATURE_NAME
from reports.run_view import RunView
from reports.sealing.attestation import statement
from reports.sealing.certificates import is_test, subject, why_not_trusted
from reports.sealing.identity import describe_signer
from reports.sealing.pades import unsigned_length
from reports.sealing.pdf_signature import PdfSignature, PdfSignatureError, read_signature
from reports.sealing.pdf_text import attached, first_difference, first_unprinted
from reports.sealing.seal import SIGNER_NAME, Seal, read_seal
from reports.shape import mapping
from reports.signed_by import SignedBy

_LIMIT_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Signatures:
    """The signatures of a run folder that hold."""

    seal: Seal | None = None
    pdf: PdfSignature | None = None

    @property
    def signed(self) -> bool:
        """Whether the folder as a whole is signed."""
        return self.seal is not None

    @property
    def test(self) -> bool:
        """Whether a test identity had a hand in it."""
        return is_test([*(self.seal.chain if self.seal else ()), *(self.pdf.chain if self.pdf else ())])

    @property
    def signer(self) -> str:
        """Who signed, by the certificate; empty for nobody."""
        return subject(self.seal.chain[0]) if self.seal else ""

    @property
    def moment(self) -> datetime:
        """When it was signed, as far as it can be known; now where nothing says so."""
        return self.pdf.moment if self.pdf else datetime.now(UTC)


def check_signatures(folder: Path) -> tuple[Signatures, list[str]]:
    """The signatures of a run folder, and the first that does not hold."""
    seal, findings = read_seal(folder)
    if findings:
        return Signatures(), [str(finding) for finding in findings]
    pdf = folder / PDF_NAME
    if not pdf.is_file() or pdf.is_symlink():
        return Signatures(seal), []
    if pdf.stat().st_size > _LIMIT_BYTES:
        return Signatures(seal), [f"{PDF_NAME}: over {_LIMIT_BYTES} bytes; this is no certificate"]
    try:
        return Signatures(seal, read_signature(pdf.read_bytes())), []
    except PdfSignatureError as error:
        return Signatures(seal), [f"{PDF_NAME}: {error}"]


def check_trust(signatures: Signatures, trusted: Sequence[x509.Certificate]) -> list[str]:
    """Why those whom the reader trusts do not vouch for the signatures; empty when they do for all."""
    if signatures.seal is None:
        return [f"{SIGNATURE_NAME}: there is none: the folder is not signed, so nobody whom you trust vouches for it"]
    if why := why_not_trusted(signatures.seal.chain, trusted, signatures.moment):
        return [f"{SIGNER_NAME}: signed by a key that you do not trust: {why}"]
    if signatures.pdf is None:
        return []
    if why := why_not_trusted(signatures.pdf.chain, trusted, signatures.moment):
        return [f"{PDF_NAME}: signed by a key that you do not trust: {why}"]
    return []


def why_stamp_not_trusted(signatures: Signatures, trusted: Sequence[x509.Certificate]) -> str:
    """Why those whom the reader trusts do not vouch for the time stamp; empty when they do, or when there is none."""
    if signatures.pdf is None or not signatures.pdf.stamp_chain:
        return ""
    return why_not_trusted(signatures.pdf.stamp_chain, trusted, signatures.moment, time_stamps=True)


def check_certificate(run: RunView, signatures: Signatures) -> tuple[list[str], list[str]]:
    """Whether `certificate.json` follows from the run, and the PDF from it: the first that does not, and notes."""
    content, pdf = _content(run.folder / JSON_NAME), _content(run.folder / PDF_NAME)
    if not content and not pdf:
        return [], ["there is no certificate in this folder"]
    if not content or not pdf:
        return [f"{JSON_NAME if not content else PDF_NAME}: is missing beside the other"], []
    try:
        stated = msgspec.json.decode(content)
        said = msgspec.convert(mapping(stated).get("signature"), SignedBy)
        lang = str(mapping(stated).get("lang"))
        expected, printed = render_certificate(run, lang, said)
    except (msgspec.MsgspecError, RecursionError, CardcertError) as error:
        return [f"{JSON_NAME}: {error}"], []
    if wrong := _said_of_signature(said, signatures):
        return [wrong], []
    other = _made_with(stated) != _made_with(msgspec.json.decode(expected))
    follows = msgspec.json.decode(expected)
    if other:
        follows["made_with"] = _made_with(stated)
    if content != expected and (wrong := _first_other(stated, follows, common_only=other)):
        return [f"{JSON_NAME}: {wrong}"], []
    if content != expected and not other:
        return [f"{JSON_NAME}: was altered: it is not laid out as it was written"], []
    whole = unsigned_length(printed) if signatures.pdf else len(printed)
    if pdf.startswith(printed) and (signatures.pdf is not None or len(pdf) == whole):
        return [], []
    if not other:
        return [f"{PDF_NAME}: {first_difference(pdf, printed)}"], []
    if attached(pdf, JSON_NAME) not in (None, content):
        return [f"{PDF_NAME}: the result embedded in it is not {JSON_NAME}"], []
    if missing := first_unprinted(pdf, stated, load_words(lang)):
        return [f"{PDF_NAME}: does not say what {JSON_NAME} says: {missing}"], []
    return [], [f"{PDF_NAME} was made with another version of cardcert: its words were compared, not its looks"]


def check_junit(run: RunView) -> list[str]:
    """Whether `junit.xml` is what the run comes to; one made by another version of cardcert may be another."""
    stored, certificate = _content(run.folder / JUNIT_NAME), _content(run.folder / JSON_NAME)
    made_with = mapping(_made_with(msgspec.json.decode(certificate))) if certificate else mapping(None)
    if not stored or made_with.get("cardcert") != importlib.metadata.version("cardcert"):
        return []
    return [] if stored == junit_bytes(run) else [f"{JUNIT_NAME}: is not what the run comes to: it was altered"]


def check_attestation(run: RunView, signatures: Signatures) -> list[str]:
    """Whether the attestation states what the run came to."""
    if signatures.seal is None:
        return []
    expected = msgspec.json.decode(statement(run, sha256_file(run.folder / FILE_NAME)))
    stated = msgspec.json.decode(signatures.seal.statement)
    wrong = _first_other(stated, expected)
    return [f"{ATTESTATION_NAME}: {wrong}"] if wrong else []


def _said_of_signature(said: SignedBy, signatures: Signatures) -> str:
    """What the certificate says of its signature, against the signature itself."""
    pdf, seal = signatures.pdf, signatures.seal
    if said.kind == "none":
        return f"{PDF_NAME}: is signed, though it says that it is not" if pdf is not None or seal is not None else ""
    if pdf is None or seal is None:
        return (
            f"{PDF_NAME}: says that it is signed by {said.signer}, but {'it' if pdf is None else 'the folder'} is not"
        )
    kind: Literal["test", "laboratory"] = "test" if signatures.test else "laboratory"
    if said.kind != kind:
        return f"{PDF_NAME}: says that a {said.kind} identity signed it, which is not so"
    so = describe_signer(pdf.chain[0], seal.chain[0], kind, time_stamp=bool(pdf.stamp_chain))
    if said.certificate_sha256 != so.certificate_sha256:
        return f"{PDF_NAME}: says that it is signed by {said.signer}, but {so.signer} signed it"
    wrong = next((name for name in said.__struct_fields__ if getattr(said, name) != getattr(so, name)), "")
    return f"{PDF_NAME}: what it says of its signature ({wrong}) is not so" if wrong else ""


def _made_with(content: Any) -> object:
    return mapping(content).get("made_with")


def _first_other(stated: Any, expected: Any, place: str = "", *, common_only: bool = False) -> str:
    """The first place where two JSON contents differ, and how; empty when none does.

    `common_only`, entries that one of two tables lacks are passed over: another version may know more or less.
    """
    if isinstance(stated, dict) and isinstance(expected, dict):
        for name in dict.fromkeys([*stated, *expected]):
            here = f"{place}.{name}" if place else str(name)
            if name in stated and name in expected:
                if wrong := _first_other(stated[name], expected[name], here, common_only=common_only):
                    return wrong
            elif not common_only:
                return f"{here}: {'is not expected here' if name in stated else 'is missing'}"
        return ""
    if isinstance(stated, list) and isinstance(expected, list):
        for index, (theirs, mine) in enumerate(zip(stated, expected, strict=False)):
            if wrong := _first_other(theirs, mine, f"{place}[{index}]", common_only=common_only):
                return wrong
        counts = len(stated), len(expected)
        return "" if counts[0] == counts[1] else f"{place}: has {counts[0]} entries, from the run follow {counts[1]}"
    return "" if stated == expected else f"{place}: it says {_short(stated)}, from the run follows {_short(expected)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"


def _content(path: Path) -> bytes:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _LIMIT_BYTES:
        return b""
    return path.read_bytes()
