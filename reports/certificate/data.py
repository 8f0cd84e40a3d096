"""What a certificate states, as plain data: the content of `certificate.json`, and all that the PDF prints."""

import importlib.metadata
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from evidence import events as e
from reports.certificate.departures import departures_of
from reports.certificate.findings import findings_of, open_cases_of
from reports.certificate.parties import (
    circumstances_of,
    customer_of,
    devices_of,
    entries,
    laboratory_of,
    reference_of,
    report_of,
    software_of,
    texts,
)
from reports.certificate.results import matrix_of, measured_of, triggers_of, vision_of
from reports.clauses import ClauseText, in_language
from reports.faults import injected_faults
from reports.outcomes import ClauseOutcome, Outcomes, outcomes_of
from reports.run_view import RunView
from reports.sentences import proof_told
from reports.shape import mapping, mappings
from reports.signed_by import UNSIGNED, SignedBy
from reports.story import gravest, status_of
from reports.unjudged import all_cases
from reports.wordbook import Wordbook, wordbook
from rules.summary import OpenPoint, Overall

SCHEMA = 2
OVERALL = tuple(Overall)
NO_RESULT = "MISSING_RESULT"


def certificate_data(run: RunView, lang: str, signed_by: SignedBy = UNSIGNED) -> dict[str, Any]:
    """Every statement of the certificate, in the order of the document. What is not known is an empty string or null.

    Texts stand as they were recorded; who prints them makes them safe to show.
    """
    outcomes, words, cases = outcomes_of(run), wordbook(lang), all_cases(run)
    return {
        "schema": SCHEMA,
        "kind": "cardcert.certificate",
        "signed": signed_by.kind != "none",
        "signature": msgspec.to_builtins(signed_by),
        "made_with": {name: importlib.metadata.version(name) for name in ("cardcert", "typst")},
        "lang": lang,
        "reference": reference_of(run),
        "report": report_of(run),
        "result": _result(run, outcomes, words),
        "defects": _switched_on(run),
        "missing": list(run.missing),
        "laboratory": laboratory_of(run),
        "customer": customer_of(run),
        "devices": devices_of(run),
        "software": software_of(run),
        "run": _run(run),
        "camera": entries(run.run.get("camera")),
        "packs": [
            texts(pack, ("id", "authority", "citation", "version", "sha256")) for pack in mappings(run.run.get("packs"))
        ],
        "policies": _policies(run, lang),
        "departures": departures_of(run, words),
        **circumstances_of(run),
        "matrix": matrix_of(run, outcomes),
        "nonconformities": findings_of(run, cases, lang),
        "open": open_cases_of(run, cases, lang),
        "clauses": [_clause(run, outcome, lang) for outcome in outcomes.clauses],
        "alternatives": [row for outcome in outcomes.clauses for row in _alternatives(run, outcome, lang)],
        "triggers": triggers_of(run),
        "measured": measured_of(run, words),
        "sensitivity": None if run.sensitivity is None else _sensitivity(run.sensitivity),
        "vision": vision_of(run),
        "faults": _faults(run, lang),
        "versions": entries(run.run.get("versions")),
    }


def _switched_on(run: RunView) -> list[str]:
    """Defects that were switched on in the emulators on purpose: such a run says nothing about what it ran on."""
    listed = run.run.get("defects")
    return [str(name) for name in listed] if isinstance(listed, list | tuple) else []


def _result(run: RunView, outcomes: Outcomes, words: Wordbook) -> dict[str, Any]:
    """The overall result as stored. One that the verdicts beside it do not bear out is no result."""
    stored = str(run.run.get("overall") or "")
    shown = bool(outcomes.clauses) and all(
        one.untouched or one.verdict in ("PASS", "NOT_APPLICABLE") for one in outcomes.clauses
    )
    agrees = outcomes.overall == stored if outcomes.overall else shown or stored != "CONFORMS"
    states = [status_of(outcome.verdict) for outcome in outcomes.clauses]
    untouched = [outcome.untouched for outcome in outcomes.clauses].count(True)
    exempt = sum(outcome.verdict == "NOT_APPLICABLE" and not outcome.untouched for outcome in outcomes.clauses)
    counts = {
        "passed": states.count("passed"),
        "failed": states.count("failed"),
        "other": exempt,
        "untouched": untouched,
    }
    return {
        "overall": stored if agrees and stored in OVERALL else NO_RESULT,
        "stored": stored,
        "followed": outcomes.overall,
        **counts,
        "open": len(states) - sum(counts.values()),
        "further_packs": list(dict.fromkeys(outcome.pack for outcome in outcomes.clauses if not outcome.owed)),
        "open_points": [_point(run, point, words) for point in outcomes.open_points],
    }


def _point(run: RunView, point: OpenPoint, words: Wordbook) -> str:
    values = dict(point.values)
    rows = run.rows(values.get("scenario", ""), values.get("clause", ""))
    if rows and "reason" in values:
        values["reason"] = gravest(rows, lambda row: row.verdict).sentence(words.lang)
    return words.say("open_point", point.kind, **values)


def _run(run: RunView) -> dict[str, Any]:
    journal = mapping(run.run.get("journal"))
    return {
        "cardcert": str(run.run.get("cardcert") or ""),
        "plan": texts(mapping(run.run.get("plan")), ("name", "sha256")),
        "rig": texts(mapping(run.run.get("rig")), ("name", "sha256", "clock")),
        **texts(run.run, ("seed", "started_utc", "finished_utc")),
        "journal": texts(journal, ("records", "head")),
    }


def _policies(run: RunView, lang: str) -> list[dict[str, Any]]:
    used: dict[str, str] = {str(name): str(value) for name, value in mapping(run.run.get("policies")).items()}
    for row in run.verdicts:
        used |= {name: str(value) for name, value in row.policies.items()}
    policies = []
    for name, value in sorted(used.items()):
        text = run.policies.get(name)
        policies.append(
            {
                "id": name,
                "value": value,
                "is_default": text is not None and text.default == value,
                "meaning": in_language(text.meaning, lang) if text else "",
                "value_meaning": in_language(text.values.get(value, {}), lang) if text else "",
            }
        )
    return policies


def _clause(run: RunView, outcome: ClauseOutcome, lang: str) -> dict[str, Any]:
    text = _text(run, outcome)
    return {
        "id": outcome.clause,
        "pack": outcome.pack,
        "citation": text.citation,
        "meaning": dict(text.meaning),
        "words": text.words(lang),
        "exact": text.exact,
        "verdict": outcome.verdict,
        "reason": outcome.sentence(lang),
    }


def _alternatives(run: RunView, outcome: ClauseOutcome, lang: str) -> list[dict[str, Any]]:
    meanings = _text(run, outcome).alternatives
    return [
        {
            "clause": outcome.clause,
            "id": alternative.id,
            "words": in_language(meanings.get(alternative.id, {}), lang),
            "verdict": alternative.verdict,
            "scenarios": list(alternative.scenarios),
        }
        for alternative in outcome.alternatives
    ]


def _text(run: RunView, outcome: ClauseOutcome) -> ClauseText:
    return run.clauses.get(outcome.clause) or ClauseText(outcome.clause, outcome.pack, "", "")


def _sensitivity(matrix: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for entry in matrix:
        base = texts(entry, ("clause", "requirement", "compliant"))
        defects = mappings(entry.get("defects"))
        for defect in defects or ({},):
            also = defect.get("also_failed")
            verdict = str(defect.get("verdict") or "")
            rows.append(
                base
                | {
                    "defect": str(defect.get("name") or ""),
                    "verdict": verdict,
                    "also_failed": [str(name) for name in also] if isinstance(also, list) else [],
                    "caught": base["compliant"] == "PASS" and verdict == "FAIL" and not defect.get("undeclared"),
                }
            )
    return rows


def _faults(run: RunView, lang: str) -> list[dict[str, Any]]:
    """Every injected fault with its proof, in journal order. One that nothing more is said of is not proven."""
    rows = []
    for one in injected_faults(run.records):
        row: dict[str, Any] = {"scenario": one.scenario, "fault": one.fault, "target": one.target}
        row |= {"params": dict(one.params), "proven": one.proven, "symptom": "", "means": "", "by": [], "reason": ""}
        event = one.outcome.event if one.outcome else None
        if isinstance(event, e.FaultProven):
            row |= {"symptom": event.symptom, "means": proof_told(event, lang), "by": list(event.by)}
        elif isinstance(event, e.FaultUnproven):
            row["reason"] = proof_told(event, lang)
        rows.append(row)
    return rows
