"""What holds for all tests: no silent skips, and runs that several of them share are played once.

A test that silently stops running proves nothing: with --forbid-skips a skip fails the run.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from reports.allure_html import EXECUTABLE_VARIABLE
from tests.shared_runs import FULL_COMMAND, Finished, finished, group_of, plain_environment

# The same examples everywhere and every time, and none too slow for a machine that is busy with something else.
settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")

_skipped = pytest.StashKey[list[str]]()

WITHOUT_PAGE = ("verifying", "crash")
"""Folders whose runs go without the page, as their own fixtures arrange."""


@pytest.fixture(scope="module", autouse=True)
def page_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the tests of another folder have set does not reach these."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name not in WITHOUT_PAGE:
            patch.delenv(EXECUTABLE_VARIABLE, raising=False)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forbid-skips", action="store_true", help="fail the run if any test was skipped")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_skipped] = []
    if config.getoption("--forbid-skips"):
        config.pluginmanager.register(_SkipWatch(config.stash[_skipped]), "forbid-skips")


class _SkipWatch:
    def __init__(self, skipped: list[str]) -> None:
        self._skipped = skipped

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self._skipped.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._skipped.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._skipped and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for nodeid in self._skipped:
            terminalreporter.write_line(f"FORBIDDEN SKIP {nodeid}", red=True)


class _Groups(LoadScopeScheduling):  # type: ignore[misc]  # it comes without types
    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """With `-n`, groups of tests go to the workers in the order of the files: long ones stand at the beginning."""
    config.option.loadscopereorder = False
    return _Groups(config, log)


@pytest.fixture(scope="session")
def full_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """The default plan with its defect matrix: what `make certify` does, and the first command of the README."""
    home = tmp_path_factory.mktemp("full")
    return finished(*FULL_COMMAND, folder=home / FULL_COMMAND[-1], cwd=home, environment=plain_environment(home))
