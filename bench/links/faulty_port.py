"""A bad line in front of an emulated device: what the device says and hears goes through a `FaultyLine`."""

from collections.abc import Callable
from typing import Protocol

import simpy

from bench.clock import NS_PER_S, schedule_on
from bench.links.faulty import FaultyLine
from bench.links.faulty_path import FaultyPath
from bench.links.missed_tries import Way
from bench.links.ports import ignore


class Outlet(Protocol):
    """What a device needs of its port: where its bytes go, and who takes those that come."""

    feed: Callable[[bytes], None]

    def write(self, data: bytes) -> None: ...


class FaultyPort:
    """Stands between an emulated device and its port, on the time of `env`. The device uses it as its port."""

    def __init__(self, port: Outlet, line: FaultyLine, env: simpy.Environment) -> None:
        self.feed: Callable[[bytes], None] = ignore
        self.line = line
        self._port = port
        self._path = FaultyPath(line, lambda: round(env.now * NS_PER_S), schedule_on(env), self._deliver)
        port.feed = lambda data: self._path.carry("tx", data)

    def write(self, data: bytes) -> None:
        """The device's bytes on their way to the bench."""
        self._path.carry("rx", data)

    def _deliver(self, way: Way, data: bytes) -> None:
        if way == "tx":
            self.feed(data)
        else:
            self._port.write(data)
