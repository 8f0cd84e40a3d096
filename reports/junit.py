"""Makes `junit.xml` of a run folder: one test case for each clause judged in each scenario."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from evidence.files import write_atomic
from reports.run_view import RunView
from reports.shape import mapping
from reports.story import Status, status_of
from reports.text import TEXT_LIMIT, visible
from reports.unjudged import Case, all_cases

FILE_NAME = "junit.xml"
_ELEMENTS: dict[Status, str] = {"failed": "failure", "broken": "error", "skipped": "skipped"}


def build_junit(run_folder: Path, run: RunView | None = None) -> Path:
    """Write `junit.xml` into a run folder and return its path."""
    target = Path(run_folder) / FILE_NAME
    write_atomic(target, junit_bytes(run or RunView.load(run_folder)))
    return target


def junit_bytes(run: RunView) -> bytes:
    """The content of `junit.xml` that a run folder comes to.

    FAIL is a failure, what could not be shown an error, what was not triggered or does not apply skipped. A scenario
    without verdicts is an error. Text is safe for XML.
    """
    cases = all_cases(run)
    root = ET.Element(
        "testsuites", {"name": visible(mapping(run.run.get("plan")).get("name") or "cardcert"), **_counts(cases)}
    )
    root.set("time", f"{_duration_s(run):.3f}")
    for pack in dict.fromkeys(case.pack for case in cases):
        within = [case for case in cases if case.pack == pack]
        suite = ET.SubElement(root, "testsuite", {"name": visible(pack), **_counts(within)})
        if started := run.run.get("started_utc"):
            suite.set("timestamp", visible(started, 40))
        for case in within:
            _case(suite, case)
    ET.indent(root)
    encoded: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return encoded + b"\n"


def _case(suite: ET.Element, case: Case) -> None:
    element = ET.SubElement(suite, "testcase", {"classname": visible(case.clause), "name": visible(case.scenario)})
    kind = _ELEMENTS.get(status_of(case.verdict))
    if kind:
        reason = visible(case.reason, TEXT_LIMIT)
        outcome = ET.SubElement(element, kind, {"message": f"{visible(case.verdict, 40)}: {reason}"})
        if kind != "skipped":
            outcome.set("type", visible(case.verdict, 40))


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    kinds = Counter(status_of(case.verdict) for case in cases)
    outcomes = {"failures": kinds["failed"], "errors": kinds["broken"], "skipped": kinds["skipped"]}
    return {"tests": str(len(cases)), **{name: str(count) for name, count in outcomes.items()}}


def _duration_s(run: RunView) -> float:
    try:
        started, finished = (datetime.fromisoformat(str(run.run[name])) for name in ("started_utc", "finished_utc"))
        return max(0.0, (finished - started).total_seconds())
    except (KeyError, ValueError, TypeError):
        return 0.0
