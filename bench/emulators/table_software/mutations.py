"""Generic defects: what can be wrong with any table software, done to the reference software between it and the wire.

They know verbs and fields, and no rule. A name says what is done, such as `omit=void_round`:

    omit=V          every order V is left out, as if it had been carried out
    double=V        every order V is given twice
    narrow=V        every order V is given for less: a hand for the round, the device's cards for all, the main wager
    after=V>D       every order V is held back until an order D has been given
    elsewhere=V     every order V that names a position names the next one
    turned=V        every order V has the other face
    accept=R        the request R is granted where it was refused
    trust=claims    counts of the camera are replaced by what the device claims

V and D may be several verbs with `+` between them, and mean any of these.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, get_args

import msgspec

from bench.emulators.table_software.facts import Told
from evidence.errors import UsageError
from evidence.events import (
    AnyEvent,
    CardsSeen,
    DealerDid,
    DeviceCycle,
    DeviceDispensed,
    Directive,
    SessionOpened,
    TableDone,
)
from evidence.events.software import Verb

VERBS = frozenset(str(verb) for verb in get_args(Verb))
KINDS = ("omit", "double", "narrow", "after", "elsewhere", "turned", "accept", "trust")
MOST_HELD = 50
"""Orders that are held back at most; more are given in their time."""


class Reacts(Protocol):
    """Table software without its socket."""

    def react(self, message: Told) -> list[Directive]: ...


@dataclass(frozen=True, slots=True)
class Mutation:
    """One generic defect as its name says."""

    kind: str
    subject: frozenset[str]
    """Verbs, or the request of `accept`."""
    until: frozenset[str] = frozenset()


def is_mutation(name: str) -> bool:
    """True for the name of a generic defect, right or wrong."""
    return "=" in name


def parse_mutation(name: str) -> Mutation:
    """The generic defect of this name. Raises UsageError."""
    kind, _, rest = name.partition("=")
    subject, _, until = rest.partition(">")
    if kind not in KINDS:
        raise _wrong(name, f"the kinds are {', '.join(KINDS)}")
    if kind == "trust":
        if rest != "claims":
            raise _wrong(name, "trust=claims is the only one of its kind")
        return Mutation(kind, frozenset())
    if kind == "accept":
        return Mutation(kind, frozenset([subject]))
    verbs, others = (frozenset(part.split("+")) if part else frozenset() for part in (subject, until))
    for verb in sorted((verbs | others) - VERBS):
        raise _wrong(name, f"{verb[:40]!r} is no verb of a directive")
    if not verbs or (kind == "after") != bool(others):
        raise _wrong(name, "it names the verbs of directives, such as omit=settle or after=settle>deliver")
    return Mutation(kind, verbs, others)


def mutated(software: Reacts, names: Iterable[str]) -> Reacts:
    """The software with these generic defects; without any, the software itself."""
    for name in sorted(names):
        software = Mutant(software, parse_mutation(name))
    return software


class Mutant:
    """Software with one generic defect."""

    def __init__(self, software: Reacts, mutation: Mutation) -> None:
        self._software = software
        self._mutation = mutation
        self._alter: Callable[[Directive], list[Directive]] = getattr(self, f"_{mutation.kind}")
        self._held: list[Directive] = []
        self._at_hand = ""
        self._positions: Sequence[str] = ()
        self._seated: Sequence[str] = ()
        self._claims = Claims()

    def react(self, message: Told) -> list[Directive]:
        """React to one message as the software does, but for the defect."""
        self._at_hand = message.id
        if isinstance(message.event, SessionOpened):
            self._positions, self._seated = message.event.positions, message.event.seated
        if self._mutation.kind == "trust":
            message = Told(message.id, self._claims.instead_of(message))
        return self._altered(self._software.react(message))

    def _altered(self, directives: Iterable[Directive]) -> list[Directive]:
        return [told for directive in directives for told in self._alter(directive)]

    def _as_done(self, directive: Directive) -> list[Directive]:
        """Let the software believe that its order was carried out; what it orders then."""
        done = TableDone(directive=directive.id, verb=directive.verb, outcome="done")
        return self._altered(self._software.react(Told(self._at_hand, done)))

    def _omit(self, directive: Directive) -> list[Directive]:
        return self._as_done(directive) if directive.verb in self._mutation.subject else [directive]

    def _double(self, directive: Directive) -> list[Directive]:
        if directive.verb not in self._mutation.subject:
            return [directive]
        return [directive, msgspec.structs.replace(directive, id=f"{directive.id}-again")]

    def _narrow(self, directive: Directive) -> list[Directive]:
        if directive.verb not in self._mutation.subject:
            return [directive]
        if directive.scope == "all_cards":
            return [msgspec.structs.replace(directive, scope="device_cards")]
        if directive.scope == "round" and self._seated:
            return [msgspec.structs.replace(directive, scope="hand", position=self._seated[0])]
        if directive.wager in ("", "all"):
            return [msgspec.structs.replace(directive, wager="main")]
        return [directive]

    def _after(self, directive: Directive) -> list[Directive]:
        if directive.verb in self._mutation.subject and len(self._held) < MOST_HELD:
            self._held.append(directive)
            return self._as_done(directive)
        if directive.verb in self._mutation.until:
            held, self._held = self._held, []
            return [directive, *held]
        return [directive]

    def _elsewhere(self, directive: Directive) -> list[Directive]:
        if directive.verb not in self._mutation.subject or directive.position not in self._positions:
            return [directive]
        following = (self._positions.index(directive.position) + 1) % len(self._positions)
        return [msgspec.structs.replace(directive, position=self._positions[following])]

    def _turned(self, directive: Directive) -> list[Directive]:
        if directive.verb not in self._mutation.subject:
            return [directive]
        return [msgspec.structs.replace(directive, face="down" if directive.face == "up" else "up")]

    def _accept(self, directive: Directive) -> list[Directive]:
        if directive.verb == "refuse" and directive.request in self._mutation.subject:
            return [msgspec.structs.replace(directive, verb="proceed", reason="")]
        return [directive]

    def _trust(self, directive: Directive) -> list[Directive]:
        return [directive]


class Claims:
    """What devices claim to have given out, by the place where it then went."""

    def __init__(self) -> None:
        self._inside = 0
        self._loose = 0
        """Claimed to have come out, and not moved on yet."""
        self._at: dict[str, int] = {}

    def instead_of(self, message: Told) -> AnyEvent:
        """The event of a message; where it is a count of hidden cards that a device has a claim for, with the claim."""
        match message.event:
            case DeviceCycle(kind="load", phase="completed", count=count):
                self._inside, self._loose, self._at = count, 0, {}
            case DeviceDispensed(count=count):
                self._inside -= count
                self._loose += count
            case DealerDid(act="deliver", position=position):
                self._at[position] = self._at.get(position, 0) + self._loose
                self._loose = 0
            case DealerDid(act="burn" | "collect" | "gather"):
                self._loose = 0
            case CardsSeen(place=place) as seen:
                claimed = {"shoe_mouth": self._loose, "layout_centre": self._inside, **self._at}.get(place, 0)
                if seen.count and claimed > 0 and not seen.face_up:
                    return msgspec.structs.replace(seen, count=claimed, face_down=claimed)
            case _:
                pass
        return message.event


def _wrong(name: str, why: str) -> UsageError:
    return UsageError(f"generic defect {name[:80]!r}: {why}.")


def only_mutations(names: Collection[str]) -> list[str]:
    """The names that are of generic defects, in order."""
    return sorted(name for name in names if is_mutation(name))
