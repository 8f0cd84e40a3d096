"""Wall and virtual time: waiting ends when something is there or at the deadline, and not before."""

import os
import time
from collections.abc import Generator, Iterator

import pytest
import simpy

from bench.clock import Deadline, VirtualClock, WallClock, advance, run_real_time, schedule_on
from bench.links import TcpPort
from evidence.errors import RigFault

NS = 1_000_000_000


class Pipe:
    """Something to wait for: a pipe, and data already taken from it."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.buffered = False

    def fileno(self) -> int:
        return self.reader

    def ready(self) -> bool:
        return self.buffered


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    os.close(made.reader)
    os.close(made.writer)


def test_a_deadline_is_passed_from_its_moment_on() -> None:
    assert [Deadline(5).passed(now) for now in (4, 5, 6)] == [False, True, True]


# --- wall clock ------------------------------------------------------------------------------------------------------


def test_wall_waiting_ends_at_once_when_something_is_there(pipe: Pipe) -> None:
    clock = WallClock()
    hours = clock.deadline(3600)
    pipe.buffered = True
    assert clock.wait([pipe], hours)
    pipe.buffered = False
    os.write(pipe.writer, b"x")
    assert clock.wait([pipe], hours)
    assert clock.wait([pipe], Deadline(0)), "what is there counts, also when the deadline has passed"


def test_wall_waiting_ends_at_the_deadline_and_not_before(pipe: Pipe) -> None:
    clock = WallClock()
    deadline = clock.deadline(0.02)
    assert not clock.wait([pipe], deadline)
    assert deadline.passed(clock.now_ns())
    assert not clock.wait([pipe], deadline)


def test_a_scaled_wall_clock_lets_an_hour_pass_in_a_moment(pipe: Pipe) -> None:
    clock = WallClock(scale=360_000)
    deadline = clock.deadline(3600)
    assert not clock.wait([pipe], deadline)
    assert deadline.passed(clock.now_ns())
    deadline = clock.deadline(3600)
    clock.pause(3600)
    assert deadline.passed(clock.now_ns())


def test_a_resumed_wall_clock_goes_on_where_it_stood() -> None:
    assert WallClock(start_ns=77 * NS).now_ns() >= 77 * NS
    with pytest.raises(ValueError, match="time scale"):
        WallClock(scale=0)


# --- virtual clock ---------------------------------------------------------------------------------------------------


def at(env: simpy.Environment, moments: list[float], log: list[float]) -> Generator[simpy.Event, object, None]:
    for moment in moments:
        yield env.timeout(moment - env.now)
        log.append(env.now)


def test_virtual_waiting_stops_exactly_at_the_deadline_after_what_is_due_then() -> None:
    env, log = simpy.Environment(), list[float]()
    clock = VirtualClock(env)
    env.process(at(env, [1.0, 2.5, 2.5000001], log))
    assert not clock.wait([], clock.deadline(2.5))
    assert log == [1.0, 2.5]
    assert clock.now_ns() == 2_500_000_000
    clock.pause(10)
    assert clock.now_ns() == 12_500_000_000
    assert not clock.wait([], Deadline(5 * NS)), "time never goes back"
    assert clock.now_ns() == 12_500_000_000


def test_virtual_waiting_stops_at_the_event_that_makes_something_ready(pipe: Pipe) -> None:
    env, log = simpy.Environment(), list[float]()
    clock = VirtualClock(env)
    env.process(at(env, [1.0, 3.0], log))
    schedule_on(env)(2.0, lambda: setattr(pipe, "buffered", True))
    assert clock.wait([pipe], clock.deadline(60))
    assert (clock.now_ns(), log) == (2 * NS, [1.0])


def test_moments_keep_to_the_nanosecond_over_a_long_run() -> None:
    clock = VirtualClock(simpy.Environment())
    for step in range(1, 2001):
        deadline = clock.deadline(3.000_000_001)
        clock.wait([], deadline)
        assert clock.now_ns() == deadline.ns == step * 3_000_000_001


def test_a_scheduled_action_happens_once_unless_it_is_cancelled() -> None:
    env, log = simpy.Environment(), list[str]()
    schedule = schedule_on(env)
    schedule(1, lambda: log.append("kept"))
    cancel = schedule(1, lambda: log.append("cancelled"))
    late = schedule(1, lambda: log.append("done"))
    cancel()
    advance(env, 5)
    late()
    advance(env, 3)
    assert log == ["kept", "done"]
    assert env.now == 5


def test_models_that_run_in_circles_are_a_rig_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.clock.MAX_STEPS_AT_ONCE", 100)
    env = simpy.Environment()

    def circle() -> Generator[simpy.Event, object, None]:
        while True:
            yield env.timeout(0)

    env.process(circle())
    with pytest.raises(RigFault, match="does not move"):
        VirtualClock(env).pause(1)


def test_an_emulator_may_not_wait_on_the_clock_that_runs_it() -> None:
    env = simpy.Environment()
    clock = VirtualClock(env)
    schedule_on(env)(1, lambda: clock.pause(1))
    with pytest.raises(RuntimeError, match="yield a SimPy event"):
        clock.pause(2)


# --- emulators in real time ------------------------------------------------------------------------------------------


def test_an_emulator_in_real_time_keeps_its_order_and_stops_when_told() -> None:
    env, log = simpy.Environment(), list[float]()
    env.process(at(env, [100.0, 200.0, 300.0], log))
    port = TcpPort()
    schedule_on(env)(150, port.close)  # unplugged meanwhile
    run_real_time(env, [port], lambda: len(log) >= 2, scale=10_000)
    assert log[:2] == [100.0, 200.0]
    assert env.now >= 200


def test_an_emulator_with_nothing_to_do_sleeps() -> None:
    looks = 0
    end_ns = time.monotonic_ns() + 300_000_000

    def stop() -> bool:
        nonlocal looks
        looks += 1
        return time.monotonic_ns() > end_ns

    run_real_time(simpy.Environment(), [], stop, scale=10)
    assert looks < 30  # it looks ten times a second; one that does not sleep looks thousands of times
