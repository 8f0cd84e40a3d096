"""`cardcert bundle`: a run folder in one file, to be passed on."""

import argparse
import json
from pathlib import Path

from evidence.files import sha256_file
from reports.bundle import SUFFIX, write_bundle


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("bundle", help="put a run folder into one file", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help=f"bundle to write (default: DIR{SUFFIX})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    folder: Path = options.folder
    named = folder if folder.name not in ("", "..") else folder.resolve()
    made = write_bundle(folder, options.out or named.with_name(named.name + SUFFIX))
    told = {"bundle": str(made), "bytes": made.stat().st_size, "sha256": sha256_file(made)}
    print(json.dumps(told) if options.json else f"{made}\n{told['bytes']} bytes, SHA-256 {told['sha256']}")
    return 0
