"""Where proof begins: on wires, on lines and in claims, what is just enough proves a fault and what is not does not."""

from typing import Any

import msgspec
import pytest

from bench.faults.catalogue import catalogue
from bench.faults.proof import Prover
from bench.faults.script import parse_fault
from evidence.events import (
    AnyEvent,
    ApprovalRecord,
    CameraHealth,
    CardsSeen,
    DealerDid,
    DeviceAnswered,
    DeviceCycle,
    DeviceFault,
    DeviceIdentity,
    DeviceSeen,
    DeviceStatus,
    Directive,
    FaultProven,
    ImageRead,
    LineSeen,
    LinkAltered,
    LinkBytes,
    LinkFault,
    ReadingTaken,
    Record,
    SessionOpened,
    TableDone,
)

Told = tuple[float, AnyEvent]
ROLES = SessionOpened(game="g", cards_in_deck=52, positions=[], seated=[], devices={"shoe": "shoe"})


def proofs(fault: str, *told: Told, target: str = "shoe", source: str = "", **params: Any) -> int:
    prover = Prover([parse_fault({"name": fault, "target": target, "params": params}, "test")])
    found: list[object] = []
    for n, (at_s, event) in enumerate(told):
        record = Record(seq=n, mono_ns=round(at_s * 1e9), utc="", source=source, scenario="s", event=event)
        found += prover.observe(record)
    found += prover.finish()
    return len([one for one in found if isinstance(one, FaultProven)])


def proven_of(faults: list[tuple[str, str]], *told: Told, source: str = "") -> list[str]:
    """The faults that are proven, of several that are armed at the same time on the targets named beside them."""
    prover = Prover([parse_fault({"name": name, "target": target}, "test") for name, target in faults])
    found: list[object] = []
    for n, (at_s, event) in enumerate(told):
        record = Record(seq=n, mono_ns=round(at_s * 1e9), utc="", source=source, scenario="s", event=event)
        found += prover.observe(record)
    found += prover.finish()
    return [one.fault for one in found if isinstance(one, FaultProven)]


def edge(at_s: float, line: str, level: int, device: str = "shoe") -> Told:
    return at_s, LineSeen(line=f"{device}/{line}", level=level, at_ns=round(at_s * 1e9))


@pytest.mark.parametrize(("held_s", "count"), [(0.02, 0), (0.04, 1)])
def test_a_card_without_a_code_is_one_that_the_reader_misses_for_as_long_as_it_passes(
    held_s: float, count: int
) -> None:
    assert proofs("code_not_read", edge(1.0, "exit", 1), edge(1.0 + held_s, "exit", 0)) == count
    assert proofs("code_not_read", edge(1.0, "exit", 1), edge(1.01, "reader", 1), edge(1.2, "exit", 0)) == 0
    assert proofs("code_not_read", edge(1.0, "exit", 1, "shoe-2"), edge(1.2, "exit", 0, "shoe-2")) == 0


@pytest.mark.parametrize(("fault", "lasting_s", "count"), [
    ("sensor_noise", 0.0004, 0), ("sensor_noise", 0.005, 1), ("sensor_noise", 0.02, 0),
    ("sensor_stuck", 0.005, 0), ("sensor_stuck", 0.06, 1),
])  # fmt: skip
def test_noise_is_short_and_a_stuck_wire_is_not(fault: str, lasting_s: float, count: int) -> None:
    wire = (edge(1.0, "exit", 1), edge(1.0 + lasting_s, "exit", 0), edge(3.0, "tray", 1))
    card = (edge(0.5, "exit_sensor", 1), edge(0.5, "exit", 1), edge(0.7, "exit_sensor", 0), edge(0.7, "exit", 0))
    assert proofs(fault, *card, *wire) == count
    assert proofs(fault, *wire) == 0  # nobody has clipped a probe on the sensor's end
    follows = (edge(1.0, "exit_sensor", 1), edge(1.0, "exit", 1), edge(2.0, "exit_sensor", 0), edge(2.0, "exit", 0))
    assert proofs(fault, *follows) == 0


@pytest.mark.parametrize(("low_s", "count"), [(0.01, 1), (0.05, 0)])
def test_a_hole_in_a_card_is_shorter_than_the_gap_between_two(low_s: float, count: int) -> None:
    wire = (edge(1.0, "exit", 1), edge(1.04, "exit", 0), edge(1.04 + low_s, "exit", 1), edge(1.2, "exit", 0))
    assert proofs("card_torn", *wire) == count


@pytest.mark.parametrize(("still_s", "count"), [(0.05, 0), (0.2, 1)])
def test_a_card_at_the_exit_is_pulled_by_hand_when_the_feed_has_long_stopped(still_s: float, count: int) -> None:
    wire = (edge(0.5, "tray", 1), edge(1.0, "feed", 1), edge(2.0, "feed", 0), edge(2.0 + still_s, "exit", 1))
    assert proofs("card_pulled_while_locked", *wire) == count


def test_a_shoe_without_a_drive_shows_no_card_pulled_against_it() -> None:
    assert proofs("card_pulled_while_locked", edge(1.0, "exit", 1)) == 0
    assert proofs("card_pulled_while_locked", edge(0.5, "tray", 1), edge(1.0, "exit", 1)) == 1


def test_the_output_clears_early_only_while_a_cycle_is_under_way() -> None:
    cycle: list[Told] = [
        (1.0, DeviceCycle(device="shuffler", kind="shuffle", phase="started")),
        (3.0, DeviceCycle(device="shuffler", kind="shuffle", phase="completed")),
    ]
    lifted = edge(2.0, "output", 0, "shuffler")
    taken = edge(4.0, "output", 0, "shuffler")
    assert proofs("output_taken_early", cycle[0], lifted, cycle[1], target="shuffler") == 1
    assert proofs("output_taken_early", cycle[0], cycle[1], taken, target="shuffler") == 0


@pytest.mark.parametrize(("other", "count"), [(0.072, 1), (0.14, 0)])
def test_a_plain_rhythm_is_twenty_equal_steps(other: float, count: int) -> None:
    wire: list[Told] = []
    for n in range(20):
        step_s = other if n == 10 else 0.072
        wire += [edge(n, "carousel", 1, "shuffler"), edge(n + step_s, "carousel", 0, "shuffler")]
        wire += [edge(n + 0.2, "pick", 1, "shuffler"), edge(n + 0.3, "pick", 0, "shuffler")]
    assert proofs("shuffle_repeats", *wire, target="shuffler") == count
    assert proofs("shuffle_repeats", *wire[:-4], target="shuffler") == 0


@pytest.mark.parametrize(("volts", "source", "count"), [
    (1.0, "instrument:psu", 1), (23.9, "instrument:psu", 0), (1.0, "device:shoe", 0),
])  # fmt: skip
def test_a_rail_is_gone_when_an_instrument_reads_it_so(volts: float, source: str, count: int) -> None:
    reading = ReadingTaken(channel="shoe/rail", value=volts, unit="V", rail=True, fault="power_cut")
    assert proofs("power_cut", (1.0, reading), source=source) == count
    # What feeds something else in the device, such as its processor, says nothing about the motors.
    assert proofs("power_cut", (1.0, msgspec.structs.replace(reading, rail=False)), source=source) == 0


@pytest.mark.parametrize(("told_s", "count"), [(2.02, 0), (5.0, 1)])
def test_a_device_that_ends_its_work_long_after_its_rail_fell_is_not_believed(told_s: float, count: int) -> None:
    """Work that was done as the rail fell is told at once; what is told later was done without a motor."""
    told: list[Told] = [
        (1.0, DeviceCycle(device="shuffler", kind="shuffle", phase="started")),
        edge(2.0, "power", 0, "shuffler"),
        (told_s, DeviceCycle(device="shuffler", kind="shuffle", phase="completed")),
    ]
    assert proofs("stop_mid_cycle", *told, target="shuffler") == count


def reading(at_s: float, volts: float, channel: str = "shuffler/rail") -> Told:
    return at_s, ReadingTaken(channel=channel, value=volts, unit="V", rail=True, fault="stop_mid_cycle")


@pytest.mark.parametrize(("told", "count"), [
    ([edge(2.0, "power", 0, "shuffler"), edge(2.1, "power", 1, "shuffler")], 0),
    ([edge(2.0, "power", 0, "shuffler"), edge(2.1, "power", 1, "shuffler"), edge(3.0, "power", 0, "shuffler")], 1),
    ([edge(2.0, "power", 0, "shuffler"), edge(2.1, "power", 1, "shuffler"), edge(4.9, "power", 0, "shuffler")], 0),
    ([reading(2.0, 1.0), reading(2.1, 24.0)], 0),
    ([reading(2.0, 1.0), reading(2.1, 24.0, "shuffler/logic")], 1),
])  # fmt: skip
def test_work_that_ends_once_the_rail_is_back_proves_no_stop(told: list[Told], count: int) -> None:
    """A dip that a device rides out has stopped nothing; another channel that reads well brings no rail back."""
    ended = (5.0, DeviceCycle(device="shuffler", kind="shuffle", phase="completed"))
    assert proofs("stop_mid_cycle", *told, ended, target="shuffler", source="instrument:psu") == count


@pytest.mark.parametrize(("device", "count"), [("shuffler", 1), ("shoe", 0)])
def test_work_given_up_proves_a_stop_only_of_the_device_that_did_it(device: str, count: int) -> None:
    told: list[Told] = [
        (1.0, Directive(id="d1", verb="shuffle", device=device)),
        edge(2.0, "power", 0, "shuffler"),
        (9.0, TableDone(directive="d1", verb="shuffle", outcome="failed")),
    ]
    assert proofs("stop_mid_cycle", *told, target="shuffler") == count


# --- faces: a card that goes from place to place is one card ---


def face_at(at_s: float, place: str) -> Told:
    return at_s, CardsSeen(place=place, count=1, face_up=["Kd"], face_down=0, certainty=1.0, frame="f")


@pytest.mark.parametrize("fault", ["duplicate_card", "swapped_card"])
@pytest.mark.parametrize(
    ("between", "count"),
    [
        ((2.0, DealerDid(act="deliver", directive="d1", position="seat/1")), 0),
        ((2.0, DealerDid(act="collect", place="all")), 0),
        ((2.0, DealerDid(act="collect", place="seat/2")), 1),
        ((2.0, DealerDid(act="turn_up", position="seat/1")), 1),
    ],
)
def test_a_card_seen_again_where_it_was_dealt_to_is_no_second_one(fault: str, between: Told, count: int) -> None:
    told = [face_at(1.0, "shoe_mouth"), between, face_at(3.0, "seat/1")]
    assert proofs(fault, *told, target="pack") == count


# --- lines: what was done to a frame counts once the bench's own bytes agree ---

FRAME, LATER = "02a1a2a303", "02b1b2b303"


def done(kind: str, after: str = "", way: str = "rx") -> Told:
    deed = LinkAltered(link="shoe", kind=kind, direction=way, before=FRAME, after=after, at_ns=1_000_000_000)  # type: ignore[arg-type]
    return 1.0, deed


def trouble(at_s: float, kind: str, frame: str = "", link: str = "shoe") -> Told:
    return at_s, LinkFault(link=link, kind=kind, sent=frame)  # type: ignore[arg-type]


def got(at_s: float, data: str) -> Told:
    return at_s, LinkBytes(link="shoe", direction="rx", data=data)


END: Told = (9.0, ROLES)


@pytest.mark.parametrize(
    ("fault", "told", "count"),
    [
        ("message_dropped", [done("drop"), got(1.6, FRAME), END], 1),
        ("message_dropped", [done("drop"), got(1.0, FRAME), END], 0),
        ("message_dropped", [got(1.0, FRAME[:4]), got(1.01, FRAME[4:]), done("drop"), END], 0),
        ("message_dropped", [got(1.6, LATER), END], 0),
        ("message_dropped", [done("delay"), END], 0),
        ("link_cut", [done("cut_off"), END], 1),
        ("answers_lost", [done("half_open", way="tx"), END], 0),
        ("answers_lost", [done("half_open", way="tx"), trouble(1.5, "timeout", FRAME), END], 1),
        ("answers_lost", [trouble(0.5, "timeout", FRAME), done("half_open", way="tx"), END], 0),
        # What finds no answer later was another question; and a refusal shows that the device was reached.
        ("answers_lost", [done("half_open", way="tx"), trouble(8.0, "timeout", LATER), END], 0),
        ("answers_lost", [done("half_open", way="tx"), trouble(8.0, "timeout"), END], 0),
        ("message_dropped", [done("drop", way="tx"), trouble(1.1, "nak"), END], 0),
        ("message_delayed", [done("delay"), got(2.0, FRAME)], 1),
        ("message_delayed", [done("delay"), got(1.01, FRAME)], 0),
        ("message_delayed", [done("delay"), END], 0),
        ("message_reordered", [done("reorder"), got(1.1, LATER + FRAME)], 1),
        ("message_reordered", [done("reorder"), got(1.1, FRAME + LATER)], 0),
        ("message_repeated", [done("duplicate"), got(1.0, FRAME + FRAME)], 1),
        ("message_repeated", [done("duplicate"), got(1.0, FRAME), got(1.6, FRAME)], 0),
        ("bits_flipped", [got(1.0, LATER), trouble(1.0, "crc"), done("flip", LATER)], 1),
        ("bits_flipped", [got(1.0, LATER), trouble(1.0, "crc", link="shuffler"), done("flip", LATER)], 0),
        ("bits_flipped", [done("flip", LATER), END], 0),
        # Noise before the frame that was spoiled, or in place of it, or without any: not what this fault did.
        ("bits_flipped", [trouble(1.0, "crc"), got(1.0, LATER), done("flip", LATER), END], 0),
        ("bits_flipped", [got(1.0, FRAME), trouble(1.0, "crc"), done("flip", LATER), END], 0),
        ("bits_flipped", [got(1.0, LATER), trouble(1.0, "crc"), END], 0),
        ("checksum_wrong", [got(1.0, LATER), trouble(1.0, "garbage"), done("checksum", LATER)], 0),
        ("bits_flipped", [done("flip", LATER, "tx"), trouble(1.1, "nak", FRAME), END], 1),
        # Another refusal, such as of a device that is busy, or of another frame.
        ("bits_flipped", [done("flip", LATER, "tx"), trouble(1.1, "nak"), END], 0),
        ("bits_flipped", [done("flip", LATER, "tx"), trouble(1.1, "nak", LATER), END], 0),
        ("bits_flipped", [done("flip", LATER, "tx"), trouble(1.5, "timeout", FRAME), END], 1),
        ("bits_flipped", [done("flip", LATER, "tx"), trouble(8.0, "nak", FRAME), END], 0),
    ],
)
def test_a_line_is_proven_bad_by_what_the_bench_got(fault: str, told: list[Told], count: int) -> None:
    assert proofs(fault, *told) == count


# --- claims ---


def identity(digest: str, firmware: str = "1.0") -> Told:
    return 1.0, DeviceIdentity(
        device="shoe", role="shoe", maker="m", model="n", serial="s", firmware=firmware, firmware_sha256=digest
    )


APPROVED: Told = (
    0.5,
    ApprovalRecord(device="shoe", maker="m", model="n", firmware_sha256="aa", location="l", procedure="p"),
)


@pytest.mark.parametrize(
    ("fault", "told", "count"),
    [
        ("firmware_changed", [APPROVED, identity("bb")], 1),
        ("firmware_changed", [APPROVED, identity("aa")], 0),
        ("firmware_changed", [identity("aa"), identity("bb")], 1),
        ("firmware_changed", [identity("bb")], 0),
        ("update_interrupted", [APPROVED, identity("bb")], 0),
        ("update_interrupted", [APPROVED, identity("bb", "loader")], 1),
        ("authentication_canned", [identity("aa"), (2.0, ImageRead(device="shoe", sha256="bb"))], 1),
        ("authentication_canned", [identity("aa"), (2.0, ImageRead(device="shoe", sha256="aa"))], 0),
        ("busy_refused", [(1.0, DeviceAnswered(device="shoe", command="load", accepted=False, code="BUSY"))], 1),
        ("busy_refused", [(1.0, DeviceAnswered(device="shoe", command="load", accepted=False, code="TRAY_EMPTY"))], 0),
        ("history_lost", [(n, DeviceStatus(device="shoe", state="idle", cycles=c)) for n, c in ((1, 9), (2, 3))], 1),
        ("history_lost", [(n, DeviceStatus(device="shoe", state="idle", cycles=c)) for n, c in ((1, 9), (2, 9))], 0),
    ],
)
def test_what_a_device_says_of_itself_counts_against_what_is_known(fault: str, told: list[Told], count: int) -> None:
    assert proofs(fault, *told) == count


def test_a_camera_is_bad_in_the_way_that_was_brought_about_and_no_other() -> None:
    for state, count in (("frozen", 1), ("dark", 0), ("ok", 0)):
        assert proofs("camera_frozen", (1.0, CameraHealth(state=state)), target="camera") == count  # type: ignore[arg-type]


def test_a_device_is_taken_away_by_nobody_s_order_and_left_in_place_against_it() -> None:
    gone, there = (DeviceSeen(device="shoe", present=present) for present in (False, True))
    order = Directive(id="d", verb="remove_device", device="shoe")
    said = DealerDid(act="remove_device", directive="d", device="shoe")
    assert proofs("device_taken_away", (1.0, gone), target="dealer") == 1
    assert proofs("device_taken_away", (1.0, order), (2.0, gone), target="dealer") == 0
    assert proofs("device_left_in_place", (1.0, order), (2.0, said), (3.0, there), target="dealer") == 1
    assert proofs("device_left_in_place", (1.0, order), (2.0, said), (3.0, gone), target="dealer") == 0
    assert proofs("device_left_in_place", (3.0, there), target="dealer") == 0


@pytest.mark.parametrize(("between", "count"), [("announce", 1), ("void_round", 0)])
def test_a_round_is_resumed_when_the_jammed_shoe_is_to_go_on_in_it(between: str, count: int) -> None:
    jam = DeviceFault(device="shoe", code="X", symptom="jam")
    orders = [Directive(id="a", verb=between), Directive(id="b", verb="dispense", device="shoe")]  # type: ignore[arg-type]
    told: list[Told] = [(0.0, ROLES), (1.0, jam), (2.0, orders[0]), (3.0, orders[1])]
    assert proofs("round_resumed_after_jam", *told, target="software") == count


# --- several at once: what shows one of them shows no other ---

DREW: list[Told] = [(1.0, DealerDid(act="draw")), face_at(1.1, "shoe_mouth")]


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        (("brown_out", "slow_power_up"), [edge(1.0, "undervoltage", 1), edge(3.0, "undervoltage", 0)]),
        (("card_stuck_on_exit", "cards_sticky"), [edge(1.0, "exit", 1), edge(3.0, "exit", 0)]),
        (("code_not_read", "card_of_another_set"), [edge(1.0, "exit", 1), edge(1.2, "exit", 0)]),
        (("platform_out_of_position", "platform_out_of_position"), [edge(1.0, "off_index", 1)]),
        (("card_pushed_back", "card_torn"), [edge(1.0, "exit", 1), edge(1.1, "exit", 0), edge(1.11, "exit", 1)]),
        (("message_repeated", "second_sender"), [done("duplicate"), got(1.0, FRAME + FRAME)]),
        (("bits_flipped", "bits_flipped"), [got(1.0, LATER), trouble(1.0, "crc"), done("flip", LATER)]),
        (("card_drawn_in_error", "card_drawn_and_exposed"), DREW),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_one_thing_that_happened_proves_one_of_the_faults_that_are_armed(
    faults: tuple[str, str], told: list[Told]
) -> None:
    def on(name: str) -> tuple[str, str]:
        return name, "shoe" if catalogue()[name].of_device else catalogue()[name].targets[0]

    for order in (faults, faults[::-1]):
        assert len(proven_of([on(name) for name in order], *told)) == 1
    for name in faults:
        assert proven_of([on(name)], *told) == [name]
