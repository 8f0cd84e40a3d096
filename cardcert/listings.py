"""`cardcert rules`, `faults` and `plan`: show what ships, and check what is written."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from bench.faults.catalogue import catalogue
from bench.plan import load_plan
from cardcert.shipped import PLANS, find_plan, names
from evidence.errors import UsageError
from fixtures.checks import check_plan
from reports.text import visible
from rules.listing import describe_pack, list_clauses, show_clause
from rules.loader import load_packs

CELL_LIMIT = 4000
"""Characters of one entry of a table that are shown; a plan or a pack may come from anywhere."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    rules = commands.add_parser("rules", help="clause packs: list, show, check").add_subparsers(required=True)
    parser = _reading(rules, "list", run_rules_list, "list the clauses of all packs")
    parser.add_argument("--pack", help="only this pack")
    parser = _reading(rules, "show", run_rules_show, "show one clause, its requirements and its policy switches")
    parser.add_argument("clause")
    parser = _reading(rules, "check", run_rules_check, "check a pack's files")
    parser.add_argument("folder", type=Path, nargs="?", help="pack folder (default: all shipped packs)")

    faults = commands.add_parser("faults", help="fault catalogue: list, show").add_subparsers(required=True)
    _reading(faults, "list", run_faults_list, "list the faults that can be injected")
    parser = _reading(faults, "show", run_faults_show, "show one fault")
    parser.add_argument("fault")

    plan = commands.add_parser("plan", help="plans: list, show").add_subparsers(required=True)
    _reading(plan, "list", run_plan_list, "list the shipped plans")
    parser = _reading(plan, "show", run_plan_show, "show the scenarios of a plan")
    parser.add_argument("plan")


def _reading(group: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = group.add_parser(name, help=text, description=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def run_rules_list(options: argparse.Namespace) -> int:
    rows = list_clauses(load_packs([options.pack] if options.pack else None))
    return _show(options, rows, ("id", "citation", "meaning"))


def run_rules_show(options: argparse.Namespace) -> int:
    found = show_clause(load_packs(None), options.clause)
    print(json.dumps(found) if options.json else json.dumps(found, indent=2, ensure_ascii=False))
    return 0


def run_rules_check(options: argparse.Namespace) -> int:
    packs = load_packs([], extra=[options.folder]) if options.folder else load_packs(None)
    rows = [describe_pack(pack) for pack in packs]
    return _show(options, rows, ("pack", "version", "clauses", "requirements", "alternatives"))


def run_faults_list(options: argparse.Namespace) -> int:
    rows = [msgspec.to_builtins(entry) for entry in catalogue().values()]
    return _show(options, rows, ("name", "targets", "symptom", "description"))


def run_faults_show(options: argparse.Namespace) -> int:
    entry = catalogue().get(options.fault)
    if entry is None:
        raise UsageError(f"there is no fault {options.fault!r}. `cardcert faults list` shows those there are.")
    found = msgspec.to_builtins(entry)
    print(json.dumps(found) if options.json else json.dumps(found, indent=2))
    return 0


def run_plan_list(options: argparse.Namespace) -> int:
    rows = []
    for name in names(PLANS):
        plan = load_plan(find_plan(name))
        rows.append({"name": name, "title": plan.title, "scenarios": len(plan.scenarios), "packs": plan.packs})
    return _show(options, rows, ("name", "scenarios", "title"))


def run_plan_show(options: argparse.Namespace) -> int:
    plan = load_plan(find_plan(options.plan))
    check_plan(plan, load_packs(plan.packs))
    rows = [
        {"id": scenario.id, "title": scenario.title, "covers": scenario.covers,
         "faults": [fault.name for fault in scenario.faults], "defects": [defect.name for defect in scenario.defects]}
        for scenario in plan.scenarios
    ]  # fmt: skip
    return _show(options, rows, ("id", "title", "covers"))


def _show(options: argparse.Namespace, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> int:
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
