"""`cardcert report diff`: compare two runs, for a maker's release gate."""

import argparse
import json
import sys
from pathlib import Path

from evidence.errors import UsageError
from evidence.files import write_atomic
from reports.diff.compare import compare
from reports.diff.told import as_data, as_markdown, gate
from reports.run_view import RunView

WORD = "diff"
"""What stands in the place of the run folder to ask for a comparison; `./diff` is a folder of that name."""


def add_compare_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that only a comparison takes."""
    parser.add_argument(
        "--gate-timing", action="store_true", help="diff: status 1 also when a time grew beyond its noise"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="diff: write the comparison to this file")


def is_compare(folders: list[Path]) -> bool:
    """Whether the arguments of `report` ask for a comparison."""
    return len(folders) > 1 and str(folders[0]) == WORD


def run_compare(options: argparse.Namespace) -> int:
    """Compare; 0 when nothing got worse, 1 when a clause fails now, 3 when one that stood is not shown any more."""
    folders: list[Path] = options.folder[1:]
    if len(folders) != 2:
        raise UsageError(f"report diff: expected two run folders, got {len(folders)}. Name the earlier one first.")
    found = compare(*map(RunView.load, folders))
    status = gate(found, timing=options.gate_timing)
    markdown = as_markdown(found)
    if options.markdown is not None:
        write_atomic(options.markdown, markdown.encode())
    sys.stdout.write(json.dumps(as_data(found, status)) + "\n" if options.json else markdown)
    return status
