"""Options of commands that make reports: the laboratory's papers."""

import argparse
from pathlib import Path

from reports.papers.laying import Papers


def add_paper_options(parser: argparse.ArgumentParser) -> None:
    """Add `--lab`, `--known` and `--history`."""
    parser.add_argument(
        "--lab", type=Path, metavar="FILE", help="laboratory file: who tested what for whom (docs/reports.md)"
    )
    parser.add_argument(
        "--known", type=Path, metavar="FILE", help="known non-conformities: marked as known, failures all the same"
    )
    parser.add_argument(
        "--history", type=Path, metavar="FILE", help="history of earlier runs to show and to add this run to"
    )


def papers_of(options: argparse.Namespace) -> Papers:
    """The papers that a command was given."""
    return Papers(laboratory=options.lab, known=options.known, history=options.history)
