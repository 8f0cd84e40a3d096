"""Times come from pairs of records on the run's clock; their noise from repetitions within the run."""

import math
import statistics
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence import events as e
from evidence.events import Record
from reports.timings import Quantity, timings


class Clock:
    """Records one after the other, each so many seconds after the one before."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.now_s = 0.0

    def add(self, event: e.AnyEvent, after_s: float = 0.0, scenario: str = "s") -> int:
        self.now_s += after_s
        record = Record(
            seq=len(self.records), mono_ns=round(self.now_s * 1e9), utc="2026-03-04T10:00:00.000000Z",
            source="bench:run", scenario=scenario, event=event,
        )  # fmt: skip
        self.records.append(record)
        return record.seq


def cycle(phase: str) -> e.DeviceCycle:
    return e.DeviceCycle(device="shuffler", kind="shuffle", phase=phase)  # type: ignore[arg-type]


def shuffles(durations_s: Sequence[float]) -> list[Record]:
    """A scenario for each shuffle."""
    clock = Clock()
    for number, duration_s in enumerate(durations_s):
        clock.add(cycle("started"), 1.0, f"s{number}")
        clock.add(cycle("completed"), duration_s, f"s{number}")
    return clock.records


def test_a_cycle_takes_from_its_start_to_its_end() -> None:
    (measured,) = timings(shuffles([20.0, 22.0, 21.0])).values()
    assert (measured.samples, measured.scenarios) == (3, 3)
    assert (measured.least_s, measured.median_s, measured.most_s) == (20.0, 21.0, 22.0)


def test_a_cycle_that_was_broken_off_is_no_sample() -> None:
    clock = Clock()
    clock.add(cycle("started"))
    clock.add(cycle("aborted"), 3.0)
    clock.add(cycle("completed"), 3.0)
    assert timings(clock.records) == {}


def test_a_start_before_the_scenario_was_begun_anew_pairs_with_nothing() -> None:
    clock = Clock()
    clock.add(cycle("started"))
    clock.add(e.ScenarioStarted(title="s", pack="p", covers=[], attempt=2), 5.0)
    clock.add(cycle("completed"), 3.0)
    assert timings(clock.records) == {}


def test_command_answer_and_dispensing_are_timed_apart() -> None:
    clock = Clock()
    clock.add(e.DeviceCommanded(device="shoe", command="deal_group"))
    clock.add(e.DeviceAnswered(device="shoe", command="deal_group", accepted=True), 0.01)
    clock.add(e.DeviceDispensed(device="shoe", unit="group", index=1, count=7), 1.2)
    found = {quantity: measured.median_s for quantity, measured in timings(clock.records).items()}
    assert found[Quantity("shoe", "answer", "deal_group")] == pytest.approx(0.01)
    assert found[Quantity("shoe", "dispense", "group")] == pytest.approx(1.21)


@pytest.mark.parametrize("proof_first", [True, False])
def test_a_claim_is_timed_from_the_first_edge_that_shows_the_fault(proof_first: bool) -> None:
    clock = Clock()
    edges = [clock.add(e.LineSeen(line="shoe/exit", level=level, at_ns=at), 2.0) for level, at in ((1, 500), (0, 900))]
    proof = e.FaultProven(fault="stuck", target="shoe", symptom="jam", by=edges, means="held")
    claim = e.DeviceFault(device="shoe", code="E", symptom="jam")
    for event in (proof, claim) if proof_first else (claim, proof):
        clock.add(event)
    (measured,) = timings(clock.records).values()
    assert measured.median_s == pytest.approx(4.0 - 500e-9)


def test_software_is_timed_from_what_it_was_told_to_its_acknowledgement() -> None:
    clock = Clock()
    told = clock.add(e.DeviceFault(device="shoe", code="E", symptom="jam"))
    clock.add(e.SoftwareAcknowledged(message=f"e{told}", directives=1), 0.25)
    clock.add(e.SoftwareAcknowledged(message="e99999999999999999999999", directives=0), 0.25)
    assert [measured.median_s for measured in timings(clock.records).values()] == [0.25]


def test_what_takes_no_time_on_a_virtual_clock_is_left_out() -> None:
    assert timings(shuffles([0.0, 0.0])) == {}


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=30))
def test_noise_is_the_robust_deviation_and_the_uncertainty_falls_with_repetitions(durations_s: list[float]) -> None:
    (measured,) = timings(shuffles(durations_s)).values()
    middle = statistics.median(durations_s)
    spread = statistics.median(abs(duration - middle) for duration in durations_s)
    assert measured.noise_s == pytest.approx(1.4826 * spread, abs=1e-6)
    assert measured.uncertainty_s >= 0.001 / math.sqrt(12)
    (again,) = timings(shuffles(durations_s * 4)).values()
    assert again.noise_s == pytest.approx(measured.noise_s, abs=1e-6)
    assert again.uncertainty_s <= measured.uncertainty_s + 1e-6
