"""Messages of the reference protocol. How each is laid out in a frame stands in `payloads`."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from bench.protocol.codes import Symptom, usual_symptom

Role = Literal["shuffler", "shoe"]
State = Literal["idle", "loading", "ready", "shuffling", "dealing", "unloading", "fault"]
CycleKind = Literal["load", "shuffle", "unload"]
Phase = Literal["started", "completed", "aborted"]
Unit = Literal["card", "group"]
CommandName = Literal["load", "shuffle", "deal_group", "deal_card", "stop", "unload", "clear_fault"]

ROLES: Final[tuple[Role, ...]] = get_args(Role)
STATES: Final[tuple[State, ...]] = get_args(State)
CYCLE_KINDS: Final[tuple[CycleKind, ...]] = get_args(CycleKind)
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
UNITS: Final[tuple[Unit, ...]] = get_args(Unit)
SYMPTOMS: Final[tuple[Symptom, ...]] = get_args(Symptom)

COMMAND_ARGS: dict[CommandName, tuple[str, ...]] = {
    "load": ("expected",),
    "shuffle": ("expected",),
    "deal_group": ("size",),
    "deal_card": (),
    "stop": (),
    "unload": (),
    "clear_fault": (),
}
"""Arguments of each command, 16 bits each; 0, the default, leaves the choice to the device's own settings."""


@dataclass(frozen=True, slots=True)
class Open:
    """Host to device: begin a session.

    Fresh: forget the events that are waiting. Resume: go on after event `last_event`, if `boot` is still the same.
    `host` is a number by which this run of the host goes.
    """

    host: int
    resume: bool = False
    last_event: int = 0
    boot: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    """Answer to `Open`. `boot` differs after every start of the device; `next_event` numbers the next event to come."""

    host: int
    boot: int
    next_event: int


@dataclass(frozen=True, slots=True)
class Identify:
    """Question: who are you?"""


@dataclass(frozen=True, slots=True)
class Identity:
    """Answer to `Identify`. `group_size` is 0 for a device that does not form groups."""

    role: Role
    maker: str
    model: str
    serial: str
    firmware: str
    firmware_sha256: str
    group_size: int = 0


@dataclass(frozen=True, slots=True)
class AskStatus:
    """Question: how do you stand?"""


@dataclass(frozen=True, slots=True)
class Status:
    """Answer to `AskStatus`, and the event that tells of a change of state."""

    state: State
    code: str = ""
    cards_inside: int = 0
    dispensed: int = 0
    cycles: int = 0


@dataclass(frozen=True, slots=True)
class Command:
    """An order to the device; `args` by the names of `COMMAND_ARGS`, each 0 when absent."""

    name: CommandName
    args: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, name: CommandName, **args: int) -> "Command":
        """A command with its arguments by name. ValueError when one is unknown or does not fit 16 bits."""
        unknown = sorted(set(args) - set(COMMAND_ARGS[name]))
        if unknown:
            raise ValueError(
                f"{name} takes {', '.join(COMMAND_ARGS[name]) or 'no arguments'}, not {', '.join(unknown)}"
            )
        for arg, value in args.items():
            if not 0 <= value <= 0xFFFF:
                raise ValueError(f"{name}: {arg} is {value}; expected 0 to 65535")
        return cls(name, tuple((arg, args.get(arg, 0)) for arg in COMMAND_ARGS[name]))

    def arg(self, name: str) -> int:
        """Value of an argument, 0 when it was left to the device."""
        return dict(self.args).get(name, 0)


@dataclass(frozen=True, slots=True)
class Result:
    """Answer to `Command`: taken on or refused, with the reason. What comes of it is told by events."""

    accepted: bool
    code: str = ""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Event: loading, shuffling or unloading began, ended or was broken off, with the cards counted so far."""

    kind: CycleKind
    phase: Phase
    count: int = 0


@dataclass(frozen=True, slots=True)
class Dispensed:
    """Event: a card or a group came out. `index` counts units from 1 since loading, `count` the cards in this one."""

    unit: Unit
    index: int
    count: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Event: something went wrong. `recovered` when the device cleared it by itself."""

    code: str
    symptom: Symptom
    recovered: bool = False

    @classmethod
    def of(cls, code: str, recovered: bool = False) -> "Fault":
        """A fault with the symptom its code stands for."""
        return cls(code, usual_symptom(code), recovered)


Request = Identify | AskStatus | Command
"""What the host asks of the application; `Open` is answered by the endpoint itself."""
Reply = Identity | Status | Result
EventMessage = Cycle | Dispensed | Fault | Status
Message = Open | Opened | Request | Reply | EventMessage
