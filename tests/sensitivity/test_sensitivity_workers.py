"""Tasks shared out to processes: all are done, failures are told, and nobody is left behind."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.plan import load_plan, only
from bench.rig import load_rig
from cardcert.shipped import find_plan, find_rig
from evidence.errors import RigFault
from fixtures.defect_runs import MatrixSettings
from fixtures.play_matrix import play_matrix
from fixtures.workers import beside, run_tasks
from rules.loader import load_packs
from tests.sensitivity.worker_tasks import adder, faulty

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("jobs", "processes"), [(1, 1), (2, 2), (9, 5)])
def test_every_task_is_done_once_in_as_many_processes_as_are_wanted(jobs: int, processes: int) -> None:
    done = list(run_tasks(adder, (100,), iter(range(5)), jobs))
    assert sorted((task, result) for task, (result, _) in done) == [(n, n + 100) for n in range(5)]
    used = {pid for _, (_, pid) in done}
    assert len(used) <= processes
    assert (os.getpid() in used) is (jobs == 1)


def test_no_task_is_no_work() -> None:
    nothing: list[int] = []
    assert list(run_tasks(adder, (0,), iter(nothing), 2)) == []


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_a_task_may_depend_on_results_and_workers_wait_for_it(jobs: int) -> None:
    """Each of the first tasks brings another one; while there is none, none is given."""
    results: list[int] = []

    def tasks() -> Iterator[int | None]:
        yield from (1, 2)
        for needed in (1, 2):
            while len(results) < needed:
                yield None
            yield 10 * needed

    for _, (result, _) in run_tasks(adder, (0,), tasks(), jobs):
        results.append(result)
    assert sorted(results) == [1, 2, 10, 20]


@pytest.mark.parametrize(("how", "told"), [("raise", "ValueError: three is too much"), ("die", "ended")])
def test_a_worker_that_fails_ends_it_all(how: str, told: str) -> None:
    with pytest.raises(RigFault, match=told):
        list(run_tasks(faulty, (how,), iter(range(6)), 2))


PARENT = """
import os, sys
from fixtures.workers import beside, run_tasks
from tests.sensitivity.worker_tasks import adder

def main():
    results = run_tasks(adder, (0,), iter(range(3)), 2)
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
    plan = only(load_plan(find_plan("default")), ["nj-i1-tray", "nj-i1-entry"])
    packs = load_packs(plan.packs)
    settings = MatrixSettings(load_rig(find_rig("emulated")), packs, {}, seed=1)
    played: list[str] = []
    one = play_matrix(plan, packs, settings, played.append, generic=True, jobs=1)
    two = play_matrix(plan, packs, settings, lambda _: None, generic=True, jobs=2)
    assert one == two
    assert played[:2] == ["nj-i1-tray", "nj-i1-entry"]
    [jam] = [row for row in one if row.name == "NJ-69F-33.12.i.1/reshuffled"]
    assert [defect.exact for defect in jam.defects] == [True, True]
    assert jam.generic is not None
    assert jam.generic.killed


def test_work_beside_this_process_is_waited_for() -> None:
    with beside(lambda: sum(range(5))) as result:
        assert result() == 10


@pytest.mark.parametrize(
    ("work", "told"), [(lambda: os._exit(0), "ended without a word"), ([].pop, "IndexError: pop from empty")]
)
def test_work_beside_this_process_that_fails_or_dies_has_no_result(work: Callable[[], object], told: str) -> None:
    with beside(work) as result, pytest.raises(RigFault, match=told):
        result()


def test_work_beside_this_process_ends_with_the_block() -> None:
    ours, theirs = os.pipe()

    def left_alone() -> None:
        for _ in range(20):  # a pause ends with any signal, and the worker's own timer sends it one every second
            signal.pause()
        os.write(theirs, b"nobody ended this work")

    with beside(left_alone):
        os.close(theirs)
    assert os.read(ours, 100) == b""  # nobody holds the other end any more
    os.close(ours)
