"""`cardcert sensitivity`: show that every test is able to fail."""

import argparse
import json
import os
import sys
from pathlib import Path

import msgspec
from rich.table import Table

from bench.plan import Plan, load_plan, narrowed
from bench.rig import load_rig
from cardcert.listings import print_table
from cardcert.orphans import end_with
from cardcert.shipped import find_plan, find_rig
from evidence.errors import UsageError
from fixtures.checks import check_plan, known_defects
from fixtures.defect_runs import MatrixSettings, processors
from fixtures.own_packs import packs_of
from fixtures.play_matrix import play_matrix
from fixtures.progress import Progress
from fixtures.run_folder import write_json
from fixtures.run_settings import parse_policies
from fixtures.sensitivity import Row, flaws
from rules.judge import choose_policies

BESIDE = 10
"""How much a matrix that is made beside a run stands back behind it."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("sensitivity", help="run every scenario with each defect that it must catch")
    parser.add_argument("plan", nargs="?", default="default", help="plan file or name (default: all shipped clauses)")
    parser.add_argument("--pack", help="only this pack")
    parser.add_argument("--seed", type=int, default=1, help="seed of the runs (default 1)")
    parser.add_argument("--policy", action="append", default=[], metavar="SWITCH=VALUE", help="set a policy switch")
    parser.add_argument("--out", type=Path, help="write the matrix to this JSON file")
    parser.add_argument("--list", action="store_true", help="list the defects and the requirements they break")
    parser.add_argument(
        "--defects-only", action="store_true", help="leave out the compliant runs, where a certification has them"
    )
    parser.add_argument("--declared-only", action="store_true", help="leave out the generic defects")
    parser.add_argument("--jobs", type=int, default=0, help="processes that play (default: as many as processors)")
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--parent", type=int, default=0, help=argparse.SUPPRESS)  # ends with that process, silently
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the matrix, as `_run` says; for another process in silence, and no longer than that one lives."""
    if not options.parent:
        return _run(options)
    try:
        os.nice(BESIDE)
        end_with(options.parent)
        return _run(options)
    except KeyboardInterrupt:
        return 3


def _run(options: argparse.Namespace) -> int:
    """Run the matrix; 0 when every requirement has a defect that it alone catches, beside what is declared; else 1."""
    plan_path = find_plan(options.plan)
    plan = load_plan(plan_path)
    if options.pack:
        plan = narrowed(plan, [scenario for scenario in plan.scenarios if options.pack in scenario.packs])
        if not plan.scenarios:
            where = "See `cardcert plan show`."
            raise UsageError(f"plan {options.plan!r} has no scenario of pack {options.pack!r}. {where}")
    if options.list:
        return _list(plan, options)
    packs, rig = packs_of(plan, plan_path), load_rig(find_rig(plan.rig))
    check_plan(plan, packs)
    policies = parse_policies(options.policy)
    for pack in packs:
        choose_policies(pack, policies, packs)
    own = {options.pack} if options.pack else {scenario.pack for scenario in plan.scenarios}
    shown = [pack for pack in packs if pack.id in own]
    settings = MatrixSettings(rig, packs, policies, options.seed, compliant=not options.defects_only)
    with Progress(0 if options.quiet else len(plan.scenarios)) as progress:
        rows = play_matrix(
            plan, shown, settings, progress.step, generic=not options.declared_only, jobs=options.jobs or processors()
        )
    findings = flaws(rows, plan, shown, policies, compliant=settings.compliant)
    if options.out:
        write_json(options.out, rows)
    if options.json:
        sys.stdout.write(msgspec.json.encode(rows).decode() + "\n")
    elif not options.quiet:
        _print(rows, findings)
    return 1 if findings else 0


def _list(plan: Plan, options: argparse.Namespace) -> int:
    known = known_defects()
    rows = [
        {
            "on": defect.on,
            "name": defect.name,
            "does": known[defect.on].get(defect.name, ""),
            "fails": defect.fails,
            "follows": defect.follows,
            "scenario": scenario.id,
        }
        for scenario in plan.scenarios
        for defect in scenario.defects
    ]
    if options.json:
        print(json.dumps(rows))
        return 0
    table = Table("on", "defect", "which", "breaks", "then also", "in scenario", box=None, pad_edge=False)
    for row in rows:
        told = (str(row[name]) for name in ("on", "name", "does", "fails"))
        table.add_row(*told, ", ".join(row["follows"]), str(row["scenario"]))
    print_table(table)
    return 0


def _print(rows: list[Row], findings: list[str]) -> None:
    table = Table("requirement", "compliant", "defect", "verdict", "also failed", box=None, pad_edge=False)
    for row in rows:
        if not row.defects:
            table.add_row(row.name, row.compliant, "none", "", "")
        for defect in row.defects:
            strange = [f"{name} (undeclared)" for name in defect.undeclared]
            table.add_row(
                row.name, row.compliant, f"{defect.on} {defect.name}", defect.verdict,
                ", ".join([*(name for name in defect.also_failed if name in defect.declared), *strange]),
            )  # fmt: skip
    print_table(table)
    defects = [defect for row in rows for defect in row.defects]
    generic = [row.generic for row in rows if row.generic is not None]
    print(f"{sum(defect.exact for defect in defects)} of {len(defects)} defects caught exactly; "
          f"{sum(row.shown for row in rows)} of {len(rows)} requirements shown able to fail")  # fmt: skip
    if generic:
        print(f"generic defects: {sum(len(one.killed) for one in generic)} caught, "
              f"{sum(len(one.unfit) for one in generic)} came to no verdict, "
              f"{sum(len(one.equivalent) for one in generic)} declared to break nothing, "
              f"{sum(len(one.survived) for one in generic)} not caught")  # fmt: skip
    for finding in findings:
        print(finding)
