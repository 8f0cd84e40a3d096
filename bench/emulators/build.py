"""Make an emulated device and put it on its port."""

from collections.abc import Iterable
from typing import Literal

import simpy

from bench.emulators.device import EmulatedDevice
from bench.emulators.shoe import EmulatedShoe
from bench.emulators.shuffler import EmulatedShuffler
from bench.emulators.world import Cards
from bench.links.faulty_port import Outlet

__all__ = ["EmulatedDevice", "build_device"]


def build_device(
    role: Literal["shuffler", "shoe"],
    name: str,
    env: simpy.Environment,
    world: Cards,
    port: Outlet,
    seed: int | str = 0,
    defects: Iterable[str] = (),
) -> EmulatedDevice:
    """A device that speaks the reference protocol on `port`. UsageError for a defect that it does not have."""
    make = EmulatedShuffler if role == "shuffler" else EmulatedShoe
    device: EmulatedDevice = make(env, world, name, seed=seed, defects=defects)
    device.connect(port.write)
    port.feed = device.feed
    return device
