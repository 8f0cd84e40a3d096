"""Where the time of a certification goes: stages of a run, and the parts that the rig's own work consists of.

    python benchmarks/where_time_goes.py [PLAN]

Stages are wall time. Parts are shares of the rig stage under a profiler, which makes many small calls look dearer than
they are. Everything is one process on one core, but for the report tool.
"""

import argparse
import cProfile
import pstats
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.plan import Plan, load_plan
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import CardsSeen, LinkBytes
from evidence.journal import Journal, read_journal
from fixtures.certification import conclude
from fixtures.run_folder import RunSettings, write_json
from reports.build import build_reports
from rules.judge import judge
from rules.loader import load_packs

PARTS = ("bench", "vision", "evidence", "websockets", "simpy", "numpy", "serial")


def timed(name: str, act: Callable[[], object]) -> float:
    began = perf_counter()
    act()
    seconds = perf_counter() - began
    print(f"{name:<44} {seconds:7.2f} s", flush=True)
    return seconds


def play(plan: Plan, workshop: Workshop, folder: Path) -> None:
    with Journal.create(folder, workshop.now_ns) as journal:
        for scenario in plan.scenarios:
            if run_scenario(workshop, scenario, journal, {}) != "completed":
                raise SystemExit(f"{scenario.id} was not completed; the figures would mean nothing")


def part_of(path: str) -> str:
    for part in PARTS:
        if f"/{part}/" in path:
            return part
    return "other"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plan", nargs="?", default="default")
    plan = load_plan(find_plan(parser.parse_args().plan))
    rig, packs = load_rig(find_rig("emulated")), load_packs(plan.packs)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        workshops: list[Workshop] = []
        timed("set up the workshop (once)", lambda: workshops.append(Workshop(rig, 1)))
        seconds = timed(f"play {len(plan.scenarios)} scenarios", lambda: play(plan, workshops[0], folder))
        records = list(read_journal(folder))
        looks = sum(isinstance(record.event, CardsSeen) for record in records)
        crossed = sum(isinstance(record.event, LinkBytes) for record in records)
        print(f"    a scenario {seconds / len(plan.scenarios) * 1000:.0f} ms; {len(records)} records, {looks} looks, "
              f"{crossed} pieces of bytes on ptys")  # fmt: skip
        timed("judge the journal", lambda: judge(iter(records), packs, {}))
        settings = RunSettings(plan=plan, rig=rig, packs=packs, out=folder)
        write_json(folder / "plan.json", plan)
        last = max(records, key=lambda record: record.seq)
        with Journal.open(folder, lambda: last.mono_ns) as journal:
            head = journal.head
        timed("judge, annotate evidence, write run.json", lambda: conclude(settings, "2026-01-01T00:00:00Z", head))
        timed("build all reports", lambda: build_reports(folder))
    with tempfile.TemporaryDirectory() as made:
        profile = cProfile.Profile()
        profile.runcall(play, plan, Workshop(rig, 1), Path(made))
    spent: Counter[str] = Counter()
    for (path, _, name), (_, _, own, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if path != "~":
            spent[part_of(path)] += own
            continue
        # A function of an extension module counts for whoever called it, unless all it does is wait.
        waits = "acquire" in name or "Queue" in name or "poll" in name
        for (caller, _, _), (_, _, called, _) in callers.items():
            spent["waiting for table software and wires" if waits else part_of(caller)] += called
    total = sum(spent.values())
    print("parts of the rig's work, under a profiler:")
    for part, own in spent.most_common():
        print(f"    {part:<40} {own / total:6.1%}")


if __name__ == "__main__":
    main()
