"""What one scenario left at a device is no doing of the next: it is put right, or the next one says that it is not."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import msgspec
import pytest

from bench.aftermath import Aftermath, on_table
from bench.emulators.device import EmulatedDevice
from bench.faults.catalogue import catalogue
from bench.faults.script import FaultSpec, parse_fault
from bench.hands.emulated import EmulatedHands
from bench.live_rig import Rig
from bench.operate import clear, make_ready
from bench.plan import load_plan, only
from bench.protocol.messages import Identify, Status
from bench.rig import load_rig
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.errors import RigFault
from evidence.events import AnyEvent, DeviceIdentity, DeviceSeen, DeviceStatus, FaultArmed, Record, SessionOpened
from evidence.notes import Notes
from tests.emulators.emulated_bench import Direct

STAY = ("count_spoofed", "firmware_changed", "update_interrupted", "authentication_canned")
"""Faults by which a device has another program than before."""


class Told:
    """Somebody at the table who puts things right, or says that it is done and does nothing."""

    def __init__(self, act: Callable[[], object] = lambda: None) -> None:
        self.orders: list[str] = []
        self._act = act

    def restore(self, order: str) -> None:
        self.orders.append(order)
        self._act()

    def place_device(self, device: str) -> None:
        self.restore(f"{device}: put back")


class Heard:
    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def publish(self, event: AnyEvent, source: str) -> Record:
        return self._notes.append(event, source=source)

    def tap(self) -> None:
        """Nothing hangs on wires here."""


@contextmanager
def bench() -> Iterator[tuple[Rig, EmulatedDevice, Heard]]:
    """A rig, its shuffler, and who hears of it."""
    workshop = Workshop(load_rig(find_rig("emulated")), 1, evidence=False)
    scenario = only(load_plan(find_plan("nj-69f-33.12")), ["nj-plain"]).scenarios[0]
    notes = Notes(workshop.now_ns)
    with workshop.open(scenario, notes, {}) as rig:
        shuffler = rig.controls["shuffler"]
        assert isinstance(shuffler, EmulatedDevice)
        yield rig, shuffler, Heard(notes)


def fault(name: str, device: str = "shuffler") -> FaultSpec:
    return parse_fault({"name": name, "target": device}, "plan")


def altered(rig: Rig, shuffler: EmulatedDevice, aftermath: Aftermath, *names: str) -> None:
    """The device after a scenario in which these faults were brought about at it."""
    aftermath.expect(rig.devices["shuffler"].identify(), [fault(name) for name in names])
    for name in names:
        shuffler.arm(name)
    rig.devices["shuffler"].identify()


def put_right(aftermath: Aftermath, rig: Rig, emulated: Mapping[str, object], somebody: Told) -> list[AnyEvent]:
    """What is put on record while what was left is put right, as before a scenario."""
    told: list[AnyEvent] = []
    aftermath.put_right(emulated, somebody)  # type: ignore[arg-type]
    aftermath.check(rig.devices, lambda event, _source: told.append(event))
    return told


def test_the_catalogue_says_what_stays_at_a_device() -> None:
    assert [entry.name for entry in catalogue().values() if entry.afterwards] == list(STAY)


def test_a_device_that_was_put_right_is_taken_as_it_was() -> None:
    with bench() as (rig, shuffler, _):
        aftermath, somebody = Aftermath(), Told(shuffler.disarm)
        altered(rig, shuffler, aftermath, "update_interrupted", "firmware_changed")
        told = put_right(aftermath, rig, {}, somebody)
        assert [type(event) for event in told] == [DeviceIdentity]
        assert somebody.orders == [
            "shuffler: Load the approved image, whole.", "shuffler: Load the approved image again.",
        ]  # fmt: skip
        # It is done with: nobody is asked once more.
        put_right(aftermath, rig, {}, somebody)
        assert len(somebody.orders) == 2


@pytest.mark.parametrize("emulated", [{}, {"shuffler": None}])
def test_a_device_with_another_program_than_before_goes_into_no_scenario(emulated: Mapping[str, object]) -> None:
    with bench() as (rig, shuffler, _):
        aftermath, nobody = Aftermath(), Told()
        before = shuffler.firmware.identity.firmware_sha256
        altered(rig, shuffler, aftermath, "firmware_changed")
        for _again in range(2):
            with pytest.raises(RigFault, match=f"firmware_changed was tried.*{before}. Load the approved image"):
                put_right(aftermath, rig, emulated, nobody)
        # An emulator's control puts it right; nobody at a table is told to.
        assert bool(nobody.orders) == (not emulated)


def test_faults_that_leave_nothing_ask_for_nothing() -> None:
    with bench() as (rig, shuffler, _):
        aftermath, somebody = Aftermath(), Told()
        befalling = [fault("card_stuck_on_entry"), fault("firmware_changed", "other")]
        aftermath.expect(rig.devices["shuffler"].identify(), befalling)
        shuffler.arm("firmware_changed")
        put_right(aftermath, rig, {}, somebody)
        assert somebody.orders == []


def cut_off_after(*later: tuple[str, AnyEvent]) -> Aftermath:
    """What is known of the devices of a run that was cut off, after a scenario that changed a firmware and these."""
    said = DeviceIdentity(
        device="shuffler", role="shuffler", maker="m", model="n", serial="1", firmware="1", firmware_sha256="aa"
    )
    told: list[tuple[str, AnyEvent]] = [
        ("s1", said),
        ("s1", FaultArmed(fault="firmware_changed", target="shuffler")),
        ("s1", SessionOpened(game="g", cards_in_deck=52, positions=[], seated=[], devices={})),
        ("s1", msgspec.structs.replace(said, firmware_sha256="bb")),
        *later,
    ]
    aftermath = Aftermath()
    for seq, (scenario, event) in enumerate(told):
        aftermath.remember(Record(seq=seq, mono_ns=seq, utc="", source="s", scenario=scenario, event=event))
    return aftermath


def test_a_run_that_goes_on_knows_what_was_left_before_it_was_cut_off() -> None:
    with bench() as (rig, _, _heard):
        with pytest.raises(
            RigFault, match="firmware_changed was tried in an earlier scenario; before, it had 1 with aa"
        ):
            put_right(cut_off_after(), rig, {}, Told())
        opened = SessionOpened(game="g", cards_in_deck=52, positions=[], seated=[], devices={})
        assert put_right(cut_off_after(("s2", opened)), rig, {}, Told()) == []


def ready(rig: Rig, heard: Heard, somebody: Told) -> list[str]:
    """The states of the shuffler that are told when it is made ready, with this somebody at the table."""
    told: list[str] = []
    publish = heard.publish

    def keep(event: AnyEvent, source: str) -> Record:
        if isinstance(event, DeviceStatus):
            told.append(event.state)
        return publish(event, source)

    heard.publish = keep  # type: ignore[method-assign]
    rig.hands = somebody  # type: ignore[assignment]
    make_ready(rig, heard, "shuffler")
    return told


def test_a_device_that_does_not_come_to_rest_is_switched_off_and_on() -> None:
    with bench() as (rig, shuffler, heard):
        shuffler.arm("update_interrupted")
        rig.devices["shuffler"].identify()
        somebody = Told(shuffler.disarm)
        assert ready(rig, heard, somebody) == ["idle"]
        assert somebody.orders == ["shuffler: switch it off and on again, and wait until it has started"]


def test_a_device_without_power_is_found_at_work_by_the_next_scenario() -> None:
    with bench() as (rig, shuffler, heard):
        rig.hands.place_pack(52)
        rig.hands.load("shuffler")
        shuffler.arm("over_voltage", card=3)
        assert rig.devices["shuffler"].command("shuffle").accepted
        rig.clock.pause(30.0)
        with pytest.raises(RigFault, match="shuffler: asked AskStatus"):
            rig.devices["shuffler"].status()
        clear(rig)
        somebody = Told()
        assert ready(rig, heard, somebody) == ["idle"]
        assert somebody.orders == []
        assert shuffler.tap() == []  # what moved while the table was cleared belongs to no scenario


def test_a_device_that_hangs_is_switched_off_and_on() -> None:
    with bench() as (rig, shuffler, heard):
        shuffler.dark = True

        def switch() -> None:
            shuffler.dark = False

        somebody = Told(switch)
        assert ready(rig, heard, somebody) == ["idle"]
        assert len(somebody.orders) == 1
        shuffler.dark = True
        with pytest.raises(RigFault, match="shuffler: asked"):
            ready(rig, heard, Told())


def test_a_device_that_stays_in_its_fault_goes_into_no_scenario() -> None:
    with bench() as (rig, shuffler, heard):
        shuffler.arm("update_interrupted")
        rig.devices["shuffler"].identify()
        with pytest.raises(RigFault, match="shuffler is fault MEMORY_ERROR before the scenario"):
            ready(rig, heard, Told())


def test_a_fault_that_the_device_forgets_by_its_own_command_needs_nobody() -> None:
    with bench() as (rig, shuffler, heard):
        shuffler.firmware.boot("POWER_LOST")
        somebody = Told()
        assert ready(rig, heard, somebody) == ["idle"]
        assert somebody.orders == []


def test_whoever_reloads_a_device_that_lost_its_program_is_asked_before_it_is_to_come_to_rest() -> None:
    with bench() as (rig, shuffler, heard):
        aftermath, somebody = Aftermath(), Told(shuffler.disarm)
        altered(rig, shuffler, aftermath, "update_interrupted")
        aftermath.put_right({}, somebody)  # type: ignore[arg-type]
        assert ready(rig, heard, somebody) == ["idle"]
        aftermath.check(rig.devices, heard.publish)
        assert somebody.orders == ["shuffler: Load the approved image, whole."]


def test_a_device_that_was_taken_away_is_put_back_or_missed() -> None:
    with bench() as (rig, _, _heard):
        hands = rig.hands
        assert isinstance(hands, EmulatedHands)
        hands.remove_device("shoe")
        told: list[AnyEvent] = []

        def look(by: object) -> None:
            on_table(rig.eye, by, rig.devices, lambda event, _source: told.append(event))  # type: ignore[arg-type]

        with pytest.raises(RigFault, match="shoe: the camera does not see it on the table"):
            look(Told())
        look(hands)
        # Both looks that missed it, and the one after which it was put back.
        assert [(event.device, event.present) for event in told if isinstance(event, DeviceSeen)] == [
            ("shoe", False)
        ] * 3
        untouched = Told()
        look(untouched)
        assert untouched.orders == []
        assert len(told) == 3


def test_a_probe_that_is_clipped_on_again_shows_again_how_the_sensor_stands() -> None:
    device = Direct("shuffler").device
    for _ in range(2):
        device.arm("sensor_noise", line="exit")
        assert [(edge.line, edge.level) for edge in device.tap()] == [("exit_sensor", 0)]
        device.disarm()


@pytest.mark.parametrize("name", [*STAY, "history_lost", "card_torn", "cards_sticky", "order_leaked", "card_bent"])
@pytest.mark.parametrize("role", ["shuffler", "shoe"])
def test_an_emulated_device_forgets_what_was_done_to_it(name: str, role: str) -> None:
    def worked(*faults: str) -> tuple[object, ...]:
        """What a device says and shows in two rounds, of which the first may have faults."""
        direct = Direct(role, seed=3)  # type: ignore[arg-type]
        device = direct.device
        for one in faults:
            device.arm(one, **({"card": 50} if "card" in catalogue()[one].moments else {}))
        for _ in range(2):
            device.handle(Identify())
            direct.said.clear()
            direct.edges.clear()
            if direct.device.firmware.state == "fault":
                direct.order("clear_fault")
            direct.hands.load(device.name)
            for order in ("shuffle",) if role == "shuffler" else ("load", "deal_group"):
                direct.order(order)
            device.disarm()
            direct.hands.remove_pack()
            direct.hands.place_pack(53)
        events = [event for _, event in direct.said if not isinstance(event, Status)]
        return device.handle(Identify()), device.image(), device.firmware.claims, events

    assert worked(name) == worked()
