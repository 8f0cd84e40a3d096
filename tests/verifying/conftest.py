"""A whole run of the command, signed, that the tests of verifying alter."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reports.allure_html import EXECUTABLE_VARIABLE
from reports.sealing.identity import Identity, load_identity
from reports.sealing.making import make_test_identity
from tests.certification.conftest import certify
from tests.certification.test_camera_accuracy import measured, rig_with

SCENARIOS = ("pr-proper",)


@pytest.fixture(scope="session", autouse=True)
def no_page() -> Iterator[None]:
    """Without the page, which takes longer than all the rest and is a file like any other here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(EXECUTABLE_VARIABLE, "/nowhere/allure")
        yield


@pytest.fixture(scope="session")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    folder = tmp_path_factory.mktemp("keys") / "identity"
    make_test_identity(folder, "Table games laboratory")
    return load_identity(folder)


@pytest.fixture(scope="session")
def signed_whole(tmp_path_factory: pytest.TempPathFactory, signer: Identity) -> Path:
    """A run that the command played, judged, reported and signed."""
    rig = rig_with(tmp_path_factory.mktemp("rig"), measured())
    made = tmp_path_factory.mktemp("whole") / "run"
    run = certify(made, SCENARIOS, "--sign", str(signer.path), "--rig", str(rig))
    assert "SIGNED WITH A TEST IDENTITY" in run.out
    return run.folder


@pytest.fixture
def whole(signed_whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(signed_whole, tmp_path / "run"))
