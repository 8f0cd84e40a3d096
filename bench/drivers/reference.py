"""Driver for devices that speak the reference protocol (docs/protocol-reference.md)."""

from typing import TypeVar

from bench.clock import Clock, Deadline
from bench.drivers.base import Claim, Emit, Options, Role, number_option, refuse_unknown, whole_number_option
from bench.drivers.line import Line
from bench.links import Link
from bench.protocol import messages as m
from bench.protocol.host import HostEndpoint
from bench.protocol.payloads import NAK_REASONS, NOT_OPEN
from evidence.errors import RigFault, UsageError
from evidence.events import (
    DeviceAnswered,
    DeviceCommanded,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceStatus,
)

T = TypeVar("T")


class ReferenceDriver:
    """Options: `answer_timeout_s` (0.5), how long an answer may take; `tries` (4), how often a question is put."""

    hand_drawn = False

    def __init__(self, name: str, role: Role, link: Link, clock: Clock, emit: Emit, options: Options) -> None:
        refuse_unknown(name, options, {"answer_timeout_s", "tries"})
        self.name = name
        self.role: Role = role
        self._line = Line(name, link, clock, emit)
        self._clock = clock
        self._emit = emit
        self._answer_timeout_s = number_option(name, options, "answer_timeout_s", 0.5, 0.001, 60)
        self._tries = whole_number_option(name, options, "tries", 4, 1, 20)
        self._endpoint = HostEndpoint(clock.now_ns() % (1 << 32), self._tries)
        self._open = False

    def identify(self) -> DeviceIdentity:
        who = self._ask(m.Identify(), m.Identity)
        return DeviceIdentity(
            device=self.name,
            role=who.role,
            maker=who.maker,
            model=who.model,
            serial=who.serial,
            firmware=who.firmware,
            firmware_sha256=who.firmware_sha256,
            group_size=who.group_size,
        )

    def status(self) -> DeviceStatus:
        return self._status(self._ask(m.AskStatus(), m.Status))

    def command(self, name: str, **args: int) -> DeviceAnswered:
        if name not in m.COMMAND_ARGS:
            raise UsageError(f"{self.name}: no command {name!r}; this device knows {', '.join(m.COMMAND_ARGS)}")
        try:
            order = m.Command.of(name, **args)
        except ValueError as error:
            raise UsageError(f"{self.name}: {error}") from error
        self._emit(DeviceCommanded(device=self.name, command=name, args=args))
        result = self._ask(order, m.Result)
        answered = DeviceAnswered(device=self.name, command=name, accepted=result.accepted, code=result.code)
        self._emit(answered)
        return answered

    def next_claim(self, deadline: Deadline) -> Claim | None:
        if not self._open:
            self._open_session()
        events = self._endpoint.events
        while not events and self._receive(deadline):
            pass
        return self._claim(events.popleft()) if events else None

    def fileno(self) -> int:
        return self._line.fileno()

    def ready(self) -> bool:
        return bool(self._endpoint.events) or self._line.ready()

    def close(self) -> None:
        self._line.close()

    def _open_session(self) -> None:
        self._open = self._put(self._endpoint.open_message(), m.Opened) is not None

    def _ask(self, question: m.Request, answer: type[T]) -> T:
        """Put a question in a session, which is opened at first, after a time-out and when the device has restarted."""
        for _ in range(2):
            if not self._open:
                self._open_session()
            reply = self._put(question, answer)
            if reply is not None:
                return reply
        raise RigFault(f"{self.name}: starts anew whenever it is asked something. Check its power supply.")

    def _put(self, question: m.Open | m.Request, answer: type[T]) -> T | None:
        """Put one question until it is answered; None when the device says that no session is open."""
        endpoint, what = self._endpoint, type(question).__name__
        endpoint.ask(question)
        while True:
            self._line.write(endpoint.take_output())
            deadline = self._clock.deadline(self._answer_timeout_s)
            while not endpoint.done and self._receive(deadline):
                pass
            if endpoint.done or not endpoint.again():
                break
            again = f"no answer to {what} within {self._answer_timeout_s} s; asked again"
            self._line.fault("timeout", again, endpoint.frame)
        if isinstance(endpoint.answer, answer):
            return endpoint.answer
        self._open = False
        endpoint.give_up()
        if endpoint.refusal == NOT_OPEN:
            return None
        if endpoint.refusal:
            why = NAK_REASONS[endpoint.refusal]
            raise RigFault(f"{self.name}: does not take {what} ({why}). Check that it speaks this protocol.")
        self._line.fault("timeout", f"no answer to {what}; given up", endpoint.frame)
        raise RigFault(
            f"{self.name}: asked {what} {self._tries} times, no answer within {self._answer_timeout_s} s each. "
            "Check that the device is on, its cable, and the settings of its port."
        )

    def _receive(self, deadline: Deadline) -> bool:
        """Take in the next thing that arrives; False when the deadline has passed, however busy the line is."""
        try:
            for chunk in self._line.read(deadline):
                self._endpoint.feed(chunk)
            self._line.faults(self._endpoint.take_troubles(), self._endpoint.take_refused())
            self._line.write(self._endpoint.take_output())
        except RigFault:
            self._open = False
            raise
        return not deadline.passed(self._clock.now_ns())

    def _status(self, status: m.Status) -> DeviceStatus:
        return DeviceStatus(
            device=self.name,
            state=status.state,
            code=status.code,
            cards_inside=status.cards_inside,
            dispensed=status.dispensed,
            cycles=status.cycles,
        )

    def _claim(self, event: m.EventMessage) -> Claim:
        match event:
            case m.Cycle(kind, phase, count):
                return DeviceCycle(device=self.name, kind=kind, phase=phase, count=count)
            case m.Dispensed(unit, index, count):
                return DeviceDispensed(device=self.name, unit=unit, index=index, count=count)
            case m.Fault(code, symptom, recovered):
                return DeviceFault(device=self.name, code=code, symptom=symptom, recovered=recovered)
            case m.Status():
                return self._status(event)
