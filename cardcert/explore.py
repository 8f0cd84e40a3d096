"""`cardcert explore`: search for sessions that break a device or table software, until the budget is spent.

Each session is one of the plan with other faults, at other moments, in other numbers of rounds. One in which a clause
fails, or that does not come to its end, is made as small as can be and kept as a plan file that `certify` replays.
"""

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import msgspec

from bench.plan import load_plan
from bench.rig import load_rig
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.errors import RigFault, UsageError
from evidence.files import make_empty, write_atomic
from fixtures.checks import check_settings
from fixtures.own_packs import copy_own, packs_of
from fixtures.progress import Progress
from fixtures.random_sessions import Finding, Search
from fixtures.random_tables import kitchens
from fixtures.run_folder import write_json
from fixtures.run_settings import RunSettings, parse_defects, parse_policies
from reports.text import visible
from rules.pack import Pack
from rules.verdicts import Outcome

BATCH = 25
"""Sessions of one pack, until it is another pack's turn."""
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_LONGEST_S = 7 * 24 * 3600
_SHOWN = 300


class Found(msgspec.Struct, frozen=True):
    """A finding as `explored.json` tells it."""

    script: str
    """Name of the plan file beside it."""
    pack: str
    alarms: dict[str, str]
    """Each clause that failed, or the status that the session ended with, and why."""
    command: list[str]
    """What replays it."""


class Explored(msgspec.Struct):
    """What a search has done until now, as it stands in `explored.json`."""

    plan: str
    rig: str
    seed: int
    rig_seed: int
    sessions: int = 0
    rounds: int = 0
    not_completed: int = 0
    verdicts: dict[str, int] = {}
    faults: dict[str, int] = {}
    """How many sessions had each fault."""
    triggered: list[str] = []
    """Clauses that were put to the test in one session at least."""
    findings: list[Found] = []


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("explore", help="search for faults that break the rules", description=__doc__)
    parser.add_argument("plan", nargs="?", default="default", help="plan whose scenarios are changed (default: all)")
    parser.add_argument("--rig", default="emulated", help="rig file or name (default: the emulated rig)")
    parser.add_argument("--pack", action="append", default=[], help="only sessions of this pack")
    parser.add_argument("--budget", type=_budget, default=600.0, metavar="TIME", help="such as 90s, 10m (default), 2h")
    parser.add_argument("--sessions", type=_sessions, default=0, metavar="N", help="end after so many sessions instead")
    parser.add_argument("--seed", type=int, default=1, help="seed of the search (default 1)")
    parser.add_argument("--rig-seed", type=int, default=1, help="seed of the emulated rig (default 1)")
    parser.add_argument("--policy", action="append", default=[], metavar="SWITCH=VALUE", help="set a policy switch")
    parser.add_argument("--defect", action="append", default=[], metavar="[ON:]NAME", help="as of `certify`")
    parser.add_argument(
        "--out", type=Path, default=Path("explored"), help="folder for what is found (default explored)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Search; 1 if anything was found, else 0. Raises RigFault when no session comes to its end."""
    plan_path, rig = find_plan(options.plan), load_rig(find_rig(options.rig))
    if rig.file.hands.kind == "person":
        raise UsageError('explore plays without pause: the rig needs [hands] that work by themselves, "remote".')
    plan, made = load_plan(plan_path), kitchens(plan_path)
    unknown = sorted(set(options.pack) - made.keys())
    if unknown:
        raise UsageError(f"plan {options.plan!r} has no scenario of pack {unknown[0]!r}. It has: {', '.join(made)}.")
    defects, policies = parse_defects(options.defect), parse_policies(options.policy)
    packs = packs_of(plan, plan_path)
    check_settings(RunSettings(plan, rig, packs, options.out, options.rig_seed, policies, defects))
    kept = _Kept(options, Explored(options.plan, options.rig, options.seed, options.rig_seed), plan_path, packs)
    search = Search(made, packs, Workshop(rig, seed=options.rig_seed), defects=defects, policies=policies)
    try:
        _explore(search, options.pack or sorted(made), kept)
    except KeyboardInterrupt:
        print("cardcert: stopped; what was found until now stands", file=sys.stderr)
        if (finding := search.smallest()) is not None:
            kept.add(finding)
    finally:
        kept.write(search)
    if options.json:
        sys.stdout.write(msgspec.json.encode(kept.explored).decode() + "\n")
    else:
        _print(kept.explored, options.out)
    return 1 if kept.explored.findings else 0


class _Kept:
    """The folder of a search. Whatever is found is written at once, so that nothing is lost when the search is cut."""

    def __init__(self, options: argparse.Namespace, explored: Explored, plan: Path, packs: Sequence[Pack]) -> None:
        self.options = options
        self.explored = explored
        self._folder: Path = options.out
        self._plan, self._packs = plan, packs
        make_empty(self._folder)

    def add(self, finding: Finding) -> None:
        """Keep a finding as a plan file that can be replayed, beside the packs of one's own that judge it."""
        path = self._folder / f"finding-{len(self.explored.findings) + 1:03}.toml"
        write_atomic(path, finding.script.encode())
        copy_own(self._packs, self._plan, self._folder)
        rig = [] if self.options.rig == "emulated" else ["--rig", self.options.rig]
        command = ["cardcert", "certify", str(path), *rig, *finding.command(self.options.rig_seed)]
        self.explored.findings.append(Found(path.name, finding.pack, dict(finding.alarms), command))

    def write(self, search: Search) -> None:
        """Tell in `explored.json` what has been done until now."""
        told, tally = self.explored, search.tally
        told.sessions, told.rounds = tally["sessions"], tally["rounds"]
        told.not_completed = tally["sessions"] - tally["completed"]
        told.verdicts = {one.value: tally[one.value] for one in Outcome if tally[one.value]}
        told.faults = dict(sorted(search.faults.items()))
        told.triggered = sorted(search.triggered)
        write_json(self._folder / "explored.json", told)


def _explore(search: Search, packs: Sequence[str], kept: _Kept) -> None:
    """Batches of each pack in turn, each with a seed of its own; a clause that has failed is no longer looked for."""
    options = kept.options
    end, most = monotonic() + options.budget, int(options.sessions)

    def spent() -> bool:
        return search.tally["sessions"] >= most if most else monotonic() >= end

    search.over = spent
    kitchens_of, batch, last = search.kitchens, 0, 0
    with Progress(None) as progress:
        while not spent():
            pack = packs[batch % len(packs)]
            progress.step(f"{pack}: {search.tally['sessions']} sessions")
            search.kitchens = {pack: kitchens_of[pack]}
            finding = search.look(sessions=BATCH, number=options.seed * 1_000_000 + batch)
            batch += 1
            if not search.tally["completed"]:
                why = "; ".join(finding.alarms.values()) if finding else "none of them made sense"
                raise RigFault(f"explore: no session came to its end: {why}. Try `cardcert doctor`.")
            if finding is not None:
                kept.add(finding)
                search.known |= finding.alarms.keys()
            kept.write(search)
            if batch % len(packs) == 0 and search.tally["sessions"] == last:
                break  # everything that this search can make of the plan has been played
            last = search.tally["sessions"] if batch % len(packs) == 0 else last


def _print(explored: Explored, out: Path) -> None:
    print(
        f"{explored.sessions} sessions, {explored.rounds} rounds, {len(explored.faults)} kinds of faults, "
        f"{len(explored.triggered)} clauses put to the test"
    )
    for found in explored.findings:
        print(f"\n{out / found.script}")
        for name, why in found.alarms.items():
            print(f"  {visible(name, _SHOWN)}: {visible(why, _SHOWN)}")
        print(f"  {shlex.join(found.command)}")
    if not explored.findings:
        print("nothing was found; a search that finds nothing proves nothing")


def _budget(text: str) -> float:
    match = re.fullmatch(r"(\d{1,6})([smh])", text)
    seconds = int(match[1]) * _SECONDS[match[2]] if match else 0
    if not 0 < seconds <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a time of up to a week, such as 90s, 10m or 2h")
    return float(seconds)


def _sessions(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,7}", text):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of sessions, 1 or more")
    return int(text)
