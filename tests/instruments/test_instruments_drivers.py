"""Each driver says on the wire what its instrument understands, keeps to the rig's limits, and sees what came of it."""

# mypy: disable-error-code="type-abstract"

import math

import msgspec
import pytest

from bench.emulators.instruments.build import MODELS, build_instrument
from bench.emulators.instruments.scpi import ScpiInstrument
from bench.emulators.instruments.supplies import EmulatedSupply
from bench.emulators.instruments.ties import Nothing
from bench.instruments.loads import Load
from bench.instruments.meters import Meter
from bench.instruments.registry import DRIVERS
from bench.instruments.supplies import PowerSupply
from bench.instruments.switches import Switch
from evidence.errors import RigFault, UsageError
from tests.instruments.served import driven, entry, rack_of, sent, served, troubles


class Rail(Nothing):
    """A rail that tells what came to it."""

    def __init__(self) -> None:
        super().__init__()
        self.came: list[object] = []

    def supply(self, voltage_v: float, limit_a: float) -> None:
        super().supply(voltage_v, limit_a)
        self.came.append((voltage_v, limit_a))

    def load(self, current_a: float) -> None:
        self.came.append(current_a)

    def join_line(self, line: str, joined: bool) -> None:
        self.came.append((line, joined))

    def bridge_line(self, line: str, bridged: bool) -> None:
        self.came.append((f"across {line}", bridged))

    @property
    def rail(self) -> tuple[float, float]:
        return super().rail[0], 0.25


SUPPLIES = {
    "keysight-e36300": (
        ["VOLT 12.5000,(@2)", "CURR 1.5000,(@2)", "OUTP 1,(@2)", "OUTP? (@2)", "MEAS:VOLT? (@2)", "MEAS:CURR? (@2)"],
        ["OUTP 0,(@2)", "OUTP? (@2)"],
    ),
    "rigol-dp832": (
        [":APPL CH2,12.500,1.500", ":OUTP CH2,ON", ":OUTP? CH2", ":MEAS:ALL? CH2"],
        [":OUTP CH2,OFF", ":OUTP? CH2"],
    ),
    "rs-hmp": (
        ["INST:NSEL 2", "VOLT 12.500", "CURR 1.5000", "INST:NSEL 2", "OUTP:SEL 1", "OUTP:GEN 1", "INST:NSEL 2",
         "OUTP:SEL?", "OUTP:GEN?", "INST:NSEL 2", "MEAS:VOLT?", "MEAS:CURR?"],
        ["INST:NSEL 2", "OUTP:SEL 0", "INST:NSEL 2", "OUTP:SEL?"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("driver", SUPPLIES)
def test_a_supply_is_set_switched_and_read_back(driver: str) -> None:
    rail = Rail()
    with driven(build_instrument(driver, {2: rail}, {}), PowerSupply, driver, address=2, voltage_v=12.5) as (
        supply,
        rack,
        emitted,
    ):
        supply.begin_work()
        assert supply.measure("out") == (12.5, 0.25)
        at_work, afterwards = SUPPLIES[driver]
        assert sent(emitted) == at_work
        readings = [(name, reading.value, reading.unit) for name, reading in rack.take_readings()]
        assert readings == [("it", 12.5, "V"), ("it", 0.25, "A")]
        emitted.clear()
        rack.make_safe()
        assert sent(emitted) == afterwards
    assert rail.came[-1] == (0.0, 1.5)
    assert (12.5, 1.5) in rail.came


PROTECTION = {
    "keysight-e36300": ["VOLT:PROT 10.000,(@2)", "VOLT:PROT:TRIP? (@2)", "VOLT:PROT 27.500,(@2)", "OUTP:PROT:CLE (@2)"],
    "rigol-dp832": [
        ":OUTP:OVP:VAL CH2,10.000", ":OUTP:OVP CH2,ON", ":OUTP:OVP:QUES? CH2", ":OUTP:OVP:VAL CH2,27.500",
        ":OUTP:OVP CH2,ON", ":OUTP:OVP:CLEAR CH2",
    ],
    "rs-hmp": [
        "INST:NSEL 2", "VOLT:PROT 10.000", "INST:NSEL 2", "VOLT:PROT:TRIP?", "INST:NSEL 2", "VOLT:PROT 27.500",
        "INST:NSEL 2", "VOLT:PROT:CLE",
    ],
}  # fmt: skip


@pytest.mark.parametrize("driver", PROTECTION)
def test_a_protection_that_is_lowered_trips_and_can_be_raised_again(driver: str) -> None:
    rail = Rail()
    model = build_instrument(driver, {2: rail}, {})
    with driven(model, PowerSupply, driver, address=2, voltage_v=12.5) as (supply, rack, emitted):
        supply.begin_work()
        emitted.clear()
        supply.protect("out", 10.0)
        assert supply.is_tripped("out")
        assert rail.rail[0] == 0.0
        assert [(reading.value, reading.unit) for _, reading in rack.take_readings()] == [(1.0, "tripped")]
        supply.reset_protection("out")
        assert sent(emitted) == PROTECTION[driver]
        assert not supply.is_tripped("out")
        assert rail.rail[0] == 0.0  # nothing comes on by itself
        supply.output("out", True)
        assert rail.rail[0] == 12.5
        # A bench that was killed may have left it lowered: it is raised when the output does not come on.
        supply.protect("out", 10.0)
        supply.begin_work()
        assert rail.rail[0] == 12.5


@pytest.mark.parametrize("driver", PROTECTION)
def test_a_protection_that_somebody_else_set_is_left_as_it_is_when_it_trips(driver: str) -> None:
    rail = Rail()
    model = build_instrument(driver, {2: rail}, {})
    assert isinstance(model, EmulatedSupply)
    with driven(model, PowerSupply, driver, address=2, voltage_v=12.5) as (supply, _, emitted):
        model.output("2").protect(11.0)
        with pytest.raises(RigFault, match=r"has tripped, and stands at 11 V, .* a fault \(10 V\)"):
            supply.begin_work()
        assert model.output("2").protection_v == 11.0
        assert supply.is_tripped("out")
        assert rail.rail[0] == 0.0
        assert "nak" not in troubles(emitted)


def test_a_current_limit_is_lowered_and_the_voltage_gives_way() -> None:
    with driven(build_instrument("rigol-dp832", {}, {}), PowerSupply, "rigol-dp832", voltage_v=12.0) as (
        supply,
        _,
        emitted,
    ):
        supply.limit_current("out", 0.25)
        assert sent(emitted) == [":APPL CH1,12.000,0.250"]
        with pytest.raises(UsageError, match=r"1\.6 A asked for; the rig file allows 0 to 1\.5"):
            supply.limit_current("out", 1.6)
        with pytest.raises(UsageError, match="the rig file allows 0 to 25"):
            supply.protect("out", 26.0)


def test_a_relay_across_contacts_rests_open_and_bridges_them() -> None:
    rail = Rail()
    model = build_instrument("keysight-34970a", {103: rail}, {103: "across-button"})
    with driven(model, Switch, "keysight-34970a", address=103, device="shoe", line="button", across=True) as (
        relays,
        rack,
        _,
    ):
        relays.begin_work()
        relays.close_relay("out")
        relays.open_relay("out")
        assert relays.is_closed("out") is False
        assert [(reading.channel, reading.line) for _, reading in rack.take_readings()] == [("shoe/out", "button")]
    assert rail.came == [("across button", bridged) for bridged in (False, False, True, False)]


def test_relays_open_and_close_and_say_so() -> None:
    rail = Rail()
    with driven(
        build_instrument("keysight-34970a", {103: rail}, {103: "exit"}), Switch, "keysight-34970a", address=103
    ) as (relays, rack, emitted):
        relays.close_relay("out")
        assert relays.is_closed("out")
        relays.open_relay("out")
        assert not relays.is_closed("out")
        assert sent(emitted)[:3] == ["ROUT:CLOS (@103)", "ROUT:CLOS? (@103)", "ROUT:CLOS? (@103)"]
        assert [reading.value for _, reading in rack.take_readings()] == [1.0, 0.0]
    assert rail.came == [("exit", False), ("exit", True), ("exit", False)]


def test_a_meter_reads_volts_and_sets_itself_once() -> None:
    rail = Rail()
    rail.supply(23.75, 1)
    with driven(build_instrument("keysight-34465a", {1: rail}, {}), Meter, "keysight-34465a") as (meter, _, emitted):
        assert [meter.measure("out"), meter.measure("out")] == [23.75, 23.75]
        assert sent(emitted) == ["CONF:VOLT:DC", "READ?", "READ?"]


def test_a_load_draws_and_its_answers_carry_units() -> None:
    rail = Rail()
    rail.supply(20.0, 9)
    with driven(build_instrument("ld400p", {1: rail}, {}), Load, "ld400p") as (load, _, emitted):
        load.draw("out", 2.5)
        assert load.measure("out") == (20.0, 2.5)
        assert sent(emitted) == ["MODE C", "A 2.5000", "INP 1", "INP?", "V?", "I?"]
        load.draw("out", 0.0)
    assert [drawn for drawn in rail.came if isinstance(drawn, float)] == [0.0, 2.5, 0.0, 0.0]


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_driver_has_an_instrument_to_try_it_on(driver: str) -> None:
    assert driver in MODELS
    with served(build_instrument(driver, {}, {})) as resource:
        role = DRIVERS[driver].role
        with rack_of(entry(driver, role, resource, address=DRIVERS[driver].addresses.start)) as (rack, emitted):
            (identity,) = rack.identify()
            assert identity.serial.startswith("EM0000000")
            assert identity in emitted
            rack.make_safe()
            assert troubles(emitted) == []


@pytest.mark.parametrize("voltage_v", [25.001, -0.001, math.nan, math.inf])
def test_no_voltage_beyond_the_rig_files_limit_reaches_the_wire(voltage_v: float) -> None:
    with driven(build_instrument("keysight-e36300", {}, {}), PowerSupply, "keysight-e36300", address=2) as (
        supply,
        _,
        emitted,
    ):
        with pytest.raises(UsageError, match="the rig file allows 0 to 25"):
            supply.set("out", voltage_v)
        with pytest.raises(UsageError, match="there is no channel 'other'"):
            supply.set("other", 1.0)
        assert sent(emitted) == []


@pytest.mark.parametrize("current_a", [5.1, -1.0, math.nan])
def test_no_current_beyond_the_rig_files_limit_is_drawn(current_a: float) -> None:
    with driven(build_instrument("ld400p", {}, {}), Load, "ld400p") as (load, _, emitted):
        with pytest.raises(UsageError, match="allows 0 to 5"):
            load.draw("out", current_a)
        assert sent(emitted) == []


def test_what_the_instrument_itself_refuses_is_told_with_its_error() -> None:
    # The first output of this model gives 6 V; the rig file allows more.
    with driven(build_instrument("keysight-e36300", {}, {}), PowerSupply, "keysight-e36300", address=1) as (
        supply,
        _,
        emitted,
    ):
        with pytest.raises(RigFault, match=r"refuses VOLT 24.* \(-222, Data out of range\)"):
            supply.set("out", 24.0)
        assert troubles(emitted) == ["nak"]
        supply.set("out", 5.0)  # the error was read: it does not stand against the next order


class Stubborn(ScpiInstrument):
    """A supply whose output stays as it is, without an error."""

    def __init__(self) -> None:
        super().__init__("A,B,C,D")
        self._add(r"OUTP .*", lambda _: None)
        self._add(r"OUTP\? .*", lambda _: "0")
        self._add(r"(VOLT|CURR) .*", lambda _: None)


def test_an_output_that_stays_off_is_noticed() -> None:
    wrong = pytest.raises(RigFault, match="was told to be on, says that it is off")
    with driven(Stubborn(), PowerSupply, "keysight-e36300") as (supply, _, _), wrong:
        supply.output("out", True)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"identity": "Keysight Technologies,E36312A"}, "the rig file expects Keysight Technologies E36312A"),
        ({"identity": "Keysight Technologies,E36313A", "serial": "MY1"}, "the rig file expects MY1"),
    ],
)
def test_nothing_is_switched_on_an_instrument_that_is_another(wrong: dict[str, str], says: str) -> None:
    rail = Rail()
    model = build_instrument("keysight-e36300", {2: rail}, {})
    rail.came.clear()
    with (
        driven(model, PowerSupply, "keysight-e36300", address=2, voltage_v=5.0, **wrong) as (_, rack, _),
        pytest.raises(RigFault, match=says),
    ):
        rack.begin_work()
    assert rail.came == []


def test_one_instrument_that_fails_does_not_keep_the_others_from_safety() -> None:
    rails = [Rail(), Rail()]
    with (
        served(build_instrument("keysight-e36300", {1: rails[0]}, {})) as first,
        served(build_instrument("keysight-e36300", {1: rails[1]}, {})) as second,
    ):
        one, other = (
            msgspec.structs.replace(entry("keysight-e36300", "power_supply", resource, voltage_v=5.0), name=name)
            for name, resource in (("one", first), ("other", second))
        )
        with rack_of(one, other) as (rack, _):
            rack.begin_work()
            assert [rail.came[-1] for rail in rails] == [(5.0, 1.5)] * 2
            rack.instruments["one"].close()
            with pytest.raises(RigFault, match=r"not left in a safe state, switch it off by hand: one:"):
                rack.close()
            assert [rail.came[-1] for rail in rails] == [(5.0, 1.5), (0.0, 1.5)]
