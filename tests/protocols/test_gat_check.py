"""The identity check against devices written from the document, on pty and TCP: honest, lying, late and mute."""

import contextlib
import hashlib
import os
import random
import select
import socket
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import simpy

from bench.clock import VirtualClock, WallClock
from bench.drivers.gat import GatCheck, questions
from bench.emulators.gat import EmulatedGat
from bench.links import Wire, open_link, pty_pair
from bench.protocol.gat.frames import CHECKSUMS
from bench.rig import load_rig
from evidence.errors import RigFault, UsageError
from evidence.events import AnyEvent, DeviceChecked, LinkBytes, LinkFault

IMAGE = random.Random(7).randbytes(5000)
Answerer = Callable[[int, bytes], bytes]


def crc(data: bytes) -> bytes:
    """CRC-16, polynomial 1021, start 0, bit by bit."""
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value.to_bytes(2, "big")


def frame(command: int, data: bytes = b"") -> bytes:
    body = bytes([command, len(data) + 4]) + data
    return body + crc(body)


class Device:
    """Answers each question at once from the image that it holds; a test turns it into a liar by `twist`."""

    def __init__(self, image: bytes = IMAGE) -> None:
        self.image = image
        self.asked: list[str] = []
        self.result = b""
        self.commands: list[int] = []

    def answer(self, command: int, data: bytes) -> bytes:
        self.commands.append(command)
        if command == 0x01:
            return frame(0x81, b"\x00")
        if command == 0x02:
            return frame(0x82, b"\x02")
        if command == 0x03:
            return frame(0x83, b"\xba" + self.result)
        self.asked.append(data[1:].decode())
        told = dict(part.split("=") for part in data[1:].decode().split(";")[1:])
        part = self.image[int(told["start"]) : int(told["end"])]
        self.result = hashlib.sha256(bytes.fromhex(told["salt"]) + part).digest()
        return frame(0x84, b"\xba\x01")


def serve(fd: int, answer: Answerer, stop: int) -> None:
    """Read whole questions, and write what `answer` makes of them."""
    held = b""
    while True:
        ready, _, _ = select.select([fd, stop], [], [])
        if stop in ready:
            return
        held += os.read(fd, 4096)
        while len(held) >= 2 and len(held) >= held[1]:
            whole, held = held[: held[1]], held[held[1] :]
            assert crc(whole[:-2]) == whole[-2:]
            reply = answer(whole[0], whole[2:-2])
            if reply:
                os.write(fd, reply)


@contextlib.contextmanager
def asking(
    answer: Answerer, *, tcp: bool = False, timeout_s: float = 20.0, tries: int = 3
) -> Iterator[tuple[GatCheck, list[AnyEvent]]]:
    with contextlib.ExitStack() as stack:
        if tcp:
            with socket.create_server(("127.0.0.1", 0)) as listener:
                link = open_link(f"socket://127.0.0.1:{listener.getsockname()[1]}")
                connection = stack.enter_context(listener.accept()[0])
            fd = connection.fileno()
        else:
            fd, slave = os.openpty()
            tty.setraw(slave)
            stack.callback(os.close, fd)
            stack.callback(os.close, slave)
            link = open_link(os.ttyname(slave))
        stack.callback(link.close)
        journal: list[AnyEvent] = []
        # Time runs fast, so that waiting for quiet costs nothing; answers come long before they are late.
        clock = WallClock(1000.0)
        check = GatCheck("shoe", link, clock, journal.append, answer_timeout_s=timeout_s, tries=tries)
        stop_r, stop_w = os.pipe()
        thread = threading.Thread(target=serve, args=(fd, answer, stop_r))
        thread.start()
        try:
            yield check, journal
        finally:
            os.write(stop_w, b"x")
            thread.join()
            os.close(stop_r)
            os.close(stop_w)


def ask(check: GatCheck, seed: int = 1) -> list[DeviceChecked]:
    return check.check(IMAGE, "main", "SHA256", random.Random(seed))


@pytest.mark.parametrize("tcp", [False, True])
def test_a_device_that_runs_the_image_answers_as_expected(tcp: bool) -> None:
    device = Device()
    with asking(device.answer, tcp=tcp, timeout_s=200.0) as (check, journal):
        first, second = ask(check)
    assert first.matches
    assert second.matches
    assert (first.start, second.end) == (0, 5000)
    assert second.start <= first.end
    assert first.salt != second.salt
    assert first.sha256 == hashlib.sha256(IMAGE).hexdigest()
    assert [event for event in journal if isinstance(event, LinkFault)] == []
    assert isinstance(journal[0], LinkBytes)
    assert device.asked[0] == (
        f"doVerification;component=main;algorithm=SHA256;salt={first.salt.upper()};start=0;end={first.end}"
    )


@pytest.mark.parametrize("at", [0, 1, 2499, 2500, 4998, 4999])
def test_a_byte_that_was_changed_anywhere_shows(at: int) -> None:
    patched = IMAGE[:at] + bytes([IMAGE[at] ^ 1]) + IMAGE[at + 1 :]
    with asking(Device(patched).answer, timeout_s=200.0) as (check, _):
        assert not all(checked.matches for checked in ask(check))


def test_a_device_that_answers_from_a_table_is_found_out() -> None:
    """It has recorded what an honest device answered, and gives that whenever it is asked."""
    honest = Device()
    with asking(honest.answer, timeout_s=200.0) as (check, _):
        recorded = ask(check, 1)
    liar = Device()

    def canned(command: int, data: bytes) -> bytes:
        reply = liar.answer(command, data)
        liar.result = bytes.fromhex(recorded[0].answered)
        return reply

    with asking(canned, timeout_s=200.0) as (check, _):
        for checked in ask(check, 2):
            assert not checked.matches
            assert checked.answered == recorded[0].answered
            assert checked.expected != checked.answered


@pytest.mark.parametrize(
    ("command", "reply", "detail"),
    [
        (0x01, frame(0x81, b"\x01"), "expected 00, ready"),
        (0x01, frame(0x81), "status missing"),
        (0x04, frame(0x84, b"\xba\x03"), "was not begun"),
        (0x02, frame(0x82, b"\x03"), "calculation is failed"),
        (0x02, frame(0x82, b"\x09"), "expected 00 to 03"),
        (0x03, frame(0x83, b"\xba" + b"\0" * 31), "expected level BA and 32 bytes"),
        (0x03, frame(0x83, b"\xbb" + b"\0" * 32), "expected level BA"),
    ],
)
def test_an_answer_that_the_protocol_does_not_have_never_matches(command: int, reply: bytes, detail: str) -> None:
    device = Device()
    odd = {command: reply}
    with asking(lambda asked, data: odd.get(asked) or device.answer(asked, data), timeout_s=200.0) as (check, _):
        for checked in ask(check):
            assert not checked.matches
            assert checked.answered == ""
            assert detail in checked.detail


def test_a_calculation_that_never_ends_is_a_finding() -> None:
    device = Device()
    with asking(lambda c, d: frame(0x82, b"\x01") if c == 2 else device.answer(c, d), timeout_s=200.0) as (check, _):
        checked = check.check(IMAGE, "main", "SHA256", random.Random(1))[0]
    assert "was not complete" in checked.detail


def test_noise_and_half_frames_before_an_answer_cost_nothing() -> None:
    device = Device()
    noise = b"\x81\x03\x00\xff" + frame(0x81, b"\x00")[:3] + bytes(range(0x90, 0xFF))

    def noisy(command: int, data: bytes) -> bytes:
        return noise + device.answer(command, data) if command == 0x03 else device.answer(command, data)

    with asking(noisy, timeout_s=200.0) as (check, journal):
        assert all(checked.matches for checked in ask(check))
    assert {event.kind for event in journal if isinstance(event, LinkFault)} <= {"crc", "garbage"}


def test_a_mute_device_is_a_fault_of_the_rig_and_no_finding() -> None:
    mute = asking(lambda _c, _d: b"", timeout_s=5.0, tries=2)
    with mute as (check, journal), pytest.raises(RigFault, match=r"asked 01 2 times .* no answer"):
        ask(check)
    assert [event.kind for event in journal if isinstance(event, LinkFault)] == ["timeout", "timeout"]


def test_an_answer_to_an_earlier_question_is_not_taken_for_this_ones() -> None:
    device = Device()

    def eager(command: int, data: bytes) -> bytes:
        """Gives, ahead of each reply, a result that it has from before."""
        return (
            frame(0x83, b"\xba" + b"\x11" * 32) + device.answer(command, data)
            if command != 3
            else device.answer(3, b"")
        )

    with asking(eager, timeout_s=200.0) as (check, journal):
        assert all(checked.matches for checked in ask(check))
    assert "sequence" in {event.kind for event in journal if isinstance(event, LinkFault)}


def test_no_two_checks_ask_the_same() -> None:
    asked = [questions(5000, "main", "SHA256", random.SystemRandom()) for _ in range(3)]
    salts = {question.salt for pair in asked for question in pair}
    assert len(salts) == 6
    assert len({(pair[0].end, pair[1].start) for pair in asked}) > 1


@pytest.mark.parametrize("name", sorted(CHECKSUMS))
def test_a_checksum_is_the_one_it_is_called_by(name: str) -> None:
    """Check values of the CRC catalogue over the nine digits."""
    assert CHECKSUMS[name](b"123456789") == {"ccitt-0000": 0x31C3, "ccitt-ffff": 0x29B1, "arc": 0xBB3D}[name]


# --- the emulated device, in virtual time ---


def emulated(*defects: str) -> list[DeviceChecked]:
    env = simpy.Environment()
    clock = VirtualClock(env)
    link, port = pty_pair()
    port.feed = EmulatedGat(env, IMAGE, port.write, defects=defects).feed
    clock.attach(Wire(link, port))
    try:
        return ask(GatCheck("shoe", link, clock, lambda _: None))
    finally:
        link.close()
        port.close()


def test_the_emulated_device_is_honest_unless_told_otherwise() -> None:
    assert all(checked.matches for checked in emulated())


@pytest.mark.parametrize("defect", ["other_firmware", "canned_identity"])
def test_the_emulated_device_that_lies_is_found_out(defect: str) -> None:
    assert not all(checked.matches for checked in emulated(defect))
    with pytest.raises(UsageError, match="there is no defect"):
        emulated("six_card_groups")


def test_an_image_that_is_not_the_one_named_is_refused_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "fw.bin").write_bytes(b"firmware")
    rig = tmp_path / "rig.toml"
    text = (
        'name = "x"\nclock = "virtual"\n[[device]]\nname = "shoe"\nrole = "shoe"\n[device.identity]\nimage = "fw.bin"\n'
    )
    rig.write_text(text + f'sha256 = "{"0" * 64}"\n')
    with pytest.raises(UsageError, match="Lay the approved image there"):
        load_rig(rig)
    rig.write_text(text + f'sha256 = "{hashlib.sha256(b"firmware").hexdigest()}"\n')
    assert load_rig(rig).file.device[0].identity is not None
