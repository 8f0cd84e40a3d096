"""Rigs that fail: a clear message, exit status 3, and nothing that passes."""

import contextlib
import http.server
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardcert.shipped import RIGS
from tests.certification.conftest import Finished, cardcert, certify


@contextmanager
def silent_device() -> Iterator[str]:
    """A TCP port that takes a connection and never answers."""
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield f"socket://127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def blind_camera() -> Iterator[str]:
    """An MJPEG address that opens and delivers no frame."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=x")
            self.end_headers()
            stop.wait(30)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            pass

    stop = threading.Event()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/stream.mjpg"
    finally:
        stop.set()
        server.shutdown()
        server.server_close()


def run_on(tmp_path: Path, **changes: str) -> Finished:
    """Certify one scenario on the example rig with entries replaced."""
    text = (RIGS / "hardware-example.toml").read_text()
    text = text.replace('kind = "person"', 'kind = "remote"\nurl = "http://127.0.0.1:9"')
    for old, new in changes.items():
        assert EXAMPLES[old] in text
        text = text.replace(EXAMPLES[old], new)
    rig = tmp_path / "rig.toml"
    rig.write_text(text)
    return certify(tmp_path / "run", ["pr-unapproved"], "--rig", str(rig))


EXAMPLES = {
    "shuffler": "/dev/ttyUSB0",
    "shoe": "socket://127.0.0.1:8002",
    "camera": "http://127.0.0.1:8004/stream.mjpg",
}


def told(run: Finished) -> str:
    """The final word on the scenario, from the report of the run."""
    return " ".join(row["reason"] for row in run.json("verdicts.json")) + run.err + run.out


def test_a_port_that_does_not_exist(tmp_path: Path) -> None:
    run = run_on(tmp_path, shuffler=str(tmp_path / "ttyNowhere"))
    assert run.status == 3
    assert "ttyNowhere" in told(run)
    assert set(run.verdicts().values()) == {"INCONCLUSIVE"}


def test_a_camera_that_delivers_nothing(tmp_path: Path) -> None:
    with silent_device() as shuffler, silent_device() as shoe, blind_camera() as camera:
        run = run_on(tmp_path, shuffler=shuffler, shoe=shoe, camera=camera)
    assert run.status == 3
    assert "no_frame" in told(run)
    assert set(run.verdicts().values()) == {"INCONCLUSIVE"}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--rig", "nowhere"], "there is no rig 'nowhere'"),
        (["--policy", "no_such_switch=x"], "no_such_switch"),
        (["--defect", "shoe:no_such_defect"], "no_such_defect"),
        (["--defect", "moon:x"], "software, shuffler or shoe"),
        (["--scenario", "no-such-scenario"], "no-such-scenario"),
        (["--seed", str(1 << 90)], f"seed {1 << 90}: expected a number from"),
    ],
)
def test_wrong_usage_is_exit_status_2_and_leaves_nothing(tmp_path: Path, arguments: list[str], named: str) -> None:
    run = certify(tmp_path / "run", ["pr-unapproved"], *arguments)
    assert run.status == 2
    assert named in run.err
    assert not run.folder.exists()


BROKEN = """
import sys
import cardcert.faults
from cardcert.__main__ import main
cardcert.faults.catalogue = lambda: {}[0]
sys.exit(main(["faults", "list"]))
"""


def test_an_error_of_our_own_is_not_told_as_a_non_conformity() -> None:
    done = subprocess.run([sys.executable, "-c", BROKEN], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert "KeyError" in done.stderr
    assert "please report it" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["table", "--port", "99999"], "Choose another port"),
        (["shoe", "--port", "tcp:0", "--control-port", "99999"], "Choose another port"),
        (["shoe", "--scale", "nan"], "scale is nan"),
        (["shuffler", "--scale", "0"], "scale is 0"),
        (["table", "--scale", "5"], "unrecognized arguments: --scale"),
        (["camera", "--defect", "six_card_groups"], "unrecognized arguments: --defect"),
    ],
)
def test_an_emulator_that_cannot_do_what_it_is_asked_says_so(arguments: list[str], named: str) -> None:
    done = cardcert("emulate", *arguments)
    assert done.status == 2
    assert named in done.err
