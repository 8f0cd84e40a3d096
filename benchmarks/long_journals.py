"""Long journals made of recorded ones: their scenarios one after the other, and their rounds over and over.

Half of the records are many short scenarios, each as it was recorded under a name of its own. The other half are a few
long scenarios in which one recorded round is played a thousand times. Record numbers, the chain of hashes and what
proofs refer to are made anew, so a journal reads like one that was recorded at this length.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from evidence.chain import EMPTY, lay_out, link
from evidence.events import (
    Directive,
    FaultArmed,
    FaultProven,
    Record,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
    TableDone,
)
from evidence.journal import read_journal
from evidence.reading import journal_file

ROUNDS = 1000
"""How often a round is played in one long scenario."""
LEAST_LOOKS = 20


def recorded_scenarios(folder: Path) -> list[list[Record]]:
    """The completed scenarios of a run folder, each with its records."""
    found: dict[str, list[Record]] = {}
    for record in read_journal(folder):
        if record.scenario:
            found.setdefault(record.scenario, []).append(record)
    return [records for records in found.values() if _completed(records)]


def write_journal(folder: Path, scenarios: Sequence[Sequence[Record]], events: int, packs: Sequence[str]) -> int:
    """Write a journal of about so many events, each scenario judged by all of `packs`; returns how many there are."""
    path = journal_file(folder)
    path.parent.mkdir(parents=True)
    encoder = msgspec.json.Encoder()
    digest, seq = EMPTY.hash, 0
    with path.open("wb", buffering=1 << 20) as file:
        for record in _records(scenarios, events, packs):
            body = encoder.encode(record)
            digest = link(digest, body)
            file.write(lay_out(digest, body))
            seq = record.seq + 1
    return seq


def _records(scenarios: Sequence[Sequence[Record]], events: int, packs: Sequence[str]) -> Iterator[Record]:
    start = RunStarted(plan="repeated", rig="emulated", seed=1, clock="virtual")
    yield Record(seq=0, mono_ns=0, utc="", source="bench:run", scenario="", event=start)
    seq, times = 1, 0
    parts = [parts for records in scenarios if (parts := _round_of(records))]
    while seq < events // 2:
        yield from (batch := _renumbered(scenarios[times % len(scenarios)], seq, f"short-{times}", packs))
        seq, times = seq + len(batch), times + 1
    while seq < events:
        before, played, after = parts[times % len(parts)]
        room = max(1, min(ROUNDS, (events - seq) // len(played)))
        for n, records in enumerate((before, *[played] * room, after)):
            yield from (batch := _renumbered(records, seq, f"long-{times}", packs if n == 0 else ()))
            seq += len(batch)
        times += 1


def _renumbered(records: Sequence[Record], seq: int, scenario: str, packs: Sequence[str]) -> list[Record]:
    """The same records from number `seq` on, as another scenario."""
    places = {record.seq: n for n, record in enumerate(records, seq)}
    made = []
    for n, record in enumerate(records, seq):
        event = record.event
        if isinstance(event, ScenarioStarted):
            event = msgspec.structs.replace(event, also=[name for name in packs if name != event.pack])
        elif isinstance(event, FaultProven):
            event = msgspec.structs.replace(event, by=[places[one] for one in event.by if one in places])
        made.append(msgspec.structs.replace(record, seq=n, scenario=scenario, event=event))
    return made


def _completed(records: Sequence[Record]) -> bool:
    last = records[-1].event
    return isinstance(last, ScenarioFinished) and last.status == "completed"


def _round_of(records: Sequence[Record]) -> tuple[Sequence[Record], Sequence[Record], Sequence[Record]] | None:
    """What came before, in and after the one whole round of a scenario without faults; None for any other."""
    opened = [n for n, one in enumerate(records) if isinstance(one.event, Directive) and one.event.verb == "open_round"]
    closed = [
        n for n, one in enumerate(records) if isinstance(one.event, TableDone) and one.event.verb == "close_round"
    ]
    faults = any(isinstance(record.event, FaultArmed) for record in records)
    if faults or len(opened) != 1 or len(closed) != 1 or closed[0] - opened[0] < LEAST_LOOKS:
        return None
    first, last = opened[0], closed[0] + 1
    return records[:first], records[first:last], records[last:]
