"""Where the time of a certification goes: its stages, and the parts that the rig's own work consists of.

    python -m benchmarks.where_time_goes [PLAN] [--generic]

Stages are told in wall time and in processor time of this process and its children; on a busy machine only the latter
means something. In a certification the plan and the matrix are played at once, each in a process of its own. Parts are
shares of the rig's work under a profiler, which makes many small calls look dearer than they are.
"""

import argparse
import cProfile
import os
import pstats
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.plan import Plan, load_plan
from bench.recall import Recall
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import CardsSeen, LinkBytes
from evidence.journal import Journal, read_journal
from evidence.notes import Notes
from fixtures.certification import conclude
from fixtures.defect_runs import MatrixSettings, runs_of
from fixtures.play_matrix import play_matrix
from fixtures.run_folder import write_json
from fixtures.run_settings import RunSettings
from reports.build import build_reports
from rules.judge import judge
from rules.loader import load_packs

PARTS = ("bench", "vision", "evidence", "websockets", "simpy", "numpy", "serial")
PROFILED = 20
"""Scenarios that are played under the profiler, spread over the plan."""


def processor_s() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def timed(name: str, act: Callable[[], object]) -> float:
    """Do it, say how long it took, return the processor time in seconds."""
    began, before = perf_counter(), processor_s()
    act()
    used = processor_s() - before
    print(f"{name:<52} {perf_counter() - began:7.2f} s   {used:7.2f} s of processor time", flush=True)
    return used


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


def profile(plan: Plan, workshop: Workshop) -> None:
    """Which parts the rig's work consists of."""
    some = plan.scenarios[:: max(1, len(plan.scenarios) // PROFILED)]
    notes = Notes(workshop.now_ns)

    def work() -> None:
        for scenario in some:
            run_scenario(workshop, scenario, notes, {})

    watch = cProfile.Profile()
    watch.runcall(work)
    spent: Counter[str] = Counter()
    for (path, _, name), (_, _, own, _, callers) in pstats.Stats(watch).stats.items():  # type: ignore[attr-defined]
        if path != "~":
            spent[part_of(path)] += own
            continue
        # A function of an extension module counts for whoever called it, unless all it does is wait.
        waits = "acquire" in name or "Queue" in name or "poll" in name
        for (caller, _, _), (_, _, called, _) in callers.items():
            spent["waiting for table software and wires" if waits else part_of(caller)] += called
    total = sum(spent.values())
    print(f"parts of the rig's work in {len(some)} scenarios, under a profiler:")
    for part, own in spent.most_common():
        print(f"    {part:<40} {own / total:6.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", nargs="?", default="default")
    parser.add_argument("--generic", action="store_true", help="try the generic defects too")
    options = parser.parse_args()
    plan = load_plan(find_plan(options.plan))
    rig, packs = load_rig(find_rig("emulated")), load_packs(plan.packs)
    with tempfile.TemporaryDirectory() as made:
        folder, recall = Path(made), Recall()
        workshops: list[Workshop] = []
        timed("set up the workshop (once)", lambda: workshops.append(Workshop(rig, 1, recall=recall)))
        used = timed(f"play {len(plan.scenarios)} scenarios", lambda: play(plan, workshops[0], folder))
        records = list(read_journal(folder))
        looks = sum(isinstance(record.event, CardsSeen) for record in records)
        crossed = sum(isinstance(record.event, LinkBytes) for record in records)
        print(f"    a scenario {used / len(plan.scenarios) * 1000:.0f} ms; {len(records)} records, {looks} looks, "
              f"{crossed} pieces of bytes on ptys; {len(recall)} results kept, {recall.bytes >> 20} MiB")  # fmt: skip
        timed("judge the journal", lambda: judge(iter(records), packs, {}))
        settings = RunSettings(plan=plan, rig=rig, packs=packs, out=folder)
        write_json(folder / "plan.json", plan)
        last = max(records, key=lambda record: record.seq)
        with Journal.open(folder, lambda: last.mono_ns) as journal:
            head = journal.head
        timed("judge, annotate evidence, write run.json", lambda: conclude(settings, "2026-01-01T00:00:00Z", head))
        timed("build all reports", lambda: build_reports(folder))
    matrix = MatrixSettings(rig, packs, {}, seed=1, compliant=False)
    runs = sum(len(runs_of(scenario, compliant=False)) for scenario in plan.scenarios)
    used = timed(
        f"play and judge {runs} declared defects, in one process",
        lambda: play_matrix(plan, packs, matrix, lambda _: None, generic=options.generic, jobs=1),
    )
    print(f"    a defect {used / max(1, runs) * 1000:.0f} ms")
    profile(plan, Workshop(rig, 1))


if __name__ == "__main__":
    main()
