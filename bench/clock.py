"""The seam between real and virtual time, and the only place that waits.

On a real rig time is the wall clock and waiting means waiting on file descriptors. On the emulated rig it is virtual:
waiting steps a SimPy environment to the next thing that happens. Nothing else in the bench knows which clock it has.
Times are integer nanoseconds since the run began; SimPy environments count in seconds.
"""

import math
import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import simpy

from evidence.errors import RigFault

NS_PER_S = 1_000_000_000
MAX_EXCHANGES = 10_000
"""Rounds of bytes that two ends may exchange while no time passes; more means that they answer each other forever."""
MAX_STEPS_AT_ONCE = 1_000_000
"""SimPy events at one instant; more means that a model runs in circles."""
LONGEST_NAP_S = 0.1
"""How long the real-time host sleeps at most before it looks at `stop` and at its ports again."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on a clock, made once by `Clock.deadline` and passed along, never recomputed."""

    ns: int

    def passed(self, now_ns: int) -> bool:
        """True from the deadline on."""
        return now_ns >= self.ns


class Readable(Protocol):
    """Something that can be waited for. `ready` is True when `read` would give something, or raise a fault, at once."""

    def fileno(self) -> int: ...
    def ready(self) -> bool: ...


class Wire(Protocol):
    """A connection whose two ends both live in this process, so that the virtual clock can wait for its bytes."""

    def settle(self) -> bool:
        """Bring every byte written at one end to the other. True when something moved. RigFault when bytes get lost."""
        ...


class Port(Protocol):
    """The emulator's end of a connection, as `run_real_time` serves it."""

    def fileno(self) -> int: ...
    def pump(self) -> None: ...
    @property
    def unsent(self) -> int: ...


@runtime_checkable
class Reluctant(Protocol):
    """A port that at times wants to read nothing: what has come does not wake it then, only room for what waits."""

    @property
    def reads(self) -> bool: ...


class Clock(Protocol):
    """What the bench may ask of time."""

    def now_ns(self) -> int:
        """Nanoseconds since the run began."""
        ...

    def deadline(self, seconds: float) -> Deadline:
        """The moment `seconds` from now."""
        ...

    def wait(self, readables: Sequence[Readable], deadline: Deadline) -> bool:
        """Wait until any of `readables` is ready (True) or the deadline has passed (False)."""
        ...

    def pause(self, seconds: float) -> None:
        """Let time pass whatever arrives meanwhile."""
        ...


class WallClock:
    """Real time. With `scale` 20 a second of the run lasts 50 ms: for tests against emulators at the same scale.

    `start_ns` is the reading at which the run goes on when it is resumed.
    """

    def __init__(self, scale: float = 1.0, start_ns: int = 0) -> None:
        if not (math.isfinite(scale) and scale > 0):
            raise ValueError(f"time scale must be a positive number, not {scale!r}")
        self.scale = scale
        self._start_ns = start_ns
        self._origin_ns = time.monotonic_ns()

    def now_ns(self) -> int:
        real_ns = time.monotonic_ns() - self._origin_ns
        return self._start_ns + (real_ns if self.scale == 1.0 else int(real_ns * self.scale))

    def deadline(self, seconds: float) -> Deadline:
        return Deadline(self.now_ns() + round(seconds * NS_PER_S))

    def wait(self, readables: Sequence[Readable], deadline: Deadline) -> bool:
        for readable in readables:
            if readable.ready():
                return True
        poller = select.poll()
        for readable in readables:
            poller.register(readable.fileno(), select.POLLIN)
        while (left_ns := deadline.ns - self.now_ns()) > 0:
            # Rounded up: a millisecond too long is harmless, a busy loop in the last one is not.
            if poller.poll(math.ceil(left_ns / self.scale / 1_000_000)):
                return True
        return bool(poller.poll(0))

    def pause(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds) / self.scale)


class VirtualClock:
    """Time of a SimPy environment. Deterministic: the same models and the same calls give the same moments.

    Only what `ready()` says counts here, so whatever is waited for must be the host end of an attached wire, or be made
    ready by a SimPy event. Before time moves every byte written at one end of a wire has been read at the other.
    """

    def __init__(self, env: simpy.Environment) -> None:
        self.env = env
        self._wires: list[Wire] = []
        self._inside = False

    def attach(self, wire: Wire) -> None:
        """Settle this wire before every step of time. Wires are settled in the order in which they were attached."""
        self._wires.append(wire)

    def detach(self, wire: Wire) -> None:
        """Forget a wire whose ends have been closed."""
        self._wires.remove(wire)

    def now_ns(self) -> int:
        return _to_ns(self.env.now)

    def deadline(self, seconds: float) -> Deadline:
        return Deadline(self.now_ns() + round(seconds * NS_PER_S))

    def wait(self, readables: Sequence[Readable], deadline: Deadline) -> bool:
        return self._run(readables, deadline)

    def pause(self, seconds: float) -> None:
        self._run((), self.deadline(max(0.0, seconds)))

    def _run(self, readables: Sequence[Readable], deadline: Deadline) -> bool:
        if self._inside:
            raise RuntimeError("an emulator waited on the clock that runs it; let it yield a SimPy event instead")
        self._inside = True
        try:
            self._settle()
            env, instant, steps = self.env, self.env.now, 0
            while not _any_ready(readables):
                if _later(env.peek(), deadline.ns):
                    advance(env, deadline.ns / NS_PER_S)
                    return False
                env.step()
                self._settle()
                steps = steps + 1 if env.now == instant else 0
                instant = env.now
                if steps > MAX_STEPS_AT_ONCE:
                    raise RigFault(
                        f"emulated rig: {steps} events at {instant} s and time does not move; mend the model"
                    )
            return True
        finally:
            self._inside = False

    def _settle(self) -> None:
        for _ in range(MAX_EXCHANGES):
            moved = False
            for wire in self._wires:
                moved = wire.settle() or moved
            if not moved:
                return
        raise RigFault(f"emulated rig: two ends of a wire exchanged bytes {MAX_EXCHANGES} times while no time passed")


def _any_ready(readables: Sequence[Readable]) -> bool:
    # Asked after every event of the emulated world: a loop of its own costs half of what `any` does.
    for readable in readables:  # noqa: SIM110
        if readable.ready():
            return True
    return False


def _later(seconds: float, ns: int) -> bool:
    """Whether a moment, rounded to a nanosecond, is later than another; rounded only where that can matter."""
    ahead = seconds * NS_PER_S - ns
    return ahead > 1 or (ahead > -1 and _to_ns(seconds) > ns)


def _to_ns(seconds: float) -> int:
    return round(seconds * NS_PER_S) if math.isfinite(seconds) else 1 << 63


def advance(env: simpy.Environment, to_s: float) -> None:
    """Set a SimPy environment's time to `to_s` (seconds), processing what is due before; never backwards."""
    if to_s > env.now:
        env.run(until=float(to_s))


def await_fd(fd: int, events: int, real_s: float) -> bool:
    """Wait in real time, for kernel buffers only: True as soon as `fd` has any of the poll `events`."""
    poller = select.poll()
    poller.register(fd, events)
    return bool(poller.poll(math.ceil(real_s * 1000)))


Cancel = Callable[[], None]
Schedule = Callable[[float, Callable[[], None]], Cancel]
"""`schedule(delay_s, action)` calls `action` after `delay_s` seconds unless the returned function is called before."""


def schedule_on(env: simpy.Environment) -> Schedule:
    """A `Schedule` on the time of a SimPy environment."""

    def schedule(delay_s: float, action: Callable[[], None]) -> Cancel:
        pending = [action]
        env.timeout(delay_s).callbacks.append(lambda _: pending.pop()() if pending else None)

        def cancel() -> None:
            pending.clear()

        return cancel

    return schedule


def run_real_time(env: simpy.Environment, ports: Sequence[Port], stop: Callable[[], bool], scale: float = 1.0) -> None:
    """Serve SimPy emulators in real time until `stop()` is True: for an emulator in a process of its own.

    Sleeps until the next SimPy event is due or a byte arrives, at most 0.1 s at a time. `scale` as in `WallClock`.
    """
    clock = WallClock(scale, start_ns=_to_ns(env.now))
    while not stop():
        now_s = clock.now_ns() / NS_PER_S
        advance(env, now_s)
        # SimPy stops before what is due exactly now, and leaves the mark at which it stopped: both are stepped over, or
        # something would be due for ever and nobody would sleep.
        while env.peek() <= now_s:
            env.step()
        for port in ports:
            port.pump()
        nap_s = min(LONGEST_NAP_S, max(0.0, env.peek() - clock.now_ns() / NS_PER_S) / scale)
        poller = select.poll()
        for port in ports:
            if port.fileno() >= 0:  # an emulator may unplug its own port
                reads = port.reads if isinstance(port, Reluctant) else True
                poller.register(port.fileno(), (select.POLLIN if reads else 0) | (select.POLLOUT if port.unsent else 0))
        poller.poll(math.ceil(nap_s * 1000))
