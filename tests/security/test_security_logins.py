"""What a lockout hides is called unclear, and nothing that another package says of a login is kept."""

import base64
import contextlib
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bench.security.lists import Service
from bench.security.logins import Login
from evidence.events import CheckEnded, LoginTried
from tests.security.test_security_network import access, checked, outcomes

LOGINS = tuple(Login(n, "", f"user{n}", f"secret-{n}") for n in (1, 2, 3, 4))
GOOD = base64.b64encode(b"user4:secret-4")


@contextlib.contextmanager
def locking(after: int, for_s: float) -> Iterator[int]:
    """A page that takes the last login, and after so many wrong ones none at all for so many real seconds."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        wrong, latest = 0, 0.0
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                with client:
                    asked = client.recv(4000)
                    wrong = 0 if wrong >= after and time.monotonic() - latest > for_s else wrong
                    good = GOOD in asked and wrong < after
                    wrong, latest = (wrong, latest) if good else (wrong + 1, time.monotonic())
                    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n" if good else b"HTTP/1.1 401 Unauthorized\r\n\r\n")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(20)


def test_what_a_service_may_have_locked_itself_against_is_unclear() -> None:
    with locking(after=3, for_s=1000.0) as port:
        service = Service(port, "s", "http-basic", tries_allowed=3)
        events = checked("logins", access([port], [service], LOGINS))
    # The try without a login counts as one.
    assert outcomes(events, "s") == {0: "refused", 1: "refused", 2: "refused", 3: "unclear", 4: "unclear"}
    assert events[-1] == CheckEnded(device="d", check="logins", outcome="done")


def test_after_the_time_in_which_a_service_unlocks_itself_the_next_logins_are_tried() -> None:
    with locking(after=2, for_s=0.05) as port:
        # A fifth of it passes in real time.
        service = Service(port, "s", "http-basic", tries_allowed=2, unlocks_after_s=0.5)
        events = checked("logins", access([port], [service], LOGINS))
    assert outcomes(events, "s") == {0: "refused", 1: "refused", 2: "refused", 3: "refused", 4: "accepted"}


TELLING = {
    "told": "return 'refused', f'{login.user} {login.password}' if login else 'secret-0'",
    "raised": "raise ValueError(f'no {login.password}' if login else 'secret-0')",
    "left": "raise SystemExit(f'no {login.password}' if login else 'secret-0')",
    "class": "raise type(login.password if login else 'secret-0', (KeyError,), {})",
    "no word": "return login.password if login else 'secret-0', ''",
    "no pair": "return login.password if login else 'secret-0'",
}


@pytest.mark.parametrize("way", TELLING)
def test_nothing_that_another_package_says_is_kept(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "telling_login.py").write_text(f"def attempt(line, login, options):\n    {TELLING[way]}\n")
    about = tmp_path / "telling_login-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: telling-login\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[cardcert.logins]\ntelling = telling_login:attempt\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "telling_login", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        events = checked("logins", access([port], [Service(port, "s", "telling")], LOGINS))
    outcome = "refused" if way == "told" else "unclear"
    assert outcomes(events, "s") == dict.fromkeys(range(5), outcome)
    assert b"secret" not in msgspec.json.encode(events)
    said = {"raised": "ValueError", "left": "SystemExit", "class": "KeyError"}.get(way, "")
    assert all(said in one.detail for one in events if isinstance(one, LoginTried))
