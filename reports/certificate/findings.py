"""The non-conformities of a run, each with all that its page shows: sentence, events, pictures and excerpt."""

import datetime
import re
from collections.abc import Sequence
from typing import Any

from evidence import events as e
from evidence.events import Record
from reports.clauses import ClauseText, in_language
from reports.marks import lane_of
from reports.papers.known import Failure, mark_of
from reports.run_view import RunView, VerdictRow
from reports.sentences import sentence
from reports.shape import mappings
from reports.story import gravest, status_of
from reports.text import visible
from reports.transcript import neighbourhood
from reports.unjudged import Case
from reports.wordbook import wordbook

PICTURES_MAX = 4
EXCERPT_LINES = 14
EVENTS_MAX = 24
_LOUD = e.FaultProven | e.FaultUnproven | e.DeviceFault | e.LinkFault


def findings_of(run: RunView, cases: Sequence[Case], lang: str) -> list[dict[str, Any]]:
    """Every failed case, numbered, in the order of the cases."""
    failed = [case for case in cases if status_of(case.verdict) == "failed"]
    return [{"number": f"NC-{n}", **_finding(run, case, lang)} for n, case in enumerate(failed, start=1)]


def open_cases_of(run: RunView, cases: Sequence[Case], lang: str) -> list[dict[str, Any]]:
    """Every case that could not be shown to hold, and nothing more of it than its sentence."""
    return [_told(run, case, lang) for case in cases if status_of(case.verdict) == "broken"]


def day_of(run: RunView) -> datetime.date:
    """The day on which the run ended; the first of all days when the run folder does not say."""
    stamp = str(run.run.get("finished_utc") or run.run.get("started_utc") or "")
    return datetime.date.fromisoformat(stamp[:10]) if re.match(r"\d{4}-[01]\d-[0-3]\d", stamp) else datetime.date.min


def known_mark(run: RunView, case: Case) -> dict[str, Any] | None:
    """How a failed case is marked by the file of known non-conformities; None when it is not."""
    rows = run.rows(case.scenario, case.clause)
    broken = tuple(name for row in rows for name, outcome in row.requirements.items() if outcome == "FAIL")
    broken += tuple(row.requirement for row in rows if row.requirement and not row.requirements)
    firmware = tuple(str(device.get("firmware_sha256")) for device in mappings(run.run.get("devices")))
    mark = mark_of(Failure(case.clause, case.scenario, broken, firmware), run.known, day_of(run))
    if mark is None:
        return None
    entry = mark.entry
    told = {"why": entry.why, "reference": entry.reference, "agreed_by": entry.agreed_by}
    return {"state": mark.state, "until": entry.until.isoformat(), **told}


def _told(run: RunView, case: Case, lang: str) -> dict[str, Any]:
    rows = run.rows(case.scenario, case.clause)
    lead = gravest(rows, lambda row: row.verdict) if rows else None
    return {
        "clause": case.clause,
        "scenario": case.scenario,
        "title": str(run.scenario(case.scenario).get("title") or case.scenario),
        "verdict": case.verdict,
        "reason": lead.sentence(lang) if lead else _unjudged(run, case, lang),
        "evidence": sorted({seq for row in rows for seq in row.evidence}),
    }


def _unjudged(run: RunView, case: Case, lang: str) -> str:
    status = str(run.scenario(case.scenario).get("status") or "not started")
    return wordbook(lang).say("unjudged", "reason", status=status)


def _finding(run: RunView, case: Case, lang: str) -> dict[str, Any]:
    told = _told(run, case, lang)
    rows = run.rows(case.scenario, case.clause)
    text = run.clauses.get(case.clause) or ClauseText(case.clause, case.pack, "", "")
    records = run.records.of_scenario(case.scenario)
    evidence = frozenset(told["evidence"])
    start_ns = records[0].mono_ns if records else 0
    return told | {
        "pack": case.pack,
        "citation": text.citation,
        "words": text.words(lang),
        "duties": _duties(run, rows, lang),
        "policies": [{"id": name, "value": value} for name, value in _policies(rows)],
        "known": known_mark(run, case),
        "events": [_event(one, start_ns, evidence, lang) for one in _main(records, evidence)[:EVENTS_MAX]],
        "pictures": _pictures(run, told["evidence"], lang),
        "excerpt": [
            _event(one, start_ns, evidence, lang) for one in neighbourhood(records, evidence, EXCERPT_LINES, margin=2)
        ],
        "records": len(records),
    }


def _duties(run: RunView, rows: Sequence[VerdictRow], lang: str) -> list[dict[str, str]]:
    """The broken requirements in our words."""
    said = {one.id: one.duty for pack in run.packs for clause in pack.clauses if rows and clause.id == rows[0].clause
            for one in clause.requirements}  # fmt: skip
    broken = [name for row in rows for name, outcome in row.requirements.items() if outcome == "FAIL"]
    broken = broken or [row.requirement for row in rows if row.requirement and status_of(row.verdict) == "failed"]
    return [{"requirement": name, "duty": _in(said.get(name, ""), lang)} for name in dict.fromkeys(broken)]


def _in(duty: object, lang: str) -> str:
    return in_language(duty, lang) if isinstance(duty, dict) else str(duty)


def _policies(rows: Sequence[VerdictRow]) -> list[tuple[str, str]]:
    return sorted({name: str(value) for row in rows for name, value in row.policies.items()}.items())


def _main(records: Sequence[Record], evidence: frozenset[int]) -> list[Record]:
    return [record for record in records if record.seq in evidence or isinstance(record.event, _LOUD)]


def _event(record: Record, start_ns: int, evidence: frozenset[int], lang: str) -> dict[str, Any]:
    return {
        "record": record.seq,
        "seconds": round((record.mono_ns - start_ns) / 1e9, 6),
        "lane": lane_of(record),
        "source": visible(record.source, 60),
        "words": sentence(record.event, lang),
        "evidence": record.seq in evidence,
    }


def _pictures(run: RunView, evidence: Sequence[int], lang: str) -> list[dict[str, Any]]:
    named: dict[str, Record] = {}
    for seq in evidence:
        record = run.records.get(seq)
        if record is not None and (sha256 := str(getattr(record.event, "frame", ""))):
            named.setdefault(sha256, record)
    return [
        {"record": record.seq, "sha256": sha256, "words": sentence(record.event, lang)}
        for sha256, record in list(named.items())[-PICTURES_MAX:]
    ]
