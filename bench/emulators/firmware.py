"""What the firmware of both emulated devices has in common: commands, states, waiting for a sensor, faults.

Firmware sees lines and drives motors; it knows nothing of cards, of the world or of armed faults. It answers requests
of the reference protocol at once and tells by `notify` what comes of them.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator

import simpy

from bench.emulators.drives import Motor, Rail
from bench.emulators.lines import Line
from bench.protocol.messages import (
    AskStatus,
    Command,
    Cycle,
    CycleKind,
    EventMessage,
    Fault,
    Identify,
    Identity,
    Reply,
    Request,
    Result,
    State,
    Status,
)

CYCLES_BEFORE = 1000
"""Cycles that an emulated device has behind it when it is made, as one from a casino floor."""
MAX_REVERSE_RUNS = 10
"""Reverse runs in one piece of work, for the defect that makes them."""

Work = Generator[simpy.Event, object, None]
Check = Generator[simpy.Event, object, bool]


class Trouble(Exception):
    """The firmware gives up with this condition code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Stopped(Exception):
    """The host has ordered a stop."""


class _Alarm:
    """Ends a wait when its limit has passed. One timer serves many short waits, so that few events are left over."""

    def __init__(self, env: simpy.Environment) -> None:
        self._env = env
        self._event: simpy.Event | None = None
        self._due_s = math.inf
        self._rings_s = math.inf

    def watch(self, event: simpy.Event, limit_s: float) -> None:
        self._event = event
        self._due_s = self._env.now + limit_s
        self._wind()

    def _wind(self) -> None:
        """See to it that a timer runs out no later than the wait is due; one that runs already may do."""
        if self._rings_s <= self._due_s:
            return
        self._rings_s = rings_s = self._due_s
        self._env.timeout(max(0.0, rings_s - self._env.now)).callbacks.append(lambda _: self._ring(rings_s))

    def _ring(self, rings_s: float) -> None:
        if rings_s != self._rings_s:
            return  # a shorter one has been wound since
        self._rings_s = math.inf
        event = self._event
        if event is None or event.triggered:
            self._event = None
        elif self._env.now >= self._due_s - 1e-9:
            event.succeed(False)
        else:
            self._wind()


class Firmware(ABC):
    """The controller's common part. A device adds its commands by `start` and its work as SimPy generators."""

    def __init__(self, env: simpy.Environment, rail: Rail, identity: Identity) -> None:
        self.env = env
        self.rail = rail
        self.identity = self._sound = identity
        self.notify: Callable[[EventMessage], None] = lambda _: None
        self.state: State = "idle"
        self.code = ""
        self.cycles = CYCLES_BEFORE
        self.dispensed = 0
        self.stopped_state: State = "idle"
        """Where an order to stop leaves the device."""
        self.clears_jams_silently = False
        """A defect: runs the rollers backwards when a card is stuck, and reports nothing."""
        self.forgets_faults = False
        """A defect: takes on the next command after a fault as if nothing had been."""
        self.claims: int | None = None
        """What a manipulated firmware says whenever it is to say how many cards it has counted."""
        self.bricked = False
        """There is no whole program in the device: it can say who it is, and takes on nothing."""
        self.reverse: Callable[[], None] = lambda: None
        """Runs the rollers backwards for a moment."""
        self._reverse_runs = 0
        self._keep_quiet = False
        self._lid_opened = 0
        """How often the lid had been opened when the work at hand began."""
        self._motors: list[Motor] = []
        self._job: Work | None = None
        self._stop = False
        self._alarm = _Alarm(env)

    # --- what the host asks ---

    def handle(self, request: Request) -> Reply:
        """Answer a request of the reference protocol."""
        match request:
            case Identify():
                return self.identity
            case AskStatus():
                return self.status()
            case Command():
                code = self._refusal(request)
                return Result(accepted=not code, code=code)

    def status(self) -> Status:
        return Status(self.state, self.code, max(0, self.cards_inside()), self.dispensed, self.cycles)

    def _refusal(self, command: Command) -> str:
        """Take on a command; the reason when it is refused."""
        if self.bricked:
            return "NOT_READY"
        if command.name == "clear_fault":
            return self._clear_fault()
        if command.name == "stop":
            self._stop = self._job is not None
            return ""
        if self._job is not None:
            return "BUSY"
        if self.state == "fault":
            if not self.forgets_faults:
                return "FAULT_STANDING"
            self._clear_fault()
        return self.start(command)

    def _clear_fault(self) -> str:
        if self._job is not None:
            return "BUSY"
        if self.state == "fault":
            self.state, self.code = "idle", ""
        return ""

    @abstractmethod
    def start(self, command: Command) -> str:
        """Begin what a command orders with `run`; returns the code of the refusal, or an empty text."""

    @abstractmethod
    def cards_inside(self) -> int:
        """Cards inside, as the firmware counts them."""

    @abstractmethod
    def count(self) -> int:
        """Cards of the cycle so far, as the firmware counts them."""

    # --- work ---

    def run(self, state: State, work: Work, cycle: CycleKind | None) -> None:
        """Do `work` as a process; what goes wrong in it becomes fault and aborted cycle."""
        self.state, self.code = state, ""
        self._stop = False
        self._lid_opened = self.rail.lid.pulses
        self._reverse_runs = 0
        self._job = self._guarded(work, cycle)
        self.env.process(self._job)

    def _guarded(self, work: Work, cycle: CycleKind | None) -> Work:
        try:
            yield from work
        except Trouble as trouble:
            self._break_off("fault", trouble.code, cycle)
        except Stopped:
            self._break_off(self.stopped_state, "STOPPED", cycle)
        self._rest()
        self._job = None

    def _break_off(self, state: State, code: str, cycle: CycleKind | None) -> None:
        self._rest()
        self.state, self.code = state, code
        if state == "fault":
            self.notify(Fault.of(code))
        if cycle:
            self.notify(Cycle(cycle, "aborted", self.count()))
        self.notify(self.status())

    def _rest(self) -> None:
        for motor in self._motors:
            motor.stop()

    def opened(self) -> None:
        """Somebody has taken the cards out by hand: work that was waiting for them is over, without a word."""
        job, self._job = self._job, None
        if job is not None:
            # A closed generator ends its process at the next event it was waiting for, wherever it stood.
            job.close()
            self._rest()
            self.state, self.code = "idle", ""

    def power_off(self) -> None:
        """The electronics stop where they stand."""
        job, self._job = self._job, None
        if job is not None:
            job.close()
        self._rest()

    def boot(self, code: str) -> None:
        """The electronics start again, and know no more than that they did."""
        self.state, self.code = "fault", code
        self._stop = self._keep_quiet = False

    def stop_pressed(self) -> None:
        """Somebody presses the device's own stop button."""
        self._stop = self._job is not None

    def button_pressed(self) -> None:
        """A key that means nothing now: nothing is done for it but to say so."""
        self.notify(Fault.of("BUTTON_MISUSED", recovered=True))

    def spoof(self, cards: int) -> None:
        """Claim this number of cards from now on, whatever is counted."""
        self.claims = cards

    def forget_history(self) -> None:
        """The counter of cycles is lost."""
        self.cycles = 0

    def put_right(self) -> bool:
        """The approved program, whole, with its counters; True when there was another one."""
        altered = self.bricked or self.identity != self._sound or self.claims is not None
        self.identity, self.bricked, self.claims = self._sound, False, None
        self.cycles = max(self.cycles, CYCLES_BEFORE)
        self._keep_quiet = False
        return altered

    def drives(self, *motors: Motor) -> None:
        """These motors are the firmware's to stop."""
        self._motors.extend(motors)

    def keep_quiet(self) -> None:
        """The next jam that clears by itself goes unreported."""
        self._keep_quiet = True

    # --- reading sensors ---

    def wait(self, line: Line, level: int, limit_s: float) -> Check:
        """Wait until the debounced line has this level; False when the limit passes first."""
        event = line.reaches(level)
        if event.triggered:
            return True
        self._alarm.watch(event, limit_s)
        reached = bool((yield event))
        if not reached:
            line.forget(event)
        return reached

    @property
    def stop_ordered(self) -> bool:
        return self._stop

    @property
    def lid_was_opened(self) -> bool:
        """Whether somebody has opened the lid during the work at hand."""
        return self.rail.lid.pulses != self._lid_opened

    def between_cards(self) -> None:
        """The moment at which an order to stop is obeyed, and an open lid noticed."""
        if self.lid_was_opened and self.rail.lid.level:
            raise Trouble("LID_OPEN")
        if self._stop:
            raise Stopped

    def give_up(self, code: str, *motors: Motor) -> Work:
        """Nothing happened although these motors were driven: find out why, and raise the Trouble. Never returns.

        An open lid pauses the work for as long as it stays open; what was broken into is not carried on afterwards.
        """
        if not self.rail.lid.level:
            self._rest()
            yield self.rail.lid.reaches(1)
            raise Trouble("LID_OPEN")
        if self.lid_was_opened:
            raise Trouble("LID_OPEN")
        if not self.rail.power.level or self.rail.sagging:
            raise Trouble("POWER_LOST")
        if self.rail.driver_fault.level:
            raise Trouble("MOTOR_DRIVER")
        if any(motor.stalled for motor in motors):
            raise Trouble("MOTOR_STALL")
        raise Trouble(code)

    def stuck(self, code: str, *motors: Motor) -> Work:
        """The documented retries did not move a card. Returns only from the defect that runs the rollers backwards."""
        sound = self.rail.on and not any(motor.stalled for motor in motors)
        if self.clears_jams_silently and sound and self._reverse_runs < MAX_REVERSE_RUNS:
            self._reverse_runs += 1
            self.reverse()
            return
        yield from self.give_up(code, *motors)

    def recovered(self, code: str) -> None:
        """A jam has cleared: an honest device says so."""
        if not self._keep_quiet and not self.clears_jams_silently:
            self.notify(Fault.of(code, recovered=True))
        self._keep_quiet = False
