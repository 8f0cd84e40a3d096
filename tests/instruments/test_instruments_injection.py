"""Instruments act on the emulated devices for a physical reason, and what they read back proves a fault."""

from contextlib import ExitStack

import msgspec
import pytest
import simpy

from bench.clock import VirtualClock, advance
from bench.emulators.instruments.build import build_instrument
from bench.emulators.instruments.ties import Nothing
from bench.faults.proof import Prover
from bench.faults.script import parse_fault
from bench.instruments.entry import ChannelEntry, InstrumentEntry
from bench.instruments.injection import InjectionEntry, Injections
from bench.instruments.rack import Rack
from bench.instruments.session import LinkSession
from bench.links import Wire, pty_pair
from bench.plan import load_plan, only
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import (
    AnyEvent,
    DeviceDispensed,
    DeviceFault,
    Directive,
    FaultProven,
    FaultUnproven,
    LineSeen,
    LinkBytes,
    ReadingTaken,
    Record,
    TableDone,
)
from evidence.notes import Notes
from fixtures.own_packs import packs_of
from rules.judge import judge
from rules.verdicts import Outcome
from tests.emulators.emulated_bench import Direct


def test_a_scenario_injects_by_a_supply_and_the_readback_proves_it() -> None:
    plan_path = find_plan("nj-69f-33.12")
    plan = only(load_plan(plan_path), ["nj-j2-stop"])
    workshop = Workshop(load_rig(find_rig("emulated-instruments")), 1, evidence=False)
    notes = Notes(workshop.now_ns)
    assert run_scenario(workshop, plan.scenarios[0], notes, {}) == "completed"

    (proven,) = [record.event for record in notes.records if isinstance(record.event, FaultProven)]
    by = notes.records[proven.by[0]]
    assert (by.source, by.event) == (
        "instrument:supply",
        ReadingTaken(channel="shoe/shoe-rail", value=0.0, unit="V", rail=True, fault="stop_mid_cycle", asked=0.0),
    )
    # The meter, which injects nothing, reads the same, and that the supply is back when the work is over.
    readings = [record.event for record in notes.records if isinstance(record.event, ReadingTaken)]
    assert [reading.value for reading in readings if reading.channel == "shoe/shoe-clip"] == [0.0, 24.0]
    verdicts = {verdict.clause: verdict for verdict in judge(notes.records, packs_of(plan, plan_path), {})}
    assert verdicts["NJ-69F-33.12.j.2"].verdict is Outcome.PASS
    # Nothing is left on: the last that the supply is told of its output is to switch it off.
    told = [
        line
        for record in notes.records
        if isinstance(record.event, LinkBytes) and record.event.link == "supply" and record.event.direction == "tx"
        for line in bytes.fromhex(record.event.data).decode().splitlines()
    ]
    assert [line for line in told if line.startswith("OUTP ")][-2:] == ["OUTP 0,(@2)", "OUTP 0,(@3)"]


def proof_of(*events: tuple[str, AnyEvent]) -> list[str]:
    """What the prover says of a stop of the shoe after these."""
    prover = Prover([parse_fault({"name": "stop_mid_cycle", "target": "shoe"}, "plan")])
    said: list[FaultProven | FaultUnproven] = []
    for seq, (source, event) in enumerate(events):
        said += prover.observe(
            Record(seq=seq, mono_ns=seq, utc="2026-01-01T00:00:00.000000Z", source=source, scenario="s", event=event)
        )
    said += prover.finish()
    return [type(finding).__name__ for finding in said]


OFF = (
    "instrument:supply",
    ReadingTaken(channel="shoe/rail", value=0.0, unit="V", rail=True, fault="stop_mid_cycle"),
)
FAULT = ("device:shoe", DeviceFault(device="shoe", code="POWER_LOST", symptom="stop"))
DONE = ("device:shoe", DeviceDispensed(device="shoe", unit="card", index=6, count=1))
GIVEN_UP = ("bench:table", TableDone(directive="d1", verb="dispense", outcome="failed"))


def taken(**more: object) -> ReadingTaken:
    """A reading of nothing on the shoe's rail, taken for a stop, but for what is told otherwise."""
    return msgspec.structs.replace(OFF[1], **more)


@pytest.mark.parametrize(
    ("source", "event", "expected"),
    [
        ("instrument:supply", taken(value=1.9), "FaultProven"),
        ("instrument:meter", taken(channel="shoe/clip"), "FaultProven"),
        ("instrument:probe", LineSeen(line="shoe/power", level=0, at_ns=1), "FaultProven"),
        ("instrument:supply", taken(value=2.0), "FaultUnproven"),
        ("instrument:supply", taken(unit="A"), "FaultUnproven"),
        ("instrument:supply", taken(channel="shuffler/rail"), "FaultUnproven"),
        ("instrument:supply", taken(channel="rail"), "FaultUnproven"),
        ("device:shoe", taken(), "FaultUnproven"),
        ("instrument:supply", taken(channel="shoe/logic", rail=False), "FaultUnproven"),
        ("instrument:supply", taken(value=float("nan")), "FaultUnproven"),
        ("instrument:supply", taken(fault="power_cut"), "FaultUnproven"),
        ("instrument:supply", taken(fault=""), "FaultUnproven"),
    ],
)
def test_a_rail_seen_to_go_before_the_device_stops_proves_it(source: str, event: AnyEvent, expected: str) -> None:
    assert proof_of((source, event), FAULT) == [expected]


def test_a_supply_that_went_off_a_moment_too_late_has_stopped_nothing() -> None:
    assert proof_of(OFF, DONE) == ["FaultUnproven"]
    assert proof_of(OFF, DONE, FAULT) == ["FaultUnproven"]
    assert proof_of(OFF) == ["FaultUnproven"]
    assert proof_of(FAULT, OFF) == ["FaultUnproven"]


def test_a_device_that_stops_without_a_word_is_shown_by_the_directive_that_is_given_up() -> None:
    back = ("instrument:supply", ReadingTaken(channel="shoe/rail", value=24.0, unit="V", rail=True))
    ordered = ("software:table", Directive(id="d1", verb="dispense", device="shoe"))
    assert proof_of(ordered, OFF, back, GIVEN_UP) == ["FaultProven"]
    assert proof_of(ordered, GIVEN_UP) == ["FaultUnproven"]


def test_a_rail_that_sags_stalls_the_motors_until_it_is_back() -> None:
    shoe = Direct("shoe").loaded()
    shoe.device.supply(12.0, 2.0)
    assert shoe.device.rail[0] == 12.0
    assert shoe.order("deal_card").accepted
    assert shoe.faults() == [("MOTOR_STALL", "stop", False)]
    assert [edge.level for edge in shoe.edges if edge.line == "overcurrent"] == [1, 0]
    assert shoe.units() == []
    shoe.device.supply(24.0, 2.0)
    assert shoe.order("clear_fault").accepted
    assert shoe.order("deal_card").accepted
    assert [unit.count for unit in shoe.units()] == [1]


def test_a_load_that_takes_more_than_the_supply_gives_pulls_the_rail_down() -> None:
    shoe = Direct("shoe").loaded()
    shoe.device.supply(24.0, 2.0)
    shoe.device.load(3.95)
    voltage_v, current_a = shoe.device.rail
    assert (round(voltage_v, 3), current_a) == (12.0, 2.0)
    shoe.order("deal_card")
    assert shoe.faults() == [("MOTOR_STALL", "stop", False)]
    shoe.device.load(0.0)
    assert shoe.device.rail[0] == 24.0


def test_a_supply_that_is_off_leaves_no_power() -> None:
    shoe = Direct("shoe").loaded()
    shoe.device.supply(0.0, 2.0)
    shoe.order("deal_card")
    assert shoe.faults() == [("POWER_LOST", "stop", False)]
    assert [edge.level for edge in shoe.edges if edge.line == "power"] == [0]
    assert shoe.device.rail == (0.0, 0.0)


def test_a_dip_shorter_than_a_cards_way_is_coasted_through() -> None:
    shoe = Direct("shoe").loaded()
    order = shoe.order("deal_card", for_s=0.01)
    assert order.accepted
    shoe.device.supply(12.0, 2.0)
    shoe.env.run(until=shoe.env.now + 0.02)
    shoe.device.supply(24.0, 2.0)
    shoe.env.run(until=shoe.env.now + 60)
    assert shoe.faults() == []
    assert [unit.count for unit in shoe.units()] == [1]


def test_an_open_wire_blinds_the_sensor_whatever_lies_on_it() -> None:
    shoe = Direct("shoe").loaded()
    shoe.device.join_line("exit", False)
    shoe.order("deal_card")
    assert [edge for edge in shoe.edges if edge.line == "exit"] == []
    assert shoe.world.count("shoe_mouth") > 0  # a card came out, and the shoe did not see it
    assert shoe.units() == []
    assert shoe.faults() != []
    covered = Direct("shoe").loaded()
    covered.device.join_line("tray", False)
    assert [edge.level for edge in covered.device.tap() if edge.line == "tray"] == [0]
    covered.device.join_line("tray", True)
    assert [edge.level for edge in covered.device.tap() if edge.line == "tray"] == [1]


class TwoRails:
    """A rack with one supply that feeds two devices, emulated and driven over a pty in virtual time."""

    def __init__(self, stack: ExitStack) -> None:
        self.clock = VirtualClock(simpy.Environment())
        self.rails = {"shoe": Nothing(), "shuffler": Nothing()}
        channels = [
            ChannelEntry(
                name=name, address=n, device=name, voltage_v=24.0, max_voltage_v=25.0, max_current_a=1.0
            )
            for n, name in ((2, "shoe"), (3, "shuffler"))
        ]  # fmt: skip
        entry = InstrumentEntry(name="it", role="power_supply", driver="keysight-e36300", channel=channels)
        link, port = pty_pair()
        stack.callback(port.close)
        model = build_instrument(entry.driver, {2: self.rails["shoe"], 3: self.rails["shuffler"]}, {})
        port.feed, model.send = model.feed, port.write
        self.clock.attach(Wire(link, port))
        self.rack = Rack([entry], lambda _: LinkSession(link, self.clock), lambda _: lambda _: None)
        stack.callback(self.rack.close)
        self.rack.begin_work()
        self.entries = [
            InjectionEntry(fault="stop_mid_cycle", device="shoe", channel="shoe", action="off", card_s=2.0),
            InjectionEntry(fault="motor_stall", device="shuffler", channel="shuffler", action="sag", voltage_v=9.0),
        ]
        self.injections = Injections(self.entries, self.rack, self.clock)

    def arm(self, fault: str, device: str, **at: object) -> bool:
        return self.injections.arm(parse_fault({"name": fault, "target": device, "at": at}, "plan"))

    def pass_time(self, seconds: float) -> None:
        end = self.clock.deadline(seconds)
        while (due := self.injections.due()) is not None and due.ns <= end.ns:
            self.clock.wait([], due)
            self.injections.act()
        self.clock.wait([], end)

    def volts(self) -> tuple[float, float]:
        return self.rails["shoe"].rail[0], self.rails["shuffler"].rail[0]


def test_faults_strike_at_their_moment_and_end_with_the_work_that_they_befell() -> None:
    with ExitStack() as stack:
        bench = TwoRails(stack)
        assert bench.arm("stop_mid_cycle", "shoe", cycle=2, card=4)
        assert bench.arm("motor_stall", "shuffler", after_s=1.5)
        assert not bench.arm("motor_stall", "shoe")  # nothing in this rig brings that about
        assert bench.volts() == (24.0, 24.0)

        bench.injections.begun("shuffler", "shuffle")
        bench.pass_time(1.4)
        assert bench.volts() == (24.0, 24.0)
        bench.pass_time(0.2)
        assert bench.volts() == (24.0, 9.0)

        for _ in range(2):
            bench.injections.begun("shoe", "load")
            bench.injections.over("shoe")
        assert bench.volts() == (24.0, 9.0)  # the shuffler's work goes on
        for card in (1, 2, 3):
            bench.injections.begun("shoe", "deal_card")
            bench.pass_time(3.0)
            assert bench.volts() == (24.0, 9.0), card
            bench.injections.dispensed("shoe", 1)
            bench.injections.over("shoe")
        bench.injections.begun("shoe", "deal_card")
        bench.pass_time(0.0)
        assert bench.volts() == (0.0, 9.0)
        bench.injections.over("shoe")
        assert bench.volts() == (24.0, 9.0)
        bench.injections.over("shuffler")
        assert bench.volts() == (24.0, 24.0)
        values = [(reading.channel, reading.value) for _, reading in bench.rack.take_readings() if reading.unit == "V"]
        assert values == [
            ("shuffler/shuffler", 9.0), ("shoe/shoe", 0.0), ("shoe/shoe", 24.0), ("shuffler/shuffler", 24.0),
        ]  # fmt: skip
    assert bench.volts() == (0.0, 0.0)


class RealTime(VirtualClock):
    """A clock that goes on while it is read, as real time does."""

    def now_ns(self) -> int:
        advance(self.env, self.env.now + 1e-6)
        return super().now_ns()


def test_what_is_due_at_once_is_done_at_once_although_time_goes_on() -> None:
    with ExitStack() as stack:
        bench = TwoRails(stack)
        injections = Injections(bench.entries, bench.rack, RealTime(simpy.Environment()))
        injections.arm(parse_fault({"name": "stop_mid_cycle", "target": "shoe"}, "plan"))
        injections.begun("shoe", "deal_card")
        injections.act()
        assert bench.volts() == (0.0, 24.0)


def test_a_fault_of_a_group_is_due_after_the_time_of_its_cards_and_what_was_armed_can_be_forgotten() -> None:
    with ExitStack() as stack:
        bench = TwoRails(stack)
        bench.arm("stop_mid_cycle", "shoe", group=2, card=3)
        bench.injections.begun("shoe", "load")
        for group in (1, 2):
            bench.injections.begun("shoe", "deal_group")
            bench.pass_time(3.9)
            assert bench.volts()[0] == 24.0
            bench.pass_time(0.2)
            assert bench.volts()[0] == (24.0 if group == 1 else 0.0)
            bench.injections.dispensed("shoe", 7)
        bench.injections.disarm()
        assert bench.volts()[0] == 24.0
        bench.arm("stop_mid_cycle", "shoe")
        bench.injections.disarm()
        bench.injections.begun("shoe", "deal_card")
        assert bench.injections.due() is None
