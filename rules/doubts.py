"""What shakes a whole scenario, so that nothing in it can be shown to hold."""

from collections.abc import Iterable

from evidence.events import (
    DeviceCard,
    DeviceChecked,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceNotice,
    DeviceResult,
    FaultArmed,
    FaultProven,
    FaultUnproven,
    LinkFault,
    Record,
    ScenarioFinished,
)
from rules.speech import Telling
from rules.vocabulary import Value
from rules.wording import clip

LONGEST_DETAIL = 400
"""Characters of a rig's own words that a reason repeats."""


DAMAGING = frozenset({"garbage", "crc", "sequence", "overflow", "closed"})
"""Troubles of a link in which something that was said may have gone. What a device says afterwards shows that nothing
has: it numbers what it says, and a gap is told as `lost`."""


class Doubts:
    """Keeps what is wrong with one scenario. A failure that was shown stands where the evidence for it is sound."""

    NOTED = frozenset({
        ScenarioFinished, FaultArmed, FaultProven, FaultUnproven, LinkFault, DeviceCycle, DeviceDispensed, DeviceFault,
        DeviceCard, DeviceResult, DeviceNotice, DeviceChecked,
    })  # fmt: skip
    """The events that `note` wants to see."""

    def __init__(self, covers: Iterable[str]) -> None:
        self._covers = frozenset(name.partition(":")[0] for name in covers)
        self._armed: dict[tuple[str, str], int] = {}
        self._unproven: Telling | None = None
        self._outside: Telling | None = None
        self._lost: Telling | None = None
        self._damaged: dict[str, Telling] = {}
        """Links on which something was damaged, and nothing has been said since."""
        self._finished: ScenarioFinished | None = None
        self._errors: dict[str, Telling] = {}
        """Clauses that could not be judged, with what went wrong; the key `` stands for all."""

    @property
    def completed(self) -> bool:
        """Whether the scenario came to its end."""
        return self._finished is not None and self._finished.status == "completed"

    def note(self, record: Record) -> None:
        """Take note of faults armed and proven, of troubles on links, and of the scenario's end."""
        match record.event:
            case ScenarioFinished() as event:
                self._finished = event
            case FaultArmed(fault=fault, target=target):
                self._armed[fault, target] = self._armed.get((fault, target), 0) + 1
            case FaultProven(fault=fault, target=target):
                self._disarm(fault, target)
            case FaultUnproven() as event:
                self._disarm(event.fault, event.target)
                self._unproven = self._unproven or _unproven(event, record.seq)
            case LinkFault() as event if record.scenario:
                self._note_link(event, record.seq)
            case (
                DeviceCycle(device=device)
                | DeviceDispensed(device=device)
                | DeviceFault(device=device)
                | DeviceCard(device=device)
                | DeviceResult(device=device)
                | DeviceNotice(device=device)
            ):
                self._damaged.pop(device, None)
            case DeviceChecked(matches=False) as event:
                self._outside = self._outside or _other_firmware(event, record.seq)
            case _:
                pass

    def error(self, clause: str, error: Exception) -> None:
        """Judging a clause (all of them, for ``) met an error."""
        said = clip(f"{type(error).__name__}: {error}", LONGEST_DETAIL)
        self._errors.setdefault(clause, Telling("error", values={"error": said}))

    def outside(self, why: Telling | None) -> None:
        """Something outside this scenario keeps it from showing that anything holds."""
        self._outside = self._outside or why

    def erred(self, clause: str) -> Telling | None:
        """The error that judging this clause met."""
        return self._errors.get("") or self._errors.get(clause)

    def about(self, clause: str, *, failed: bool) -> Telling | None:
        """Why there is no verdict on a clause, for one that was found to have `failed` or not to have."""
        lost = self._outside or self._lost or next(iter(self._damaged.values()), None)
        if lost and not failed:
            return lost
        unproven = self._unproven or self._never_shown()
        if unproven and (clause in self._covers or not failed):
            return unproven
        return None if failed or self.completed else self._unfinished()

    def _note_link(self, event: LinkFault, seq: int) -> None:
        told: dict[str, Value] = {"link": clip(event.link), "record": seq, "said": clip(event.detail).rstrip(".")}
        if event.kind == "lost":
            self._lost = self._lost or Telling("link_lost", values=told)
        elif event.kind in DAMAGING:
            self._damaged.setdefault(event.link, Telling("link_damaged", values=told))

    def _disarm(self, fault: str, target: str) -> None:
        left = self._armed.pop((fault, target), 0) - 1
        if left > 0:
            self._armed[fault, target] = left

    def _never_shown(self) -> Telling | None:
        for fault, _ in self._armed:
            return Telling("never_shown", values={"fault": clip(fault)})
        return None

    def _unfinished(self) -> Telling:
        if self._finished is None:
            return Telling("no_end")
        status, said = self._finished.status, clip(self._finished.detail, LONGEST_DETAIL).rstrip(".")
        return Telling("ended_saying" if said else "ended", values={"status": status, "said": said})


def _unproven(event: FaultUnproven, seq: int) -> Telling:
    said = clip(event.reason, LONGEST_DETAIL).rstrip(".")
    return Telling("unproven", values={"fault": clip(event.fault), "record": seq, "said": said})


def _other_firmware(event: DeviceChecked, seq: int) -> Telling:
    told: dict[str, Value] = {
        "device": clip(event.device),
        "component": clip(event.component),
        "answered": clip(event.answered) or clip(event.detail),
        "expected": clip(event.expected),
        "record": seq,
    }
    return Telling("other_firmware", values=told)


def damaged(before: int, after: int) -> Telling:
    """The journal does not go on where it should."""
    return Telling("damaged", values={"before": before, "after": after})


def another_device(before: DeviceIdentity, now: DeviceIdentity, seq: int) -> Telling | None:
    """Why a scenario shows nothing when its device is not the one that the run began with; None when it is.

    How a device is set, such as the size of its groups, may differ from game to game.
    """
    for part in ("maker", "model", "serial", "firmware", "firmware_sha256"):
        was, says = getattr(before, part), getattr(now, part)
        if was != says:
            told = {"device": clip(now.device), "part": part, "was": clip(was), "says": clip(says)}
            return Telling("another_device", values={**told, "record": seq})
    return None
