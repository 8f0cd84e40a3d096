"""What a scenario leaves behind at devices that the next one meets again, and how they come back to a known state.

An emulated rig in virtual time has new devices for every scenario. A real device, or an emulated one in a process of
its own, keeps what was done to it: another program, a fault that stands, a place away from the table. None of that may
be taken for the doing of the scenario that comes after.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from bench.drivers.base import Driver
from bench.faults.catalogue import catalogue
from bench.faults.script import FaultSpec
from bench.hands.protocol import Hands
from evidence.errors import RigFault
from evidence.events import AnyEvent, DeviceIdentity, DeviceSeen, FaultArmed, Record, SessionOpened

CAMERA = "camera:main"


class Looks(Protocol):
    """What sees whether a device stands on the table."""

    def device(self, name: str) -> DeviceSeen: ...


class Aftermath:
    """Faults that stay at devices until somebody puts them right, over all scenarios of a run."""

    def __init__(self) -> None:
        self._left: dict[str, list[str]] = {}
        self._sound: dict[str, DeviceIdentity] = {}
        """Who each of those devices said that it was before."""
        self._said: dict[str, DeviceIdentity] = {}
        self._scenario = ""

    def expect(self, before: DeviceIdentity, faults: Sequence[FaultSpec]) -> None:
        """These faults are about to be armed: note those that stay at this device, and what it says of itself now."""
        for fault in faults:
            if fault.target == before.device and fault.fault.afterwards:
                self._note(before, fault.name)

    def remember(self, record: Record) -> None:
        """Take in a record of the part of the run that was played before it was cut off."""
        match record.event:
            case DeviceIdentity() as said:
                self._said[said.device] = said
            case FaultArmed(fault=name, target=device) if device in self._said:
                if name in catalogue() and catalogue()[name].afterwards:
                    self._note(self._said[device], name)
                    self._scenario = record.scenario
            case SessionOpened() if record.scenario != self._scenario:
                # A scenario that came so far had everything put right first.
                self._left.clear()
                self._sound.clear()

    def _note(self, before: DeviceIdentity, name: str) -> None:
        self._sound.setdefault(before.device, before)
        self._left.setdefault(before.device, []).append(name)

    def put_right(self, emulated: Mapping[str, object], hands: Hands) -> None:
        """Have put right what earlier scenarios left, before a device is asked to come to rest.

        `emulated` are the devices whose control has put them right already.
        """
        for name in self._left:
            for order in self._orders(name) if name not in emulated else ():
                hands.restore(f"{name}: {order}")

    def _orders(self, name: str) -> list[str]:
        return list(dict.fromkeys(catalogue()[fault].afterwards for fault in self._left[name]))

    def check(self, devices: Mapping[str, Driver], tell: Callable[[AnyEvent, str], object]) -> None:
        """Ask the devices that were put right who they are, on record; RigFault for one that is not what it was."""
        for name in [name for name in self._left if name in devices]:
            said, before = devices[name].identify(), self._sound[name]
            tell(said, f"device:{name}")
            if said != before:
                tried = ", ".join(dict.fromkeys(self._left[name]))
                raise RigFault(
                    f"{name} has firmware {said.firmware} with digest {said.firmware_sha256} since {tried} was tried "
                    f"in an earlier scenario; before, it had {before.firmware} with {before.firmware_sha256}. "
                    f"{' '.join(self._orders(name))}"
                )
            del self._left[name], self._sound[name]


def on_table(eye: Looks, hands: Hands, devices: Iterable[str], tell: Callable[[AnyEvent, str], object]) -> None:
    """Have every device stand on the table, put back where an earlier scenario had it taken away.

    What the camera sees is on record. RigFault for one that it does not see there.
    """
    for device in devices:
        seen = eye.device(device)
        if seen.present is False:
            tell(seen, CAMERA)
            hands.place_device(device)
        if not seen.present:
            seen = eye.device(device)
        if not seen.present:
            tell(seen, CAMERA)
            raise RigFault(f"{device}: the camera does not see it on the table. Put it in its place, then go on.")
