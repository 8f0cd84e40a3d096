"""Runs of the command without the page, which takes as long as all the rest of a short run and is tested elsewhere."""

import os
from collections.abc import Sequence
from pathlib import Path

from reports.allure_html import EXECUTABLE_VARIABLE
from tests.shared_runs import TIMEOUT_S, Finished, performed

__all__ = ["TIMEOUT_S", "WITHOUT_PAGE", "Finished", "cardcert", "certify"]

WITHOUT_PAGE = {EXECUTABLE_VARIABLE: "/nowhere/allure"}
"""The environment in which no page is made."""


def cardcert(*arguments: str, folder: Path = Path()) -> Finished:
    """Run `cardcert` to its end, in this process."""
    return performed(*arguments, folder=folder, environment={**os.environ, **WITHOUT_PAGE})


def certify(folder: Path, scenarios: Sequence[str] = (), *arguments: str) -> Finished:
    """Run `cardcert certify` into `folder`, on the emulated rig, with the scenarios named or all."""
    chosen = [argument for name in scenarios for argument in ("--scenario", name)]
    return cardcert("certify", "--out", str(folder), *chosen, *arguments, folder=folder)
