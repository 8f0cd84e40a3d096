"""A proxy of its own process between a bench and what it tests: on ptys, on TCP, on serial ports and on a WebSocket."""

import contextlib
import os
import select
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bench.clock import WallClock
from bench.drivers.reference import ReferenceDriver
from bench.emulators.proxy import DEEDS_IN_ANSWER, MOST_UNSENT, Deeds, LinkEnd, Proxy, RemoteLine, line_methods
from bench.emulators.rpc import MAX_ANSWER, Mailbox, RpcServer
from bench.emulators.table_software.server import InProcessSoftware
from bench.links import PtyPort, StreamLink, open_link
from bench.links.faulty import MAX_DEEDS, FaultyLine
from bench.links.faulty_path import FaultyPath
from bench.links.line_faults import Deed, LineFault
from bench.links.stream import Stream
from bench.protocol import messages as m
from bench.protocol.device import DeviceEndpoint
from bench.software.link import SoftwareLink
from evidence.errors import RigFault, UsageError
from evidence.events import AnyEvent, LinkBytes, LinkFault
from tests.links.emulator_process import emulated


def proxied(to: str, **settings: object) -> contextlib.AbstractContextManager[dict[str, str]]:
    return emulated("proxy", "serve_proxy", to, **settings)


class Served:
    """A device on a pty of this process, answered by a thread."""

    def __init__(self) -> None:
        self.port = PtyPort()
        device = DeviceEndpoint(self.port.write, lambda _: m.Status("ready"), lambda *_: lambda: None)
        self.port.feed = device.feed
        self._stop, self._ring = os.pipe()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while self._stop not in select.select([self.port.fileno(), self._stop], [], [])[0]:
            self.port.pump()

    def close(self) -> None:
        os.close(self._ring)
        self._thread.join()
        os.close(self._stop)
        self.port.close()


@pytest.fixture(scope="module")
def device() -> Iterator[str]:
    served = Served()
    yield served.port.path
    served.close()


@contextlib.contextmanager
def driving(url: str) -> Iterator[tuple[ReferenceDriver, list[AnyEvent]]]:
    emitted: list[AnyEvent] = []
    driver = ReferenceDriver(
        "shoe", "shoe", open_link(url), WallClock(), emitted.append, {"answer_timeout_s": 1, "tries": 2}
    )
    yield driver, emitted
    driver.close()


@pytest.mark.parametrize("side", ["pty", "tcp:0", "serial"])
def test_a_device_is_reached_through_a_proxy_and_its_faults_are_on_record(
    side: str, device: str, tmp_path: Path
) -> None:
    with contextlib.ExitStack() as stack:
        link = tmp_path / "ttyShoe"
        near: dict[str, object] = {"port": side}
        if side == "pty":
            near["link"] = link
        if side == "serial":
            # A pair of ptys stands for a cable between two serial ports: what comes to one goes out at the other.
            cable = Cable()
            stack.callback(cable.close)
            near = {"port": cable.one.path}
        proxy = stack.enter_context(proxied(device, **near))
        url = {"pty": str(link), "serial": cable.other.path if side == "serial" else ""}.get(side, proxy["port"])
        driver, emitted = stack.enter_context(driving(url))
        line = RemoteLine(proxy["control"])
        assert driver.status().state == "ready"
        assert line.take_deeds() == []
        heard = [event.data for event in emitted if isinstance(event, LinkBytes) and event.direction == "rx"]
        line.arm(LineFault(kind="checksum", way="rx"))
        assert driver.status().state == "ready"
        (deed,) = line.take_deeds()
        # The proof lies at both ends: what the device sent, and what the bench heard in its place.
        assert deed.before != deed.after
        now_heard = [event.data for event in emitted if isinstance(event, LinkBytes) and event.direction == "rx"]
        assert deed.after in "".join(now_heard[len(heard) :])
        assert "crc" in [event.kind for event in emitted if isinstance(event, LinkFault)]
        line.arm(LineFault(kind="checksum", way="tx"))
        assert driver.status().state == "ready"
        (deed,) = line.take_deeds()
        # The device refused it, and the record of that shows which frame it was.
        naks = [event.sent for event in emitted if isinstance(event, LinkFault) and event.kind == "nak"]
        assert naks == [deed.before]


class Cable:
    """A null modem cable: two ptys whose far ends are joined by a thread."""

    def __init__(self) -> None:
        self.one, self.other = PtyPort(), PtyPort()
        self.one.feed, self.other.feed = self.other.write, self.one.write
        self._stop, self._ring = os.pipe()
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()

    def _carry(self) -> None:
        ports = {port.fileno(): port for port in (self.one, self.other)}
        while self._stop not in (ready := select.select([*ports, self._stop], [], [])[0]):
            for fd in ready:
                ports[fd].pump()

    def close(self) -> None:
        os.close(self._ring)
        self._thread.join()
        os.close(self._stop)
        self.one.close()
        self.other.close()


def test_a_cut_line_is_a_rig_fault_until_it_is_restored(device: str) -> None:
    with proxied(device, port="tcp:0") as proxy, driving(proxy["port"]) as (driver, _):
        line = RemoteLine(proxy["control"])
        assert driver.status().state == "ready"
        line.arm(LineFault(kind="cut_off", way="tx"))
        with pytest.raises(RigFault, match="no answer"):
            driver.status()
        assert {deed.kind for deed in line.take_deeds()} == {"cut_off"}
        line.restore()
        assert driver.status().state == "ready"
        line.arm(LineFault(kind="hang_up", way="tx"))
        with pytest.raises(RigFault, match="gone"):
            driver.status()
        line.restore()
        with driving(proxy["port"]) as (again, _):
            assert again.status().state == "ready"
        with pytest.raises(UsageError, match="needs seconds"):
            line.arm(LineFault(kind="delay"))


def stuffed(end: socket.socket) -> int:
    """Send until no more is taken; the number of bytes."""
    sent = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            sent += end.send(bytes(65_536))
    return sent


def emptied(end: socket.socket) -> int:
    """Take what has come; the number of bytes."""
    got = 0
    with contextlib.suppress(BlockingIOError):
        while piece := end.recv(1 << 20):
            got += len(piece)
    return got


def test_bytes_that_pile_up_both_ways_all_come_once_somebody_takes_them() -> None:
    with contextlib.ExitStack() as stack:
        pairs = [socket.socketpair() for _ in range(2)]
        near, far = (stack.enter_context(pair[0]) for pair in pairs)
        near.setblocking(False)
        far.setblocking(False)
        ours = [StreamLink(Stream(pair[1].detach()), "socket://here") for pair in pairs]
        proxy = Proxy(
            LinkEnd(ours[0]),
            lambda: ours[1],
            lambda deliver: FaultyPath(FaultyLine(), lambda: 0, lambda *_: lambda: None, deliver),
        )
        stack.callback(proxy.close)
        sent = dict.fromkeys((near, far), 0)
        while not (proxy.near_waits and proxy.far_waits):
            for end in (near, far):
                sent[end] += stuffed(end)
            proxy.pump()
        got = dict.fromkeys((near, far), 0)
        for _ in range(100):
            for end in (near, far):
                got[end] += emptied(end)
            proxy.pump()
        assert (got[near], got[far]) == (sent[far], sent[near])
        assert min(got.values()) > MOST_UNSENT


def test_more_deeds_than_one_answer_holds_are_told_in_several() -> None:
    line, mailbox = FaultyLine(), Mailbox()
    line.arm(LineFault(kind="drop", count=0))
    frame = bytes(4096)
    for number in range(2 * DEEDS_IN_ANSWER + 1):
        line.carry("rx", frame, number)
    stop = threading.Event()

    def serve() -> None:
        while not stop.is_set():
            select.select([mailbox.fileno()], [], [], 0.1)
            mailbox.pump()

    thread = threading.Thread(target=serve)
    thread.start()
    server = RpcServer(line_methods(line, lambda: 0, mailbox))
    try:
        deeds = RemoteLine(server.url).take_deeds()
        assert [deed.at_ns for deed in deeds] == list(range(2 * DEEDS_IN_ANSWER + 1))
        assert len(msgspec.json.encode(deeds[:DEEDS_IN_ANSWER])) < MAX_ANSWER / 2
    finally:
        server.close()
        stop.set()
        thread.join()
        mailbox.close()


def test_a_proxy_that_always_has_more_to_tell_is_heard_for_as_much_as_one_keeps() -> None:
    asked: list[int] = []
    deed = Deed(at_ns=0, kind="drop", way="rx", frame=1, before="", after="")

    def endless() -> dict[str, object]:
        asked.append(1)
        return {"now_ns": 0, "deeds": [deed], "more": True}

    def flood() -> dict[str, object]:
        return {"now_ns": 0, "deeds": [deed] * (DEEDS_IN_ANSWER + 1), "more": True}

    with (
        contextlib.closing(RpcServer({"line.deeds": endless})) as one,
        contextlib.closing(RpcServer({"line.deeds": flood})) as other,
    ):
        assert len(RemoteLine(one.url).take_deeds()) == len(asked)
        assert len(asked) * DEEDS_IN_ANSWER <= MAX_DEEDS
        with pytest.raises(RigFault, match="not the deeds of a proxy"):
            RemoteLine(other.url).take_deeds()


def test_no_deed_is_told_to_have_been_done_after_it_was_felt() -> None:
    """How long an answer takes on its way back is not known, when it was asked for is."""
    moments = iter((100, 1000))

    def deeds() -> Deeds:
        now_ns = next(moments)
        return Deeds(now_ns=now_ns, deeds=[Deed(at_ns=now_ns - 1, kind="drop", way="rx", frame=1, before="", after="")])

    server = RpcServer({"line.deeds": deeds})
    try:
        bench = iter((5_100, 5_900, 6_040, 6_050))
        line = RemoteLine(server.url, lambda: next(bench))
        assert [deed.at_ns for deed in line.take_deeds()] == [5_099]
        next(bench)  # the bench has gone on meanwhile
        assert [deed.at_ns for deed in line.take_deeds()] == [6_039]
    finally:
        server.close()


def test_messages_of_table_software_are_lost_whole() -> None:
    with (
        InProcessSoftware(frozenset()) as served,
        proxied(served.url, port="tcp:0", framing="websocket") as proxy,
    ):
        line = RemoteLine(proxy["control"])
        emitted: list[AnyEvent] = []
        link = SoftwareLink(proxy["url"], 1.0, emitted.append)
        assert link.connect().maker == "cardcert"
        link.close()
        # After its answer to the handshake, the software's first message is its identity.
        line.arm(LineFault(kind="drop", way="rx", first=2))
        with pytest.raises(RigFault, match="no identity"):
            link.connect()
        (deed,) = line.take_deeds()
        assert b"software.identity" in bytes.fromhex(deed.before)
        assert deed.after == ""
        assert link.connect().maker == "cardcert"
        link.close()


def test_whoever_is_not_there_behind_the_proxy_is_gone_for_the_bench_too() -> None:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as nobody:
        port = nobody.getsockname()[1]
    with proxied(f"socket://127.0.0.1:{port}", port="tcp:0") as proxy:
        link = open_link(proxy["port"])
        with pytest.raises(RigFault, match="gone"):
            WallClock().wait([link], WallClock().deadline(20)) and link.read()
        link.close()
