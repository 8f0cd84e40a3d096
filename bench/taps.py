"""What a bench can do from outside: faults on emulated devices' physics and on lines, and probes on their wires."""

from collections.abc import Sequence
from typing import Protocol

from bench.links.line_faults import Deed, LineFault


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

    def clip(self, name: str, **settings: int | str) -> None:
        """Watch the lines that would show a fault of the catalogue, which something else brings about."""
        ...

    def disarm(self) -> None:
        """Forget every armed fault that has not happened yet, and put right what others have left behind."""
        ...

    def image(self) -> str:
        """SHA-256 of the program memory, read past the firmware."""
        ...

    def tap(self) -> Sequence[LineEdge]:
        """Edges since the last call, in the order of time."""
        ...


class LineControl(Protocol):
    """What stands in a line between the bench and the far side, and can make it a bad one."""

    def arm(self, fault: LineFault) -> None:
        """Let this befall the frames that pass. UsageError when this line cannot have it."""
        ...

    def disarm(self) -> None:
        """Forget every fault that has not happened yet."""
        ...

    def restore(self) -> None:
        """Let a dead line live again."""
        ...

    def take_deeds(self) -> Sequence[Deed]:
        """What was done to frames since the last call, in the order of time."""
        ...
