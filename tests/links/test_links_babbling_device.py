"""A device that never stops talking is given up when its time is over, like one that says nothing."""

from typing import Any, cast

from bench.clock import WallClock
from bench.drivers.registry import load_driver
from bench.links import open_link
from bench.live_rig import Rig
from bench.operate import completed, operate, settle
from evidence.events import AnyEvent, DeviceStatus, Record
from tests.links.stub_device import READY, StubDevice, frame, listening, obedient

BABBLE = 30_000
"""Events after which the device comes to an end after all, so that the test ends even if the bench waits for it."""


class Heard:
    """Counts what is told."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []

    def publish(self, event: AnyEvent, source: str) -> Record:
        self.events.append(event)
        return cast(Record, None)

    def tap(self) -> None:
        pass


def babbling(kind: int, seq: int, payload: bytes) -> bytes:
    """Tells its status; as soon as that has been acknowledged, tells it again."""
    if kind == 0x31:
        return obedient(kind, seq, payload) + frame(0x63, 1, READY)
    if kind == 0x06 and seq < BABBLE:
        return frame(0x63, seq + 1, READY)
    if kind == 0x06 and seq == BABBLE:
        return frame(0x60, seq + 1, bytes([2, 2, 0, 52]))
    return obedient(kind, seq, payload)


def test_a_device_that_never_stops_talking_is_given_up() -> None:
    listener, url = listening()
    link = open_link(url)
    connection, _ = listener.accept()
    with listener, connection, StubDevice(connection.fileno(), babbling):
        clock, heard = WallClock(), Heard()
        driver = load_driver("reference")("shoe", "shoe", link, clock, lambda _: None, {"answer_timeout_s": 5})
        nobody = cast(Any, None)
        rig = Rig(
            clock=clock, devices={"shoe": driver}, controls={}, hands=nobody, eye=nobody, software=nobody,
            approvals=[], silence={"shoe": 0.05},
        )  # fmt: skip
        trouble = operate(rig, heard, "shoe", "shuffle", completed("shuffle"))
        assert trouble == "shoe: no end came within 0.05 s of shuffle"
        told = len(heard.events)
        assert told > 0
        settle(rig, heard, "shoe")
        assert told < len(heard.events) < BABBLE
        assert all(isinstance(event, DeviceStatus) for event in heard.events)
        driver.close()
    link.close()
