"""The card-reading shoe and the identity line as processes of their own, in real time, known by their addresses."""

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench.clock import WallClock
from bench.drivers.base import Claim
from bench.drivers.gat import GatCheck
from bench.drivers.registry import load_driver
from bench.emulators.rpc import RemoteDevice, RpcServer
from bench.emulators.serve import table_methods
from bench.emulators.world import World
from bench.hands.remote import RemoteHands
from bench.links import open_link
from evidence.events import DeviceCard, DeviceNotice

SCALE = 20.0
PATIENT = {"answer_timeout_s": 60}
"""Emulated seconds: a busy machine needs its real time however fast emulated time runs."""


@contextmanager
def emulator(*arguments: str) -> Iterator[dict[str, Any]]:
    """One `cardcert emulate` process; yields the line it prints when ready."""
    command = [sys.executable, "-m", "cardcert", "emulate", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("port", ["pty", "tcp:0"])
def test_a_shoe_in_another_process_tells_of_what_hands_draw(port: str) -> None:
    with emulator("card-shoe", "--port", port, "--scale", "20") as ready:
        link = open_link(ready["port"])
        clock = WallClock(SCALE)
        driver = load_driver("angel-eye")("shoe", "shoe", link, clock, lambda _: None, PATIENT)
        hands = RemoteHands(ready["control"])
        assert driver.command("unlock").accepted
        hands.draw_from("shoe")
        told: list[Claim] = []
        while not told or not isinstance(told[-1], DeviceCard):
            claim = driver.next_claim(clock.deadline(600))
            assert claim is not None
            told.append(claim)
        # The tray is in maker's order, so that the lowest card is known.
        assert told[-1].label == "2c"
        assert DeviceNotice(device="shoe", notice="unlocked") in told
        driver.close()


@pytest.mark.parametrize(("defects", "honest"), [((), True), (("--defect", "canned_identity"), False)])
def test_an_identity_line_in_another_process_answers_for_its_image(
    tmp_path: Path, defects: tuple[str, ...], honest: bool
) -> None:
    image = random.Random(3).randbytes(3000)
    (tmp_path / "fw.bin").write_bytes(image)
    wanted = ["identity", "--image", str(tmp_path / "fw.bin"), "--port", "tcp:0", "--scale", "20"]
    with emulator(*wanted, *defects) as ready:
        check = GatCheck("shoe", open_link(ready["port"]), WallClock(SCALE), lambda _: None, answer_timeout_s=20.0)
        found = check.check(image, "main", "SHA256", random.Random(1))
        check.close()
    assert all(checked.matches for checked in found) == honest


def test_a_shoe_that_draws_on_a_world_elsewhere_has_time_for_its_own_line() -> None:
    """It asks that world again and again what hands have done, and each question takes real time."""
    server = RpcServer(table_methods(World(1, ["shoe"])))
    try:
        hands = RemoteHands(server.url)
        hands.place_pack(52)
        with emulator("card-shoe", "--port", "tcp:0", "--world", server.url, "--scale", "100") as ready:
            clock = WallClock(100.0)
            options = {"answer_timeout_s": 60, "tries": 20}
            driver = load_driver("angel-eye")("shoe", "shoe", open_link(ready["port"]), clock, lambda _: None, options)
            hands.load("shoe")
            wanted: list[type] = [DeviceNotice, DeviceCard]
            while wanted:
                claim = driver.next_claim(clock.deadline(3000))
                assert claim is not None
                if isinstance(claim, DeviceNotice) and claim.notice == "start":
                    wanted.remove(DeviceNotice)
                    assert driver.command("unlock").accepted
                    hands.draw_from("shoe")
                elif isinstance(claim, DeviceCard):
                    assert claim.label == "2c"
                    wanted.remove(DeviceCard)
            assert [edge.level for edge in RemoteDevice(ready["control"]).tap()] == [1, 0]
            driver.close()
    finally:
        server.close()
