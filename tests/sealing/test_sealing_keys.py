"""A test identity says that it is one, its keys are kept, and an identity that does not fit together is refused."""

import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509

from cardcert.__main__ import main
from evidence.errors import UsageError
from reports.sealing.certificates import is_test, read_certificates
from reports.sealing.identity import Identity, load_identity
from reports.sealing.making import make_test_identity


def test_key_files_are_their_owners_alone(identity: Identity) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in identity.path.parent.iterdir()}
    assert {name: mode for name, mode in modes.items() if name.endswith(".key.pem")} == {
        "manifest.key.pem": 0o600,
        "certificate.key.pem": 0o600,
    }
    assert not any(b"PRIVATE" in identity.beside(name).read_bytes() for name in modes if ".key." not in name)


def test_a_test_identity_says_so_in_every_certificate(identity: Identity) -> None:
    for chain in (identity.manifest_chain, identity.certificate_chain, read_certificates(identity.beside("trust.pem"))):
        assert all(is_test([certificate]) for certificate in chain)
        assert all("TEST" in certificate.subject.rfc4514_string() for certificate in chain)
    assert identity.signed_by().kind == "test"


def test_the_key_that_vouches_is_thrown_away(identity: Identity) -> None:
    (root,) = read_certificates(identity.beside("trust.pem"))
    assert root.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert len(list(identity.path.parent.glob("*.key.pem"))) == 2


def test_keys_are_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "new", str(tmp_path / "id")]) == 0
    assert "TEST IDENTITY" in capsys.readouterr().out
    before = {path: path.read_bytes() for path in (tmp_path / "id").iterdir()}
    assert main(["keys", "new", str(tmp_path / "id")]) == 2
    assert "never written over" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (tmp_path / "id").iterdir()} == before


@pytest.mark.parametrize("name", ["", "x" * 41, 'a"b', "a\nb", "a\\b", "a\x1bb"])
def test_a_name_that_has_no_place_in_a_certificate_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="expected 1 to 40 printable characters"):
        make_test_identity(tmp_path / "id", name)
    assert not (tmp_path / "id").exists()


def test_show_tells_who_it_is_and_no_secret(identity: Identity, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "show", str(identity.path)]) == 0
    shown = capsys.readouterr().out
    assert "TEST IDENTITY" in shown
    assert identity.signed_by().certificate_sha256 in shown
    assert "PRIVATE" not in shown
    assert main(["keys", "show", str(identity.path.parent), "--json"]) == 0
    assert '"kind": "test"' in capsys.readouterr().out


def replaced(old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / "identity.toml").read_text()
        assert old in text
        (folder / "identity.toml").write_text(text.replace(old, new))

    return change


def open_to_others(folder: Path) -> None:
    (folder / "manifest.key.pem").chmod(0o640)


def exchange_certificates(folder: Path) -> None:
    shutil.copy(folder / "certificate.pem", folder / "manifest.pem")


def cut_key(folder: Path) -> None:
    (folder / "manifest.key.pem").write_text("-----BEGIN PRIVATE KEY-----\n")


def other_kind_of_key(folder: Path) -> None:
    shutil.copy(folder / "certificate.key.pem", folder / "manifest.key.pem")


def lose_certificate(folder: Path) -> None:
    (folder / "certificate.pem").unlink()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (open_to_others, "is open to others than its owner. Do: chmod 600"),
        (exchange_certificates, "the first certificate is not that of the Ed25519 key"),
        (cut_key, "not a PEM key that opens"),
        (other_kind_of_key, "expected an Ed25519 key"),
        (lose_certificate, "cannot read this certificate"),
        (replaced('key = "certificate.key.pem"', 'pkcs12 = "a.p12"\nkey = "b"'), "exactly one of `key`, `pkcs12` and"),
        (replaced('\ncertificate = "certificate.pem"', ""), "names no `certificate`"),
        (replaced("[certificate]", '[time_stamp]\nurl = "ftp://x"\n[certificate]'), "must begin with http"),
        (replaced("[certificate]", "[certificates]"), "unknown field"),
    ],
)
def test_what_does_not_fit_together_is_refused_with_its_place(
    identity: Identity, tmp_path: Path, change: Callable[[Path], None], message: str
) -> None:
    folder = Path(shutil.copytree(identity.path.parent, tmp_path / "id"))
    change(folder)
    with pytest.raises(UsageError, match=message) as refused:
        load_identity(folder)
    assert str(folder) in str(refused.value)
