"""`cardcert judge`: judge recorded evidence again, with the packs of then or with others, and say what changes."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.table import Table

from cardcert.listings import print_table
from cardcert.stored import LINE_LIMIT, STATUS
from evidence.journal import journal_head
from fixtures.certification import conclude
from fixtures.judged import judge_run, stored_verdicts
from fixtures.run_folder import read_json
from fixtures.run_settings import RunSettings
from fixtures.stored_run import settings_of
from reports.junit import FILE_NAME as JUNIT
from reports.junit import build_junit
from reports.sealing.seal import seal
from reports.text import visible
from rules.changes import Change, find_changes
from rules.kept_packs import store_packs
from rules.summary import Summary, summarise
from rules.verdicts import Outcome, Verdict
from rules.wordfile import LANGUAGES

NONE = "-"
"""Stands where there is no verdict."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("judge", help="judge recorded evidence again", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")
    parser.add_argument("--policy", action="append", default=[], metavar="SWITCH=VALUE", help="set a policy switch")
    parser.add_argument("--pack", action="append", default=[], type=Path, metavar="DIR", help="use this pack instead")
    parser.add_argument(
        "--installed", action="store_true", help="use the packs that came with cardcert, not those kept in the folder"
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the sentences (default: that of the run)")
    parser.add_argument("--write", action="store_true", help="store the new verdicts, and the packs, in the run folder")
    parser.add_argument("--json", action="store_true", help="print the changes as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Judge again and say what changed; the run folder stays as it is unless --write is given."""
    out: Path = options.folder
    settings = settings_of(out, options.policy, options.pack, installed=options.installed, language=options.lang or "")
    before, after = stored_verdicts(out), judge_run(settings)
    changes = find_changes(before, after, settings.language)
    summary = summarise(after, settings.packs, settings.plan.scenarios)
    was = str(read_json(out / "run.json")["overall"])
    if options.write:
        _write(out, settings)
        if changes:
            print(
                f"cardcert: the reports still tell the result before; `cardcert report {out}` makes them anew",
                file=sys.stderr,
            )
    if options.json:
        told = {"overall": summary.overall, "was": was, "judged": len(after), "changes": changes}
        print(msgspec.json.encode(told).decode())
    else:
        _print(changes, after, summary, was)
    return STATUS[summary.overall]


def _write(out: Path, settings: RunSettings) -> None:
    stored = read_json(out / "run.json")
    store_packs(out, settings.packs)
    finished = str(stored.get("finished_utc", ""))
    conclude(settings, stored["started_utc"], journal_head(out), finished)
    if (out / JUNIT).exists():
        build_junit(out)
    seal(out)  # reports and signatures of before are not over this: `cardcert report` makes them anew


def _print(changes: Sequence[Change], after: Sequence[Verdict], summary: Summary, was: str) -> None:
    rows = [
        [
            visible(cell, LINE_LIMIT)
            for cell in (one.scenario, one.clause, _called(one.was), _called(one.now), _why(one))
        ]
        for one in changes
    ]
    if rows and sys.stdout.isatty():
        table = Table("scenario", "clause", "was", "is", "why", box=None, pad_edge=False)
        for row in rows:
            table.add_row(*row)
        print_table(table)
    else:
        for scenario, clause, before, now, why in rows:
            print(f"{scenario} {clause}: {before} -> {now}: {why}")
    overall = summary.overall if summary.overall == was else f"{visible(was, LINE_LIMIT)} -> {summary.overall}"
    print(f"{len(after)} verdicts, {len(changes)} changed; {overall}")


def _called(outcome: Outcome | None) -> str:
    return outcome.value if outcome else NONE


def _why(change: Change) -> str:
    """The sentence, with the switches that were turned and the requirements that came out otherwise."""
    turned = [f"{name}={now}" for name, (_, now) in change.policies.items() if now is not None]
    parts = [f"{name} {_called(was)} -> {_called(now)}" for name, (was, now) in change.requirements.items()]
    if change.now is None:
        return f"no longer judged; before: {change.reason}"
    return " ".join([*(f"[{one}]" for one in (", ".join(turned), ", ".join(parts)) if one), change.reason])
