"""Whole runs of the command, as processes of their own, shared by the tests that look at what they left."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

TIMEOUT_S = 400


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


def cardcert(*arguments: str, folder: Path = Path()) -> Finished:
    """Run `cardcert` and wait for its end."""
    command = [sys.executable, "-m", "cardcert", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT_S)
    return Finished(done.returncode, done.stdout, done.stderr, folder)


def certify(folder: Path, scenarios: Sequence[str] = (), *arguments: str) -> Finished:
    """Run `cardcert certify` into `folder`, on the emulated rig, with the scenarios named or all."""
    chosen = [argument for name in scenarios for argument in ("--scenario", name)]
    return cardcert("certify", "--out", str(folder), *chosen, *arguments, folder=folder)


@pytest.fixture(scope="session")
def full_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """The default plan with its defect matrix: what `make certify` does."""
    return certify(tmp_path_factory.mktemp("certify") / "run")
