"""Kills certification runs at random moments, goes on with them, and counts what was lost: it must be nothing.

    python -m benchmarks.sigkill [--kills 200] [--seed 1]

A run of a few scenarios is started, killed (SIGKILL) at a moment drawn over its whole length, from its first
instruction to its last report, and gone on with by `--resume`, which is killed too, until one gets through. Moments are
drawn in processor time, so that a busy machine changes nothing. Then: every record that stood in the journal at any
kill stands there still, no scenario that had been completed was played again, the folder verifies, and its verdicts are
those of a run that nobody disturbed. Ends with status 1 otherwise.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

SCENARIOS = ("nj-h", "pr-unapproved", "pr-proper")
POLL_S = 0.05
KILLS_A_RUN = 8
"""After so many kills a run is left to finish."""


@dataclass(slots=True)
class Tally:
    """What has been seen over all runs."""

    kills: int = 0
    runs: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    """Where the kills fell."""
    wrong: list[str] = field(default_factory=list)


def command(folder: Path, scenarios: tuple[str, ...]) -> list[str]:
    chosen = [f"--scenario={name}" for name in scenarios]
    return [sys.executable, "-m", "cardcert", "certify", "--resume", "--no-sensitivity", "--out", str(folder), *chosen]


def started(folder: Path, scenarios: tuple[str, ...]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(folder, scenarios), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


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


def stage_of(folder: Path) -> str:
    """How far a run had got, by what stands in its folder."""
    if not (folder / "run.json").exists():
        return "before it began"
    if not (folder / "verdicts.json").exists():
        return "on the rig"
    return "reporting" if not (folder / "manifest.json").exists() else "sealed"


def processor_s(process: int) -> float:
    """Processor time that a process and those it has started have taken, those that have ended among them."""
    folder = Path(f"/proc/{process}")
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        started_by_it = [int(one) for path in folder.glob("task/*/children") for one in path.read_text().split()]
    except OSError:
        return 0.0  # it has just ended
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_s, started_by_it))


def runs_out(process: subprocess.Popen[str], limit_s: float | None) -> float:
    """Wait until a process ends by itself, or kill it when it has taken so much. Returns the time that it took."""
    taken_s = 0.0
    while process.poll() is None:
        taken_s = max(taken_s, processor_s(process.pid))
        if limit_s is not None and taken_s >= limit_s:
            process.kill()
            break
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
    process.wait()
    return taken_s


def killed_and_resumed(
    folder: Path, scenarios: tuple[str, ...], length_s: float, draw: random.Random, tally: Tally, kills: int
) -> None:
    """One run: killed up to `kills` times, then left to finish; what was lost goes to the tally."""
    before: list[bytes] = []
    while True:
        last = kills <= 0
        with started(folder, scenarios) as process:
            runs_out(process, None if last else draw.uniform(0, length_s))
            told = process.stderr.read() if process.stderr else ""
        if process.returncode == -signal.SIGKILL:
            tally.kills, kills = tally.kills + 1, kills - 1
            tally.stages[stage_of(folder)] += 1
            now = lines(folder)
            if now[: len(before)] != before:
                tally.wrong.append(f"{folder}: {len(before)} records stood there, and not all of them stand there now")
            before = now
            continue
        if process.returncode not in (0, 3):
            tally.wrong.append(f"{folder}: ended with status {process.returncode}: {told[-500:]}")
        break
    tally.runs += 1
    if lines(folder)[: len(before)] != before:
        tally.wrong.append(f"{folder}: records were lost in the end")
    twice = {name: count for name, count in completed(folder).items() if count != 1}
    if twice or set(completed(folder)) != set(scenarios):
        tally.wrong.append(f"{folder}: completed {dict(completed(folder))}, each scenario once was due")


def check(folder: Path, expected: dict[tuple[str, str], str], tally: Tally) -> None:
    """Verify a finished run and compare its verdicts."""
    done = subprocess.run(
        [sys.executable, "-m", "cardcert", "verify", str(folder)], check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        tally.wrong.append(f"{folder}: {done.stdout}{done.stderr}")
    if verdicts(folder) != expected:
        tally.wrong.append(f"{folder}: its verdicts are not those of an undisturbed run")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw, tally = random.Random(options.seed), Tally()
    with tempfile.TemporaryDirectory(prefix="cardcert-") as temporary:
        undisturbed = Path(temporary) / "undisturbed"
        with started(undisturbed, SCENARIOS) as process:
            length_s = runs_out(process, None)
        expected = verdicts(undisturbed)
        played = len(lines(undisturbed))
        print(f"undisturbed: {played} records, {len(expected)} verdicts, processor {length_s:.1f} s", flush=True)
        while tally.kills < options.kills and not tally.wrong:
            folder = Path(temporary) / f"run{tally.runs}"
            kills = min(KILLS_A_RUN, options.kills - tally.kills)
            killed_and_resumed(folder, SCENARIOS, length_s, draw, tally, kills)
            check(folder, expected, tally)
            print(f"{tally.kills} kills, {tally.runs} runs", flush=True)
    print(", ".join(f"{count} {stage}" for stage, count in tally.stages.most_common()))
    print("\n".join(tally.wrong) or "no record lost, verdicts equal")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
