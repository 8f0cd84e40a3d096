"""Make an emulated device and put it on its port."""

from collections.abc import Iterable
from typing import Literal, Protocol

import simpy

from bench.emulators.card_shoe.shoe import POLL_S, EmulatedCardShoe
from bench.emulators.device import EmulatedDevice
from bench.emulators.lines import LineEdge
from bench.emulators.shoe import EmulatedShoe
from bench.emulators.shuffler import EmulatedShuffler
from bench.emulators.world import Cards
from bench.links.faulty_port import Outlet

__all__ = ["CARD_SHOE", "Emulated", "EmulatedDevice", "build_card_shoe", "build_device"]

CARD_SHOE = "angel-eye"
"""The driver whose devices are emulated by a card-reading shoe; all others speak the reference protocol."""


class Emulated(Protocol):
    """What a bench, or a process of its own, does with an emulated device besides talking to it."""

    @property
    def env(self) -> simpy.Environment: ...
    @property
    def current_a(self) -> float: ...

    def arm(self, name: str, **settings: object) -> None: ...
    def disarm(self) -> None: ...
    def clip(self, name: str, **settings: object) -> None: ...
    def image(self) -> str: ...
    def tap(self) -> list[LineEdge]: ...


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


def build_card_shoe(
    name: str,
    env: simpy.Environment,
    world: Cards,
    port: Outlet,
    defects: Iterable[str] = (),
    poll_s: float = POLL_S,
) -> EmulatedCardShoe:
    """A shoe that reads the cards drawn from it, on `port`. UsageError for a defect that it does not have.

    `poll_s` is how often it looks what hands have done: a world in another process is asked for it each time.
    """
    shoe = EmulatedCardShoe(env, world, name, defects=defects, poll_s=poll_s)
    port.feed = shoe.connect(port.write).feed
    return shoe
