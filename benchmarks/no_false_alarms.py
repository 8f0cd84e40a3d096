"""Searches for false alarms: random sessions of a compliant table, in which no clause may fail.

    python benchmarks/no_false_alarms.py [--rounds 2000] [--seed 1] [--pack PACK ...] [--defects] [--out FOLDER]

Sessions are made from the scenarios of the default plan, pack by pack: other faults at other moments, other numbers of
rounds, other requests. With `--defects` each has one of the declared defects switched on, and only clauses that the
defect touches may fail. The search is cut into batches, each with a seed of its own that is printed with it; a finding
is made smaller and written whole as a plan file, with the command that replays it. Exit status 1 if there is any.
"""

import argparse
import shlex
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from bench.plan import load_plan
from bench.rig import load_rig
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.files import write_atomic
from fixtures.defect_reach import reach
from fixtures.random_sessions import Finding, Search
from fixtures.random_tables import kitchens
from rules.loader import load_packs
from rules.verdicts import Outcome

RIG_SEED = 1
BATCH = 25
"""Sessions of one pack, until it is another pack's turn."""


def main() -> int:
    made = kitchens(find_plan("default"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2000, help="rounds to be played at least (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the search (default 1)")
    parser.add_argument("--pack", action="append", choices=sorted(made), help="only sessions of this pack")
    parser.add_argument("--defects", action="store_true", help="one declared defect in each session")
    parser.add_argument("--out", type=Path, default=Path("build/no-false-alarms"), help="folder for what is found")
    options = parser.parse_args()
    packs = options.pack or sorted(made)
    workshop, all_packs = Workshop(load_rig(find_rig("emulated")), seed=RIG_SEED), load_packs(None)
    touched = reach(load_plan(find_plan("default")).scenarios) if options.defects else None
    tally: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    batch, began = 0, perf_counter()
    while tally["rounds"] < options.rounds:
        pack, number = packs[batch % len(packs)], options.seed * 1_000_000 + batch
        search = Search({pack: made[pack]}, all_packs, workshop, touched)
        finding = search.look(sessions=BATCH, number=number)
        tally += search.tally
        print(f"{tally['rounds']:6} rounds  {perf_counter() - began:6.0f} s  {pack:14} seed {number}", flush=True)
        if finding is not None:
            kind = tuple(finding.alarms)
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
    for name, why in finding.alarms.items():
        print(f"  {name}: {why}")
    print(f"  cardcert certify {path} {shlex.join(finding.command(RIG_SEED))} --out RUN", flush=True)


if __name__ == "__main__":
    sys.exit(main())
