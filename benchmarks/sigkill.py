"""Kills certification runs at random moments, goes on with them, and counts what was lost: it must be nothing.

    python -m benchmarks.sigkill [--kills 200] [--seed 1]

A run of a few scenarios is started, killed (SIGKILL), and gone on with by `--resume`, which is killed too, until one
gets through. For each kill a phase is drawn (`PHASES`, from the first instruction to the last report) and a moment in
it, in processor time, so that a busy machine changes nothing. Then: every record that stood in the journal at any kill
stands there still, no scenario that had been completed was played again, `run.json` tells each time that the run was
gone on with, the folder verifies, and its verdicts are those of a run that nobody disturbed. Ends with status 1
otherwise.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from cardcert.__main__ import main as cardcert
from fixtures.verification import verify_folder

SCENARIOS = ("nj-h", "pr-unapproved", "pr-proper")
PHASES = ("starting", "on the rig", "judging", "reporting", "sealed")
POLL_S = 0.01
END_BYTES = 1000
"""The last record of a journal is shorter."""
KILLS_A_RUN = 6
"""After so many kills a run is left to finish."""


@dataclass(slots=True)
class Tally:
    """What has been seen over all runs."""

    kills: int = 0
    runs: int = 0
    processor_s: float = 0.0
    """Processor time that all runs took until they ended or were killed."""
    phases: Counter[str] = field(default_factory=Counter)
    """Where the kills fell."""
    wrong: list[str] = field(default_factory=list)


def options(folder: Path, scenarios: tuple[str, ...]) -> list[str]:
    chosen = [f"--scenario={name}" for name in scenarios]
    return ["certify", "--resume", "--no-sensitivity", "--out", str(folder), *chosen]


def start(folder: Path, scenarios: tuple[str, ...]) -> BaseProcess:
    """A process at a run. It is forked off one that has only imported what it needs, which would take half its time."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["cardcert.__main__", "fixtures.playing", "reports.build"])
    process = context.Process(target=_certify, args=(folder, scenarios))
    process.start()
    return process


def _certify(folder: Path, scenarios: tuple[str, ...]) -> None:
    os.setsid()
    for number, path in ((1, os.devnull), (2, told_by(folder))):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.exit(cardcert(options(folder, scenarios)))


def told_by(folder: Path) -> Path:
    """Where the last process at a run folder wrote its errors."""
    return folder.with_name(f"{folder.name}.stderr")


def lines(folder: Path) -> list[bytes]:
    """The whole lines of a journal; those that a killed writer had finished."""
    path = folder / "journal" / "events.jsonl"
    content = path.read_bytes() if path.exists() else b""
    return content[: content.rfind(b"\n") + 1].splitlines(keepends=True)


def events(folder: Path, kind: str) -> list[dict[str, object]]:
    """Records of a journal whose event is of a kind."""
    records = (json.loads(line)["record"] for line in lines(folder))
    return [record for record in records if record["event"]["type"] == kind]


def verdicts(folder: Path) -> dict[tuple[str, str], str]:
    rows = json.loads((folder / "verdicts.json").read_text())
    return {(row["scenario"], row["clause"]): row["verdict"] for row in rows}


def completed(folder: Path) -> Counter[str]:
    """How often each scenario came to its end."""
    ended = events(folder, "scenario.finished")
    return Counter(str(one["scenario"]) for one in ended if one["event"]["status"] == "completed")  # type: ignore[index]


@dataclass(frozen=True, slots=True)
class Before:
    """What stood in a run folder when a process was started on it, to tell what that process has done since."""

    journal_bytes: int
    written: tuple[int, ...]

    @classmethod
    def of(cls, folder: Path) -> "Before":
        journal = folder / "journal" / "events.jsonl"
        return cls(journal.stat().st_size if journal.exists() else 0, _written(folder))

    def phase(self, folder: Path) -> str:
        """How far the process has got, by what it has written."""
        judged, sealed = (now != then for now, then in zip(_written(folder), self.written, strict=True))
        if sealed or judged:
            return "sealed" if sealed else "reporting"
        journal = folder / "journal" / "events.jsonl"
        size = journal.stat().st_size if journal.exists() else 0
        if size <= self.journal_bytes:
            return "starting"
        with journal.open("rb") as file:
            file.seek(max(self.journal_bytes, size - END_BYTES))
            return "judging" if b'"run.finished"' in file.read() else "on the rig"


def _written(folder: Path) -> tuple[int, ...]:
    """When verdicts and manifest were written; 0 for what is not there."""
    found = (folder / "verdicts.json", folder / "manifest.json")
    return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in found)


def processor_s(process: int) -> float:
    """Processor time that a process and those it has started have taken, those that have ended among them."""
    folder = Path(f"/proc/{process}")
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        started_by_it = [int(one) for path in folder.glob("task/*/children") for one in path.read_text().split()]
    except OSError:
        return 0.0  # it has just ended
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_s, started_by_it))


@dataclass(frozen=True, slots=True)
class Kill:
    """When to kill: after so much processor time from the beginning of a phase, or as soon as that phase is over.

    A moment in the reporting may come after sealing.
    """

    phase: str
    after_s: float


def runs_out(process: BaseProcess, folder: Path, before: Before, kill: Kill | None = None) -> dict[str, float]:
    """Wait until a process ends by itself, or kill it when its moment has come. `before`: the folder as it found it.

    Returns for each phase that it came to the processor time, from its start, at which that phase began; and as `""`
    all that it took.
    """
    begun, taken_s = {PHASES[0]: 0.0}, 0.0
    while process.is_alive():
        taken_s = max(taken_s, processor_s(process.pid or 0))
        phase = before.phase(folder)
        begun.setdefault(phase, taken_s)
        if kill is not None:
            due = kill.phase in begun and taken_s - begun[kill.phase] >= kill.after_s
            over = PHASES.index(phase) > PHASES.index(kill.phase) and kill.phase != "reporting"
            if due or over:
                process.kill()
                break
        process.join(POLL_S)
    process.join()
    return {**begun, "": taken_s}


def lengths(begun: Mapping[str, float]) -> dict[str, float]:
    """The processor time of each phase of a run, in seconds."""
    starts = [*(begun.get(phase) for phase in PHASES), begun[""]]
    known = [one if one is not None else next(x for x in starts[at:] if x is not None) for at, one in enumerate(starts)]
    return {phase: end - start for phase, start, end in zip(PHASES, known, known[1:], strict=False)}


def undisturbed(folder: Path, scenarios: tuple[str, ...]) -> dict[str, float]:
    """Make a run that nobody disturbs; returns the processor time of each of its phases."""
    before = Before.of(folder)
    return lengths(runs_out(start(folder, scenarios), folder, before))


def drawn(draw: random.Random, lasts: Mapping[str, float], count: int) -> list[Kill]:
    """Moments to kill one run at; the early phases first, because what they leave is gone on with into the later."""
    *drawn_from, reporting, sealed = PHASES  # what comes after sealing is too short to be met by itself
    phases = sorted(draw.choices([*drawn_from, reporting], k=count), key=PHASES.index)
    long = {**lasts, reporting: lasts[reporting] + lasts[sealed]}
    return [Kill(phase, draw.uniform(0, long[phase])) for phase in phases]


def killed_and_resumed(folder: Path, scenarios: tuple[str, ...], kills: list[Kill], tally: Tally) -> None:
    """One run, killed at each of these moments that it comes to, then left to finish; losses go to the tally."""
    kept: list[bytes] = []
    for kill in (*kills, None):
        before = Before.of(folder)
        process = start(folder, scenarios)
        tally.processor_s += runs_out(process, folder, before, kill)[""]
        now = lines(folder)
        if now[: len(kept)] != kept:
            tally.wrong.append(f"{folder}: {len(kept)} records stood there, and not all of them stand there now")
        kept = now
        if process.exitcode == -signal.SIGKILL:
            tally.kills += 1
            tally.phases[before.phase(folder)] += 1
        elif process.exitcode not in (0, 3):
            tally.wrong.append(f"{folder}: ended with status {process.exitcode}: {told_by(folder).read_text()[-500:]}")
            break
    tally.runs += 1
    if set(completed(folder)) != set(scenarios) or set(completed(folder).values()) != {1}:
        tally.wrong.append(f"{folder}: completed {dict(completed(folder))}, each scenario once was due")
    again = [record["seq"] for record in events(folder, "run.started")][1:]
    told_again = [one["record"] for one in json.loads((folder / "run.json").read_text())["interruptions"]]
    if again != told_again:
        tally.wrong.append(f"{folder}: was gone on with at records {again}, and run.json tells of {told_again}")


def check(folder: Path, expected: dict[tuple[str, str], str], tally: Tally) -> None:
    """Verify a finished run and compare its verdicts."""
    tally.wrong += [f"{folder}: {finding}" for finding in verify_folder(folder).findings]
    if verdicts(folder) != expected:
        tally.wrong.append(f"{folder}: its verdicts are not those of an undisturbed run")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw, tally = random.Random(asked.seed), Tally()
    with tempfile.TemporaryDirectory(prefix="cardcert-") as temporary:
        quiet = Path(temporary) / "undisturbed"
        lasts = undisturbed(quiet, SCENARIOS)
        expected = verdicts(quiet)
        told = ", ".join(f"{phase} {lasts[phase]:.1f} s" for phase in PHASES)
        print(f"undisturbed: {len(lines(quiet))} records, {len(expected)} verdicts; processor: {told}", flush=True)
        while tally.kills < asked.kills and not tally.wrong:
            folder = Path(temporary) / f"run{tally.runs}"
            kills = drawn(draw, lasts, min(KILLS_A_RUN, asked.kills - tally.kills))
            killed_and_resumed(folder, SCENARIOS, kills, tally)
            check(folder, expected, tally)
            print(f"{tally.kills} kills, {tally.runs} runs, processor {tally.processor_s:.0f} s", flush=True)
            if not tally.wrong:
                shutil.rmtree(folder)
    print(", ".join(f"{tally.phases[phase]} {phase}" for phase in PHASES))
    print("\n".join(tally.wrong) or "no record lost, verdicts equal, each time told of")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
