"""Runs of the command as processes of their own.

They go without the page, which takes as long as all the rest of a short run; what it shows is tested elsewhere.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from reports.allure_html import EXECUTABLE_VARIABLE
from tests.shared_runs import TIMEOUT_S, Finished, finished

__all__ = ["TIMEOUT_S", "Finished", "cardcert", "certify"]


def cardcert(*arguments: str, folder: Path = Path()) -> Finished:
    """Run `cardcert` and wait for its end."""
    without_page = {**os.environ, EXECUTABLE_VARIABLE: "/nowhere/allure"}
    return finished("cardcert", *arguments, folder=folder, environment=without_page)


def certify(folder: Path, scenarios: Sequence[str] = (), *arguments: str) -> Finished:
    """Run `cardcert certify` into `folder`, on the emulated rig, with the scenarios named or all."""
    chosen = [argument for name in scenarios for argument in ("--scenario", name)]
    return cardcert("certify", "--out", str(folder), *chosen, *arguments, folder=folder)
