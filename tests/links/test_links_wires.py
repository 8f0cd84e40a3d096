"""Virtual time over real ptys and sockets repeats exactly; real time drives an emulator in a process of its own."""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import simpy

from bench.clock import VirtualClock, WallClock, schedule_on
from bench.drivers.base import Claim
from bench.drivers.reference import ReferenceDriver
from bench.links import PtyPort, StreamLink, TcpPort, Wire, open_link, pty_pair
from evidence.errors import RigFault
from evidence.events import DeviceCycle, DeviceIdentity, LinkBytes, Record, RunStarted
from evidence.journal import Journal, comparable, read_journal
from tests.links.toy_device import ToyShuffler

NS = 1_000_000_000


@contextlib.contextmanager
def tcp_pair() -> Iterator[tuple[StreamLink, PtyPort | TcpPort]]:
    port = TcpPort()
    link = open_link(port.url)
    yield link, port
    link.close()
    port.close()


@contextlib.contextmanager
def serial_pair() -> Iterator[tuple[StreamLink, PtyPort | TcpPort]]:
    link, port = pty_pair()
    yield link, port
    link.close()
    port.close()


Pair = contextlib.AbstractContextManager[tuple[StreamLink, PtyPort | TcpPort]]
PAIRS: dict[str, Callable[[], Pair]] = {"pty": serial_pair, "tcp": tcp_pair}


@pytest.mark.parametrize("pair", PAIRS)
def test_bytes_cross_before_time_moves_and_arrive_in_one_piece(pair: str) -> None:
    env = simpy.Environment()
    clock = VirtualClock(env)
    with PAIRS[pair]() as (link, port):
        clock.attach(Wire(link, port))
        heard: list[tuple[float, bytes]] = []

        def hear(data: bytes) -> None:
            heard.append((env.now, data))
            port.write(data.upper())

        port.feed = hear
        link.write(b"he")
        link.write(b"llo" * 3000)
        assert clock.wait([link], clock.deadline(9))
        assert heard == [(0, b"he" + b"llo" * 3000)]
        assert link.read() == b"HE" + b"LLO" * 3000
        assert clock.now_ns() == 0
        schedule_on(env)(4, lambda: port.write(b"later"))
        assert link.read() == b""
        assert clock.wait([link], clock.deadline(9))
        assert (clock.now_ns(), link.read()) == (4 * NS, b"later")
        assert (link.tx_bytes, link.rx_bytes) == (port.rx_bytes, port.tx_bytes) == (9002, 9007)


@pytest.mark.parametrize("pair", PAIRS)
def test_what_was_said_before_hanging_up_arrives_and_then_the_link_is_gone(pair: str) -> None:
    env = simpy.Environment()
    clock = VirtualClock(env)
    with PAIRS[pair]() as (link, port):
        clock.attach(Wire(link, port))

        def last_words() -> None:
            port.write(b"farewell" * 1000)
            port.close()

        schedule_on(env)(3, last_words)
        assert clock.wait([link], clock.deadline(60))
        assert link.read() == b"farewell" * 1000
        assert clock.wait([link], clock.deadline(60))
        assert clock.now_ns() == 3 * NS
        with pytest.raises(RigFault, match="the connection is gone"):
            link.read()
        with pytest.raises(RigFault, match="the connection is gone"):
            link.write(b"hello?")


def test_bytes_that_never_arrive_are_a_rig_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.links.wire.PATIENCE_S", 0.01)
    clock = VirtualClock(simpy.Environment())
    with serial_pair() as (link, port):
        clock.attach(Wire(link, port))
        link.write(b"x")
        assert isinstance(port, PtyPort)
        port._stream.fill()  # somebody else reads the byte away
        port._stream.rx_bytes -= 1
        with pytest.raises(RigFault, match="1 bytes did not arrive to the emulated device"):
            clock.wait([link], clock.deadline(1))


def test_two_ends_that_answer_each_other_for_ever_are_a_rig_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.clock.MAX_EXCHANGES", 50)
    clock = VirtualClock(simpy.Environment())
    with serial_pair() as (a, port_a), serial_pair() as (b, port_b):
        clock.attach(Wire(a, port_a))
        clock.attach(Wire(b, port_b))
        port_a.feed = b.write
        port_b.feed = a.write
        a.write(b"x")
        with pytest.raises(RigFault, match="exchanged bytes 50 times"):
            clock.pause(1)


def run(folder: Path, seed: int, pair: str) -> list[Record]:
    env = simpy.Environment()
    clock = VirtualClock(env)
    with PAIRS[pair]() as (link, port), Journal.create(folder, clock.now_ns) as journal:
        clock.attach(Wire(link, port))
        ToyShuffler(env, port, seed)
        journal.append(RunStarted(plan="toy", rig="emulated", seed=seed, clock="virtual"), source="bench:run")
        driver = ReferenceDriver(
            "toy", "shuffler", link, clock, lambda event: journal.append(event, source="bench:toy"), {}
        )
        journal.append(driver.identify(), source="device:toy")
        for _ in range(2):
            assert driver.command("shuffle").accepted
            deadline = clock.deadline(60)
            while claim := driver.next_claim(deadline):
                journal.append(claim, source="device:toy")
                if isinstance(claim, DeviceCycle) and claim.phase == "completed":
                    break
                clock.pause(0.7)  # now and then the device repeats an event that nobody takes
        driver.close()
    return list(read_journal(folder))


@pytest.mark.parametrize("pair", PAIRS)
def test_the_same_seed_gives_the_same_journal(tmp_path: Path, pair: str) -> None:
    first, again = (run(tmp_path / name, 7, pair) for name in ("first", "again"))
    assert [comparable(record) for record in first] == [comparable(record) for record in again]
    other = run(tmp_path / "other", 8, pair)
    assert [comparable(record) for record in first][1:] != [comparable(record) for record in other][1:]
    assert any(isinstance(record.event, LinkBytes) for record in first)
    shuffled = [record.mono_ns for record in first if isinstance(record.event, DeviceCycle)]
    assert 2 * 52 * 0.3 * NS < shuffled[-1] < 2 * 60 * NS


@pytest.mark.parametrize("way", ["tcp", "pty"])
def test_an_emulator_in_a_process_of_its_own_is_driven_by_its_address(tmp_path: Path, way: str) -> None:
    scale = 20.0
    command = [sys.executable, "-m", "tests.links.toy_device", "tcp" if way == "tcp" else str(tmp_path / "ttyToy")]
    with subprocess.Popen(
        [*command, str(scale)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        link = open_link(process.stdout.readline().strip())
        clock = WallClock(scale)
        events: list[object] = []
        driver = ReferenceDriver("toy", "shuffler", link, clock, events.append, {"answer_timeout_s": 60})
        assert driver.identify() == DeviceIdentity(
            device="toy",
            role="shuffler",
            maker="Toy",
            model="T1",
            serial="1",
            firmware="1.0",
            firmware_sha256="00" * 32,
        )
        before_ns = clock.now_ns()
        assert driver.command("shuffle").accepted
        deadline = clock.deadline(600)
        claims: list[Claim] = []
        while not claims or getattr(claims[-1], "phase", "") != "completed":
            claim = driver.next_claim(deadline)
            assert claim is not None
            claims.append(claim)
        assert claims[0] == DeviceCycle(device="toy", kind="shuffle", phase="started")
        assert claims[-1] == DeviceCycle(device="toy", kind="shuffle", phase="completed", count=52)
        assert clock.now_ns() - before_ns >= 52 * 0.3 * NS
        driver.close()
        process.stdin.close()
        assert process.wait(timeout=30) == 0
