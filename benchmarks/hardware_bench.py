"""A bench of separate processes: each part of a rig in virtual time is started by itself, and a rig file names it.

Devices stand behind line proxies, on ptys and TCP ports; table software behind one on a WebSocket; instruments speak
SCPI and hang on the devices; the table with its camera and hands answers by HTTP.
"""

import json
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.emulators.instruments.ties import ACROSS, FEEDS
from evidence.tomlwrite import write_toml

STOP_S = 30.0
ANSWER_S = 0.5
"""Real seconds that a device on a busy machine may take for an answer, however fast emulated time runs."""
CAMERA_S = 0.05
"""How long a picture takes from the renderer to the bench, with a margin."""
BESIDE = ("inputs", "images", "security")
"""What rig files name beside themselves."""


class Bench:
    """Emulators as processes of their own, each at the same address whenever it is started, for one rig file."""

    def __init__(self, folder: Path, scale: float, fps: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.scale, self.fps = folder, scale, fps
        self._stack = ExitStack()
        self._ports_file = folder / "ports.json"
        kept = json.loads(self._ports_file.read_text()) if self._ports_file.exists() else {}
        self._ports: dict[str, int] = kept

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def build(self, virtual: Path) -> Path:
        """Start every part that this rig file has emulated, and write one that names them all."""
        rig = tomllib.loads(virtual.read_text())
        for name in BESIDE:
            if (virtual.parent / name).is_dir():
                shutil.copytree(virtual.parent / name, self.folder / name, dirs_exist_ok=True)
        rig |= {"name": f"{rig['name']}-processes", "clock": "wall", "time_scale": self.scale}
        camera = self._start(
            "camera", "--fps", str(self.fps), "--port", self._port("camera"), "--world-port", self._port("world")
        )
        rig["camera"] = {"url": camera["stream"], "latency_s": CAMERA_S}
        rig["hands"] = {"kind": "remote", "url": camera["world"]}
        table = self._start("table", "--port", self._port("table"))
        line = self._proxy("software", table["url"], "websocket", "tcp")
        rig["software"] = {"url": line["url"], "line": line["control"], "ack_timeout_s": 60.0}
        controls = {}
        for device in rig["device"]:
            controls[device["name"]] = self._device(device, camera["world"])
        for instrument in rig.get("instrument", ()):
            self._instrument(instrument, controls)
        path = self.folder / "rig.toml"
        path.write_text(write_toml(rig))
        self._ports_file.write_text(json.dumps(self._ports))
        return path

    def _device(self, device: dict[str, Any], world: str) -> str:
        """Start one device with a proxy before it; the address of its control."""
        name, read_by_hand = device["name"], device.get("driver") == "angel-eye"
        kind = "card-shoe" if read_by_hand else device["role"]
        wire = "pty" if kind == "shuffler" else "tcp"
        own = ("--world", world, "--scale", str(self.scale), "--control-port", self._port(f"{name} control"))
        started = self._start(kind, *self._at(name, wire), *own)
        to = started["link"] or started["port"]
        line = self._proxy(name, to, "chunks" if read_by_hand else "reference", wire)
        device |= {"url": line["link"] or line["port"], "control": started["control"], "line": line["control"]}
        device["options"] = {"answer_timeout_s": round(ANSWER_S * self.scale)}
        if (identity := device.get("identity")) is not None:
            image = str(self.folder / identity["image"])
            answers = self._start(
                "identity", "--image", image, *self._at(f"{name} identity", "tcp"), "--scale", str(self.scale)
            )
            identity |= {"url": answers["port"], "answer_timeout_s": min(60.0, 2 * ANSWER_S * self.scale)}
        return str(started["control"])

    def _instrument(self, instrument: dict[str, Any], controls: Mapping[str, str]) -> None:
        ties = []
        for channel in instrument["channel"]:
            if control := controls.get(channel.get("device", "")):
                line = channel.get("line", "")
                at = f"{ACROSS}{line}" if channel.get("across") else line
                at = f"{FEEDS}{channel['actuator']}" if channel.get("actuator") else at
                ties += ["--tie", f"{channel['address']}={control}{'#' if at else ''}{at}"]
        kind = instrument["role"].replace("_", "-")
        own = ("--driver", instrument["driver"], "--port", self._port(instrument["name"]))
        started = self._start(kind, *own, *ties)
        maker, model = started["identity"].split(",")[:2]
        instrument |= {"resource": started["resource"], "identity": f"{maker},{model}", "timeout_s": 20.0}

    def _proxy(self, name: str, to: str, framing: str, wire: str) -> dict[str, Any]:
        where = self._at(f"{name} line", wire)
        control = ("--control-port", self._port(f"{name} line control"))
        return self._start("proxy", "--to", to, "--framing", framing, *where, *control, "--scale", str(self.scale))

    def _at(self, name: str, wire: str) -> tuple[str, ...]:
        if wire == "tcp":
            return "--port", f"tcp:{self._port(name)}"
        return "--port", "pty", "--link", str(self.folder / f"tty-{name.replace(' ', '-')}")

    def _port(self, name: str) -> str:
        """A port that was free when the bench was first built, and is used whenever it is started again."""
        if name not in self._ports:
            with socket.create_server(("127.0.0.1", 0)) as free:
                self._ports[name] = free.getsockname()[1]
        return str(self._ports[name])

    def _start(self, *arguments: str) -> dict[str, Any]:
        """One emulator; what it says when it is ready."""
        command = [sys.executable, *(["-P"] if sys.flags.safe_path else []), "-m", "cardcert", "emulate", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self._stack.callback(_end, process)
        assert process.stdout is not None
        said = process.stdout.readline()
        if not said:
            raise SystemExit(f"cardcert emulate {' '.join(arguments)} did not start; its message stands above")
        ready: dict[str, Any] = json.loads(said)
        return ready


def _end(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
