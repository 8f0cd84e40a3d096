"""`cardcert faults`, and how lists are shown: a table for people, JSON for programs."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from bench.faults.catalogue import catalogue
from evidence.errors import UsageError
from reports.text import visible

CELL_LIMIT = 4000
"""Characters of one entry of a table that are shown; a plan or a pack may come from anywhere."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    faults = commands.add_parser("faults", help="fault catalogue: list, show").add_subparsers(required=True)
    reading(faults, "list", run_faults_list, "list the faults that can be injected")
    parser = reading(faults, "show", run_faults_show, "show one fault")
    parser.add_argument("fault")


def reading(group: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = group.add_parser(name, help=text, description=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def run_faults_list(options: argparse.Namespace) -> int:
    rows = [msgspec.to_builtins(entry) for entry in catalogue().values()]
    return print_rows(options, rows, ("name", "targets", "symptom", "description"))


def run_faults_show(options: argparse.Namespace) -> int:
    entry = catalogue().get(options.fault)
    if entry is None:
        raise UsageError(f"there is no fault {options.fault!r}. `cardcert faults list` shows those there are.")
    found = msgspec.to_builtins(entry)
    print(json.dumps(found) if options.json else json.dumps(found, indent=2))
    return 0


def print_rows(options: argparse.Namespace, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> int:
    if options.json:
        print(json.dumps(rows))
        return 0
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in columns))
    Console().print(table, markup=False)
    return 0


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("en", "")
    return visible(", ".join(map(str, value)) if isinstance(value, list | tuple) else value, CELL_LIMIT)
