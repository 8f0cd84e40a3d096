"""Allure results written from the stories of a run folder, without a test run.

The page is made from these, so that it shows the verdicts that stand in the folder now, also after judging again.
Results of the test run that belong to no clause are taken over where they did not pass: a fixture that broke, say.
"""

import shutil
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from evidence.events import Record
from reports.allure_content import describe_clause
from reports.allure_emit import EXTENSIONS, case_labels
from reports.allure_history import NAMESPACE
from reports.allure_meta import write_meta
from reports.run_view import RunView
from reports.shape import mappings
from reports.story import Attachment, ClauseStory, Step, gravest, status_of
from reports.text import visible
from reports.unjudged import told_cases
from reports.wordbook import wordbook

ANIMATIONS_MAX = 40
"""A page of many scenarios would become too heavy with one for each; the pictures are in the journal all the same."""
_FOREIGN_LIMIT_BYTES = 8 * 1024 * 1024
_DROPPED_LABELS = frozenset({"host", "thread", "epic", "feature", "story"})


def write_results(run: RunView, into: Path, lang: str = "en") -> int:
    """Write one result for each case that a page tells.

    Returns how many results there are. `into` is made; results of the test run without a clause are copied into it.
    """
    into.mkdir(parents=True, exist_ok=True)
    told = Counter[str]()
    cases = told_cases(run)
    animated = _animated(run, cases)
    for scenario, clause in cases:
        start_ms, stop_ms = _times_ms(run, run.records.of_scenario(scenario))
        # Cases of one scenario start together; a millisecond each keeps them in their order on the page.
        start_ms += told[scenario]
        told[scenario] += 1
        story = describe_clause(run, scenario, clause, lang, animated=(scenario, clause) in animated)
        _write_story(story, (start_ms, max(start_ms, stop_ms)), into, lang)
    taken = _take_over(run.folder / "allure-results", into)
    write_meta(run, into, lang)
    return told.total() + taken


def _animated(run: RunView, cases: Sequence[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """The cases that show an animation: those that failed, then those that stayed open, then others, one a scenario."""
    order = {"failed": 0, "broken": 1}

    def weight(case: tuple[str, str]) -> int:
        rows = run.rows(*case)
        return order.get(status_of(gravest(rows, lambda row: row.verdict).verdict), 2) if rows else 2

    first: dict[str, tuple[str, str]] = {}
    for case in sorted(cases, key=weight):
        first.setdefault(case[0], case)
    return frozenset(list(first.values())[:ANIMATIONS_MAX])


def _write_story(story: ClauseStory, times_ms: tuple[int, int], into: Path, lang: str) -> None:
    case = str(uuid.uuid5(NAMESPACE, story.execution))
    labels = [("epic", story.authority), ("feature", story.pack), ("story", story.clause), ("severity", story.severity)]
    result = {
        "uuid": case,
        "historyId": case,
        "testCaseId": case,
        "fullName": story.execution,
        "name": story.title,
        "status": story.status,
        "statusDetails": {} if story.status == "passed" else {"message": f"{story.verdict}: {story.reason}"},
        "stage": "finished",
        "descriptionHtml": story.description_html,
        "labels": [{"name": name, "value": value} for name, value in (*labels, *story.labels, *case_labels(story))],
        "links": [{"name": link.name, "url": link.url, "type": link.kind} for link in story.links],
        "parameters": [{"name": "execution", "value": story.execution}],
        "start": times_ms[0],
        "stop": times_ms[1],
        "steps": [_step(step, f"{case}-{number}", times_ms, into) for number, step in enumerate(story.steps)],
        "attachments": [
            _attach(Attachment(wordbook(lang).say("page", "clause_text"), "text/plain", story.clause_text), case, into)
        ],
    }
    (into / f"{times_ms[0]:013d}-{case}-result.json").write_bytes(msgspec.json.encode(result))


def _step(step: Step, name: str, times_ms: tuple[int, int], into: Path) -> dict[str, Any]:
    times = {"start": times_ms[0], "stop": times_ms[1], "stage": "finished"}
    return {
        "name": step.name,
        "status": step.status,
        "steps": [{"name": line, "status": step.status, **times} for line in step.detail],
        "attachments": [_attach(paper, f"{name}-{number}", into) for number, paper in enumerate(step.attachments)],
        **times,
    }


def _attach(attachment: Attachment, name: str, into: Path) -> dict[str, str]:
    # Each under a name of its own: Allure shows a file that two results name only in the first of them.
    source = f"{name}-attachment.{EXTENSIONS.get(attachment.mime, 'bin')}"
    (into / source).write_bytes(attachment.data)
    return {"name": attachment.name, "type": attachment.mime, "source": source}


def _times_ms(run: RunView, records: Iterable[Record]) -> tuple[int, int]:
    stamps = sorted(record.utc for record in records) or [str(run.run.get("started_utc"))]
    return utc_ms(stamps[0]), utc_ms(stamps[-1])


def utc_ms(stamp: str) -> int:
    """An ISO 8601 time as milliseconds since 1970; 0 when it is none."""
    try:
        return int(datetime.fromisoformat(stamp).timestamp() * 1000)
    except ValueError:
        return 0


def _take_over(results: Path, into: Path) -> int:
    taken = 0
    for path in sorted(results.glob("*-result.json")) if results.is_dir() else []:
        if path.stat().st_size > _FOREIGN_LIMIT_BYTES:
            continue
        try:
            result = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except msgspec.MsgspecError:
            continue
        labels = mappings(result.get("labels"))
        if result.get("status") == "passed" or any(label.get("name") == "clause" for label in labels):
            continue
        kept = [label for label in labels if label.get("name") not in _DROPPED_LABELS]
        result["labels"] = [
            *kept,
            {"name": "epic", "value": "Test run"},
            {"name": "feature", "value": "beside the clauses"},
        ]
        for source in _sources(result):
            paper = results / Path(source).name
            if paper.is_file():
                shutil.copyfile(paper, into / paper.name)
        (into / path.name).write_bytes(msgspec.json.encode(result))
        taken += 1
    return taken


def _sources(part: Mapping[str, Any]) -> list[str]:
    own = [visible(paper["source"]) for paper in mappings(part.get("attachments")) if "source" in paper]
    return own + [source for step in mappings(part.get("steps")) for source in _sources(step)]
