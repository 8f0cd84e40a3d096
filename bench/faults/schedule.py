"""Faults that wait: armed once an event was told, or once a device is in a state."""

from collections.abc import Sequence

import msgspec

from bench.faults.script import FaultSpec
from evidence.events import DeviceCycle, DeviceStatus, Record

AT_WORK = {"load": "loading", "shuffle": "shuffling", "unload": "unloading"}
"""What a device is doing that says that such a cycle has started."""


class Schedule:
    """The faults of one scenario that wait to be armed."""

    def __init__(self, faults: Sequence[FaultSpec]) -> None:
        self.at_once = [fault for fault in faults if not fault.awaits]
        self._waiting = [fault for fault in faults if fault.awaits]
        self._free: list[FaultSpec] = []

    def observe(self, record: Record) -> None:
        """Take note of one record: faults that waited for it are free."""
        if not self._waiting:
            return
        free = [fault for fault in self._waiting if all(_told(fault, key, record) for key in fault.awaits)]
        for fault in free:
            self._waiting.remove(fault)
            self._free.append(fault.armed_now())

    def free(self) -> list[FaultSpec]:
        """The faults that have become free since the last call, each to be armed now."""
        free, self._free = self._free, []
        return free


def _told(fault: FaultSpec, key: str, record: Record) -> bool:
    wanted, event = str(fault.at[key]), record.event
    if key == "state":
        match event:
            case DeviceStatus(device=fault.target, state=state):
                return state == wanted
            case DeviceCycle(device=fault.target, phase="started", kind=kind):
                return AT_WORK[kind] == wanted
            case _:
                return False
    tag, _, word = wanted.partition(":")
    if tag != event.__struct_config__.tag:
        return False
    return not word or word in msgspec.structs.asdict(event).values()
