"""Proof from what a device says against what is known otherwise: its program, its past, its refusals."""

from bench.faults.facts import TableFacts
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import (
    ApprovalRecord,
    CameraHealth,
    DeviceAnswered,
    DeviceIdentity,
    DeviceStatus,
    FaultProven,
    ImageRead,
    Record,
)


class OtherFirmwareWatch(Watch):
    """The program that the device says it runs is not the approved one, or not the one it had before."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._known: tuple[str, int] | None = None

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case ApprovalRecord(device=self.spec.target, firmware_sha256=approved):
                self._known = (approved, record.seq)
            case DeviceIdentity(device=self.spec.target) as told:
                known, self._known = self._known, self._known or (told.firmware_sha256, record.seq)
                words = self.spec.proof.words
                if known is None or known[0] == told.firmware_sha256 or (words and told.firmware not in words):
                    return None
                means = "{device} states firmware {firmware} with digest {digest}; known for it is {known}."
                return self.proven(
                    [known[1], record.seq], means, device=told.device, firmware=told.firmware,
                    digest=told.firmware_sha256[:16], known=known[0][:16],
                )  # fmt: skip
            case _:
                pass
        return None


class ImageWatch(Watch):
    """The program memory, read past the firmware, is not what the device says it is."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._stated: dict[str, tuple[str, int]] = {}

    def see(self, record: Record) -> FaultProven | None:
        match record.event:
            case DeviceIdentity() as told:
                self._stated[told.device] = (told.firmware_sha256, record.seq)
            case ImageRead(device=self.spec.target) as read if read.device in self._stated:
                stated, by = self._stated[read.device]
                if stated != read.sha256:
                    means = "The memory of {device} has digest {read}; the device states {stated}."
                    return self.proven(
                        [by, record.seq], means, device=read.device, read=read.sha256[:16], stated=stated[:16]
                    )
            case _:
                pass
        return None


class HistoryWatch(Watch):
    """The device claims fewer cycles than it did before."""

    def __init__(self, spec: FaultSpec, facts: TableFacts) -> None:
        super().__init__(spec, facts)
        self._most: tuple[int, int] | None = None

    def forget(self) -> None:
        self._most = None

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        if not isinstance(event, DeviceStatus) or event.device != self.spec.target:
            return None
        before = self._most
        if before is not None and event.cycles < before[0]:
            means = "{device} claims {cycles} cycles, after it had claimed {before}."
            return self.proven(
                [before[1], record.seq], means, device=event.device, cycles=event.cycles, before=before[0]
            )
        self._most = (event.cycles, record.seq)
        return None


class RefusedWatch(Watch):
    """The device refuses an order with one of these codes."""

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        if not isinstance(event, DeviceAnswered) or event.device != self.spec.target or event.accepted:
            return None
        if event.code not in self.spec.proof.words:
            return None
        means = "{device} refused {command} with {code}."
        return self.proven([record.seq], means, device=event.device, command=event.command, code=event.code)


class CameraStateWatch(Watch):
    """The camera's picture is found to be in one of these states."""

    def see(self, record: Record) -> FaultProven | None:
        event = record.event
        if not isinstance(event, CameraHealth) or event.state not in self.spec.proof.words:
            return None
        return self.proven([record.seq], "The picture is no evidence ({state}).", state=event.state)
