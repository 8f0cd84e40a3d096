"""Runs that are dear to make and that many tests look at: made once, by one worker, and never written to."""

import contextlib
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cardcert.__main__ import main

TIMEOUT_S = 600
POLL_S = 0.01

FULL_COMMAND = ("cardcert", "certify", "--out", "first-run")
"""What the README does first; every test of the whole default plan looks at what it left."""

README_PAGE = "test_page_runs_as_written[README]"


def group_of(nodeid: str) -> str:
    """The group of a test. Tests of one group go to one worker, which then makes once what they share.

    That is a file of tests, where no run is shared by more than one; the pages of the handbook share nothing.
    """
    file = nodeid.partition("::")[0]
    if file.endswith("test_certify_default_plan.py") or nodeid.endswith(README_PAGE):
        return "full_run"
    if file.startswith(("tests/verifying/", "tests/schemas/")):
        return "signed_whole"
    return nodeid if "test_page_runs_as_written" in nodeid else file


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has ended, and the run folder it left."""

    status: int
    out: str
    err: str
    folder: Path

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text())

    def verdicts(self) -> dict[tuple[str, str], str]:
        """Verdict by scenario and clause."""
        return {(row["scenario"], row["clause"]): row["verdict"] for row in self.json("verdicts.json")}


def plain_environment(home: Path) -> dict[str, str]:
    """What somebody has who opened a terminal: no setting of the test run's own."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "COLUMNS": "200"}


def performed(
    *arguments: str, folder: Path, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run `cardcert` to its end in this process: to start another takes longer than most commands.

    What it writes is kept apart from what the test writes. `environment` is all that the command finds in it.
    """
    out, err = io.StringIO(), io.StringIO()
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        if environment is not None:
            for name in set(os.environ) - set(environment):
                patch.delenv(name)
            for name, value in environment.items():
                patch.setenv(name, value)
        if cwd is not None:
            patch.chdir(cwd)
        patch.setattr(sys, "stdin", stack.enter_context(open(os.devnull)))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        try:
            status = main(arguments)
        except SystemExit as end:
            # That is how the parser of the command line leaves.
            status = int(end.code or 0)
    return Finished(status, out.getvalue(), err.getvalue(), folder)


def finished(
    *words: str, folder: Path, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run a command of ours, such as `cardcert certify`, in a process of its own, and wait for its end."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S, cwd=cwd,
        env=environment,
    )  # fmt: skip
    return Finished(done.returncode, done.stdout, done.stderr, folder)


def wait_until(reached: Callable[[], bool], process: "subprocess.Popen[Any]") -> None:
    """Wait, without taking the processor from it, for what a process brings about; it must not end before."""
    deadline = time.monotonic() + TIMEOUT_S
    while not reached():
        assert time.monotonic() < deadline
        assert process.returncode is None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
