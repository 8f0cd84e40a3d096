"""What hangs on an emulated instrument's terminals: the rail of a device, one of its sensor lines, or an actuator."""

from typing import Protocol

from bench.emulators.rpc import Client
from evidence.errors import RigFault

ACROSS = "across-"
"""Stands before the name of a line of which a relay bridges the contacts, in place of lying in its wire."""
FEEDS = "feeds-"
"""Stands before the name of an actuator that a relay feeds."""


class Tie(Protocol):
    """A device as its supply, loads, relays and meters reach it. Volts and amperes."""

    def supply(self, voltage_v: float, limit_a: float) -> None:
        """A supply gives so many volts, up to so many amperes."""
        ...

    def load(self, current_a: float) -> None:
        """A load draws so much from the same supply."""
        ...

    def join_line(self, line: str, joined: bool) -> None:
        """The wire of a sensor line is closed or open."""
        ...

    def bridge_line(self, line: str, bridged: bool) -> None:
        """The contacts of a line are bridged, or let go."""
        ...

    def actuate(self, actuator: str, on: bool) -> None:
        """A solenoid or brake on the device is fed, or no longer."""
        ...

    @property
    def rail(self) -> tuple[float, float]:
        """Volts on the rail, and amperes that its supply gives."""
        ...


class Nothing:
    """Open terminals: whatever is set stands at them, and no current flows."""

    def __init__(self) -> None:
        self._voltage_v = 0.0

    def supply(self, voltage_v: float, limit_a: float) -> None:
        self._voltage_v = voltage_v

    def load(self, current_a: float) -> None:
        """There is nothing to load."""

    def join_line(self, line: str, joined: bool) -> None:
        """There is no line."""

    def bridge_line(self, line: str, bridged: bool) -> None:
        """Nor are there any contacts."""

    def actuate(self, actuator: str, on: bool) -> None:
        """Nor is there an actuator."""

    @property
    def rail(self) -> tuple[float, float]:
        return self._voltage_v, 0.0


class RemoteTie:
    """A device in another process, by the address of its control."""

    def __init__(self, url: str) -> None:
        self._client = Client(url)

    def supply(self, voltage_v: float, limit_a: float) -> None:
        self._client.call("device.supply", {"voltage_v": voltage_v, "limit_a": limit_a})

    def load(self, current_a: float) -> None:
        self._client.call("device.load", {"current_a": current_a})

    def join_line(self, line: str, joined: bool) -> None:
        self._client.call("device.join_line", {"line": line, "joined": joined})

    def bridge_line(self, line: str, bridged: bool) -> None:
        self._client.call("device.bridge_line", {"line": line, "bridged": bridged})

    def actuate(self, actuator: str, on: bool) -> None:
        self._client.call("device.actuate", {"actuator": actuator, "on": on})

    @property
    def rail(self) -> tuple[float, float]:
        answer = self._client.call("device.rail")
        if isinstance(answer, list) and len(answer) == 2 and all(isinstance(part, int | float) for part in answer):
            return float(answer[0]), float(answer[1])
        raise RigFault(f"{self._client.url}: {str(answer)[:60]!r} is not what a rail carries.")
