"""How fast the judge is and how much memory it takes, beside RTAMT with one response formula on the same journal.

    python benchmarks/judging.py [--events 1000000 5000000] [--recorded RUN_FOLDER] [--rtamt-events 200000]

The journals are made of recorded scenarios (see `long_journals`); each scenario is judged by every shipped pack at
once, which is more than any run asks for. Each figure is processor time of a process of its own: reading alone (chain
of hashes checked, records decoded), reading and judging, and one formula in RTAMT, in discrete time and without
reading: a fault is answered within so many events. In the recorded journals a void round is carried out within 20
events of the fault, and the cards are shuffled again within 400; the longer RTAMT has to look back, the slower it is.
It is fed fewer events, since its rate does not depend on how many there are. Needs the extra `bench`
(`pip install -e .[bench]`).
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

try:
    import rtamt
except ImportError:
    rtamt = None

from bench.plan import load_plan
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from benchmarks.long_journals import recorded_scenarios, write_journal
from cardcert.shipped import find_plan, find_rig
from evidence.events import DeviceFault, Record, ScenarioStarted, TableDone
from evidence.journal import Journal, read_journal
from rules.judge import judge
from rules.loader import load_packs

FORMULA = "out = ((fault >= 0.5) implies (eventually[0:{}] (answer >= 0.5)))"
WINDOWS = {20: "void_round", 400: "reshuffle"}
"""Events within which a compliant run carries out each order."""
HALTS = ("jam", "stop", "incomplete")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, nargs="+", default=[1_000_000, 5_000_000])
    parser.add_argument("--recorded", type=Path, help="run folder to make the journals of (default: one is recorded)")
    parser.add_argument("--rtamt-events", type=int, default=200_000)
    parser.add_argument("--measure", choices=MEASURES, help=argparse.SUPPRESS)
    parser.add_argument("--journal", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(MEASURES[options.measure](options)))
        return
    with tempfile.TemporaryDirectory() as made:
        recorded = options.recorded or _record(Path(made) / "recorded")
        scenarios = recorded_scenarios(recorded)
        packs = load_packs()
        clauses = sum(len(pack.clauses) for pack in packs)
        print(f"{len(packs)} packs, {clauses} clauses; {len(scenarios)} recorded scenarios")
        for events in options.events:
            folder = Path(made) / str(events)
            written = write_journal(folder, scenarios, events, [pack.id for pack in packs])
            _report(folder, written, options)


def _report(folder: Path, events: int, options: argparse.Namespace) -> None:
    size = (folder / "journal" / "events.jsonl").stat().st_size
    print(f"\n{events:,} events, {size / 1e6:,.0f} MB")
    read = _child("read", folder, options)
    judged, own = _child("judge", folder, options), _child("own", folder, options)
    alone = events / (judged["seconds"] - read["seconds"])
    usual = events / (own["seconds"] - read["seconds"])
    print(f"  reading alone         {events / read['seconds']:>10,.0f} events/s")
    print(f"  reading and judging   {events / judged['seconds']:>10,.0f} events/s   judging itself {alone:,.0f}")
    print(f"  by its own pack alone {events / own['seconds']:>10,.0f} events/s   judging itself {usual:,.0f}")
    print(f"  memory of the process {judged['peak_mb']:>10,.0f} MB at its peak, {judged['before_mb']:,.0f} MB before; "
          f"{judged['verdicts']:,} verdicts are held")  # fmt: skip
    monitored = _child("rtamt", folder, options)
    if monitored is None:
        print("  RTAMT is not installed: pip install -e .[bench]")
        return
    for window, rate in monitored.items():
        told = f"{WINDOWS[int(window)]} within {window} events"
        print(f"  RTAMT, one formula    {rate:>10,.0f} events/s   {told}")
        print(f"    all packs are {alone / rate:.1f} times as fast, one pack {usual / rate:.1f} times")


def _child(measure: str, folder: Path, options: argparse.Namespace) -> Any:
    command = [sys.executable, __file__, "--measure", measure, "--journal", str(folder)]
    done = subprocess.run(
        [*command, "--rtamt-events", str(options.rtamt_events)], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _read(options: argparse.Namespace) -> dict[str, float]:
    began = process_time()
    for _ in read_journal(options.journal):
        pass
    return {"seconds": process_time() - began}


def _own(options: argparse.Namespace) -> dict[str, float]:
    return _judge(options, own=True)


def _judge(options: argparse.Namespace, *, own: bool = False) -> dict[str, float]:
    packs = load_packs()
    judge(islice(read_journal(options.journal), 2000), packs)  # what is loaded once
    records = read_journal(options.journal)
    before, began = _peak_mb(), process_time()
    verdicts = judge(map(_alone, records) if own else records, packs)
    seconds = process_time() - began
    return {"seconds": seconds, "verdicts": len(verdicts), "before_mb": before, "peak_mb": _peak_mb()}


def _alone(record: Record) -> Record:
    """The record as it was before other packs than its own were to judge the scenario."""
    event = record.event
    if not isinstance(event, ScenarioStarted):
        return record
    return msgspec.structs.replace(record, event=msgspec.structs.replace(event, also=[]))


def _allocated(options: argparse.Namespace) -> dict[str, float]:
    """What Python itself allocates; several times slower, so only for a closer look."""
    packs = load_packs()
    tracemalloc.start()
    verdicts = judge(read_journal(options.journal), packs)
    held, peak = tracemalloc.get_traced_memory()
    return {"verdicts": len(verdicts), "held_mb": held / 1e6, "peak_mb": peak / 1e6}


def _rtamt(options: argparse.Namespace) -> dict[str, float] | None:
    if rtamt is None:
        return None
    rates: dict[str, float] = {}
    for window, verb in WINDOWS.items():
        monitor = rtamt.StlDiscreteTimeOnlineSpecification()
        for name in ("fault", "answer", "out"):
            monitor.declare_var(name, "float")
        monitor.spec = FORMULA.format(window)
        monitor.parse()
        monitor.pastify()
        samples = list(_samples(islice(read_journal(options.journal), options.rtamt_events), verb))
        began = process_time()
        for n, sample in enumerate(samples):
            monitor.update(n, sample)
        rates[str(window)] = len(samples) / (process_time() - began)
    return rates


def _samples(records: Iterator[Record], verb: str) -> Iterator[list[tuple[str, float]]]:
    for record in records:
        event = record.event
        fault = isinstance(event, DeviceFault) and event.symptom in HALTS
        answer = isinstance(event, TableDone) and event.verb == verb
        yield [("fault", float(fault)), ("answer", float(answer))]


def _record(folder: Path) -> Path:
    """Play the default plan once on the emulated rig."""
    plan, rig = load_plan(find_plan("default")), load_rig(find_rig("emulated"))
    workshop = Workshop(rig, 1)
    with Journal.create(folder, workshop.now_ns) as journal:
        for scenario in plan.scenarios:
            run_scenario(workshop, scenario, journal, {})
    return folder


MEASURES = {"read": _read, "judge": _judge, "own": _own, "allocated": _allocated, "rtamt": _rtamt}

if __name__ == "__main__":
    main()
