"""Emulators as processes of their own, in real time: what a rig file of a laboratory would point at."""

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest

from bench.clock import WallClock
from bench.drivers.reference import ReferenceDriver
from bench.emulators.rpc import RemoteDevice, RpcServer
from bench.emulators.serve import table_methods
from bench.emulators.world import World
from bench.hands.emulated import EmulatedHands
from bench.hands.remote import RemoteHands
from bench.links import open_link
from evidence.events import DeviceCycle, DeviceDispensed, DeviceFault
from vision.pictures import Picture, decode_picture

SCALE = 40.0
"""Emulated seconds per real second, so that a shuffle takes about one."""
ROOT = Path(__file__).parents[2]


class Emulator:
    """One emulator process with what it said when it was ready."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        self.ready: dict[str, str] = json.loads(process.stdout.readline())

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(10)


@contextmanager
def emulator(call: str) -> Iterator[Emulator]:
    """Run one function of `bench.emulators.serve` in a process of its own."""
    code = f"from bench.emulators import serve; serve.{call}"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Emulator(process)
        finally:
            process.kill()


@contextmanager
def driving(url: str, role: str) -> Iterator[tuple[ReferenceDriver, WallClock]]:
    clock = WallClock(SCALE)
    with ExitStack() as stack:
        link = open_link(url)
        stack.callback(link.close)
        driver = ReferenceDriver(role, role, link, clock, lambda _: None, {"answer_timeout_s": 40})  # type: ignore[arg-type]
        stack.callback(driver.close)
        yield driver, clock


def until(driver: ReferenceDriver, clock: WallClock, kind: type, phase: str = "") -> object:
    """The next claim of this kind, waited for with a wide margin."""
    deadline = clock.deadline(600)
    while (claim := driver.next_claim(deadline)) is not None:
        if isinstance(claim, kind) and getattr(claim, "phase", phase) == (phase or getattr(claim, "phase", "")):
            return claim
    raise AssertionError(f"no {kind.__name__} {phase}")


def test_a_shoe_on_a_pty_deals_the_pack_that_it_came_with(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    with emulator(f"serve_device('shoe', scale={SCALE}, link=__import__('pathlib').Path({str(link)!r}))") as shoe:
        assert shoe.ready["emulator"] == "shoe"
        assert str(link.resolve()) == shoe.ready["port"]
        with driving(str(link), "shoe") as (driver, clock):
            assert driver.identify().group_size == 7
            assert driver.command("load").accepted
            loaded = until(driver, clock, DeviceCycle, "completed")
            assert isinstance(loaded, DeviceCycle)
            assert loaded.count == 52
            assert driver.command("deal_group").accepted
            group = until(driver, clock, DeviceDispensed)
            assert isinstance(group, DeviceDispensed)
            assert group.count == 7
            edges = RemoteDevice(shoe.ready["control"]).tap()
            assert [edge.level for edge in edges if edge.line == "exit"] == [1, 0] * 7
            RemoteHands(shoe.ready["control"]).unload("shoe")
            assert driver.command("deal_group").code == "NOT_READY"
        assert shoe.stop() == 0
        assert not link.is_symlink()


def test_a_shuffler_on_tcp_works_with_the_cards_of_another_process_and_jams_when_told_to() -> None:
    world = World(9)
    hands = EmulatedHands(world)
    hands.place_pack(53)
    hands.load("shuffler")
    table = RpcServer(table_methods(world))
    call = f"serve_device('shuffler', port='tcp:0', world_url={table.url!r}, scale={SCALE}, seed=3)"
    try:
        with emulator(call) as shuffler, driving(shuffler.ready["port"], "shuffler") as (driver, clock):
            control = RemoteDevice(shuffler.ready["control"], clock.now_ns)
            assert driver.command("shuffle").accepted
            done = until(driver, clock, DeviceCycle, "completed")
            assert isinstance(done, DeviceCycle)
            assert done.count == 53
            assert world.counts("shuffler/") == {"shuffler/exit": 53}
            hands.take_shuffled("shuffler")
            hands.load("shuffler")
            control.tap()
            control.arm("card_stuck_on_entry", card=5)
            assert driver.command("shuffle").accepted
            fault = until(driver, clock, DeviceFault)
            assert isinstance(fault, DeviceFault)
            assert fault.code == "CARD_STUCK_ON_ENTRY"
            assert world.count("shuffler/entry") == 1
            edges = control.tap()
            assert [edge.level for edge in edges if edge.line == "entry"] == [1, 0] * 4 + [1]
            assert max(edge.at_ns for edge in edges) <= clock.now_ns()
            assert shuffler.stop(signal.SIGINT) == 0
    finally:
        table.close()


def test_the_camera_of_a_process_shows_the_cards_that_hands_of_another_one_have_moved() -> None:
    with emulator("serve_camera(fps=60)") as camera:
        snapshot = camera.ready["stream"].replace("stream.mjpg", "snapshot.jpg")
        hands = RemoteHands(camera.ready["world"])
        hands.place_pack(52)
        empty = picture(snapshot)
        hands.move("hand", "seat/3", 1, "up")
        one = picture(snapshot)
        hands.move("seat/3", "hand", 1, "down")
        empty_again = picture(snapshot)
        assert differing(empty, one) > 500
        assert differing(empty, empty_again) == 0
        assert camera.stop() == 0


def picture(url: str) -> Picture:
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - a loopback address of our own process
        return decode_picture(answer.read(), url)


def differing(one: Picture, other: Picture) -> int:
    """Pixels whose colour differs by more than noise does."""
    return int((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 60).sum())


def test_it_stops_when_its_standard_input_is_closed_if_told_to() -> None:
    with emulator("serve_device('shoe', stop_with_stdin=True)") as shoe:
        assert shoe.process.stdin is not None
        shoe.process.stdin.close()
        assert shoe.process.wait(10) == 0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("serve_device('shoe', port='com1')", "expected pty or tcp:PORT"),
        ("serve_device('shoe', port='tcp:99999')", "expected pty or tcp:PORT"),
        ("serve_device('shoe', defects=['seven'])", "there is no defect 'seven'"),
        ("serve_device('shoe', world_url='nowhere')", "expected http://host:port"),
        ("serve_camera(fps=0)", "more than 0"),
        ("serve_device('shoe', world_url='http://127.0.0.1:1')", "Check that the emulator"),
    ],
)
def test_a_wrong_option_is_named_before_anything_is_served(call: str, says: str) -> None:
    code = f"from bench.emulators import serve; serve.{call}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode != 0
    assert says in done.stderr
    assert not done.stdout
