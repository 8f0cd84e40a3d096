"""The hardware path beside virtual time: the same plan, rig and seed must give the same verdicts.

    python -m benchmarks.hardware_path [--plan default] [--scenario ID ...] [--scale 20] [--out FOLDER] [--resume]
    python -m benchmarks.hardware_path --plan faults

Every part of the rig is started as a process of its own (`benchmarks.hardware_bench`), and `cardcert certify` plays the
plan on them in real time; then it plays the same in virtual time, on the rig that the processes were made from. Told
are the scenarios whose verdicts are the same, each difference with both reasons, how often each verdict came, and the
time. The plan `faults` has one scenario for every fault of a device or its line, on each kind of device that can have
it. With `--resume` a run that was broken off goes on; with `--scenario` only a part of the plan is played.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from bench.faults.catalogue import DEVICE_KINDS, catalogue
from bench.plan import Plan, load_plan, only
from bench.rig import RigPlan, load_rig
from benchmarks.hardware_bench import Bench
from cardcert.shipped import find_plan, find_rig
from evidence.tomlwrite import write_toml

RIG = "emulated-instruments"
FAULTS: dict[str, Any] = {
    "name": "faults",
    "title": "Every fault of a device or its line by itself",
    "pack": "NJ-69F-33.12",
    "rig": RIG,
    "table": {"game": "winners_pot", "cards_in_deck": 52, "seated": ["seat/3"], "button": "dealer"},
}
IN_SHUFFLE, MESSAGE = 17, 2
"""The card of a shuffle, and the message on a line, that faults befall."""

Verdicts = dict[tuple[str, str], tuple[str, tuple[str, ...], str]]
"""Verdict, alternatives and reason, by scenario and clause."""


def faults_plan(folder: Path) -> Path:
    """A plan with one scenario for every fault of a device or its line."""
    scenarios = []
    for name, fault in catalogue().items():
        for target in (kind for kind in DEVICE_KINDS if kind in fault.targets):
            at = {"card": IN_SHUFFLE} if "card" in fault.moments and target == "shuffler" else {}
            at = {"message": MESSAGE} if "message" in fault.moments else at
            # A relay in a wire can open it, and then it is low.
            own = {"name": name, "target": target, "at": at, "params": {"level": 0} if "level" in fault.params else {}}
            identity = f"{target}-{name.replace('_', '-')}"
            scenarios.append({"id": identity, "title": fault.description, "covers": [], "fault": [own]})
    path = folder / "faults.toml"
    path.write_text(write_toml({**FAULTS, "scenario": scenarios}))
    return path


def by_pace(plan: Plan, rig: RigPlan) -> dict[str, list[str]]:
    """Scenarios by how fast emulated time may run in them.

    An instrument is told what to do over a network while a card is on its way, and of a bad line it counts what came
    first: there the real time that the bench itself takes must be short beside the emulated time.
    """
    brought = {(entry.fault, entry.device) for entry in rig.file.injection}
    paces: dict[str, list[str]] = {"fast": [], "slow": []}
    for scenario in plan.scenarios:
        slow = any(fault.fault.of_link or (fault.name, fault.target) in brought for fault in scenario.faults)
        paces["slow" if slow else "fast"].append(scenario.id)
    return {pace: scenarios for pace, scenarios in paces.items() if scenarios}


def certify(plan: Path, rig: Path, out: Path, chosen: list[str], *, resume: bool) -> float:
    """Play the plan; returns the seconds of wall time that it took."""
    command = [sys.executable, *(["-P"] if sys.flags.safe_path else []), "-m", "cardcert", "certify", str(plan)]
    command += ["--rig", str(rig), "--out", str(out), "--no-sensitivity"]
    command += [part for name in chosen for part in ("--scenario", name)]
    command += ["--resume"] if resume and (out / "plan.json").exists() else []
    began = monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not (out / "verdicts.json").is_file():
        raise SystemExit(f"certify ended with status {done.returncode}\n{done.stderr[-3000:]}")
    return monotonic() - began


def ends_of(out: Path) -> dict[str, tuple[str, str]]:
    """How each scenario ended, and why."""
    ends = {}
    for line in (out / "journal" / "events.jsonl").open():
        if '"scenario.finished"' in line:
            record = json.loads(line)["record"]
            ends[record["scenario"]] = (record["event"]["status"], record["event"].get("detail", ""))
    return ends


def verdicts_of(out: Path) -> Verdicts:
    return {
        (row["scenario"], row["clause"]): (row["verdict"], tuple(row["alternatives"]), row["reason"])
        for row in json.loads((out / "verdicts.json").read_text())
    }


def compare(real: Sequence[Path], virtual: Path) -> int:
    """Tell what differs; returns the number of scenarios that do."""
    found: Verdicts = {}
    ended: dict[str, tuple[str, str]] = {}
    for part in real:
        found |= verdicts_of(part)
        ended |= ends_of(part)
    expected, should = verdicts_of(virtual), ends_of(virtual)
    none = ("none", (), "")
    different = 0
    for scenario in should:
        keys = sorted(key for key in found.keys() | expected.keys() if key[0] == scenario)
        odd = [key for key in keys if found.get(key, none)[:2] != expected.get(key, none)[:2]]
        if not odd and ended.get(scenario, ("not run", ""))[0] == should[scenario][0]:
            continue
        different += 1
        print(f"\n{scenario}: in real time {ended.get(scenario)}, in virtual time {should[scenario]}")
        told: dict[tuple[str, str], list[str]] = {}
        for key in odd:
            sides = (found.get(key, none), expected.get(key, none))
            rows = [" ".join((verdict, *alternatives, reason)) for verdict, alternatives, reason in sides]
            told.setdefault((rows[0], rows[1]), []).append(key[1])
        for (seen, wanted), clauses in told.items():
            print(f"  {', '.join(clauses)}\n    real     {seen}\n    virtual  {wanted}")
    counted = Counter(row[0] for row in found.values())
    print(f"\n{len(should) - different} of {len(should)} scenarios with the same verdicts, {different} with others")
    print(f"in real time: {', '.join(f'{count} {verdict}' for verdict, count in sorted(counted.items()))}")
    return different


def stop(_number: int, _frame: object) -> None:
    """Whoever ends this process ends what it has started."""
    raise SystemExit(3)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plan", default="default", help="plan file or name, or faults")
    arguments.add_argument("--rig", help=f"rig in virtual time (default: the plan's, for default plans {RIG})")
    arguments.add_argument("--scenario", action="append", default=[])
    arguments.add_argument("--scale", type=float, default=20.0, help="emulated seconds per real second (default 20)")
    slow = "the same where an instrument or a line brings the fault about (default 4)"
    arguments.add_argument("--slow-scale", type=float, default=4.0, help=slow)
    arguments.add_argument("--fps", type=float, default=40.0, help="pictures of the camera a second")
    arguments.add_argument("--out", type=Path, help="folder to keep all in (default: a temporary one)")
    arguments.add_argument("--resume", action="store_true", help="go on with what was begun in --out")
    options = arguments.parse_args()
    signal.signal(signal.SIGTERM, stop)
    folder = (options.out or Path(tempfile.mkdtemp(prefix="hardware-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    path = faults_plan(folder) if options.plan == "faults" else find_plan(options.plan)
    plan = only(load_plan(path), options.scenario)
    virtual = find_rig(options.rig or (RIG if plan.rig == "emulated" else plan.rig))
    real_s = 0.0
    parts = by_pace(plan, load_rig(virtual))
    for pace, chosen in parts.items():
        with Bench(
            folder / f"bench-{pace}", options.scale if pace == "fast" else options.slow_scale, options.fps
        ) as bench:
            real_s += certify(path, bench.build(virtual), folder / pace, chosen, resume=options.resume)
    virtual_s = certify(path, virtual, folder / "virtual", options.scenario, resume=options.resume)
    different = compare([folder / pace for pace in parts], folder / "virtual")
    print(f"{real_s:,.0f} s of wall time in real time, {virtual_s:,.0f} s in virtual time")
    return int(bool(different))


if __name__ == "__main__":
    raise SystemExit(main())
