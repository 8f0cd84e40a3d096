"""Whose word a run folder is: signed and trusted, signed by somebody, or by nobody, and never taken for more."""

import contextlib
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardcert.__main__ import main
from reports.bundle import write_bundle
from reports.certificate import build_certificate
from reports.sealing.certificates import to_pem
from reports.sealing.identity import Identity, load_identity
from reports.sealing.making import make_test_identity
from reports.sealing.seal import seal
from tests.sealing.time_stamp_server import authority, serving


def told(path: Path, *options: str) -> dict[str, Any]:
    """What `verify` says, by its JSON; its exit status under `status`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = main(["verify", str(path), "--json", *options])
    return {**json.loads(out.getvalue()), "status": status}


def trust(identity: Identity) -> tuple[str, str]:
    return "--trust", str(identity.beside("trust.pem"))


@pytest.fixture
def stranger(tmp_path: Path) -> Identity:
    make_test_identity(tmp_path / "stranger", "Table games laboratory")
    return load_identity(tmp_path / "stranger")


def test_who_is_trusted_vouches(whole: Path, signer: Identity) -> None:
    result = told(whole, *trust(signer))
    assert (result["status"], result["sound"], result["trusted"], result["findings"]) == (0, True, True, [])
    assert result["test_identity"] is True


def test_without_trust_it_is_said_that_nobody_vouches(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = told(whole)
    assert (result["status"], result["trusted"], result["signed"]) == (0, None, True)
    assert any("nobody vouches for the signer" in note for note in result["notes"])
    assert main(["verify", str(whole)]) == 0
    out = capsys.readouterr().out
    assert "note: SIGNED WITH A TEST IDENTITY" in out
    assert "signed: O=TEST IDENTITY - certifies nothing,CN=Table games laboratory TEST manifest" in out


def test_a_folder_signed_anew_by_a_stranger_of_the_same_name_is_found(
    whole: Path, signer: Identity, stranger: Identity
) -> None:
    """The whole folder made anew and consistent, but with another key."""
    assert main(["report", str(whole), "--sign", str(stranger.path)]) == 3
    assert told(whole)["status"] == 0
    result = told(whole, *trust(signer))
    assert (result["status"], result["trusted"]) == (1, False)
    assert result["first"].startswith("signer.pem: signed by a key that you do not trust")


def test_the_right_manifest_with_a_strangers_pdf_is_found(
    whole: Path, signer: Identity, stranger: Identity, tmp_path: Path
) -> None:
    """One who signs for the manifest need not be one who signs for the certificate."""
    keys = Path(shutil.copytree(signer.path.parent, tmp_path / "mixed"))
    for name in ("certificate.pem", "certificate.key.pem"):
        shutil.copy(stranger.beside(name), keys / name)
    assert main(["report", str(whole), "--sign", str(keys)]) == 3
    assert told(whole)["status"] == 0
    result = told(whole, *trust(signer))
    assert result["status"] == 1
    assert result["first"].startswith("certificate.pdf: signed by a key that you do not trust")


def test_signatures_taken_off_are_missed(whole: Path, signer: Identity) -> None:
    """Resealed as a whole without a key: the rest holds, so it is the reader's trust that finds it."""
    assert main(["report", str(whole)]) == 3
    result = told(whole)
    assert (result["status"], result["signed"]) == (0, False)
    assert any("NOT SIGNED" in note for note in result["notes"])
    result = told(whole, *trust(signer))
    assert result["status"] == 1
    assert "the folder is not signed" in result["first"]


def test_signatures_taken_off_while_the_certificate_says_it_is_signed_are_found(whole: Path) -> None:
    seal(whole)
    result = told(whole)
    assert result["status"] == 1
    assert result["first"].startswith("certificate.pdf: says that it is signed by")


@pytest.mark.parametrize("name", ["manifest.json.sig", "attestation.dsse.json", "signer.pem"])
def test_a_signature_file_that_is_gone_is_named(whole: Path, name: str) -> None:
    (whole / name).unlink()
    assert told(whole)["first"].startswith(f"{name}: is missing, though")


def test_a_bundle_is_checked_as_the_folder_is(whole: Path, signer: Identity, tmp_path: Path) -> None:
    bundle = write_bundle(whole, tmp_path / "b.zip")
    shutil.rmtree(whole)
    result = told(bundle, *trust(signer))
    assert (result["status"], result["trusted"], result["first"]) == (0, True, None)


def test_what_is_no_certificate_is_no_trust(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cert.pem").write_text("trust me")
    for path in (tmp_path / "cert.pem", tmp_path / "nowhere.pem", whole):
        assert main(["verify", str(whole), "--trust", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_a_test_identity_passed_off_as_a_laboratory_is_found(whole: Path, signer: Identity) -> None:
    """The statement in the certificate is the signer's own word; the marks in the certificates are not."""
    content = json.loads((whole / "certificate.json").read_text())
    assert content["signature"]["kind"] == "test"
    lie = msgspec.structs.replace(signer.signed_by(), kind="laboratory")
    build_certificate(whole, content["lang"], signed_by=lie)
    seal(whole, signer)
    assert told(whole)["first"] == "certificate.pdf: says that a laboratory identity signed it, which is not so"


def test_a_time_stamp_is_trusted_by_itself(whole: Path, signer: Identity, tmp_path: Path) -> None:
    """The authority is another party than the laboratory, so it is named by another `--trust`."""
    certificate, stamper = authority()
    (tmp_path / "authority.pem").write_bytes(to_pem([certificate]))
    keys = Path(shutil.copytree(signer.path.parent, tmp_path / "id"))
    with serving(stamper) as url:
        text = (keys / "identity.toml").read_text()
        (keys / "identity.toml").write_text(f'{text}\n[time_stamp]\nurl = "{url}"\n')
        assert main(["report", str(whole), "--sign", str(keys)]) == 3
    result = told(whole, *trust(signer))
    assert (result["status"], result["time_stamp"]) == (0, True)
    assert any("time stamp is by an authority that you do not trust" in note for note in result["notes"])
    result = told(whole, *trust(signer), "--trust", str(tmp_path / "authority.pem"))
    assert result["status"] == 0
    assert not any("time stamp" in note for note in result["notes"])


def test_signing_that_fails_leaves_a_sound_unsigned_folder_that_says_so(
    whole: Path, signer: Identity, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = Path(shutil.copytree(signer.path.parent, tmp_path / "id"))
    with serving() as url:
        pass
    text = (keys / "identity.toml").read_text()
    (keys / "identity.toml").write_text(f'{text}\n[time_stamp]\nurl = "{url}"\n')
    assert main(["report", str(whole), "--sign", str(keys)]) == 3
    said = capsys.readouterr()
    assert "NOT SIGNED" in said.out
    assert "no time stamp was to be had" in said.err
    result = told(whole)
    assert (result["status"], result["signed"], result["findings"]) == (0, False, [])
    assert json.loads((whole / "certificate.json").read_text())["signature"]["kind"] == "none"


def test_keys_in_the_run_folder_are_refused(whole: Path, signer: Identity) -> None:
    keys = Path(shutil.copytree(signer.path.parent, whole / "keys"))
    assert main(["report", str(whole), "--sign", str(keys)]) == 2


@pytest.mark.parametrize("name", ["manifest.json", "journal/events.jsonl", "verdicts.json", "certificate.pdf"])
def test_a_pipe_in_the_place_of_a_file_does_not_hang(whole: Path, name: str) -> None:
    (whole / name).unlink()
    os.mkfifo(whole / name)
    result = told(whole)
    assert result["status"] == 1
    assert name in result["first"]


@pytest.mark.parametrize("part", ["signer", "issuer", "serial_number", "valid_until", "manifest_key_sha256"])
def test_what_a_certificate_says_of_its_signer_is_checked(whole: Path, signer: Identity, part: str) -> None:
    lang = json.loads((whole / "certificate.json").read_text())["lang"]
    build_certificate(whole, lang, signed_by=msgspec.structs.replace(signer.signed_by(), **{part: "something else"}))
    seal(whole, signer)
    assert told(whole)["first"] == f"certificate.pdf: what it says of its signature ({part}) is not so"
