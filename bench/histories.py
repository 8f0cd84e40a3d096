"""What a device's own log says, beside what a run's journal says of the device: each without the other is found."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.protocol.deckmate_log import Entry, Kind
from evidence.events import DeviceFault, FaultProven, LineSeen, Record

Span = tuple[datetime.datetime, datetime.datetime]
SAME_S = 5.0
"""Records of one kind so close to each other speak of one thing."""
CODES: dict[str, Kind] = {
    "LID_OPEN": "door_opened",
    "POWER_LOST": "powered_up",
    "DOUBLE_FEED": "extra_card",
    "SHUFFLER_FULL": "extra_card",
    "NOT_ENOUGH_CARDS": "missing_card",
}
FAULTS: dict[str, Kind] = {"missing_card": "missing_card", "extra_card": "extra_card"}


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing that the bench has on record; `seq` is its first record."""

    seq: int
    kind: Kind
    at: datetime.datetime


@dataclass(frozen=True, slots=True)
class Compared:
    """`both` are pairs; entries before the run began and after its end are `outside` and prove nothing."""

    both: list[tuple[Entry, Seen]]
    device_only: list[Entry]
    bench_only: list[Seen]
    outside: int


def seen_by_bench(records: Iterable[Record], device: str) -> tuple[list[Seen], Span]:
    """What a journal holds of a device that its log would hold too, and from when to when the journal goes.

    ValueError for a journal without records.
    """
    seen: list[Seen] = []
    latest: dict[Kind, datetime.datetime] = {}
    first = last = None
    for record in records:
        at = datetime.datetime.fromisoformat(record.utc)
        first, last = first or at, at
        kind = kind_of(record, device)
        if kind is None:
            continue
        before = latest.get(kind)
        latest[kind] = at
        if before is None or (at - before).total_seconds() > SAME_S:
            seen.append(Seen(record.seq, kind, at))
    if first is None or last is None:
        raise ValueError("a journal without records")
    return seen, (first, last)


def kind_of(record: Record, device: str) -> Kind | None:
    """What a record tells in the words of the log; None when it tells nothing that a log would hold."""
    match record.event:
        case DeviceFault(device=name, symptom="jam") if name == device:
            return "jam_recovery"
        case DeviceFault(device=name, code=code) if name == device:
            return CODES.get(code)
        case FaultProven(target=target, symptom="jam") if target == device:
            return "jam_recovery"
        case FaultProven(target="pack", fault=fault):
            return FAULTS.get(fault)
        case LineSeen(line=line, level=0) if line == f"{device}/lid":
            return "door_opened"
        case _:
            return None


def compare(
    entries: Sequence[Entry],
    seen: Sequence[Seen],
    span: Span,
    within_s: float,
    offset_s: float = 0.0,
) -> Compared:
    """Pair entries and sightings of one kind that lie within so many seconds of each other, the nearest first.

    `offset_s` is what the device's clock is ahead of universal time. A set-up of the device is its own affair.
    """
    within, offset = datetime.timedelta(seconds=within_s), datetime.timedelta(seconds=offset_s)
    inside = [entry for entry in entries if span[0] - within <= entry.at - offset <= span[1] + within]
    mine, theirs = [entry for entry in inside if entry.kind != "auto_setup"], seen
    pairs = sorted(
        (
            (abs((entry.at - offset - one.at).total_seconds()), entry.line, one.seq, entry, one)
            for entry in mine
            for one in theirs
            if entry.kind == one.kind and abs(entry.at - offset - one.at) <= within
        ),
        key=lambda pair: pair[:3],
    )
    both: list[tuple[Entry, Seen]] = []
    lines: set[int] = set()
    seqs: set[int] = set()
    for _, line, seq, entry, one in pairs:
        if line not in lines and seq not in seqs:
            both.append((entry, one))
            lines.add(line)
            seqs.add(seq)
    return Compared(
        sorted(both, key=lambda pair: pair[0].line),
        [entry for entry in mine if entry.line not in lines],
        [one for one in theirs if one.seq not in seqs],
        len(entries) - len(inside),
    )
