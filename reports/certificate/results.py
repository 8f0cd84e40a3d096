"""Results beside the verdicts: what each requirement came to, measured times, and how sure the camera was."""

from collections.abc import Mapping
from typing import Any

from evidence import events as e
from reports.outcomes import Outcomes
from reports.run_view import RunView
from reports.shape import mapping
from reports.timings import timings
from reports.wordbook import Wordbook

_READ = e.CardsSeen | e.DiceSeen | e.ButtonSeen
_SHORT = {"PASS": "passed", "FAIL": "failed", "NOT_TRIGGERED": "idle", "NOT_APPLICABLE": "idle"}


def matrix_of(run: RunView, outcomes: Outcomes) -> list[dict[str, Any]]:
    """Packs by clauses: for each pack how many clauses came to what, and each clause's verdict."""
    rows: dict[str, dict[str, Any]] = {}
    for outcome in outcomes.clauses:
        row = rows.setdefault(
            outcome.pack,
            {
                "pack": outcome.pack,
                "authority": str(run.pack(outcome.pack).get("authority") or ""),
                "verdicts": {},
                "clauses": [],
            },
        )
        row["verdicts"][outcome.verdict] = row["verdicts"].get(outcome.verdict, 0) + 1
        short = outcome.clause.removeprefix(outcome.pack).lstrip(".") or outcome.clause
        row["clauses"].append({"id": outcome.clause, "short": short, "verdict": outcome.verdict})
    return list(rows.values())


def triggers_of(run: RunView) -> list[dict[str, Any]]:
    """For each requirement in how many scenarios it was triggered, held, was broken, or was left open."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for verdict in run.verdicts:
        for requirement, outcome in verdict.requirements.items():
            row = rows.setdefault(
                (verdict.clause, requirement),
                {
                    "clause": verdict.clause,
                    "requirement": requirement,
                    "triggered": 0,
                    "passed": 0,
                    "failed": 0,
                    "open": 0,
                },
            )
            kind = _SHORT.get(str(outcome), "open")
            if kind != "idle":
                row["triggered"] += 1
                row[kind] += 1
    return list(rows.values())


def measured_of(run: RunView, words: Wordbook) -> list[dict[str, Any]]:
    """Times that the journal holds samples of, with their uncertainty. Seconds."""
    return [
        {
            "name": words.say("timed", quantity.what, whose=quantity.whose, detail=words.word(quantity.detail)),
            "samples": one.samples,
            "scenarios": one.scenarios,
            "median_s": round(one.median_s, 6),
            "least_s": round(one.least_s, 6),
            "most_s": round(one.most_s, 6),
            "noise_s": round(one.noise_s, 6),
            "uncertainty_s": round(one.uncertainty_s, 6),
        }
        for quantity, one in timings(run.records).items()
    ]


def vision_of(run: RunView) -> dict[str, Any]:
    """How sure the camera was of the readings that verdicts rest on; `stated` is what the run says of its reader."""
    seqs = sorted({seq for row in run.verdicts for seq in row.evidence})
    readings = [
        (record.event, record.seq)
        for seq in seqs
        if (record := run.records.get(seq)) is not None and isinstance(record.event, _READ)
    ]
    sure = [(event.certainty, seq) for event, seq in readings if event.certainty > 0]
    lowest = min(sure, default=None)
    return {
        "readings": len(readings),
        "abstained": len(readings) - len(sure),
        "lowest_certainty": None if lowest is None else lowest[0],
        "lowest_record": None if lowest is None else lowest[1],
        "stated": _stated(mapping(run.run.get("vision"))),
    }


def _stated(source: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {"name": str(name), "value": f"{value:g}" if isinstance(value, float) else str(value)}
        for name, value in source.items()
    ]
