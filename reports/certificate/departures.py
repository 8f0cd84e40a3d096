"""Where a run went otherwise than the method says: what the laboratory states, and what the evidence itself shows."""

from typing import Any

import msgspec

from evidence import events as e
from evidence.events import Record
from reports.papers.laboratory import LabFile
from reports.run_view import RunView
from reports.shape import mappings
from reports.wordbook import Wordbook


def departures_of(run: RunView, words: Wordbook) -> dict[str, Any]:
    """`stated` by the laboratory; `observed` in the run, one sentence each; both may be empty."""
    lab = run.lab or LabFile()
    return {"stated": msgspec.to_builtins(lab.departure), "observed": _observed(run, words)}


def _observed(run: RunView, words: Wordbook) -> list[str]:
    begun, attempts, told = 0, dict[str, int](), list[str]()
    for record in run.records:
        match record.event:
            case e.RunStarted():
                begun += 1
            case e.ScenarioStarted():
                attempts[record.scenario] = attempts.get(record.scenario, 0) + 1
            case e.JournalRepaired() | e.ClockStepped():
                told.append(_as_told(record, words))
    if begun > 1:
        told.insert(0, words.say("departure", "resumed", times=begun - 1))
    told += [
        words.say("departure", "repeated", scenario=name, attempts=count)
        for name, count in attempts.items()
        if count > 1
    ]
    told += [
        words.say("departure", "not_completed", scenario=scenario.get("id"), status=scenario.get("status"))
        for scenario in mappings(run.run.get("scenarios"))
        if scenario.get("status") != "completed"
    ]
    return told


def _as_told(record: Record, words: Wordbook) -> str:
    told = words.fill(
        str(words.section("event").get(str(record.event.__struct_config__.tag), "{*}")),
        msgspec.structs.asdict(record.event),
    )
    return words.say("departure", "record", record=record.seq, told=told)
