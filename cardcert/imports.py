"""`cardcert import`: read what a device recorded by itself, and hold it against a run's journal."""

import argparse
import json
from pathlib import Path

from bench.histories import Compared, Seen, compare, seen_by_bench
from bench.protocol.deckmate_log import Entry, read_log
from evidence.errors import UsageError
from evidence.journal import read_journal

MOST_WITHIN_S = 86_400.0
MOST_OFFSET_S = 10 * 366 * 86_400.0


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    kinds = commands.add_parser("import", help="read a device's own log", description=__doc__)
    group = kinds.add_subparsers(dest="log", metavar="LOG", required=True)
    parser = group.add_parser("deckmate-log", help="the history log of a Deck Mate 1")
    parser.add_argument("file", type=Path, help="the log as the device printed it")
    parser.add_argument("--run", type=Path, metavar="DIR", dest="folder", help="run folder to hold it against")
    parser.add_argument("--device", default="shuffler", help="the device's name in that run (default shuffler)")
    parser.add_argument("--within", type=float, default=60.0, metavar="S", help="seconds that may lie between (60)")
    parser.add_argument("--clock-ahead", type=float, default=0.0, metavar="S", help="how far its clock is ahead of UTC")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read the log; with a run, 1 when one side recorded what the other did not, else 0."""
    if not 0 <= options.within <= MOST_WITHIN_S:
        raise UsageError(f"--within is {options.within}; expected 0 to {MOST_WITHIN_S:g} seconds.")
    if not abs(options.clock_ahead) <= MOST_OFFSET_S:
        raise UsageError(f"--clock-ahead is {options.clock_ahead}; expected at most {MOST_OFFSET_S:g} seconds.")
    entries = read_log(options.file)
    if options.folder is None:
        _print(options, [_entry(entry) for entry in entries])
        return 0
    try:
        seen, span = seen_by_bench(read_journal(options.folder), options.device)
    except ValueError as error:
        raise UsageError(f"{options.folder}: {error}. Name a run folder.") from None
    found = compare(entries, seen, span, options.within, options.clock_ahead)
    if options.json:
        print(json.dumps(_told(found)))
    else:
        for entry, one in found.both:
            print(f"both         {entry.kind:14} line {entry.line}, record {one.seq}")
        for entry in found.device_only:
            print(f"device only  {entry.kind:14} line {entry.line}, {entry.at:%Y-%m-%d %H:%M:%S}, cycle {entry.cycle}")
        for one in found.bench_only:
            print(f"bench only   {one.kind:14} record {one.seq}, {one.at}")
        print(f"{found.outside} entries lie outside the run")
    return 1 if found.device_only or found.bench_only else 0


def _print(options: argparse.Namespace, rows: list[dict[str, object]]) -> None:
    if options.json:
        print(json.dumps(rows))
        return
    for row in rows:
        where = f"cycle {row['cycle']}, platform {row['platform']}, gripper {row['gripper']}"
        print(f"{row['at']}  {row['kind']:14}  {where}")


def _told(found: Compared) -> dict[str, object]:
    return {
        "both": [{"entry": _entry(entry), "seen": _seen(one)} for entry, one in found.both],
        "device_only": [_entry(entry) for entry in found.device_only],
        "bench_only": [_seen(one) for one in found.bench_only],
        "outside": found.outside,
    }


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "line": entry.line,
        "kind": entry.kind,
        "at": entry.at.replace(tzinfo=None).isoformat(),
        "platform": entry.platform,
        "gripper": entry.gripper,
        "cycle": entry.cycle,
    }


def _seen(one: Seen) -> dict[str, object]:
    return {"seq": one.seq, "kind": one.kind, "at": one.at.isoformat()}
