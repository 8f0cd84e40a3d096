"""Scenarios played over bad lines: nothing may pass whose evidence was lost.

    python -m benchmarks.link_faults [--runs 1000] [--seed 1] [--minutes 10]

Each run takes a scenario of a plan at random, mostly with one of its defects switched on, and lets up to four
random faults befall the lines to its devices. What the emulated devices really said is kept beside. Checked:

- with a defect that a clause must catch, that clause does not pass;
- where something that a device said never came to the journal, or came twice, no clause passes;
- the scenario ends: completed, or a rig fault that says why.
"""

import argparse
import contextlib
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator

from bench.emulators.device import EmulatedDevice
from bench.links.faulty import FaultyLine
from bench.links.line_faults import Kind, LineFault
from bench.live_rig import Rig
from bench.plan import Scenario, load_plan
from bench.protocol import messages as m
from bench.rig import load_rig
from bench.session import run_scenario
from bench.setup import Defects
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import DeviceCycle, DeviceDispensed, DeviceFault, DeviceStatus, Record, ScenarioFinished
from evidence.notes import Notes, Recorder
from fixtures.own_packs import packs_of
from rules.judge import judge
from rules.pack import Pack
from rules.verdicts import Outcome

KINDS: tuple[Kind, ...] = (
    "drop", "delay", "duplicate", "reorder", "truncate", "flip", "checksum", "break", "half_open", "cut_off",
)  # fmt: skip
PLANS = ("nj-69f-33.12", "pr-pgp-shoe", "sd-bj-28")


class BadLine(FaultyLine):
    """Arms its faults when the scenario has made everything sound."""

    faults: tuple[LineFault, ...] = ()

    def restore(self) -> None:
        super().restore()
        for fault in self.faults:
            self.arm(fault)


class BadWorkshop(Workshop):
    """A workshop whose lines go bad, and that listens at the devices' own mouths."""

    def __init__(self, *args: object, **settings: object) -> None:
        super().__init__(*args, **settings)  # type: ignore[arg-type]
        self.faults: dict[str, tuple[LineFault, ...]] = {}
        self.said: dict[str, list[m.EventMessage]] = {}
        self.deeds = 0

    @contextlib.contextmanager
    def open(self, scenario: Scenario, journal: Recorder, defects: Defects) -> Iterator[Rig]:
        with super().open(scenario, journal, defects) as rig:
            self.said = {}
            for name, line in rig.lines.items():
                line.__class__ = BadLine
                line.faults = self.faults.get(name, ())  # type: ignore[attr-defined]
                device = rig.controls[name]
                assert isinstance(device, EmulatedDevice)
                self.said[name] = self._listen(device)
            yield rig

    @staticmethod
    def _listen(device: EmulatedDevice) -> list[m.EventMessage]:
        said: list[m.EventMessage] = []
        notify = device.firmware.notify

        def note(event: m.EventMessage) -> None:
            said.append(event)
            notify(event)

        device.firmware.notify = note
        return said


def some_faults(rng: random.Random) -> tuple[LineFault, ...]:
    return tuple(
        LineFault(
            kind=rng.choice(KINDS), way=rng.choice(("tx", "rx")), first=rng.randrange(1, 60),
            count=rng.choice((1, 1, 2, 5, 20)), seconds=rng.choice((0.2, 0.7, 2.5, 30.0)), bits=rng.choice((1, 2, 9)),
        )
        for _ in range(rng.randrange(1, 5))
    )  # fmt: skip


Word = tuple[object, ...]


def of_device(event: m.EventMessage) -> Word | None:
    match event:
        case m.Cycle(kind, phase, count):
            return ("cycle", kind, phase, count)
        case m.Dispensed(unit, index, count):
            return ("dispensed", unit, index, count)
        case m.Fault(code, _, recovered):
            return ("fault", code, recovered)
        case _:
            return None  # how a device stands is asked for as well


def in_journal(records: list[Record], device: str) -> list[Word]:
    words: list[Word] = []
    for record in records:
        match record.event:
            case DeviceCycle(device=name) as event if name == device:
                words.append(("cycle", event.kind, event.phase, event.count))
            case DeviceDispensed(device=name) as event if name == device:
                words.append(("dispensed", event.unit, event.index, event.count))
            case DeviceFault(device=name) as event if name == device:
                words.append(("fault", event.code, event.recovered))
            case DeviceStatus():
                pass
    return words


def check(
    workshop: BadWorkshop, packs: list[Pack], scenario: Scenario, fails: str, records: list[Record]
) -> tuple[list[str], str]:
    """What is wrong, and how the run came out in a word."""
    verdicts = judge(records, packs, {})
    passed = {verdict.clause for verdict in verdicts if verdict.verdict is Outcome.PASS}
    wrong = []
    if fails and fails in passed:
        wrong.append(f"{fails} passes in spite of its defect")
    lost = 0
    for device, said in workshop.said.items():
        spoken = [word for event in said if (word := of_device(event)) is not None]
        heard = in_journal(records, device)
        if spoken != heard:
            lost += 1
            if passed:
                wrong.append(f"{device} said {spoken}, the journal has {heard}, and {sorted(passed)} passed")
    ended = next((r.event for r in reversed(records) if isinstance(r.event, ScenarioFinished)), None)
    status = ended.status if ended else "none"
    if status not in {"completed", "rig_fault"}:
        wrong.append(f"ended {status}: {ended.detail if ended else ''}")
    return wrong, f"{status}, {'something lost' if lost else 'all heard'}, {'passes' if passed else 'no pass'}"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--minutes", type=float, default=10.0, help="of processor time")
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    workshop = BadWorkshop(load_rig(find_rig("emulated")), 1, evidence=False)
    plans = []
    for name in PLANS:
        plan = load_plan(find_plan(name))
        plans.append((plan.scenarios, list(packs_of(plan, find_plan(name)))))
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    runs = 0
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background a shell has it ignored
    with contextlib.suppress(KeyboardInterrupt):  # whoever stops it is told what was found until then
        while runs < options.runs and time.process_time() < 60 * options.minutes:
            scenarios, packs = rng.choice(plans)
            scenario = rng.choice(scenarios)
            defect = rng.choice([None, *scenario.defects])
            workshop.faults = {name: some_faults(rng) for name in ("shuffler", "shoe")}
            workshop.restart_clock()
            notes = Notes(workshop.now_ns)
            run_scenario(workshop, scenario, notes, {defect.on: frozenset([defect.name])} if defect else {})
            fails = defect.fails.partition("/")[0] if defect and not defect.policies else ""
            found, outcome = check(workshop, packs, scenario, fails, list(notes.records))
            runs += 1
            tally[outcome] += 1
            wrong += [
                f"run {runs} of seed {options.seed}, {scenario.id}, {defect}, {workshop.faults}: {one}" for one in found
            ]
    for outcome, count in sorted(tally.items()):
        print(f"{count:8,}  {outcome}")
    print(f"{runs:8,}  runs, {len(wrong)} of them wrong; {time.process_time():,.0f} s of processor time")
    for one in wrong[:20]:
        print(one)
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
