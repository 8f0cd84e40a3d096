"""What a scenario leaves behind at devices that the next one meets again, and how they come back to a known state.

An emulated rig in virtual time has new devices for every scenario. A real device, or an emulated one in a process of
its own, keeps what was done to it: another program, a fault that stands, a place away from the table. None of that may
be taken for the doing of the scenario that comes after.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from bench.drivers.base import Driver
from bench.faults.script import FaultSpec
from bench.hands.protocol import Hands
from evidence.errors import RigFault
from evidence.events import DeviceIdentity, DeviceSeen


class Looks(Protocol):
    """What sees whether a device stands on the table."""

    def device(self, name: str) -> DeviceSeen: ...


class Aftermath:
    """Faults that stay at devices until somebody puts them right, over all scenarios of a run."""

    def __init__(self) -> None:
        self._left: dict[str, list[FaultSpec]] = {}
        self._sound: dict[str, DeviceIdentity] = {}
        """Who each of those devices said that it was before."""

    def expect(self, faults: Sequence[FaultSpec], devices: Mapping[str, Driver]) -> None:
        """These faults are about to be armed: note those that stay, and how the devices are before."""
        for fault in faults:
            if fault.fault.afterwards and fault.target in devices:
                if fault.target not in self._sound:
                    self._sound[fault.target] = devices[fault.target].identify()
                self._left.setdefault(fault.target, []).append(fault)

    def put_right(self, devices: Mapping[str, Driver], emulated: Mapping[str, object], hands: Hands) -> None:
        """Have put right what earlier scenarios left; RigFault where a device is not what it was before.

        `emulated` are the devices whose control has put them right already.
        """
        for name in [name for name in self._left if name in devices]:
            orders = dict.fromkeys(fault.fault.afterwards for fault in self._left[name])
            for order in orders if name not in emulated else ():
                hands.restore(f"{name}: {order}")
            said, before = devices[name].identify(), self._sound[name]
            if said != before:
                tried = ", ".join(dict.fromkeys(fault.name for fault in self._left[name]))
                raise RigFault(
                    f"{name} has firmware {said.firmware} with digest {said.firmware_sha256} since {tried} was tried "
                    f"in an earlier scenario; before, it had {before.firmware} with {before.firmware_sha256}. "
                    f"{' '.join(orders)}"
                )
            del self._left[name], self._sound[name]


def on_table(eye: Looks, hands: Hands, device: str) -> DeviceSeen:
    """A look at a device, which is put back where an earlier scenario had it taken away. RigFault if it stays away."""
    seen = eye.device(device)
    if not seen.present:
        hands.place_device(device)
        seen = eye.device(device)
    if not seen.present:
        raise RigFault(f"{device}: the camera does not see it on the table. Put it in its place, then go on.")
    return seen
