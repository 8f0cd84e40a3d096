"""The catalogue of faults: what a plan may ask for, with parameters and their ranges. Data in entries/*.toml.

targets    what it can befall: shuffler, shoe, pack, dealer, player, camera, software
symptom    the word that stands in `fault.proven`
moments    how a plan may say when, besides an event or a state that it waits for
proof      what must be seen by something other than the injector; limits in seconds of the run's clock
hardware   how it is brought about on a rig without emulators
"""

import difflib
import functools
import math
from pathlib import Path
from typing import Literal, get_args

import msgspec

from bench.links.line_faults import Kind as LineKind
from evidence.errors import UsageError
from evidence.events import AnyEvent
from evidence.tomlfile import load_toml

Kind = Literal["shuffler", "shoe", "pack", "dealer", "player", "camera", "software"]
Moment = Literal[
    "card", "group", "cycle", "after_s", "position", "burn", "round", "betting_round", "act", "choice", "roll",
    "message", "look",
]  # fmt: skip
Means = Literal["instrument", "link", "deck", "prompt"]
ProofKind = Literal[
    "no_card", "held", "power_lost", "idle", "unit_count", "claim", "total", "faces", "turned_up", "drawn", "too_many",
    "too_few", "not_burnt", "skipped", "button", "exposed", "identity", "misplaced", "dropped", "collected", "fouled",
    "not_shuffled", "not_cut", "same_back", "passed_over", "dealt_last", "strange_face", "twin", "strange_back",
    "ran_out", "left_at_mouth", "drawn_face", "overdrawn", "dice", "miscalled", "elsewhere", "exposed_early",
    "set_wrongly", "lifted", "edge", "edge_at_work", "disagree", "unanswered", "unpowered", "gap", "regular",
    "other_firmware", "image", "history", "refused", "link_trouble", "spoiled", "not_arrived", "late", "out_of_order",
    "twice", "camera_state", "device_gone", "device_stays", "resumed",
]  # fmt: skip
Value = int | str
"""A setting as plans and journals hold it; a decimal stands as text, so that it reads the same everywhere."""

MEANS: tuple[Means, ...] = get_args(Means)
"""Kinds of means on hardware, in the order in which they are counted."""
DEVICE_KINDS: tuple[Kind, ...] = ("shuffler", "shoe")
STATES = ("idle", "loading", "ready", "shuffling", "dealing", "unloading", "fault")
"""What a device says of its state."""
EVENTS = tuple(str(kind.__struct_config__.tag) for kind in get_args(AnyEvent))
"""Types of events, as they stand in a journal."""
AWAITED = ("event", "state")
"""Moments that any fault can have: it is armed once this was told."""
LONGEST_WORD = 60
MOST = 1000
LATEST_S = 600.0


class Param(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter: a number within a range and with a unit, or one of some words."""

    meaning: str
    default: int | float | str
    unit: str = ""
    minimum: int | float | None = None
    maximum: int | float | None = None
    choices: list[str] = []

    def check(self, value: object) -> Value:
        """The value as it is kept. ValueError, with what was expected, when it is none of the parameter's."""
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return value
            raise ValueError(f"one of {', '.join(repr(choice) for choice in self.choices)}")
        whole = isinstance(self.default, int)
        number = _number(value, whole)
        low, high = self.minimum, self.maximum
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            raise ValueError(f"a {'whole ' if whole else ''}number from {low} to {high} ({self.unit})")
        return int(number) if whole else str(number)


class ReadingProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What instruments must read back while they bring the fault about, where that proves it too."""

    unit: Literal["V", "A", "closed", "tripped"]
    """Volts or amperes of the motors' rail, how a relay of the line stands, or whether a protection has tripped."""
    above: float = -0.5
    below: float = 1e9
    near: str = ""
    """The parameter that says how much it should be."""
    within: float = 0.0
    """How far a reading may be from that, and each one on the way there from what the instrument was told to give."""
    of_asked: float = 0.0
    """What share of what the instrument was told to give must be read at least."""
    for_s: float = 0.0
    """How long it must be read, in seconds."""
    times: int = 1
    """How often, of a relay that opens and closes."""


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What proves the fault; limits in seconds."""

    kind: ProofKind
    lines: list[str] = []
    limit_s: float = 0.0
    entry_limit_s: float = 0.0
    """Limit for the line `entry` where it differs."""
    most_s: float = 0.0
    """What lasts longer is something else; 0: nothing is too long."""
    level: int = 1
    """Where the line goes, for a proof by an edge."""
    words: list[str] = []
    """States, codes or kinds of trouble of which one must be told."""

    reading: ReadingProof | None = None
    """What proves it as well when an instrument brings it about; None: no reading does."""

    def limit_of(self, line: str) -> float:
        """How long this line may be held before that is proof, in seconds."""
        return self.entry_limit_s if line == "entry" and self.entry_limit_s else self.limit_s


class Instrument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an instrument does to bring a fault about: its role at the rig, the action asked of it, in words."""

    role: Literal["power_supply", "switch", "meter", "load"]
    action: Literal["off", "sag", "ramp", "trip", "limit_current", "open", "close", "pulse", "chatter", "draw"]
    does: str


class LinkAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the proxy in a link does to bring a fault about: a kind of `bench.links.faulty`, in words."""

    action: LineKind
    does: str


class Hardware(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a fault comes about on hardware: exactly one of these."""

    instrument: Instrument | None = None
    link: LinkAction | None = None
    deck: str = ""
    """A pack that is prepared so."""
    prompt: str = ""
    """What somebody at the table is asked to do."""

    @property
    def means(self) -> list[Means]:
        """The kinds of means that are given; a sound entry has one."""
        given: list[Means] = [kind for kind in MEANS if getattr(self, kind)]
        return given

    @property
    def does(self) -> str:
        """What is done, in one sentence."""
        acted = self.instrument or self.link
        return acted.does if acted else self.deck or self.prompt


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault of the catalogue."""

    name: str
    targets: list[Kind]
    symptom: str
    description: str
    cause: str
    safe_behaviour: str
    proven: str
    moments: list[Moment]
    proof: Proof
    hardware: Hardware
    params: dict[str, Param] = {}
    defect: str = ""
    """The defect of the emulated table software that brings it about."""
    afterwards: str = ""
    """What somebody has to put right at the device before another scenario; empty: nothing stays behind."""

    @property
    def of_device(self) -> bool:
        """True when it befalls a device, which is then named as target."""
        return any(kind in DEVICE_KINDS for kind in self.targets)

    @property
    def of_link(self) -> bool:
        """True when it befalls the line to a device and not the device itself."""
        return self.hardware.link is not None

    @property
    def of_people(self) -> bool:
        """True when hands bring it about: the dealer's, a player's, or those that prepare the pack."""
        return any(kind in ("pack", "dealer", "player") for kind in self.targets)

    def settings(self, given: dict[str, object]) -> dict[str, Value]:
        """All parameters, those not given at their defaults. ValueError names the first that does not fit."""
        unknown = sorted(set(given) - set(self.params))
        if unknown:
            raise ValueError(f"{self.name} has no parameter {unknown[0]!r}; {_list('it has', list(self.params))}")
        checked: dict[str, Value] = {}
        for name, param in self.params.items():
            try:
                checked[name] = param.check(given.get(name, param.default))
            except ValueError as expected:
                raise ValueError(f"{name} = {given.get(name)!r}: expected {expected}") from None
        return checked

    def moment(self, given: dict[str, object]) -> dict[str, Value]:
        """When it is to happen, checked. ValueError names the first entry that does not fit."""
        checked: dict[str, Value] = {}
        if all(name in given for name in AWAITED):
            raise ValueError(f"{' and '.join(AWAITED)} cannot both be waited for; remove one")
        for name, value in given.items():
            if name in AWAITED:
                checked[name] = self._awaited(name, value)
                continue
            if name not in self.moments:
                raise ValueError(f"{self.name} cannot happen at a {name!r}; {_list('it takes', list(self.moments))}")
            if name == "position":
                if not isinstance(value, str) or not value or len(value) > 40:
                    raise ValueError(f"position = {value!r}: expected the name of a position, such as 'seat/3'")
                checked[name] = value
                continue
            whole = name != "after_s"
            number = _number(value, whole)
            low, high = (1, MOST) if whole else (0, LATEST_S)
            if number is None or not low <= number <= high:
                raise ValueError(
                    f"{name} = {value!r}: expected a {'whole ' if whole else ''}number from {low} to {high}"
                )
            checked[name] = int(number) if whole else str(number)
        return checked

    def _awaited(self, name: str, value: object) -> str:
        """What the arming of a fault waits for: an event, or a state of the device."""
        text = value if isinstance(value, str) else ""
        if name == "state":
            if text in STATES and self.of_device:
                return text
            asked = f"one of {', '.join(STATES)}" if self.of_device else "no state; only devices tell of one"
            raise ValueError(f"state = {value!r}: expected {asked}")
        tag, _, word = text.partition(":")
        if tag not in EVENTS or len(word) > LONGEST_WORD:
            close = difflib.get_close_matches(tag, EVENTS, 1)
            hint = f", such as {close[0]!r}" if close else ""
            raise ValueError(
                f"event = {value!r}: expected the type of an event{hint}, or with one of its words, "
                "such as 'software.directive:void_round'"
            )
        return text


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fault: list[Fault]


@functools.cache
def catalogue() -> dict[str, Fault]:
    """All faults by name, in the order of the files and of what stands in them."""
    return load_catalogue(*sorted(Path(__file__).with_name("entries").glob("*.toml")))


def load_catalogue(*paths: Path) -> dict[str, Fault]:
    """Read the files of a catalogue and check that they are sound. Raises UsageError with file, entry and remedy."""
    faults: dict[str, Fault] = {}
    for path in paths:
        for fault in load_toml(path, _File, "fault catalogue").fault:
            where = f"{path}: fault {fault.name!r}"
            if fault.name in faults:
                raise UsageError(f"{where} stands there twice. Give each its own name.")
            _check(fault, where)
            faults[fault.name] = fault
    return faults


def _check(fault: Fault, where: str) -> None:
    if not fault.targets:
        raise UsageError(f"{where} has no target. Say what it befalls.")
    if set(fault.moments) & set(fault.params):
        raise UsageError(f"{where}: a parameter has the name of a moment. Rename it.")
    if len(fault.hardware.means) != 1:
        raise UsageError(f"{where}: hardware must hold one of {', '.join(MEANS)}. Say how it is brought about.")
    try:
        fault.settings({})
    except ValueError as error:
        raise UsageError(f"{where}: the default does not fit: {error}.") from None


def _number(value: object, whole: bool) -> int | float | None:
    """A plain finite number, or None. Decimals may come as text; a truth value is no number."""
    if isinstance(value, bool) or (whole and not isinstance(value, int)):
        return None
    try:
        number = float(value) if isinstance(value, (int, float, str)) else math.nan
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return int(number) if whole else number


def _list(lead: str, names: list[str]) -> str:
    return f"{lead} {', '.join(names)}" if names else f"{lead} none"
