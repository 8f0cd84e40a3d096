"""Operate a device: send a command, pass on what the device claims, and know when it is over."""

from collections.abc import Callable, Iterator
from typing import Protocol

from bench.clock import Deadline
from bench.drivers.base import Claim
from bench.instruments.injection import Injections
from bench.live_rig import Rig
from evidence.errors import RigFault
from evidence.events import (
    AnyEvent,
    DeviceCard,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceNotice,
    DeviceStatus,
    Record,
)

AFTERMATH_S = 0.5
"""How long claims that follow an end (a fault code, an aborted cycle) are still waited for."""
AT_REST = ("idle", "ready")
LATE_CLAIMS = 100
"""Claims still taken in when the time is over: what had come by then, but not all that a babbling device adds to it."""


class Teller(Protocol):
    """Where acts report to."""

    def publish(self, event: AnyEvent, source: str) -> Record: ...

    def tap(self) -> None: ...


def completed(kind: str) -> Callable[[Claim], bool]:
    """The end of a cycle of this kind; a shoe that hands fill says that it starts."""

    def ends(claim: Claim) -> bool:
        if isinstance(claim, DeviceNotice):
            return claim.notice == "start" and kind == "load"
        return isinstance(claim, DeviceCycle) and claim.kind == kind and claim.phase == "completed"

    return ends


def dispensed(unit: str) -> Callable[[Claim], bool]:
    """The end of a dispensing of this unit; a shoe from which hands draw says which card it was."""

    def ends(claim: Claim) -> bool:
        if isinstance(claim, DeviceCard):
            return unit == "card" and not claim.again
        return isinstance(claim, DeviceDispensed) and claim.unit == unit

    return ends


def operate(rig: Rig, teller: Teller, device: str, command: str, finished: Callable[[Claim], bool]) -> str:
    """Send `command` and pass on claims until it is over. Returns "" when it finished, else what went wrong.

    A device that says nothing for its role's silence limit has failed; that is an observation, not an error.
    """
    driver = rig.devices[device]
    _work_over(rig, teller, device)  # of work that was given up
    answer = driver.command(command)
    if not answer.accepted:
        teller.tap()
        return f"{device} refused {command}: {answer.code}"
    if driver.hand_drawn and command == "deal_card":
        rig.hands.draw_from(device)
    trouble = _until_over(rig, teller, device, command, finished)
    if not trouble:
        _work_over(rig, teller, device)
    return trouble


def _work_over(rig: Rig, teller: Teller, device: str) -> None:
    """Undo what instruments did to a device's work.

    Work that was given up is over when the device is put to work again: until then it stands as the fault left it, and
    nothing that it does is the bench's doing.
    """
    if rig.injections is not None:
        rig.injections.over(device)
        teller.tap()


def _until_over(rig: Rig, teller: Teller, device: str, command: str, finished: Callable[[Claim], bool]) -> str:
    """Pass on claims until the work that has begun is over."""
    if rig.injections is not None:
        rig.injections.begun(device, command)
    silence_s = rig.silence_s(device)
    for claim in _claims(rig, teller, device, silence_s):
        _pass_on(teller, device, claim)
        trouble = _trouble(claim)
        if trouble:
            settle(rig, teller, device)
            return trouble
        if finished(claim):
            return ""
    # Silence may be the line's. A device that is there answers, and says again what was lost; without one this raises.
    rig.devices[device].status()
    settle(rig, teller, device)
    return f"{device}: no end came within {silence_s:g} s of {command}"


def settle(rig: Rig, teller: Teller, device: str) -> None:
    """Pass on what a device still has to say after its work came to an end."""
    for claim in _claims(rig, teller, device, AFTERMATH_S):
        _pass_on(teller, device, claim)
    teller.tap()


def _pass_on(teller: Teller, device: str, claim: Claim) -> None:
    """Publish a claim, after what was seen on wires and instruments before it came."""
    teller.tap()
    teller.publish(claim, f"device:{device}")


def _claims(rig: Rig, teller: Teller, device: str, seconds: float) -> Iterator[Claim]:
    """What a device claims until the time is over, however busy it is."""
    deadline = rig.clock.deadline(seconds)
    late = 0
    while late < LATE_CLAIMS and (claim := _next_claim(rig, teller, device, deadline)) is not None:
        late += deadline.passed(rig.clock.now_ns())
        yield claim


def _next_claim(rig: Rig, teller: Teller, device: str, deadline: Deadline) -> Claim | None:
    """The next claim before the deadline; faults that instruments bring about strike while it is waited for."""
    injections, driver = rig.injections, rig.devices[device]
    while injections is not None and (due := injections.due()) is not None and due.ns < deadline.ns:
        claim = None if due.passed(rig.clock.now_ns()) else driver.next_claim(due)
        if claim is not None:
            return _counted(injections, claim)
        injections.act()
        teller.tap()
    claim = driver.next_claim(deadline)
    return claim if injections is None or claim is None else _counted(injections, claim)


def _counted(injections: Injections, claim: Claim) -> Claim:
    if isinstance(claim, DeviceDispensed):
        injections.dispensed(claim.device, claim.count)
    return claim


def clear(rig: Rig) -> None:
    """What the scenario before left behind goes: armed faults, cards, and what wires did until now."""
    for control in rig.controls.values():
        control.disarm()
    if rig.injections is not None:
        rig.injections.disarm()
    for line in rig.lines.values():
        line.disarm()
        line.restore()
    rig.hands.remove_pack()
    for control in rig.controls.values():
        control.tap()  # an emulated device also notices now that somebody has opened it


def make_ready(rig: Rig, teller: Teller, device: str) -> None:
    """Bring a device out of which the cards have been taken to rest. Raises RigFault when it cannot be done."""
    try:
        status = _brought_to_rest(rig, teller, device)
        rests = status.state in AT_REST
    except RigFault:
        rests = False  # it may hang since an earlier scenario
    if not rests:
        rig.hands.restore(f"{device}: switch it off and on again, and wait until it has started")
        status = _brought_to_rest(rig, teller, device)
    _pass_on(teller, device, status)
    if status.state not in AT_REST:
        raise RigFault(
            f"{device} is {status.state} {status.code} before the scenario and does not come to rest. "
            f"Empty it and clear its fault by hand, then go on."
        )


def _brought_to_rest(rig: Rig, teller: Teller, device: str) -> DeviceStatus:
    """How a device stands after it was told to forget its fault and what it believes to hold."""
    driver = rig.devices[device]
    status = driver.status()
    if status.state == "fault":
        driver.command("clear_fault")
        settle(rig, teller, device)
        status = driver.status()
    if status.cards_inside:
        # It still believes in cards that are gone; whatever it says to that, it must come to rest.
        operate(rig, teller, device, "unload", completed("unload"))
        status = driver.status()
    return status


def _trouble(claim: Claim) -> str:
    if isinstance(claim, DeviceFault) and not claim.recovered:
        return f"{claim.device} reports {claim.code}"
    if isinstance(claim, DeviceCycle) and claim.phase == "aborted":
        return f"{claim.device} aborted its {claim.kind} cycle"
    return ""
