"""Searches for false alarms: random sessions of a compliant table, in which no clause may fail.

    python benchmarks/no_false_alarms.py [--rounds 2000] [--seed 1] [--pack PACK ...] [--defects] [--out FOLDER]

Sessions are made from the scenarios of the default plan, pack by pack: other faults at other moments, other numbers of
rounds, other requests. With `--defects` each has one of the declared defects switched on, and only clauses that the
defect touches may fail. The search is cut into batches, each with a seed of its own that is printed with it; a finding
is made smaller and written whole as a plan file, with the command that replays it. Exit status 1 if there is any.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from benchmarks.random_sessions import Finding, Search, kitchen_of
from evidence.files import write_atomic
from rules.verdicts import Outcome

BATCH = 25
"""Sessions of one pack, until it is another pack's turn."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2000, help="rounds to be played at least (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the search (default 1)")
    parser.add_argument("--pack", action="append", choices=sorted(kitchen_of()), help="only sessions of this pack")
    parser.add_argument("--defects", action="store_true", help="one declared defect in each session")
    parser.add_argument("--out", type=Path, default=Path("build/no-false-alarms"), help="folder for what is found")
    options = parser.parse_args()
    packs = options.pack or sorted(kitchen_of())
    tally: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    batch, began = 0, perf_counter()
    while tally["rounds"] < options.rounds:
        pack, number = packs[batch % len(packs)], options.seed * 1_000_000 + batch
        search = Search([pack], defective=options.defects)
        finding = search.look(sessions=BATCH, number=number)
        tally += search.tally
        print(f"{tally['rounds']:6} rounds  {perf_counter() - began:6.0f} s  {pack:14} seed {number}", flush=True)
        if finding is not None:
            kind = tuple(alarm.partition(":")[0] for alarm in finding.alarms)
            tally["alarms"] += 1
            _tell(finding, options.out / f"{pack}-{number}.toml", again=kind in seen)
            seen.add(kind)
        batch += 1
        if not search.tally["sessions"]:
            print(f"batch {number} played nothing", file=sys.stderr)
            return 1
    kinds = ", ".join(f"{outcome} {tally[outcome]}" for outcome in [one.value for one in Outcome] if tally[outcome])
    print(f"{tally['sessions']} sessions, {tally['rounds']} rounds; verdicts: {kinds}")
    print(f"{tally['makes no sense']} scripts made no sense; false alarms: {tally['alarms']}")
    return 1 if tally["alarms"] else 0


def _tell(finding: Finding, path: Path, *, again: bool) -> None:
    """Write a finding where it can be replayed from, and say how."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, finding.script.encode())
    print("FALSE ALARM" + (" (as before)" if again else ""))
    for alarm in finding.alarms:
        print(f"  {alarm}")
    print(f"  cardcert certify {path} {finding.command} --out RUN", flush=True)


if __name__ == "__main__":
    sys.exit(main())
