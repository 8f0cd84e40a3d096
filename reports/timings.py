"""Times measured in a run, taken from its journal: how long devices and table software took for what.

A sample is one thing done once, between two records on the clock of the run. Samples of one scenario share their
circumstances, so their median gets no more certain by more of them, only by more scenarios.
"""

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evidence import events as e
from evidence.events import Record

RESOLUTION_S = 0.001
"""Nothing finer is told apart: links and cameras are polled in steps of about a millisecond."""

MAD_TO_DEVIATION = 1.4826
"""Median absolute deviation to standard deviation, for a normal distribution."""
MEDIAN_TO_MEAN = math.sqrt(math.pi / 2)
"""How much less certain a median is than a mean, for a normal distribution."""


@dataclass(frozen=True)
class Quantity:
    """What was timed: `what` (`cycle`, `answer`, `dispense`, `claim`, `reaction`) of `whose`, for which `detail`."""

    whose: str
    what: str
    detail: str

    @property
    def id(self) -> str:
        """One line that names it."""
        return f"{self.whose} {self.what} {self.detail}".strip()


@dataclass(frozen=True)
class Measured:
    """The samples of one quantity, summed up. Times in seconds."""

    samples: int
    scenarios: int
    median_s: float
    least_s: float
    most_s: float
    noise_s: float
    """Robust standard deviation of a sample: what repeating the same thing within the run changes."""
    uncertainty_s: float
    """Standard uncertainty of the median: the noise over the scenarios, and the resolution (rectangular)."""


@dataclass
class _Scenario:
    """What waits for its end while a scenario is read."""

    started_ns: dict[Quantity, int] = field(default_factory=dict)
    seen_ns: dict[int, int] = field(default_factory=dict)
    edge_ns: dict[int, int] = field(default_factory=dict)
    claimed_ns: dict[Quantity, int] = field(default_factory=dict)
    shown_ns: dict[Quantity, int] = field(default_factory=dict)


def timings(records: Iterable[Record]) -> dict[Quantity, Measured]:
    """Every quantity that a journal holds samples of, in order of first appearance.

    A quantity whose samples all took no time at all is left out: on a virtual clock nothing is learnt from it.
    """
    samples: dict[Quantity, dict[str, list[float]]] = {}
    running: dict[str, _Scenario] = {}
    for record in records:
        if isinstance(record.event, e.ScenarioStarted) or record.scenario not in running:
            running[record.scenario] = _Scenario()
        for quantity, seconds in _ended(record, running[record.scenario]):
            samples.setdefault(quantity, {}).setdefault(record.scenario, []).append(seconds)
        if isinstance(record.event, e.ScenarioFinished):
            del running[record.scenario]
    return {quantity: _measured(found) for quantity, found in samples.items() if any(map(any, found.values()))}


def _ended(record: Record, state: _Scenario) -> list[tuple[Quantity, float]]:
    """What ends with this record, with how long it took; what begins is noted."""
    now_ns, event = record.mono_ns, record.event
    state.seen_ns[record.seq] = now_ns
    match event:
        case e.DeviceCycle(phase="started"):
            state.started_ns[Quantity(event.device, "cycle", event.kind)] = now_ns
        case e.DeviceCycle():
            cycle = Quantity(event.device, "cycle", event.kind)
            begun = state.started_ns.pop(cycle, None)
            if event.phase == "completed":
                return _taken(cycle, begun, now_ns)
        case e.DeviceCommanded():
            state.started_ns[Quantity(event.device, "answer", event.command)] = now_ns
            if event.command.startswith("deal_"):
                state.started_ns[Quantity(event.device, "dispense", event.command.removeprefix("deal_"))] = now_ns
        case e.DeviceAnswered():
            answer = Quantity(event.device, "answer", event.command)
            return _taken(answer, state.started_ns.pop(answer, None), now_ns)
        case e.DeviceDispensed():
            unit = Quantity(event.device, "dispense", event.unit)
            return _taken(unit, state.started_ns.pop(unit, None), now_ns)
        case e.LineSeen():
            state.edge_ns[record.seq] = event.at_ns
        case e.DeviceFault():
            claim = Quantity(event.device, "claim", event.symptom)
            state.claimed_ns.setdefault(claim, now_ns)
            return _claimed(claim, state)
        case e.FaultProven():
            claim = Quantity(event.target, "claim", event.symptom)
            edges = [state.edge_ns[seq] for seq in event.by if seq in state.edge_ns]
            if edges:
                state.shown_ns.setdefault(claim, min(edges))
            return _claimed(claim, state)
        case e.SoftwareAcknowledged():
            message = event.message.removeprefix("e")
            told = state.seen_ns.get(int(message)) if message.isdecimal() and len(message) < 20 else None
            return _taken(Quantity("table software", "reaction", ""), told, now_ns)
    return []


def _claimed(claim: Quantity, state: _Scenario) -> list[tuple[Quantity, float]]:
    """How long after the first edge that shows a fault the device claimed it; proof and claim may come in any order."""
    if claim not in state.claimed_ns or claim not in state.shown_ns:
        return []
    return _taken(claim, state.shown_ns.pop(claim), state.claimed_ns.pop(claim))


def _taken(quantity: Quantity, begun_ns: int | None, ended_ns: int) -> list[tuple[Quantity, float]]:
    return [] if begun_ns is None or ended_ns < begun_ns else [(quantity, (ended_ns - begun_ns) / 1e9)]


def _measured(by_scenario: Mapping[str, list[float]]) -> Measured:
    every = [seconds for found in by_scenario.values() for seconds in found]
    median_s = statistics.median(every)
    noise_s = MAD_TO_DEVIATION * statistics.median(abs(seconds - median_s) for seconds in every)
    random_s = MEDIAN_TO_MEAN * noise_s / math.sqrt(len(by_scenario))
    return Measured(
        samples=len(every),
        scenarios=len(by_scenario),
        median_s=median_s,
        least_s=min(every),
        most_s=max(every),
        noise_s=noise_s,
        uncertainty_s=math.hypot(random_s, RESOLUTION_S / math.sqrt(12)),
    )
