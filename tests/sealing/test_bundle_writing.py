"""A bundle is one file with the whole run folder in it, the same bytes for the same folder, and no key."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cardcert.__main__ import main
from evidence.errors import EvidenceDamaged, UsageError
from reports.bundle import opened, write_bundle
from reports.manifest import write_manifest
from reports.sealing.identity import Identity
from tests.sealing.bundle_parts import pack, parts


def content_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_file_of_the_run_is_in_it_and_any_tool_opens_it(signed_run: Path, tmp_path: Path) -> None:
    made = write_bundle(signed_run, tmp_path / "run.zip")
    with zipfile.ZipFile(made) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        held = {name.removeprefix("run/"): archive.read(name) for name in names if name.startswith("run/")}
    assert names[0] == "bundle.json"
    assert names[1] == "run/manifest.json"
    assert held == content_of(signed_run)


def test_it_opens_to_the_same_folder(signed_run: Path, tmp_path: Path) -> None:
    with opened(write_bundle(signed_run, tmp_path / "run.zip")) as (folder, finding):
        assert finding == ""
        assert content_of(folder) == content_of(signed_run)
    assert not folder.exists()


def test_the_same_folder_gives_the_same_bytes_whenever_and_wherever(signed_run: Path, tmp_path: Path) -> None:
    first = write_bundle(signed_run, tmp_path / "a.zip").read_bytes()
    elsewhere = Path(shutil.copytree(signed_run, tmp_path / "elsewhere" / "other name"))
    for path in elsewhere.rglob("*"):
        os.utime(path, (1, 1))
    command = (
        "import sys; from pathlib import Path; from reports.bundle import write_bundle;"
        "write_bundle(*map(Path, sys.argv[1:]))"
    )
    environment = {**os.environ, "TZ": "Pacific/Chatham", "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", command, elsewhere, tmp_path / "b.zip"], check=True, env=environment)
    assert (tmp_path / "b.zip").read_bytes() == first


def test_its_layout_is_that_of_another_writer_of_zip_files(signed_run: Path, tmp_path: Path) -> None:
    made = write_bundle(signed_run, tmp_path / "run.zip")
    assert pack(parts(made)) == made.read_bytes()


def test_no_private_key_goes_into_a_bundle(signed_run: Path, identity: Identity, tmp_path: Path) -> None:
    shutil.copy(identity.beside("manifest.key.pem"), signed_run / "notes.txt")
    for name in ("manifest.json.sig", "attestation.dsse.json"):
        (signed_run / name).unlink()
    (signed_run / "signer.pem").unlink()
    write_manifest(signed_run)
    with pytest.raises(UsageError, match=r"notes\.txt: a private key lies in the run folder"):
        write_bundle(signed_run, tmp_path / "run.zip")
    assert list(tmp_path.glob("*run.zip*")) == []


def test_a_key_is_seen_where_two_pieces_of_a_file_meet(signed_run: Path, tmp_path: Path) -> None:
    for name in ("manifest.json.sig", "attestation.dsse.json", "signer.pem"):
        (signed_run / name).unlink()
    (signed_run / "notes.txt").write_bytes(b"x" * ((1 << 20) - 8) + b"-----BEGIN PRIVATE KEY-----")
    write_manifest(signed_run)
    with pytest.raises(UsageError, match="private key"):
        write_bundle(signed_run, tmp_path / "run.zip")


def test_a_folder_that_does_not_hold_together_is_not_bundled(signed_run: Path, tmp_path: Path) -> None:
    (signed_run / "run.json").write_text("{}")
    with pytest.raises(EvidenceDamaged, match=r"run\.json"):
        write_bundle(signed_run, tmp_path / "run.zip")
    assert not (tmp_path / "run.zip").exists()


def test_the_command_writes_beside_the_folder_and_over_nothing(
    signed_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bundle", str(signed_run)]) == 0
    made = signed_run.with_name("run.cardcert.zip")
    assert str(made) in capsys.readouterr().out
    before = made.read_bytes()
    assert main(["bundle", str(signed_run)]) == 2
    assert made.read_bytes() == before
    assert main(["bundle", str(signed_run), "-o", str(signed_run / "x.zip")]) == 2
    assert main(["bundle", str(signed_run.parent / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 3
