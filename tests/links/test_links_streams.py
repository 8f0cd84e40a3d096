"""Opening links of every kind, what goes through them, and what is said when they fail."""

import contextlib
import os
import select
import socket
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from serial.rfc2217 import PortManager

from bench.clock import WallClock
from bench.links import PtyPort, SerialSettings, StreamLink, TcpPort, open_link, pty_pair
from bench.links.stream import MAX_UNSENT, Stream
from evidence.errors import RigFault, UsageError
from tests.links.stub_device import listening, raw_pty

CLOCK = WallClock()
EVERY_BYTE = bytes(range(256))


def read_bytes(link: StreamLink, number: int) -> bytes:
    deadline = CLOCK.deadline(30)
    data = b""
    while len(data) < number and CLOCK.wait([link], deadline):
        data += link.read()
    return data


def read_fd(fd: int, number: int) -> bytes:
    data = b""
    while len(data) < number:
        data += os.read(fd, 65_536)
    return data


@pytest.fixture
def serial_port() -> Iterator[tuple[int, str]]:
    master, slave, path = raw_pty()
    yield master, path
    os.close(slave)
    with contextlib.suppress(OSError):
        os.close(master)


def test_every_byte_goes_through_a_serial_port_unchanged_both_ways(serial_port: tuple[int, str]) -> None:
    master, path = serial_port
    link = open_link(path)
    link.write(EVERY_BYTE)
    assert read_fd(master, 256) == EVERY_BYTE
    assert link.read() == b""
    os.write(master, EVERY_BYTE[::-1])
    assert read_bytes(link, 256) == EVERY_BYTE[::-1]
    assert (link.tx_bytes, link.rx_bytes) == (256, 256)
    link.close()
    link.close()


def test_a_port_just_made_does_not_echo_or_edit() -> None:
    alone = PtyPort()
    local_modes = termios.tcgetattr(alone.fileno())[3]
    assert not local_modes & (termios.ECHO | termios.ICANON | termios.ISIG)
    alone.close()
    link, port = pty_pair()
    port.write(b"\x03\x04\x11\x13\r\n\x7f")
    assert read_bytes(link, 7) == b"\x03\x04\x11\x13\r\n\x7f"
    port.pump()
    assert port.rx_bytes == 0
    link.close()
    port.close()


def test_a_tcp_link_carries_large_pieces_whole() -> None:
    listener, url = listening()
    link = open_link(url)
    connection, _ = listener.accept()
    sent = EVERY_BYTE * 1000
    sender = threading.Thread(target=connection.sendall, args=(sent,))
    sender.start()
    assert read_bytes(link, len(sent)) == sent
    sender.join()
    link.close()
    assert connection.recv(1) == b""
    connection.close()
    listener.close()


def test_a_serial_port_belongs_to_one_program_at_a_time(serial_port: tuple[int, str]) -> None:
    link = open_link(serial_port[1])
    with pytest.raises(RigFault, match="another program is using this port"):
        open_link(serial_port[1])
    link.close()
    open_link(serial_port[1]).close()


def test_a_serial_port_that_is_unplugged_is_noticed(serial_port: tuple[int, str]) -> None:
    link = open_link(serial_port[1])
    os.close(serial_port[0])
    assert CLOCK.wait([link], CLOCK.deadline(30))
    with pytest.raises(RigFault, match=r"/dev/pts/\d+: the connection is gone .* Check cable and power"):
        link.read()
    assert link.ready()
    with pytest.raises(RigFault, match="gone"):
        link.write(b"x")
    link.close()
    with pytest.raises(RigFault, match="gone"):
        link.fileno()


def test_a_peer_that_hangs_up_is_noticed_after_its_last_words() -> None:
    listener, url = listening()
    link = open_link(url)
    connection, _ = listener.accept()
    connection.sendall(b"bye")
    connection.close()
    assert read_bytes(link, 3) == b"bye"
    assert CLOCK.wait([link], CLOCK.deadline(30))
    with pytest.raises(RigFault, match="closed by the far side"):
        link.read()
    link.close()
    listener.close()


@pytest.mark.parametrize(
    ("url", "error", "said"),
    [
        ("/dev/ttyNoSuchPort", RigFault, "no such port. Is the device plugged in"),
        ("/etc/passwd", UsageError, "not a serial port"),
        ("/tmp", UsageError, "not a serial port"),  # noqa: S108
        ("ttyUSB0", UsageError, "expected a serial port such as /dev/ttyUSB0"),
        ("", UsageError, "expected a serial port"),
        ("socket://127.0.0.1", UsageError, "expected a serial port"),
        ("socket://:4001", UsageError, "expected a serial port"),
        ("socket://127.0.0.1:99999", UsageError, "expected a serial port"),
        ("socket://[::1:4001", UsageError, "expected a serial port"),
        ("spy:///dev/ttyUSB0?file=/tmp/x", UsageError, "expected a serial port"),
        ("loop://", UsageError, "expected a serial port"),
        ("http://127.0.0.1:80", UsageError, "expected a serial port"),
    ],
)
def test_what_cannot_be_opened_says_why_and_what_to_do(url: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        open_link(url)


@pytest.mark.parametrize("scheme", ["socket", "rfc2217"])
def test_nobody_listening_is_a_rig_fault(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(RigFault, match=r"nobody answers there|cannot be opened"):
        open_link(f"{scheme}://127.0.0.1:{port}")


@pytest.mark.parametrize(
    "settings",
    [
        SerialSettings(baudrate=-1),
        SerialSettings(bytesize=9),  # type: ignore[arg-type]
        SerialSettings(parity="X"),  # type: ignore[arg-type]
        SerialSettings(stopbits=3),  # type: ignore[arg-type]
    ],
)
def test_settings_a_port_does_not_take_are_refused(serial_port: tuple[int, str], settings: SerialSettings) -> None:
    with pytest.raises(UsageError, match="Correct the settings"):
        open_link(serial_port[1], settings)
    open_link(serial_port[1]).close()


def test_a_device_that_takes_nothing_is_a_rig_fault_and_bounded() -> None:
    link, port = pty_pair()
    link.write(bytes(MAX_UNSENT))
    with pytest.raises(RigFault, match="takes no more bytes"):
        link.write(bytes(65_536))
    assert len(link.stream.outbox) <= MAX_UNSENT
    link.close()
    port.close()


def test_what_waits_to_be_sent_goes_out_when_there_is_room() -> None:
    ours, theirs = socket.socketpair()
    stream = Stream(ours.detach())
    sent = EVERY_BYTE * 2000
    stream.write(sent[:400_000])
    stream.write(sent[400_000:])
    assert stream.outbox
    received = b""
    while len(received) < len(sent):
        received += theirs.recv(65_536)
        stream.flush()
    assert received == sent
    assert (stream.tx_bytes, stream.lost_bytes) == (len(sent), 0)
    stream.close()
    theirs.close()


# --- rfc2217 ---------------------------------------------------------------------------------------------------------


class TerminalServer:
    """A terminal server for one client, with a loop-back plug on its serial port."""

    def __init__(self) -> None:
        self._listener, url = listening()
        self.url = url.replace("socket", "rfc2217")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def hang_up(self) -> None:
        self._stop.set()
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        port = serial.serial_for_url("loop://", timeout=0)
        with connection, port:
            connection.settimeout(0.01)
            sender = type("Sender", (), {"write": lambda _, data: connection.sendall(data)})()
            manager = PortManager(port, sender)  # type: ignore[arg-type]
            while not self._stop.is_set():
                with contextlib.suppress(TimeoutError):
                    port.write(b"".join(manager.filter(connection.recv(1024))))
                connection.sendall(b"".join(manager.escape(port.read(port.in_waiting))))


def test_bytes_go_to_a_terminal_server_and_back_and_its_end_is_noticed() -> None:
    server = TerminalServer()
    link = open_link(server.url, SerialSettings(baudrate=19_200))
    for _ in range(3):
        link.write(EVERY_BYTE)
        assert read_bytes(link, 256) == EVERY_BYTE
    assert (link.tx_bytes, link.rx_bytes) == (768, 768)
    server.hang_up()
    assert CLOCK.wait([link], CLOCK.deadline(30))
    with pytest.raises(RigFault, match="the connection is gone"):
        link.read()
    link.close()
    link.close()


# --- the emulator's end ----------------------------------------------------------------------------------------------


def test_a_port_can_have_a_name_of_its_own_and_leaves_no_trace(tmp_path: Path) -> None:
    name = tmp_path / "ttyShoe"
    name.symlink_to("/dev/pts/stale")
    port = PtyPort(name)
    heard: list[bytes] = []
    port.feed = heard.append
    link = open_link(str(name))
    link.write(b"hello")
    select.select([port], [], [], 30)
    port.pump()
    assert heard == [b"hello"]
    link.close()
    open_link(str(name)).close()
    port.close()
    assert not name.is_symlink()


def test_a_port_does_not_replace_a_file(tmp_path: Path) -> None:
    name = tmp_path / "notes"
    name.write_text("mine")
    with pytest.raises(UsageError, match="cannot place the port there"):
        PtyPort(name)
    assert name.read_text() == "mine"


def pump(port: TcpPort) -> None:
    select.select([port], [], [], 30)
    port.pump()


def test_a_tcp_port_serves_one_client_at_a_time_and_then_the_next() -> None:
    port = TcpPort()
    came: list[int] = []
    heard: list[bytes] = []
    port.feed = heard.append
    port.on_connect = lambda: came.append(len(came))
    assert port.address[0] == "127.0.0.1"
    port.write(b"nobody hears this")
    first = open_link(port.url)
    pump(port)
    first.write(b"one")
    pump(port)
    second = socket.create_connection(port.address)
    port.pump()
    assert second.recv(1) == b""
    second.close()
    port.write(b"for you")
    assert read_bytes(first, 7) == b"for you"
    first.close()
    pump(port)
    third = open_link(port.url)
    pump(port)
    third.write(b"three")
    pump(port)
    assert heard == [b"one", b"three"]
    assert came == [0, 1]
    assert (port.rx_bytes, port.tx_bytes) == (8, 7)
    port.hang_up()
    assert CLOCK.wait([third], CLOCK.deadline(30))
    with pytest.raises(RigFault, match="gone"):
        third.read()
    third.close()
    with pytest.raises(UsageError, match="cannot listen there"):
        TcpPort(port.address[1])
    port.close()
    port.close()
    port.write(b"nobody")
    port.pump()
