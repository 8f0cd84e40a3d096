"""Work of a device whose line fails meanwhile, and the order in which what is seen and what is said is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import simpy

from bench.clock import VirtualClock
from bench.drivers.reference import ReferenceDriver
from bench.emulators.build import build_device
from bench.emulators.device import EmulatedDevice
from bench.emulators.world import World
from bench.hands.emulated import EmulatedHands
from bench.links import Wire, pty_pair
from bench.links.faulty import FaultyLine
from bench.links.faulty_port import FaultyPort
from bench.links.framings import ReferenceFrames
from bench.links.line_faults import LineFault
from bench.live_rig import Rig
from bench.operate import completed, dispensed, operate, settle
from evidence.errors import RigFault
from evidence.events import AnyEvent, DeviceDispensed, LineSeen, Record

SILENCE_S = 20.0


@dataclass
class Bench:
    """A shoe with a pack in it behind a line that can go bad, and all that is told of it."""

    rig: Rig
    line: FaultyLine
    device: EmulatedDevice
    told: list[AnyEvent] = field(default_factory=list)

    def publish(self, event: AnyEvent, source: str) -> Record:
        self.told.append(event)
        return Record(seq=len(self.told), mono_ns=0, utc="", source=source, scenario="", event=event)

    def tap(self) -> None:
        self.told += [LineSeen(line=edge.line, level=edge.level, at_ns=edge.at_ns) for edge in self.device.tap()]


@contextmanager
def shoe() -> Iterator[Bench]:
    env, world = simpy.Environment(), World(1)
    clock = VirtualClock(env)
    link, port = pty_pair()
    line = FaultyLine(1, ReferenceFrames)
    device = build_device("shoe", "shoe", env, world, FaultyPort(port, line, env), 1, ())
    clock.attach(Wire(link, port))
    driver = ReferenceDriver("shoe", "shoe", link, clock, lambda _: None, {})
    hands = EmulatedHands(world)
    hands.place_pack(52)
    hands.load("shoe")
    nothing: Any = None
    rig = Rig(
        clock=clock, devices={"shoe": driver}, controls={}, hands=hands, eye=nothing, software=nothing, approvals=(),
        silence={"shoe": SILENCE_S},
    )  # fmt: skip
    bench = Bench(rig, line, device)
    assert operate(rig, bench, "shoe", "load", completed("load")) == ""
    bench.told.clear()
    try:
        yield bench
    finally:
        driver.close()
        link.close()
        port.close()


def test_a_line_that_died_in_the_middle_of_the_work_is_no_failure_of_the_device() -> None:
    with shoe() as bench:
        bench.line.arm(LineFault(kind="half_open", way="rx", first=2))  # its answer to the order still comes
        with pytest.raises(RigFault, match="no answer within"):
            operate(bench.rig, bench, "shoe", "deal_card", dispensed("card"))
        assert not [event for event in bench.told if isinstance(event, DeviceDispensed)]


def test_what_was_lost_on_a_line_that_lives_again_is_told_once_the_device_is_asked() -> None:
    with shoe() as bench:
        bench.line.arm(LineFault(kind="half_open", way="rx", first=2, seconds=SILENCE_S - 0.1))
        said = operate(bench.rig, bench, "shoe", "deal_card", dispensed("card"))
        assert said == "shoe: no end came within 20 s of deal_card"
        assert [event.count for event in bench.told if isinstance(event, DeviceDispensed)] == [1]


def test_what_a_wire_showed_before_the_device_spoke_is_told_before_it_also_when_work_is_settled() -> None:
    with shoe() as bench:
        assert bench.rig.devices["shoe"].command("deal_card").accepted
        while not any(isinstance(event, DeviceDispensed) for event in bench.told):
            settle(bench.rig, bench, "shoe")
        lines = [event.line if isinstance(event, LineSeen) else "claim" for event in bench.told]
        assert "exit" in lines
        assert "exit" not in lines[lines.index("claim") :]
