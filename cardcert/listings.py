"""How lists are shown: a table for people, JSON for programs."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from reports.text import visible

CELL_LIMIT = 4000
"""Characters of one entry of a table that are shown; a plan or a pack may come from anywhere."""
LONGEST_LINE = 100_000


def reading(group: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = group.add_parser(name, help=text, description=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def print_rows(options: argparse.Namespace, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> int:
    if options.json:
        print(json.dumps(rows))
        return 0
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in columns))
    print_table(table)
    return 0


def print_table(table: Table) -> None:
    """Fit a table to the terminal; elsewhere a row is a line, however long, for `grep` and for files."""
    if sys.stdout.isatty():
        Console().print(table, markup=False)
        return
    console = Console(width=LONGEST_LINE)
    with console.capture() as captured:
        console.print(table, markup=False)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()), flush=True)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines in which names of files, or words out of files, may stand: no control character reaches a terminal.

    A line may hold several, joined by newlines.
    """
    for line in lines:
        print("\n".join(visible(part, CELL_LIMIT) for part in line.split("\n")), flush=True)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("en", "")
    return visible(", ".join(map(str, value)) if isinstance(value, list | tuple) else value, CELL_LIMIT)
