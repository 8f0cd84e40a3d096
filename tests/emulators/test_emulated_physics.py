"""Parts of the emulated devices: what is on a wire, what firmware reads of it, what a probe sees, what motors draw."""

from itertools import pairwise

import pytest
import simpy
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.emulators.drives import STALLED_A, STANDBY_A, Motor, Rail
from bench.emulators.lines import Line, LineEdge, Probe, after


def line(debounce_s: float = 0.015) -> tuple[simpy.Environment, Probe, Line]:
    env = simpy.Environment()
    probe = Probe(env, ["entry"])
    return env, probe, Line(probe, env, "entry", debounce_s)


def test_the_probe_sees_every_edge_and_the_firmware_only_what_outlasts_the_debounce_time() -> None:
    env, probe, sensor = line()
    after(env, 1.000, lambda: sensor.set(1))
    after(env, 1.010, lambda: sensor.set(0))
    after(env, 2.000, lambda: sensor.set(1))
    env.run(until=1.020)
    assert sensor.seen == 0
    env.run(until=2.014)
    assert sensor.seen == 0
    env.run(until=2.016)
    assert sensor.seen == 1
    assert probe.drain() == [
        LineEdge("entry", 1, 1_000_000_000),
        LineEdge("entry", 0, 1_010_000_000),
        LineEdge("entry", 1, 2_000_000_000),
    ]
    assert probe.drain() == []


def test_a_level_that_stays_is_no_edge() -> None:
    env, probe, sensor = line()
    sensor.set(0)
    sensor.set(1)
    sensor.set(1)
    env.run(until=1)
    assert [edge.level for edge in probe.drain()] == [1]


def test_a_wait_ends_when_the_debounced_level_is_reached_and_not_before() -> None:
    env, _, sensor = line()
    reached: list[float] = []

    def firmware() -> simpy.events.ProcessGenerator:
        yield sensor.reaches(1)
        reached.append(env.now)

    env.process(firmware())
    for at_s, level in ((0.100, 1), (0.105, 0), (0.110, 1), (0.112, 0), (0.200, 1)):
        after(env, at_s, lambda level=level: sensor.set(level))  # type: ignore[misc]
    env.run(until=1)
    assert reached == [pytest.approx(0.215)]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), max_size=12))
def test_the_counter_counts_what_a_debounced_reading_would_count(pulses: list[tuple[int, int]]) -> None:
    env, _, sensor = line(0.015)
    now_ms, on, counted, stable = 0, 0, 0, 0
    edges: list[tuple[int, int]] = []
    for low_ms, high_ms in pulses:
        now_ms += low_ms
        edges.append((now_ms, 1))
        now_ms += high_ms
        edges.append((now_ms, 0))
    for at_ms, level in edges:
        after(env, at_ms / 1000, lambda level=level: sensor.set(level))  # type: ignore[misc]
    env.run(until=now_ms / 1000 + 1)
    # The same, told plainly: a level counts once it has stood for 15 ms; a pulse is counted when it is over.
    for (at_ms, level), (until_ms, _) in pairwise([*edges, (now_ms + 1000, 0)]):
        if until_ms - at_ms >= 15:
            counted += stable == 1 and level == 0
            stable = level
            on = level
    assert on == 0 or not edges
    assert sensor.pulses == counted


def test_a_stalled_motor_draws_its_stall_current_and_trips_the_comparator_until_it_is_let_go() -> None:
    env = simpy.Environment()
    probe = Probe(env, ["feed", "overcurrent", "power"])
    rail = Rail(probe, env)
    motor = Motor(probe, rail, "feed")
    motor.start()
    assert motor.turning
    running_a = rail.current_a
    motor.block()
    assert motor.stalled
    assert not motor.turning
    assert rail.current_a >= STALLED_A > running_a > STANDBY_A
    motor.stop()
    assert rail.current_a == STANDBY_A
    assert [(edge.line, edge.level) for edge in probe.drain()] == [
        ("feed", 1),
        ("overcurrent", 1),
        ("feed", 0),
        ("overcurrent", 0),
    ]


def test_without_supply_or_with_the_lid_open_no_motor_turns_and_none_draws_current() -> None:
    env = simpy.Environment()
    probe = Probe(env, ["power", "lid"])
    rail = Rail(probe, env)
    motor = Motor(probe, rail, "feed")
    motor.start()
    rail.switch(False)
    assert not motor.turning
    assert rail.current_a == STANDBY_A
    rail.switch(True)
    rail.open_lid()
    assert not motor.turning
    rail.open_lid(False)
    assert motor.turning
    assert [(edge.line, edge.level) for edge in probe.drain()] == [("power", 0), ("power", 1), ("lid", 0), ("lid", 1)]


def test_a_probe_records_only_the_lines_that_it_is_clipped_on() -> None:
    env = simpy.Environment()
    probe = Probe(env, ["exit"])
    Line(probe, env, "entry").set(1)
    Line(probe, env, "exit").set(1)
    assert [edge.line for edge in probe.drain()] == ["exit"]
