"""Controls of emulated devices: arming faults on their physics, and the instruments tapped into their lines."""

from collections.abc import Sequence
from typing import Protocol


class LineEdge(Protocol):
    """A change on a sensor or drive line. `at_ns` is the moment on the clock of the device's world."""

    @property
    def line(self) -> str: ...
    @property
    def level(self) -> int: ...
    @property
    def at_ns(self) -> int: ...


class Control(Protocol):
    """What a bench can do to an emulated device besides talking to it."""

    def arm(self, name: str, **settings: int | str) -> None:
        """Arm a fault of the catalogue with its parameters and its moment."""
        ...

    def disarm(self) -> None:
        """Forget every armed fault that has not happened yet."""
        ...

    def tap(self) -> Sequence[LineEdge]:
        """Edges since the last call, in the order of time."""
        ...
