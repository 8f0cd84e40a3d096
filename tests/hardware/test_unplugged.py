"""Something is unplugged in the middle of a run: the run says what and when, keeps its journal, and leaves all safe."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import pytest

from bench.emulators.instruments.ties import RemoteTie
from cardcert.__main__ import main
from cardcert.shipped import RIGS
from evidence.reading import verify_journal
from tests.certification.conftest import Finished, certify
from tests.hardware.emulating import STARTS, emulate

SCALE = "4"
"""Slow, for all that is waited for is on the way at once; so a busy machine is not taken for a dead device."""
PLAN, SCENARIO = "pr-pgp-shoe", "pr-proper"
AFTER = "pr-unapproved"
"""A scenario that is played after the one in which something went."""
INSTRUMENT = """
[[instrument]]
name = "supply"
role = "power_supply"
driver = "rigol-dp832"
timeout_s = 10
resource = "{resource}"
identity = "RIGOL TECHNOLOGIES,DP832"

[[instrument.channel]]
name = "shoe-rail"
address = 1
device = "shoe"
rail = true
voltage_v = 24.0
max_voltage_v = 25.0
max_current_a = 2.0
"""


class Bench:
    """Emulators as processes of their own, of which any can be killed and started again at the same address."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.ready: dict[str, dict[str, Any]] = {}
        self.killed: set[str] = set()
        self.commands: dict[str, tuple[str, ...]] = {}
        self._running: dict[str, ForkServerProcess] = {}

    def start(self, name: str, *arguments: str) -> dict[str, Any]:
        self.commands[name] = arguments
        ours, theirs = STARTS.Pipe(duplex=False)
        process = STARTS.Process(target=emulate, args=(theirs, arguments))
        process.start()
        self._stack.callback(process.join)
        self._stack.callback(process.kill)
        theirs.close()
        self._running[name] = process
        with ours, open(os.dup(ours.fileno())) as said:
            self.ready[name] = json.loads(said.readline())
        return self.ready[name]

    def kill(self, name: str) -> None:
        """As if its plug were pulled."""
        self._running[name].kill()
        self._running[name].join()
        self.killed.add(name)

    def start_again(self, name: str) -> None:
        self.killed.discard(name)
        self.start(name, *self.commands[name])

    def rig(self) -> Path:
        ready = self.ready
        text = (RIGS / "hardware-example.toml").read_text()
        patient = "options = { answer_timeout_s = 40 }"  # ten seconds of real time, however busy the machine is
        for example, real in (
            ('url = "/dev/ttyUSB0"', f'{patient}\nurl = "{self.folder / "ttyShuffler"}"'),
            ('url = "socket://127.0.0.1:8002"', f'{patient}\nurl = "{ready["shoe"]["port"]}"'),
            ("ws://127.0.0.1:8003", ready["table"]["url"]),
            ("http://127.0.0.1:8004/", f"{ready['camera']['port'].replace('socket', 'http')}/"),
            ('kind = "person"', f'kind = "remote"\nurl = "{ready["world"]["world"]}"'),
            ("latency_s = 0.3", "latency_s = 0.05"),
            ("time_scale = 1.0", f"time_scale = {SCALE}.0"),
        ):
            assert example in text
            text = text.replace(example, real)
        path = self.folder / "rig.toml"
        path.write_text(text + INSTRUMENT.format(resource=ready["supply"]["resource"]))
        return path

    @property
    def rail_v(self) -> float:
        """What the supply gives to the shoe's motors, as they see it."""
        return RemoteTie(self.ready["shoe"]["control"]).rail[0]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with ExitStack() as stack:
        bench = Bench(tmp_path_factory.mktemp("bench"), stack)
        world = bench.start("world", "camera", "--seed", "3", "--fps", "10")
        cards = ("--world", world["world"], "--scale", SCALE)
        # The camera's cable is a process too: it can be pulled without taking the cards away.
        port = world["stream"].removeprefix("http://").partition("/")[0]
        bench.start("camera", "proxy", "--to", f"socket://{port}", "--port", "tcp:0", "--framing", "chunks")
        table = bench.start("table", "table")
        bench.commands["table"] = ("table", "--port", table["url"].rpartition(":")[2])
        shoe = bench.start("shoe", "shoe", "--port", "tcp:0", *cards)
        bench.start("shuffler", "shuffler", "--link", str(bench.folder / "ttyShuffler"), *cards)
        bench.start("supply", "power-supply", "--driver", "rigol-dp832", "--tie", f"1={shoe['control']}")
        yield bench


def unplugged(bench: Bench, name: str, out: Path, *scenarios: str, then: Callable[[], None] = lambda: None) -> Finished:
    """A run in which this is killed when all stands on the table and play begins."""
    journal, over = out / "journal" / "events.jsonl", threading.Event()

    def pull() -> None:
        while not over.wait(0.02):
            if journal.exists() and b'"session.opened"' in journal.read_bytes():
                bench.kill(name)
                then()
                return

    thread = threading.Thread(target=pull)
    thread.start()
    try:
        return certify(out, scenarios, PLAN, "--rig", str(bench.rig()))
    finally:
        over.set()
        thread.join()
        if name in bench.killed:
            bench.start_again(name)


def events(run: Finished) -> list[dict[str, Any]]:
    journal = (run.folder / "journal" / "events.jsonl").read_text()
    return [json.loads(line)["record"] for line in journal.splitlines()]


def told(run: Finished) -> dict[str, tuple[str, str]]:
    """How each scenario ended, and why."""
    ends = [(one["scenario"], one["event"]) for one in events(run) if one["event"]["type"] == "scenario.finished"]
    return {scenario: (event["status"], event.get("detail", "")) for scenario, event in ends}


@pytest.mark.parametrize(
    ("name", "says", "seen"),
    [
        (
            "shuffler",
            "ttyShuffler: the connection is gone",
            {"type": "link.fault", "link": "shuffler", "kind": "closed"},
        ),
        ("camera", "camera: no_frame", {"type": "camera.health", "state": "no_frame"}),
        ("supply", "switch it off by hand: supply: ", {"type": "link.fault", "link": "supply"}),
    ],
)
def test_what_is_unplugged_is_named_with_its_moment_and_nothing_passes(
    name: str, says: str, seen: dict[str, str], bench: Bench, tmp_path: Path
) -> None:
    # A supply is missed when it is to be switched off, at the end.
    scenario = AFTER if name == "supply" else SCENARIO
    run = unplugged(bench, name, tmp_path / "run", scenario)
    assert run.status == 3
    status, detail = told(run)[scenario]
    assert status == "rig_fault"
    assert says in detail
    shown = [one for one in events(run) if seen.items() <= one["event"].items()]
    assert shown
    assert shown[0]["scenario"] == scenario
    assert verify_journal(run.folder) == []
    assert "PASS" not in run.verdicts().values()
    assert name == "supply" or bench.rail_v == 0.0


def test_table_software_that_died_is_met_again_by_the_next_scenario(bench: Bench, tmp_path: Path) -> None:
    run = unplugged(bench, "table", tmp_path / "run", SCENARIO, AFTER, then=lambda: bench.start_again("table"))
    assert run.status == 3
    ends = told(run)
    assert ends[SCENARIO][0] == "rig_fault"
    assert ends[SCENARIO][1].startswith("table software ws://127.0.0.1:")
    assert ends[AFTER] == ("completed", "")
    closed = {"type": "link.fault", "link": "software", "kind": "closed"}
    assert SCENARIO in [one["scenario"] for one in events(run) if closed.items() <= one["event"].items()]
    assert main(["verify", str(run.folder)]) == 0
    assert "PASS" not in {verdict for (scenario, _), verdict in run.verdicts().items() if scenario == SCENARIO}
    assert bench.rail_v == 0.0
