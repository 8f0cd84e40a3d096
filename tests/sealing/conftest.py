"""A test identity, and a small run that it signed, for the tests of sealing, bundles and verifying."""

import shutil
from pathlib import Path

import pytest

from reports.certificate import build_certificate
from reports.sealing.identity import Identity, load_identity
from reports.sealing.making import make_test_identity
from reports.sealing.seal import seal
from tests.reports.report_runs import small_run


@pytest.fixture(scope="session")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    folder = tmp_path_factory.mktemp("keys") / "identity"
    make_test_identity(folder, "Table games laboratory")
    return load_identity(folder)


@pytest.fixture(scope="session")
def other_identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    folder = tmp_path_factory.mktemp("keys") / "other"
    make_test_identity(folder, "Somebody else")
    return load_identity(folder)


@pytest.fixture(scope="session")
def signed_once(tmp_path_factory: pytest.TempPathFactory, identity: Identity) -> Path:
    folder = small_run(tmp_path_factory.mktemp("signed") / "run")
    build_certificate(folder, signed_by=identity.signed_by())
    seal(folder, identity)
    return folder


@pytest.fixture
def signed_run(signed_once: Path, tmp_path: Path) -> Path:
    """A copy of a signed run folder, to be altered."""
    return Path(shutil.copytree(signed_once, tmp_path / "run"))
