"""Runs of the command, in this process: a process of its own takes longer to start than most commands take.

Those that are about processes start one: by `tests.shared_runs.finished`, or as they need it. All go without the page,
which takes as long as all the rest of a short run; what it shows is tested elsewhere.
"""

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardcert.__main__ import main
from reports.allure_html import EXECUTABLE_VARIABLE
from tests.shared_runs import TIMEOUT_S, Finished

__all__ = ["TIMEOUT_S", "WITHOUT_PAGE", "Finished", "cardcert", "certify"]

WITHOUT_PAGE = {EXECUTABLE_VARIABLE: "/nowhere/allure"}
"""The environment in which no page is made."""


def cardcert(*arguments: str, folder: Path = Path()) -> Finished:
    """Run `cardcert` to its end; what it writes is kept apart from what the test writes."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        for name, value in WITHOUT_PAGE.items():
            patch.setenv(name, value)
        try:
            status = main(arguments)
        except SystemExit as end:
            # That is how the parser of the command line leaves.
            status = int(end.code or 0)
    return Finished(status, out.getvalue(), err.getvalue(), folder)


def certify(folder: Path, scenarios: Sequence[str] = (), *arguments: str) -> Finished:
    """Run `cardcert certify` into `folder`, on the emulated rig, with the scenarios named or all."""
    chosen = [argument for name in scenarios for argument in ("--scenario", name)]
    return cardcert("certify", "--out", str(folder), *chosen, *arguments, folder=folder)
