"""A bad line does what it is told to, to whole frames, the same each time, and remembers it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
import simpy
from hypothesis import given
from hypothesis import strategies as st

from bench.clock import VirtualClock
from bench.drivers.reference import ReferenceDriver
from bench.emulators.build import build_device
from bench.emulators.world import World
from bench.links import Wire, pty_pair
from bench.links.faulty import OVERTAKEN_S, FaultyLine
from bench.links.faulty_port import FaultyPort
from bench.links.framings import FRAMINGS, Lines, ReferenceFrames, WebSocketFrames
from bench.links.line_faults import Deed, Kind, LineFault
from bench.links.missed_tries import Way
from bench.protocol.frames import Decoder, Frame, Garbage, encode
from evidence.errors import RigFault, UsageError
from evidence.events import AnyEvent, LinkBytes, LinkFault

NS = 1_000_000_000
SAID = [b"one\n", b"two\n", b"three\n", b"four\n", b"five\n"]


def heard(line: FaultyLine, frames: list[bytes] = SAID, way: Way = "rx") -> bytes:
    """What comes out at once when these frames are put on the line."""
    return b"".join(line.carry(way, frame, 0) for frame in frames)


def armed(kind: Kind, **settings: object) -> FaultyLine:
    line = FaultyLine(7, Lines)
    line.arm(LineFault(kind=kind, **settings))  # type: ignore[arg-type]
    return line


@pytest.mark.parametrize(
    ("kind", "settings", "out"),
    [
        ("drop", {"first": 2}, b"one\nthree\nfour\nfive\n"),
        ("drop", {"first": 2, "count": 2}, b"one\nfour\nfive\n"),
        ("drop", {"first": 3, "count": 0}, b"one\ntwo\n"),
        ("duplicate", {"first": 2, "copies": 2}, b"one\ntwo\ntwo\ntwo\nthree\nfour\nfive\n"),
        ("reorder", {"first": 1}, b"two\none\nthree\nfour\nfive\n"),
        ("reorder", {"first": 2, "later": 2}, b"one\nthree\nfour\ntwo\nfive\n"),
        ("truncate", {"first": 3, "keep": 2}, b"one\ntwo\nthfour\nfive\n"),
        ("break", {"first": 3, "keep": 2}, b"one\ntwo\nth\0four\nfive\n"),
        ("half_open", {"first": 4}, b"one\ntwo\nthree\n"),
        ("cut_off", {"first": 4}, b"one\ntwo\nthree\n"),
        ("hang_up", {"first": 4}, b"one\ntwo\nthree\n"),
    ],
)
def test_a_fault_befalls_the_frame_that_was_named(kind: Kind, settings: dict[str, int], out: bytes) -> None:
    line = armed(kind, **settings)
    assert heard(line) == out
    deed, *_ = line.take_deeds()
    assert deed.kind == kind
    assert deed.frame == settings["first"]
    assert bytes.fromhex(deed.before) == SAID[settings["first"] - 1]
    assert line.hangs_up(0) == (kind == "hang_up")


def test_a_line_that_was_hung_up_for_a_while_takes_the_next_call_by_itself() -> None:
    line = armed("hang_up", first=1, seconds=0.5)
    heard(line, SAID[:1])
    assert line.hangs_up(400_000_000)
    assert not line.hangs_up(500_000_000)
    assert heard(line, SAID[1:]) == b"".join(SAID[1:])


def test_bits_are_turned_round_and_no_more_than_were_asked_for() -> None:
    line = armed("flip", first=2, bits=3)
    out = heard(line)
    changed = [a ^ b for a, b in zip(out, b"".join(SAID), strict=True)]
    assert sum(byte.bit_count() for byte in changed) == 3
    assert not any(changed[:4] + changed[8:])
    (deed,) = line.take_deeds()
    assert bytes.fromhex(deed.after) == out[4:8]


def test_a_late_frame_holds_up_those_behind_it() -> None:
    line = armed("delay", first=2, seconds=0.5)
    assert heard(line, SAID[:3]) == b"one\n"
    assert line.due_ns() == NS // 2
    assert line.release(NS // 2 - 1) == []
    assert line.release(NS // 2) == [("rx", b"two\nthree\n")]
    assert line.due_ns() is None
    assert line.carry("rx", b"four\n", NS) == b"four\n"


def test_a_frame_that_nobody_overtakes_comes_in_the_end() -> None:
    line = armed("reorder", first=5)
    assert heard(line) == b"".join(SAID[:4])
    assert line.release(line.due_ns() or 0) == [("rx", b"five\n")]
    assert OVERTAKEN_S > 0


def test_a_cut_takes_both_ways_and_half_open_one() -> None:
    cut, half = armed("cut_off", way="rx"), armed("half_open", way="rx")
    for line in (cut, half):
        assert heard(line) == b""
    assert heard(cut, way="tx") == b""
    assert heard(half, way="tx") == b"".join(SAID)


def test_a_dead_line_comes_back_when_its_time_is_over_or_it_is_restored() -> None:
    timed, lasting = armed("cut_off", seconds=2.0), armed("cut_off")
    for line in (timed, lasting):
        assert line.carry("rx", b"a\n", 0) == b""
        assert line.carry("tx", b"b\n", 2 * NS - 1) == b""
    assert timed.carry("tx", b"c\n", 2 * NS) == b"c\n"
    assert lasting.carry("tx", b"c\n", 100 * NS) == b""
    lasting.restore()
    assert lasting.carry("tx", b"d\n", 100 * NS) == b"d\n"
    # Every frame that the dead line took is on record.
    assert [bytes.fromhex(deed.before) for deed in lasting.take_deeds()] == [b"a\n", b"b\n", b"c\n"]


def test_frames_are_counted_from_arming_and_a_frame_half_through_is_spared() -> None:
    line = FaultyLine(1, Lines)
    assert line.carry("rx", b"one\ntw", 0) == b"one\ntw"
    line.arm(LineFault(kind="drop", first=1))
    assert line.carry("rx", b"o\nthree\nfour\n", 0) == b"o\nfour\n"
    line.arm(LineFault(kind="drop", first=2))
    assert line.carry("rx", b"five\nsix\nseven\n", 0) == b"five\nseven\n"


def test_half_a_frame_is_not_held_for_ever() -> None:
    line = armed("drop", first=2)
    assert line.carry("rx", b"endless", 0) == b""
    due_ns = line.due_ns()
    assert due_ns is not None
    assert line.release(due_ns) == [("rx", b"endless")]


def test_disarming_forgets_what_has_not_happened() -> None:
    line = armed("drop", first=3)
    line.disarm()
    assert heard(line) == b"".join(SAID)
    assert line.take_deeds() == []


frames = st.builds(
    Frame, kind=st.integers(0, 255), seq=st.integers(0, 65535), payload=st.binary(max_size=240)
)  # fmt: skip


@given(frames, st.integers())
def test_a_wrong_checksum_is_all_that_is_wrong(frame: Frame, seed: int) -> None:
    line = FaultyLine(seed, ReferenceFrames)
    line.arm(LineFault(kind="checksum", first=1))
    (found,) = Decoder().feed(line.carry("rx", encode(frame), 0))
    assert isinstance(found, Garbage)
    assert found.kind == "crc"


@given(
    st.lists(st.one_of(st.binary(max_size=30), frames.map(encode)), max_size=12),
    st.sampled_from(sorted(FRAMINGS)),
    st.lists(st.integers(1, 40), max_size=12),
)
def test_a_line_without_faults_lets_everything_through_however_it_is_cut(
    said: list[bytes], framing: str, sizes: list[int]
) -> None:
    data = b"".join(said)
    line = FaultyLine(1, FRAMINGS[framing])
    out, rest = b"", data
    for size in sizes:
        out += line.carry("tx", rest[:size], 0)
        rest = rest[size:]
        assert out == data[: len(data) - len(rest)]  # nothing waits for the end of its frame
    assert out + line.carry("tx", rest, 0) == data
    assert line.take_deeds() == []


@given(
    st.lists(st.one_of(st.binary(max_size=8), st.sampled_from([b"\x02", b"\x03", b"\n"])), max_size=12),
    st.sampled_from(["chunks", "lines", "reference"]),
)
def test_frames_that_go_by_unheeded_end_where_frames_end(said: list[bytes], framing: str) -> None:
    heeded, unheeded = FRAMINGS[framing](), FRAMINGS[framing]()
    for data in said:
        heeded.feed(data)
        unheeded.skip(data)
        assert heeded.held == unheeded.held


faults = st.builds(
    LineFault,
    kind=st.sampled_from(
        ["drop", "delay", "duplicate", "reorder", "truncate", "flip", "break", "half_open", "cut_off"]
    ),
    way=st.just("rx"),
    first=st.integers(1, 8),
    count=st.integers(0, 3),
    seconds=st.floats(0.1, 5),
)


@given(st.lists(faults, max_size=4), st.lists(st.binary(min_size=1, max_size=9), max_size=20), st.integers())
def test_the_same_seed_faults_and_bytes_give_the_same(plan: list[LineFault], said: list[bytes], seed: int) -> None:
    def play() -> tuple[list[object], list[Deed]]:
        line, out = FaultyLine(seed, Lines), list[object]()
        for fault in plan:
            line.arm(fault)
        for n, data in enumerate(said):
            out.append(line.carry("rx", data + b"\n", n * NS // 10))
            out.append(line.release(n * NS // 10))
        while (due_ns := line.due_ns()) is not None:
            out.append(line.release(due_ns))
        return out, line.take_deeds()

    assert play() == play()


def test_what_cannot_be_done_to_a_line_is_refused() -> None:
    line = FaultyLine(1, Lines)
    with pytest.raises(UsageError, match="no checksum"):
        line.arm(LineFault(kind="checksum"))
    with pytest.raises(UsageError, match="needs seconds"):
        line.arm(LineFault(kind="delay"))


def test_messages_of_a_websocket_are_met_whole() -> None:
    rng = Random(3)

    def message(payload: bytes) -> bytes:
        mask = rng.randbytes(4)
        size = bytes((0x80 | len(payload),)) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
        return b"\x81" + size + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))

    shake, small, large = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", message(b"small"), message(b"large" * 1000)
    line = FaultyLine(1, WebSocketFrames)
    line.arm(LineFault(kind="drop", way="tx", first=2))
    data = shake + small + large
    out = b"".join(line.carry("tx", data[start : start + 7], 0) for start in range(0, len(data), 7))
    assert out == shake + large


@contextmanager
def behind_a_bad_line(
    emit: Callable[[AnyEvent], None], options: dict[str, int | str | float]
) -> Iterator[tuple[ReferenceDriver, FaultyLine]]:
    """The driver of an emulated shoe, and the line between the two."""
    env = simpy.Environment()
    clock = VirtualClock(env)
    link, port = pty_pair()
    faulty = FaultyPort(port, FaultyLine(5, ReferenceFrames), env)
    build_device("shoe", "shoe", env, World(1), faulty)
    clock.attach(Wire(link, port))
    driver = ReferenceDriver("shoe", "shoe", link, clock, emit, options)
    yield driver, faulty.line
    driver.close()
    port.close()


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (LineFault(kind="drop", way="rx"), "timeout"),
        (LineFault(kind="drop", way="tx"), "timeout"),
        (LineFault(kind="checksum", way="rx"), "crc"),
        (LineFault(kind="half_open", way="tx", seconds=0.6), "timeout"),
    ],
)
def test_an_emulated_device_behind_a_bad_line_is_still_understood(fault: LineFault, kind: str) -> None:
    emitted: list[AnyEvent] = []
    with behind_a_bad_line(emitted.append, {}) as (driver, line):
        assert driver.status().state == "idle"
        line.arm(fault)
        assert driver.identify().group_size == 7
        assert kind in {event.kind for event in emitted if isinstance(event, LinkFault)}
        line.arm(LineFault(kind="cut_off"))
        with pytest.raises(RigFault, match="no answer"):
            driver.status()
        line.restore()
        assert driver.status().state == "idle"


def asked_over(fault: LineFault, answer_timeout_s: float) -> tuple[int, bool]:
    """How often a question is put over such a line by a driver that waits so long for answers; whether it gets one."""
    asked: list[str] = []

    def note(event: AnyEvent) -> None:
        if isinstance(event, LinkBytes) and event.direction == "tx":
            asked.append(event.data)

    with behind_a_bad_line(note, {"answer_timeout_s": answer_timeout_s}) as (driver, line):
        driver.status()
        asked.clear()
        line.arm(fault)
        try:
            driver.status()
            answered = True
        except RigFault:
            answered = False
        tries = len(asked)
        line.disarm()
        line.restore()
        assert driver.status().state == "idle"
    return tries, answered


@pytest.mark.parametrize("kind", ["cut_off", "half_open"])
@pytest.mark.parametrize("way", ["tx", "rx"])
@pytest.mark.parametrize(("seconds", "tries"), [(0.3, 2), (1.2, 4), (2.0, 4), (9.0, 4)])
def test_a_dead_line_costs_a_patient_bench_as_many_tries(kind: Kind, way: Way, seconds: float, tries: int) -> None:
    fault = LineFault(kind=kind, way=way, seconds=seconds)
    assert asked_over(fault, 0.5) == (tries, seconds < 2.0)
    assert asked_over(fault, 10.0) == (tries, seconds < 2.0)


def test_only_what_waits_for_the_bench_to_ask_again_is_lost_in_tries() -> None:
    def frame(kind: int, seq: int) -> bytes:
        return encode(Frame(kind, seq))

    line, question, claim = FaultyLine(1, ReferenceFrames), frame(0x22, 1), frame(0x60, 1)
    line.arm(LineFault(kind="cut_off", way="tx", seconds=1.0))
    assert line.carry("tx", question, 0) == b""
    assert line.carry("rx", claim, 0) == b""
    # The line lives again: what a device repeats at its own pace comes.
    assert line.carry("rx", claim, NS) == claim
    assert line.carry("tx", question, 5 * NS) == b""
    assert line.carry("tx", question, 9 * NS) == question
    deeds = [(deed.kind, deed.way, deed.at_ns) for deed in line.take_deeds()]
    assert deeds == [("cut_off", "tx", 0), ("cut_off", "rx", 0), ("cut_off", "tx", 5 * NS)]


def test_a_question_that_was_given_up_in_a_dead_time_is_forgotten_with_the_next() -> None:
    first, second = encode(Frame(0x22, 1)), encode(Frame(0x22, 2))
    line = FaultyLine(1, ReferenceFrames)
    line.arm(LineFault(kind="cut_off", way="tx", seconds=600.0))
    assert line.carry("tx", first, 0) == b""
    assert line.carry("tx", second, 601 * NS) == second
    assert line.carry("tx", first, 602 * NS) == first  # numbers come round
