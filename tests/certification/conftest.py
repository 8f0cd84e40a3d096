"""Runs of the command as processes of their own."""

from collections.abc import Sequence
from pathlib import Path

from tests.shared_runs import Finished, finished

__all__ = ["Finished", "cardcert", "certify"]


def cardcert(*arguments: str, folder: Path = Path()) -> Finished:
    """Run `cardcert` and wait for its end."""
    return finished("cardcert", *arguments, folder=folder)


def certify(folder: Path, scenarios: Sequence[str] = (), *arguments: str) -> Finished:
    """Run `cardcert certify` into `folder`, on the emulated rig, with the scenarios named or all."""
    chosen = [argument for name in scenarios for argument in ("--scenario", name)]
    return cardcert("certify", "--out", str(folder), *chosen, *arguments, folder=folder)
