"""The reference driver against a device written from the document, over a pty, a port opened by path, and TCP."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.clock import WallClock
from bench.drivers.base import Driver, Options
from bench.drivers.registry import driver_names, load_driver
from bench.links import open_link
from bench.protocol.codes import CODES
from evidence.errors import RigFault, UsageError
from evidence.events import (
    DeviceAnswered,
    DeviceCommanded,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceStatus,
    Event,
    LinkBytes,
    LinkFault,
)
from tests.links.stub_device import READY, Answerer, StubDevice, frame, frames_in, listening, obedient, raw_pty

CLOCK = WallClock()
SLOW = {"answer_timeout_s": 5}
"""No answer is this late, however busy the machine; for tests in which every question is answered."""
QUICK = {"answer_timeout_s": 0.05, "tries": 3}


class Rig:
    """A driver, the device at the other end, and what the driver has journalled."""

    def __init__(self, driver: Driver, device: StubDevice, journal: list[Event]) -> None:
        self.driver = driver
        self.device = device
        self.journal = journal

    def faults(self) -> list[str]:
        return [event.kind for event in self.journal if isinstance(event, LinkFault)]

    def bytes_of(self, direction: str) -> bytes:
        sent = [event for event in self.journal if isinstance(event, LinkBytes) and event.direction == direction]
        return b"".join(bytes.fromhex(event.data) for event in sent)


@contextlib.contextmanager
def over_pty(answer: Answerer = obedient, options: Options = SLOW, link_path: Path | None = None) -> Iterator[Rig]:
    master, slave, path = raw_pty()
    if link_path is not None:
        link_path.symlink_to(path)
    journal: list[Event] = []
    link = open_link(str(link_path) if link_path is not None else path)
    try:
        with StubDevice(master, answer) as device:
            driver = load_driver("reference")("shoe", "shoe", link, CLOCK, journal.append, options)
            yield Rig(driver, device, journal)
            driver.close()
    finally:
        link.close()
        os.close(slave)
        os.close(master)


@contextlib.contextmanager
def over_tcp(answer: Answerer = obedient, options: Options = SLOW) -> Iterator[Rig]:
    listener, url = listening()
    journal: list[Event] = []
    link = open_link(url)
    connection, _ = listener.accept()
    with listener, connection, StubDevice(connection.fileno(), answer) as device:
        driver = load_driver("reference")("shoe", "shoe", link, CLOCK, journal.append, options)
        yield Rig(driver, device, journal)
        driver.close()


@pytest.fixture(params=["pty", "path", "tcp"])
def any_line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    ways = {"pty": over_pty, "path": lambda: over_pty(link_path=tmp_path / "ttyShoe"), "tcp": over_tcp}
    with ways[request.param]() as rig:
        yield rig


def test_status_and_commands_over_every_kind_of_line(any_line: Rig) -> None:
    assert any_line.driver.status() == DeviceStatus(device="shoe", state="ready", cards_inside=52, cycles=3)
    answered = any_line.driver.command("load", expected=52)
    assert answered == DeviceAnswered(device="shoe", command="load", accepted=True)
    commanded = DeviceCommanded(device="shoe", command="load", args={"expected": 52})
    assert [event for event in any_line.journal if not isinstance(event, LinkBytes)] == [commanded, answered]
    assert [(kind, payload) for kind, _, payload in any_line.device.received] == [
        (0x20, any_line.device.received[0][2]),
        (0x22, b""),
        (0x30, b"\x00\x34"),
    ]


def test_every_byte_is_journalled_in_the_order_it_crossed(any_line: Rig) -> None:
    any_line.driver.status()
    assert frames_in(any_line.bytes_of("tx")) == any_line.device.received
    assert [kind for kind, _, _ in frames_in(any_line.bytes_of("rx"))] == [0x40, 0x42]
    directions = [event.direction for event in any_line.journal if isinstance(event, LinkBytes)]
    assert directions[0] == "tx"
    assert [direction for at, direction in enumerate(directions) if at == 0 or directions[at - 1] != direction] == [
        "tx",
        "rx",
        "tx",
        "rx",
    ]


def test_claims_come_in_order_and_are_acknowledged(any_line: Rig) -> None:
    any_line.driver.status()
    any_line.device.send(frame(0x60, 1, b"\x02\x01\x00\x00"))
    deadline = CLOCK.deadline(10)
    assert CLOCK.wait([any_line.driver], deadline)
    assert any_line.driver.next_claim(deadline) == DeviceCycle(device="shoe", kind="shuffle", phase="started")
    any_line.device.send(frame(0x61, 2, b"\x02\x00\x01\x00\x07") + frame(0x62, 3, b"\x01\x03\x01\x01"))
    any_line.device.send(frame(0x63, 4, READY))
    assert [any_line.driver.next_claim(deadline) for _ in range(3)] == [
        DeviceDispensed(device="shoe", unit="group", index=1, count=7),
        DeviceFault(device="shoe", code="CARD_STUCK_ON_EXIT", symptom="jam", recovered=True),
        DeviceStatus(device="shoe", state="ready", cards_inside=52, cycles=3),
    ]
    assert any_line.driver.next_claim(CLOCK.deadline(0)) is None
    any_line.driver.status()
    assert [seq for kind, seq, _ in any_line.device.received if kind == 0x06] == [1, 2, 3, 4]
    assert any_line.faults() == []


def test_an_identity_is_told_field_by_field() -> None:
    texts = b"".join(bytes([len(text)]) + text for text in (b"Acme", b"Dealer 7", b"A-0042", b"2.10"))

    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        if kind == 0x21:
            return frame(0x41, seq, b"\x02\x07" + bytes(range(32)) + texts)
        return obedient(kind, seq, payload)

    with over_pty(answer) as rig:
        assert rig.driver.identify() == DeviceIdentity(
            device="shoe",
            role="shoe",
            maker="Acme",
            model="Dealer 7",
            serial="A-0042",
            firmware="2.10",
            firmware_sha256=bytes(range(32)).hex(),
            group_size=7,
        )


def test_a_refused_command_is_an_answer_and_no_fault() -> None:
    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        if kind == 0x32:
            return frame(0x43, seq, b"\x00" + CODES["TRAY_EMPTY"][0].to_bytes(2, "big"))
        return obedient(kind, seq, payload)

    with over_pty(answer) as rig:
        assert rig.driver.command("deal_group") == DeviceAnswered(
            device="shoe", command="deal_group", accepted=False, code="TRAY_EMPTY"
        )


def test_bytes_one_by_one_with_an_event_in_between() -> None:
    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        if kind == 0x22:
            for byte in frame(0x61, 1, b"\x01\x00\x01\x00\x01") + frame(0x42, seq, READY):
                rig.device.send(bytes([byte]))
            return b""
        return obedient(kind, seq, payload)

    with over_pty(answer) as rig:
        assert rig.driver.status().state == "ready"
        claim = rig.driver.next_claim(CLOCK.deadline(0))
        assert claim == DeviceDispensed(device="shoe", unit="card", index=1, count=1)


def test_a_device_that_never_answers_is_a_rig_fault_after_a_bounded_number_of_tries() -> None:
    with over_pty(lambda *_: b"", QUICK) as rig:
        with pytest.raises(RigFault, match=r"shoe: asked Open 3 times.*Check that the device is on"):
            rig.driver.status()
        assert rig.faults() == ["timeout"] * 3
        assert len(frames_in(rig.bytes_of("tx"))) == 3


def test_a_lost_answer_is_asked_for_again_with_the_same_frame() -> None:
    seen: list[tuple[int, int, bytes]] = []

    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        seen.append((kind, seq, payload))
        deals = [frame for frame in seen if frame[0] == 0x33]
        return b"" if kind == 0x33 and len(deals) < 2 else obedient(kind, seq, payload)

    with over_pty(answer, {"answer_timeout_s": 0.3, "tries": 20}) as rig:
        assert rig.driver.command("deal_card").accepted
        deals = [frame for frame in seen if frame[0] == 0x33]
        assert len(deals) >= 2
        assert len(set(deals)) == 1
        assert "timeout" in rig.faults()


def test_a_late_answer_is_never_paired_with_the_next_question() -> None:
    held = b""

    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        nonlocal held
        if kind == 0x32:
            held += frame(0x43, seq, b"\x00" + CODES["BUSY"][0].to_bytes(2, "big"))
            return b""
        late, held = (held, b"") if kind == 0x30 else (b"", held)
        return late + obedient(kind, seq, payload)

    with over_pty(answer) as rig:
        rig.driver.status()
        opens = [payload for kind, _, payload in rig.device.received if kind == 0x20]
        rig.driver._answer_timeout_s = 0.05  # type: ignore[attr-defined]
        with pytest.raises(RigFault, match="asked Command 4 times"):
            rig.driver.command("deal_group")
        rig.driver._answer_timeout_s = 5  # type: ignore[attr-defined]
        assert rig.driver.command("load") == DeviceAnswered(device="shoe", command="load", accepted=True)
        assert "sequence" in rig.faults()
        reopened = [payload for kind, _, payload in rig.device.received if kind == 0x20][len(opens) :]
        assert [payload[4] for payload in reopened] == [1]  # the session was resumed before anything else was asked


def test_a_device_that_restarts_is_noticed_and_asked_again() -> None:
    lost = False

    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        nonlocal lost
        if kind == 0x20:
            boot = 2 if lost else 1
            lost = False
            return frame(0x40, seq, payload[:4] + bytes([0, 0, 0, boot, 0, 1]))
        return frame(0x15, seq, b"\x05") if lost else obedient(kind, seq, payload)

    with over_pty(answer) as rig:
        rig.driver.status()
        lost = True
        assert rig.driver.status().state == "ready"
        details = [event.detail for event in rig.journal if isinstance(event, LinkFault)]
        assert any("started anew (boot 1, now 2)" in detail for detail in details)


def test_a_device_that_forgets_its_session_for_ever_is_a_rig_fault() -> None:
    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        return obedient(kind, seq, payload) if kind == 0x20 else frame(0x15, seq, b"\x05")

    with over_pty(answer) as rig, pytest.raises(RigFault, match="starts anew"):
        rig.driver.status()


def test_a_device_of_another_protocol_version_is_a_rig_fault() -> None:
    with over_pty(lambda kind, seq, payload: frame(0x40, seq, payload[:4], version=2), QUICK) as rig:
        with pytest.raises(RigFault, match="asked Open"):
            rig.driver.status()
        assert "garbage" in rig.faults()


def test_a_request_the_device_does_not_know_is_a_rig_fault_at_once() -> None:
    def answer(kind: int, seq: int, payload: bytes) -> bytes:
        return obedient(kind, seq, payload) if kind == 0x20 else frame(0x15, seq, b"\x02")

    with over_pty(answer) as rig, pytest.raises(RigFault, match="unknown kind"):
        rig.driver.status()


def test_a_device_that_is_unplugged_is_a_rig_fault_and_journalled() -> None:
    with over_tcp() as rig:
        rig.driver.status()
        with socket.socket(fileno=os.dup(rig.device._fd)) as connection:
            connection.shutdown(socket.SHUT_RDWR)
        with pytest.raises(RigFault, match="the connection is gone"):
            rig.driver.status()
        assert rig.faults() == ["closed"]


def test_a_device_that_never_stops_talking_does_not_hold_the_bench() -> None:
    stop = threading.Event()

    def talk() -> None:
        with contextlib.suppress(OSError):
            while not stop.is_set():
                rig.device.send(b"\x02\x01garbage\x03" * 50)

    talker = threading.Thread(target=talk)
    with over_tcp(lambda *_: b"", QUICK) as rig:
        talker.start()
        with pytest.raises(RigFault, match="asked Open 3 times"):
            rig.driver.status()
        stop.set()
        # Whatever the talker still wants to send must find a reader.
        while talker.is_alive():
            rig.driver._line._link.read()  # type: ignore[attr-defined]
        talker.join()
    garbage = [event for event in rig.journal if isinstance(event, LinkFault) and event.kind != "timeout"]
    chunks = [event for event in rig.journal if isinstance(event, LinkBytes) and event.direction == "rx"]
    assert 0 < len(garbage) <= 2 * len(chunks)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"answer_timeout": 1}, "no option answer_timeout; this driver has answer_timeout_s, tries"),
        ({"answer_timeout_s": "soon"}, "expected a number from 0.001 to 60"),
        ({"answer_timeout_s": 0}, "expected a number"),
        ({"answer_timeout_s": float("nan")}, "expected a number"),
        ({"tries": True}, "expected a number"),
        ({"tries": 1000}, "expected a number from 1 to 20"),
        ({"tries": 2.5}, "expected a whole number"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said), over_pty(options=options):
        pass


def test_commands_that_make_no_sense_are_refused_before_anything_is_sent() -> None:
    with over_pty() as rig:
        with pytest.raises(UsageError, match="no command 'explode'; this device knows load, shuffle"):
            rig.driver.command("explode")
        with pytest.raises(UsageError, match="stop takes no arguments"):
            rig.driver.command("stop", expected=1)
        with pytest.raises(UsageError, match="expected"):
            rig.driver.command("load", expected=70_000)
        assert rig.journal == []


def test_drivers_are_found_by_name() -> None:
    assert "reference" in driver_names()
    with pytest.raises(UsageError, match=r"no driver 'abacus'; known are .*reference"):
        load_driver("abacus")


def test_a_driver_of_another_package_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "abacus-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: abacus\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[cardcert.drivers]\n"
        "abacus = abacus_driver:Abacus\nbroken = abacus_driver:Missing\nreference = abacus_driver:Abacus\n"
    )
    (tmp_path / "abacus_driver.py").write_text("class Abacus:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert load_driver("abacus").__name__ == "Abacus"  # type: ignore[attr-defined]
    assert load_driver("reference").__name__ == "ReferenceDriver"  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="cannot be loaded"):
        load_driver("broken")
