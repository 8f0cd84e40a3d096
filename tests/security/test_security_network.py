"""Ports and logins are tried over real sockets of the loopback interface, and nothing of a login is kept or told."""

import contextlib
import json
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bench.clock import WallClock
from bench.live_rig import Rig
from bench.rig import load_rig
from bench.security.access import SecurityAccess
from bench.security.check import SecurityCheck
from bench.security.checks import Checks
from bench.security.lists import Service, ServiceList, load_logins, load_services
from bench.security.logins import Login
from bench.security.network import Answer, TcpNetwork, check_address
from evidence.errors import UsageError
from evidence.events import AnyEvent, CheckEnded, LoginTried, PortsTried
from tests.shared_runs import plain_environment

LOGINS = (Login(1, "first", "admin", "admin"), Login(2, "", "operator", "0000"))


class Teller:
    def __init__(self) -> None:
        self.events: list[AnyEvent] = []

    def publish(self, event: AnyEvent, _source: str) -> None:
        self.events.append(event)

    def tap(self) -> None:
        """Nothing is tapped here."""


def checked(what: str, access: SecurityAccess | None) -> list[AnyEvent]:
    """What one check put on record, of a rig that has nothing but this network."""
    rig = SimpleNamespace(
        devices={"d": None}, security={"d": access} if access else {}, identities={}, clock=WallClock(scale=5)
    )
    teller = Teller()
    Checks(cast(Rig, rig), cast(Any, teller)).make(SecurityCheck(what=cast(Any, what), device="d"))
    return teller.events


def access(
    ports: list[int], services: list[Service], logins: tuple[Login, ...] = LOGINS, answer_timeout_s: float = 10.0
) -> SecurityAccess:
    listed = ServiceList("some", tuple(ports), tuple(services))
    return SecurityAccess(TcpNetwork("127.0.0.1", 1.0), listed, logins, answer_timeout_s)


@contextlib.contextmanager
def served(folder: Path, *defects: str) -> Iterator[dict[str, int]]:
    """`cardcert emulate services` as a process of its own: its ports by their usual ones."""
    words = [sys.executable, "-P", "-m", "cardcert", "emulate", "services"]
    words += ["--line-port", "0", "--page-port", "0", "--debug-port", "0"]
    words += [word for defect in defects for word in ("--defect", defect)]
    process = subprocess.Popen(words, cwd=folder, env=plain_environment(folder), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 60)[0]
        yield json.loads(process.stdout.readline())["ports"]
    finally:
        process.terminate()
        process.communicate(timeout=20)


def outcomes(events: list[AnyEvent], service: str) -> dict[int, str]:
    return {one.entry: one.outcome for one in events if isinstance(one, LoginTried) and one.service == service}


def test_ports_and_logins_of_a_device_in_another_process(tmp_path: Path) -> None:
    with served(tmp_path, "port_left_open", "default_login_left") as ports, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # nobody listens there
        line, page, debug, none = *(ports[one] for one in ("2323", "8080", "9600")), closed.getsockname()[1]
        services = [Service(line, "line", "line"), Service(page, "page", "http-basic")]
        tried = [
            one for one in checked("ports", access([line, page, debug, none], services)) if isinstance(one, PortsTried)
        ]
        assert [(one.open, one.silent_count, one.declared) for one in tried] == [
            ([line, page, debug], 0, sorted([line, page]))
        ]
        events = checked("logins", access([line, page], services))
    assert outcomes(events, "line") == {0: "refused", 1: "accepted", 2: "refused"}
    assert outcomes(events, "page") == {0: "refused", 1: "refused", 2: "refused"}
    assert events[-1] == CheckEnded(device="d", check="logins", outcome="done")
    assert "admin" not in repr(events)


def talking(*said: bytes) -> tuple[int, threading.Thread]:
    """A service that says one thing after the other, whatever it is told, to each client, and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(20)

    def serve() -> None:
        with listener:
            for _ in range(2):
                with contextlib.suppress(OSError):
                    client, _ = listener.accept()
                    with client:
                        client.settimeout(20)
                        for one in said:
                            client.sendall(one)
                            client.recv(1000)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return listener.getsockname()[1], thread


@pytest.mark.parametrize(
    ("said", "with_login"),
    [
        ((b"login: ", b"Password: ", b"Last failed login: today\r\nWelcome\r\n$ "), "accepted"),
        ((b"login: ", b"Password: ", b"Login incorrect\r\nlogin: "), "refused"),
        ((b"\xff\xfd\x18login: ", b"Password: ", b"3 failed logins\r\n1) set up\r\n2) leave\r\n"), "unclear"),
        ((b"login: ", b"Password: ", b"It is too old.\r\nNew password: "), "unclear"),
        ((b"login: ", b"Password: ", b"Wrong.\r\nPassword: "), "refused"),
        ((b"User name: ", b"# "), "accepted"),
    ],
)
def test_what_stands_at_the_end_decides_whether_a_login_was_taken(said: tuple[bytes, ...], with_login: str) -> None:
    port, thread = talking(*said)
    # Of what is unclear the end is waited for.
    longest_s = 3.0 if with_login == "unclear" else 10.0
    events = checked("logins", access([port], [Service(port, "s", "line")], LOGINS[:1], longest_s))
    assert outcomes(events, "s") == {0: "refused", 1: with_login}
    thread.join(20)


@pytest.mark.parametrize(
    ("status", "without", "told"),
    [(b"200 OK", "accepted", {}), (b"403 Forbidden", "unclear", {1: "unclear", 2: "unclear"})],
)
def test_a_page_tells_by_its_status(status: bytes, without: str, told: dict[int, str]) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for _ in range(1 + len(told)):
            client, _ = listener.accept()
            with client:
                assert client.recv(4000).startswith(b"GET /setup HTTP/1.1\r\n")
                client.sendall(b"HTTP/1.1 " + status + b"\r\n\r\n")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    port = listener.getsockname()[1]
    with listener:
        events = checked("logins", access([port], [Service(port, "s", "http-basic", {"path": "/setup"})]))
        thread.join(20)
    assert outcomes(events, "s") == {0: without, **told}


def test_what_cannot_be_tried_ends_as_failed_with_its_reason() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        assert outcomes(checked("logins", access([port], [Service(port, "s", "line")])), "s") == {0: "no_answer"}
        nothing = SecurityAccess(TcpNetwork("127.0.0.1", 1.0), None)
        ends = [
            checked(what, one)[-1] for what in ("ports", "logins") for one in (None, nothing, access([port], [], ()))
        ]
    ends.append(checked("identity", None)[-1])
    told = [(one.outcome, one.detail) for one in ends if isinstance(one, CheckEnded)]
    assert told.pop(2)[0] == "done"  # every port answered, with a refusal
    assert all(outcome == "failed" and detail for outcome, detail in told)
    assert len(told) == 6


class Fading(TcpNetwork):
    """An address that falls silent after its first port."""

    def __init__(self) -> None:
        super().__init__("127.0.0.1", 1.0)
        self._left = 1

    def try_port(self, port: int) -> Answer:
        self._left -= 1
        return "closed" if self._left >= 0 else "silent"


def test_ports_of_an_address_that_fell_silent_meanwhile_are_not_called_closed() -> None:
    ends = checked("ports", SecurityAccess(Fading(), ServiceList("some", (1, 2, 3), ()), LOGINS))[-1]
    assert ends == CheckEnded(
        device="d", check="ports", outcome="failed", detail="port 1 of 127.0.0.1 answered, and no longer did in the end"
    )


@pytest.mark.parametrize("address", ["192.168.7.20", "2001:db8::7", "::ffff:127.0.0.1"])
def test_another_machine_is_tried_only_where_the_rig_file_says_so(address: str) -> None:
    with pytest.raises(UsageError, match="beyond_loopback = true"):
        check_address("rig", address, beyond_loopback=False)
    check_address("rig", address, beyond_loopback=True)


@pytest.mark.parametrize("address", ["device.example", "", "0.0.0.0", "224.0.0.1", "255.255.255.255", "10.0.0.0/8"])  # noqa: S104
def test_what_is_not_the_address_of_one_device_is_never_tried(address: str) -> None:
    with pytest.raises(UsageError, match=r"one IP address|not the address of one device"):
        check_address("rig", address, beyond_loopback=True)


WRONG = {
    "services": [
        ("ports = []", "1 to 4096 ports"),
        ('ports = ["1-65535"]', "1 to 4096 ports"),
        ('ports = ["80-70"]', "expected a port"),
        ('ports = ["70000"]', "expected a port"),
        ('ports = ["80"]\n[[service]]\nport = 81\nname = "a"', "not among the ports"),
        ('ports = ["80"]\n[[service]]\nport = 80\nname = "a"\nlogin = "ssh"', "http-basic, line"),
        (
            'ports = ["80"]\n[[service]]\nport = 80\nname = "a"\nlogin = "http-basic"\noptions = { path = "set up" }',
            "service 1: options: path 'set up': expected one that begins with /",
        ),
        ('ports = ["80"]\n[[service]]\nport = 80\nname = "a"\n[[service]]\nport = 80\nname = "b"', "same port"),
        (
            'ports = ["80"]\n[[service]]\nport = 80\nname = "a"\nlogin = "line"\noptions = { promt = ">" }',
            "service 1: options: no 'promt'; login 'line' has prompt",
        ),
        (
            'ports = ["80"]\n[[service]]\nport = 80\nname = "a"\nlogin = "http-basic"\noptions = { prompt = ">" }',
            "no 'prompt'; login 'http-basic' has path",
        ),
        ('ports = ["80"]\n[[service]]\nport = 80\nname = "a"\noptions = { path = "/" }', "login is none to try"),
        ('ports = ["80"]\n[[service]]\nport = 80\nname = "a"\nunlocks_after_s = 5', "no tries_allowed"),
        ('ports = ["80"]\n[[service]]\nport = 80\nname = "a"\ntries_allowed = 0', "tries_allowed"),
    ],
    "logins": [
        ("login = []", "1 to 100"),
        ('[[login]]\nuser = "a:b"\npassword = "hunter2"', "no colon"),
        ('[[login]]\nuser = "a"\npassword = "hunter2"\nname = "with Hunter2"', "tells the password"),
        ('[[login]]\nuser = "a"\npassword = "hunter2\\n"', "printable ASCII"),
        ('[[login]]\nuser = "a"\npassword = 1\nhunter2 = 3', "nothing of it is repeated"),
        ('[[login]]\nuser = "a"\npassword = "hunter2', "nothing of it is repeated"),
        ('[[login]]\nuser = "a"\npassword = "hunter2"\n' * 2, "stands there twice"),
    ],
}


@pytest.mark.parametrize(("kind", "text", "said"), [(kind, *one) for kind, all_ in WRONG.items() for one in all_])
def test_a_wrong_list_is_refused_without_telling_what_it_says(kind: str, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said) as caught:
        (load_services if kind == "services" else load_logins)(path)
    assert "hunter2" not in str(caught.value).lower()
    assert str(path) in str(caught.value)


def test_a_rig_file_with_a_strange_address_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    path.write_text(
        'name = "r"\n[[device]]\nname = "d"\nrole = "shuffler"\nurl = "/dev/ttyUSB0"\n'
        '[device.security]\naddress = "192.168.7.20"\n'
    )
    with pytest.raises(UsageError, match="beyond_loopback = true"):
        load_rig(path)


@pytest.mark.parametrize("others", [("shuffler", "shuffler-2"), ("shoe-a-b", "shoe-a")])
def test_a_device_that_reads_like_a_line_of_another_is_refused(others: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    devices = "".join(f'[[device]]\nname = "{name}"\nrole = "shuffler"\n' for name in others)
    path.write_text(f'name = "r"\nclock = "virtual"\n{devices}')
    with pytest.raises(UsageError, match=f"device '{max(others, key=len)}' reads like a line of device"):
        load_rig(path)
