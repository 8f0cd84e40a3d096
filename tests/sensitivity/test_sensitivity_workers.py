"""Tasks shared out to processes: all are done, failures are told, and nobody is left behind."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.plan import load_plan, only
from bench.rig import load_rig
from cardcert.shipped import find_plan, find_rig
from evidence.errors import RigFault
from fixtures.defect_runs import MatrixSettings, play_defects
from fixtures.workers import run_tasks
from rules.loader import load_packs

ROOT = Path(__file__).parents[2]


def adder(added: int) -> Callable[[int], tuple[int, int]]:
    return lambda task: (task + added, os.getpid())


def faulty(how: str) -> Callable[[int], int]:
    def work(task: int) -> int:
        if task == 3:
            if how == "raise":
                raise ValueError("three is too much")
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    return work


@pytest.mark.parametrize(("jobs", "processes"), [(1, 1), (2, 2), (9, 5)])
def test_every_task_is_done_once_in_as_many_processes_as_are_wanted(jobs: int, processes: int) -> None:
    done = dict(run_tasks(adder, (100,), range(5), jobs))
    assert {number: result[0] for number, result in done.items()} == {n: n + 100 for n in range(5)}
    assert len({pid for _, pid in done.values()}) <= processes
    assert (os.getpid() in {pid for _, pid in done.values()}) is (jobs == 1)


def test_no_task_is_no_work() -> None:
    assert list(run_tasks(adder, (0,), [], 2)) == []


@pytest.mark.parametrize(("how", "told"), [("raise", "ValueError: three is too much"), ("die", "ended")])
def test_a_worker_that_fails_ends_it_all(how: str, told: str) -> None:
    with pytest.raises(RigFault, match=told):
        list(run_tasks(faulty, (how,), range(6), 2))


PARENT = """
import os, sys
from fixtures.workers import run_tasks
from tests.sensitivity.test_sensitivity_workers import adder

def main():
    results = run_tasks(adder, (0,), range(3), 2)
    print(next(results)[1][1], flush=True)
    sys.stdin.readline()

if __name__ == "__main__":
    main()
"""


def test_workers_end_when_their_parent_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        watch = os.pidfd_open(worker)
        parent.kill()
    try:
        poller = select.poll()
        poller.register(watch, select.POLLIN)
        assert poller.poll(30_000), "the worker lives on"
    finally:
        os.close(watch)


def test_the_matrix_is_the_same_however_many_processes_play_it() -> None:
    plan = only(load_plan(find_plan("default")), ["nj-i1-tray", "nj-i3"])
    settings = MatrixSettings(load_rig(find_rig("emulated")), load_packs(plan.packs), {}, seed=1)
    played: list[str] = []
    one = play_defects(plan.scenarios, settings, played.append, jobs=1)
    two = play_defects(plan.scenarios, settings, lambda _: None, jobs=2)
    assert one == two
    assert sorted(played) == sorted(run for run, _ in one)
    assert len(played) == 4
