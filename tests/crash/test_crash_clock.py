"""The wall clock may be set while a run goes on: it is recorded and told, and nothing depends on it."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from cardcert.__main__ import main
from evidence.events import ClockStepped, ScenarioStarted
from evidence.journal import Journal, read_journal, verify_journal
from evidence.walltime import WallTime

HOUR_NS = 3_600 * 1_000_000_000
STARTED = ScenarioStarted(title="t", pack="p", covers=[])


class Clock:
    """The wall clock, set by as much as `off_ns`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off_ns = 0
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + self.off_ns)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def steps(folder: Path) -> list[float]:
    return [record.event.by_s for record in read_journal(folder) if isinstance(record.event, ClockStepped)]


def test_a_clock_that_nobody_sets_makes_no_record(clock: Clock, tmp_path: Path) -> None:
    with Journal.create(tmp_path, lambda: 0) as journal:
        for _ in range(100):
            clock.off_ns += 5_000_000  # a time service at work
            journal.append(STARTED, source="bench:test")
    assert steps(tmp_path) == []


@pytest.mark.parametrize("by_ns", [-HOUR_NS, HOUR_NS, -2_000_000_000])
def test_a_clock_that_is_set_is_recorded_before_the_next_record(clock: Clock, tmp_path: Path, by_ns: int) -> None:
    with Journal.create(tmp_path, lambda: 0) as journal:
        journal.append(STARTED, source="bench:test")
        clock.off_ns += by_ns
        record = journal.append(STARTED, source="bench:test")
        assert record.seq == 2
        journal.append(STARTED, source="bench:test")
    (step,) = steps(tmp_path)
    assert step == pytest.approx(by_ns / 1e9, abs=1.0)
    assert verify_journal(tmp_path) == []


def test_a_clock_set_back_between_two_processes_is_recorded(clock: Clock, tmp_path: Path) -> None:
    with Journal.create(tmp_path, lambda: 0) as journal:
        journal.append(STARTED, source="bench:test")
    clock.off_ns -= HOUR_NS
    with Journal.open(tmp_path, lambda: 0) as journal:
        journal.append(STARTED, source="bench:test")
    (step,) = steps(tmp_path)
    assert step == pytest.approx(-3600, abs=60)


def test_time_that_passes_between_two_processes_is_no_setting(clock: Clock, tmp_path: Path) -> None:
    with Journal.create(tmp_path, lambda: 0) as journal:
        journal.append(STARTED, source="bench:test")
    clock.off_ns += 1000 * HOUR_NS
    with Journal.open(tmp_path, lambda: 0) as journal:
        journal.append(STARTED, source="bench:test")
    assert steps(tmp_path) == []


def test_a_stamp_that_is_none_is_no_reason_to_stop() -> None:
    for stamp in ("", "yesterday", "9999-99-99T00:00:00Z", "2026-01-01T00:00:00"):
        assert WallTime(stamp).now()[1] >= 0.0


def test_a_run_whose_clock_is_set_back_says_so_and_holds(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from cardcert.__main__ import main\n"
        "journal, real = Path(sys.argv[1]) / 'journal' / 'events.jsonl', time.time_ns\n"
        "set_back = lambda: journal.exists() and journal.stat().st_size > 30_000\n"
        "time.time_ns = lambda: real() - set_back() * 7_200 * 10**9\n"
        "sys.exit(main(['certify', '--scenario', 'nj-h', '--no-sensitivity', '--out', sys.argv[1]]))\n"
    )
    command = [sys.executable, "-c", program, str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=400)
    assert done.returncode == 3, done.stderr
    assert "the wall clock was set back by 7200 s before record" in done.stdout
    assert len(steps(folder)) == 1
    assert main(["verify", str(folder)]) == 0
    order = [record.mono_ns for record in read_journal(folder)]
    assert order == sorted(order)
