"""An emulated device with its world and hands, asked over a real pty by the reference driver or directly."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import simpy

from bench.clock import VirtualClock
from bench.drivers.base import Claim
from bench.drivers.reference import ReferenceDriver
from bench.emulators.build import build_device
from bench.emulators.device import EmulatedDevice
from bench.emulators.lines import LineEdge
from bench.emulators.shoe import EmulatedShoe
from bench.emulators.shuffler import EmulatedShuffler
from bench.emulators.world import World
from bench.hands.emulated import EmulatedHands
from bench.links import Wire, pty_pair
from bench.protocol.messages import Command, Cycle, Dispensed, EventMessage, Fault, Result, Role, Status

NS = 1_000_000_000


class Direct:
    """A device without a line: commands go straight to its firmware, what it says is kept with its time in seconds."""

    def __init__(self, role: Role, *, seed: int = 1, pack: int = 53, defects: tuple[str, ...] = ()) -> None:
        self.env = simpy.Environment()
        self.world = World(seed)
        self.hands = EmulatedHands(self.world)
        self.hands.place_pack(pack)
        make = EmulatedShuffler if role == "shuffler" else EmulatedShoe
        self.device: EmulatedDevice = make(self.env, self.world, seed=seed, defects=defects)
        self.said: list[tuple[float, EventMessage]] = []
        self.device.firmware.notify = lambda event: self.said.append((self.env.now, event))
        self.edges: list[LineEdge] = []

    def order(self, name: str, for_s: float = 120.0, **args: int) -> Result:
        """Give an order and let time pass."""
        reply = self.device.handle(Command.of(name, **args))  # type: ignore[arg-type]
        self.env.run(until=self.env.now + for_s)
        self.edges += self.device.tap()
        assert isinstance(reply, Result)
        return reply

    def loaded(self) -> "Direct":
        """The pack in hand goes into the device; a shoe takes it up."""
        self.hands.load(self.device.name)
        if self.device.role == "shoe":
            assert self.order("load").accepted
        return self

    def faults(self) -> list[tuple[str, str, bool]]:
        return [(event.code, event.symptom, event.recovered) for _, event in self.said if isinstance(event, Fault)]

    def units(self) -> list[Dispensed]:
        return [event for _, event in self.said if isinstance(event, Dispensed)]

    def cycles(self, phase: str) -> list[Cycle]:
        return [event for _, event in self.said if isinstance(event, Cycle) and event.phase == phase]

    def status(self) -> Status:
        return self.device.firmware.status()

    def longest_s(self, line: str) -> float:
        """Longest time that a probed line was high between two edges, or to the last edge on any line."""
        own = [edge for edge in self.edges if edge.line == line]
        spans = [(b.at_ns - a.at_ns) / NS for a, b in pairwise(own) if a.level == 1]
        if own and own[-1].level == 1:
            spans.append((self.edges[-1].at_ns - own[-1].at_ns) / NS)
        return max(spans, default=0.0)

    def labels(self) -> Counter[str]:
        return Counter(card.label for _, card in self.world.all_cards())


class OverPty:
    """The device behind a pty, and the reference driver on the other side of it, in virtual time."""

    def __init__(self, clock: VirtualClock, device: EmulatedDevice, driver: ReferenceDriver, world: World) -> None:
        self.clock = clock
        self.device = device
        self.driver = driver
        self.world = world
        self.hands = EmulatedHands(world)

    def order(self, name: str, within_s: float = 120.0, quiet_s: float = 5.0) -> list[Claim]:
        """Everything that the device says after an order, until it has been quiet for a while."""
        assert self.driver.command(name).accepted
        claims: list[Claim] = []
        deadline = self.clock.deadline(within_s)
        while (claim := self.driver.next_claim(deadline)) is not None:
            claims.append(claim)
            deadline = self.clock.deadline(within_s if len(claims) == 1 else quiet_s)
        return claims


@contextmanager
def over_pty(role: Role, *, seed: int = 1, defects: tuple[str, ...] = ()) -> Iterator[OverPty]:
    env = simpy.Environment()
    world = World(seed)
    link, port = pty_pair()
    clock = VirtualClock(env)
    device = build_device(role, role, env, world, port, seed, defects)
    clock.attach(Wire(link, port))
    driver = ReferenceDriver(role, role, link, clock, lambda _: None, {})
    try:
        yield OverPty(clock, device, driver, world)
    finally:
        driver.close()
        link.close()
        port.close()
