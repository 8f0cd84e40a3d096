"""The signature in the PDF: it holds, keeps PDF/A-3 and PDF/UA, and any change of the file or of the signer shows."""

import io
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import page
import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from pyhanko.pdf_utils.generic import DecryptedObjectProxy, DictionaryObject, NameObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

from evidence.errors import RigFault, UsageError
from reports.certificate import build_certificate
from reports.sealing.certificates import fingerprint, read_certificates, why_not_trusted
from reports.sealing.identity import Identity, load_identity
from reports.sealing.pades import sign_pdf
from reports.sealing.pdf_signature import PdfSignatureError, read_signature
from tests.reports.report_runs import small_run
from tests.sealing.time_stamp_server import authority, serving


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return build_certificate(small_run(tmp_path_factory.mktemp("pdf") / "run")).read_bytes()


@pytest.fixture(scope="module")
def signed(unsigned: bytes, identity: Identity) -> bytes:
    return sign_pdf(unsigned, identity)


def with_lines(identity: Identity, folder: Path, old: str, new: str) -> Identity:
    """The identity, its file changed."""
    shutil.copytree(identity.path.parent, folder)
    text = (folder / "identity.toml").read_text()
    assert old in text
    (folder / "identity.toml").write_text(text.replace(old, new))
    return load_identity(folder)


def stamped_by(identity: Identity, folder: Path, url: str) -> Identity:
    return with_lines(identity, folder, "[certificate]", f'[time_stamp]\nurl = "{url}"\ntimeout_s = 5\n\n[certificate]')


def test_the_printed_document_is_kept_byte_by_byte(unsigned: bytes, signed: bytes) -> None:
    assert signed.startswith(unsigned)


def test_the_signer_is_the_identity_and_the_moment_is_now(signed: bytes, identity: Identity) -> None:
    signature = read_signature(signed)
    assert signature is not None
    assert fingerprint(signature.chain[0]) == fingerprint(identity.certificate_chain[0])
    assert abs(signature.moment - datetime.now(UTC)) < timedelta(hours=1)
    assert not signature.stamp_chain


def test_an_unsigned_pdf_has_no_signature(unsigned: bytes) -> None:
    assert read_signature(unsigned) is None


@pytest.mark.parametrize("profile", [page.ValidationProfile.PDF_A_3A, page.ValidationProfile.PDF_UA_1])
def test_a_signed_certificate_is_still_what_it_claims(signed: bytes, profile: page.ValidationProfile) -> None:
    report = page.validate_pdf_bytes(signed, profile=profile)
    assert [(failure.rule_id, failure.message) for failure in report.failures] == []
    assert report.is_compliant


def test_a_byte_changed_in_what_was_signed_is_found(unsigned: bytes, signed: bytes) -> None:
    for at in range(20, len(unsigned), len(unsigned) // 12):
        altered = bytearray(signed)
        altered[at] ^= 1
        with pytest.raises(PdfSignatureError):
            read_signature(bytes(altered))


def test_something_added_after_signing_is_found(signed: bytes) -> None:
    writer = IncrementalPdfFileWriter(io.BytesIO(signed))
    writer.root["/Lang"] = NameObject("/xx")
    writer.update_root()
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(PdfSignatureError, match="holds more than what was signed"):
        read_signature(out.getvalue())


def test_a_page_exchanged_before_signing_is_found(unsigned: bytes, identity: Identity) -> None:
    """Whoever holds a key could add a part that shows other pages, and sign that."""
    writer = IncrementalPdfFileWriter(io.BytesIO(unsigned))
    first = writer.root["/Pages"]["/Kids"][0].get_object()
    while first["/Type"] == "/Pages":
        first = first["/Kids"][0].get_object()
    assert not isinstance(first, DecryptedObjectProxy)
    first["/Resources"] = DictionaryObject()
    writer.update_container(first)
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(PdfSignatureError, match="structure"):
        read_signature(sign_pdf(out.getvalue(), identity))


def test_only_whom_the_reader_trusts_vouches(signed: bytes, identity: Identity, other_identity: Identity) -> None:
    signature = read_signature(signed)
    assert signature is not None
    own, other = (read_certificates(one.beside("trust.pem")) for one in (identity, other_identity))
    assert why_not_trusted(signature.chain, own, signature.moment) == ""
    assert why_not_trusted(signature.chain, [*other, *own], signature.moment) == ""
    assert why_not_trusted(signature.chain, identity.certificate_chain[:1], signature.moment) == ""
    assert "is not vouched for" in why_not_trusted(signature.chain, other, signature.moment)
    later = signature.moment + timedelta(days=4000)
    assert "is valid from" in why_not_trusted(signature.chain, own, later)


def test_a_certificate_does_not_vouch_for_another_of_the_same_root(identity: Identity) -> None:
    """A leaf is no authority: what the manifest's key signs is not vouched for by the PDF's certificate."""
    moment = datetime.now(UTC)
    assert why_not_trusted(identity.manifest_chain, identity.certificate_chain[:1], moment)


def test_a_pkcs12_file_signs_too(
    unsigned: bytes, identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = load_pem_private_key(identity.beside("certificate.key.pem").read_bytes(), None)
    chain = identity.certificate_chain
    packed = serialize_key_and_certificates(b"signer", key, chain[0], chain[1:], BestAvailableEncryption(b"secret"))  # type: ignore[arg-type]
    monkeypatch.setenv("CARDCERT_PASSPHRASE", "secret")
    folder = tmp_path / "id"
    shutil.copytree(identity.path.parent, folder)
    (folder / "signer.p12").write_bytes(packed)
    (folder / "signer.p12").chmod(0o600)
    text = (folder / "identity.toml").read_text()
    lines = 'key = "certificate.key.pem"\ncertificate = "certificate.pem"'
    assert lines in text
    (folder / "identity.toml").write_text(text.replace(lines, 'pkcs12 = "signer.p12"'))
    # The manifest's key is not encrypted, and a passphrase would not fit it.
    other = load_pem_private_key((folder / "manifest.key.pem").read_bytes(), None)
    encrypted = other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    (folder / "manifest.key.pem").write_bytes(encrypted)
    signature = read_signature(sign_pdf(unsigned, load_identity(folder)))
    assert signature is not None
    assert fingerprint(signature.chain[0]) == fingerprint(chain[0])
    monkeypatch.setenv("CARDCERT_PASSPHRASE", "wrong")
    with pytest.raises(UsageError, match="CARDCERT_PASSPHRASE"):
        load_identity(folder)


def test_a_key_of_another_certificate_is_refused(
    unsigned: bytes, identity: Identity, other_identity: Identity, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(identity.path.parent, tmp_path / "id"))
    shutil.copy(other_identity.beside("certificate.key.pem"), folder / "certificate.key.pem")
    with pytest.raises(UsageError, match="does not belong to the first certificate"):
        sign_pdf(unsigned, load_identity(folder))


def test_a_time_stamp_says_when(unsigned: bytes, identity: Identity, tmp_path: Path) -> None:
    certificate, stamper = authority()
    with serving(stamper) as url:
        signed = sign_pdf(unsigned, stamped_by(identity, tmp_path / "id", url))
    signature = read_signature(signed)
    assert signature is not None
    assert [fingerprint(one) for one in signature.stamp_chain] == [fingerprint(certificate)]
    for profile in (page.ValidationProfile.PDF_A_3A, page.ValidationProfile.PDF_UA_1):
        assert page.is_pdf_compliant_bytes(signed, profile=profile)


@pytest.mark.parametrize(
    ("answer", "status", "told"),
    [
        (b"", 200, "is no time stamp"),
        (b"<html>log in</html>", 200, "is no time stamp"),
        (b"\x30\x05\x30\x03\x02\x01\x02", 200, "refused"),
        (b"x" * 300_000, 200, "over 262144 bytes"),
        (b"", 500, "no time stamp was to be had"),
    ],
)
def test_an_authority_that_gives_no_stamp_is_a_fault_told_in_words(
    unsigned: bytes, identity: Identity, tmp_path: Path, answer: bytes, status: int, told: str
) -> None:
    with serving(answer=answer, status=status) as url, pytest.raises(RigFault, match=told):
        sign_pdf(unsigned, stamped_by(identity, tmp_path / "id", url))


def test_an_authority_that_is_not_there_is_a_fault_told_in_words(
    unsigned: bytes, identity: Identity, tmp_path: Path
) -> None:
    with serving() as url:
        pass
    with pytest.raises(RigFault, match="no time stamp was to be had"):
        sign_pdf(unsigned, stamped_by(identity, tmp_path / "id", url))
