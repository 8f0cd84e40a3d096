"""What the emulated devices cost in processor time, over a real pty with the reference driver, in virtual time.

    python benchmarks/emulated_devices.py [--shuffles 5] [--cards 200]

Prints processor milliseconds for a shuffle of 53 cards and for a dealt card, driver, link and device together, and how
long the same work takes in virtual time.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager

import simpy

from bench.clock import VirtualClock
from bench.drivers.reference import ReferenceDriver
from bench.emulators.build import build_device
from bench.emulators.device import Role
from bench.emulators.world import World
from bench.hands.emulated import EmulatedHands
from bench.links import Wire, pty_pair
from evidence.events import DeviceCycle, DeviceDispensed

NS_PER_S = 1_000_000_000
LONG_S = 200.0


@contextmanager
def device(role: Role) -> Iterator[tuple[ReferenceDriver, VirtualClock, EmulatedHands]]:
    """A device with a fresh pack of 53 in its tray."""
    env, world = simpy.Environment(), World(1)
    link, port = pty_pair()
    clock = VirtualClock(env)
    build_device(role, role, env, world, port, seed=1)
    clock.attach(Wire(link, port))
    driver = ReferenceDriver(role, role, link, clock, lambda _: None, {})
    hands = EmulatedHands(world)
    hands.place_pack(53)
    hands.load(role)
    try:
        yield driver, clock, hands
    finally:
        link.close()
        port.close()


def work(driver: ReferenceDriver, clock: VirtualClock, command: str) -> tuple[float, float]:
    """Let the device do one thing; its processor and its virtual seconds."""
    began_cpu_s, began_ns = time.process_time(), clock.now_ns()
    assert driver.command(command).accepted
    deadline = clock.deadline(LONG_S)
    while (claim := driver.next_claim(deadline)) is not None:
        if isinstance(claim, DeviceDispensed) or (isinstance(claim, DeviceCycle) and claim.phase == "completed"):
            break
    return time.process_time() - began_cpu_s, (clock.now_ns() - began_ns) / NS_PER_S


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shuffles", type=int, default=5)
    parser.add_argument("--cards", type=int, default=200)
    options = parser.parse_args()
    shuffles: list[tuple[float, float]] = []
    for _ in range(max(1, options.shuffles)):
        with device("shuffler") as (driver, clock, _):
            driver.identify()
            shuffles.append(work(driver, clock, "shuffle"))
    cards: list[tuple[float, float]] = []
    while len(cards) < max(1, options.cards):
        with device("shoe") as (driver, clock, _):
            work(driver, clock, "load")
            cards += [work(driver, clock, "deal_card") for _ in range(50)]
    for what, done in (("shuffle of 53 cards", shuffles), ("dealt card", cards)):
        cpu_ms = min(cpu_s for cpu_s, _ in done) * 1000
        median_ms = sorted(cpu_s for cpu_s, _ in done)[len(done) // 2] * 1000
        print(f"{what}: {cpu_ms:.2f} ms at best, {median_ms:.2f} ms median, for {done[0][1]:.2f} s of virtual time")


if __name__ == "__main__":
    main()
