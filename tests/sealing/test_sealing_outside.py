"""What is signed here, other tools read too, and a key on a token signs as one in a file does.

SoftHSM is a PKCS#11 token in software; `tools/softhsm.sh` unpacks it without root where it is not installed.
"""

import datetime
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from cardcert.__main__ import main
from evidence.errors import RigFault, UsageError
from reports.certificate import build_certificate
from reports.sealing.certificates import fingerprint, to_pem
from reports.sealing.identity import Identity, load_identity
from reports.sealing.pades import sign_pdf
from reports.sealing.pdf_signature import read_signature
from tests.reports.report_runs import small_run
from tests.sealing.time_stamp_server import authority, serving

pytestmark = pytest.mark.machine
ROOT = Path(__file__).parents[2]
LABEL, KEY, PIN = "laboratory", "report", "4711-0815"


def run(*command: str | Path, **variables: str) -> str:
    done = subprocess.run(
        [str(part) for part in command], check=False, capture_output=True, text=True, env={**os.environ, **variables}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_openssl_verifies_the_manifest(signed_run: Path) -> None:
    certificate = run("openssl", "x509", "-in", signed_run / "signer.pem", "-pubkey", "-noout")
    (signed_run.parent / "key.pem").write_text(certificate)
    command: list[str | Path] = [
        "openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", signed_run.parent / "key.pem",
        "-in", signed_run / "manifest.json", "-sigfile", signed_run / "manifest.json.sig",
    ]  # fmt: skip
    assert "Verified Successfully" in run(*command)
    manifest = signed_run / "manifest.json"
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    assert subprocess.run(command, check=False, capture_output=True).returncode != 0


def test_openssl_finds_the_chain_of_the_signer(signed_run: Path, identity: Identity) -> None:
    run("openssl", "verify", "-CAfile", identity.beside("trust.pem"), signed_run / "signer.pem")


def test_pdfsig_shows_the_signature_as_valid_and_whole(signed_run: Path) -> None:
    told = run("pdfsig", "-nocert", signed_run / "certificate.pdf")
    assert "Signature is Valid." in told
    assert "Total document signed" in told
    assert "ETSI.CAdES.detached" in told
    assert "Signature #2" not in told


def test_pdfsig_shows_an_altered_one_as_altered(signed_run: Path) -> None:
    pdf = signed_run / "certificate.pdf"
    content = bytearray(pdf.read_bytes())
    content[content.index(b"/MarkInfo") + 5] ^= 1
    pdf.write_bytes(bytes(content))
    done = subprocess.run(["pdfsig", "-nocert", str(pdf)], check=False, capture_output=True, text=True)
    assert "Signature is Valid." not in done.stdout


def test_pdfsig_takes_a_time_stamped_one(identity: Identity, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(identity.path.parent, tmp_path / "id"))
    with serving(authority()[1]) as url:
        text = (folder / "identity.toml").read_text()
        (folder / "identity.toml").write_text(f'{text}\n[time_stamp]\nurl = "{url}"\n')
        pdf = sign_pdf(build_certificate(small_run(tmp_path / "run")).read_bytes(), load_identity(folder))
    (tmp_path / "stamped.pdf").write_bytes(pdf)
    assert "Signature is Valid." in run("pdfsig", "-nocert", tmp_path / "stamped.pdf")


@pytest.fixture(scope="module")
def softhsm() -> Path:
    """The token's library; its tool lies beside it in the tree that it was unpacked to."""
    told = run(ROOT / "tools" / "softhsm.sh").splitlines()
    return Path(next(line for line in told if line.endswith("/libsofthsm2.so")))


@pytest.fixture
def token(softhsm: Path, identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An identity whose PDF key is on a fresh token, RSA 2048, with a certificate of its own."""
    (tmp_path / "tokens").mkdir()
    (tmp_path / "softhsm.conf").write_text(f"directories.tokendir = {tmp_path / 'tokens'}\n")
    monkeypatch.setenv("SOFTHSM2_CONF", str(tmp_path / "softhsm.conf"))
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Key on a token")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    folder = Path(shutil.copytree(identity.path.parent, tmp_path / "id"))
    (folder / "token.pem").write_bytes(to_pem([certificate]))
    plain = tmp_path / "key.pem"
    plain.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    tool = softhsm.parents[2] / "bin" / "softhsm2-util"
    modules = ("--module", softhsm)
    run(tool, *modules, "--init-token", "--free", "--label", LABEL, "--so-pin", "12345678", "--pin", PIN)
    run(tool, *modules, "--import", plain, "--token", LABEL, "--label", KEY, "--id", "a1", "--pin", PIN)
    plain.unlink()
    text = (folder / "identity.toml").read_text()
    old = 'key = "certificate.key.pem"\ncertificate = "certificate.pem"'
    assert old in text
    entry = f'{{ module = "{softhsm}", token = "{LABEL}", key = "{KEY}" }}'
    (folder / "identity.toml").write_text(text.replace(old, f'certificate = "token.pem"\npkcs11 = {entry}'))
    monkeypatch.setenv("CARDCERT_PIN", PIN)
    return folder


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return build_certificate(small_run(tmp_path_factory.mktemp("token") / "run")).read_bytes()


def test_a_key_on_a_token_signs(token: Path, unsigned: bytes, tmp_path: Path) -> None:
    identity = load_identity(token)
    signed = sign_pdf(unsigned, identity)
    signature = read_signature(signed)
    assert signature is not None
    assert fingerprint(signature.chain[0]) == fingerprint(identity.certificate_chain[0])
    (tmp_path / "signed.pdf").write_bytes(signed)
    assert "Signature is Valid." in run("pdfsig", "-nocert", tmp_path / "signed.pdf")


def test_a_token_that_does_not_open_is_told_in_words(
    token: Path, unsigned: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = load_identity(token)
    monkeypatch.setenv("CARDCERT_PIN", "0000")
    with pytest.raises(RigFault, match=f"token '{LABEL}': .*Check that it is plugged in, and its PIN and labels"):
        sign_pdf(unsigned, identity)
    monkeypatch.delenv("CARDCERT_PIN")
    with pytest.raises(UsageError, match="CARDCERT_PIN"):
        sign_pdf(unsigned, identity)


@pytest.mark.parametrize(("old", "new"), [(f'key = "{KEY}"', 'key = "other"'), (f'token = "{LABEL}"', 'token = "x"')])
def test_a_label_that_is_not_there_is_told_in_words(token: Path, unsigned: bytes, old: str, new: str) -> None:
    text = (token / "identity.toml").read_text()
    assert old in text
    (token / "identity.toml").write_text(text.replace(old, new))
    with pytest.raises(RigFault, match="labels"):
        sign_pdf(unsigned, load_identity(token))


def test_a_library_that_is_not_there_is_told_in_words(token: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (token / "identity.toml").read_text()
    (token / "identity.toml").write_text(text.replace("libsofthsm2.so", "libnone.so"))
    with pytest.raises(UsageError, match="no PKCS#11 library here"):
        sign_pdf(b"%PDF-1.7\n", load_identity(token))
    assert main(["keys", "show", str(token)]) == 0
    assert "CN=Key on a token" in capsys.readouterr().out
