"""A device that never answers, table software that hangs up: exit status 3, nothing passes, and the part is named."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from bench.software.cloudevents import SUBPROTOCOL
from cardcert.shipped import RIGS
from tests.certification.conftest import TIMEOUT_S, Finished, certify
from tests.certification.test_certify_bad_rigs import EXAMPLES, silent_device, told

SOFTWARE = "ws://127.0.0.1:8003"


@contextmanager
def emulator(kind: str) -> Iterator[dict[str, Any]]:
    """A `cardcert emulate` process; the line it prints when ready."""
    command = [sys.executable, "-m", "cardcert", "emulate", kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=TIMEOUT_S)


@contextmanager
def software_that_hangs_up() -> Iterator[str]:
    """Table software that takes the connection and closes it at once."""

    def hang_up(connection: ServerConnection) -> None:
        connection.close()

    with serve(hang_up, "127.0.0.1", 0, subprotocols=[SUBPROTOCOL]) as server:  # type: ignore[list-item]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def camera() -> Iterator[dict[str, Any]]:
    with emulator("camera") as ready:
        yield ready


def run_on(folder: Path, camera: dict[str, Any], software: str) -> Finished:
    """Certify one scenario with a sound camera, sound hands, and devices that take a connection and say nothing."""
    with silent_device() as shuffler, silent_device() as shoe:
        text = (RIGS / "hardware-example.toml").read_text()
        for example, real in (
            (EXAMPLES["shuffler"], shuffler),
            (EXAMPLES["shoe"], shoe),
            (EXAMPLES["camera"], camera["stream"]),
            (SOFTWARE, software),
            ('kind = "person"', f'kind = "remote"\nurl = "{camera["world"]}"'),
        ):
            assert example in text
            text = text.replace(example, real)
        rig = folder / "rig.toml"
        rig.write_text(text)
        return certify(folder / "run", ["pr-unapproved"], "--rig", str(rig))


def test_a_device_that_never_answers(tmp_path: Path, camera: dict[str, Any]) -> None:
    with emulator("table") as table:
        run = run_on(tmp_path, camera, table["url"])
    assert run.status == 3
    assert set(run.verdicts().values()) == {"INCONCLUSIVE"}
    assert "shuffler: asked" in told(run)
    assert "no answer" in told(run)


def test_table_software_that_hangs_up(tmp_path: Path, camera: dict[str, Any]) -> None:
    with software_that_hangs_up() as software:
        run = run_on(tmp_path, camera, software)
    assert run.status == 3
    assert set(run.verdicts().values()) == {"INCONCLUSIVE"}
    assert "it closed the connection" in told(run)
