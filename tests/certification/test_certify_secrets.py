"""A rig file's secrets get into no file of a run folder; the run is gone on with, judged and verified without them."""

import json
import shutil
from pathlib import Path

import pytest

from cardcert.__main__ import main
from cardcert.shipped import RIGS
from tests.certification.conftest import certify

SECRETS = ("hunter2", "s3cr3t-t0ken", "open-sesame")


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    shutil.copytree(RIGS, tmp_path / "rigs")
    path = tmp_path / "rigs" / "mine.toml"
    text = (RIGS / "emulated.toml").read_text()
    assert "[laboratory]\n" in text
    text = text.replace(
        "[laboratory]\n",
        f'# The door is opened by the password {SECRETS[0]}.\n[laboratory]\nwifi_password = "{SECRETS[1]}"\n',
    )
    path.write_text(text.replace('role = "shoe"\n', f'role = "shoe"\noptions = {{ token = "{SECRETS[2]}" }}\n', 1))
    return path


def test_no_secret_of_the_rig_stands_in_the_run_folder(rig: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = certify(folder, ["pr-unapproved"], "--no-sensitivity", "--rig", str(rig))
    assert run.status == 3, run.err
    files = [path for path in folder.rglob("*") if path.is_file()]
    found = {path.name: word for path in files for word in SECRETS if word.encode() in path.read_bytes()}
    assert found == {}
    assert json.loads((folder / "run.json").read_text())["laboratory"]["wifi_password"] == "removed"
    assert main(["verify", str(folder)]) == 0
    assert main(["judge", str(folder)]) == 3
    again = certify(folder, ["pr-unapproved"], "--no-sensitivity", "--resume", "--rig", str(rig))
    assert again.status == 3, again.err


def test_a_rig_file_without_secrets_is_kept_as_it_is(tmp_path: Path) -> None:
    run = certify(tmp_path / "run", ["pr-unapproved"], "--no-sensitivity")
    assert (run.folder / "rig.toml").read_bytes() == (RIGS / "emulated.toml").read_bytes()
